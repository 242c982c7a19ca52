//! What the manager says about limits and rules: `INFO key value`.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::combinator::{map_opt, rest};

use crate::grammar::{Mismatch, OneLine, Parsed, expect, integer, word};

/// The key and the value of an `INFO` line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Info {
    /// A key whose value is a number.
    Number(Setting, i64),
    /// `variant SPEC`: what is played, of which Gomocup's `rule` knows only a little. Ours.
    Variant(String),
    /// `coordinates xy` or `coordinates yx`: how points are written from now on. Ours.
    Coordinates(Coordinates),
    /// Any other key; an engine ignores it.
    Other {
        /// The key.
        key: String,
        /// All that follows.
        value: String,
    },
}

/// The keys with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Setting {
    /// Milliseconds for a move; 0 means as fast as possible.
    TimeoutTurn,
    /// Milliseconds for the whole game; 0 means no limit.
    TimeoutMatch,
    /// Milliseconds left of it; 2147483647 means no limit, a negative number that the flag fell.
    TimeLeft,
    /// Milliseconds that each move adds.
    TimeIncrement,
    /// Bytes that the engine may use; 0 means no limit.
    MaxMemory,
    /// Plies to look ahead.
    MaxDepth,
    /// Positions to visit; a negative number means no limit.
    MaxNode,
    /// KiB for the hash table; 0 means that the engine decides.
    HashSize,
    /// Search threads.
    ThreadNum,
    /// What is played: 0 five or more, 1 exactly five, 2 several games on one board, 4 renju,
    /// 8 and 9 caro.
    Rule,
    /// How much the engine reports during a search, from 0.
    ShowDetail,
    /// Playing strength, 100 is full.
    Strength,
}

/// Which number of a point comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Coordinates {
    /// Column, then row from the top.
    #[default]
    Xy,
    /// Row from the top, then column.
    Yx,
}

impl Setting {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::TimeoutTurn,
        Self::TimeoutMatch,
        Self::TimeLeft,
        Self::TimeIncrement,
        Self::MaxMemory,
        Self::MaxDepth,
        Self::MaxNode,
        Self::HashSize,
        Self::ThreadNum,
        Self::Rule,
        Self::ShowDetail,
        Self::Strength,
    ];

    /// The key.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TimeoutTurn => "timeout_turn",
            Self::TimeoutMatch => "timeout_match",
            Self::TimeLeft => "time_left",
            Self::TimeIncrement => "time_increment",
            Self::MaxMemory => "max_memory",
            Self::MaxDepth => "max_depth",
            Self::MaxNode => "max_node",
            Self::HashSize => "hash_size",
            Self::ThreadNum => "thread_num",
            Self::Rule => "rule",
            Self::ShowDetail => "show_detail",
            Self::Strength => "strength",
        }
    }
}

/// `info = setting , integer | "variant" , word , { word } | "coordinates" , ( "xy" | "yx" )
///       | word , { word } ;` where case does not matter in the key.
pub(super) fn info(input: &str) -> Parsed<'_, Info> {
    let (after, key) = expect("a key such as `timeout_turn`", word).parse(input)?;
    let known = Setting::ALL.into_iter().find(|known| key.eq_ignore_ascii_case(known.name()));
    if let Some(setting) = known {
        let expected = format!("a whole number after `{}`", setting.name());
        let number = expect(expected, map_opt(word, integer));
        return number.map(|number| Info::Number(setting, number)).parse(after);
    }
    let (end, value) = rest.map(|text: &str| text.trim_matches(' ')).parse(after)?;
    let info = match key.to_ascii_lowercase().as_str() {
        "variant" if value.is_empty() => return Err(Mismatch::stop("a variant", after)),
        "variant" => Info::Variant(value.to_owned()),
        "coordinates" => match value.parse() {
            Ok(coordinates) => Info::Coordinates(coordinates),
            Err(UnknownCoordinates) => return Err(Mismatch::stop("`xy` or `yx`", after)),
        },
        _ => Info::Other { key: key.to_owned(), value: value.to_owned() },
    };
    Ok((end, info))
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(setting, number) => write!(f, "{} {number}", setting.name()),
            Self::Variant(spec) => write!(f, "variant {}", OneLine(spec)),
            Self::Coordinates(coordinates) => write!(f, "coordinates {coordinates}"),
            Self::Other { key, value } if value.is_empty() => OneLine(key).fmt(f),
            Self::Other { key, value } => write!(f, "{} {}", OneLine(key), OneLine(value)),
        }
    }
}

/// The text is not `xy` and not `yx`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected `xy` or `yx`")]
pub struct UnknownCoordinates;

impl FromStr for Coordinates {
    type Err = UnknownCoordinates;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "xy" => Ok(Self::Xy),
            "yx" => Ok(Self::Yx),
            _ => Err(UnknownCoordinates),
        }
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Xy => "xy",
            Self::Yx => "yx",
        })
    }
}
