//! The protocol of Gomocup and Piskvork, with the extensions of Yixin and Rapfi.
//!
//! The manager sends [`Command`]s, the brain answers with [`Response`]s; each is one line. A list of
//! stones is several lines: [`Command::Board`] or a similar command opens it, each [`Command::Stone`]
//! is an element, [`Command::Done`] closes it. `INFO`, whose arguments are an [`Info`], is never
//! answered.
//!
//! A point is two numbers from 0. Most managers send the column and then the row from the top,
//! Yixin-Board the row and then the column; with [`Info::Coordinates`] both sides can agree on one.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::bytes::complete::{tag, take_while1};
use nom::combinator::{map_opt, opt, rest, verify};
use nom::multi::{many1, separated_list1};
use nom::sequence::{delimited, preceded, separated_pair};

pub use crate::grammar::SyntaxError;
use crate::grammar::{
    InQuotes, Mismatch, OneLine, Parsed, blanks, enclosed, expect, grammar, integer, integer32,
    joined, natural32, number, other_line, parse_lines, text, word,
};

grammar! {
    ignore_case: true;
    /// A line from the manager to the brain.
    pub enum Command {
        /// `ABOUT`: say who you are.
        About = "ABOUT",
        /// `START n`, or `START w h` as Yixin-Board has it: a new game on a board of this size.
        Start {
            /// The width.
            columns: u32,
            /// The height.
            rows: u32,
        } = "START" => start => start_text,
        /// `RECTSTART w,h`: a new game on a rectangular board.
        RectStart {
            /// The width.
            columns: u32,
            /// The height.
            rows: u32,
        } = "RECTSTART" => rect_start => |columns: &u32, rows: &u32| format!("{columns},{rows}"),
        /// `RESTART`: a new game on the same board.
        Restart = "RESTART",
        /// `BEGIN`: the board is empty, make the first move.
        Begin = "BEGIN",
        /// `TURN x,y`: the opponent's move; answer it.
        Turn(Point) = "TURN" => one_point,
        /// `BOARD`: stones follow up to `DONE`; then move.
        Board = "BOARD",
        /// `YXBOARD`: stones follow up to `DONE`; do not answer.
        YxBoard = "YXBOARD",
        /// `SWAP2BOARD`: the stones of an opening follow up to `DONE`; then choose.
        Swap2Board = "SWAP2BOARD",
        /// `x,y,owner`, in `SWAP2BOARD` `x,y`: a stone of a list.
        Stone(Stone) => stone,
        /// `DONE`: the list is complete.
        Done = "DONE",
        /// `TAKEBACK x,y`: remove the last stone, which is this one.
        TakeBack(Point) = "TAKEBACK" => one_point,
        /// `PLAY x,y`: the manager's move for the brain, in answer to `SUGGEST`.
        Play(Point) = "PLAY" => one_point,
        /// `INFO key value`: limits and rules; never answered.
        Info(Info) = "INFO" => info,
        /// `YXSTOP`, or `STOP`: end the search and move now.
        Stop = "YXSTOP" | "STOP",
        /// `YXSHOWINFO`: send the largest settings, and more messages during a search.
        ShowInfo = "YXSHOWINFO",
        /// `YXSHOWFORBID`: send the points on which the side to move may not play.
        ShowForbid = "YXSHOWFORBID",
        /// `YXNBEST n`: send the n best moves with their lines, then move.
        NBest(u32) = "YXNBEST" => number("a number of moves"),
        /// `YXSEARCHDEFEND`: send the value of as many moves as possible, then move.
        SearchDefend = "YXSEARCHDEFEND",
        /// `YXBALANCEONE [bias]`: make the move after which the position has this value, 0 for a balanced one.
        BalanceOne(i32) = "YXBALANCEONE" => bias => |bias: &i32| bias.to_string(),
        /// `YXBALANCETWO [bias]`: make two moves, one for each player, after which it has this value.
        BalanceTwo(i32) = "YXBALANCETWO" => bias => |bias: &i32| bias.to_string(),
        /// `YXBLOCK`: points follow up to `DONE` on which the brain must not move.
        Block = "YXBLOCK",
        /// `YXBLOCKUNDO`: points follow up to `DONE` on which it may move again.
        BlockUndo = "YXBLOCKUNDO",
        /// `YXBLOCKRESET`: it may move everywhere.
        BlockReset = "YXBLOCKRESET",
        /// `YXSHOWHASHUSAGE`: send how full the transposition table is.
        HashUsage = "YXSHOWHASHUSAGE",
        /// A command that stores the transposition table in a file or loads it, with the name of the file.
        HashFile(String) in &HASH_FILE => text,
        /// A command about Yixin-Board's or Rapfi's database, with its arguments.
        Database(String) in &DATABASE => text,
        /// `YXSWAP2STEP1`: place the three stones of the opening.
        Swap2Step1 = "YXSWAP2STEP1",
        /// `YXSWAP2STEP2`: choose, with three stones on the board.
        Swap2Step2 = "YXSWAP2STEP2",
        /// `YXSWAP2STEP3`: choose, with five stones on the board.
        Swap2Step3 = "YXSWAP2STEP3",
        /// `YXHASHCLEAR`: clear the transposition table.
        HashClear = "YXHASHCLEAR",
        /// `END`: end the process.
        End = "END",
    }
}

