//! The search for a forced win, which runs in addition to the main search if the root score is high.
//!
//! It is the same alpha-beta with a null window above every score that is not a win. Futility pruning then leaves
//! the attacker hardly any moves but threats, and late move pruning keeps fewer of them. A defender that no
//! continuous threats would beat is taken to be safe, as in lambda search (Thomsen 2000). So lines of threats are
//! searched far deeper than by the main search. Unlike a proof-number search it shares the ordering, the
//! reductions and the table moves of the main search. Proofs are valid in both searches; other results of the win
//! search are stored under keys of their own.

use super::Handicap;
use super::parameters::Parameters;
use super::worker::Worker;
use crate::search::{Aborted, Coverage, Entry, Score, ThreatGenerator, TranspositionTable, Window};
use pentarch_core::game::{Key, Position, Side};

/// The state of the win search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WinSearch {
    /// The side whose win is searched for, while the search runs.
    attacker: Option<Side>,
    /// The depth of the current or the next search.
    depth: i32,
    /// The nodes of all finished searches.
    nodes: u64,
    /// The node count at which the current search ends.
    end: u64,
}

/// The depth of the first search. A lower depth would search continuous threats only.
const MIN_DEPTH: i32 = 3;
const MAX_DEPTH: i32 = 40;
/// The additional depth with which the entry of a safe defender is stored. The result holds at any depth, but the
/// table prefers deep entries.
const SAFE_DEPTHS: i32 = 4;
/// The kind of the table entries of this search.
const KIND: u32 = 0x3c6e_f372;

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// Searches the root for a win, to increasing depth, within its share of the nodes of this thread. A winning
    /// move becomes the first root move.
    pub(super) fn search_win(&mut self) -> Result<(), Aborted> {
        let settings = &self.shared.settings;
        let Parameters { win_value, win_share, .. } = settings.parameters;
        let wanted = self.lines() == 1
            && settings.handicap == Handicap::none()
            && self.tree.evaluator.has_trained_ordering(&self.tree.position)
            && self.roots[0].score >= Score::points(win_value)
            && !self.roots[0].score.is_win();
        // The share is one of all nodes, this search included.
        let share = u64::from(win_share.clamp(0, 99).unsigned_abs());
        let others = self.counter.own() - self.win_search.nodes;
        let budget = others * share / (100 - share);
        let left = if wanted { budget.saturating_sub(self.win_search.nodes) } else { 0 };
        self.win_search.end = self.counter.own() + left;
        while self.win_search.depth < MAX_DEPTH && !self.is_win_search_over() {
            self.win_search.depth = self.win_search.depth.max(MIN_DEPTH);
            let Some(score) = self.search_win_to_depth()? else { return Ok(()) };
            self.win_search.depth += 1;
            let first = self.stack.at(0).pv.first().copied();
            if let Some(mv) = first.filter(|_| score.is_win()) {
                self.promote_win(mv, score);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Searches the root for a win to the current depth. Returns `None` if the share of nodes is used up.
    fn search_win_to_depth(&mut self) -> Result<Option<Score>, Aborted> {
        let (before, seldepth) = (self.counter.own(), self.seldepth);
        self.win_search.attacker = Some(self.tree.side_to_move());
        let node = std::mem::take(&mut self.stack.at(0).node);
        self.stack.at(0).node.cut_node = true;
        let above_all = Window::null(Score::points(i32::MAX));
        let score = self.search_node(above_all, self.win_search.depth, 0);
        self.stack.at(0).node = node;
        self.win_search.attacker = None;
        self.win_search.nodes += self.counter.own() - before;
        self.seldepth = seldepth;
        match score {
            Err(Aborted) if self.is_win_search_over() => Ok(None),
            score => score.map(Some),
        }
    }

    /// Whether the current search is a win search.
    pub(super) fn is_win_search(&self) -> bool {
        self.win_search.attacker.is_some()
    }

    /// Whether the win search has used its share of nodes.
    pub(super) fn is_win_search_over(&self) -> bool {
        self.counter.own() >= self.win_search.end
    }

    /// Whether the side to move is the attacker of a win search.
    pub(super) fn is_attacker(&self) -> bool {
        self.win_search.attacker == Some(self.tree.side_to_move())
    }

    /// Whether the side to move is the defender of a win search.
    pub(super) fn is_defender(&self) -> bool {
        self.win_search.attacker.is_some_and(|attacker| attacker != self.tree.side_to_move())
    }

    /// The depth of the current search from the root.
    pub(super) fn root_depth(&self) -> u32 {
        let depth = self.counter.root_depth;
        if self.is_win_search() { depth.max(self.win_search.depth.unsigned_abs()) } else { depth }
    }

    /// Searches a node of a defender that is not in check. The score is a loss, or any other.
    pub(super) fn search_defender_node(
        &mut self,
        window: Window,
        depth: i32,
        ply: u32,
        entry: Option<Entry>,
    ) -> Result<Score, Aborted> {
        let Some(threat) = self.list_threat_answers(ply, depth > 0)? else {
            let depth = if depth > 0 { depth + SAFE_DEPTHS } else { depth };
            return Ok(self.store_value(Score::DRAW, window, depth, ply, entry));
        };
        // Every other move loses by the threat.
        let loss_by_threat = Score::loss_in(ply + threat.plies);
        if self.stack.at(ply).list.is_empty() {
            return Ok(loss_by_threat);
        }
        let table_move = entry.and_then(|entry| entry.mv);
        self.prepare_moves(ply, Some(Coverage::AgainstThreat), table_move);
        // An answer takes no depth, unless there are many: then threats with fewer answers come first, as in a
        // proof-number search.
        let many = self.shared.settings.parameters.win_answers.unsigned_abs() as usize;
        let extension = i32::from(depth <= 1 || self.stack.at(ply).list.len() < many);
        let context = self.node_context(window, depth + extension, true, ply, entry);
        let class = Some(context.answer_class());
        let (score, best) = self.search_moves(window, context, ply, class, None)?;
        let score = score.max(loss_by_threat);
        self.store((score, best), window, depth, ply);
        Ok(score)
    }

    /// The table key for results that are valid in the current kind of search only.
    pub(super) fn search_key(&self, key: Key) -> Key {
        if self.is_win_search() { TranspositionTable::key_of_kind(key, KIND) } else { key }
    }
}
