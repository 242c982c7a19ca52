//! What a tree search reports: the best moves by visits, with their lines.

use super::guide::{Decided, Guide, Rewards};
use super::node::Node;
use super::proof_line::proof_line;
use super::worker::Worker;
use crate::search::{Bound, Limits, Report, Score, SearchResult, Sink};
use pentarch_core::game::{Move, Position, Side};
use std::sync::atomic::Ordering;

impl Node {
    /// Whether looking on cannot change the move: the clock runs and there is but one.
    pub(super) fn only_one_matters(&self, limits: &Limits) -> bool {
        limits.clock.is_some() && self.children().is_some_and(|all| all.nodes.len() == 1)
    }
}

/// What a helper thread returns; nobody reads it.
pub(super) fn nothing() -> SearchResult {
    SearchResult { best: None, report: Report::empty() }
}

/// The children from the best on: a proven win first, proven losses last, else by visits; a
/// proven draw stands before what is worth less than one.
fn ranked(node: &Node, mover: Side) -> Vec<&Node> {
    let mut children: Vec<&Node> =
        node.children().into_iter().flat_map(|all| all.nodes.iter()).collect();
    let class = |child: &Node| match child.proof() {
        Some(Decided(Some(side))) if side == mover => 0,
        Some(Decided(None)) => 2,
        Some(Decided(Some(_))) => 4,
        None if child.mean().is_some_and(|mean| mean > Rewards::DRAW) => 1,
        None => 3,
    };
    children.sort_by_key(|child| (class(child), std::cmp::Reverse(child.visits())));
    children
}

/// The line of most visits from a node on, that is, without proofs the best.
fn line(node: &Node, first: Option<&Node>) -> Vec<Move> {
    let mut line = Vec::new();
    let mut next = first.or_else(|| most_visited(node));
    while let Some(node) = next {
        line.push(node.mv);
        next = most_visited(node);
    }
    line
}

fn most_visited(node: &Node) -> Option<&Node> {
    // After a proof the move that proves it: the one with the node's own proof.
    let proof = node.proof();
    let children = || node.children().into_iter().flat_map(|all| all.nodes.iter());
    let proving = children().find(|child| proof.is_some() && child.proof() == proof);
    let visited = children().filter(|child| child.visits() > 0);
    proving.or_else(|| visited.max_by_key(|child| child.visits()))
}

/// The length of the best line.
pub(super) fn line_length(root: &Node) -> u32 {
    line(root, None).len() as u32
}

/// Reports the state of the search, the best line reported last first.
pub(super) fn report<P: Position, G: Guide<P>>(
    worker: &mut Worker<'_, P, G>,
    sink: &mut (dyn Sink + Send),
    is_last: bool,
) -> SearchResult {
    let shared = worker.shared;
    let mover = worker.position.side_of(worker.position.to_move());
    let mut best = ranked(shared.root, mover);
    if let Some(Decided(Some(winner))) = shared.root.proof()
        && winner != mover
    {
        // No defense lasts longer than the loss that is reported.
        let Worker { position, guide, .. } = &mut *worker;
        best.sort_by_cached_key(|child| {
            std::cmp::Reverse(proof_line(position, guide, child, winner).len())
        });
    }
    let lines = (shared.settings.multi_pv.max(1) as usize).min(best.len());
    let nodes = shared.simulations.load(Ordering::Relaxed);
    let size = shared.size.load(Ordering::Relaxed) as u64;
    let hashfull = size * 1000 / (shared.most_nodes() as u64).max(1);
    let mut reports: Vec<Report> = Vec::new();
    for (index, child) in best.iter().take(lines).enumerate() {
        let (score, bound, pv) = value(worker, child, mover);
        reports.push(Report {
            depth: if nodes == 0 { 0 } else { pv.len() as u32 },
            seldepth: pv.len() as u32,
            multipv: index as u32 + 1,
            score,
            bound,
            nodes,
            move_nodes: child.visits().into(),
            time: shared.time_manager.elapsed(),
            hashfull: hashfull.min(1000) as u32,
            pv,
        });
    }
    for report in &reports {
        sink.report(report);
    }
    // The best line's is the last before the answer.
    if let Some(best) = reports.first().filter(|_| is_last && lines > 1) {
        sink.report(best);
    }
    let report = reports.into_iter().next().unwrap_or_else(Report::empty);
    SearchResult { best: best.first().map(|child| child.mv), report }
}

/// The value of a move for the side that makes it, and its line. Of a proven win the tree knows one
/// length, which need not be the shortest.
fn value<P: Position, G: Guide<P>>(
    worker: &mut Worker<'_, P, G>,
    child: &Node,
    mover: Side,
) -> (Score, Bound, Vec<Move>) {
    let Worker { position, guide, shared, .. } = worker;
    match child.proof() {
        None => {
            let score = guide.score(position, child.mean().unwrap_or(Rewards::DRAW));
            (score, Bound::Exact, line(shared.root, Some(child)))
        }
        Some(Decided(None)) => (Score::DRAW, Bound::Exact, line(shared.root, Some(child))),
        Some(Decided(Some(winner))) => {
            let pv = proof_line(position, guide, child, winner);
            let plies = pv.len() as u32;
            let known = plies == 1 || guide.has_fixed_length();
            match winner == mover {
                true if known => (Score::win_in(plies), Bound::Exact, pv),
                true => (Score::win_in(plies), Bound::Lower, pv),
                false if known => (Score::loss_in(plies), Bound::Exact, pv),
                false => (Score::loss_in(plies), Bound::Upper, pv),
            }
        }
    }
}
