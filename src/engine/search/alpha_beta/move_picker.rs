//! The order in which a node tries its moves: the table move, then tactical moves down to an ordering score,
//! then all others ([move ordering](https://www.chessprogramming.org/Move_Ordering)). Moves are listed and
//! scored only when they are needed.

use super::node::{MoveClass, NodeContext};
use super::parameters::Parameters;
use super::threads::{CurrentlySearching, SHARED_DEPTH};
use super::worker::Worker;
use crate::search::search_stack::Frame;
use crate::search::{Coverage, Score, ThreatGenerator};
use pentarch_core::game::{Cell, Move, MoveList, Position, Side};
use std::collections::VecDeque;

/// The moves that are next in a node. `defending` means that the list holds the answers to a threat.
#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    /// The table move, if there is one.
    TableMove { defending: bool },
    /// The tactical moves or the defenses, which have no ordering scores yet.
    Scoring { defending: bool },
    /// The tactical moves that score at least [`MoveGenerator::quiet_threshold`](crate::search::MoveGenerator).
    Tactical,
    /// All that are left.
    #[default]
    Rest,
}

/// The most moves that are searched only to prove that a node is lost. If more are left, the loss counts as
/// a bound.
pub(super) const MAX_VERIFIED_MOVES: usize = 1000;

/// Where the moves of a node come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MoveSource {
    #[default]
    Candidates,
    /// Answers to a threat.
    Defenses,
}

/// What the search keeps of a node besides its move lists.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeState {
    stage: Stage,
    table_move: Option<Move>,
    /// Moves that are deferred because another thread searches them, each with its number in order.
    deferred: VecDeque<(Move, usize)>,
    /// Quiet moves that caused a cutoff in sibling nodes
    /// ([killer moves](https://www.chessprogramming.org/Killer_Heuristic)).
    killers: [Option<Move>; 2],
    /// The last move of the opponent that won at once after a move of this node.
    pub refutation: Option<Move>,
    /// The static evaluation and the side that it is for. `None` in check.
    pub static_eval: Option<(Side, Score)>,
    /// Whether a beta cutoff is expected ([cut node](https://www.chessprogramming.org/Node_Types#CUT)).
    pub cut_node: bool,
    /// The move that a singular extension search leaves out.
    pub excluded: Option<Move>,
    source: MoveSource,
    /// What the moves listed so far cover.
    pub coverage: Coverage,
    /// The moves that were searched, kept while the list is selective.
    searched: MoveList,
    /// Whether quiet moves that are not listed yet are skipped.
    skips_quiets: bool,
    /// Whether the move that is searched now is not quiet.
    pub is_noisy: bool,
}

impl NodeState {
    pub(super) fn is_killer(&self, mv: Move) -> bool {
        self.killers.contains(&Some(mv))
    }

    pub(super) fn add_killer(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}

/// How often a move caused a cutoff, by seat and cell, weighted by depth (Schaeffer 1989;
/// [history heuristic](https://www.chessprogramming.org/History_Heuristic)).
pub(super) struct History(Box<[[i32; Cell::LIMIT]; 4]>);

impl Default for History {
    fn default() -> History {
        History(Box::new([[0; Cell::LIMIT]; 4]))
    }
}

impl History {
    /// The limit of the absolute value of an entry.
    const LIMIT: i32 = 4000;

    #[inline]
    fn get(&self, seat: usize, mv: Move) -> i32 {
        mv.cell().map_or(0, |cell| self.0[seat & 3][cell.index() % Cell::LIMIT])
    }

    /// Adds the square of the depth, at most `max_bonus`, scaled down towards the limit (history gravity).
    pub(super) fn reward(&mut self, seat: usize, mv: Move, depth: i32, max_bonus: i32) {
        if let Some(cell) = mv.cell() {
            let value = &mut self.0[seat & 3][cell.index() % Cell::LIMIT];
            let bonus = (depth * depth).min(max_bonus);
            *value += bonus - *value * bonus / History::LIMIT;
        }
    }
}

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// Starts the moves of a node: the listed defenses, or else the candidates, which are listed later.
    pub(super) fn prepare_moves(
        &mut self,
        ply: u32,
        defenses: Option<Coverage>,
        table_move: Option<Move>,
    ) {
        let defending = defenses.is_some();
        let Frame { list, node, .. } = self.stack.at(ply);
        node.table_move = table_move.filter(|&mv| {
            if defending { list.contains(&mv) } else { self.tree.position.is_legal(mv) }
        });
        node.stage = Stage::TableMove { defending };
        node.deferred.clear();
        node.skips_quiets = false;
        node.refutation = None;
        node.source = if defending { MoveSource::Defenses } else { MoveSource::Candidates };
        node.coverage = defenses.unwrap_or(Coverage::Selective);
        node.searched.clear();
    }

