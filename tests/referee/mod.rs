//! The naive referee: the project's independent second implementation of the rules, for tests.
//!
//! Slow, plain and written straight from the text of the rules and of the protocol,
//! without a look at the engine. A rule is plain data in
//! [`ruleset::Ruleset`] and one function in [`steps`] or [`openings`]; [`Referee::play`] calls them
//! in the order of the rules, section 1, "Order in a move". There is no undo: clone the referee.
#![allow(dead_code, unused_imports, unreachable_pub, reason = "each test uses what it needs")]

mod notation;
mod openings;
mod ruleset;
mod steps;
pub mod vectors;

use std::collections::HashMap;

pub use notation::from_capitals;
use ruleset::Ruleset;

/// Column and row, both from 1; row 1 is the lowest (the protocol, "Cells and moves").
pub type Point = (i32, i32);

/// The stones on the board: the colour (0-based) of every occupied point.
pub type Board = HashMap<Point, usize>;

/// How a game ended.
#[derive(Clone, Debug)]
struct End {
    /// The winning seat, or nobody: a draw.
    winner: Option<usize>,
    reason: &'static str,
}

/// A game in progress, or one that is over.
#[derive(Clone, Debug)]
pub struct Referee {
    rules: Ruleset,
    board: Board,
    /// Every stone ever placed, with its colour, in order; one entry a ply.
    history: Vec<(usize, Point)>,
    /// Counted captured stones, by capturing colour.
    captured: Vec<u32>,
    to_move: usize,
    end: Option<End>,
}

impl Referee {
    /// The empty board of `spec`, written `NAME[+modifier...]`; panics on an unknown one.
    pub fn new(spec: &str) -> Referee {
        let rules = Ruleset::parse(spec);
        let captured = vec![0; rules.seats];
        Referee { rules, board: Board::new(), history: Vec::new(), captured, to_move: 0, end: None }
    }

    /// The width of the board.
    pub fn columns(&self) -> i32 {
        self.rules.columns
    }

    /// The height of the board.
    pub fn rows(&self) -> i32 {
        self.rules.rows
    }

    /// The seat to move, 0-based.
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// The number of plies played.
    pub fn plies(&self) -> u32 {
        self.history.len() as u32
    }

    /// The colour (0-based) of the stone on a point, if there is one.
    pub fn stone(&self, column: i32, row: i32) -> Option<usize> {
        self.board.get(&(column, row)).copied()
    }

    /// The colour (0-based) of the stone on a point given as text, if there is one.
    pub fn stone_on(&self, text: &str) -> Option<usize> {
        notation::point(text).ok().and_then(|point| self.board.get(&point).copied())
    }

    /// Counted captured stones, by capturing colour.
    pub fn captured(&self) -> Vec<u32> {
        self.captured.clone()
    }

    /// `None` while the game is open, `Some(None)` for a draw, else the winning seat.
    #[allow(clippy::option_option, reason = "open, drawn or won, without a type to import")]
    pub fn result(&self) -> Option<Option<usize>> {
        self.end.as_ref().map(|end| end.winner)
    }

    /// Why the game ended: `line`, `captures`, `full`, `no-move` or `plies`.
    pub fn reason(&self) -> Option<&'static str> {
        self.end.as_ref().map(|end| end.reason)
    }

    /// Canonical texts of all legal moves in byte order; none when the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        if self.end.is_some() {
            return Vec::new();
        }
        let legal = self.points().into_iter().filter(|&point| self.allowed(point).is_ok());
        let mut texts: Vec<String> = legal.map(notation::text).collect();
        texts.sort();
        texts
    }

    /// Plays a move, or says why it cannot be played and changes nothing.
    ///
    /// The steps are those of the rules, section 1, "Order in a move", in that order.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        if self.end.is_some() {
            return Err("the game is over".to_string());
        }
        let point = notation::point(text)?;
        self.allowed(point)?;

        let mover = self.to_move;
        self.board.insert(point, mover);
        self.history.push((mover, point));
        for taken in steps::captures(&self.board, point, mover, &self.rules.captures) {
            self.board.remove(&taken);
            self.captured[mover] += 1;
        }
        self.to_move = (mover + 1) % self.rules.seats;
        self.end = self.ending(mover);
        Ok(())
    }

    /// Whether the game is over after a move of `mover` (rules, section 1; S1, S3, PO).
    fn ending(&self, mover: usize) -> Option<End> {
        if steps::has_winning_run(&self.board, mover, self.rules.line) {
            return Some(End { winner: Some(mover), reason: "line" });
        }
        if self.rules.capture_goal.is_some_and(|goal| self.captured[mover] >= goal) {
            return Some(End { winner: Some(mover), reason: "captures" });
        }
        if self.points().iter().all(|point| self.board.contains_key(point)) {
            return Some(End { winner: None, reason: "full" });
        }
        if !self.points().into_iter().any(|point| self.allowed(point).is_ok()) {
            return Some(End { winner: None, reason: "no-move" });
        }
        if self.plies() >= self.rules.max_plies {
            return Some(End { winner: None, reason: "plies" });
        }
        None
    }

    /// Whether the player to move may put a stone on a point, in a game that is not over.
    fn allowed(&self, point: Point) -> Result<(), String> {
        let (column, row) = point;
        if !(1..=self.columns()).contains(&column) || !(1..=self.rows()).contains(&row) {
            return Err(format!("{} is not on the board", notation::text(point)));
        }
        if self.board.contains_key(&point) {
            return Err(format!("{} is occupied", notation::text(point)));
        }
        openings::allows(&self.rules, &self.history, point)
    }

    /// All points of the board, edges included.
    fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for column in 1..=self.rules.columns {
            for row in 1..=self.rules.rows {
                points.push((column, row));
            }
        }
        points
    }
}
