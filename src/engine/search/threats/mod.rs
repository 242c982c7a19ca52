//! Wins by threats: what an attacker can force whatever the defender does.
//!
//! A search of its own beside the one of all moves, in three parts that build on each other:
//! `vcf` follows moves that threaten to win with the next one, `relevance_zone` says which moves
//! can answer a win that is found so, and `dfpn` uses both to find wins by quieter threats.

mod dfpn;
mod relevance_zone;
mod vcf;

use super::search_stack::SearchStack;
use super::{Aborted, NodeCounter, ThreatGenerator, TranspositionTable, Tree};
use dfpn::Proofs;
use pentarch_core::game::{Move, MoveList, Position};

/// What a search for a win by threats may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatBudget {
    /// Nodes to visit: moves played.
    pub nodes: u32,
    /// Threats in a row.
    pub threats: u32,
    /// Whether only threats count that leave few defenses, lead on to others
    /// ([`ThreatGenerator::threat_moves`]) and, all but the first, build on one before them
    /// ([`ThreatGenerator::builds_on`]). Threats that have nothing to do with each other can be made in any
    /// order, and all these orders are what a search with little to spend would spend it on; a win hardly
    /// ever needs them. This is the dependency of threat-space search (Allis, van den Herik and Huntjens
    /// 1993).
    pub thrifty: bool,
}

/// A win that holds against every defense, though there may be a shorter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatWin {
    /// The plies that it takes at most, the winning move included.
    pub plies: u32,
    /// Its first move.
    pub mv: Move,
}

/// What a search for a win by threats came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreatResult {
    /// A win is proved.
    Win(ThreatWin),
    /// The threats that were to be tried do not win.
    NoWin,
    /// The budget is spent.
    Unknown,
}

impl ThreatResult {
    /// The win, if there is one.
    pub fn win(self) -> Option<ThreatWin> {
        match self {
            ThreatResult::Win(win) => Some(win),
            ThreatResult::NoWin | ThreatResult::Unknown => None,
        }
    }
}

/// Looks for wins by threats at the root, within the tree and at its leaves, for the side to move
/// or, after a null move, for its opponent.
///
/// It walks on the tree of its caller and leaves it as it was. Each node is counted by the caller's
/// [`NodeCounter`], which may abort the search; what is proved is remembered in the caller's
/// [`TranspositionTable`], under keys that no other search uses.
#[derive(Debug)]
pub struct ThreatSolver<'a> {
    table: &'a TranspositionTable,
    stack: SearchStack<()>,
    /// What the proof-number search knows of positions.
    proofs: Proofs,
    /// The moves that touch the last proof that was traced.
    zone: MoveList,
    /// Nodes visited so far.
    nodes: u64,
    /// Nodes that the search under way may still visit.
    nodes_left: u32,
    /// Whether it tries only the threats that are likely to win.
    thrifty: bool,
    /// The threats that led to the position it is at.
    made: Vec<Move>,
}

/// A solver at work.
struct Walk<'w, 'a, P, E, C> {
    solver: &'w mut ThreatSolver<'a>,
    tree: &'w mut Tree<P, E>,
    counter: &'w mut C,
}