grammar! {
    ignore_case: true;
    /// A line from the brain to the manager. Any line is one, except for a malformed `SUGGEST`.
    pub enum Response {
        /// `OK`: done.
        Ok = "OK",
        /// The points of a move, or of up to three stones of an opening.
        Moves(Vec<Point>) => many1(point) => |points: &Vec<Point>| joined(points),
        /// `SWAP`: the brain takes the other color.
        Swap = "SWAP",
        /// `SUGGEST x,y`: a move that the manager may replace by another with `PLAY`.
        Suggest(Point) = "SUGGEST" => one_point,
        /// `ERROR X`: the command is known but cannot be executed.
        Error(String) = "ERROR" => text,
        /// `UNKNOWN X`: the command is not known.
        Unknown(String) = "UNKNOWN" => text,
        /// `MESSAGE X`: for the user.
        Message(String) = "MESSAGE" => text,
        /// `DEBUG X`: for the author.
        Debug(String) = "DEBUG" => text,
        /// `INFO key value`: a field of a line of the search, in Rapfi's form.
        Detail(String) = "INFO" => text,
        /// `FORBID xxyyxxyy.`: points on which the side to move may not play, two digits a number.
        Forbid(Vec<Point>) = "FORBID" => map_opt(text, forbidden) => forbidden_text,
        /// `name="X", ...`: who the brain is.
        About(About) => about,
        /// Any other line.
        Text(String) => other_line(|first| first.eq_ignore_ascii_case("SUGGEST")),
    }
}

parse_lines!(Command Response);

const HASH_FILE: [&str; 2] = ["YXHASHDUMP", "YXHASHLOAD"];

const DATABASE: [&str; 23] = [
    "YXSETDATABASE",
    "YXSAVEDATABASE",
    "YXQUERYDATABASEALL",
    "YXQUERYDATABASEONE",
    "YXQUERYDATABASETEXT",
    "YXQUERYDATABASEALLT",
    "YXEDITTVDDATABASE",
    "YXEDITTEXTDATABASE",
    "YXEDITLABELDATABASE",
    "YXDELETEDATABASEONE",
    "YXDELETEDATABASEALL",
    "YXSETBESTMOVEDATABASE",
    "YXCLEARBESTMOVEDATABASE",
    "YXDBTOPOS",
    "YXDBTOTXT",
    "YXDBTOTXTALL",
    "YXTXTTODB",
    "YXLIBTODB",
    "YXDBTOLIB",
    "YXDBCHECK",
    "YXDBFIX",
    "YXDBSPLIT",
    "YXDBMERGE",
];

impl Command {
    /// Returns the names of all commands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::GRAMMAR.keywords()
    }
}

/// A point as it is written; it need not lie on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The first number, usually the column from the left.
    pub x: i32,
    /// The second number, usually the row from the top.
    pub y: i32,
}

impl Point {
    /// Creates a point.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the point in a column and a row, both from 0 at the lower left, of a board with `rows`
    /// rows.
    ///
    /// ```
    /// use pentarch_protocol::gomocup::{Coordinates, Point};
    ///
    /// assert_eq!(Point::on_board(Coordinates::Xy, 2, 0, 15), Point::new(2, 14));
    /// assert_eq!(Point::new(14, 2).column_and_row(Coordinates::Yx, 15), (2, 0));
    /// ```
    pub fn on_board(coordinates: Coordinates, column: u8, row: u8, rows: u8) -> Self {
        let (x, y) = (i32::from(column), i32::from(rows) - 1 - i32::from(row));
        match coordinates {
            Coordinates::Xy => Self { x, y },
            Coordinates::Yx => Self { x: y, y: x },
        }
    }

