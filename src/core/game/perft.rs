//! Counting the plies of a game tree, the field's standard test of move generation.

use super::{MoveList, Position};
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of move sequences of exactly `depth` plies. A game that has ended has no children.
///
/// Every leaf is played and undone, so that the count exercises the whole of `play`.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    perft_until(position, depth, &AtomicBool::new(false)).unwrap_or_default()
}

/// [`perft`] that gives up soon after `stop` is raised.
pub fn perft_until<P: Position>(position: &mut P, depth: u32, stop: &AtomicBool) -> Option<u64> {
    Counter { buffers: Vec::new(), stop }.count(position, depth)
}

/// Keeps used move lists, so that a node costs no allocation.
struct Counter<'a> {
    buffers: Vec<MoveList>,
    stop: &'a AtomicBool,
}

impl Counter<'_> {
    fn count<P: Position>(&mut self, position: &mut P, depth: u32) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        if depth > 1 && self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut moves = self.buffers.pop().unwrap_or_default();
        moves.clear();
        position.legal_moves(&mut moves);
        let mut nodes = 0;
        for &mv in &moves {
            position.play(mv);
            let counted = self.count(position, depth - 1);
            position.undo();
            nodes += counted?;
        }
        self.buffers.push(moves);
        Some(nodes)
    }
}
