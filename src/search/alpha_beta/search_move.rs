//! One move of a node: played, searched as deep as it seems to deserve, and taken back.

use super::threads::{Busy, SHARED_DEPTH};
use super::worker::Worker;
use crate::game::{Move, Position};
use crate::search::{Aborted, NodeCounter, Score, ThreatGenerator, Window};

/// What a node is expected to be (principal variation search: Marsland and Campbell 1982).
#[derive(Clone, Copy, Debug)]
pub(super) enum NodeType {
    /// On the best line: searched with the whole window.
    Pv,
    /// Not better than the best so far, worth `best`: searched with a null window first, `reduction`
    /// plies less deep.
    Scout { reduction: i32, best: Score },
}

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// Plays a move, searches below it and takes it back. The value is seen from the node: the
    /// sign flips when the side to move changed, not when the ply did.
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
        let expects_cut = self.stack.at(ply).node.expects_cut;
        self.tree.play_ahead(mv);
        let same = side == self.tree.side_to_move();
        let (may_extend, sure) = (self.may_extend(ply), self.tree.has_sure_order());
        let parameters = &self.shared.settings.parameters;
        let mut below = |window: Window, depth: i32, reduced: bool| {
            // A move that comes late is expected to be refuted, whatever its node is expected to be.
            let refuted = expects_cut == same || sure && reduced && !same;
            self.stack.at(ply + 1).node.expects_cut = window.is_null() && refuted;
            if same {
                self.node(window, depth - 1, ply + 1)
            } else {
                self.node(-window, depth - 1, ply + 1).map(|score| -score)
            }
        };
        let result = match node_type {
            NodeType::Pv => below(window, depth, false),
            NodeType::Scout { reduction, best } => {
                let null = Window::null(window.alpha);
                let mut depth = depth;
                let mut result = below(null, depth - reduction, reduction > 0);
                if let Ok(score) = result
                    && reduction > 0
                    && score > window.alpha
                {
                    let bounds = [window.alpha, best];
                    let deeper = match parameters.deeper_again(score, bounds, depth, reduction) {
                        _ if !sure => 0,
                        deeper if may_extend => deeper,
                        deeper => deeper.min(0),
                    };
                    depth += deeper;
                    if reduction + deeper > 0 {
                        result = below(null, depth, false);
                    }
                }
                match result {
                    Ok(score) if score > window.alpha && score < window.beta => {
                        below(window, depth, false)
                    }
                    other => other,
                }
            }
        };
        self.tree.undo();
        if let (Some(busy), Some(tag)) = (&self.shared.busy, tag) {
            busy.remove(tag);
        }
        result
    }

    /// Tells the other threads that this one is looking at a move, if they may care.
    fn announce(&self, mv: Move, depth: i32) -> Option<u64> {
        let busy = self.shared.busy.as_ref().filter(|_| depth >= SHARED_DEPTH)?;
        let tag = Busy::tag(self.tree.key(), mv, depth);
        busy.insert(tag);
        Some(tag)
    }
}
