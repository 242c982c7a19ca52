//! What a manager sends: one command a line.

use std::fmt;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::combinator::{map_opt, opt, success, value, verify};
use nom::sequence::preceded;

use super::info::{Info, info};
use super::point::{Point, comma, is_point_like, no_point, point};
use crate::grammar::{Mismatch, Parsed, blanks, expect, natural32};
use crate::lines::{lines, number};

lines! {
    /// A line from the manager to the brain.
    pub enum Command {
        /// `ABOUT`: introduce yourself.
        About = "ABOUT",
        /// `START n`, or `START w h` as Yixin-Board has it: a new game on a board of this size.
        Start(Size) = "START" => start,
        /// `RECTSTART w,h`: a new game on a board that is no square.
        RectStart(Rectangle) = "RECTSTART" => rectangle,
        /// `RESTART`: a new game on the same board.
        Restart = "RESTART",
        /// `BEGIN`: the board is empty, open the game.
        Begin = "BEGIN",
        /// `TURN x,y`: the opponent's move; answer it.
        Turn(Point) = "TURN" => one_point,
        /// `BOARD`: stones follow up to `DONE`; then move.
        Board = "BOARD",
        /// `YXBOARD`: stones follow up to `DONE`; say nothing.
        YxBoard = "YXBOARD",
        /// `SWAP2BOARD`: the stones of an opening follow up to `DONE`; then choose.
        Swap2Board = "SWAP2BOARD",
        /// `x,y,owner`, in `SWAP2BOARD` `x,y`: a stone of a list.
        Stone(Stone) => stone,
        /// `DONE`: the list is complete.
        Done = "DONE",
        /// `TAKEBACK x,y`: take back the last stone, which is this one.
        TakeBack(Point) = "TAKEBACK" => one_point,
        /// `PLAY x,y`: the manager's move for the brain, in answer to `SUGGEST`.
        Play(Point) = "PLAY" => one_point,
        /// `INFO key value`: limits and rules; never answered.
        Info(Info) = "INFO" => info,
        /// `YXSTOP`, or `STOP`: end the search and move now.
        Stop = "YXSTOP" | "STOP",
        /// `YXSHOWINFO`: send the largest settings, and more during a search.
        ShowInfo = "YXSHOWINFO",
        /// `YXSHOWFORBID`: send the points on which the side to move may not play.
        ShowForbid = "YXSHOWFORBID",
        /// `YXNBEST n`: send the n best moves with their lines, then move.
        NBest(u32) = "YXNBEST" => number("a number of moves"),
        /// `YXSWAP2STEP1`: place the three stones of the opening.
        Swap2Step1 = "YXSWAP2STEP1",
        /// `YXSWAP2STEP2`: choose, with three stones on the board.
        Swap2Step2 = "YXSWAP2STEP2",
        /// `YXSWAP2STEP3`: choose, with five stones on the board.
        Swap2Step3 = "YXSWAP2STEP3",
        /// `YXHASHCLEAR`: forget what earlier searches found.
        HashClear = "YXHASHCLEAR",
        /// `END`: end the process.
        End = "END",
    }
}

/// The size of a board, in `START`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// The width.
    pub columns: u32,
    /// The height.
    pub rows: u32,
}

/// The size of a board, in `RECTSTART`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rectangle {
    /// The width.
    pub columns: u32,
    /// The height.
    pub rows: u32,
}

/// A stone of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stone {
    /// Where it lies.
    pub point: Point,
    /// Whose it is, where that is said.
    pub owner: Option<Owner>,
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

/// `start = natural , [ [ "," ] , natural ] ;` one number is both.
fn start(input: &str) -> Parsed<'_, Size> {
    let (rest, columns) = expect("the size of the board", size).parse(input)?;
    let (rest, rows) = opt(preceded(opt(comma), size)).parse(rest)?;
    Ok((rest, Size { columns, rows: rows.unwrap_or(columns) }))
}

/// `rectangle = natural , "," , natural ;`
fn rectangle(input: &str) -> Parsed<'_, Rectangle> {
    let (rest, columns) = expect("a width and a height such as `20,15`", size).parse(input)?;
    let (rest, rows) = expect("a comma and a height", preceded(comma, size)).parse(rest)?;
    Ok((rest, Rectangle { columns, rows }))
}

/// `size = natural ;` up to a blank or a comma.
fn size(input: &str) -> Parsed<'_, u32> {
    let digits = take_while1(|c: char| c.is_ascii_digit());
    preceded(blanks, map_opt(digits, natural32)).parse(input)
}

/// A point where there must be one.
fn one_point(input: &str) -> Parsed<'_, Point> {
    point(input).map_err(|_| no_point(input))
}

/// `stone = point , [ "," , ( "1" | "2" | "3" ) ] ;` A line that begins like a point is one.
fn stone(input: &str) -> Parsed<'_, Stone> {
    let (_, ()) = verify(success(()), |()| is_point_like(input)).parse(input)?;
    let (rest, point) = one_point(input)?;
    let Ok((field, _)) = comma(rest) else { return Ok((rest, Stone { point, owner: None })) };
    let is = |digit: &'static str| tag::<_, _, Mismatch<'_>>(digit);
    let owners = alt((
        value(Owner::Own, is("1")),
        value(Owner::Opponent, is("2")),
        value(Owner::Neither, is("3")),
    ));
    let (rest, owner) = expect("`1`, `2` or `3` after the point", owners).parse(field)?;
    Ok((rest, Stone { point, owner: Some(owner) }))
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { columns, rows } = self;
        if columns == rows { write!(f, "{columns}") } else { write!(f, "{columns} {rows}") }
    }
}

impl fmt::Display for Rectangle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.columns, self.rows)
    }
}

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.point.fmt(f)?;
        self.owner.map_or(Ok(()), |owner| write!(f, ",{owner}"))
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
