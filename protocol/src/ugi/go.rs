//! The limits of a search: the arguments of `go`.

use std::fmt;

use nom::Parser;
use nom::combinator::map_opt;

use super::Flavor;
use crate::grammar::{
    Mismatch, Parsed, Words, expect, integer, natural, natural32, word, words_until,
};

/// A time in milliseconds. It is negative where a flag has already fallen.
pub type Millis = i64;

/// The arguments of `go`; the default is a bare `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Go {
    /// What is left on the clock of each seat: `p1time` to `p4time`.
    pub time: [Option<Millis>; 4],
    /// What each seat gains with a move: `p1inc` to `p4inc`.
    pub increment: [Option<Millis>; 4],
    /// The moves until more time is added to the clocks.
    pub moves_to_go: Option<u32>,
    /// The time for this move.
    pub move_time: Option<Millis>,
    /// The number of plies to look ahead.
    pub depth: Option<u32>,
    /// The number of positions to visit.
    pub nodes: Option<u64>,
    /// Look for a win in this many plies.
    pub mate: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search in the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider only these moves; empty means all.
    pub search_moves: Vec<String>,
}

/// Every word with a meaning of its own in the arguments of `go`.
const KEYWORDS: [&str; 20] = [
    "p1time",
    "p2time",
    "p3time",
    "p4time",
    "p1inc",
    "p2inc",
    "p3inc",
    "p4inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
];

/// `go = { limit } ;`
pub(super) fn go(input: &str) -> Parsed<'_, Go> {
    let mut go = Go::default();
    let mut rest = input;
    while !rest.trim_start_matches(' ').is_empty() {
        (rest, ()) = limit(&mut go, rest)?;
    }
    Ok((rest, go))
}

/// What must follow a keyword that counts something.
const WHOLE: &str = "a whole number";

/// What must follow a keyword of time.
const MILLIS: &str = "a number of milliseconds";

/// `limit = clock , integer | "movetime" , integer | "nodes" , natural
///        | ( "movestogo" | "depth" | "mate" ) , natural
///        | "infinite" | "ponder" | "searchmoves" , move , { move } ;`
///
/// A `move` is any word that is not a keyword of `go`. Of a limit that is given
/// twice, the last counts.
fn limit<'a>(go: &mut Go, input: &'a str) -> Parsed<'a, ()> {
    let (mut rest, name) = word(input)?;
    if let Some(clock) = clock(go, name) {
        (rest, *clock) = number(name, MILLIS, integer, rest)?;
        return Ok((rest, ()));
    }
    match name {
        "movetime" => {
            (rest, go.move_time) = number(name, MILLIS, integer, rest)?;
        }
        "movestogo" => (rest, go.moves_to_go) = number(name, WHOLE, natural32, rest)?,
        "depth" => (rest, go.depth) = number(name, WHOLE, natural32, rest)?,
        "nodes" => (rest, go.nodes) = number(name, WHOLE, natural, rest)?,
        "mate" => (rest, go.mate) = number(name, WHOLE, natural32, rest)?,
        "infinite" => go.infinite = true,
        "ponder" => go.ponder = true,
        "searchmoves" => {
            let (after, moves) = words_until(|word| KEYWORDS.contains(&word)).parse(rest)?;
            if moves.is_empty() {
                return Err(Mismatch::stop("a move after `searchmoves`", rest));
            }
            go.search_moves.extend(moves);
            rest = after;
        }
        _ => return Err(Mismatch::stop("a limit such as `movetime` or `depth`", input)),
    }
    Ok((rest, ()))
}

/// `clock = "p1time" | "p2time" | "p3time" | "p4time" | "wtime" | "btime"
///        | "p1inc" | "p2inc" | "p3inc" | "p4inc" | "winc" | "binc" ;`
fn clock<'g>(go: &'g mut Go, name: &str) -> Option<&'g mut Option<Millis>> {
    let (clocks, seat) = match name {
        "p1time" | "wtime" => (&mut go.time, 0),
        "p2time" | "btime" => (&mut go.time, 1),
        "p3time" => (&mut go.time, 2),
        "p4time" => (&mut go.time, 3),
        "p1inc" | "winc" => (&mut go.increment, 0),
        "p2inc" | "binc" => (&mut go.increment, 1),
        "p3inc" => (&mut go.increment, 2),
        "p4inc" => (&mut go.increment, 3),
        _ => return None,
    };
    clocks.get_mut(seat)
}

/// The number that must follow the keyword `name`.
fn number<'a, T>(
    name: &str,
    what: &str,
    read: fn(&str) -> Option<T>,
    input: &'a str,
) -> Parsed<'a, Option<T>> {
    expect(format!("{what} after `{name}`"), map_opt(word, read)).map(Some).parse(input)
}

impl Go {
    /// Prints the command in a flavour, which knows its own names of the first two clocks.
    pub(super) fn write(&self, flavor: Flavor, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        for (clocks, name) in [(&self.time, "time"), (&self.increment, "inc")] {
            for (clock, player) in clocks.iter().zip(flavor.players()) {
                limit_text(f, &format!("{player}{name}"), *clock)?;
            }
        }
        limit_text(f, "movestogo", self.moves_to_go)?;
        limit_text(f, "movetime", self.move_time)?;
        limit_text(f, "depth", self.depth)?;
        limit_text(f, "nodes", self.nodes)?;
        limit_text(f, "mate", self.mate)?;
        f.write_str(if self.infinite { " infinite" } else { "" })?;
        f.write_str(if self.ponder { " ponder" } else { "" })?;
        if self.search_moves.is_empty() {
            return Ok(());
        }
        write!(f, " searchmoves{}", Words(&self.search_moves))
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Flavor::Ugi, f)
    }
}

/// Prints a limit if there is one.
fn limit_text<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<T>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}
