//! One thread of a search.

use super::history::History;
use super::move_picker::NodeState;
use super::node_counter::ThreadCounter;
use super::root::{RootMove, keep_lines};
use super::threads::Shared;
use super::win_search::WinSearch;
use crate::search::search_stack::SearchStack;
use crate::search::win_line::WinMemory;
use crate::search::{
    Aborted, Bound, Coverage, Limits, Report, Score, ThreatBudget, ThreatGenerator, ThreatSolver,
    Tree, Window,
};
use pentarch_core::game::Position;
use std::sync::atomic::Ordering;

/// A thread's own state. Buffers and history live as long as the search.
pub(super) struct Worker<'a, P, E> {
    pub tree: Tree<P, E>,
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
    pub wins: WinMemory,
}

/// The most threats in a row that are looked at from the root.
const ROOT_THREATS: u32 = 20;

impl<'a, P: Position, E: ThreatGenerator<P>> Worker<'a, P, E> {
    pub(super) fn new(tree: Tree<P, E>, shared: &'a Shared<'a>) -> Self {
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
            wins: WinMemory::default(),
        }
    }

    /// Searches until a limit is reached or another thread is done.
    pub(super) fn run(&mut self) {
        self.roots = self.root_moves();
        if self.roots.is_empty() {
            return;
        }
        if self.shared.settings.exact {
            match self.prove() {
                Ok(()) => self.finish(self.roots[0].depth.max(1)),
                Err(Aborted) => self.abandon_proof(),
            }
        } else {
            self.deepen();
        }
        self.share_nodes();
        self.take_over(self.shared.settings.exact);
    }

    /// How deep the thread got, if there is a move.
    pub(super) fn depth(&self) -> Option<u32> {
        Some(self.roots.first()?.depth)
    }

    /// The result of a search that is over, for a thread that has a move.
    pub(super) fn result(&mut self) -> Report {
        keep_lines(&mut self.roots, &self.shared.roots());
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

    /// Takes over what another thread has finished, unless this one is further or has a better win,
    /// which threats alone may have found before any move of an iteration.
    fn take_over(&mut self, exact: bool) {
        let finished = self.shared.finished();
        let [best, ..] = &self.roots[..] else { return };
        if finished == 0 || !exact && best.depth > finished {
            return;
        }
        let roots = self.shared.roots();
        let has_better_win = best.score.is_win() && best.score > roots[0].score;
        if exact || !has_better_win {
            self.adopt(roots);
        }
    }

    fn deepen(&mut self) {
        let limits = self.shared.limits;
        // Looking further cannot help to find a win within that many plies. One that is not forced
        // move by move may stay hidden, because moves are reduced and left out on the way.
        let deepest = limits.depth.into_iter().chain(limits.mate).min().unwrap_or(u32::MAX);
        let deepest = deepest.clamp(1, Limits::DEEPEST);
        let mut depth = 1;
        while depth <= deepest && !self.shared.done.load(Ordering::Relaxed) {
            match self.iterate(depth) {
                Ok(()) => self.finish(depth),
                Err(Aborted) if self.shared.finished() < depth || self.counter.must_end() => {
                    return self.abandon(depth);
                }
                // Another thread was faster.
                Err(Aborted) => self.adopt(self.shared.roots()),
            }
            depth = self.shared.finished() + 1;
        }
        self.shared.done.store(true, Ordering::Relaxed);
    }

    /// One iteration: the best lines, one after the other, each without the moves before it.
    fn iterate(&mut self, depth: u32) -> Result<(), Aborted> {
        self.seldepth = 0;
        self.counter.root_depth = depth;
        if self.shared.settings.handicap.forced_wins {
            let (budget, dfpn_nodes) = self.root_threats();
            self.solve_root(budget, dfpn_nodes)?;
            self.seek_win()?;
        }
        if let Some(known) = self.aspired_value(depth) {
            return self.search_root_near(known, depth);
        }
        for line in 0..self.lines() {
            self.search_root(depth, line)?;
        }
        self.sort_lines(self.lines());
        Ok(())
    }

    /// What to spend on continuous threats before an iteration: a small part of all nodes so far, or
    /// as many again if a win is all that is asked for. Then the nodes for threats of every kind,
    /// which playing against a clock gains nothing from: 87 of 180 points at 100 ms a move.
    fn root_threats(&self) -> (ThreatBudget, u64) {
        let nodes = self.counter.total();
        let limits = self.shared.limits;
        let share = u64::from(self.shared.settings.parameters.root_share.unsigned_abs()).max(1);
        let (nodes, threats) = match limits.mate {
            Some(plies) => (nodes.max(10_000), plies.saturating_sub(1) / 2),
            None => (nodes / share, ROOT_THREATS),
        };
        let nodes = nodes.min(u32::MAX.into()) as u32;
        let dfpn_nodes = if limits.infinite || limits.mate.is_some() { nodes } else { 0 };
        (ThreatBudget { nodes, threats, thrifty: false }, dfpn_nodes.into())
    }

    /// The number of lines to report.
    pub(super) fn lines(&self) -> usize {
        (self.shared.settings.multi_pv.max(1) as usize).min(self.roots.len())
    }

    /// Makes a finished iteration count for all threads, or takes over what another has made count
    /// before. Ends the search if more of it is of no use.
    fn finish(&mut self, depth: u32) {
        let shared = self.shared;
        if shared.publish(depth, &self.roots) {
            self.report_progress();
        } else {
            self.adopt(shared.roots());
        }
        if self.is_decided(depth) || !shared.time_manager.allows_iteration(shared.signal) {
            shared.done.store(true, Ordering::Relaxed);
        }
    }

    /// Reports what is finished, until all of it is reported or another thread does so.
    fn report_progress(&mut self) {
        while let Some(mut claim) = self.shared.claim_report() {
            self.adopt(std::mem::take(&mut claim.roots));
            let lines: Vec<_> = (0..self.lines()).map(|line| self.report(line, false)).collect();
            self.share_nodes();
            claim.report(&self.roots, &lines);
        }
    }

    /// Goes on with root moves that another thread may have left.
    fn adopt(&mut self, roots: Vec<RootMove>) {
        let own = std::mem::replace(&mut self.roots, roots);
        keep_lines(&mut self.roots, &own);
    }

    /// Whether going deeper is of no use: the end is proven and cannot come sooner, or a win is and
    /// time counts, or only one move is there and the clock runs.
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

    /// Proves win, draw or loss with a window of nothing more. The first root move ends
    /// up with the value, a win or loss with a length that is an upper bound. Depth ends nothing
    /// here; it only marks for the table which results are the more precious.
    fn prove(&mut self) -> Result<(), Aborted> {
        let window = Window { alpha: Score::points(-1), beta: Score::points(1) };
        self.search_root_with(window, Limits::DEEPEST, 0)?;
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
    use crate::eval::{LineEvaluator, PatternTables};
    use crate::search::alpha_beta::AlphaBetaSettings;
    use crate::search::{Report, Signal, TranspositionTable};
    use pentarch_core::placement;
    use std::sync::Arc;

    /// What a test finds out with one thread of several, on its position after moves of a variant.
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
        let tables = Arc::new(PatternTables::with_file(position.rules(), None));
        let table = TranspositionTable::new(1).unwrap();
        let (limits, signal) = (Limits::depth(9), Signal::new());
        let mut sink = |_: &Report| ();
        let shared = Shared::new(&table, settings, (&limits, &signal), &mut sink, threads);
        let tree = Tree::new(position, LineEvaluator::new(tables, false, 0));
        test(&mut Worker::new(tree, &shared))
    }
}
