//! What a search reports.

use super::{Bound, Score};
use pentarch_core::game::Move;
use std::time::Duration;

/// The state of a search after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Plies looked ahead.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// The rank of this line among the best, from 1.
    pub multipv: u32,
    /// The value of the position for the seat to move.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// Nodes visited: moves played on the search's position, or simulations. Those that it takes to
    /// show a win to its end are not counted, so that a limit of nodes means the same with and
    /// without.
    pub nodes: u64,
    /// Those of them that the first move of the line got, on the thread that reports. All of them
    /// where an engine does not say.
    pub move_nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// The filled part of the table, in thousandths.
    pub hashfull: u32,
    /// The best line for both sides, the move to play first.
    pub pv: Vec<Move>,
}

impl Report {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move.
    pub best: Option<Move>,
    /// The last report.
    pub report: Report,
}

/// Where reports go: the session, a bench, an arena or a test.
pub trait Sink {
    /// Takes a report.
    fn report(&mut self, report: &Report);
}

impl<F: FnMut(&Report)> Sink for F {
    fn report(&mut self, report: &Report) {
        self(report);
    }
}
