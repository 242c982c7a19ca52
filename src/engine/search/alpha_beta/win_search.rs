//! The search for a forced win, beside that for the best move, where the value promises one.
//!
//! It is the same alpha-beta, asked only whether the side to move wins: its null window lies above
//! every value short of a win. So far above, futility leaves the attacker little but its threats, and
//! it looks at fewer of them; a defender whom no continuous threats would beat counts as safe (as in lambda
//! search: Thomsen 2000). Lines of threats are thus followed far deeper than lines of all moves. Unlike
//! a proof-number search it has the order, the reductions and the best moves of the main search. What
//! it proves counts for the main search; what it does not prove means nothing there, and is kept apart.

use super::Handicap;
use super::parameters::Parameters;
use super::worker::Worker;
use crate::search::{Aborted, Coverage, Entry, Score, ThreatGenerator, TranspositionTable, Window};
use pentarch_core::game::{Key, Position, Side};

/// How far the search for a win has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WinSearch {
    /// The side whose win is looked for, while one is.
    attacker: Option<Side>,
    /// The depth of the search under way, or of the next.
    depth: i32,
    /// The nodes of all searches that are over.
    nodes: u64,
    /// The count of nodes at which the search under way must end.
    end: u64,
}

/// The depth of the first search: with less, only continuous threats would be looked at.
const FIRST_DEPTH: i32 = 3;
/// The greatest depth.
const DEEPEST: i32 = 40;
/// For how many depths more it stays known that no threat would beat a defender. That holds at any depth,
/// but results count as the more precious in the table the deeper they are.
const SAFE_DEPTHS: i32 = 4;
/// Results of this search, in the table.
const KIND: u32 = 0x3c6e_f372;

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// Looks for a win at the root, deeper each time, while it has taken no more than its share of the
    /// nodes of this thread. The move that wins is brought to the front.
    pub(super) fn seek_win(&mut self) -> Result<(), Aborted> {
        let settings = &self.shared.settings;
        let Parameters { win_value, win_share, .. } = settings.parameters;
        let wanted = self.lines() == 1
            && settings.handicap == Handicap::none()
            && self.tree.has_fitted_order()
            && self.roots[0].score >= Score::points(win_value)
            && !self.roots[0].score.is_win();
        // Of all nodes, those to come included.
        let share = u64::from(win_share.clamp(0, 99).unsigned_abs());
        let others = self.counter.own() - self.win_search.nodes;
        let most = others * share / (100 - share);
        let left = if wanted { most.saturating_sub(self.win_search.nodes) } else { 0 };
        self.win_search.end = self.counter.own() + left;
        while self.win_search.depth < DEEPEST && !self.is_win_search_over() {
            self.win_search.depth = self.win_search.depth.max(FIRST_DEPTH);
            let Some(score) = self.search_win()? else { return Ok(()) };
            self.win_search.depth += 1;
            let first = self.stack.at(0).pv.first().copied();
            if let Some(mv) = first.filter(|_| score.is_win()) {
                self.promote_win(mv, score);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Searches the root for a win alone; none if its share of nodes did not do.
    fn search_win(&mut self) -> Result<Option<Score>, Aborted> {
        let (before, seldepth) = (self.counter.own(), self.seldepth);
        self.win_search.attacker = Some(self.tree.side_to_move());
        let known = std::mem::take(&mut self.stack.at(0).node);
        self.stack.at(0).node.expects_cut = true;
        let score = self.node(Window::null(Score::points(i32::MAX)), self.win_search.depth, 0);
        self.stack.at(0).node = known;
        self.win_search.attacker = None;
        self.win_search.nodes += self.counter.own() - before;
        self.seldepth = seldepth;
        match score {
            Err(Aborted) if self.is_win_search_over() => Ok(None),
            score => score.map(Some),
        }
    }

    /// Whether nothing but a win is looked for.
    pub(super) fn seeks_win(&self) -> bool {
        self.win_search.attacker.is_some()
    }

    /// Whether the search for a win has taken its share of nodes.
    pub(super) fn is_win_search_over(&self) -> bool {
        self.counter.own() >= self.win_search.end
    }

    /// Whether nothing but a win of the side to move is looked for.
    pub(super) fn is_attacker(&self) -> bool {
        self.win_search.attacker == Some(self.tree.side_to_move())
    }

    /// Whether a win against the side to move is looked for.
    pub(super) fn is_defender(&self) -> bool {
        self.win_search.attacker.is_some_and(|attacker| attacker != self.tree.side_to_move())
    }

    /// How deep the search under way looks from the root.
    pub(super) fn root_depth(&self) -> u32 {
        let depth = self.counter.root_depth;
        if self.seeks_win() { depth.max(self.win_search.depth.unsigned_abs()) } else { depth }
    }

    /// The value for a defender who is not threatened with a win in one move: a loss, or any other.
    pub(super) fn defender_node(
        &mut self,
        window: Window,
        depth: i32,
        ply: u32,
        entry: Option<Entry>,
    ) -> Result<Score, Aborted> {
        let Some(threat) = self.list_answers(ply, depth > 0)? else {
            let lasting = if depth > 0 { depth + SAFE_DEPTHS } else { depth };
            return Ok(self.remember_value(Score::DRAW, window, lasting, ply, entry));
        };
        // All other moves lose by that threat.
        let least = Score::loss_in(ply + threat.plies);
        if self.stack.at(ply).list.is_empty() {
            return Ok(least);
        }
        let table_move = entry.and_then(|entry| entry.mv);
        self.prepare_moves(ply, Some(Coverage::AgainstThreat), table_move);
        // An answer leaves the question open: it takes no depth, unless there are so many that a threat
        // with fewer should be followed first, as a search by proof numbers would.
        let many = self.shared.settings.parameters.win_answers.unsigned_abs() as usize;
        let longer = i32::from(depth <= 1 || self.stack.at(ply).list.len() < many);
        let pruning = self.pruning(window, depth + longer, true, ply, entry);
        let (score, best) =
            self.search_moves(window, pruning, ply, Some(pruning.answer()), None)?;
        let score = score.max(least);
        self.remember((score, best), window, depth, ply);
        Ok(score)
    }

    /// A key as the search under way has it for what means nothing to the other.
    pub(super) fn search_key(&self, key: Key) -> Key {
        if self.seeks_win() { TranspositionTable::key_of_kind(key, KIND) } else { key }
    }
}
