//! The root of the tree: its moves keep their lines and values from one iteration to the next.

use super::move_picker::MOST_VERIFIED;
use super::pruning::{LateMove, MoveClass, MoveOrder, Pruning};
use super::search_move::NodeType;
use super::threads::Shared;
use super::worker::Worker;
use super::{AlphaBetaSettings, Handicap};
use crate::search::win_line;
use crate::search::{
    Aborted, Bound, Coverage, Report, Score, ThreatBudget, ThreatGenerator, Window,
};
use pentarch_core::game::{Move, MoveList, Position, mix};
use std::collections::VecDeque;

/// A move at the root with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// By how much the move is thought better than it is.
    blur: i32,
    /// The deepest iteration that has looked at the move.
    pub seen: u32,
    /// The loss that it cannot put off, if it is known to lose: it may come sooner.
    loss: Option<Score>,
    pub score: Score,
    pub bound: Bound,
    pub depth: u32,
    pub seldepth: u32,
    pub pv: Vec<Move>,
    /// The nodes that this thread spent on the move.
    nodes: u64,
    /// The last report of a win or loss, with the line to the end.
    announced: Option<Announced>,
}

/// A win or loss as the search has it, and as it is told.
#[derive(Clone, Debug)]
struct Announced {
    known: (Score, Vec<Move>),
    told: Told,
    /// Whether nodes or time were over before the line was complete.
    broken_off: bool,
}

/// A value, what it is a bound of, and the line.
type Told = (Score, Bound, Vec<Move>);

/// Takes the lines of announced wins and losses over from other copies of moves at the root, where they
/// are of what is known of the move now, or nothing else is.
pub(super) fn keep_lines(roots: &mut [RootMove], others: &[RootMove]) {
    for other in others {
        let Some(announced) = &other.announced else { continue };
        let root = roots.iter_mut().find(|root| root.mv == other.mv);
        let is_newer = |root: &&mut RootMove| {
            let (score, pv) = &announced.known;
            root.announced.is_none() || (*score, pv) == (root.score, &root.pv)
        };
        if let Some(root) = root.filter(is_newer) {
            root.announced = Some(announced.clone());
        }
    }
}

