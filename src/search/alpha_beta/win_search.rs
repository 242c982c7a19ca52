//! The search for a forced win, beside that for the best move, where the value promises one.
//!
//! It is the same alpha-beta, asked only whether the side to move wins: its null window lies above
//! every value short of a win. So far above, futility leaves the attacker little but its threats, and
//! a defender who is not threatened is taken for safe (as in lambda search: Thomsen 2000). Lines of
//! threats are thus followed far deeper than lines of all moves, with the order, the reductions and
//! the table of the main search, which a proof-number search does without. What it proves counts for
//! the main search; what it does not prove means nothing there, and is remembered by itself.

use super::parameters::Parameters;
use super::worker::Worker;
use crate::game::{Key, Move, Position, Side};
use crate::search::{Aborted, Bound, Entry, Score, ThreatGenerator, Window};

/// How far the search for a win has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WinSearch {
    /// The side whose win is looked for, while one is.
    attacker: Option<Side>,
    /// The depth of the last search.
    depth: i32,
    /// The nodes of all searches.
    nodes: u64,
}

/// The depth of the first search: with less, only continuous threats would be looked at.
const FIRST_DEPTH: i32 = 3;
/// The greatest depth.
const DEEPEST: i32 = 60;
/// The greatest value short of a win.
const ALPHA: i32 = 20_000;
/// Makes results of this search keys of their own in the table.
const SALT: u64 = 0x3c6e_f372_fe94_f82b;

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// Looks for a win at the root, deeper each time, while it has taken no more than its share of the
    /// nodes so far. The move that wins is brought to the front.
    pub(super) fn seek_win(&mut self) -> Result<(), Aborted> {
        let Parameters { win_value, win_share, .. } = self.shared.settings.parameters;
        let share = u64::from(win_share.unsigned_abs());
        while self.win_search.depth < DEEPEST
            && self.win_search.nodes * 100 < self.counter.own() * share
            && self.roots[0].score >= Score::points(win_value)
            && !self.roots[0].score.is_win()
        {
            self.win_search.depth = (self.win_search.depth + 1).max(FIRST_DEPTH);
            let score = self.search_win()?;
            let first = self.stack.at(0).pv.first().copied();
            if let Some(mv) = first.filter(|_| score.is_win()) {
                self.promote_win(mv, score);
            }
        }
        Ok(())
    }

    /// Searches the root for a win alone.
    fn search_win(&mut self) -> Result<Score, Aborted> {
        let before = self.counter.own();
        self.win_search.attacker = Some(self.tree.side_to_move());
        self.stack.at(0).node.expects_cut = true;
        let score = self.node(Window::null(Score::points(ALPHA)), self.win_search.depth, 0);
        self.stack.at(0).node.expects_cut = false;
        self.win_search.attacker = None;
        self.win_search.nodes += self.counter.own() - before;
        score
    }

    /// Whether nothing but a win is looked for.
    pub(super) fn seeks_win(&self) -> bool {
        self.win_search.attacker.is_some()
    }

    /// Whether a win against the side to move is looked for.
    pub(super) fn is_attacked(&self) -> bool {
        self.win_search.attacker.is_some_and(|attacker| attacker != self.tree.side_to_move())
    }

    /// What the table knows of the position. Where a win is looked for, what the main search left short
    /// of one is of no use but for its move.
    pub(super) fn recall(&self) -> Option<Entry> {
        let key = self.tree.table_key();
        let is_own = key == self.tree.key();
        let probe = |key: Key| {
            let entry = self.shared.table.probe(key)?;
            Some(Entry { mv: entry.mv.filter(|_| is_own), ..entry })
        };
        let entry = probe(key);
        if !self.seeks_win() || entry.is_some_and(|entry| entry.score.mate().is_some()) {
            return entry;
        }
        let mv = entry.and_then(|entry| entry.mv);
        let nothing = Entry { mv, score: Score::points(-ALPHA), bound: Bound::Lower, depth: 0 };
        let known = probe(salted(key)).map(|known| Entry { mv: known.mv.or(mv), ..known });
        known.or(mv.map(|_| nothing))
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
        let key = if self.seeks_win() && score.mate().is_none() { salted(key) } else { key };
        let (bound, depth) = (window.bound(score), depth.clamp(0, i32::from(u8::MAX)) as u8);
        self.shared.table.store(key, Entry { mv, score: score.at_node(ply), bound, depth });
    }
}

fn salted(key: Key) -> Key {
    Key(key.0 ^ SALT)
}
