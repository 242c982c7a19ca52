//! One thread of a search: iterative deepening with aspiration windows, or a proof with `Exact`.

use super::Handicap;
use super::move_picker::{History, NodeState};
use super::root::{RootMove, keep_reported_mates};
use super::threads::{Shared, ThreadCounter};
use super::win_search::WinSearch;
use crate::search::mate_line::MateCache;
use crate::search::search_stack::SearchStack;
use crate::search::{
    Aborted, Bound, Coverage, Limits, Report, Score, SearchPosition, ThreatBudget, ThreatGenerator,
    ThreatSolver, Window,
};
use pentarch_core::game::Position;
use std::sync::atomic::Ordering;

/// The state of a thread.
pub(super) struct Worker<'a, P, E> {
    pub tree: SearchPosition<P, E>,
    pub shared: &'a Shared<'a>,
    pub stack: SearchStack<NodeState>,
    pub history: History,
    pub roots: Vec<RootMove>,
    /// What the root moves cover.
    pub root_coverage: Coverage,
    pub seldepth: u32,
    pub counter: ThreadCounter<'a>,
    pub solver: ThreatSolver<'a>,
    pub win_search: WinSearch,
    pub mates: MateCache,
}

/// The most consecutive threats in the search for continuous threats at the root.
const ROOT_THREATS: u32 = 20;
/// A wider aspiration window is opened on the side where it failed.
const MAX_ASPIRATION_MARGIN: i32 = 1000;

impl<'a, P: Position, E: ThreatGenerator<P>> Worker<'a, P, E> {
    pub(super) fn new(tree: SearchPosition<P, E>, shared: &'a Shared<'a>) -> Self {
        Worker {
            tree,
            shared,
            stack: SearchStack::default(),
            history: History::default(),
            roots: Vec::new(),
            root_coverage: Coverage::Selective,
            seldepth: 0,
            counter: ThreadCounter::new(shared),
            solver: ThreatSolver::new(shared.table),
            win_search: WinSearch::default(),
            mates: MateCache::default(),
        }
    }

    /// Searches until a limit is reached or another thread ends the search.
    pub(super) fn run(&mut self) {
        self.roots = self.root_moves();
        if self.roots.is_empty() {
            return;
        }
        if self.shared.settings.exact {
            match self.prove() {
                Ok(()) => self.finish(self.roots[0].depth.max(1)),
                Err(Aborted) => self.finish_aborted_proof(),
            }
        } else {
            self.deepen();
        }
        self.share_nodes();
        self.sync_from_finished(self.shared.settings.exact);
    }

    /// The depth of the best root move, if there is a move.
    pub(super) fn depth(&self) -> Option<u32> {
        Some(self.roots.first()?.depth)
    }

    /// The result of a finished search, for a thread that has a move.
    pub(super) fn result(&mut self) -> Report {
        keep_reported_mates(&mut self.roots, &self.shared.roots());
        let report = self.report(0, true);
        self.share_nodes();
        report
    }

    /// Adds the nodes of this thread to those of all.
    fn share_nodes(&mut self) {
        #[cfg(debug_assertions)]
        assert!(self.tree.plays <= self.counter.own(), "every move played counts as a node");
        self.counter.share_nodes();
    }

    /// Takes the root moves of the last finished iteration, unless this thread is deeper or has a better win,
    /// which a threat search may have found.
    fn sync_from_finished(&mut self, exact: bool) {
        let finished = self.shared.finished();
        let [best, ..] = &self.roots[..] else { return };
        if finished == 0 || !exact && best.depth > finished {
            return;
        }
        let roots = self.shared.roots();
        let has_better_win = best.score.is_win() && best.score > roots[0].score;
        if exact || !has_better_win {
            self.sync_from_shared(roots);
        }
    }

