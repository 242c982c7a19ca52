//! A ruleset as plain data, and the catalog of the names that a spec can begin with.

use super::board::{Board, Point};
use super::moves;
use super::openings::{self, Opening};
use super::words::Words;

/// The runs that win, of the length that the ruleset names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRule {
    /// That many stones or more.
    AtLeast,
    /// Exactly that many.
    Exactly,
    /// Black exactly that many, White that many or more.
    Renju,
    /// More, or exactly that many unless closed at both ends.
    Caro,
    /// Exactly that many, and not closed at both ends.
    CaroStandard,
}

/// What happens when a player makes a five.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiveRule {
    /// Its player wins.
    Wins,
    /// The others have one more move (`boat`).
    Boat,
    /// The opponent has one more move if they can capture from every five (`boat=strict`).
    BoatStrict,
    /// Only a five wins that cannot be broken (`ninuki-renju`).
    Perfect,
}

/// Which points are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    Nothing,
    /// The forbidden points of Black.
    Renju,
    /// Double-threes of both players.
    DoubleThree,
}

/// All that the referee needs to know about a game.
#[derive(Clone, Debug)]
pub struct Ruleset {
    pub columns: i32,
    pub rows: i32,
    /// The number of seats, and of colors.
    pub seats: usize,
    /// Seats 0 and 2 against seats 1 and 3.
    pub teams: bool,
    pub opening: Opening,
    /// Stones a turn, after the first, which is a turn by itself.
    pub stones_a_turn: usize,
    /// The lengths of enemy groups that can be captured.
    pub captures: Vec<i32>,
    pub poof: bool,
    pub plus_minus: bool,
    pub line: LineRule,
    /// The length of a run that wins.
    pub length: i32,
    pub five: FiveRule,
    pub forbidden: Forbidden,
    /// The number of completing points that makes a four forbidden.
    pub anti: Option<usize>,
    /// The number of captured stones that wins, in games where captures win.
    pub capture_goal: Option<u16>,
    /// Neutral stones a player.
    pub neutrals: u8,
    /// Bombs a player.
    pub bombs: u8,
    /// Power stones a player.
    pub jokers: u8,
    /// Where the bonus stone of a power stone may go.
    pub diamonds: Vec<Point>,
    /// A game of this many plies is a draw.
    pub max_plies: u32,
}

/// A base game before any modifier.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    pub name: &'static str,
    pub side: i32,
    pub opening: Opening,
    pub has_captures: bool,
    pub line: LineRule,
    pub length: i32,
    /// The words and keys that it takes; Pente's are kept apart by the pairs that are refused.
    pub takes: &'static [&'static str],
    /// Whether a board may be wider than it is high.
    pub takes_oblong: bool,
}

const CAPTURE_WORDS: &[&str] = &[
    "free",
    "pro",
    "long-pro",
    "g",
    "swap",
    "centre-first",
    "swap1",
    "swap2",
    "swap3",
    "keryo",
    "five-only",
    "plus-minus",
    "poof",
    "boat",
    "o",
    "neutral",
    "atomic",
    "anti",
    "plus",
    "players",
    "teams",
    "goal",
    "size",
    "diamonds",
    "max-plies",
];
const GOMOKU_WORDS: &[&str] =
    &["free", "pro", "long-pro", "g", "swap1", "swap2", "line", "size", "max-plies"];
const RENJU_WORDS: &[&str] = &["swap1", "swap2", "size", "max-plies"];
const SIZE_WORDS: &[&str] = &["size", "max-plies"];

/// Rules.md section 1 (S1, S3, PO).
const PENTE: Base = Base {
    name: "pente",
    side: 19,
    opening: openings::CENTER,
    has_captures: true,
    line: LineRule::AtLeast,
    length: 5,
    takes: CAPTURE_WORDS,
    takes_oblong: false,
};

/// Rules.md section 4 (S5).
const NINUKI: Base = Base { name: "ninuki", side: 13, opening: openings::NINUKI, ..PENTE };

/// Rules.md section 4 (PBM).
const NINUKI_RENJU: Base =
    Base { name: "ninuki-renju", side: 15, line: LineRule::Exactly, takes: SIZE_WORDS, ..PENTE };

/// Rules.md section 4 (Gomocup rule 0).
const GOMOKU: Base = Base {
    name: "gomoku",
    side: 15,
    opening: openings::FREE,
    has_captures: false,
    line: LineRule::AtLeast,
    length: 5,
    takes: GOMOKU_WORDS,
    takes_oblong: true,
};

/// Rules.md section 4 (Gomocup rule 1).
const GOMOKU_STANDARD: Base = Base { name: "gomoku-standard", line: LineRule::Exactly, ..GOMOKU };

/// Rules.md section 4 (Gomocup rule 4).
const RENJU: Base = Base {
    name: "renju",
    line: LineRule::Renju,
    takes: RENJU_WORDS,
    takes_oblong: false,
    ..GOMOKU
};

/// Rules.md section 4 (Gomocup rule 8).
const CARO: Base = Base { name: "caro", line: LineRule::Caro, ..RENJU };

/// Rules.md section 4 (Gomocup rule 9).
const CARO_STANDARD: Base = Base { name: "caro-standard", line: LineRule::CaroStandard, ..RENJU };

