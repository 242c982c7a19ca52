//! What bounds a search.

use pentarch_core::game::Move;
use std::time::Duration;

/// What bounds a search. Every limit that is set holds; none at all means until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Nodes to visit; with one thread the search is then deterministic.
    pub nodes: Option<u64>,
    /// Ends as soon as a win within this number of plies is found.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Goes on until stopped, even when nothing is left to find.
    pub infinite: bool,
    /// Looks at these moves only, if there are any.
    pub search_moves: Vec<Move>,
}

/// What is left on a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time until the flag falls.
    pub left: Duration,
    /// Time added with each move.
    pub increment: Duration,
    /// Moves until more time is added, if it is.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// To a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// To a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// For a time.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// The greatest depth that a search goes to, whatever is asked for.
    pub const DEEPEST: u32 = 200;

    /// Whether the search ends by itself. A depth beyond the greatest is no bound.
    pub fn is_bounded(&self) -> bool {
        let timed = self.move_time.is_some() || self.clock.is_some();
        let reached = |plies: Option<u32>| plies.is_some_and(|plies| plies < Limits::DEEPEST);
        let counted = reached(self.depth) || reached(self.mate) || self.nodes.is_some();
        !self.infinite && (timed || counted)
    }
}
