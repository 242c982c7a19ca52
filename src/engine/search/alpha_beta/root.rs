//! The root moves, which keep their lines and scores from one iteration to the next, and their reports.

use super::move_picker::MAX_VERIFIED_MOVES;
use super::node::{LateMove, MoveClass, NodeContext, NodeType, OrderingQuality};
use super::threads::Shared;
use super::worker::Worker;
use super::{AlphaBetaSettings, Handicap};
use crate::search::mate_line;
use crate::search::{
    Aborted, Bound, Coverage, Report, Score, ThreatBudget, ThreatGenerator, Window,
};
use pentarch_core::game::{Move, MoveList, Position, mix};
use std::collections::VecDeque;

/// A root move with the results of its searches.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// The error that the handicap adds to the score.
    noise: i32,
    /// The deepest iteration that has searched the move.
    pub searched_depth: u32,
    /// The shortest loss that a search has proved, if the move loses.
    loss: Option<Score>,
    pub score: Score,
    pub bound: Bound,
    pub depth: u32,
    pub seldepth: u32,
    pub pv: Vec<Move>,
    /// The nodes that this thread has searched below the move.
    nodes: u64,
    /// The last reported mate of the move, with its completed line.
    reported_mate: Option<ReportedMate>,
}

/// A mate as the search found it, and as it was reported after its line was completed.
#[derive(Clone, Debug)]
struct ReportedMate {
    found: (Score, Vec<Move>),
    reported: Reported,
    /// Whether a limit ended the completion of the line.
    incomplete: bool,
}

/// A reported score, its bound and the line.
type Reported = (Score, Bound, Vec<Move>);

/// Copies the reported mates of other copies of the root moves to moves that have none, or that have the same
/// score and line.
pub(super) fn keep_reported_mates(roots: &mut [RootMove], others: &[RootMove]) {
    for other in others {
        let Some(mate) = &other.reported_mate else { continue };
        let root = roots.iter_mut().find(|root| root.mv == other.mv);
        let applies = |root: &&mut RootMove| {
            let (score, pv) = &mate.found;
            root.reported_mate.is_none() || (*score, pv) == (root.score, &root.pv)
        };
        if let Some(root) = root.filter(applies) {
            root.reported_mate = Some(mate.clone());
        }
    }
}

