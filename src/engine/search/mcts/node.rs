//! The nodes of the tree, which threads share without locks.

use super::{Decided, Rewards};
use pentarch_core::game::{Move, MoveKind, Side};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

/// A node of the tree: a move with its statistics.
#[derive(Debug)]
pub(super) struct Node {
    pub mv: Move,
    /// The prior probability of the move.
    pub prior: f32,
    /// The simulations through the node, unfinished ones included.
    visits: AtomicU32,
    /// The sum of the rewards of the side that made the move, in units of 2^-20.
    reward: AtomicU64,
    proof: AtomicU8,
    /// Whether a child is proved to be a draw.
    drawable: AtomicBool,
    /// Whether all children are settled without a proof: with more than two sides a losing side may choose the
    /// winner.
    exhausted: AtomicBool,
    children: OnceLock<Children>,
}

/// The children of a node.
#[derive(Debug)]
pub(super) struct Children {
    /// The children by prior, the greatest first.
    pub nodes: Box<[Node]>,
    /// Whether losses of all children prove a loss.
    pub complete: bool,
}

const UNIT: f64 = (1 << 20) as f64;
const OPEN: u8 = 0;
const DRAWN: u8 = 1;
const WON_BY: u8 = 2;

impl Node {
    /// The root, which has no move.
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

    /// Starts a simulation, which counts as a loss until it ends. Returns the visits before.
    #[inline]
    pub(super) fn add_virtual_loss(&self) -> u32 {
        self.visits.fetch_add(1, Ordering::Relaxed)
    }

    /// Ends a simulation with a reward.
    #[inline]
    pub(super) fn add_reward(&self, reward: f32) {
        self.reward.fetch_add((f64::from(reward) * UNIT) as u64, Ordering::Relaxed);
    }

    /// The mean reward of the side that made the move, if there is a visit.
    #[inline]
    pub(super) fn mean(&self) -> Option<f32> {
        let visits = self.visits();
        let mean = self.reward.load(Ordering::Relaxed) as f64 / UNIT / f64::from(visits.max(1));
        (visits > 0).then_some(mean as f32)
    }

    /// The proved result after the move.
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

    /// Records the proof of a child.
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

    /// Whether no simulation below the node is of use.
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        self.proof().is_some() || self.exhausted.load(Ordering::Relaxed)
    }

    /// Updates the proof of the node from its children. `mover` is the side to move in the node.
    pub(super) fn update_proof(&self, mover: Side) {
        let all = self.children();
        // This is read before the proofs, because another thread may settle the last child in between.
        let settled = all.is_some_and(|all| all.complete && all.nodes.iter().all(Node::is_settled));
        match self.proven_by_children(mover) {
            Some(decided) => self.prove(decided),
            None if settled => self.exhausted.store(true, Ordering::Relaxed),
            None => (),
        }
    }

    /// The reward of the side that made the move: proved, or the mean.
    pub(super) fn value(&self, mover: Side) -> Option<f32> {
        let proven = self.proof().map(|Decided(winner)| Rewards::of_winner(winner).of(mover));
        proven.or_else(|| self.mean())
    }

    #[inline]
    pub(super) fn children(&self) -> Option<&Children> {
        self.children.get()
    }

    /// The children, created by the first thread that calls this.
    pub(super) fn expand(&self, make: impl FnOnce() -> Children) -> &Children {
        self.children.get_or_init(make)
    }

    /// The result that the children prove: a win if one child wins for the side to move; if all children are proved, a
    /// draw if one is a draw, else a loss if all have the same winner.
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
        // The losing side chooses the winner.
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
