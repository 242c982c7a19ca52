//! What a client sends: one command a line.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map_opt, opt, rest as remainder, value};
use nom::sequence::{preceded, terminated};

use super::go::{Go, go};
use super::query::{Query, query};
use super::{Flavor, SyntaxError};
use crate::frame::clean;
use crate::grammar::{
    Mismatch, OneLine, Parsed, Words, end, expect, keyword, natural32, word, words_until,
};

/// A line from the client to the engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Command {
    /// `ugi`: introduce yourself.
    Ugi,
    /// `isready`: answer `readyok` once everything before is done.
    IsReady,
    /// `uginewgame`: the next position belongs to another game.
    UgiNewGame,
    /// `stop`: end the search and answer now.
    Stop,
    /// `quit`: end the process.
    Quit,
    /// `ponderhit`: the expected move was played, the search counts from now.
    PonderHit,
    /// `setoption name N [value V]`.
    SetOption {
        /// The option; it may contain blanks, but not the word `value`.
        name: String,
        /// The new value, which may contain blanks; none presses a button.
        value: Option<String>,
    },
    /// `position startpos [moves M...]` or `position fen F [moves M...]`.
    Position {
        /// Where the game starts.
        start: Start,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// `moves M...`: these are played on top of the current position.
    Moves(Vec<String>),
    /// `go ...`: search.
    Go(Go),
    /// `query Q`: a question about the current position.
    Query(Query),
    /// `d` or `show`: print the board for a human.
    Show,
    /// `perft N`: count the leaves of the game tree at this depth.
    Perft(u32),
    /// `eval`: print what the position is worth without a search.
    Eval,
}

/// Where a game starts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Start {
    /// The variant's start position.
    StartPos,
    /// A position as text, its words separated by single blanks. It does not
    /// contain the word `moves`.
    Fen(String),
}

/// Parses what follows the name of a command.
type Arguments = for<'a> fn(&'a str) -> Parsed<'a, Command>;

/// Every command's name with the grammar of its arguments.
const TABLE: [(&str, Arguments); 15] = [
    ("ugi", |input| value(Command::Ugi, end).parse(input)),
    ("isready", |input| value(Command::IsReady, end).parse(input)),
    ("uginewgame", |input| value(Command::UgiNewGame, end).parse(input)),
    ("stop", |input| value(Command::Stop, end).parse(input)),
    ("quit", |input| value(Command::Quit, end).parse(input)),
    ("ponderhit", |input| value(Command::PonderHit, end).parse(input)),
    ("setoption", set_option),
    ("position", position),
    ("moves", |input| moves(input).map(|(rest, moves)| (rest, Command::Moves(moves)))),
    ("go", |input| go(input).map(|(rest, limits)| (rest, Command::Go(limits)))),
    ("query", |input| query(input).map(|(rest, asked)| (rest, Command::Query(asked)))),
    ("d", |input| value(Command::Show, end).parse(input)),
    ("show", |input| value(Command::Show, end).parse(input)),
    ("perft", perft),
    ("eval", |input| value(Command::Eval, end).parse(input)),
];

impl Command {
    /// `command = name , arguments ;` where case does not matter in the name.
    pub fn parse(line: &str) -> Result<Self, SyntaxError> {
        Self::parse_as(Flavor::Ugi, line)
    }

    /// [`Command::parse`] in a flavour.
    pub(super) fn parse_as(flavor: Flavor, line: &str) -> Result<Self, SyntaxError> {
        let line = clean(line);
        let (rest, first) = word(&line).map_err(|_| SyntaxError::Empty)?;
        let spelled = |(name, arguments)| (flavor.spell(name), arguments);
        let known =
            TABLE.into_iter().map(spelled).find(|(name, _)| first.eq_ignore_ascii_case(name));
        let Some((name, arguments)) = known else {
            let names = Self::names().map(|name| flavor.spell(name));
            return Err(SyntaxError::unknown(first, names));
        };
        terminated(arguments, end)
            .parse(rest)
            .map(|(_, command)| command)
            .map_err(|error| SyntaxError::malformed(name, error))
    }

