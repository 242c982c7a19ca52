//! What nodes leave in the table, and find there.

use super::worker::Worker;
use crate::search::{Bound, Entry, Score, ThreatGenerator, ThreatWin, Window};
use pentarch_core::game::{Key, Move, Position};

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// What the table knows of the position.
    pub(super) fn recall(&self) -> Option<Entry> {
        let key = self.tree.table_key();
        let entry = self.probe(key);
        if !self.seeks_win() || entry.is_some_and(Entry::is_proof) {
            return entry;
        }
        // What the main search left short of a proof is of no use but for its move.
        let mv = entry.and_then(|entry| entry.mv);
        let nothing = Entry { mv, score: Score::loss_in(0), bound: Bound::Lower, depth: 0 };
        let known = self.probe(self.search_key(key));
        let known = known.map(|known| Entry { mv: known.mv.or(mv), ..known });
        known.or(mv.map(|_| nothing))
    }

    /// An entry of the table, with its move if that is not one of a mirror image.
    fn probe(&self, key: Key) -> Option<Entry> {
        let is_own = self.tree.table_key() == self.tree.key();
        let entry = self.shared.table.probe(key)?;
        Some(Entry { mv: entry.mv.filter(|_| is_own), ..entry })
    }

    /// Leaves the value of the position and its best move in the table.
    pub(super) fn remember(
        &self,
        (score, best): (Score, Option<Move>),
        window: Window,
        depth: i32,
        ply: u32,
    ) {
        let key = self.tree.table_key();
        let mv = best.filter(|_| key == self.tree.key());
        let key = if score.mate().is_none() { self.search_key(key) } else { key };
        let (bound, depth) = (window.bound(score), depth.clamp(0, i32::from(u8::MAX)) as u8);
        self.shared.table.store(key, Entry { mv, score: score.at_node(ply), bound, depth });
    }

    /// Leaves a win in the table that needs no search of all moves, unless it knows a shorter one, and
    /// returns what it is worth at the root.
    pub(super) fn remember_win(&self, win: ThreatWin, ply: u32) -> Score {
        let (key, score) = (self.tree.table_key(), Score::win_in(win.plies));
        let known = self.shared.table.probe(key);
        if !known.is_some_and(|known| known.is_proof() && known.score >= score) {
            let entry = Entry { mv: Some(win.mv), score, bound: Bound::Lower, depth: 0 };
            self.shared.table.store(key, entry);
        }
        Score::win_in(ply + win.plies)
    }

    /// Leaves a value in the table that took no search of moves, unless a deeper search has left what is
    /// `known`, and returns it: the next visit need not ask the evaluator.
    pub(super) fn remember_value(
        &mut self,
        score: Score,
        window: Window,
        depth: i32,
        ply: u32,
        known: Option<Entry>,
    ) -> Score {
        let is_whole = self.stack.at(ply).node.excluded.is_none();
        if is_whole && known.is_none_or(|known| i32::from(known.depth) <= depth.max(0)) {
            self.remember((score, None), window, depth, ply);
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::AlphaBetaSettings;
    use crate::search::alpha_beta::worker::tests::with_worker;
    use pentarch_core::game::Cell;

    #[test]
    fn a_shorter_win_is_remembered_and_a_longer_one_is_not() {
        with_worker(("gomoku", "h8 a1"), AlphaBetaSettings::default(), 1, |worker| {
            let mv = Move::stone(Cell(3));
            for (found, known) in [(7, 7), (5, 5), (9, 5)] {
                let score = worker.remember_win(ThreatWin { plies: found, mv }, 2);
                assert_eq!(score, Score::win_in(2 + found));
                let entry = worker.recall().unwrap();
                assert_eq!((entry.score, entry.mv), (Score::win_in(known), Some(mv)));
                assert!(entry.is_proof());
            }
        });
    }
}
