//! What a brain sends: one response a line.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::combinator::all_consuming;
use nom::multi::many1;
use nom::sequence::terminated;

use super::SyntaxError;
use super::about::About;
use super::point::{Point, is_point_like, no_point, point};
use crate::frame::clean;
use crate::grammar::{OneLine, end, labeled, word};

/// A line from the brain to the manager.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Response {
    /// `OK`: done.
    Ok,
    /// The points of a move, or of up to three stones of an opening.
    Moves(Vec<Point>),
    /// `SWAP`: the brain takes the other color.
    Swap,
    /// `SUGGEST x,y`: a move that the manager may replace by another with `PLAY`.
    Suggest(Point),
    /// `ERROR X`: the command is known and cannot be obeyed.
    Error(String),
    /// `UNKNOWN X`: the command is not known.
    Unknown(String),
    /// `MESSAGE X`: for the user.
    Message(String),
    /// `DEBUG X`: for the author.
    Debug(String),
    /// `name="X", ...`: who the brain is.
    About(About),
    /// `FORBID xxyyxxyy.`: points on which the side to move may not play, two digits a number.
    Forbid(Vec<Point>),
    /// Any other line.
    Text(String),
}

impl Response {
    /// `response = "OK" | point , { point } | "SWAP" | "SUGGEST" , point
    ///           | ( "ERROR" | "UNKNOWN" | "MESSAGE" | "DEBUG" ) , text | about
    ///           | "FORBID" , { digit , digit , digit , digit } , "." | text ;`
    ///
    /// Any line is a response, except for a malformed `SUGGEST`.
    pub fn parse(line: &str) -> Result<Self, SyntaxError> {
        let line = clean(line);
        let other = || Self::Text(line.clone().into_owned());
        if is_point_like(&line) {
            let points = all_consuming(terminated(many1(point), end)).parse(&line);
            return Ok(points.map_or_else(|_| other(), |(_, points)| Self::Moves(points)));
        }
        let Ok((rest, first)) = word(&line) else { return Ok(other()) };
        let text = rest.trim_matches(' ').to_owned();
        Ok(match first.to_ascii_uppercase().as_str() {
            "OK" if text.is_empty() => Self::Ok,
            "SWAP" if text.is_empty() => Self::Swap,
            "ERROR" => Self::Error(text),
            "UNKNOWN" => Self::Unknown(text),
            "MESSAGE" => Self::Message(text),
            "DEBUG" => Self::Debug(text),
            "FORBID" => forbid(&text).map_or_else(other, Self::Forbid),
            "SUGGEST" => match terminated(point, end).parse(rest) {
                Ok((_, point)) => Self::Suggest(point),
                Err(_) => return Err(SyntaxError::malformed("SUGGEST", no_point(rest))),
            },
            _ => About::parse(&line).map_or_else(other, Self::About),
        })
    }
}

/// `forbid = { digit , digit , digit , digit } , "." ;`
fn forbid(text: &str) -> Option<Vec<Point>> {
    let digits = text.strip_suffix('.')?.as_bytes();
    let number = |pair: &[u8]| match pair {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
            Some(i32::from((tens - b'0') * 10 + ones - b'0'))
        }
        _ => None,
    };
    let numbers: Option<Vec<i32>> = digits.chunks(2).map(number).collect();
    let point = |pair: &[i32]| match *pair {
        [x, y] => Some(Point { x, y }),
        _ => None,
    };
    numbers?.chunks(2).map(point).collect()
}

impl FromStr for Response {
    type Err = SyntaxError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Self::parse(line)
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("OK"),
            Self::Moves(points) => {
                let points: Vec<String> = points.iter().map(Point::to_string).collect();
                f.write_str(&points.join(" "))
            }
            Self::Swap => f.write_str("SWAP"),
            Self::Suggest(point) => write!(f, "SUGGEST {point}"),
            Self::Error(text) => labeled(f, "ERROR", text),
            Self::Unknown(text) => labeled(f, "UNKNOWN", text),
            Self::Message(text) => labeled(f, "MESSAGE", text),
            Self::Debug(text) => labeled(f, "DEBUG", text),
            Self::About(about) => about.fmt(f),
            Self::Forbid(points) => {
                f.write_str("FORBID ")?;
                points.iter().try_for_each(|point| write!(f, "{:02}{:02}", point.x, point.y))?;
                f.write_str(".")
            }
            Self::Text(text) => OneLine(text).fmt(f),
        }
    }
}
