//! What an engine answers: `=` or `?`, a number, a text and a blank line.

use std::fmt;

use crate::frame::clean;

/// The answer to one request.
///
/// In the text no line is blank, except that the first may be empty (so that a
/// board starts at the left), and no line ends with a blank; the printer sees to
/// both.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Response {
    /// The number of the request.
    pub id: Option<u32>,
    /// The text of a success or of a failure.
    pub result: Result<String, String>,
}

impl Response {
    /// A success.
    pub fn success(id: Option<u32>, text: impl Into<String>) -> Self {
        Self { id, result: Ok(text.into()) }
    }

    /// The first line of a success whose other lines come as they are found; a blank line ends it.
    pub fn open(id: Option<u32>) -> String {
        id.map_or_else(|| "=\n".to_owned(), |id| format!("={id}\n"))
    }

    /// A failure.
    pub fn failure(id: Option<u32>, text: impl Into<String>) -> Self {
        Self { id, result: Err(text.into()) }
    }
}

/// `response = ( "=" | "?" ) , [ id ] , " " , text , LF , LF ;`
///
/// The blank line at the end is part of the printed text. Blank lines inside
/// would end the response early, so they are left out.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        write!(f, "{sign}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        let mut lines = text.split('\n').map(|line| clean(line).trim_end().to_owned());
        write!(f, " {}", lines.next().unwrap_or_default())?;
        for line in lines.filter(|line| !line.is_empty()) {
            write!(f, "\n{line}")?;
        }
        f.write_str("\n\n")
    }
}

/// Collects the lines of a response, for a client.
///
/// Lines before the first one with `=` or `?` are ignored, a blank line ends the
/// response. At most [`ResponseReader::MAX_TEXT`] bytes are kept, the lines
/// after them are dropped.
///
/// ```
/// use pentarch_protocol::gtp::{Response, ResponseReader};
///
/// let mut reader = ResponseReader::new();
/// assert_eq!(reader.push("=3 K10"), None);
/// assert_eq!(reader.push(""), Some(Response::success(Some(3), "K10")));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ResponseReader {
    begun: Option<Response>,
}

impl ResponseReader {
    /// How much text of one response is kept, in bytes.
    pub const MAX_TEXT: usize = 1 << 24;

    /// A reader that waits for the start of a response.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next line, without its end; returns the response that it ends.
    pub fn push(&mut self, line: &str) -> Option<Response> {
        let line = clean(line);
        let line = line.trim_end();
        let Some(begun) = &mut self.begun else {
            self.begun = first_line(line);
            return None;
        };
        if line.is_empty() {
            return self.finish();
        }
        let (Ok(text) | Err(text)) = &mut begun.result;
        if text.len() + line.len() < Self::MAX_TEXT {
            text.push('\n');
            text.push_str(line);
        }
        None
    }

    /// The response begun so far, for the end of the input.
    pub fn finish(&mut self) -> Option<Response> {
        self.begun.take()
    }

    /// Whether a response has begun and not yet ended.
    pub fn is_open(&self) -> bool {
        self.begun.is_some()
    }

    /// The response as far as it has come, for those whose lines count before the end.
    pub fn so_far(&self) -> Option<&Response> {
        self.begun.as_ref()
    }
}

/// `first-line = ( "=" | "?" ) , [ id ] , [ " " , text ] ;`
///
/// A number that does not fit 32 bits, or that has no blank after it, belongs
/// to the text.
fn first_line(line: &str) -> Option<Response> {
    let success = line.starts_with('=');
    let rest = line.strip_prefix(['=', '?'])?;
    let (head, tail) = rest.split_once(' ').unwrap_or((rest, ""));
    let digits = head.chars().all(|c| c.is_ascii_digit());
    let id: Option<u32> = if digits { head.parse().ok() } else { None };
    let text = if id.is_some() || head.is_empty() { tail } else { rest }.to_owned();
    Some(Response { id, result: if success { Ok(text) } else { Err(text) } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Response> {
        let mut reader = ResponseReader::new();
        let mut found: Vec<Response> = text.lines().filter_map(|line| reader.push(line)).collect();
        found.extend(reader.finish());
        found
    }

    #[test]
    fn printed_text() {
        for (response, text) in [
            (Response::success(None, ""), "= \n\n"),
            (Response::success(Some(7), ""), "=7 \n\n"),
            (Response::success(Some(0), "K10"), "=0 K10\n\n"),
            (Response::failure(Some(3), "unknown command"), "?3 unknown command\n\n"),
            (Response::success(None, "a\n\n \nb\r\n"), "= a\nb\n\n"),
            (Response::success(None, "\n 2 . .\n 1 X O\n"), "= \n 2 . .\n 1 X O\n\n"),
            (Response::success(None, "\n\n\n"), "= \n\n"),
        ] {
            assert_eq!(response.to_string(), text);
        }
    }

    #[test]
    fn lines_of_foreign_engines() {
        assert_eq!(
            read("Loading\n\n=1 2\n\n= \n\nchatter\n?syntax error\n\n=99999999999 x\n\n=4"),
            [
                Response::success(Some(1), "2"),
                Response::success(None, ""),
                Response::failure(None, "syntax error"),
                Response::success(None, "99999999999 x"),
                Response::success(Some(4), ""),
            ]
        );
        assert_eq!(read("=\t5\r\n\n"), [Response::success(None, "5")]);
        assert_eq!(read("="), [Response::success(None, "")]);
    }

    #[test]
    fn a_flood_is_not_stored() {
        let mut reader = ResponseReader::new();
        let line = "x".repeat(1 << 20);
        reader.push("= ");
        for _ in 0..100 {
            assert_eq!(reader.push(&line), None);
        }
        let Some(Response { result: Ok(text), .. }) = reader.push("") else { panic!("a success") };
        assert!(text.len() <= ResponseReader::MAX_TEXT);
    }
}
