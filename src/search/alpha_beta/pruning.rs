//! Which moves are not worth a full search: quiet ones and, less so, tactical ones that come late in
//! order. What is left out may hide a defense, so nothing is while the best value is still a loss,
//! and a reduced search proves no less than a full one: what it calls a win or a loss is one.

use crate::search::{Score, Window};

/// What a move is to the node that searches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveClass {
    /// It threatens nothing and answers nothing.
    Quiet,
    /// It threatens something, or takes a point where the other side would.
    Tactical,
    /// It answers a threat to win, or the search is exact: no less than a full search will do.
    Forced,
}

/// How far the order of the moves is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveOrder {
    /// Late moves are left out only close to the leaves and off the best line.
    Rough,
    /// Late moves are left out everywhere, half of those kept too where the static value is no better
    /// than two plies before.
    Fitted { improving: bool },
}

/// What a node knows when it decides how to search a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pruning {
    /// Plies left.
    pub depth: i32,
    /// Whether the window is wider than a null window.
    pub is_pv: bool,
    /// The static value for the side to move, where it is of use.
    pub static_value: Option<Score>,
    /// Which moves may be left out for coming late.
    pub order: MoveOrder,
}

/// The greatest depth at which moves are left out.
const PRUNING_DEPTH: i32 = 4;
/// The greatest depth at which a static value alone may refute the opponent's move.
const RFP_DEPTH: i32 = 5;
/// What the opponent may gain back with each ply left, in points.
const RFP_MARGIN: i32 = 120;
/// What a quiet move may gain for each ply left, in points.
const FUTILITY_MARGIN: i32 = 90;
/// By what the product of the logarithms of depth and move number is divided to give the plies
/// that a tactical move is reduced; for a quiet one it is taken as it is.
const TACTICAL_DIVISOR: f64 = 1.3;

impl Pruning {
    /// Whether a static value could prune anything here.
    pub(super) fn wants_static_value(depth: i32, window: Window) -> bool {
        depth <= RFP_DEPTH.max(PRUNING_DEPTH) && window.is_null()
    }

    /// The value of a position that is so far above what the opponent can avoid elsewhere that it
    /// need not be searched
    /// ([reverse futility pruning](https://www.chessprogramming.org/Reverse_Futility_Pruning)).
    pub(super) fn reverse_futility(&self, beta: Score) -> Option<Score> {
        let far = |value: Score| value.value() - RFP_MARGIN * self.depth >= beta.value();
        self.static_value.filter(|&value| self.depth <= RFP_DEPTH && !beta.is_loss() && far(value))
    }

    /// Whether a move, the `index`th in order, may be left out.
    pub(super) fn prunes(&self, class: MoveClass, index: usize, alpha: Score, best: Score) -> bool {
        index > 0
            && !best.is_loss()
            && !alpha.is_loss()
            && match class {
                MoveClass::Quiet => self.move_count_pruning(index) || self.futility_pruning(alpha),
                MoveClass::Tactical => self.move_count_pruning(index),
                MoveClass::Forced => false,
            }
    }

    /// Whether depth and window let moves be left out that are only thought to be bad.
    fn is_shallow(&self) -> bool {
        !self.is_pv && self.depth <= PRUNING_DEPTH
    }

    /// Whether enough better moves came before the `index`th
    /// ([move-count pruning](https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning)).
    /// That it may be done on the best line and at any depth is read in Rapfi's search.
    fn move_count_pruning(&self, index: usize) -> bool {
        match self.order {
            MoveOrder::Rough => {
                self.is_shallow() && index >= (4 + self.depth * self.depth * 2) as usize
            }
            MoveOrder::Fitted { improving } => {
                let count = (3 + self.depth + self.depth * self.depth / 8) as usize;
                index >= if improving { count } else { count / 2 }
            }
        }
    }

    /// Whether the position is too far below what a quiet move would have to reach
    /// ([futility pruning](https://www.chessprogramming.org/Futility_Pruning); Heinz 1998).
    fn futility_pruning(&self, alpha: Score) -> bool {
        let hopeless = |value: Score| {
            value.value() + FUTILITY_MARGIN * self.depth + FUTILITY_MARGIN / 2 <= alpha.value()
        };
        self.is_shallow() && self.static_value.is_some_and(hopeless)
    }

    /// How many plies less a move, the `index`th in order, is searched at first
    /// ([late move reductions](https://www.chessprogramming.org/Late_Move_Reductions)): more the
    /// later it comes and the more plies are left.
    pub(super) fn reduction(&self, class: MoveClass, index: usize) -> i32 {
        let divisor = match class {
            MoveClass::Quiet => 1.0,
            MoveClass::Tactical => TACTICAL_DIVISOR,
            MoveClass::Forced => return 0,
        };
        if self.depth < 3 || index < 2 {
            return 0;
        }
        let logs = f64::from(self.depth).ln() * (index as f64).ln();
        let reduction = (logs / divisor) as i32 - i32::from(self.is_pv);
        reduction.clamp(0, self.depth - 2)
    }
}
