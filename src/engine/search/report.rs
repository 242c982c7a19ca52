//! The reports of a search and the counting of its nodes.

use super::{Bound, Score};
use pentarch_core::game::Move;
use std::time::Duration;

/// The result of a search after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The depth in plies.
    pub depth: u32,
    /// The greatest ply reached.
    pub seldepth: u32,
    /// The rank of this line among the best, from 1.
    pub multipv: u32,
    /// The score for the seat to move.
    pub score: Score,
    /// The bound of the score.
    pub bound: Bound,
    /// The nodes: moves played on the position of the search, or simulations.
    pub nodes: u64,
    /// The nodes below the first move of the line, on the reporting thread. All nodes if an engine does not report
    /// them.
    pub move_nodes: u64,
    /// The time since the start.
    pub time: Duration,
    /// The used share of the table, in thousandths.
    pub hashfull: u32,
    /// The principal variation.
    pub pv: Vec<Move>,
}

impl Report {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// The final result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move.
    pub best: Option<Move>,
    /// The last report.
    pub report: Report,
}

/// Receives the reports of a search.
pub trait Sink {
    /// Receives a report.
    fn report(&mut self, report: &Report);
}

impl<F: FnMut(&Report)> Sink for F {
    fn report(&mut self, report: &Report) {
        self(report);
    }
}

/// A search was aborted; its unfinished results must not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;

/// Counts the nodes of a part of a search and aborts it at a limit.
pub trait NodeCounter {
    /// Counts a node before it is searched.
    fn count_node(&mut self) -> Result<(), Aborted>;
}

/// A counter without a limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl NodeCounter for Unlimited {
    fn count_node(&mut self) -> Result<(), Aborted> {
        Ok(())
    }
}
