//! In which order a node tries its moves: the one that the table remembers, then the tactical ones down to an
//! ordering score, then all others by their scores. What is not needed is not listed
//! ([move ordering](https://www.chessprogramming.org/Move_Ordering)).

use super::parameters::Parameters;
use super::pruning::{MoveClass, Pruning};
use super::threads::{Busy, SHARED_DEPTH};
use super::worker::Worker;
use crate::search::search_stack::Frame;
use crate::search::{Coverage, Score, ThreatGenerator};
use pentarch_core::game::{Move, MoveList, Position, Side};
use std::collections::VecDeque;

/// How far a node has come with its moves; `defending` means that they answer a threat.
#[derive(Clone, Copy, Debug, Default)]
enum Stage {
    /// The move from the table is next, if there is one.
    TableMove { defending: bool },
    /// The tactical ones, or the defenses, must get their ordering scores.
    Scoring { defending: bool },
    /// The tactical ones have theirs; those below the ceiling of quiet ones wait for these.
    Tactical,
    /// All that are left have theirs.
    #[default]
    Rest,
}

/// The most moves that are searched only to prove that a node is lost. If more are left, the loss counts as
/// a bound.
pub(super) const MOST_VERIFIED: usize = 1000;

/// Which list the moves of a node come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Listed {
    #[default]
    Candidates,
    /// Answers to a threat.
    Defenses,
}

/// What else is kept of a node beside its moves.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeState {
    /// Which moves come next.
    stage: Stage,
    /// The move that the table remembers.
    table_move: Option<Move>,
    /// Moves put off because another thread is looking at them, each with how many came before it.
    deferred: VecDeque<(Move, usize)>,
    /// Quiet moves that were too good for the opponent in sibling nodes
    /// ([killer moves](https://www.chessprogramming.org/Killer_Heuristic)).
    killers: [Option<Move>; 2],
    /// The opponent's last move that won at once after one of this node. It often wins after others as well.
    pub refutation: Option<Move>,
    /// The static value with the side that it is for, unless that side must answer a threat.
    pub static_value: Option<(Side, Score)>,
    /// Whether some move is expected to be too good for the opponent
    /// ([cut node](https://www.chessprogramming.org/Node_Types#CUT)).
    pub expects_cut: bool,
    /// The move that is not searched while it is asked how good the others are.
    pub excluded: Option<Move>,
    /// What the moves of the node are, and what they cover.
    listed: Listed,
    pub coverage: Coverage,
    /// The moves that were searched, kept while the list of the node is selective.
    searched: MoveList,
    /// Whether quiet moves that are not listed yet need not be.
    leaves_out_quiet: bool,
    /// Whether the move that is searched now is more than quiet.
    pub is_loud: bool,
}

impl NodeState {
    /// Whether a move was too good for the opponent in a sibling node.
    pub(super) fn is_killer(&self, mv: Move) -> bool {
        self.killers.contains(&Some(mv))
    }

