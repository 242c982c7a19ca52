//! What an engine sends: one response a line.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::combinator::{opt, rest};
use nom::sequence::{preceded, terminated};

use super::info::{Info, info};
use super::option::{OptionDecl, option};
use super::{Flavor, SyntaxError};
use crate::frame::clean;
use crate::grammar::{OneLine, Parsed, end, expect, keyword, labeled, word};

/// A line from the engine to the client.
///
/// Every response that is sent during a search has at least eight bytes with
/// its line end, because cutergames cuts that many off.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Response {
    /// `id ...`: who the engine is.
    Id(Id),
    /// `option ...`: an option that can be set.
    Option(OptionDecl),
    /// `ugiok`: the introduction is complete.
    UgiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info ...`: what the search has found so far.
    Info(Info),
    /// `bestmove M [ponder R]`: the end of a search; none prints `bestmove none`.
    BestMove(Option<Best>),
    /// `response X`: the answer to a query; a bare `response` when empty.
    Answer(String),
    /// `info string error: X`: the last command was refused.
    Error(String),
    /// Any other line, such as a line of a board drawn for a human.
    Text(String),
}

/// What a search has decided.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Best {
    /// The move.
    pub mv: String,
    /// The reply that the engine would like to ponder on.
    pub ponder: Option<String>,
}

impl From<String> for Best {
    /// A move without an expected reply.
    fn from(mv: String) -> Best {
        Best { mv, ponder: None }
    }
}

/// Who an engine is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Id {
    /// `id name X`.
    Name(String),
    /// `id author X`.
    Author(String),
}

impl Response {
    /// `response = "id" , ( "name" | "author" ) , text | "option" , option | "ugiok" | "readyok"
    ///           | "info string error:" , text | "info" , info | "bestmove" , best-move
    ///           | "response" , text | text ;`
    ///
    /// Any line is a response, except for a malformed `option` or `bestmove`.
    pub fn parse(line: &str) -> Result<Self, SyntaxError> {
        Self::parse_as(Flavor::Ugi, line)
    }

    /// [`Response::parse`] in a flavour.
    pub(super) fn parse_as(flavor: Flavor, line: &str) -> Result<Self, SyntaxError> {
        let line = clean(line);
        let other = || Self::Text(line.clone().into_owned());
        let Ok((rest, first)) = word(&line) else { return Ok(other()) };
        let text = rest.trim_matches(' ');
        let response = match first {
            "id" => id(rest).map_or_else(other, Self::Id),
            ok if ok == flavor.spell("ugiok") && text.is_empty() => Self::UgiOk,
            "readyok" if text.is_empty() => Self::ReadyOk,
            "info" => info_or_error(info(rest)),
            "response" => Self::Answer(text.to_owned()),
            "option" => Self::Option(complete(first, option, rest)?),
            "bestmove" => Self::BestMove(complete(first, best_move, rest)?),
            _ => other(),
        };
        Ok(response)
    }

    /// Prints the response in a flavour.
    pub(super) fn write(&self, flavor: Flavor, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(Id::Name(name)) => labeled(f, "id name", name),
            Self::Id(Id::Author(author)) => labeled(f, "id author", author),
            Self::Option(option) => write!(f, "{option}"),
            Self::UgiOk => f.write_str(flavor.spell("ugiok")),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => write!(f, "{info}"),
            Self::BestMove(None) => write!(f, "bestmove {}", flavor.spell("none")),
            Self::BestMove(Some(Best { mv, ponder })) => {
                write!(f, "bestmove {}", OneLine(mv))?;
                ponder.as_ref().map_or(Ok(()), |reply| write!(f, " ponder {}", OneLine(reply)))
            }
            Self::Answer(answer) => labeled(f, "response", answer),
            Self::Error(error) => labeled(f, "info string error:", error),
            Self::Text(text) => write!(f, "{}", OneLine(text)),
        }
    }
}

/// Runs a parser that must reach the end of the line.
fn complete<'a, T>(
    command: &str,
    parser: fn(&'a str) -> Parsed<'a, T>,
    rest: &'a str,
) -> Result<T, SyntaxError> {
    terminated(parser, end)
        .parse(rest)
        .map(|(_, value)| value)
        .map_err(|error| SyntaxError::malformed(command, error))
}

/// `id = ( "name" | "author" ) , text ;`
fn id(input: &str) -> Option<Id> {
    let (text, what) = word(input).ok()?;
    let text = text.trim_matches(' ').to_owned();
    match what {
        "name" => Some(Id::Name(text)),
        "author" => Some(Id::Author(text)),
        _ => None,
    }
}

/// `error = "string" , "error:" , text ;` with nothing else in the `info`.
fn info_or_error(info: Info) -> Response {
    let error =
        info.text.as_deref().and_then(|text| preceded(keyword("error:"), rest).parse(text).ok());
    match error {
        Some((_, error)) if info == (Info { text: info.text.clone(), ..Info::default() }) => {
            Response::Error(error.trim_matches(' ').to_owned())
        }
        _ => Response::Info(info),
    }
}

/// `best-move = ( "none" | "(none)" | word ) , [ "ponder" , [ "none" | "(none)" | word ] ] ;`
fn best_move(input: &str) -> Parsed<'_, Option<Best>> {
    let (rest, best) = expect("a move or `none`", word).parse(input)?;
    let (rest, ponder) = opt(preceded(keyword("ponder"), opt(word))).parse(rest)?;
    let some = |word: &&str| !matches!(*word, "none" | "(none)");
    let ponder = ponder.flatten().filter(some).map(str::to_owned);
    Ok((rest, Some(best).filter(some).map(|mv| Best { mv: mv.to_owned(), ponder })))
}

impl FromStr for Response {
    type Err = SyntaxError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Self::parse(line)
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Flavor::Ugi, f)
    }
}