/// Rules.md section 4.
const CONNECT6: Base = Base {
    name: "connect6",
    side: 19,
    line: LineRule::AtLeast,
    length: 6,
    takes: SIZE_WORDS,
    ..RENJU
};

/// The catalog: what each name stands for.
pub fn catalog(name: &str) -> Option<(Base, &'static [&'static str])> {
    let of_pente: &[&str] = match name {
        "pente" => &[],
        "pente-freestyle" => &["free"],
        "pro-pente" => &["pro"],
        "long-pro-pente" => &["long-pro"],
        "d-pente" => &["swap"],
        "swap2-pente" | "double-swap-pente" => &["swap2"],
        "g-pente" => &["g"],
        "o-pente" => &["o"],
        "keryo-pente" => &["keryo"],
        "dk-pente" => &["keryo", "swap"],
        "swap2-keryo" => &["keryo", "swap2"],
        "plus-minus-pente" => &["plus-minus"],
        "five-in-a-row-pente" => &["five-only"],
        "neutral-pente" => &["neutral"],
        "atomic-pente" => &["atomic"],
        "anti-pente" => &["anti"],
        "poof-pente" => &["poof"],
        "boat-pente" => &["boat"],
        "boat-pente-strict" => &["boat=strict"],
        "pente-13" => &["size=13"],
        "pente-plus" => &["plus"],
        "pente-3" => &["players=3"],
        "pente-4" => &["players=4"],
        "team-pente" => &["teams"],
        _ => return relative(name).map(|base| (base, &[] as &[&str])),
    };
    Some((PENTE, of_pente))
}

fn relative(name: &str) -> Option<Base> {
    let relatives =
        [NINUKI, NINUKI_RENJU, GOMOKU, GOMOKU_STANDARD, RENJU, CARO, CARO_STANDARD, CONNECT6];
    relatives.into_iter().find(|base| base.name == name)
}

/// The twelve diamonds of Pente Plus (S1; the outer eight are the project's own reading).
const DIAMONDS: &str = "g7,m7,g13,m13,d4,j4,p4,d10,p10,d16,j16,p16";

impl Ruleset {
    /// Reads a spec, or says what is unknown in it or refused by the rules.
    pub fn parse(spec: &str) -> Result<Ruleset, String> {
        let words = Words::read(spec)?;
        let base = words.base;
        let (columns, rows) = words.size()?;
        let opening = words.opening()?;
        if columns.min(rows) < opening.smallest_side {
            let word = words.opening_word().unwrap_or(base.name);
            return Err(format!("`{word}` does not go with `size={}`", columns.min(rows)));
        }
        let length = words.number("goal", 1, 25)?.or(words.number("line", 3, 6)?);
        let length = length.unwrap_or(base.length as u32);
        // 2N captured stones, 3N with keryo; captures never win with five-only (S3, PO, PBM).
        let keryo = words.has("keryo") || words.has("o");
        let goal = length as u16 * if keryo { 3 } else { 2 };
        let captures_win = base.has_captures && !words.has("five-only");
        let teams = words.has("teams");
        let seats = words.number("players", 2, 4)?.unwrap_or(if teams { 4 } else { 2 });
        Ok(Ruleset {
            columns,
            rows,
            seats: seats as usize,
            teams,
            opening,
            stones_a_turn: if base.name == "connect6" { 2 } else { 1 },
            captures: match (base.has_captures, keryo) {
                (false, _) => vec![],
                (true, false) => vec![2],
                (true, true) => vec![2, 3],
            },
            poof: words.has("poof") || words.has("o"),
            plus_minus: words.has("plus-minus"),
            line: base.line,
            length: length as i32,
            five: five_rule(&words),
            forbidden: forbidden(base),
            anti: words.value("anti").map(|value| if value == "any" { 1 } else { 2 }),
            capture_goal: captures_win.then_some(goal),
            neutrals: if words.has("neutral") { 2 } else { 0 },
            bombs: u8::from(words.has("atomic")),
            jokers: if words.has("plus") { 2 } else { 0 },
            diamonds: diamonds(&words, columns, rows)?,
            max_plies: words.number("max-plies", 1, u32::MAX)?.unwrap_or(2500),
        })
    }
}

fn five_rule(words: &Words) -> FiveRule {
    match words.value("boat") {
        _ if words.base.name == "ninuki-renju" => FiveRule::Perfect,
        Some("strict") => FiveRule::BoatStrict,
        _ if words.has("o") => FiveRule::BoatStrict,
        Some(_) => FiveRule::Boat,
        None => FiveRule::Wins,
    }
}

fn forbidden(base: Base) -> Forbidden {
    match base.name {
        "renju" => Forbidden::Renju,
        "ninuki-renju" => Forbidden::DoubleThree,
        _ => Forbidden::Nothing,
    }
}

fn diamonds(words: &Words, columns: i32, rows: i32) -> Result<Vec<Point>, String> {
    if !words.has("plus") {
        return Ok(Vec::new());
    }
    let list = words.value("diamonds").unwrap_or(DIAMONDS);
    let points: Vec<_> = list.split(',').map(moves::point).collect::<Result<_, _>>()?;
    let board = Board::new(columns, rows);
    match points.iter().find(|&&point| !board.is_empty(point)) {
        Some(&point) => Err(format!("diamond {} is not on the board", moves::point_text(point))),
        None => Ok(points),
    }
}
