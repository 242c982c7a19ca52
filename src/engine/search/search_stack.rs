//! What a search keeps for each ply of the line it is on.

use pentarch_core::game::{Move, MoveList};

/// The buffers of a node. They outlive it, so that nodes allocate nothing. `N` is what else a
/// search keeps of its nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame<N> {
    /// Moves not yet searched, with their ordering scores.
    pub moves: Vec<(Move, i32)>,
    /// Room for an evaluator to list moves in.
    pub list: MoveList,
    /// The best line from this node
    /// ([principal variation](https://www.chessprogramming.org/Principal_Variation)).
    pub pv: Vec<Move>,
    pub node: N,
}

/// A frame for each ply, made as the search gets there.
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
    /// Takes the move of highest ordering score, the first listed among equals. Most nodes end after
    /// a few moves, so looking for the best each time is cheaper than sorting.
    #[inline]
    pub(super) fn pick(&mut self) -> Option<Move> {
        self.pick_from(i32::MIN)
    }

    /// The same if its score is `least` or more.
    #[inline]
    pub(super) fn pick_from(&mut self, least: i32) -> Option<Move> {
        let (mut best, mut highest) = (0, i32::MIN);
        for (index, &(_, score)) in self.moves.iter().enumerate() {
            if score > highest {
                (best, highest) = (index, score);
            }
        }
        (highest > i32::MIN && highest >= least).then(|| self.moves.swap_remove(best).0)
    }

    /// Makes these moves the best line.
    pub(super) fn set_pv(&mut self, line: &[Move]) {
        self.pv.clear();
        self.pv.extend_from_slice(line);
    }
}