    /// Iterative deepening.
    fn deepen(&mut self) {
        let limits = self.shared.limits;
        // A mate limit bounds the depth as well. The search may still miss such a mate, because of pruning and
        // reductions.
        let deepest = limits.depth.into_iter().chain(limits.mate).min().unwrap_or(u32::MAX);
        let deepest = deepest.clamp(1, Limits::MAX_DEPTH);
        let mut depth = 1;
        while depth <= deepest && !self.shared.done.load(Ordering::Relaxed) {
            match self.iterate(depth) {
                Ok(()) => self.finish(depth),
                Err(Aborted) if self.shared.finished() < depth || self.counter.must_end() => {
                    return self.finish_aborted_iteration(depth);
                }
                // Another thread finished the iteration.
                Err(Aborted) => self.sync_from_shared(self.shared.roots()),
            }
            depth = self.shared.finished() + 1;
        }
        self.shared.done.store(true, Ordering::Relaxed);
    }

    /// One iteration. With several lines each is searched without the moves of those before it.
    fn iterate(&mut self, depth: u32) -> Result<(), Aborted> {
        self.seldepth = 0;
        self.counter.root_depth = depth;
        if self.shared.settings.handicap.forced_wins {
            let (budget, dfpn_nodes) = self.root_threat_budget();
            self.search_root_threats(budget, dfpn_nodes)?;
            self.search_win()?;
        }
        if let Some(expected) = self.aspiration_score(depth) {
            return self.search_aspiration(expected, depth);
        }
        for line in 0..self.lines() {
            self.search_root(Window::FULL, depth, line)?;
        }
        self.sort_lines(self.lines());
        Ok(())
    }

    /// The score to expect of an iteration, if an
    /// [aspiration window](https://www.chessprogramming.org/Aspiration_Windows) is of use: a single line, full
    /// strength, no mate.
    fn aspiration_score(&self, depth: u32) -> Option<Score> {
        let settings = &self.shared.settings;
        let is_plain = settings.multi_pv == 1 && settings.handicap == Handicap::none();
        let expected = self.roots.first()?.score;
        let is_deep = depth as i32 >= settings.parameters.aspiration_depth;
        (is_plain && is_deep && expected.mate().is_none()).then_some(expected)
    }

