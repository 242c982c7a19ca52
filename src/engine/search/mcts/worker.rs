//! One thread of a tree search.

use super::node::{Children, Node};
use super::{Decided, Guide, Rewards, Shared, result};
use crate::search::{SearchResult, Sink};
use fastrand::Rng;
use pentarch_core::game::{Move, MoveList, Position, Side};
use std::sync::atomic::Ordering;

/// The state of a thread.
pub(super) struct Worker<'a, P, G> {
    pub position: P,
    pub guide: G,
    pub shared: &'a Shared<'a>,
    rng: Rng,
    index: usize,
    /// The nodes of the current simulation, each with the side that moved into it.
    path: Vec<(&'a Node, Side)>,
    /// A buffer for listed moves.
    moves: Vec<(Move, f32)>,
}

/// The exploration constant of PUCT. This, the visits before an expansion and the value of unvisited children were
/// chosen by matches of Pent-Up at 2000 simulations a move, 60 games each.
const EXPLORATION: f32 = 1.2;
/// The visits after which a node is expanded.
const EXPANSION_VISITS: u32 = 2;
/// The number of children considered, plus `WIDENING` times the square root of the visits (progressive widening;
/// Coulom 2007; Chaslot et al. 2008).
const WIDTH: f32 = 6.0;
const WIDENING: f32 = 2.0;
/// The most children of a node below the root.
const MAX_CHILDREN: usize = 64;
/// Simulations between two looks at the clock.
const CLOCK_SIMULATIONS: u64 = 16;
/// The simulations before the first report. Each next report comes after twice as many.
const FIRST_REPORT: u64 = 256;

impl<'a, P: Position, G: Guide<P>> Worker<'a, P, G> {
    pub(super) fn new(position: P, guide: G, shared: &'a Shared<'a>, index: usize) -> Self {
        let seed = shared.settings.seed ^ (index as u64).rotate_left(32);
        let rng = Rng::with_seed(seed);
        Worker { position, guide, shared, rng, index, path: Vec::new(), moves: Vec::new() }
    }

    /// Simulates until a limit is reached, the search is stopped, or the root is proved.
    pub(super) fn run(&mut self, sink: &mut (dyn Sink + Send)) -> SearchResult {
        let mut next_report = FIRST_REPORT;
        loop {
            let number = self.shared.simulations.fetch_add(1, Ordering::Relaxed);
            if self.is_over(number) {
                self.shared.simulations.fetch_sub(1, Ordering::Relaxed);
                self.shared.finish();
                break;
            }
            self.simulate();
            if self.index == 0 && number >= next_report {
                result::report(self, sink, false);
                next_report = 2 * number;
            }
        }
        if self.index > 0 {
            return result::empty();
        }
        // Another thread may still be expanding the root.
        while self.shared.root.children().is_none() {
            std::thread::yield_now();
        }
        result::report(self, sink, true)
    }

    /// Whether the search ends before the simulation with this number.
    fn is_over(&self, number: u64) -> bool {
        let shared = self.shared;
        let limits = shared.limits;
        // The first simulation expands the root, however short the time is.
        if number == 0 {
            return false;
        }
        if shared.is_done() || limits.nodes.is_some_and(|most| number >= most) {
            return true;
        }
        if shared.root.is_settled() || shared.root.has_single_move(limits) {
            return true;
        }
        if !number.is_multiple_of(CLOCK_SIMULATIONS) {
            return false;
        }
        let enough = |depth: u32| result::line_length(shared.root) >= depth;
        shared.signal.is_stopped()
            || shared.time_manager.is_out_of_time(shared.signal)
            || !shared.time_manager.allows_iteration(shared.signal)
            || number.is_multiple_of(FIRST_REPORT) && limits.depth.is_some_and(enough)
    }

    /// Runs one simulation.
    fn simulate(&mut self) {
        self.path.clear();
        let mut node = self.shared.root;
        node.add_virtual_loss();
        let rewards = loop {
            if let Some(rewards) = self.end_at(node) {
                break rewards;
            }
            let Some(children) = node.children() else { break self.estimate() };
            let mover = self.position.side_of(self.position.to_move());
            let Some(child) = select(node, children, mover) else { break self.estimate() };
            child.add_virtual_loss();
            self.path.push((child, mover));
            self.position.play(child.mv);
            node = child;
        };
        self.backpropagate(rewards);
    }

    fn estimate(&mut self) -> Rewards {
        self.guide.estimate(&mut self.position, &mut self.rng)
    }

    /// The rewards of a simulation that ends at a node. A node that is not decided and has enough visits is expanded,
    /// and the simulation continues.
    fn end_at(&mut self, node: &'a Node) -> Option<Rewards> {
        if node.proof().is_none() && node.children().is_none() {
            let decided = match self.position.outcome() {
                Some(outcome) => Some(outcome.into()),
                None if self.path.is_empty() => None,
                None => self.guide.decided(&mut self.position),
            };
            match decided {
                Some(decided) => node.prove(decided),
                None if self.path.is_empty() || node.visits() > EXPANSION_VISITS => {
                    self.expand(node);
                }
                None => return Some(self.estimate()),
            }
        }
        node.proof().map(|Decided(winner)| Rewards::of_winner(winner))
    }