    /// Records a searched move, if the list of the node may be incomplete.
    #[inline]
    pub(super) fn note_searched(&mut self, ply: u32, mv: Move) {
        let node = &mut self.stack.at(ply).node;
        if !node.coverage.proves_loss() {
            node.searched.push(mv);
        }
    }

    /// Lists the moves that a selective list left out, after all listed moves lost, so that either the loss is
    /// proved or a better move is found. Returns `false` if there are none or too many of them; the coverage of
    /// the node then says which.
    pub(super) fn list_unsearched(&mut self, ply: u32) -> bool {
        let Frame { list, node, .. } = self.stack.at(ply);
        if node.coverage.proves_loss() || node.excluded.is_some() {
            return false;
        }
        let (evaluator, position) = (&self.tree.evaluator, &self.tree.position);
        list.clear();
        if node.source == MoveSource::Defenses {
            evaluator.remaining_defenses(position, list);
        } else if evaluator.has_more_moves_than(position, MAX_VERIFIED_MOVES + node.searched.len())
        {
            return false;
        } else if !evaluator.candidates(position, list).proves_loss() {
            list.clear();
            position.legal_moves(list);
        }
        node.searched.sort_unstable();
        list.retain(|mv| node.searched.binary_search(mv).is_err());
        if list.len() > MAX_VERIFIED_MOVES {
            list.clear();
            return false;
        }
        node.coverage = Coverage::All;
        node.table_move = None;
        self.take_listed(ply);
        let Frame { moves, node, .. } = self.stack.at(ply);
        node.stage = Stage::Rest;
        self.tree.evaluator.add_ordering_scores(&self.tree.position, moves);
        !moves.is_empty()
    }

    /// The next move in order.
    #[inline]
    fn next_move(&mut self, ply: u32) -> Option<Move> {
        let node = &mut self.stack.at(ply).node;
        if let Stage::TableMove { defending } = node.stage {
            node.stage = Stage::Scoring { defending };
            if node.table_move.is_some() {
                return node.table_move;
            }
        }
        if let Stage::Scoring { defending } = self.stack.at(ply).node.stage {
            if !defending {
                let list = &mut self.stack.at(ply).list;
                list.clear();
                self.tree.evaluator.tactical_moves(&self.tree.position, list);
            }
            self.stack.at(ply).moves.clear();
            self.take_listed(ply);
            let moves = &mut self.stack.at(ply).moves;
            // A single defense needs no score. A single tactical move may come after quiet ones.
            if moves.len() > usize::from(defending) {
                self.tree.evaluator.add_ordering_scores(&self.tree.position, moves);
            }
            let next = if defending { Stage::Rest } else { Stage::Tactical };
            self.stack.at(ply).node.stage = next;
        }
        let NodeState { stage, skips_quiets, .. } = self.stack.at(ply).node;
        if skips_quiets || !matches!(stage, Stage::Tactical) {
            return self.stack.at(ply).pick();
        }
        let threshold = self.tree.evaluator.quiet_threshold(&self.tree.position);
        if let Some(mv) = self.stack.at(ply).pick_from(threshold) {
            return Some(mv);
        }
        let scored = self.stack.at(ply).moves.len();
        let list = &mut self.stack.at(ply).list;
        list.clear();
        self.tree.evaluator.quiet_moves(&self.tree.position, list);
        self.take_listed(ply);
        let frame = self.stack.at(ply);
        frame.node.stage = Stage::Rest;
        self.tree.evaluator.add_ordering_scores(&self.tree.position, &mut frame.moves[scored..]);
        frame.pick()
    }

    /// The next move to search after `searched` moves, with its number in order. Moves that other threads search
    /// come last, with the number that they would have had, because reductions and pruning depend on it.
    #[inline]
    pub(super) fn next_free_move(
        &mut self,
        ply: u32,
        searched: usize,
        depth: i32,
    ) -> Option<(Move, usize)> {
        while let Some(mv) = self.next_move(ply) {
            if self.stack.at(ply).node.excluded == Some(mv) {
                continue;
            }
            let number = searched + self.stack.at(ply).node.deferred.len();
            if searched == 0 || !self.is_searched_elsewhere(mv, depth) {
                return Some((mv, number));
            }
            self.stack.at(ply).node.deferred.push_back((mv, number));
        }
        self.stack.at(ply).node.deferred.pop_front()
    }

    /// Skips all moves that have not come yet. Deferred moves have come.
    pub(super) fn skip_remaining(&mut self, ply: u32) {
        let Frame { moves, node, .. } = self.stack.at(ply);
        moves.clear();
        node.stage = Stage::Rest;
    }