impl<'a> ThreatSolver<'a> {
    /// A solver that remembers its results in a table.
    pub fn new(table: &'a TranspositionTable) -> ThreatSolver<'a> {
        ThreatSolver {
            table,
            stack: SearchStack::default(),
            proofs: Proofs::default(),
            zone: MoveList::new(),
            nodes: 0,
            nodes_left: 0,
            thrifty: false,
            made: Vec::new(),
        }
    }

    /// The nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The line of the win that was found last; by [`ThreatSolver::dfpn`] its first move only.
    pub fn line(&mut self) -> &[Move] {
        &self.stack.at(0).pv
    }

    /// The relevance zone of the last null-move threat: the legal moves of the side to move that
    /// touch its proof. Every other move loses by the threat.
    pub fn zone(&self) -> &[Move] {
        &self.zone
    }

    /// Looks for a win of the side to move by moves that each threaten to win with the next one
    /// (victory by continuous fours, and captures).
    pub fn vcf<P: Position, E: ThreatGenerator<P>>(
        &mut self,
        tree: &mut Tree<P, E>,
        counter: &mut impl NodeCounter,
        budget: ThreatBudget,
    ) -> Result<ThreatResult, Aborted> {
        let plies = self.walk(tree, counter, budget).win(0, budget.threats)?;
        Ok(self.result(plies))
    }

    /// [`ThreatSolver::vcf`] in an open position that is known to have no win in one.
    pub fn longer_vcf<P: Position, E: ThreatGenerator<P>>(
        &mut self,
        tree: &mut Tree<P, E>,
        counter: &mut impl NodeCounter,
        budget: ThreatBudget,
    ) -> Result<ThreatResult, Aborted> {
        let plies = self.walk(tree, counter, budget).attack(0, budget.threats)?;
        Ok(self.result(plies))
    }

    /// Looks for a win that the opponent could force by continuous threats if the side to move made
    /// a null move, in an open position in which neither side has a win in one. The plies include
    /// the null move, and [`ThreatSolver::zone`] is then what can answer the threat.
    pub fn null_move_threat<P: Position, E: ThreatGenerator<P>>(
        &mut self,
        tree: &mut Tree<P, E>,
        counter: &mut impl NodeCounter,
        budget: ThreatBudget,
    ) -> Result<ThreatResult, Aborted> {
        let threat = self.walk(tree, counter, budget).null_move_threat(0, budget)?;
        let first = self.stack.at(1).pv.first().copied();
        Ok(match threat.zip(first) {
            Some((plies, mv)) => ThreatResult::Win(ThreatWin { plies, mv }),
            None if self.nodes_left == 0 => ThreatResult::Unknown,
            None => ThreatResult::NoWin,
        })
    }

    /// Looks for a win of the side to move by threats of every kind, open threes and attacks on two
    /// pairs included, within a number of nodes. What was found out before is not lost. That there
    /// is no win means only that the lines which the solver looks at do not win.
    pub fn dfpn<P: Position, E: ThreatGenerator<P>>(
        &mut self,
        tree: &mut Tree<P, E>,
        counter: &mut impl NodeCounter,
        nodes: u64,
    ) -> Result<ThreatResult, Aborted> {
        let idle = ThreatBudget { nodes: 0, threats: 0, thrifty: dfpn::VCF.thrifty };
        self.walk(tree, counter, idle).prove(nodes)
    }

    fn walk<'w, P, E, C>(
        &'w mut self,
        tree: &'w mut Tree<P, E>,
        counter: &'w mut C,
        budget: ThreatBudget,
    ) -> Walk<'w, 'a, P, E, C> {
        self.nodes_left = budget.nodes;
        self.thrifty = budget.thrifty;
        self.made.clear();
        Walk { solver: self, tree, counter }
    }

    /// What it means that the search for continuous threats found a win of that length, or none.
    fn result(&mut self, plies: Option<u32>) -> ThreatResult {
        let first = self.stack.at(0).pv.first().copied();
        match plies.zip(first) {
            Some((plies, mv)) => ThreatResult::Win(ThreatWin { plies, mv }),
            None if self.nodes_left == 0 => ThreatResult::Unknown,
            None => ThreatResult::NoWin,
        }
    }
}

impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> Walk<'_, '_, P, E, C> {
    /// Lists every defense against a threat to win in one; false if there is no such threat.
    fn list_defenses(&mut self, ply: u32) -> bool {
        let list = &mut self.solver.stack.at(ply).list;
        list.clear();
        self.tree.all_defenses(list)
    }

    /// A win by continuous threats that needs no search, unless the other side threatens first.
    fn sure_vcf(&self, threatened: bool) -> Option<ThreatWin> {
        if threatened { None } else { self.tree.sure_vcf() }
    }

    fn count_node(&mut self) -> Result<(), Aborted> {
        self.counter.count_node()?;
        self.solver.nodes_left = self.solver.nodes_left.saturating_sub(1);
        self.solver.nodes += 1;
        Ok(())
    }
}
