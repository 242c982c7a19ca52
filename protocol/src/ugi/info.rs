//! What an engine reports on its search: `info ...`.

use std::fmt;

use nom::Parser;

use crate::grammar::{OneLine, Words, integer32, natural, natural32, word, words_until};

/// One line of `info`; the default says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Info {
    /// The depth reached, in plies.
    pub depth: Option<u32>,
    /// The deepest line looked at, in plies.
    pub seldepth: Option<u32>,
    /// The rank of this line among several, from 1.
    pub multipv: Option<u32>,
    /// What the position is worth to the seat to move.
    pub score: Option<Score>,
    /// Set where the score is only a bound.
    pub bound: Option<BoundWord>,
    /// The positions visited so far.
    pub nodes: Option<u64>,
    /// The positions visited in a second.
    pub nps: Option<u64>,
    /// How full the table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The time used so far, in milliseconds.
    pub time_ms: Option<u64>,
    /// The answer that the engine expects to its move.
    pub ponder: Option<String>,
    /// The best line found, from the position searched.
    pub pv: Vec<String>,
    /// Free text, `string ...`, up to the end of the line; never empty.
    pub text: Option<String>,
}

/// What a position is worth to the seat to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// `cp N`: hundredths of a point, positive when better.
    Centipoints(i32),
    /// `mate N`: a forced win in that many plies, negative for a loss.
    Mate(i32),
}

/// The side on which the true score may lie beyond the one given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoundWord {
    /// `lowerbound`: the true score is at least this.
    Lower,
    /// `upperbound`: the true score is at most this.
    Upper,
}

/// Every word that ends a `pv`; foreign engines send more than we do.
const KEYWORDS: [&str; 20] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "lowerbound",
    "upperbound",
    "nodes",
    "nps",
    "hashfull",
    "time",
    "ponder",
    "pv",
    "string",
    "currmove",
    "currmovenumber",
    "currline",
    "refutation",
    "tbhits",
    "cpuload",
    "wdl",
];

/// `info = { field | word } ;`
///
/// Nothing here is an error: an unknown word is skipped, and so is a keyword
/// whose value cannot be read.
pub(super) fn info(input: &str) -> Info {
    let mut info = Info::default();
    let mut rest = input;
    while let Ok((after, keyword)) = word(rest) {
        rest = field(&mut info, keyword, after);
    }
    info
}

/// `field = ( "depth" | "seldepth" | "multipv" | "hashfull" ) , natural
///        | ( "nodes" | "nps" | "time" ) , natural
///        | "score" , ( "cp" | "mate" ) , integer | "lowerbound" | "upperbound"
///        | "ponder" , move | "pv" , { move } | "string" , { word } ;`
///
/// A `move` is any word that is not a keyword of `info`. Returns what is left of
/// the line.
fn field<'a>(info: &mut Info, keyword: &str, rest: &'a str) -> &'a str {
    match keyword {
        "depth" => read(&mut info.depth, natural32, rest),
        "seldepth" => read(&mut info.seldepth, natural32, rest),
        "multipv" => read(&mut info.multipv, natural32, rest),
        "hashfull" => read(&mut info.hashfull, natural32, rest),
        "nodes" => read(&mut info.nodes, natural, rest),
        "nps" => read(&mut info.nps, natural, rest),
        "time" => read(&mut info.time_ms, natural, rest),
        "score" => score(&mut info.score, rest),
        "lowerbound" => {
            info.bound = Some(BoundWord::Lower);
            rest
        }
        "upperbound" => {
            info.bound = Some(BoundWord::Upper);
            rest
        }
        "ponder" => {
            let expected = |word: &str| (!KEYWORDS.contains(&word)).then(|| word.to_owned());
            read(&mut info.ponder, expected, rest)
        }
        "pv" => match words_until(|word| KEYWORDS.contains(&word)).parse(rest) {
            Ok((rest, moves)) => {
                info.pv = moves;
                rest
            }
            Err(_) => rest,
        },
        "string" => {
            let text = rest.trim_matches(' ');
            info.text = (!text.is_empty()).then(|| text.to_owned());
            ""
        }
        _ => rest,
    }
}

/// Reads the next word into `slot`; one that cannot be read stays where it is.
fn read<'a, T>(slot: &mut Option<T>, parse: impl Fn(&str) -> Option<T>, input: &'a str) -> &'a str {
    let Ok((rest, word)) = word(input) else { return input };
    let Some(value) = parse(word) else { return input };
    *slot = Some(value);
    rest
}

/// `score = ( "cp" | "mate" ) , integer ;`
fn score<'a>(slot: &mut Option<Score>, input: &'a str) -> &'a str {
    let Ok((rest, unit)) = word(input) else { return input };
    match unit {
        "cp" => read(slot, |word| integer32(word).map(Score::Centipoints), rest),
        "mate" => read(slot, |word| integer32(word).map(Score::Mate), rest),
        _ => input,
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::default() {
            // A bare `info` would be shorter than the eight bytes that
            // cutergames needs of every line during a search.
            return f.write_str("info string");
        }
        f.write_str("info")?;
        field_text(f, "depth", self.depth)?;
        field_text(f, "seldepth", self.seldepth)?;
        field_text(f, "multipv", self.multipv)?;
        field_text(f, "score", self.score)?;
        match self.bound {
            Some(BoundWord::Lower) => f.write_str(" lowerbound")?,
            Some(BoundWord::Upper) => f.write_str(" upperbound")?,
            None => {}
        }
        field_text(f, "nodes", self.nodes)?;
        field_text(f, "nps", self.nps)?;
        field_text(f, "hashfull", self.hashfull)?;
        field_text(f, "time", self.time_ms)?;
        field_text(f, "ponder", self.ponder.as_deref().map(OneLine))?;
        if !self.pv.is_empty() {
            write!(f, " pv{}", Words(&self.pv))?;
        }
        field_text(f, "string", self.text.as_deref().map(OneLine))
    }
}

/// Prints a field if it has a value.
fn field_text<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<T>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipoints(points) => write!(f, "cp {points}"),
            Self::Mate(plies) => write!(f, "mate {plies}"),
        }
    }
}
