//! The state of a search for each ply of the current line.

use pentarch_core::game::{Move, MoveList};

/// The buffers of a ply, which are reused so that nodes allocate nothing. `N` is the state of a node that only one
/// kind of search has.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame<N> {
    /// The moves left to search, with their ordering scores.
    pub moves: Vec<(Move, i32)>,
    /// A buffer for the lists of the evaluator.
    pub list: MoveList,
    /// The best line from this node
    /// ([principal variation](https://www.chessprogramming.org/Principal_Variation)).
    pub pv: Vec<Move>,
    pub node: N,
}

/// A frame for each ply, created on first use.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchStack<N>(Vec<Frame<N>>);

impl<N: Default> SearchStack<N> {
    /// The frame of a ply.
    #[inline]
    pub(super) fn at(&mut self, ply: u32) -> &mut Frame<N> {
        let ply = ply as usize;
        if ply >= self.0.len() {
            self.0.resize_with(ply + 1, Frame::default);
        }
        &mut self.0[ply]
    }

    /// Makes `mv` and the line below it the best line of a ply.
    pub(super) fn update_pv(&mut self, ply: u32, mv: Move) {
        self.at(ply + 1);
        let (upper, lower) = self.0.split_at_mut(ply as usize + 1);
        if let (Some(frame), Some(below)) = (upper.last_mut(), lower.first()) {
            frame.pv.clear();
            frame.pv.push(mv);
            frame.pv.extend_from_slice(&below.pv);
        }
    }
}

impl<N> Frame<N> {
    /// Takes the move with the highest ordering score, the first of equals. Most nodes end after a few moves, so
    /// selection is cheaper than sorting.
    #[inline]
    pub(super) fn pick(&mut self) -> Option<Move> {
        self.pick_from(i32::MIN)
    }

    /// Takes the move with the highest ordering score if that is at least `threshold`.
    #[inline]
    pub(super) fn pick_from(&mut self, threshold: i32) -> Option<Move> {
        let (mut best, mut highest) = (0, i32::MIN);
        for (index, &(_, score)) in self.moves.iter().enumerate() {
            if score > highest {
                (best, highest) = (index, score);
            }
        }
        (highest > i32::MIN && highest >= threshold).then(|| self.moves.swap_remove(best).0)
    }

    /// Sets the best line.
    pub(super) fn set_pv(&mut self, line: &[Move]) {
        self.pv.clear();
        self.pv.extend_from_slice(line);
    }
}