    /// Returns the column and the row, both from 0 at the lower left of a board with `rows` rows. They
    /// need not lie on it.
    pub fn column_and_row(self, coordinates: Coordinates, rows: u8) -> (i32, i32) {
        let (column, from_top) = match coordinates {
            Coordinates::Xy => (self.x, self.y),
            Coordinates::Yx => (self.y, self.x),
        };
        (column, (i32::from(rows) - 1).saturating_sub(from_top))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// `point = integer , "," , integer ;` with or without blanks around the comma. A number that is out
/// of range becomes the end of the range.
fn point(input: &str) -> Parsed<'_, Point> {
    let number = |input| {
        let digits = take_while1(|c: char| c.is_ascii_digit() || c == '-');
        preceded(blanks, map_opt(digits, integer32)).parse(input)
    };
    separated_pair(number, comma, number).map(|(x, y)| Point { x, y }).parse(input)
}

/// `bias = [ integer ] ;` none is 0.
fn bias(input: &str) -> Parsed<'_, i32> {
    let (rest, bias) = opt(map_opt(word, integer32)).parse(input)?;
    Ok((rest, bias.unwrap_or(0)))
}

fn one_point(input: &str) -> Parsed<'_, Point> {
    expect("a point such as `7,7`", point).parse(input)
}

/// A comma with blanks around it.
fn comma(input: &str) -> Parsed<'_, &str> {
    delimited(blanks, tag(","), blanks).parse(input)
}

/// `start = natural , [ [ "," ] , natural ] ;` one number is both.
fn start(input: &str) -> Parsed<'_, (u32, u32)> {
    let (rest, columns) = expect("the size of the board", size).parse(input)?;
    let (rest, rows) = opt(preceded(opt(comma), size)).parse(rest)?;
    Ok((rest, (columns, rows.unwrap_or(columns))))
}

fn start_text(columns: &u32, rows: &u32) -> String {
    if columns == rows { columns.to_string() } else { format!("{columns} {rows}") }
}

/// `rect-start = natural , "," , natural ;`
fn rect_start(input: &str) -> Parsed<'_, (u32, u32)> {
    let columns = expect("a width and a height such as `20,15`", size);
    (columns, expect("a comma and a height", preceded(comma, size))).parse(input)
}

/// `size = natural ;` up to a blank or a comma.
fn size(input: &str) -> Parsed<'_, u32> {
    let digits = take_while1(|c: char| c.is_ascii_digit());
    preceded(blanks, map_opt(digits, natural32)).parse(input)
}

/// A stone of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stone {
    /// Where it lies.
    pub point: Point,
    /// Who placed it, if that is given.
    pub owner: Option<Owner>,
}

grammar! {
    ignore_case: true;
    /// Who placed a stone, from the brain's view.
    #[derive(Copy)]
    pub enum Owner {
        /// The brain.
        Own = "1",
        /// The opponent.
        Opponent = "2",
        /// Neither: a stone of a line that has won, or a forbidden point.
        Neither = "3",
    }
}

/// `stone = point , [ "," , ( "1" | "2" | "3" ) ] ;` Any line that begins like a point is one.
fn stone(input: &str) -> Parsed<'_, Stone> {
    let is_like_point = |line: &str| {
        line.trim_start_matches(' ').starts_with(|c: char| c.is_ascii_digit() || c == '-')
    };
    verify(rest, is_like_point).parse(input)?;
    let (rest, point) = one_point(input)?;
    let Ok((field, _)) = comma(rest) else { return Ok((rest, Stone { point, owner: None })) };
    let owner = |input| Owner::GRAMMAR.read(input);
    let (rest, owner) = expect("`1`, `2` or `3` after the point", owner).parse(field)?;
    Ok((rest, Stone { point, owner: Some(owner) }))
}

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.point.fmt(f)?;
        self.owner.map_or(Ok(()), |owner| write!(f, ",{owner}"))
    }
}

/// The key and the value of an `INFO` line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Info {
    /// A key whose value is a number.
    Number(InfoKey, i64),
    /// `variant SPEC`: the game to play, if `rule` has no number for it. Pentarch's extension.
    Variant(String),
    /// `coordinates xy` or `coordinates yx`: how points are written from now on. Pentarch's extension.
    Coordinates(Coordinates),
    /// Any other key; an engine ignores it.
    Other {
        /// The key.
        key: String,
        /// The rest of the line.
        value: String,
    },
}

