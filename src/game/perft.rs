//! Counting the plies of a game tree, the field's standard test of move generation.

use super::{Move, MoveList, Position};
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

/// The count of [`perft`] split by first move, in the order of generation.
pub fn divide<P: Position>(position: &mut P, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let counted = moves.into_iter().map(|mv| {
        position.play(mv);
        let nodes = perft(position, rest);
        position.undo();
        (mv, nodes)
    });
    counted.collect()
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
            nodes += self.count(position, depth - 1)?;
            position.undo();
        }
        self.buffers.push(moves);
        Some(nodes)
    }
}
