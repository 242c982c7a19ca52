//! The history heuristic: which moves refuted nodes so far.

use pentarch_core::game::{Cell, Move};

/// How often a move, known by the seat that makes it and its cell, refuted a node, weighted by
/// depth (Schaeffer 1989; [history heuristic](https://www.chessprogramming.org/History_Heuristic)).
pub(super) struct History(Box<[[i32; Cell::LIMIT]; 4]>);

/// History values stay below this.
const LIMIT: i32 = 4000;

impl Default for History {
    fn default() -> History {
        History(Box::new([[0; Cell::LIMIT]; 4]))
    }
}

impl History {
    #[inline]
    pub(super) fn get(&self, seat: usize, mv: Move) -> i32 {
        mv.cell().map_or(0, |cell| self.0[seat & 3][cell.index() % Cell::LIMIT])
    }

    /// Rewards a refutation by the square of its depth, up to `most`; the closer to the limit, the
    /// less.
    pub(super) fn reward(&mut self, seat: usize, mv: Move, depth: i32, most: i32) {
        if let Some(cell) = mv.cell() {
            let value = &mut self.0[seat & 3][cell.index() % Cell::LIMIT];
            let bonus = (depth * depth).min(most);
            *value += bonus - *value * bonus / LIMIT;
        }
    }
}