    /// Skips moves that are not listed yet if they would be pruned after `searched` moves.
    pub(super) fn skip_quiets(
        &mut self,
        context: &NodeContext<'_>,
        ply: u32,
        searched: usize,
        (alpha, best): (Score, Score),
    ) {
        let number = searched + self.stack.at(ply).node.deferred.len();
        if context.late_move_pruning(MoveClass::Quiet, number, alpha, best) {
            self.skip_remaining(ply);
        } else if context.futility_pruning(MoveClass::Quiet, number, alpha, best) {
            self.stack.at(ply).node.skips_quiets = true;
        }
    }

    /// Moves the listed moves but the table move to the moves to pick from, with their killer and history scores.
    fn take_listed(&mut self, ply: u32) {
        let seat = self.tree.position.to_move().index();
        let Frame { list, moves, node, .. } = self.stack.at(ply);
        let Parameters { killer_weight, history_weight, .. } = self.shared.settings.parameters;
        for &mv in list.iter().filter(|&&mv| Some(mv) != node.table_move) {
            let killer = if node.is_killer(mv) { killer_weight } else { 0 };
            let history = self.history.get(seat, mv) * history_weight / 1000;
            moves.push((mv, history + killer));
        }
    }

    /// Whether another thread searches a move to the same depth.
    pub(super) fn is_searched_elsewhere(&self, mv: Move, depth: i32) -> bool {
        let searching = self.shared.currently_searching.as_ref().filter(|_| depth >= SHARED_DEPTH);
        searching.is_some_and(|searching| {
            let key = self.search_key(self.tree.position.key());
            searching.contains(CurrentlySearching::tag(key, mv, depth))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::AlphaBetaSettings;
    use crate::search::alpha_beta::worker::tests::with_worker;
    use crate::search::{MoveGenerator as _, Window};
    use pentarch_core::game::MoveList;

    /// The score of a node and the nodes searched, if another thread searches all its moves or not.
    fn searched(busy: bool) -> (Score, u64) {
        const DEPTH: i32 = 7;
        let start = ("gomoku", "h8 i9 g7 f6 h10");
        with_worker(start, AlphaBetaSettings::default(), 2, |worker| {
            let mut legal = MoveList::new();
            worker.tree.position.legal_moves(&mut legal);
            let all = legal.iter().flat_map(|&mv| (1..=DEPTH).map(move |depth| (mv, depth)));
            for (mv, depth) in all.filter(|_| busy) {
                let tag = CurrentlySearching::tag(worker.tree.position.key(), mv, depth);
                worker.shared.currently_searching.as_ref().unwrap().insert(tag);
            }
            let window = Window { alpha: Score::points(-1500), beta: Score::points(1500) };
            (worker.search_node(window, DEPTH, 1).unwrap(), worker.counter.own())
        })
    }

    /// Every move comes once: tactical moves above the threshold, then all others by score.
    #[test]
    fn quiet_moves_wait_for_tactical_ones_that_score_high() {
        let moves = "j10 l8 g7 l10 i7 l9 l7 j7 i9 h8 i8 i6 k8 k11 m9 j12 j9";
        with_worker(("pro-pente", moves), AlphaBetaSettings::default(), 1, |worker| {
            worker.prepare_moves(1, None, None);
            let order: Vec<Move> = std::iter::from_fn(|| worker.next_move(1)).collect();
            let mut all = MoveList::new();
            worker.tree.evaluator.candidates(&worker.tree.position, &mut all);
            let mut key = |mv: Move| {
                let mut scored = [(mv, 0)];
                worker.tree.evaluator.add_ordering_scores(&worker.tree.position, &mut scored);
                let first = !worker.tree.evaluator.is_quiet(&worker.tree.position, mv)
                    && scored[0].1 >= worker.tree.evaluator.quiet_threshold(&worker.tree.position);
                (!first, -scored[0].1)
            };
            let keys: Vec<_> = order.iter().map(|&mv| key(mv)).collect();
            assert!(keys.is_sorted(), "{keys:?}");
            assert!(keys.iter().filter(|&&(later, _)| !later).count() > 3, "{keys:?}");
            let [sorted, all] = [order, all].map(|mut moves| {
                moves.sort_unstable_by_key(|mv| mv.cell());
                moves
            });
            assert_eq!(sorted, all);
        });
    }

    #[test]
    fn deferred_moves_are_searched_like_any_other() {
        let alone = searched(false);
        assert!(alone.1 > 100, "{alone:?}");
        assert_eq!(searched(true), alone);
    }
}