    /// [`Worker::search_root`] with a window around the expected score, widened until the score is inside.
    fn search_aspiration(&mut self, expected: Score, depth: u32) -> Result<(), Aborted> {
        let mut margin = self.shared.settings.parameters.aspiration_margin;
        let mut window = Window { alpha: expected.plus(-margin), beta: expected.plus(margin) };
        loop {
            self.search_root(window, depth, 0)?;
            let score = self.roots[0].score;
            margin *= 2;
            let open = margin > MAX_ASPIRATION_MARGIN || score.mate().is_some();
            if score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.alpha = if open { Window::FULL.alpha } else { score.plus(-margin) };
                // That a move is no better than the window says nothing about it next to a losing one.
                for root in self.roots.iter_mut().filter(|root| root.searched_depth == depth) {
                    root.searched_depth = depth - 1;
                }
            } else if score >= window.beta && window.beta < Window::FULL.beta {
                window.beta = if open { Window::FULL.beta } else { score.plus(margin) };
            } else {
                return Ok(());
            }
        }
    }

    /// The budget of the search for continuous threats before an iteration: a fraction of the nodes so far, or as
    /// many again with a mate limit. Then the nodes of the search for threats of every kind, which gains nothing
    /// in games: 87 of 180 points at 100 ms a move.
    fn root_threat_budget(&self) -> (ThreatBudget, u64) {
        let nodes = self.counter.total();
        let limits = self.shared.limits;
        let share = u64::from(self.shared.settings.parameters.root_share.unsigned_abs()).max(1);
        let (nodes, threats) = match limits.mate {
            Some(plies) => (nodes.max(10_000), plies.saturating_sub(1) / 2),
            None => (nodes / share, ROOT_THREATS),
        };
        let nodes = nodes.min(u32::MAX.into()) as u32;
        let dfpn_nodes = if limits.infinite || limits.mate.is_some() { nodes } else { 0 };
        (ThreatBudget { nodes, threats, narrow: false }, dfpn_nodes.into())
    }

    /// The number of lines to report.
    pub(super) fn lines(&self) -> usize {
        (self.shared.settings.multi_pv.max(1) as usize).min(self.roots.len())
    }

    /// Finishes an iteration for all threads, or takes the root moves of the thread that was first. Ends the search
    /// if another iteration is not needed.
    fn finish(&mut self, depth: u32) {
        let shared = self.shared;
        if shared.publish(depth, &self.roots) {
            self.report_progress();
        } else {
            self.sync_from_shared(shared.roots());
        }
        if self.is_decided(depth) || !shared.time_manager.allows_iteration(shared.signal) {
            shared.done.store(true, Ordering::Relaxed);
        }
    }

    /// Reports finished iterations until none is left or another thread reports.
    fn report_progress(&mut self) {
        while let Some(mut claim) = self.shared.claim_report() {
            self.sync_from_shared(std::mem::take(&mut claim.roots));
            let lines: Vec<_> = (0..self.lines()).map(|line| self.report(line, false)).collect();
            self.share_nodes();
            claim.report(&self.roots, &lines);
        }
    }

    /// Continues with root moves of another thread.
    fn sync_from_shared(&mut self, roots: Vec<RootMove>) {
        let own = std::mem::replace(&mut self.roots, roots);
        keep_reported_mates(&mut self.roots, &own);
    }

    /// Whether another iteration is not needed: a mate is proved and cannot be shorter, a win is proved and time
    /// is limited, or there is a single move and a clock.
    fn is_decided(&self, depth: u32) -> bool {
        let limits = self.shared.limits;
        let Some(best) = self.roots.first() else { return true };
        let proven = best.score.mate().is_some_and(|plies| plies.unsigned_abs() <= depth);
        let wanted = match limits.mate {
            Some(plies) => best.score.mate().is_some_and(|n| n > 0 && n as u32 <= plies),
            None => false,
        };
        let won = best.score.is_win() && (limits.clock.is_some() || limits.move_time.is_some());
        let only = self.roots.len() == 1 && limits.clock.is_some();
        ((proven || won) && self.shared.settings.multi_pv == 1) || wanted || only
    }

    /// Proves a win, draw or loss with a window around the draw score. The first root move then has the score; the
    /// length of a win or loss is an upper bound. The depth does not limit the search; it only ranks table
    /// entries.
    fn prove(&mut self) -> Result<(), Aborted> {
        let window = Window { alpha: Score::points(-1), beta: Score::points(1) };
        self.search_root(window, Limits::MAX_DEPTH, 0)?;
        self.promote_longest_loss();
        if let Some(best) = self.roots.first_mut() {
            best.bound = match best.score {
                Score::DRAW => Bound::Exact,
                score if score.is_loss() => Bound::Upper,
                _ => Bound::Lower,
            };
            best.depth = best.seldepth;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::{LineEvaluator, StoneTables};
    use crate::search::alpha_beta::AlphaBetaSettings;
    use crate::search::{Report, Signal, TranspositionTable};
    use pentarch_core::placement;
    use std::sync::Arc;

    /// Runs a test with one thread of several, at a position given by moves of a variant.
    pub(in super::super) fn with_worker<T>(
        (variant, moves): (&str, &str),
        settings: AlphaBetaSettings,
        threads: usize,
        test: impl FnOnce(&mut Worker<'_, placement::Position, LineEvaluator>) -> T,
    ) -> T {
        let mut position = placement::Position::new(variant.parse().unwrap());
        for text in moves.split(' ') {
            position.play(position.parse_move(text).unwrap());
        }
        let tables = Arc::new(StoneTables::with_file(position.rules(), None));
        let table = TranspositionTable::new(1).unwrap();
        let (limits, signal) = (Limits::depth(9), Signal::new());
        let mut sink = |_: &Report| ();
        let shared = Shared::new(&table, settings, (&limits, &signal), &mut sink, threads);
        let tree = SearchPosition::new(position, LineEvaluator::new(tables, false, 0));
        test(&mut Worker::new(tree, &shared))
    }
}
