//! One thread of a search.

use super::Shared;
use super::frames::Frames;
use super::root::RootMove;
use crate::game::{Cell, Move, Position};
use crate::search::{Bound, Evaluator, Found, Limits, Report, Score, Sink, Tree, Window};
use std::sync::atomic::Ordering;

/// The search must end; whatever is under way counts for nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aborted;

/// A thread's own state. Buffers and history live as long as the search.
pub(super) struct Worker<'a, P, E> {
    pub tree: Tree<P, E>,
    pub shared: &'a Shared<'a>,
    pub frames: Frames,
    pub history: History,
    pub roots: Vec<RootMove>,
    pub seldepth: u32,
    /// Plies looked ahead from the root in this iteration.
    pub root_depth: u32,
    /// Nodes that the search for a forced win may still visit.
    pub threat_nodes: u32,
    /// The node count of the last report, if it was of the best line.
    told_nodes: Option<u64>,
    index: usize,
    nodes: u64,
    reported_nodes: u64,
}

/// How often a move, told by the seat that makes it and its cell, refuted a node, weighted by
/// depth (Schaeffer 1989).
pub(super) struct History(Box<[[i32; Cell::LIMIT]; 4]>);

/// Nodes between looks at the clock.
const CLOCK_NODES: u64 = 128;

impl History {
    #[inline]
    pub(super) fn get(&self, seat: usize, mv: Move) -> i32 {
        mv.cell().map_or(0, |cell| self.0[seat & 3][cell.index() % Cell::LIMIT])
    }

    /// Rewards a refutation; the closer to the limit, the less.
    pub(super) fn reward(&mut self, seat: usize, mv: Move, depth: i32) {
        if let Some(cell) = mv.cell() {
            let value = &mut self.0[seat & 3][cell.index() % Cell::LIMIT];
            let bonus = (depth * depth).min(400);
            *value += bonus - *value * bonus / HISTORY_LIMIT;
        }
    }
}

/// History values stay below this.
const HISTORY_LIMIT: i32 = 4000;

impl<'a, P: Position, E: Evaluator<P>> Worker<'a, P, E> {
    pub(super) fn new(tree: Tree<P, E>, shared: &'a Shared<'a>, index: usize) -> Self {
        Worker {
            tree,
            shared,
            frames: Frames::default(),
            history: History(Box::new([[0; Cell::LIMIT]; 4])),
            roots: Vec::new(),
            seldepth: 0,
            root_depth: 0,
            threat_nodes: 0,
            told_nodes: None,
            index,
            nodes: 0,
            reported_nodes: 0,
        }
    }

    /// Deepens until a limit is reached.
    pub(super) fn run(&mut self, sink: &mut (dyn Sink + Send)) -> Found {
        self.roots = self.root_moves();
        if self.roots.is_empty() {
            return Found { best: None, report: super::Report::empty() };
        }
        if self.shared.settings.exact {
            let _ = self.prove();
        } else {
            self.deepen(sink);
        }
        if self.index == 0 {
            self.shared.done.store(true, Ordering::Relaxed);
        }
        let report = self.report(0);
        if self.told_nodes != Some(report.nodes) {
            sink.report(&report);
        }
        Found { best: self.roots.first().map(|root| root.mv), report }
    }

    fn deepen(&mut self, sink: &mut (dyn Sink + Send)) {
        let limits = self.shared.limits;
        // Looking further cannot help to find a win within so many plies. One may still stay hidden,
        // because moves are reduced and left out on the way.
        let deepest = limits.depth.into_iter().chain(limits.mate).min().unwrap_or(u32::MAX);
        let deepest = deepest.clamp(1, Limits::DEEPEST);
        // Helpers start at different depths, so that they fill the table ahead of the first.
        let first = 1 + (self.index as u32 % 2);
        for depth in first..=deepest {
            if depth > 1 && !self.shared.budget.allows_iteration(self.shared.signal) {
                break;
            }
            if self.iterate(depth, sink).is_err() || self.is_decided(depth) {
                break;
            }
        }
    }

    /// One iteration: the best lines, one after the other, each without the moves before it.
    fn iterate(&mut self, depth: u32, sink: &mut (dyn Sink + Send)) -> Result<(), Aborted> {
        let lines = (self.shared.settings.multi_pv.max(1) as usize).min(self.roots.len());
        self.seldepth = 0;
        for line in 0..lines {
            self.search_root(depth, line)?;
        }
        if self.index == 0 {
            for line in 0..lines {
                sink.report(&self.report(line));
            }
            self.told_nodes = (lines == 1).then(|| self.total_nodes());
        }
        Ok(())
    }

    /// Whether going deeper can change nothing: the end is proven, or only one move is there and
    /// the clock runs.
    fn is_decided(&self, depth: u32) -> bool {
        let limits = self.shared.limits;
        let Some(best) = self.roots.first() else { return true };
        let proven = best.score.mate().is_some_and(|plies| plies.unsigned_abs() <= depth);
        let wanted = match limits.mate {
            Some(plies) => best.score.mate().is_some_and(|n| n > 0 && n as u32 <= plies),
            None => false,
        };
        let only = self.roots.len() == 1 && limits.clock.is_some();
        (proven && self.shared.settings.multi_pv == 1) || wanted || only
    }

    /// Counts a node and looks, now and then, whether the search must end.
    #[inline]
    pub(super) fn count_node(&mut self) -> Result<(), Aborted> {
        if self.shared.limits.nodes.is_some_and(|most| self.total_nodes() >= most) {
            return Err(Aborted);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_NODES) { self.look_around() } else { Ok(()) }
    }

    #[cold]
    fn look_around(&mut self) -> Result<(), Aborted> {
        let new = self.nodes - self.reported_nodes;
        self.shared.nodes.fetch_add(new, Ordering::Relaxed);
        self.reported_nodes = self.nodes;
        let signal = self.shared.signal;
        let over = signal.is_stopped()
            || self.shared.done.load(Ordering::Relaxed)
            || self.shared.budget.is_spent(signal);
        if over { Err(Aborted) } else { Ok(()) }
    }

    fn total_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.reported_nodes
    }

    /// The report of the line of that rank.
    fn report(&self, line: usize) -> Report {
        let shared = self.shared;
        let root = &self.roots[line];
        Report {
            depth: root.depth,
            seldepth: root.seldepth,
            multipv: line as u32 + 1,
            score: root.score,
            bound: root.bound,
            nodes: self.total_nodes(),
            time: shared.budget.elapsed(),
            hashfull: shared.table.hashfull(),
            pv: root.pv.clone(),
        }
    }

    /// Proves win, draw or loss with a window that tells nothing more. The first root move ends
    /// up with the value, a win or loss with a length that is an upper bound. Depth ends nothing
    /// here; it only tells the table which results are the more precious.
    fn prove(&mut self) -> Result<(), Aborted> {
        let window = Window { alpha: Score::points(-1), beta: Score::points(1) };
        self.search_root_with(window, Limits::DEEPEST, 0)?;
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