    /// Remembers a move that refuted its parent.
    pub(super) fn remember_killer(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// Gets ready to go through the moves of a node: the listed defenses, or else the candidates,
    /// which are not even listed if the move from the table is good enough.
    pub(super) fn prepare_moves(
        &mut self,
        ply: u32,
        defenses: Option<Coverage>,
        table_move: Option<Move>,
    ) {
        let defending = defenses.is_some();
        let Frame { list, node, .. } = self.stack.at(ply);
        node.table_move = table_move
            .filter(|&mv| if defending { list.contains(&mv) } else { self.tree.is_legal(mv) });
        node.stage = Stage::TableMove { defending };
        node.deferred.clear();
        node.leaves_out_quiet = false;
        node.refutation = None;
        node.listed = if defending { Listed::Defenses } else { Listed::Candidates };
        node.coverage = defenses.unwrap_or(Coverage::Selective);
        node.searched.clear();
    }

    /// Notes that a move was searched, if the list of the node may leave some out.
    #[inline]
    pub(super) fn note_searched(&mut self, ply: u32, mv: Move) {
        let node = &mut self.stack.at(ply).node;
        if !node.coverage.proves_loss() {
            node.searched.push(mv);
        }
    }

    /// Where every listed move loses and the list is selective, lists the moves that were not searched, so
    /// that the loss is proved or a better move found. False if there are none, or too many of them: the
    /// coverage of the node says which.
    pub(super) fn list_unsearched(&mut self, ply: u32) -> bool {
        let Frame { list, node, .. } = self.stack.at(ply);
        if node.coverage.proves_loss() || node.excluded.is_some() {
            return false;
        }
        list.clear();
        if node.listed == Listed::Defenses {
            self.tree.remaining_defenses(list);
        } else if self.tree.has_more_moves_than(MOST_VERIFIED + node.searched.len()) {
            return false;
        } else if !self.tree.candidates(list).proves_loss() {
            list.clear();
            self.tree.position().legal_moves(list);
        }
        node.searched.sort_unstable();
        list.retain(|mv| node.searched.binary_search(mv).is_err());
        if list.len() > MOST_VERIFIED {
            list.clear();
            return false;
        }
        node.coverage = Coverage::All;
        node.table_move = None;
        self.take_listed(ply);
        let Frame { moves, node, .. } = self.stack.at(ply);
        node.stage = Stage::Rest;
        self.tree.add_ordering_scores(moves);
        !moves.is_empty()
    }

    /// [`Worker::next_free_move`], whatever other threads do.
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
                self.tree.tactical_moves(list);
            }
            self.stack.at(ply).moves.clear();
            self.take_listed(ply);
            let moves = &mut self.stack.at(ply).moves;
            // A single defense comes next whatever its score; another move may lie below quiet ones.
            if moves.len() > usize::from(defending) {
                self.tree.add_ordering_scores(moves);
            }
            let next = if defending { Stage::Rest } else { Stage::Tactical };
            self.stack.at(ply).node.stage = next;
        }
        let NodeState { stage, leaves_out_quiet, .. } = self.stack.at(ply).node;
        if leaves_out_quiet || !matches!(stage, Stage::Tactical) {
            return self.stack.at(ply).pick();
        }
        let ceiling = self.tree.quiet_ceiling();
        if let Some(mv) = self.stack.at(ply).pick_from(ceiling) {
            return Some(mv);
        }
        let scored = self.stack.at(ply).moves.len();
        self.take_quiet(ply);
        let frame = self.stack.at(ply);
        frame.node.stage = Stage::Rest;
        self.tree.add_ordering_scores(&mut frame.moves[scored..]);
        frame.pick()
    }

    /// Takes the quiet candidates as well, which leaves none.
    fn take_quiet(&mut self, ply: u32) {
        let list = &mut self.stack.at(ply).list;
        list.clear();
        self.tree.quiet_moves(list);
        self.take_listed(ply);
    }

    /// The next move to search after `searched` ones, the most promising first, with moves that other
    /// threads are looking at put off to the end. With it comes how many were searched or put off before
    /// it, which being put off does not change: a move is reduced and left out for what it is, not for
    /// when it comes.
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
            if searched == 0 || !self.is_busy(mv, depth) {
                return Some((mv, number));
            }
            self.stack.at(ply).node.deferred.push_back((mv, number));
        }
        self.stack.at(ply).node.deferred.pop_front()
    }

    /// Leaves out all moves that have not come yet; those put off came before.
    pub(super) fn leave_out_rest(&mut self, ply: u32) {
        let Frame { moves, node, .. } = self.stack.at(ply);
        moves.clear();
        node.stage = Stage::Rest;
    }

    /// Lists no moves that would be left out after `searched` ones, given alpha and the best value so far.
    pub(super) fn leave_out_unlisted(
        &mut self,
        pruning: &Pruning<'_>,
        ply: u32,
        searched: usize,
        (alpha, best): (Score, Score),
    ) {
        let number = searched + self.stack.at(ply).node.deferred.len();
        if pruning.prunes_rest(MoveClass::Quiet, number, alpha, best) {
            self.leave_out_rest(ply);
        } else if pruning.prunes(MoveClass::Quiet, number, alpha, best) {
            self.stack.at(ply).node.leaves_out_quiet = true;
        }
    }

    /// Takes each listed move but the one from the table, with what the search knows of it; its ordering
    /// score is to be added.
    fn take_listed(&mut self, ply: u32) {
        let seat = self.tree.to_move().index();
        let Frame { list, moves, node, .. } = self.stack.at(ply);
        let Parameters { killer_weight, history_weight, .. } = self.shared.settings.parameters;
        for &mv in list.iter().filter(|&&mv| Some(mv) != node.table_move) {
            let killer = if node.is_killer(mv) { killer_weight } else { 0 };
            let history = self.history.get(seat, mv) * history_weight / 1000;
            moves.push((mv, history + killer));
        }
    }

    /// Whether another thread is looking at a move.
    pub(super) fn is_busy(&self, mv: Move, depth: i32) -> bool {
        let busy = self.shared.busy.as_ref().filter(|_| depth >= SHARED_DEPTH);
        busy.is_some_and(|busy| {
            busy.contains(Busy::tag(self.search_key(self.tree.key()), mv, depth))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Window;
    use crate::search::alpha_beta::AlphaBetaSettings;
    use crate::search::alpha_beta::worker::tests::with_worker;
    use pentarch_core::game::MoveList;

    /// What a node is worth, and the nodes that it takes, if another thread looks at all its moves.
    fn searched(busy: bool) -> (Score, u64) {
        const DEPTH: i32 = 7;
        let start = ("gomoku", "h8 i9 g7 f6 h10");
        with_worker(start, AlphaBetaSettings::default(), 2, |worker| {
            let mut legal = MoveList::new();
            worker.tree.position().legal_moves(&mut legal);
            let all = legal.iter().flat_map(|&mv| (1..=DEPTH).map(move |depth| (mv, depth)));
            for (mv, depth) in all.filter(|_| busy) {
                let tag = Busy::tag(worker.tree.key(), mv, depth);
                worker.shared.busy.as_ref().unwrap().insert(tag);
            }
            let window = Window { alpha: Score::points(-1500), beta: Score::points(1500) };
            (worker.node(window, DEPTH, 1).unwrap(), worker.counter.own())
        })
    }

    /// Each move once: tactical ones above the ceiling, then all others, the most promising first.
    #[test]
    fn quiet_moves_wait_for_tactical_ones_that_score_high() {
        let moves = "j10 l8 g7 l10 i7 l9 l7 j7 i9 h8 i8 i6 k8 k11 m9 j12 j9";
        with_worker(("pro-pente", moves), AlphaBetaSettings::default(), 1, |worker| {
            worker.prepare_moves(1, None, None);
            let order: Vec<Move> = std::iter::from_fn(|| worker.next_move(1)).collect();
            let mut all = MoveList::new();
            worker.tree.candidates(&mut all);
            let mut key = |mv: Move| {
                let mut scored = [(mv, 0)];
                worker.tree.add_ordering_scores(&mut scored);
                let first = !worker.tree.is_quiet(mv) && scored[0].1 >= worker.tree.quiet_ceiling();
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
    fn what_is_put_off_is_searched_like_any_other() {
        let alone = searched(false);
        assert!(alone.1 > 100, "{alone:?}");
        assert_eq!(searched(true), alone);
    }
}
