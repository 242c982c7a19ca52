//! A ruleset as plain data, and how it is read from `NAME[+modifier...]` (the protocol, "Cells and moves").

use super::openings::{self, Opening};

/// The run that wins.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub length: i32,
    /// Whether a longer run wins too.
    pub longer_wins: bool,
}

/// All that the referee needs to know about a game.
#[derive(Clone, Debug)]
pub struct Ruleset {
    pub columns: i32,
    pub rows: i32,
    pub seats: usize,
    pub opening: Opening,
    /// The lengths of enemy groups that can be captured.
    pub captures: Vec<i32>,
    pub line: Line,
    /// The number of captured stones that wins, in games where captures win.
    pub capture_goal: Option<u32>,
    /// A game of this many plies is a draw.
    pub max_plies: u32,
}

/// A base game before any modifier.
#[derive(Clone, Copy, Debug)]
struct Base {
    name: &'static str,
    side: i32,
    opening: Opening,
    has_captures: bool,
    longer_wins: bool,
}

/// Rules.md section 1 (S1, S3, PO).
const PENTE: Base = Base {
    name: "pente",
    side: 19,
    opening: openings::CENTRE,
    has_captures: true,
    longer_wins: true,
};

/// Rules.md section 4 (S5).
const NINUKI: Base = Base { name: "ninuki", side: 13, opening: openings::NINUKI, ..PENTE };

/// Rules.md section 4 (Gomocup rule 0).
const GOMOKU: Base = Base {
    name: "gomoku",
    side: 15,
    opening: openings::FREE,
    has_captures: false,
    longer_wins: true,
};

/// Rules.md section 4 (Gomocup rule 1).
const GOMOKU_STANDARD: Base = Base { name: "gomoku-standard", longer_wins: false, ..GOMOKU };

/// The catalog: what each name stands for.
fn catalog(name: &str) -> (Base, Vec<&'static str>) {
    match name {
        "pente" => (PENTE, vec![]),
        "pente-freestyle" => (PENTE, vec!["free"]),
        "pro-pente" => (PENTE, vec!["pro"]),
        "long-pro-pente" => (PENTE, vec!["long-pro"]),
        "g-pente" => (PENTE, vec!["g"]),
        "keryo-pente" => (PENTE, vec!["keryo"]),
        "five-in-a-row-pente" => (PENTE, vec!["five-only"]),
        "pente-13" => (PENTE, vec!["size=13"]),
        "ninuki" => (NINUKI, vec![]),
        "gomoku" => (GOMOKU, vec![]),
        "gomoku-standard" => (GOMOKU_STANDARD, vec![]),
        _ => panic!("unknown game `{name}`"),
    }
}

/// What the modifiers have said so far.
#[derive(Debug)]
struct Words {
    opening: Option<Opening>,
    keryo: bool,
    five_only: bool,
    columns: i32,
    rows: i32,
    /// N of `goal=N` or K of `line=K`.
    goal: u32,
    max_plies: u32,
}

impl Ruleset {
    /// Reads a spec; panics on one that is unknown, or that the rules refuse.
    pub fn parse(spec: &str) -> Ruleset {
        let spec = spec.trim().to_lowercase().replace(['_', ' '], "-");
        let mut parts = spec.split('+');
        let (base, own) = catalog(parts.next().unwrap_or_default());
        let explicit: Vec<&str> = parts.collect();
        let mut words = Words {
            opening: None,
            keryo: false,
            five_only: false,
            columns: base.side,
            rows: base.side,
            goal: 5,
            max_plies: 2500,
        };
        let openings = explicit.iter().filter(|word| openings::named(word).is_some()).count();
        assert!(openings <= 1, "two opening words in `{spec}`");
        // Explicit words come last, so that they replace the variant's own.
        for word in own.into_iter().chain(explicit) {
            words.read(base, word);
        }
        words.finish(base)
    }
}

impl Words {
    /// Takes in one modifier.
    fn read(&mut self, base: Base, word: &str) {
        if let Some(opening) = openings::named(word) {
            self.opening = Some(opening);
            return;
        }
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match (key, value) {
            ("keryo", "") if base.has_captures => self.keryo = true,
            ("five-only", "") if base.has_captures => self.five_only = true,
            ("goal", _) if base.has_captures => self.goal = number(value, 1, 25),
            ("line", _) if !base.has_captures => self.goal = number(value, 3, 6),
            ("size", _) => self.read_size(base, value),
            ("max-plies", _) => self.max_plies = number(value, 1, u32::MAX),
            _ => panic!("`{}` does not take `{word}`", base.name),
        }
    }

    /// `size=N`, or `size=MxN` (columns x rows) in the Gomoku games.
    fn read_size(&mut self, base: Base, value: &str) {
        if let Some((columns, rows)) = value.split_once('x') {
            assert!(!base.has_captures, "`{}` does not take `size={value}`", base.name);
            self.columns = number(columns, 3, 25) as i32;
            self.rows = number(rows, 3, 25) as i32;
        } else {
            self.columns = number(value, 5, 25) as i32;
            self.rows = self.columns;
        }
    }

    /// The rules that the base game and all modifiers make together.
    fn finish(self, base: Base) -> Ruleset {
        // Five in a row: first stone anywhere (S3), unless an opening word is given.
        let default_opening = match base.name {
            "pente" if self.five_only => openings::FREE,
            _ => base.opening,
        };
        let opening = self.opening.unwrap_or(default_opening);
        assert!(
            self.columns.min(self.rows) >= opening.smallest_side,
            "the opening needs a larger board"
        );
        // 2N captured stones, 3N with keryo; captures never win with five-only (S3, PO, PBM).
        let stones_a_group = if self.keryo { 3 } else { 2 };
        let captures_win = base.has_captures && !self.five_only;
        Ruleset {
            columns: self.columns,
            rows: self.rows,
            seats: 2,
            opening,
            captures: match (base.has_captures, self.keryo) {
                (false, _) => vec![],
                (true, false) => vec![2],
                (true, true) => vec![2, 3],
            },
            line: Line { length: self.goal as i32, longer_wins: base.longer_wins },
            capture_goal: captures_win.then_some(self.goal * stones_a_group),
            max_plies: self.max_plies,
        }
    }
}

/// A whole number between two limits.
fn number(text: &str, least: u32, most: u32) -> u32 {
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => number,
        _ => panic!("`{text}` is not a number from {least} to {most}"),
    }
}
