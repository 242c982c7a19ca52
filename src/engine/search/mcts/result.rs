//! The result of a tree search: the best moves with their lines, and the lines of proofs.

use super::node::Node;
use super::worker::Worker;
use super::{Decided, Guide, Rewards};
use crate::search::{Bound, Limits, Report, Score, SearchResult, Sink};
use pentarch_core::game::{Move, MoveList, Position, Side};
use std::sync::atomic::Ordering;

/// The greatest number of plies that a position decided by the guide is played on to the end of the game.
const MAX_DECIDED_PLIES: usize = 4;

impl Node {
    /// Whether there is a single move and a clock, so that the search can end.
    pub(super) fn has_single_move(&self, limits: &Limits) -> bool {
        limits.clock.is_some() && self.children().is_some_and(|all| all.nodes.len() == 1)
    }
}

/// The result of a helper thread, which is not used.
pub(super) fn empty() -> SearchResult {
    SearchResult { best: None, report: Report::empty() }
}

/// The children in order: proved wins first, proved losses last, else by visits. A proved draw comes before moves
/// with a mean below that of a draw.
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

/// The line of most visits from a node.
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
    // The move that proves the node, if it is proved.
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

/// Reports the best lines. If it is the last report, the best line is reported again at the end.
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
        // The longest defense comes first, so that no defense lasts longer than the reported loss.
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
    if let Some(best) = reports.first().filter(|_| is_last && lines > 1) {
        sink.report(best);
    }
    let report = reports.into_iter().next().unwrap_or_else(Report::empty);
    SearchResult { best: best.first().map(|child| child.mv), report }
}

/// The score of a move for the side that makes it, its bound and its line. The length of a proved win need not be the
/// shortest.
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

/// The line of a move that is proved to end with `winner`, from the move to the end of the game: the winner's
/// shortest moves and the others' longest, as far as the tree knows them.
fn proof_line<P: Position, G: Guide<P>>(
    position: &mut P,
    guide: &mut G,
    node: &Node,
    winner: Side,
) -> Vec<Move> {
    let mut line = vec![node.mv];
    position.play(node.mv);
    line.extend(below(position, guide, node, winner));
    let mut played = 1;
    for &mv in &line[1..] {
        position.play(mv);
        played += 1;
    }
    while position.outcome().is_none() && line.len() < played + MAX_DECIDED_PLIES {
        let Some(mv) = next_move(position, guide, winner) else { break };
        position.play(mv);
        line.push(mv);
    }
    for _ in 0..line.len() {
        position.undo();
    }
    line
}

/// The moves of the tree below a node of the proof.
fn below<P: Position, G: Guide<P>>(
    position: &mut P,
    guide: &G,
    node: &Node,
    winner: Side,
) -> Vec<Move> {
    let wins = position.side_of(position.to_move()) == winner;
    let fixed = guide.has_fixed_length();
    let mut best: Option<(u32, Vec<Move>)> = None;
    let children = node.children().into_iter().flat_map(|all| all.nodes.iter());
    for child in children.filter(|child| child.proof() == Some(Decided(Some(winner)))) {
        position.play(child.mv);
        let rest = below(position, guide, child, winner);
        let length = rest.len() as u32 + plies_to_end(position, child, winner);
        position.undo();
        let better = |&(known, _): &(u32, Vec<Move>)| {
            if wins { length < known } else { length > known }
        };
        if best.as_ref().is_none_or(better) {
            best = Some((length, std::iter::once(child.mv).chain(rest).collect()));
        }
        if fixed || wins && length == 0 {
            break;
        }
    }
    best.map_or_else(Vec::new, |(_, line)| line)
}

/// The plies from the end of a node's line in the tree to the end of the game. A position that the guide decided is
/// won with the next move or lost with the one after it.
fn plies_to_end<P: Position>(position: &P, node: &Node, winner: Side) -> u32 {
    let is_leaf = node.children().is_none() && position.outcome().is_none();
    match position.side_of(position.to_move()) == winner {
        _ if !is_leaf => 0,
        true => 1,
        false => 2,
    }
}

/// The next move in a position that the guide decided: a winning move of the winner, or a move of another side
/// that does not end the game.
fn next_move<P: Position, G: Guide<P>>(
    position: &mut P,
    guide: &mut G,
    winner: Side,
) -> Option<Move> {
    let wins = position.side_of(position.to_move()) == winner;
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut after = |mv: Move, decide: &mut dyn FnMut(&mut P) -> Option<Option<Side>>| {
        position.play(mv);
        let result = decide(position);
        position.undo();
        result
    };
    let mut ended = |position: &mut P| position.outcome().map(|outcome| outcome.winner);
    if !wins {
        let open = moves.iter().find(|&&mv| after(mv, &mut ended).is_none());
        return open.or(moves.first()).copied();
    }
    let at_once = moves.iter().find(|&&mv| after(mv, &mut ended) == Some(Some(winner)));
    let mut decided = |position: &mut P| guide.decided(position).map(|Decided(side)| side);
    let soon = || moves.iter().find(|&&mv| after(mv, &mut decided) == Some(Some(winner)));
    at_once.or_else(soon).copied()
}