    fn expand(&mut self, node: &'a Node) {
        let shared = self.shared;
        let at_root = self.path.is_empty();
        if !at_root && shared.size.load(Ordering::Relaxed) >= shared.most_nodes() {
            return;
        }
        let (guide, position, moves) = (&mut self.guide, &mut self.position, &mut self.moves);
        node.expand(|| {
            moves.clear();
            let most = if at_root { usize::MAX } else { MAX_CHILDREN };
            let mut complete = guide.moves(position, most, moves);
            if at_root && shared.limits.search_moves.is_empty() {
                keep_safe_moves(guide, position, moves);
            } else if at_root {
                let asked = &shared.limits.search_moves;
                complete = false;
                restrict(moves, asked, position);
            }
            moves.sort_by(|a, b| b.1.total_cmp(&a.1));
            // The priors of the root are normalized by its first moves, like those of other nodes.
            let sum: f32 = moves.iter().take(MAX_CHILDREN).map(|&(_, weight)| weight).sum();
            let child =
                |&(mv, weight): &(Move, f32)| Node::new(mv, weight / sum.max(f32::MIN_POSITIVE));
            let nodes: Box<[Node]> = moves.iter().map(child).collect();
            shared.size.fetch_add(nodes.len(), Ordering::Relaxed);
            Children { nodes, complete }
        });
    }

    /// Takes the moves back and updates the nodes.
    fn backpropagate(&mut self, rewards: Rewards) {
        let mut rewards = rewards;
        while let Some((node, mover)) = self.path.pop() {
            node.add_reward(rewards.of(mover));
            self.position.undo();
            let parent = self.path.last().map_or(self.shared.root, |&(parent, _)| parent);
            if let Some(decided) = node.proof() {
                parent.note_child_proof(decided);
            }
            if node.is_settled() {
                parent.update_proof(mover);
                if let Some(Decided(winner)) = parent.proof() {
                    rewards = Rewards::of_winner(winner);
                }
            }
            // A side that can draw gets no less than a draw (score bounds; Cazenave and Saffidine 2010).
            if parent.is_drawable() && rewards.of(mover) < Rewards::DRAW {
                rewards = Rewards::of_winner(None);
            }
        }
        let side = self.position.side_of(self.position.to_move());
        self.shared.root.add_reward(rewards.of(side));
    }
}

/// Keeps only a move that wins at once, if there is one. Otherwise drops the moves after which another side wins at
/// once; if none is left, all legal moves that are safe replace them. Keeps the moves if none is safe.
fn keep_safe_moves<P: Position, G: Guide<P>>(
    guide: &mut G,
    position: &mut P,
    moves: &mut Vec<(Move, f32)>,
) {
    let side = position.side_of(position.to_move());
    let mut is_safe = |position: &mut P, mv: Move| {
        position.play(mv);
        let ended = position.outcome().map(Decided::from);
        let decided = ended.or_else(|| guide.decided(position));
        position.undo();
        decided.is_none_or(|Decided(winner)| winner.is_none_or(|winner| winner == side))
    };
    let wins = |position: &mut P, mv: Move| {
        position.play(mv);
        let winner = position.outcome().and_then(|outcome| outcome.winner);
        position.undo();
        winner == Some(side)
    };
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    if let Some(&win) = legal.iter().find(|&&mv| wins(position, mv)) {
        *moves = vec![(win, 1.0)];
        return;
    }
    let mut safe = moves.clone();
    safe.retain(|&(mv, _)| is_safe(position, mv));
    if safe.is_empty() {
        legal.retain(|&mv| is_safe(position, mv));
        safe.extend(legal.into_iter().map(|mv| (mv, 1.0)));
    }
    if !safe.is_empty() {
        *moves = safe;
    }
}

/// Keeps the moves of `searchmoves`, and adds those that the guide did not list.
fn restrict<P: Position>(moves: &mut Vec<(Move, f32)>, asked: &[Move], position: &P) {
    moves.retain(|(mv, _)| asked.contains(mv));
    for &mv in asked {
        if !moves.iter().any(|&(known, _)| known == mv) && position.is_legal(mv) {
            moves.push((mv, 1.0));
        }
    }
}

/// The child to visit next by PUCT, or the best child if all are settled.
fn select<'a>(node: &Node, children: &'a Children, mover: Side) -> Option<&'a Node> {
    let visits = node.visits() as f32;
    let width = (WIDTH + WIDENING * visits.sqrt()) as usize;
    let candidates = || children.nodes.iter().filter(|child| !child.is_settled()).take(width);
    let factor = EXPLORATION * visits.sqrt();
    // Unvisited children count as the best visited one.
    let unvisited = candidates().filter_map(Node::mean).fold(0.0, f32::max);
    let score = |child: &Node| {
        let value = child.mean().unwrap_or(unvisited);
        value + factor * child.prior / (1.0 + child.visits() as f32)
    };
    let scored = candidates().map(|child| (child, score(child)));
    let best = scored.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(child, _)| child);
    let value = |child: &Node| child.value(mover).unwrap_or(0.0);
    best.or_else(|| children.nodes.iter().max_by(|a, b| value(a).total_cmp(&value(b))))
}
