//! What a manager sends: one command a line.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map_opt, opt, value};
use nom::sequence::{preceded, terminated};

use super::SyntaxError;
use super::info::{Info, info};
use super::point::{Point, comma, is_point_like, no_point, point};
use crate::frame::clean;
use crate::grammar::{Mismatch, Parsed, end, expect, natural32, word};

/// A line from the manager to the brain.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Command {
    /// `ABOUT`: introduce yourself.
    About,
    /// `START n`, or `START w h` as Yixin-Board has it: a new game on a board of this size.
    Start {
        /// The width.
        columns: u32,
        /// The height.
        rows: u32,
    },
    /// `RECTSTART w,h`: a new game on a board that is no square.
    RectStart {
        /// The width.
        columns: u32,
        /// The height.
        rows: u32,
    },
    /// `RESTART`: a new game on the same board.
    Restart,
    /// `BEGIN`: the board is empty, open the game.
    Begin,
    /// `TURN x,y`: the opponent's move; answer it.
    Turn(Point),
    /// `BOARD`: stones follow up to `DONE`; then move.
    Board,
    /// `YXBOARD`: stones follow up to `DONE`; say nothing.
    YxBoard,
    /// `SWAP2BOARD`: the stones of an opening follow up to `DONE`; then choose.
    Swap2Board,
    /// A stone of a list: `x,y,owner`, in `SWAP2BOARD` `x,y`.
    Stone {
        /// Where it lies.
        point: Point,
        /// Whose it is, where that is said.
        owner: Option<Owner>,
    },
    /// `DONE`: the list is complete.
    Done,
    /// `TAKEBACK x,y`: take back the last stone, which is this one.
    TakeBack(Point),
    /// `PLAY x,y`: the manager's move for the brain, in answer to `SUGGEST`.
    Play(Point),
    /// `INFO key value`: limits and rules; never answered.
    Info(Info),
    /// `YXSTOP`, or `STOP`: end the search and move now.
    Stop,
    /// `YXSHOWINFO`: send the largest settings, and more during a search.
    ShowInfo,
    /// `YXSHOWFORBID`: send the points on which the side to move may not play.
    ShowForbid,
    /// `YXNBEST n`: send the n best moves with their lines, then move.
    NBest(u32),
    /// `YXSWAP2STEP1` to `YXSWAP2STEP3`: place the three stones of the opening; choose, with them on
    /// the board; choose, with five.
    Swap2Step(u8),
    /// `YXHASHCLEAR`: forget what earlier searches found.
    HashClear,
    /// `END`: end the process.
    End,
}

/// Whose a stone is, from the brain's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// 1: the brain's own.
    Own,
    /// 2: the opponent's.
    Opponent,
    /// 3: nobody's any more: part of a line that has won, or a forbidden point.
    Neither,
}

/// Parses what follows the name of a command.
type Arguments = for<'a> fn(&'a str) -> Parsed<'a, Command>;

/// Every command's name with the grammar of its arguments.
const TABLE: [(&str, Arguments); 23] = [
    ("ABOUT", |input| value(Command::About, end).parse(input)),
    ("START", start),
    ("RECTSTART", rect_start),
    ("RESTART", |input| value(Command::Restart, end).parse(input)),
    ("BEGIN", |input| value(Command::Begin, end).parse(input)),
    ("TURN", |input| one_point(input).map(|(rest, point)| (rest, Command::Turn(point)))),
    ("BOARD", |input| value(Command::Board, end).parse(input)),
    ("YXBOARD", |input| value(Command::YxBoard, end).parse(input)),
    ("SWAP2BOARD", |input| value(Command::Swap2Board, end).parse(input)),
    ("DONE", |input| value(Command::Done, end).parse(input)),
    ("TAKEBACK", |input| one_point(input).map(|(rest, point)| (rest, Command::TakeBack(point)))),
    ("PLAY", |input| one_point(input).map(|(rest, point)| (rest, Command::Play(point)))),
    ("INFO", |input| info(input).map(|(rest, info)| (rest, Command::Info(info)))),
    ("YXSTOP", |input| value(Command::Stop, end).parse(input)),
    ("STOP", |input| value(Command::Stop, end).parse(input)),
    ("YXSHOWINFO", |input| value(Command::ShowInfo, end).parse(input)),
    ("YXSHOWFORBID", |input| value(Command::ShowForbid, end).parse(input)),
    ("YXNBEST", n_best),
    ("YXSWAP2STEP1", |input| value(Command::Swap2Step(1), end).parse(input)),
    ("YXSWAP2STEP2", |input| value(Command::Swap2Step(2), end).parse(input)),
    ("YXSWAP2STEP3", |input| value(Command::Swap2Step(3), end).parse(input)),
    ("YXHASHCLEAR", |input| value(Command::HashClear, end).parse(input)),
    ("END", |input| value(Command::End, end).parse(input)),
];