/// Whether a line is as long as its mate.
fn is_complete((score, _, line): &Reported) -> bool {
    score.mate().is_some_and(|plies| plies.unsigned_abs() as usize == line.len())
}

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// The moves to search in order: those of the limits, else a winning move, else the defenses against a threat,
    /// else the candidates.
    pub(super) fn root_moves(&mut self) -> Vec<RootMove> {
        let asked = &self.shared.limits.search_moves;
        let wanted = self.shared.settings.multi_pv as usize;
        let mut moves = MoveList::new();
        self.root_coverage = Coverage::All;
        if !asked.is_empty() {
            moves.extend(asked.iter().filter(|&&mv| self.tree.position.is_legal(mv)));
            moves.sort_unstable();
            moves.dedup();
            return self.sorted_root_moves(moves);
        }
        let winning = self.tree.win_this_turn();
        if let Some(mv) = winning {
            moves.push(mv);
        } else if let Some(coverage) = self.tree.evaluator.defenses(&self.tree.position, &mut moves)
        {
            self.root_coverage = coverage;
        }
        if moves.is_empty() || wanted > 1 {
            moves.clear();
            let coverage = self.tree.evaluator.candidates(&self.tree.position, &mut moves);
            if self.root_coverage != Coverage::AgainstThreat {
                self.root_coverage = coverage;
            }
            if moves.len() < wanted {
                moves.clear();
                self.tree.all_candidates(&mut moves);
            }
        }
        if winning.is_none() && wanted <= 1 {
            self.keep_safe_moves(&mut moves);
        }
        self.sorted_root_moves(moves)
    }

    /// If the other side wins at once after some of the moves, keeps the moves after which it does not: of all
    /// legal moves, unless these are too many and one of the given moves is safe. Keeps the moves if none is safe.
    fn keep_safe_moves(&mut self, moves: &mut MoveList) {
        let mut safe = moves.clone();
        safe.retain(|&mv| !self.tree.loses_at_once(mv));
        if safe.len() == moves.len() {
            return;
        }
        let mut is_complete = self.root_coverage.proves_loss();
        let (evaluator, position) = (&self.tree.evaluator, &self.tree.position);
        if safe.is_empty() || !evaluator.has_more_moves_than(position, MAX_VERIFIED_MOVES) {
            let known = std::mem::take(&mut safe);
            self.tree.all_candidates(&mut safe);
            safe.retain(|mv| {
                known.contains(mv) || !moves.contains(mv) && !self.tree.loses_at_once(*mv)
            });
            is_complete = true;
        }
        if safe.is_empty() {
            return;
        }
        *moves = safe;
        if is_complete {
            self.root_coverage = Coverage::AgainstThreat;
        }
    }

    /// Root moves in order.
    fn sorted_root_moves(&mut self, moves: MoveList) -> Vec<RootMove> {
        let value = self.tree.evaluator.value(&self.tree.position);
        let mut scored: Vec<(Move, i32)> = moves.into_iter().map(|mv| (mv, 0)).collect();
        self.tree.evaluator.add_ordering_scores(&self.tree.position, &mut scored);
        scored.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        let moves = scored.into_iter().map(|(mv, _)| mv);
        moves
            .map(|mv| RootMove { noise: self.eval_noise(mv), ..RootMove::new(mv, value) })
            .collect()
    }

    /// Adds the legal moves that a selective list left out, except moves that lose at once, so that losses of all
    /// moves prove a loss. Returns the added moves.
    fn add_unlisted_root_moves(&mut self) -> Vec<RootMove> {
        if self.root_coverage.proves_loss() {
            return Vec::new();
        }
        self.root_coverage = Coverage::All;
        let mut moves = MoveList::new();
        self.tree.all_candidates(&mut moves);
        moves.retain(|&mv| self.roots.iter().all(|root| root.mv != mv));
        moves.retain(|&mv| !self.tree.loses_at_once(mv));
        let added = self.sorted_root_moves(moves);
        self.roots.extend_from_slice(&added);
        added
    }

    /// The evaluation noise of a move, which is fixed for a position and a seed.
    fn eval_noise(&self, mv: Move) -> i32 {
        let &AlphaBetaSettings { handicap: Handicap { eval_noise, .. }, seed, .. } =
            &self.shared.settings;
        let random = mix(self.tree.position.key().0 ^ mix(seed) ^ mix(u64::from(mv.bits())));
        (random % (2 * eval_noise.unsigned_abs() as u64 + 1)) as i32 - eval_noise
    }

    /// Searches the root moves from index `line` on and moves the best of them to that index.
    pub(super) fn search_root(
        &mut self,
        mut window: Window,
        depth: u32,
        line: usize,
    ) -> Result<(), Aborted> {
        let whole = window;
        self.counter.root_depth = depth;
        let max_moves = self.shared.settings.handicap.max_root_moves;
        let moves = self.roots[line..].iter().map(|root| (root.mv, root.noise));
        let mut queue: VecDeque<(usize, (Move, i32))> = moves.enumerate().collect();
        let mut fresh = queue.len();
        let mut numbers = queue.len()..;
        loop {
            if queue.is_empty() && self.roots[line].score.is_loss() {
                let added = self.add_unlisted_root_moves();
                fresh = added.len();
                let added = added.into_iter().map(|root| (root.mv, root.noise));
                queue.extend(numbers.by_ref().zip(added));
            }
            let Some((number, (mv, noise))) = queue.pop_front() else { break };
            if fresh > 0 {
                fresh -= 1;
                if number > 0 && self.is_searched_elsewhere(mv, depth as i32) {
                    queue.push_back((number, (mv, noise)));
                    continue;
                }
            }
            // A deferred move keeps its number, so that deferring does not change its reduction.
            let node_type = if number == 0 {
                NodeType::Pv
            } else {
                let reduction = self.root_reduction(mv, depth as i32, number);
                NodeType::Scout { reduction, best: -Score::INFINITE }
            };
            let shifted =
                Window { alpha: window.alpha.plus(-noise), beta: window.beta.plus(-noise) };
            let before = self.counter.own();
            let score = self.search_move(mv, shifted, depth as i32, 0, node_type);
            let index = self.roots.iter().position(|root| root.mv == mv).unwrap_or(line);
            self.roots[index].nodes += self.counter.own() - before;
            let score = score?;
            self.roots[index].record(score, depth);
            // A proved win stays proved, even if this iteration does not find it.
            let known = self.roots[index].score;
            let proven = known.is_win() && known > score;
            let score = if proven { known } else { score };
            if score.plus(noise) > window.alpha || number == 0 {
                if proven {
                    self.stack.at(0).pv.clone_from(&self.roots[index].pv);
                } else {
                    self.stack.update_pv(0, mv);
                }
                self.promote(index, line, score, whole.bound(score), depth);
                window.alpha = window.alpha.max(score.plus(noise));
            }
            if self.roots.len() - queue.len() >= max_moves && !window.alpha.is_loss() {
                break;
            }
            if window.alpha >= window.beta {
                break;
            }
        }
        Ok(())
    }

    /// The reduction of the `index`th root move.
    fn root_reduction(&self, mv: Move, depth: i32, index: usize) -> i32 {
        let class = self.classify(mv);
        let class = if class == MoveClass::Quiet { class } else { MoveClass::Forced };
        let parameters = &self.shared.settings.parameters;
        let context = NodeContext {
            parameters,
            depth,
            is_pv: true,
            cut_node: false,
            static_eval: None,
            ordering: OrderingQuality::Heuristic,
            is_attacker: false,
        };
        context.reduction(class, index, LateMove::default())
    }

    /// Chooses the best move of an aborted iteration. If all moves that it has searched lose, a move that it has not
    /// searched is better, and no loss is proved. If all moves are known to lose, the longest loss is best.
    pub(super) fn finish_aborted_iteration(&mut self, depth: u32) {
        let found = self.roots.first().map(|best| best.score).filter(|score| score.is_loss());
        let Some(found) = found else { return };
        let before = self.shared.best();
        let is_open = |root: &RootMove| root.loss.is_none() && root.searched_depth < depth;
        let (index, score) = if let Some(open) = self.roots.iter().position(is_open) {
            // Its score was no better than the best of the iteration before.
            (open, before.map(|(score, _)| score))
        } else {
            let longest = self.longest_loss().filter(|&(_, loss)| loss > found);
            let Some((index, loss)) = longest else { return };
            (index, Some(loss))
        };
        self.roots[..=index].rotate_right(1);
        if let (Some(score), Some((_, depth))) = (score, before) {
            let root = &mut self.roots[0];
            (root.score, root.bound, root.depth) = (score, Bound::Upper, depth);
        }
    }

    /// Chooses the best move of an aborted proof. A move that was proved not to lose gives a lower bound; otherwise
    /// the static value is reported with depth 0.
    pub(super) fn finish_aborted_proof(&mut self) {
        let Some(best) = self.roots.first_mut() else { return };
        if best.searched_depth > 0 && best.score >= Score::DRAW {
            (best.bound, best.depth) = (Bound::Lower, best.seldepth);
            return;
        }
        let open = self.roots.iter().position(|root| root.loss.is_none());
        self.roots[..=open.unwrap_or(0)].rotate_right(1);
        let (mv, noise) = (self.roots[0].mv, self.roots[0].noise);
        let value = self.tree.evaluator.value(&self.tree.position);
        self.roots[0] = RootMove { noise, ..RootMove::new(mv, value) };
    }

    /// If every root move loses, moves the longest loss to the front, so that no defense lasts longer than the
    /// reported loss.
    pub(super) fn promote_longest_loss(&mut self) {
        let Some((index, loss)) = self.longest_loss() else { return };
        if self.roots[0].score.is_loss() && loss > self.roots[0].score {
            self.roots[..=index].rotate_right(1);
            (self.roots[0].score, self.roots[0].depth) = (loss, self.roots[1].depth);
            self.roots[0].seldepth = self.roots[1].seldepth;
        }
    }

    /// The first root move with the longest loss.
    fn longest_loss(&self) -> Option<(usize, Score)> {
        let losses = self.roots.iter().enumerate().rev();
        let losses = losses.filter_map(|(index, root)| Some((index, root.loss?)));
        losses.max_by_key(|&(_, loss)| loss)
    }

    /// Searches the root for a win by continuous threats, then within `dfpn_nodes` by threats of every kind. A
    /// winning move becomes the first root move.
    pub(super) fn search_root_threats(
        &mut self,
        budget: ThreatBudget,
        dfpn_nodes: u64,
    ) -> Result<(), Aborted> {
        let (solver, tree, counter) = (&mut self.solver, &mut self.tree, &mut self.counter);
        let mut found = solver.vcf_excluding_win_in_one(tree, counter, budget)?.win();
        if found.is_none() && dfpn_nodes > 0 {
            found = solver.dfpn(tree, counter, dfpn_nodes)?.win();
        }
        let Some(win) = found else { return Ok(()) };
        self.stack.at(0).set_pv(self.solver.line());
        self.promote_win(win.mv, Score::win_in(win.plies));
        Ok(())
    }

    /// Moves a proved win to the front, with the best line of the root, unless a win as short is known.
    pub(super) fn promote_win(&mut self, mv: Move, score: Score) {
        if let Some(index) = self.roots.iter().position(|root| root.mv == mv)
            && score > self.roots[0].score
        {
            let depth = self.roots[0].depth;
            self.promote(index, 0, score, Bound::Lower, depth);
        }
    }

    /// Sorts the lines of an iteration by score. A later line may score higher than an earlier one, because its
    /// moves are reduced less when they come first.
    pub(super) fn sort_lines(&mut self, lines: usize) {
        self.roots[..lines].sort_by_key(|root| std::cmp::Reverse(root.score.plus(root.noise)));
    }

    /// The report on a root move. The line of a mate is completed, as far as nodes and time are left.
    pub(super) fn report(&mut self, index: usize, is_last: bool) -> Report {
        let shared = self.shared;
        let root = &mut self.roots[index];
        let mut report = root.report(index + 1, shared, self.counter.total());
        if report.score.mate().is_none() || !shared.settings.whole_lines {
            return report;
        }
        let found = (report.score, report.pv.clone());
        match root.reported_mate.as_ref().filter(|last| last.found == found) {
            Some(ReportedMate { incomplete: true, .. }) if is_last => {}
            Some(ReportedMate { reported, .. }) => {
                (report.score, report.bound, report.pv) = reported.clone();
                return report;
            }
            None => self.mates.clear(),
        }
        // A table hit may have cut the line of a mate that was found before.
        let last = root.reported_mate.take().filter(|last| last.found.0 == found.0);
        let is_whole_position =
            index == 0 && shared.settings.multi_pv == 1 && shared.limits.search_moves.is_empty();
        let before = self.counter.own();
        let searched = (&mut self.tree, shared.table);
        let mut counter = self.counter.of_line(is_last);
        let completed = mate_line::complete(
            searched,
            &mut self.mates,
            &mut report,
            is_whole_position,
            &mut counter,
        );
        root.nodes += self.counter.own() - before;
        (report.nodes, report.move_nodes) = (self.counter.total(), root.nodes);
        let mut reported = (report.score, report.bound, report.pv.clone());
        if let Some(last) =
            last.filter(|last| is_complete(&last.reported) && !is_complete(&reported))
        {
            reported = last.reported;
            (report.score, report.bound, report.pv) = reported.clone();
        }
        let incomplete = completed.is_err();
        root.reported_mate = Some(ReportedMate { found, reported, incomplete });
        report
    }

    /// Moves the root move at index `from` to index `to` with its score and the best line of the root.
    fn promote(&mut self, from: usize, to: usize, score: Score, bound: Bound, depth: u32) {
        self.roots[to..=from].rotate_right(1);
        let root = &mut self.roots[to];
        root.score = score;
        root.bound = bound;
        root.depth = depth;
        root.seldepth = self.seldepth.max(1);
        root.pv.clone_from(&self.stack.at(0).pv);
        let wins = self.roots[..=to].iter().any(|root| root.score.is_win());
        self.counter.reserve_line_nodes(wins);
    }
}

