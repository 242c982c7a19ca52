//! Stage one of reading GTP: the number, the name and the words of a request.

use std::fmt;

use nom::Parser;
use nom::combinator::{map_opt, opt};

use crate::frame::clean;
use crate::grammar::{OneLine, Words, word, words_until};

/// A line from the controller, not yet looked at closely.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    /// The number that the response must repeat.
    pub id: Option<u32>,
    /// The name of the command. It is empty in a line that has only a number.
    pub name: String,
    /// The words after the name.
    pub args: Vec<String>,
}

impl Request {
    /// `request = [ id ] , name , { word } , [ "#" , comment ] ;`
    ///
    /// The comment and control characters are dropped and tabs are blanks. A
    /// line with nothing else in it is no request. A first word that is not a
    /// number of 32 bits is the name.
    pub fn parse(line: &str) -> Option<Self> {
        let line = clean(line);
        let line = line.split('#').next().unwrap_or_default();
        let number = |word: &str| word.parse::<u32>().ok().filter(|_| !word.starts_with('+'));
        let (rest, id) = opt(map_opt(word, number)).parse(line).ok()?;
        let (rest, name) = opt(word).parse(rest).ok()?;
        if id.is_none() && name.is_none() {
            return None;
        }
        let (_, args) = words_until(|_| false).parse(rest).ok()?;
        Some(Self { id, name: name.unwrap_or_default().to_owned(), args })
    }
}

/// Whether this line is the comment `# interrupt`, with which a GUI asks the
/// engine to end the running command early.
pub fn is_interrupt(line: &str) -> bool {
    let line = clean(line);
    line.trim().strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt")
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        write!(f, "{}{}", OneLine(&self.name), Words(&self.args))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: Option<u32>, name: &str, args: &[&str]) -> Request {
        let args = args.iter().map(|&arg| arg.to_owned()).collect();
        Request { id, name: name.to_owned(), args }
    }

    #[test]
    fn lines() {
        for (line, expected) in [
            ("name", Some(request(None, "name", &[]))),
            ("  12\tplay\tB   K10 \r", Some(request(Some(12), "play", &["B", "K10"]))),
            ("007 quit # now", Some(request(Some(7), "quit", &[]))),
            ("play B K10#center", Some(request(None, "play", &["B", "K10"]))),
            ("pl\0ay b a1", Some(request(None, "play", &["b", "a1"]))),
            ("12", Some(request(Some(12), "", &[]))),
            ("1 2 3", Some(request(Some(1), "2", &["3"]))),
            ("-1 name", Some(request(None, "-1", &["name"]))),
            ("+1 name", Some(request(None, "+1", &["name"]))),
            ("99999999999 name", Some(request(None, "99999999999", &["name"]))),
            ("", None),
            (" \t ", None),
            ("# name", None),
            ("\u{1}\u{2}", None),
        ] {
            assert_eq!(Request::parse(line), expected, "{line:?}");
        }
    }

    #[test]
    fn interrupts() {
        for line in ["# interrupt", " #interrupt ", "#\tinterrupt\r"] {
            assert!(is_interrupt(line), "{line:?}");
        }
        for line in ["interrupt", "# interrupted", "name # interrupt", "#", ""] {
            assert!(!is_interrupt(line), "{line:?}");
        }
    }
}
