//! A solver: what it knows, what it may spend, and the value of a position.

use super::board::{SmallBoard, Value};
use super::node::Node;
use super::rules::SmallRules;
use super::table::Table;
use std::time::Instant;

/// The limit was reached; nothing is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not decided within the limit of nodes or time")]
pub struct Spent;

/// What a search may spend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// The most positions to look at.
    pub nodes: Option<u64>,
    /// When to give up.
    pub until: Option<Instant>,
}

/// Proves values of a small game.
///
/// Two questions with two answers each decide it: does the first color win, and if not, does the
/// second. Short wins of either are looked for first. Each question is a full search: a side that has to
/// show something needs one move, the other is granted all of its moves. What is left out is left out
/// for a reason that holds for sure:
///
/// - Moves that leave a win at once unanswered, and positions in which the color that asks can form
///   no line and capture too little any more, even with help; see the modules `node` and `safety`.
/// - Positions like one that was answered: images under rotation and reflection, positions that
///   differ only in the color of stones that no line and no capture can come to depend on, and
///   positions with captured stones that are worse for the color that did not win, or better for the one
///   that did; see the module `table`.
///
/// The search takes positions as bits. What it finds can be written down as a strategy, which is
/// checked by the rules themselves, move by move: see [`strategies`](super::strategies).
#[derive(Debug)]
pub struct Solver {
    pub(super) rules: SmallRules,
    /// Whether positions are won by the color that asks.
    pub(super) table: Table,
    /// What was not won within a number of plies.
    pub(super) failed: Table,
    pub(super) budget: Budget,
    nodes: u64,
    /// How often a stone on a point settled a position, by color.
    pub(super) history: [[u32; 64]; 2],
    /// The positions after the moves of those that are being searched.
    pub(super) open: Vec<Node>,
}

/// Nodes between looks at the clock.
const CLOCK_NODES: u64 = 1 << 12;

impl Solver {
    /// A solver with tables of that many MiB.
    pub fn new(rules: SmallRules, mebibytes: usize, budget: Budget) -> Solver {
        // Short wins need less room than whole games.
        let (table, failed) = (Table::new(mebibytes), Table::new((mebibytes / 4).max(1)));
        let history = [[0; 64]; 2];
        Solver { rules, table, failed, budget, nodes: 0, history, open: Vec::new() }
    }

    /// The rules.
    pub fn rules(&self) -> &SmallRules {
        &self.rules
    }

    /// The positions looked at so far, each with all of its moves.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of an open position.
    pub fn value(&mut self, board: &SmallBoard) -> Result<Value, Spent> {
        for color in 0..2 {
            if self.wins_soon(board, color)? {
                return Ok(Value::win(color.into()));
            }
        }
        for color in 0..2 {
            if self.wins(board, color)? {
                return Ok(Value::win(color.into()));
            }
        }
        Ok(Value::Draw)
    }

    /// Counts a position and looks at the limits.
    pub(super) fn count_node(&mut self) -> Result<(), Spent> {
        self.nodes += 1;
        let spent = self.budget.nodes.is_some_and(|nodes| self.nodes > nodes)
            || self.nodes.is_multiple_of(CLOCK_NODES) && self.is_late();
        if spent { Err(Spent) } else { Ok(()) }
    }

    /// Whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        self.budget.until.is_some_and(|end| Instant::now() >= end)
    }
}
