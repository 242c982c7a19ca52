//! GTP, the Go Text Protocol, version 2.
//!
//! A line is read in two steps, so that a wrong command can still be answered with its number: it
//! becomes a [`Request`], which almost never fails, and the request becomes a [`Command`]. The engine
//! answers each with a [`Response`] of one or more lines and a blank line; a client collects them with
//! a [`ResponseReader`].
//!
//! While an analysis runs its answer grows line by line: [`Response::open`] begins it, lines of
//! [`MoveInfo`]s follow, a blank line ends it. [`Graphics`] are what `GoGui` draws on its board.
//!
//! A [`Vertex`] is read and printed here because its letters belong to the protocol; this crate does
//! not know whether it lies on the board.

mod analysis;
mod command;
mod graphics;

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::character::complete::{alpha1, digit1};
use nom::combinator::{all_consuming, map_opt, opt};

use crate::grammar::{self, OneLine, exact, joined, quoted, shortened, word, words};
use crate::input::clean;

pub use analysis::{AnalysisFormat, Analyze, MoveInfo, MoveRestriction, SearchTask};
pub use command::{Command, KataTime, MenuCommand, ParameterGroup, RulesQuery};
pub use graphics::{Graphics, GraphicsError, Mark, MenuEntry};

/// Why a request is not a command.
///
/// The text starts with one of the standard failure texts of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// There is no command of this name.
    #[error("unknown command{}", .nearest.as_ref().map(|word| format!(": did you mean `{word}`?")).unwrap_or_default())]
    UnknownCommand {
        /// The command it may be a typo of.
        nearest: Option<String>,
    },
    /// The command is known, but its arguments are wrong.
    #[error("syntax error: expected {expected}, found {}", quoted(.found))]
    Syntax {
        /// What would have been right, a noun phrase.
        expected: String,
        /// The wrong word, shortened; empty at the end of the line.
        found: String,
    },
}

impl SyntaxError {
    fn expected(expected: &str, found: &str) -> Self {
        Self::Syntax { expected: expected.to_owned(), found: shortened(found) }
    }
}

impl From<grammar::SyntaxError> for SyntaxError {
    fn from(error: grammar::SyntaxError) -> Self {
        match error {
            grammar::SyntaxError::Empty => Self::UnknownCommand { nearest: None },
            grammar::SyntaxError::Unknown { nearest, .. } => Self::UnknownCommand { nearest },
            grammar::SyntaxError::Malformed { expected, found, .. } => {
                Self::Syntax { expected, found }
            }
        }
    }
}

/// A line from the controller, split into words.
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
    /// Drops the comment and control characters; tabs are blanks. Returns `None` for a line with
    /// nothing else in it. A first word that is not a number of 32 bits is the name.
    pub fn parse(line: &str) -> Option<Self> {
        let line = clean(line);
        let line = line.split('#').next().unwrap_or_default();
        let (rest, id) = opt(map_opt(word, exact)).parse(line).ok()?;
        let (rest, name) = opt(word).parse(rest).ok()?;
        if id.is_none() && name.is_none() {
            return None;
        }
        let (_, args) = words(rest).ok()?;
        Some(Self { id, name: name.unwrap_or_default().to_owned(), args })
    }
}

/// Returns whether this line is the comment `# interrupt`, with which a GUI asks the engine to end
/// the running command early.
pub fn is_interrupt(line: &str) -> bool {
    let line = clean(line);
    line.trim().strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt")
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        OneLine(&self.name).fmt(f)?;
        if self.args.is_empty() { Ok(()) } else { write!(f, " {}", OneLine(&joined(&self.args))) }
    }
}

/// The answer to one request.
///
/// No line of the text is blank, except that the first may be empty (so that a board starts at the
/// left), and no line ends with a blank; the printer ensures both.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Response {
    /// The number of the request.
    pub id: Option<u32>,
    /// The text of a success or of a failure.
    pub result: Result<String, String>,
}

impl Response {
    /// Creates a success.
    pub fn success(id: Option<u32>, text: impl Into<String>) -> Self {
        Self { id, result: Ok(text.into()) }
    }

    /// Creates a failure.
    pub fn failure(id: Option<u32>, text: impl Into<String>) -> Self {
        Self { id, result: Err(text.into()) }
    }

    /// Returns the first line of a success whose other lines are written later; a blank line ends it.
    pub fn open(id: Option<u32>) -> String {
        id.map_or_else(|| "=\n".to_owned(), |id| format!("={id}\n"))
    }
}

/// `response = ( "=" | "?" ) , [ id ] , " " , text , LF , LF ;`
///
/// The blank line at the end is part of the printed text. Blank lines inside would end the response
/// early and are left out.
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
/// Ignores lines before the first one with `=` or `?`; a blank line ends the response. Keeps at most
/// [`ResponseReader::MAX_TEXT`] bytes and drops the lines after them.
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
    partial: Option<Response>,
}

impl ResponseReader {
    /// How much text of one response is kept, in bytes.
    pub const MAX_TEXT: usize = 1 << 24;

    /// Creates a reader that waits for the start of a response.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next line, without its end, and returns the response that it ends.
    pub fn push(&mut self, line: &str) -> Option<Response> {
        let line = clean(line);
        let line = line.trim_end();
        let Some(partial) = &mut self.partial else {
            self.partial = first_line(line);
            return None;
        };
        if line.is_empty() {
            return self.finish();
        }
        let (Ok(text) | Err(text)) = &mut partial.result;
        if text.len() + line.len() < Self::MAX_TEXT {
            text.push('\n');
            text.push_str(line);
        }
        None
    }

