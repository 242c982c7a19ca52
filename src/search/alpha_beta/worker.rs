//! One thread of a search.

use super::dfpn::Proofs;
use super::root::RootMove;
use super::search_stack::SearchStack;
use super::threads::Shared;
use crate::game::{Cell, Move, MoveList, Position};
use crate::search::{Bound, Evaluator, Limits, Score, Tree, Window};
use std::sync::atomic::Ordering;

/// The search must end; whatever is under way counts for nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aborted;

/// A thread's own state. Buffers and history live as long as the search.
pub(super) struct Worker<'a, P, E> {
    pub tree: Tree<P, E>,
    pub shared: &'a Shared<'a>,
    pub stack: SearchStack,
    pub history: History,
    pub roots: Vec<RootMove>,
    pub seldepth: u32,
    /// Plies looked ahead from the root in this iteration.
    pub root_depth: u32,
    /// Nodes that the search for a forced win may still visit.
    pub threat_nodes: u32,
    /// What is known of wins by threats of every kind.
    pub proofs: Proofs,
    /// The moves that touch the proof which is being followed.
    pub zone: MoveList,
    nodes: u64,
    reported_nodes: u64,
}

/// How often a move, told by the seat that makes it and its cell, refuted a node, weighted by
/// depth (Schaeffer 1989).
pub(super) struct History(Box<[[i32; Cell::LIMIT]; 4]>);

/// How many threats in a row the search for a forced win at the root may look at.
const ROOT_THREATS: u32 = 20;
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
    pub(super) fn new(tree: Tree<P, E>, shared: &'a Shared<'a>) -> Self {
        Worker {
            tree,
            shared,
            stack: SearchStack::default(),
            history: History(Box::new([[0; Cell::LIMIT]; 4])),
            roots: Vec::new(),
            seldepth: 0,
            root_depth: 0,
            threat_nodes: 0,
            proofs: Proofs::new(),
            zone: MoveList::new(),
            nodes: 0,
            reported_nodes: 0,
        }
    }

    /// Searches until a limit is reached or another thread is done. Returns the best move so far,
    /// or none if there is no move.
    pub(super) fn run(&mut self) -> Option<RootMove> {
        self.roots = self.root_moves();
        if self.roots.is_empty() {
            return None;
        }
        if self.shared.settings.exact {
            if self.prove().is_ok() {
                self.finish(self.roots[0].depth.max(1));
            }
        } else {
            self.deepen();
        }
        self.share_nodes();
        // What another thread has finished is worth more than what this one has begun.
        let finished = self.shared.finished();
        let exact = self.shared.settings.exact;
        let roots = if finished > 0 && (exact || self.roots[0].depth <= finished) {
            &self.shared.roots()
        } else {
            &self.roots
        };
        roots.first().cloned()
    }

    fn deepen(&mut self) {
        let limits = self.shared.limits;
        // Looking further cannot help to find a win within so many plies. One that is not forced
        // move by move may stay hidden, because moves are reduced and left out on the way.
        let deepest = limits.depth.into_iter().chain(limits.mate).min().unwrap_or(u32::MAX);
        let deepest = deepest.clamp(1, Limits::DEEPEST);
        let mut depth = 1;
        while depth <= deepest && !self.shared.done.load(Ordering::Relaxed) {
            match self.iterate(depth) {
                Ok(()) => self.finish(depth),
                Err(Aborted) if self.shared.finished() < depth || self.must_end() => {
                    return self.abandon(depth);
                }
                // Another thread was faster.
                Err(Aborted) => self.roots = self.shared.roots(),
            }
            depth = self.shared.finished() + 1;
        }
        self.shared.done.store(true, Ordering::Relaxed);
    }

    /// One iteration: the best lines, one after the other, each without the moves before it.
    fn iterate(&mut self, depth: u32) -> Result<(), Aborted> {
        self.seldepth = 0;
        self.root_depth = depth;
        if self.shared.settings.handicap.forced_wins {
            self.force_root(self.forcing_effort())?;
        }
        for line in 0..self.lines() {
            self.search_root(depth, line)?;
        }
        Ok(())
    }

    /// The nodes to spend on a forced win before an iteration, and the threats in a row: a small
    /// part of all so far, or as much again if a win is all that is asked for. Then the nodes for
    /// threats of every kind, which playing against a clock gains nothing from: 87 of 180 points at
    /// 100 ms a move.
    fn forcing_effort(&self) -> (u32, u32, u32) {
        let nodes = self.total_nodes();
        let limits = self.shared.limits;
        let (nodes, threats) = match limits.mate {
            Some(plies) => (nodes.max(10_000), plies.saturating_sub(1) / 2),
            None => (nodes / 16, ROOT_THREATS),
        };
        let nodes = nodes.min(u32::MAX.into()) as u32;
        (nodes, threats, if limits.infinite || limits.mate.is_some() { nodes } else { 0 })
    }

    /// The number of lines to report.
    fn lines(&self) -> usize {
        (self.shared.settings.multi_pv.max(1) as usize).min(self.roots.len())
    }

    /// Makes a finished iteration count for all threads, or takes over what another has made count
    /// before. Ends the search if more of it is of no use.
    fn finish(&mut self, depth: u32) {
        self.share_nodes();
        let shared = self.shared;
        let nodes = self.total_nodes();
        let report = |(line, root): (usize, &RootMove)| root.report(line + 1, shared, nodes);
        let lines: Vec<_> = self.roots.iter().take(self.lines()).enumerate().map(report).collect();
        if !shared.finish(depth, &self.roots, &lines) {
            self.roots = shared.roots();
        }
        if self.is_decided(depth) || !shared.time_manager.allows_iteration(shared.signal) {
            shared.done.store(true, Ordering::Relaxed);
        }
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

    /// Counts a node and looks, now and then, whether the search must end.
    #[inline]
    pub(super) fn count_node(&mut self) -> Result<(), Aborted> {
        if self.shared.limits.nodes.is_some_and(|most| self.total_nodes() >= most) {
            return Err(Aborted);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_NODES) { self.look_around() } else { Ok(()) }
    }

    /// Looks whether the search must end, or another thread has finished this iteration.
    #[cold]
    fn look_around(&mut self) -> Result<(), Aborted> {
        self.share_nodes();
        let overtaken = self.shared.finished() >= self.root_depth && self.root_depth > 0;
        if overtaken || self.must_end() { Err(Aborted) } else { Ok(()) }
    }

    fn must_end(&self) -> bool {
        let signal = self.shared.signal;
        signal.is_stopped()
            || self.shared.done.load(Ordering::Relaxed)
            || self.shared.time_manager.is_out_of_time(signal)
    }

    /// The nodes that this thread has visited.
    pub(super) fn own_nodes(&self) -> u64 {
        self.nodes
    }

    fn share_nodes(&mut self) {
        let new = self.nodes - self.reported_nodes;
        self.shared.nodes.fetch_add(new, Ordering::Relaxed);
        self.reported_nodes = self.nodes;
    }

    fn total_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.reported_nodes
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