/// Whether a line is as long as the win or loss that it shows.
fn is_whole((score, _, line): &Told) -> bool {
    score.mate().is_some_and(|plies| plies.unsigned_abs() as usize == line.len())
}

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// The moves to search, the most promising first: those asked for, else a winning one, else
    /// the defenses against a threat, else the candidates.
    pub(super) fn root_moves(&mut self) -> Vec<RootMove> {
        let asked = &self.shared.limits.search_moves;
        let wanted = self.shared.settings.multi_pv as usize;
        let mut moves = MoveList::new();
        self.root_coverage = Coverage::All;
        if !asked.is_empty() {
            moves.extend(asked.iter().filter(|&&mv| self.tree.is_legal(mv)));
            moves.sort_unstable();
            moves.dedup();
            return self.sorted_root_moves(moves);
        }
        let winning = self.tree.win_this_turn();
        if let Some(mv) = winning {
            moves.push(mv);
        } else if let Some(coverage) = self.tree.defenses(&mut moves) {
            self.root_coverage = coverage;
        }
        if moves.is_empty() || wanted > 1 {
            moves.clear();
            let coverage = self.tree.candidates(&mut moves);
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

    /// Where the other side wins at once after some of the moves, keeps only moves after which it does not,
    /// of all legal ones if these are not too many or none of the moves is safe. Nothing changes if no
    /// move is safe.
    fn keep_safe_moves(&mut self, moves: &mut MoveList) {
        let mut safe = moves.clone();
        safe.retain(|&mv| !self.tree.loses_at_once(mv));
        if safe.len() == moves.len() {
            return;
        }
        if safe.is_empty() || !self.tree.has_more_moves_than(MOST_VERIFIED) {
            safe.clear();
            self.tree.all_candidates(&mut safe);
            safe.retain(|&mv| !self.tree.loses_at_once(mv));
            if !safe.is_empty() {
                self.root_coverage = Coverage::AgainstThreat;
            }
        } else if self.root_coverage == Coverage::All {
            self.root_coverage = Coverage::AgainstThreat;
        }
        if !safe.is_empty() {
            *moves = safe;
        }
    }

    /// Moves of the root, the most promising first.
    fn sorted_root_moves(&mut self, moves: MoveList) -> Vec<RootMove> {
        let value = self.tree.value();
        let mut scored: Vec<(Move, i32)> = moves.into_iter().map(|mv| (mv, 0)).collect();
        self.tree.add_ordering_scores(&mut scored);
        scored.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        let moves = scored.into_iter().map(|(mv, _)| mv);
        moves.map(|mv| RootMove { blur: self.blur(mv), ..RootMove::new(mv, value) }).collect()
    }

    /// Adds the legal moves that a selective list left out, but for those that lose at once, so that losses
    /// of all moves prove a loss. Returns the new ones.
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

    /// The misjudgment of a move, always the same for a position and a seed.
    fn blur(&self, mv: Move) -> i32 {
        let &AlphaBetaSettings { handicap: Handicap { blur, .. }, seed, .. } =
            &self.shared.settings;
        let chance = mix(self.tree.key().0 ^ mix(seed) ^ mix(u64::from(mv.bits())));
        (chance % (2 * blur.unsigned_abs() as u64 + 1)) as i32 - blur
    }

    /// Searches the root moves from number `line` on and brings the best of them to that place.
    pub(super) fn search_root(&mut self, depth: u32, line: usize) -> Result<(), Aborted> {
        self.search_root_with(Window::FULL, depth, line)
    }

    /// [`Worker::search_root`] for values within a window.
    pub(super) fn search_root_with(
        &mut self,
        mut window: Window,
        depth: u32,
        line: usize,
    ) -> Result<(), Aborted> {
        let whole = window;
        self.counter.root_depth = depth;
        let width = self.shared.settings.handicap.width;
        let moves = self.roots[line..].iter().map(|root| (root.mv, root.blur));
        let mut queue: VecDeque<(usize, (Move, i32))> = moves.enumerate().collect();
        let mut fresh = queue.len();
        let mut numbers = queue.len()..;
        loop {
            if queue.is_empty() && self.roots[line].score.is_loss() {
                let added = self.add_unlisted_root_moves();
                fresh = added.len();
                let added = added.into_iter().map(|root| (root.mv, root.blur));
                queue.extend(numbers.by_ref().zip(added));
            }
            let Some((number, (mv, blur))) = queue.pop_front() else { break };
            if fresh > 0 {
                fresh -= 1;
                if number > 0 && self.is_busy(mv, depth as i32) {
                    queue.push_back((number, (mv, blur)));
                    continue;
                }
            }
            // Being put off changes nothing about how deep a move is searched.
            let node_type = if number == 0 {
                NodeType::Pv
            } else {
                let reduction = self.root_reduction(mv, depth as i32, number);
                NodeType::Scout { reduction, best: -Score::INFINITE }
            };
            let blurred = Window { alpha: window.alpha.plus(-blur), beta: window.beta.plus(-blur) };
            let before = self.counter.own();
            let score = self.search_move(mv, blurred, depth as i32, 0, node_type);
            let index = self.roots.iter().position(|root| root.mv == mv).unwrap_or(line);
            self.roots[index].nodes += self.counter.own() - before;
            let score = score?;
            self.roots[index].saw(score, depth);
            // A win that was found before stays one, even if this iteration does not see it.
            let known = self.roots[index].score;
            let proven = known.is_win() && known > score;
            let score = if proven { known } else { score };
            if score.plus(blur) > window.alpha || number == 0 {
                if proven {
                    self.stack.at(0).pv.clone_from(&self.roots[index].pv);
                } else {
                    self.stack.update_pv(0, mv);
                }
                self.promote(index, line, score, whole.bound(score), depth);
                window.alpha = window.alpha.max(score.plus(blur));
            }
            if self.roots.len() - queue.len() >= width && !window.alpha.is_loss() {
                break;
            }
            if window.alpha >= window.beta {
                break;
            }
        }
        Ok(())
    }

    /// How many plies less a root move, the `index`th in order, is searched at first.
    fn root_reduction(&self, mv: Move, depth: i32, index: usize) -> i32 {
        let class = self.class(mv);
        let class = if class == MoveClass::Quiet { class } else { MoveClass::Forced };
        let order = MoveOrder::Rough;
        let parameters = &self.shared.settings.parameters;
        let pruning = Pruning {
            parameters,
            depth,
            is_pv: true,
            expects_cut: false,
            static_value: None,
            order,
            attacks: false,
        };
        pruning.reduction(class, index, LateMove::default())
    }

    /// Makes sense of an iteration that was broken off. If all moves that it has looked at lose,
    /// one that it has not is better, and no loss is proven. If all moves are known to lose, the one that
    /// may last longest is best.
    pub(super) fn abandon(&mut self, depth: u32) {
        let found = self.roots.first().map(|best| best.score).filter(|score| score.is_loss());
        let Some(found) = found else { return };
        let before = self.shared.best();
        let unseen = |root: &RootMove| root.loss.is_none() && root.seen < depth;
        let (index, score) = if let Some(hope) = self.roots.iter().position(unseen) {
            // What is known of it is that it was no better than the best of the iteration before.
            (hope, before.map(|(score, _)| score))
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

    /// Makes sense of a proof that was broken off: a move that was shown not to lose is a lower bound; else
    /// nothing is known but the static value, which is reported with depth 0.
    pub(super) fn abandon_proof(&mut self) {
        let Some(best) = self.roots.first_mut() else { return };
        if best.seen > 0 && best.score >= Score::DRAW {
            (best.bound, best.depth) = (Bound::Lower, best.seldepth);
            return;
        }
        let hope = self.roots.iter().position(|root| root.loss.is_none());
        self.roots[..=hope.unwrap_or(0)].rotate_right(1);
        let (mv, blur) = (self.roots[0].mv, self.roots[0].blur);
        let value = self.tree.value();
        self.roots[0] = RootMove { blur, ..RootMove::new(mv, value) };
    }

    /// Where every root move loses, brings the one that lasts longest to the front, so that the loss is one
    /// that no defense outlasts.
    pub(super) fn promote_longest_loss(&mut self) {
        let Some((index, loss)) = self.longest_loss() else { return };
        if self.roots[0].score.is_loss() && loss > self.roots[0].score {
            self.roots[..=index].rotate_right(1);
            (self.roots[0].score, self.roots[0].depth) = (loss, self.roots[1].depth);
            self.roots[0].seldepth = self.roots[1].seldepth;
        }
    }

    /// The first of the losing root moves that may last longest, and how long.
    fn longest_loss(&self) -> Option<(usize, Score)> {
        let losses = self.roots.iter().enumerate().rev();
        let losses = losses.filter_map(|(index, root)| Some((index, root.loss?)));
        losses.max_by_key(|&(_, loss)| loss)
    }

    /// Looks for a forced win at the root, by continuous threats, then with `dfpn_nodes` by threats
    /// of every kind, and brings the move that begins one to the front.
    pub(super) fn solve_root(
        &mut self,
        budget: ThreatBudget,
        dfpn_nodes: u64,
    ) -> Result<(), Aborted> {
        let (solver, tree, counter) = (&mut self.solver, &mut self.tree, &mut self.counter);
        let mut found = solver.longer_vcf(tree, counter, budget)?.win();
        if found.is_none() && dfpn_nodes > 0 {
            found = solver.dfpn(tree, counter, dfpn_nodes)?.win();
        }
        let Some(win) = found else { return Ok(()) };
        self.stack.at(0).set_pv(self.solver.line());
        self.promote_win(win.mv, Score::win_in(win.plies));
        Ok(())
    }

    /// Brings a move that was shown to win to the front, its line being the best of the root, unless
    /// as good a win is known.
    pub(super) fn promote_win(&mut self, mv: Move, score: Score) {
        if let Some(index) = self.roots.iter().position(|root| root.mv == mv)
            && score > self.roots[0].score
        {
            let depth = self.roots[0].depth;
            self.promote(index, 0, score, Bound::Lower, depth);
        }
    }

    /// Sorts the lines of an iteration by their values. A line is searched without the moves of those
    /// before it, which were reduced less, so that its value may come out higher.
    pub(super) fn sort_lines(&mut self, lines: usize) {
        self.roots[..lines].sort_by_key(|root| std::cmp::Reverse(root.score.plus(root.blur)));
    }

    /// The report on a root move, with the whole line where it announces a win or a loss. What that
    /// takes counts for the move, and is little where time or nodes are over.
    pub(super) fn report(&mut self, index: usize, is_last: bool) -> Report {
        let shared = self.shared;
        let root = &mut self.roots[index];
        let mut report = root.report(index + 1, shared, self.counter.total());
        if report.score.mate().is_none() || !shared.settings.whole_lines {
            return report;
        }
        let known = (report.score, report.pv.clone());
        match root.announced.as_ref().filter(|last| last.known == known) {
            Some(Announced { broken_off: true, .. }) if is_last => {}
            Some(Announced { told, .. }) => {
                (report.score, report.bound, report.pv) = told.clone();
                return report;
            }
            None => self.wins.clear(),
        }
        // The table knows the win by now, so that the search may see no more than its first move.
        let before_that = root.announced.take().filter(|last| last.known.0 == known.0);
        let is_all =
            index == 0 && shared.settings.multi_pv == 1 && shared.limits.search_moves.is_empty();
        let before = self.counter.own();
        let searched = (&mut self.tree, shared.table);
        let mut counter = self.counter.of_line(is_last);
        let completed =
            win_line::complete(searched, &mut self.wins, &mut report, is_all, &mut counter);
        root.nodes += self.counter.own() - before;
        (report.nodes, report.move_nodes) = (self.counter.total(), root.nodes);
        let mut told = (report.score, report.bound, report.pv.clone());
        if let Some(last) = before_that.filter(|last| is_whole(&last.told) && !is_whole(&told)) {
            told = last.told;
            (report.score, report.bound, report.pv) = told.clone();
        }
        root.announced = Some(Announced { known, told, broken_off: completed.is_err() });
        report
    }

    /// Moves a root move that turned out best to the front of those not yet ranked.
    fn promote(&mut self, from: usize, to: usize, score: Score, bound: Bound, depth: u32) {
        self.roots[to..=from].rotate_right(1);
        let root = &mut self.roots[to];
        root.score = score;
        root.bound = bound;
        root.depth = depth;
        root.seldepth = self.seldepth.max(1);
        root.pv.clone_from(&self.stack.at(0).pv);
        let wins = self.roots[..=to].iter().any(|root| root.score.is_win());
        self.counter.hold_back(wins);
    }
}

impl RootMove {
    /// Takes note of what an iteration has found of the move, or no better than that.
    fn saw(&mut self, score: Score, depth: u32) {
        self.seen = depth;
        if score.is_loss() {
            self.loss = Some(self.loss.map_or(score, |loss| loss.min(score)));
        }
    }

    /// The report on the move, which is the `rank`th best.
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

    /// A move before any search, in a position that looks like `value`.
    fn new(mv: Move, value: Score) -> RootMove {
        RootMove {
            mv,
            blur: 0,
            seen: 0,
            loss: None,
            score: value,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            pv: vec![mv],
            nodes: 0,
            announced: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::worker::tests::with_worker;

    #[test]
    fn a_weak_level_leaves_out_the_same_moves_for_every_line() {
        let handicap = Handicap { width: 5, ..Handicap::none() };
        let settings = AlphaBetaSettings { multi_pv: 3, handicap, ..AlphaBetaSettings::default() };
        with_worker(("gomoku", "h8"), settings, 1, |worker| {
            worker.roots = worker.root_moves();
            for line in 0..3 {
                worker.roots.iter_mut().for_each(|root| root.seen = 0);
                worker.search_root(3, line).unwrap();
                let seen = worker.roots.iter().filter(|root| root.seen > 0).count();
                assert_eq!(line + seen, 5);
            }
        });
    }
}
