//! The tree: nodes that threads share without locks.

use super::guide::{Decided, Rewards};
use pentarch_core::game::{Move, MoveKind, Side};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

/// A move that may be made, with what is known of it.
#[derive(Debug)]
pub(super) struct Node {
    pub mv: Move,
    /// The share of attention that the move gets before anything is known of it.
    pub prior: f32,
    /// Simulations that came through, those under way included.
    visits: AtomicU32,
    /// What the side that made the move got in them, in 2^-20.
    reward: AtomicU64,
    proof: AtomicU8,
    /// Whether a move from here is proven to draw.
    drawable: AtomicBool,
    /// Whether everything below is known and yet nothing is proven: with more than two sides, a
    /// loser may choose who wins.
    exhausted: AtomicBool,
    children: OnceLock<Children>,
}

/// The moves that answer a move.
#[derive(Debug)]
pub(super) struct Children {
    /// The most promising first.
    pub nodes: Box<[Node]>,
    /// Whether no other move matters.
    pub complete: bool,
}

const UNIT: f64 = (1 << 20) as f64;
const OPEN: u8 = 0;
const DRAWN: u8 = 1;
const WON_BY: u8 = 2;

impl Node {
    /// The position that is searched; no move leads to it.
    pub(super) fn root() -> Node {
        Node::new(MoveKind::Pass.into(), 1.0)
    }

    pub(super) fn new(mv: Move, prior: f32) -> Node {
        Node {
            mv,
            prior,
            visits: AtomicU32::new(0),
            reward: AtomicU64::new(0),
            proof: AtomicU8::new(OPEN),
            drawable: AtomicBool::new(false),
            exhausted: AtomicBool::new(false),
            children: OnceLock::new(),
        }
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Begins a simulation; until it ends it counts as lost. Returns the visits before.
    #[inline]
    pub(super) fn add_virtual_loss(&self) -> u32 {
        self.visits.fetch_add(1, Ordering::Relaxed)
    }

    /// Ends a simulation.
    #[inline]
    pub(super) fn add_reward(&self, reward: f32) {
        self.reward.fetch_add((f64::from(reward) * UNIT) as u64, Ordering::Relaxed);
    }

    /// The mean of what the side that made the move got, if the move was tried.
    #[inline]
    pub(super) fn mean(&self) -> Option<f32> {
        let visits = self.visits();
        let mean = self.reward.load(Ordering::Relaxed) as f64 / UNIT / f64::from(visits.max(1));
        (visits > 0).then_some(mean as f32)
    }

    /// How the game ends after the move, once that is proven.
    #[inline]
    pub(super) fn proof(&self) -> Option<Decided> {
        match self.proof.load(Ordering::Relaxed) {
            OPEN => None,
            DRAWN => Some(Decided(None)),
            won => Some(Decided(Some(Side(won - WON_BY)))),
        }
    }

    pub(super) fn prove(&self, decided: Decided) {
        let proof = decided.0.map_or(DRAWN, |side| WON_BY + side.0);
        self.proof.store(proof, Ordering::Relaxed);
    }

    /// Notes what a child is proven to be.
    pub(super) fn note_child_proof(&self, child: Decided) {
        if child == Decided(None) {
            self.drawable.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the side to move can at least draw.
    #[inline]
    pub(super) fn is_drawable(&self) -> bool {
        self.drawable.load(Ordering::Relaxed)
    }

    /// Whether there is nothing more to learn below.
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        self.proof().is_some() || self.exhausted.load(Ordering::Relaxed)
    }

    /// Draws the conclusions from the children, for the side to move here.
    pub(super) fn update_proof(&self, mover: Side) {
        let all = self.children();
        // In this order: another thread may settle the last child in between.
        let settled = all.is_some_and(|all| all.complete && all.nodes.iter().all(Node::is_settled));
        match self.proven_by_children(mover) {
            Some(decided) => self.prove(decided),
            None if settled => self.exhausted.store(true, Ordering::Relaxed),
            None => (),
        }
    }

    /// The value of the move for the side that made it: proven, or the mean so far.
    pub(super) fn value(&self, mover: Side) -> Option<f32> {
        let proven = self.proof().map(|Decided(winner)| Rewards::of_winner(winner).of(mover));
        proven.or_else(|| self.mean())
    }

    #[inline]
    pub(super) fn children(&self) -> Option<&Children> {
        self.children.get()
    }

    /// The children, made by the first thread that asks.
    pub(super) fn expand(&self, make: impl FnOnce() -> Children) -> &Children {
        self.children.get_or_init(make)
    }

    /// What the children prove about a node whose mover is known: it takes a win; if every move
    /// is proven, a draw; if each loses to the same side, it has lost to that side.
    fn proven_by_children(&self, mover: Side) -> Option<Decided> {
        let children = self.children()?;
        let proofs = || children.nodes.iter().map(Node::proof);
        let won = Decided(Some(mover));
        if proofs().any(|proof| proof == Some(won)) {
            return Some(won);
        }
        if !children.complete {
            return None;
        }
        let all: Option<Vec<Decided>> = proofs().collect();
        let all = all?;
        let drawn = Decided(None);
        let verdict = if all.contains(&drawn) { drawn } else { *all.first()? };
        (verdict == drawn || all.iter().all(|&decided| decided == verdict)).then_some(verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::game::Cell;

    fn proven(proofs: &[Option<Decided>], complete: bool) -> Option<Decided> {
        let node = Node::root();
        let child = |(index, proof): (usize, &Option<Decided>)| {
            let child = Node::new(Move::stone(Cell(index as u16)), 1.0);
            if let Some(decided) = proof {
                child.prove(*decided);
            }
            child
        };
        let nodes = proofs.iter().enumerate().map(child).collect();
        node.expand(|| Children { nodes, complete });
        node.proven_by_children(Side(0))
    }

    #[test]
    fn what_children_prove() {
        let won = |side| Some(Decided(Some(Side(side))));
        let drawn = Some(Decided(None));
        assert_eq!(proven(&[None, won(0)], false), won(0));
        assert_eq!(proven(&[won(1), won(1)], true), won(1));
        assert_eq!(proven(&[won(1), won(1)], false), None);
        assert_eq!(proven(&[won(1), None], true), None);
        for proofs in [[drawn, won(1), won(2)], [won(1), drawn, won(2)], [won(1), won(2), drawn]] {
            assert_eq!(proven(&proofs, true), drawn);
        }
        // Lost to one or the other: nobody knows to whom.
        assert_eq!(proven(&[won(1), won(2)], true), None);
        assert_eq!(proven(&[won(1), won(2), None], true), None);
    }

    #[test]
    fn a_simulation_under_way_counts_as_a_loss() {
        let node = Node::root();
        assert_eq!((node.add_virtual_loss(), node.mean()), (0, Some(0.0)));
        node.add_reward(1.0);
        assert_eq!((node.add_virtual_loss(), node.mean()), (1, Some(0.5)));
        node.add_reward(0.5);
        assert_eq!(node.mean(), Some(0.75));
    }
}
