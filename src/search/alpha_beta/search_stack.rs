//! What a search keeps for each ply of the line it is on.

use crate::game::{Move, MoveList};

/// How far a node has come with its moves; `forced` means that they are replies to a threat.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Stage {
    /// The move from the table is next, if there is one.
    TableMove { forced: bool },
    /// The urgent ones, or the replies to the threat, must be ranked.
    Scoring { forced: bool },
    /// The urgent ones are ranked; the quiet ones come after them.
    Tactical,
    /// All that are left are ranked.
    #[default]
    Rest,
}

/// The buffers of a node. They outlive it, so that nodes allocate nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// Which moves come next.
    pub stage: Stage,
    /// The move that the table remembers.
    pub table_move: Option<Move>,
    /// Moves not yet searched, with their ordering scores.
    pub moves: Vec<(Move, i32)>,
    /// Moves put off because another thread is looking at them.
    pub deferred: Vec<Move>,
    /// Room for an evaluator to list moves in.
    pub list: MoveList,
    /// The best line from this node.
    pub pv: Vec<Move>,
    /// Quiet moves that were too good for the opponent in sibling nodes.
    pub killers: [Option<Move>; 2],
}

/// A frame a ply, made as the search gets there.
#[derive(Debug, Default)]
pub(super) struct SearchStack(Vec<Frame>);

impl SearchStack {
    /// The frame of a ply.
    #[inline]
    pub(super) fn at(&mut self, ply: u32) -> &mut Frame {
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

impl Frame {
    /// Takes the move of highest ordering score, the first listed among equals. Most nodes end after a
    /// few moves, so looking for the best each time is cheaper than sorting.
    #[inline]
    pub(super) fn pick(&mut self) -> Option<Move> {
        let (mut best, mut ordering_score) = (0, i32::MIN);
        for (index, &(_, other)) in self.moves.iter().enumerate() {
            if other > ordering_score {
                (best, ordering_score) = (index, other);
            }
        }
        (ordering_score > i32::MIN).then(|| self.moves.swap_remove(best).0)
    }

    /// Makes a move alone the best line.
    pub(super) fn set_pv(&mut self, mv: Move) {
        self.pv.clear();
        self.pv.push(mv);
    }

    /// Remembers a move that refuted its parent.
    pub(super) fn remember_killer(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}