    /// The names of all commands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|(name, _)| *name)
    }

    /// Prints the command in a flavour.
    pub(super) fn write(&self, flavor: Flavor, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ugi => f.write_str(flavor.spell("ugi")),
            Self::IsReady => f.write_str("isready"),
            Self::UgiNewGame => f.write_str(flavor.spell("uginewgame")),
            Self::Stop => f.write_str("stop"),
            Self::Quit => f.write_str("quit"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {}", OneLine(name)),
            Self::SetOption { name, value: Some(value) } => {
                let value = if value.is_empty() { "<empty>" } else { value };
                write!(f, "setoption name {} value {}", OneLine(name), OneLine(value))
            }
            Self::Position { start, moves } => {
                write!(f, "position {start}")?;
                f.write_str(if moves.is_empty() { "" } else { " moves" })?;
                write!(f, "{}", Words(moves))
            }
            Self::Moves(moves) => write!(f, "moves{}", Words(moves)),
            Self::Go(go) => go.write(flavor, f),
            Self::Query(query) => write!(f, "query {query}"),
            Self::Show => f.write_str("d"),
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::Eval => f.write_str("eval"),
        }
    }
}

/// `setoption = "name" , word , { word } , [ "value" , { word } ] ;`
///
/// The name ends at the first word `value`. The value `<empty>` is the empty one.
fn set_option(input: &str) -> Parsed<'_, Command> {
    let (input, _) = expect("the word `name`", keyword("name")).parse(input)?;
    let (rest, name) = words_until(|word| word == "value").parse(input)?;
    if name.is_empty() {
        return Err(Mismatch::stop("the name of an option", input));
    }
    let text = remainder.map(|text: &str| match text.trim_matches(' ') {
        "<empty>" => String::new(),
        text => text.to_owned(),
    });
    let (rest, value) = opt(preceded(keyword("value"), text)).parse(rest)?;
    Ok((rest, Command::SetOption { name: name.join(" "), value }))
}

/// `position = ( "startpos" | "fen" , word , { word } ) , [ "moves" , { word } ] ;`
///
/// The position text ends at the first word `moves`.
fn position(input: &str) -> Parsed<'_, Command> {
    let start_pos = keyword("startpos").map(|_| Start::StartPos);
    let (rest, start) =
        expect("`startpos` or `fen`", alt((start_pos, preceded(keyword("fen"), fen))))
            .parse(input)?;
    if end(rest).is_ok() {
        return Ok((rest, Command::Position { start, moves: Vec::new() }));
    }
    let (rest, _) = expect("the word `moves`", keyword("moves")).parse(rest)?;
    let (rest, moves) = words_until(|_| false).parse(rest)?;
    Ok((rest, Command::Position { start, moves }))
}

/// `fen = word , { word } ;`
fn fen(input: &str) -> Parsed<'_, Start> {
    let (rest, words) = words_until(|word| word == "moves").parse(input)?;
    if words.is_empty() {
        return Err(Mismatch::stop("a position text", input));
    }
    Ok((rest, Start::Fen(words.join(" "))))
}

/// `moves = word , { word } ;`
fn moves(input: &str) -> Parsed<'_, Vec<String>> {
    let (rest, moves) = words_until(|_| false).parse(input)?;
    if moves.is_empty() { Err(Mismatch::stop("a move", input)) } else { Ok((rest, moves)) }
}

/// `perft = natural ;`
fn perft(input: &str) -> Parsed<'_, Command> {
    expect("a depth, a whole number", map_opt(word, natural32)).map(Command::Perft).parse(input)
}

impl FromStr for Command {
    type Err = SyntaxError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Self::parse(line)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Flavor::Ugi, f)
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StartPos => f.write_str("startpos"),
            Self::Fen(fen) => write!(f, "fen {}", OneLine(fen)),
        }
    }
}