impl Command {
    /// `command = name , arguments | stone ;` where case does not matter in the name.
    pub fn parse(line: &str) -> Result<Self, SyntaxError> {
        let line = clean(line);
        if is_point_like(&line) {
            let stone = terminated(stone, end).parse(&line);
            return stone
                .map(|(_, stone)| stone)
                .map_err(|error| SyntaxError::malformed("stone", error));
        }
        let (rest, first) = word(&line).map_err(|_| SyntaxError::Empty)?;
        let known = TABLE.iter().find(|(name, _)| first.eq_ignore_ascii_case(name));
        let Some((name, arguments)) = known else {
            return Err(SyntaxError::unknown(first, Self::names()));
        };
        terminated(*arguments, end)
            .parse(rest)
            .map(|(_, command)| command)
            .map_err(|error| SyntaxError::malformed(name, error))
    }

    /// The names of all commands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|(name, _)| *name)
    }
}

/// `start = natural , [ [ "," ] , natural ] ;` one number is both.
fn start(input: &str) -> Parsed<'_, Command> {
    let (rest, columns) = expect("the size of the board", size).parse(input)?;
    let (rest, rows) = opt(preceded(opt(comma), size)).parse(rest)?;
    Ok((rest, Command::Start { columns, rows: rows.unwrap_or(columns) }))
}

/// `rect-start = natural , "," , natural ;`
fn rect_start(input: &str) -> Parsed<'_, Command> {
    let (rest, columns) = expect("a width and a height such as `20,15`", size).parse(input)?;
    let (rest, rows) = expect("a comma and a height", preceded(comma, size)).parse(rest)?;
    Ok((rest, Command::RectStart { columns, rows }))
}

/// `size = natural ;` up to a blank or a comma.
fn size(input: &str) -> Parsed<'_, u32> {
    let digits = nom::bytes::complete::take_while1(|c: char| c.is_ascii_digit());
    let blanks = nom::bytes::complete::take_while(|c| c == ' ');
    preceded(blanks, map_opt(digits, natural32)).parse(input)
}

/// `n-best = natural ;`
fn n_best(input: &str) -> Parsed<'_, Command> {
    expect("a number of moves", map_opt(word, natural32)).map(Command::NBest).parse(input)
}

/// A point where there must be one.
fn one_point(input: &str) -> Parsed<'_, Point> {
    point(input).map_err(|_| no_point(input))
}

/// `stone = point , [ "," , ( "1" | "2" | "3" ) ] ;`
fn stone(input: &str) -> Parsed<'_, Command> {
    let (rest, point) = one_point(input)?;
    let Ok((field, _)) = comma(rest) else {
        return Ok((rest, Command::Stone { point, owner: None }));
    };
    let is = |digit: &'static str| nom::bytes::complete::tag::<_, _, Mismatch<'_>>(digit);
    let owners = alt((
        value(Owner::Own, is("1")),
        value(Owner::Opponent, is("2")),
        value(Owner::Neither, is("3")),
    ));
    let (rest, owner) = expect("`1`, `2` or `3` after the point", owners).parse(field)?;
    Ok((rest, Command::Stone { point, owner: Some(owner) }))
}

impl FromStr for Command {
    type Err = SyntaxError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Self::parse(line)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::About => f.write_str("ABOUT"),
            Self::Start { columns, rows } if columns == rows => write!(f, "START {columns}"),
            Self::Start { columns, rows } => write!(f, "START {columns} {rows}"),
            Self::RectStart { columns, rows } => write!(f, "RECTSTART {columns},{rows}"),
            Self::Restart => f.write_str("RESTART"),
            Self::Begin => f.write_str("BEGIN"),
            Self::Turn(point) => write!(f, "TURN {point}"),
            Self::Board => f.write_str("BOARD"),
            Self::YxBoard => f.write_str("YXBOARD"),
            Self::Swap2Board => f.write_str("SWAP2BOARD"),
            Self::Stone { point, owner: None } => point.fmt(f),
            Self::Stone { point, owner: Some(owner) } => write!(f, "{point},{owner}"),
            Self::Done => f.write_str("DONE"),
            Self::TakeBack(point) => write!(f, "TAKEBACK {point}"),
            Self::Play(point) => write!(f, "PLAY {point}"),
            Self::Info(info) => info.fmt(f),
            Self::Stop => f.write_str("YXSTOP"),
            Self::ShowInfo => f.write_str("YXSHOWINFO"),
            Self::ShowForbid => f.write_str("YXSHOWFORBID"),
            Self::NBest(count) => write!(f, "YXNBEST {count}"),
            Self::Swap2Step(step) => write!(f, "YXSWAP2STEP{step}"),
            Self::HashClear => f.write_str("YXHASHCLEAR"),
            Self::End => f.write_str("END"),
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own => "1",
            Self::Opponent => "2",
            Self::Neither => "3",
        })
    }
}
