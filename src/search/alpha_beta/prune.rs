//! Which moves are not worth a full search. Only moves that the evaluator calls quiet are ever
//! reduced or left out, and none while the best value is still a loss.

use crate::search::{Score, Window};

/// What a node knows when it decides how to search a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Plies left.
    pub depth: i32,
    /// Whether the window is wider than a yes or no.
    pub open_window: bool,
    /// The static value for the side to move, where it was asked for.
    pub value: Option<Score>,
}

/// Deeper nodes look at every move.
const PRUNED_DEPTH: i32 = 4;
/// Down to so many plies from the end of the search, a position may be too good for the opponent
/// to allow it, by looking only.
const AHEAD_DEPTH: i32 = 5;
/// What the opponent may gain back with each ply left, in points.
const LOSS: i32 = 120;
/// What a quiet move may gain for each ply left, in points.
const GAIN: i32 = 90;

impl Outlook {
    /// Whether a static value could lead to anything here.
    pub(super) fn wants_value(depth: i32, window: Window) -> bool {
        depth <= AHEAD_DEPTH.max(PRUNED_DEPTH) && window.is_null()
    }

    /// The value of a position that is so far above what the opponent can avoid elsewhere that it
    /// need not be searched (reverse futility pruning).
    pub(super) fn far_ahead(&self, beta: Score) -> Option<Score> {
        let far = |value: Score| value.value() - LOSS * self.depth >= beta.value();
        self.value.filter(|&value| self.depth <= AHEAD_DEPTH && !beta.is_loss() && far(value))
    }

    /// Whether a quiet move, the `index`th in order, may be left out: there were enough better
    /// ones (move-count pruning), or the position is too far below what it would have to reach
    /// (futility pruning; Heinz 1998).
    pub(super) fn skips(&self, index: usize, alpha: Score, best: Score) -> bool {
        if self.open_window || self.depth > PRUNED_DEPTH || best.is_loss() || alpha.is_loss() {
            return false;
        }
        let enough = 4 + self.depth * self.depth * 2;
        let hopeless = |value: Score| value.value() + GAIN * self.depth + GAIN / 2 <= alpha.value();
        index >= enough as usize || self.value.is_some_and(hopeless)
    }

    /// How many plies less a quiet move, the `index`th in order, is searched at first (late move
    /// reductions): more the later it comes and the more plies are left.
    pub(super) fn reduction(&self, index: usize) -> i32 {
        if self.depth < 3 || index < 3 {
            return 0;
        }
        let logs = f64::from(self.depth).ln() * (index as f64).ln();
        let reduction = (logs / 1.9) as i32 - i32::from(self.open_window);
        reduction.clamp(0, self.depth - 2)
    }
}