grammar! {
    ignore_case: true;
    /// The keys of `INFO` with a number.
    #[derive(Copy)]
    pub enum InfoKey {
        /// Milliseconds for a move; 0 means as fast as possible.
        TimeoutTurn = "timeout_turn",
        /// Milliseconds for the whole game; 0 means no limit.
        TimeoutMatch = "timeout_match",
        /// Milliseconds left for the game; 2147483647 means no limit, a negative number that the flag
        /// has fallen.
        TimeLeft = "time_left",
        /// Milliseconds that each move adds.
        TimeIncrement = "time_increment",
        /// Bytes that the engine may use; 0 means no limit.
        MaxMemory = "max_memory",
        /// The maximum depth, in plies.
        MaxDepth = "max_depth",
        /// The maximum number of nodes; a negative number means no limit.
        MaxNode = "max_node",
        /// KiB for the hash table; 0 means that the engine decides.
        HashSize = "hash_size",
        /// The number of search threads.
        ThreadNum = "thread_num",
        /// The rules: 0 five or more, 1 exactly five, 2 several games on one board, 4 renju, 8 and 9
        /// caro.
        Rule = "rule",
        /// How much the engine reports during a search, from 0.
        ShowDetail = "show_detail",
        /// The playing strength; 100 is the maximum.
        Strength = "strength",
    }
}

grammar! {
    ignore_case: true;
    /// The order of the two numbers of a point.
    #[derive(Copy, Default)]
    pub enum Coordinates {
        /// Column, then row from the top.
        #[default]
        Xy = "xy",
        /// Row from the top, then column.
        Yx = "yx",
    }
}

/// The text is neither `xy` nor `yx`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected `xy` or `yx`")]
pub struct UnknownCoordinates;

impl FromStr for Coordinates {
    type Err = UnknownCoordinates;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::GRAMMAR.parse(text, |keyword| keyword).map_err(|_| UnknownCoordinates)
    }
}

/// `info = key , integer | "variant" , word , { word } | "coordinates" , ( "xy" | "yx" )
///       | word , { word } ;` where case does not matter in the key.
fn info(input: &str) -> Parsed<'_, Info> {
    let (after, key) = expect("a key such as `timeout_turn`", word).parse(input)?;
    if let Ok((after, key)) = InfoKey::GRAMMAR.read(input) {
        let number = expect(format!("a whole number after `{key}`"), map_opt(word, integer));
        return number.map(|number| Info::Number(key, number)).parse(after);
    }
    let (end, value) = text(after)?;
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
            Self::Number(key, number) => write!(f, "{key} {number}"),
            Self::Variant(spec) => write!(f, "variant {}", OneLine(spec)),
            Self::Coordinates(coordinates) => write!(f, "coordinates {coordinates}"),
            Self::Other { key, value } if value.is_empty() => OneLine(key).fmt(f),
            Self::Other { key, value } => write!(f, "{} {}", OneLine(key), OneLine(value)),
        }
    }
}

/// The answer to `ABOUT`: keys, among them `name`, `version`, `author`, `country`, `www` and `email`,
/// with their values, in the order given. There is at least one, and a key begins with a letter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct About(pub Vec<(String, String)>);

impl About {
    /// Returns the value of a key; case does not matter in the key.
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str())
    }
}

/// `about = field , { "," , field } ; field = key , "=" , '"' , text , '"' ;`
fn about(input: &str) -> Parsed<'_, About> {
    let field = |input| {
        let word = take_while1(|c: char| c.is_alphanumeric() || c == '_');
        let key = preceded(blanks, verify(word, |key: &str| key.starts_with(char::is_alphabetic)));
        let equals = delimited(blanks, tag("="), blanks);
        let value = enclosed("\"", "\"");
        separated_pair(key.map(str::to_owned), equals, value.map(str::to_owned)).parse(input)
    };
    separated_list1(comma, field).map(About).parse(input)
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (key, value)) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            write!(f, "{}={}", OneLine(key), InQuotes(value))?;
        }
        Ok(())
    }
}

/// `forbidden = { digit , digit , digit , digit } , "." ;`
fn forbidden(text: &str) -> Option<Vec<Point>> {
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

fn forbidden_text(points: &[Point]) -> String {
    let numbers = points.iter().map(|point| format!("{:02}{:02}", point.x, point.y));
    numbers.collect::<String>() + "."
}