impl RootMove {
    /// Records the score of a search of the move, which may be an upper bound.
    fn record(&mut self, score: Score, depth: u32) {
        self.searched_depth = depth;
        if score.is_loss() {
            self.loss = Some(self.loss.map_or(score, |loss| loss.min(score)));
        }
    }

    /// The report on the move, which is the `rank`th best, with the line as the search found it.
    pub(super) fn report(&self, rank: usize, shared: &Shared<'_>, nodes: u64) -> Report {
        Report {
            depth: self.depth,
            seldepth: self.seldepth,
            multipv: rank as u32,
            score: self.score,
            bound: self.bound,
            nodes,
            move_nodes: self.nodes,
            time: shared.time_manager.elapsed(),
            hashfull: shared.table.hashfull(),
            pv: self.pv.clone(),
        }
    }

    /// A move before any search, with the static value of the position.
    fn new(mv: Move, value: Score) -> RootMove {
        RootMove {
            mv,
            noise: 0,
            searched_depth: 0,
            loss: None,
            score: value,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            pv: vec![mv],
            nodes: 0,
            reported_mate: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::worker::tests::with_worker;

    #[test]
    fn a_weak_level_leaves_out_the_same_moves_for_every_line() {
        let handicap = Handicap { max_root_moves: 5, ..Handicap::none() };
        let settings = AlphaBetaSettings { multi_pv: 3, handicap, ..AlphaBetaSettings::default() };
        with_worker(("gomoku", "h8"), settings, 1, |worker| {
            worker.roots = worker.root_moves();
            for line in 0..3 {
                worker.roots.iter_mut().for_each(|root| root.searched_depth = 0);
                worker.search_root(Window::FULL, 3, line).unwrap();
                let seen = worker.roots.iter().filter(|root| root.searched_depth > 0).count();
                assert_eq!(line + seen, 5);
            }
        });
    }
}