    /// Takes the partial response, at the end of the input.
    pub fn finish(&mut self) -> Option<Response> {
        self.partial.take()
    }
}

/// `first-line = ( "=" | "?" ) , [ id ] , [ " " , text ] ;`
///
/// A number that does not fit 32 bits, or that has no blank after it, belongs to the text.
fn first_line(line: &str) -> Option<Response> {
    let success = line.starts_with('=');
    let rest = line.strip_prefix(['=', '?'])?;
    let (head, tail) = rest.split_once(' ').unwrap_or((rest, ""));
    let digits = head.chars().all(|c| c.is_ascii_digit());
    let id: Option<u32> = if digits { head.parse().ok() } else { None };
    let text = if id.is_some() || head.is_empty() { tail } else { rest }.to_owned();
    Some(Response { id, result: if success { Ok(text) } else { Err(text) } })
}

/// A color of GTP. Black is the player who moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Color {
    /// The first player.
    Black,
    /// The second player.
    White,
}

impl Color {
    /// `color = "b" | "black" | "w" | "white" ;` in any case.
    ///
    /// # Errors
    /// The text is no color.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let is = |words: [&str; 2]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
        if is(["b", "black"]) {
            Ok(Self::Black)
        } else if is(["w", "white"]) {
            Ok(Self::White)
        } else {
            Err(SyntaxError::expected("a color, `b` or `w`", text))
        }
    }

    /// Returns `b` or `w`, as controllers write it after `genmove`.
    pub fn lowercase(self) -> &'static str {
        match self {
            Self::Black => "b",
            Self::White => "w",
        }
    }
}

impl FromStr for Color {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

/// `B` or `W`, as controllers write it after `play`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "B",
            Self::White => "W",
        })
    }
}

/// A point in GTP's notation, such as `A1`, `K10` or `AA26`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vertex {
    /// The column, from 0 at the left.
    pub column: u32,
    /// The row, from 0 at the bottom.
    pub row: u32,
}

impl Vertex {
    /// The letters of columns, without I.
    const LETTERS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
    /// The number of letters.
    const BASE: u32 = 25;
    /// The number of columns on the largest board, the widest that any GUI shows.
    const MAX_COLUMNS: u32 = 52;

    /// `vertex = column , row ; column = letter , [ letter ] ; row = digit , { digit } ;`
    ///
    /// The letters are A to Z without I, in any case; after Z comes AA, and the last column is BB. Rows
    /// count from 1. `pass` is not a vertex.
    ///
    /// # Errors
    /// The text is no vertex.
    ///
    /// ```
    /// use pentarch_protocol::gtp::Vertex;
    ///
    /// assert_eq!(Vertex::parse("k10"), Ok(Vertex { column: 9, row: 9 }));
    /// assert!(Vertex::parse("I5").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let row = |digits: &str| digits.parse::<u32>().ok()?.checked_sub(1);
        let parsed: nom::IResult<&str, (u32, u32)> =
            all_consuming((map_opt(alpha1, Self::column), map_opt(digit1, row))).parse(text);
        match parsed {
            Ok((_, (column, row))) => Ok(Self { column, row }),
            Err(_) => Err(SyntaxError::expected("a vertex such as `A1` or `K10`", text)),
        }
    }

    /// Returns the column with these letters.
    fn column(letters: &str) -> Option<u32> {
        let mut index = 0_u32;
        for letter in letters.chars() {
            let digit = Self::LETTERS.find(letter.to_ascii_uppercase())?;
            index = index.checked_mul(Self::BASE)?.checked_add(digit as u32 + 1)?;
        }
        index.checked_sub(1).filter(|&column| column < Self::MAX_COLUMNS)
    }
}

impl FromStr for Vertex {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = Vec::new();
        let mut left = Some(self.column);
        while let Some(index) = left {
            letters.extend(Self::LETTERS.chars().nth((index % Self::BASE) as usize));
            left = (index / Self::BASE).checked_sub(1);
        }
        let column: String = letters.into_iter().rev().collect();
        write!(f, "{column}{}", u64::from(self.row) + 1)
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

    #[test]
    fn names_of_columns() {
        for (text, column, row) in [
            ("A1", 0, 0),
            ("H8", 7, 7),
            ("J9", 8, 8),
            ("K10", 9, 9),
            ("T19", 18, 18),
            ("Z25", 24, 24),
            ("AA26", 25, 25),
            ("AH1", 32, 0),
            ("AJ1", 33, 0),
            ("AZ50", 49, 49),
            ("BA51", 50, 50),
            ("BB52", 51, 51),
        ] {
            let vertex = Vertex { column, row };
            assert_eq!(vertex.to_string(), text);
            assert_eq!(Vertex::parse(text), Ok(vertex));
            assert_eq!(Vertex::parse(&text.to_lowercase()), Ok(vertex));
        }
    }

    #[test]
    fn what_is_not_a_vertex() {
        for text in [
            "",
            "A",
            "1",
            "A0",
            "I9",
            "AI3",
            "IA3",
            "BC1",
            "AAA1",
            "A-1",
            "A+1",
            "A1x",
            " A1",
            "A1 ",
            "pass",
            "A4294967296",
            "\u{c4}1",
            "A\u{664}",
            "1A",
        ] {
            assert!(Vertex::parse(text).is_err(), "{text:?}");
        }
        let error = Vertex::parse("I9").unwrap_err();
        assert!(error.to_string().starts_with("syntax error: expected a vertex"), "{error}");
    }

    #[test]
    fn any_value_can_be_printed() {
        let vertex = Vertex { column: u32::MAX, row: u32::MAX };
        assert!(vertex.to_string().ends_with("4294967296"));
    }
}
