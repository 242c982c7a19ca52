//! One move of a node: played, searched as deep as it seems to deserve, and taken back.

use super::threads::{Busy, SHARED_DEPTH};
use super::worker::Worker;
use crate::search::{Aborted, NodeCounter, Score, ThreatGenerator, Window};
use pentarch_core::game::{Move, Position};

/// What a node is expected to be (principal variation search: Marsland and Campbell 1982).
#[derive(Clone, Copy, Debug)]
pub(super) enum NodeType {
    /// On the best line: searched with the whole window.
    Pv,
    /// Not better than the best so far, worth `best`: searched with a null window first, `reduction`
    /// plies less deep.
    Scout { reduction: i32, best: Score },
}

/// What a search below a move must know of the node above.
#[derive(Clone, Copy, Debug)]
struct Parent {
    ply: u32,
    /// Whether the move left the turn with its side.
    keeps_turn: bool,
    /// Whether some move was expected to be too good for the opponent.
    expects_cut: bool,
    /// Whether the order of its moves is sure.
    is_sure: bool,
}

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// Plays a move, searches below it and takes it back. The value is seen from the node.
    pub(super) fn search_move(
        &mut self,
        mv: Move,
        window: Window,
        depth: i32,
        ply: u32,
        node_type: NodeType,
    ) -> Result<Score, Aborted> {
        self.counter.count_node()?;
        let tag = self.announce(mv, depth);
        let side = self.tree.side_to_move();
        let is_sure = self.tree.has_sure_order();
        let expects_cut = self.stack.at(ply).node.expects_cut;
        self.shared.table.prefetch(self.search_key(self.tree.key_after(mv)));
        self.tree.play_ahead(mv);
        // What was captured was not foretold.
        if self.tree.position().changes().len() > 1 {
            self.shared.table.prefetch(self.search_key(self.tree.table_key()));
        }
        let keeps_turn = side == self.tree.side_to_move();
        let parent = Parent { ply, keeps_turn, expects_cut, is_sure };
        let result = match node_type {
            NodeType::Pv => self.search_below(parent, window, depth, false),
            NodeType::Scout { reduction, best } => {
                self.search_scout(parent, window, depth, reduction, best)
            }
        };
        self.tree.undo();
        if let (Some(busy), Some(tag)) = (&self.shared.busy, tag) {
            busy.remove(tag);
        }
        result
    }

    /// Searches below a move with a null window, `reduction` plies less deep, and again for as long as
    /// it turns out better than expected.
    fn search_scout(
        &mut self,
        parent: Parent,
        window: Window,
        mut depth: i32,
        reduction: i32,
        best: Score,
    ) -> Result<Score, Aborted> {
        let null = Window::null(window.alpha);
        let mut score = self.search_below(parent, null, depth - reduction, reduction > 0)?;
        if reduction > 0 && score > window.alpha {
            let bounds = [window.alpha, best];
            let parameters = &self.shared.settings.parameters;
            let deeper = match parameters.deeper_again(score, bounds, depth, reduction) {
                _ if !parent.is_sure => 0,
                deeper if self.may_extend(parent.ply) => deeper,
                deeper => deeper.min(0),
            };
            depth += deeper;
            if reduction + deeper > 0 {
                score = self.search_below(parent, null, depth, false)?;
            }
        }
        if score > window.alpha && score < window.beta {
            score = self.search_below(parent, window, depth, false)?;
        }
        Ok(score)
    }

    /// Searches below a move that is made. The sign flips when the side to move changed, not when the
    /// ply did.
    fn search_below(
        &mut self,
        parent: Parent,
        window: Window,
        depth: i32,
        is_reduced: bool,
    ) -> Result<Score, Aborted> {
        let Parent { ply, keeps_turn, expects_cut, is_sure } = parent;
        // A move that comes late is expected to be refuted, whatever its node is expected to be.
        let late = is_reduced && is_sure && !keeps_turn;
        self.stack.at(ply + 1).node.expects_cut =
            window.is_null() && (expects_cut == keeps_turn || late);
        if keeps_turn {
            self.node(window, depth - 1, ply + 1)
        } else {
            self.node(-window, depth - 1, ply + 1).map(|score| -score)
        }
    }

    /// Tells the other threads that this one is looking at a move, if they may care.
    fn announce(&self, mv: Move, depth: i32) -> Option<u64> {
        let busy = self.shared.busy.as_ref().filter(|_| depth >= SHARED_DEPTH)?;
        let tag = Busy::tag(self.search_key(self.tree.key()), mv, depth);
        busy.insert(tag);
        Some(tag)
    }
}
