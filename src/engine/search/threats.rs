//! Wins by threats: moves that the attacker forces whatever the defender does. Three searches build on each other.
//!
//! - *Continuous threats* (VCF, victory by continuous fours, and captures): each move threatens to win with the next
//!   one. This is the first part of threat-space search (Allis, van den Herik and Huntjens, "Go-Moku and
//!   Threat-Space Search", 1993). In games with captures a defender can do more than block, so every defense of the
//!   evaluator is tried, each by itself.
//! - *Null-move threats*: the win that the opponent could force after a null move, with the moves that can answer it.
//!   The proof of such a win depends on a part of the board only, its relevance zone (Wu and Lin,
//!   "Relevance-Zone-Oriented Proof Search for Connect6", 2010); a move outside of it leaves the proof valid and
//!   loses. A move touches the proof if it is one of its moves or lies on one of its winning cells, if it captures, or
//!   if at some point of the proof it lets the defender win or either side capture something else.
//! - *Proof-number search* (df-pn: Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications", 2002;
//!   <https://www.chessprogramming.org/Proof-Number_Search>) for wins by threats of every kind: fours, captures, and
//!   moves that only threaten to force a win, such as open threes and double threats. The attacker tries its tactical
//!   moves. A defender that is not in check tries the relevance zone of the null-move threat, and every one of
//!   these moves must lose.

use super::search_stack::{Frame, SearchStack};
use super::{
    Aborted, Bound, Entry, NodeCounter, Score, SearchPosition, ThreatGenerator, TranspositionTable,
};
use pentarch_core::game::{Key, Move, MoveList, Position, Side, mix};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The kind of the table entries of the search for continuous threats.
const KIND: u32 = 0x5bd1_e995;
/// The same of a narrow search.
const NARROW_KIND: u32 = 0x1b87_3593;
/// The most defenses that a narrow search tries. Of threats in keryo-pente with more defenses one in thirty wins, in
/// pente one in twenty.
const MAX_NARROW_DEFENSES: usize = 2;
/// The most plies of a proof whose relevance zone is traced.
const MAX_TRACED_PLIES: u32 = 60;

/// The budget of a search for a win by threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatBudget {
    /// The most nodes, which are moves played.
    pub nodes: u32,
    /// The most consecutive threats.
    pub threats: u32,
    /// Whether only threats are tried that leave few defenses, lead to other threats
    /// ([`ThreatGenerator::threat_moves`]) and, except for the first, depend on an earlier one
    /// ([`ThreatGenerator::depends_on`]; Allis, van den Herik and Huntjens 1993). Independent threats can be made in
    /// any order, which would use up a small budget, and a win hardly ever needs them.
    pub narrow: bool,
}

/// A win against every defense. There may be a shorter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatWin {
    /// The greatest length in plies, the winning move included.
    pub plies: u32,
    /// Its first move.
    pub mv: Move,
}

/// The result of a search for a win by threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreatResult {
    /// A win is proved.
    Win(ThreatWin),
    /// None of the threats within the budget wins.
    NoWin,
    /// The nodes are used up.
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

/// Searches for wins by threats of the side to move or, after a null move, of its opponent.
///
/// It searches on the position of its caller and restores it. The caller's [`NodeCounter`] counts each node and may
/// abort the search. Results are stored in the caller's [`TranspositionTable`], under keys that no other search uses.
#[derive(Debug)]
pub struct ThreatSolver<'a> {
    table: &'a TranspositionTable,
    stack: SearchStack<()>,
    /// The nodes of the proof-number search.
    proofs: Proofs,
    /// The relevance zone of the last traced proof.
    zone: MoveList,
    /// All nodes of this solver.
    nodes: u64,
    /// The nodes left to the current search for continuous threats.
    nodes_left: u32,
    /// [`ThreatBudget::narrow`] of the current search.
    narrow: bool,
    /// The threats made on the way to the current position.
    made: Vec<Move>,
}

/// A solver with the position that it searches.
struct ThreatSearch<'w, 'a, P, E, C> {
    solver: &'w mut ThreatSolver<'a>,
    tree: &'w mut SearchPosition<P, E>,
    counter: &'w mut C,
}

impl<'a> ThreatSolver<'a> {
    /// Creates a solver that stores its results in a table.
    pub fn new(table: &'a TranspositionTable) -> ThreatSolver<'a> {
        ThreatSolver {
            table,
            stack: SearchStack::default(),
            proofs: Proofs::default(),
            zone: MoveList::new(),
            nodes: 0,
            nodes_left: 0,
            narrow: false,
            made: Vec::new(),
        }
    }

    /// All nodes of this solver.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The line of the last win found, its first move only after [`ThreatSolver::dfpn`].
    pub fn line(&mut self) -> &[Move] {
        &self.stack.at(0).pv
    }

    /// The relevance zone of the last null-move threat: the legal moves that touch its proof. Every other move loses
    /// by the threat.
    pub fn zone(&self) -> &[Move] {
        &self.zone
    }

    /// Searches for a win of the side to move by continuous threats.
    pub fn vcf<P: Position, E: ThreatGenerator<P>>(
        &mut self,
        tree: &mut SearchPosition<P, E>,
        counter: &mut impl NodeCounter,
        budget: ThreatBudget,
    ) -> Result<ThreatResult, Aborted> {
        let plies = self.search(tree, counter, budget).win(0, budget.threats)?;
        Ok(self.result(plies))
    }

    /// [`ThreatSolver::vcf`] in an open position that is known to have no win in one.
    pub fn vcf_excluding_win_in_one<P: Position, E: ThreatGenerator<P>>(
        &mut self,
        tree: &mut SearchPosition<P, E>,
        counter: &mut impl NodeCounter,
        budget: ThreatBudget,
    ) -> Result<ThreatResult, Aborted> {
        let plies = self.search(tree, counter, budget).attack(0, budget.threats)?;
        Ok(self.result(plies))
    }

    /// Searches for a win that the opponent could force by continuous threats after a null move. Neither side may
    /// have a win in one. The length includes the null move, and [`ThreatSolver::zone`] holds the moves that can
    /// answer the threat.
    pub fn null_move_threat<P: Position, E: ThreatGenerator<P>>(
        &mut self,
        tree: &mut SearchPosition<P, E>,
        counter: &mut impl NodeCounter,
        budget: ThreatBudget,
    ) -> Result<ThreatResult, Aborted> {
        let threat = self.search(tree, counter, budget).null_move_threat(0, budget)?;
        let first = self.stack.at(1).pv.first().copied();
        Ok(match threat.zip(first) {
            Some((plies, mv)) => ThreatResult::Win(ThreatWin { plies, mv }),
            None if self.nodes_left == 0 => ThreatResult::Unknown,
            None => ThreatResult::NoWin,
        })
    }

    /// Searches for a win of the side to move by threats of every kind within a number of nodes, building on the
    /// results of earlier calls. `NoWin` is no proof: other lines may win.
    pub fn dfpn<P: Position, E: ThreatGenerator<P>>(
        &mut self,
        tree: &mut SearchPosition<P, E>,
        counter: &mut impl NodeCounter,
        nodes: u64,
    ) -> Result<ThreatResult, Aborted> {
        let idle = ThreatBudget { nodes: 0, threats: 0, narrow: DFPN_VCF.narrow };
        self.search(tree, counter, idle).prove(nodes)
    }

    fn search<'w, P, E, C>(
        &'w mut self,
        tree: &'w mut SearchPosition<P, E>,
        counter: &'w mut C,
        budget: ThreatBudget,
    ) -> ThreatSearch<'w, 'a, P, E, C> {
        self.nodes_left = budget.nodes;
        self.narrow = budget.narrow;
        self.made.clear();
        ThreatSearch { solver: self, tree, counter }
    }

    /// The result of a search for continuous threats that found a win of that length, or none.
    fn result(&mut self, plies: Option<u32>) -> ThreatResult {
        let first = self.stack.at(0).pv.first().copied();
        match plies.zip(first) {
            Some((plies, mv)) => ThreatResult::Win(ThreatWin { plies, mv }),
            None if self.nodes_left == 0 => ThreatResult::Unknown,
            None => ThreatResult::NoWin,
        }
    }
}

impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> ThreatSearch<'_, '_, P, E, C> {
    /// Lists every defense against a threat to win in one. Returns `false` if there is no such threat.
    fn list_defenses(&mut self, ply: u32) -> bool {
        let list = &mut self.solver.stack.at(ply).list;
        list.clear();
        self.tree.all_defenses(list)
    }

    /// A win by continuous threats that the patterns show, unless the side to move is in check.
    fn static_vcf(&self, threatened: bool) -> Option<ThreatWin> {
        if threatened { None } else { self.tree.evaluator.static_vcf(&self.tree.position) }
    }

    fn count_node(&mut self) -> Result<(), Aborted> {
        self.counter.count_node()?;
        self.solver.nodes_left = self.solver.nodes_left.saturating_sub(1);
        self.solver.nodes += 1;
        Ok(())
    }
}

/// The nodes of a proof-number search by position and attacker.
type Proofs = HashMap<Key, ProofNode>;

/// A node of a proof-number search.
#[derive(Clone, Debug)]
struct ProofNode {
    numbers: ProofNumbers,
    /// The greatest length of the win in plies, once it is proved.
    plies: u32,
    /// The moves, each with the key of the position after it once it has been played.
    moves: Option<Vec<(Move, Option<Key>)>>,
    /// The length of the loss of all moves that are left out, which the reported length must not be less than.
    min_plies: u32,
}

/// The proof and disproof number: the least number of leaves to be won for a proof, and lost for a disproof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProofNumbers {
    proof: u32,
    disproof: u32,
}

/// The attacker and the node limit of a proof-number search.
#[derive(Clone, Copy, Debug)]
struct ProofLimits {
    attacker: Side,
    /// The node count at which the search ends.
    end: u64,
}

/// The child to search next, with the numbers of its parent.
#[derive(Clone, Copy, Debug)]
struct BestChild {
    numbers: ProofNumbers,
    /// Its index among the moves of the node.
    index: usize,
    child: ProofNumbers,
    /// The number of the second best child by which the best is chosen.
    second: u32,
}

/// More than any sum of proof numbers.
const INFINITE: u32 = 1 << 30;
/// A child is searched until its number exceeds that of the second best by one in this many (Pawlewicz and Lew,
/// "Improving Depth-First PN-Search: 1+epsilon Trick", 2006).
const EPSILON_DIVISOR: u32 = 4;
/// The budget of each search for continuous threats within a proof-number search.
const DFPN_VCF: ThreatBudget = ThreatBudget { nodes: 60, threats: 10, narrow: false };
/// The greatest ply of a proof-number search.
const MAX_DFPN_PLY: u32 = 40;
/// The most nodes kept from one proof-number search to the next.
const MAX_PROOF_NODES: usize = 60_000;

impl ProofNumbers {
    const FRESH: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
    const PROVED: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE };
    const DISPROVED: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: 0 };

    fn is_final(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// The numbers seen from the other side.
    fn swapped(self) -> ProofNumbers {
        ProofNumbers { proof: self.disproof, disproof: self.proof }
    }
}

impl ProofNode {
    fn proved(plies: u32) -> ProofNode {
        ProofNode { numbers: ProofNumbers::PROVED, plies, moves: None, min_plies: 0 }
    }

    fn disproved() -> ProofNode {
        ProofNode { numbers: ProofNumbers::DISPROVED, plies: 0, moves: None, min_plies: 0 }
    }
}

/// Continuous threats.
impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> ThreatSearch<'_, '_, P, E, C> {
    /// The length in plies of a win with at most `threats` threats, if one is found. Its line becomes the best line of
    /// `ply`.
    fn win(&mut self, ply: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        if self.tree.position.outcome().is_some() {
            return Ok(None);
        }
        match self.win_in_one(ply) {
            None => self.attack(ply, threats),
            win => Ok(win),
        }
    }

    /// The length of a win with the next move.
    fn win_in_one(&mut self, ply: u32) -> Option<u32> {
        let mv = self.tree.evaluator.winning_move(&self.tree.position)?;
        self.solver.stack.at(ply).set_pv(&[mv]);
        Some(1)
    }

    /// [`ThreatSearch::win`] in a position without a win in one.
    fn attack(&mut self, ply: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        if threats == 0 {
            return Ok(None);
        }
        let threatened = self.list_defenses(ply);
        if let Some(win) = self.static_vcf(threatened) {
            self.solver.stack.at(ply).set_pv(&[win.mv]);
            return Ok(Some(win.plies));
        }
        if self.solver.nodes_left == 0 {
            return Ok(None);
        }
        let key = self.vcf_key();
        // Listing threats takes about as long as the memory access, and there is no probe without threats.
        self.solver.table.prefetch(key);
        if !self.list_threats(ply, threatened) {
            return Ok(None);
        }
        if let Some(entry) = self.solver.table.probe(key) {
            if let Some(plies) = entry.score.mate() {
                if let Some(mv) = entry.mv {
                    self.solver.stack.at(ply).set_pv(&[mv]);
                }
                return Ok(u32::try_from(plies).ok());
            }
            if u32::from(entry.depth) >= threats {
                return Ok(None);
            }
        }
        let found = self.try_threats(ply, threats)?;
        if found.is_none() && self.solver.nodes_left == 0 {
            return Ok(None);
        }
        let (score, bound, mv) = match found {
            Some((mv, plies)) => (Score::win_in(plies), Bound::Lower, Some(mv)),
            None => (Score::DRAW, Bound::Upper, None),
        };
        self.solver.table.store(key, Entry { mv, score, bound, depth: threats.min(255) as u8 });
        Ok(found.map(|(_, plies)| plies))
    }

    /// The first move of a win in the table.
    fn table_move(&self) -> Option<Move> {
        let entry = self.solver.table.probe(self.vcf_key());
        let entry = entry.filter(|entry| entry.score.is_win())?;
        entry.mv.filter(|&mv| self.tree.position.is_legal(mv))
    }

    fn vcf_key(&self) -> Key {
        let kind = if self.solver.narrow { NARROW_KIND } else { KIND };
        TranspositionTable::key_of_kind(self.tree.position.key(), kind)
    }

    /// Lists the moves to try: threats, or in check the defenses, which are listed already and may be threats as well.
    /// Returns `false` if there are none.
    fn list_threats(&mut self, ply: u32, threatened: bool) -> bool {
        let list = &mut self.solver.stack.at(ply).list;
        let (tree, made) = (&self.tree, &self.solver.made);
        if !threatened {
            tree.evaluator.threat_moves(&tree.position, self.solver.narrow, list);
        }
        if self.solver.narrow {
            let depends_on = |mv| {
                made.is_empty()
                    || made
                        .iter()
                        .any(|&other| tree.evaluator.depends_on(&tree.position, mv, other))
            };
            list.retain(|&mv| {
                if threatened {
                    tree.evaluator.continues_vcf(&tree.position, mv)
                } else {
                    depends_on(mv)
                }
            });
        }
        !list.is_empty()
    }

    /// Tries the listed moves in order. Returns the first that wins, with the length of the win.
    fn try_threats(&mut self, ply: u32, threats: u32) -> Result<Option<(Move, u32)>, Aborted> {
        let attacker = self.tree.side_to_move();
        let Frame { list, moves, .. } = self.solver.stack.at(ply);
        moves.clear();
        moves.extend(
            list.iter()
                .map(|&mv| (mv, self.tree.evaluator.ordering_score(&self.tree.position, mv))),
        );
        while let Some(mv) = self.solver.stack.at(ply).pick() {
            self.count_node()?;
            self.tree.play(mv);
            self.solver.made.push(mv);
            let same_turn =
                self.tree.side_to_move() == attacker && self.tree.position.outcome().is_none();
            let defended = if same_turn {
                Ok(self.win_in_one(ply + 1))
            } else {
                self.defend(ply + 1, threats - 1, attacker)
            };
            self.solver.made.pop();
            self.tree.undo();
            if let Some(plies) = defended? {
                self.solver.stack.update_pv(ply, mv);
                return Ok(Some((mv, plies + 1)));
            }
        }
        Ok(None)
    }

    /// The length of the win if every defense against the last move of the attacker loses.
    fn defend(&mut self, ply: u32, threats: u32, attacker: Side) -> Result<Option<u32>, Aborted> {
        let wins = self.tree.evaluator.winning_move(&self.tree.position).is_some();
        if self.tree.position.outcome().is_some() || self.tree.side_to_move() == attacker || wins {
            return Ok(None);
        }
        if !self.list_defenses(ply) {
            return Ok(None);
        }
        if self.solver.narrow && self.solver.stack.at(ply).list.len() > MAX_NARROW_DEFENSES {
            return Ok(None);
        }
        self.solver.stack.at(ply).pv.clear();
        let (mut longest, mut index) = (1, 0);
        while let Some(&mv) = self.solver.stack.at(ply).list.get(index) {
            index += 1;
            self.count_node()?;
            self.tree.play(mv);
            let same = self.tree.side_to_move() != attacker;
            let win = if same { Ok(None) } else { self.win(ply + 1, threats) };
            self.tree.undo();
            let Some(plies) = win? else { return Ok(None) };
            if plies >= longest {
                longest = plies;
                self.solver.stack.update_pv(ply, mv);
            }
        }
        Ok(Some(longest + 1))
    }
}

/// Null-move threats and their relevance zones.
impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> ThreatSearch<'_, '_, P, E, C> {
    /// The length of a win that the opponent could force after a null move, the null move included. Neither side may
    /// have a win in one. The legal moves that touch its proof become the zone.
    fn null_move_threat(
        &mut self,
        ply: u32,
        ThreatBudget { nodes, threats, .. }: ThreatBudget,
    ) -> Result<Option<u32>, Aborted> {
        self.solver.zone.clear();
        if !self.tree.null_move() {
            return Ok(None);
        }
        self.solver.nodes_left = nodes;
        let found = self.attack(ply + 1, threats);
        self.tree.undo();
        if found?.is_none()
            || !self.tree.evaluator.defense_dependencies(&self.tree.position, &mut self.solver.zone)
        {
            return Ok(None);
        }
        self.tree.null_move();
        let traced = self.trace_attack(ply + 1, MAX_TRACED_PLIES, threats);
        self.tree.undo();
        let Some(plies) = traced? else { return Ok(None) };
        let zone = &mut self.solver.zone;
        zone.sort_unstable();
        zone.dedup();
        zone.retain(|&mv| self.tree.position.is_legal(mv));
        Ok(Some(plies + 1))
    }

    /// Traces the proof of a win that [`ThreatSearch::attack`] found for the side to move, and adds everything that it
    /// depends on to the zone. Returns its length, or `None` if it cannot be traced.
    fn trace_attack(&mut self, ply: u32, most: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        if most < 3 || self.tree.position.outcome().is_some() {
            return Ok(None);
        }
        if let Some(mv) = self.tree.evaluator.winning_move(&self.tree.position) {
            self.solver.zone.push(mv);
            return Ok(Some(1));
        }
        let Some(mv) = self.proof_move(ply, threats)? else { return Ok(None) };
        self.tree.evaluator.capture_dependencies(&self.tree.position, mv, &mut self.solver.zone);
        self.solver.zone.push(mv);
        self.count_node()?;
        self.tree.play(mv);
        let plies = self.trace_defense(ply + 1, most - 1, threats);
        self.tree.undo();
        Ok(plies?.map(|plies| plies + 1))
    }

    /// The attacker's move in the proof. If the table has lost it, it is searched again.
    fn proof_move(&mut self, ply: u32, threats: u32) -> Result<Option<Move>, Aborted> {
        let threatened = self.list_defenses(ply);
        let sure = self.static_vcf(threatened).map(|win| win.mv);
        if let Some(mv) = sure.or_else(|| self.table_move()) {
            return Ok(Some(mv));
        }
        Ok(self.attack(ply, threats)?.and_then(|_| self.table_move()))
    }

    /// [`ThreatSearch::trace_attack`] for every defense of the side to move.
    fn trace_defense(&mut self, ply: u32, most: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        let open = self.tree.position.outcome().is_none()
            && self.tree.evaluator.winning_move(&self.tree.position).is_none();
        if !open
            || !self.tree.evaluator.defense_dependencies(&self.tree.position, &mut self.solver.zone)
            || !self.list_defenses(ply)
        {
            return Ok(None);
        }
        let (mut longest, mut index) = (1, 0);
        while let Some(&mv) = self.solver.stack.at(ply).list.get(index) {
            index += 1;
            self.solver.zone.push(mv);
            self.count_node()?;
            self.tree.play(mv);
            let plies = self.trace_attack(ply + 1, most - 1, threats);
            self.tree.undo();
            let Some(plies) = plies? else { return Ok(None) };
            longest = longest.max(plies);
        }
        Ok(Some(longest + 1))
    }
}

/// Proof-number search.
impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> ThreatSearch<'_, '_, P, E, C> {
    /// Searches for a win of the side to move within a number of nodes. Its first move becomes the best line.
    fn prove(&mut self, nodes: u64) -> Result<ThreatResult, Aborted> {
        if self.solver.proofs.len() > MAX_PROOF_NODES {
            self.solver.proofs.clear();
        }
        let attacker = self.tree.side_to_move();
        let most = ProofNumbers { proof: INFINITE, disproof: INFINITE };
        self.deepen(0, most, ProofLimits { attacker, end: self.solver.nodes + nodes })?;
        let key = self.proof_key(attacker);
        let Some(node) = self.solver.proofs.get(&key) else { return Ok(ThreatResult::Unknown) };
        if node.numbers.disproof == 0 {
            return Ok(ThreatResult::NoWin);
        }
        let first = node.moves.as_ref().and_then(|moves| moves.first()).map(|&(mv, _)| mv);
        let Some(mv) = first.filter(|_| node.numbers.proof == 0) else {
            return Ok(ThreatResult::Unknown);
        };
        let win = ThreatWin { plies: node.plies, mv };
        self.solver.stack.at(0).set_pv(&[mv]);
        Ok(ThreatResult::Win(win))
    }

    /// Searches a position until it is decided or one of its numbers reaches its threshold.
    fn deepen(
        &mut self,
        ply: u32,
        threshold: ProofNumbers,
        limits: ProofLimits,
    ) -> Result<(), Aborted> {
        let key = self.proof_key(limits.attacker);
        let attacks = self.tree.side_to_move() == limits.attacker;
        if !self.solver.proofs.contains_key(&key) {
            let node = self.expand(ply, attacks)?;
            self.solver.proofs.insert(key, node);
        }
        loop {
            let Some(best) = self.update_numbers(key, attacks) else { return Ok(()) };
            let BestChild { numbers, index, child, second } = best;
            let spent = self.solver.nodes >= limits.end;
            if numbers.proof >= threshold.proof || numbers.disproof >= threshold.disproof || spent {
                return Ok(());
            }
            let below = if attacks {
                ProofNumbers {
                    proof: threshold.proof.min(second.saturating_add(1 + second / EPSILON_DIVISOR)),
                    disproof: threshold.disproof - numbers.disproof + child.disproof,
                }
            } else {
                ProofNumbers {
                    proof: threshold.proof - numbers.proof + child.proof,
                    disproof: threshold
                        .disproof
                        .min(second.saturating_add(1 + second / EPSILON_DIVISOR)),
                }
            };
            self.count_node()?;
            let Some(mv) = self.move_of(key, index) else { return Ok(()) };
            self.tree.play(mv);
            let after = self.proof_key(limits.attacker);
            self.solver.proofs.entry(key).and_modify(|node| {
                if let Some(child) = node.moves.as_mut().and_then(|moves| moves.get_mut(index)) {
                    child.1 = Some(after);
                }
            });
            let deepened = self.deepen(ply + 1, below, limits);
            self.tree.undo();
            deepened?;
        }
    }

    /// Updates the numbers of a node from those of its children. Returns `None` if it is decided.
    fn update_numbers(&mut self, key: Key, attacks: bool) -> Option<BestChild> {
        let proofs = &mut self.solver.proofs;
        let node = proofs.get(&key)?;
        if node.numbers.is_final() {
            return None;
        }
        let moves = node.moves.as_ref()?;
        // From the side to move: the minimum of the children's proof numbers, the sum of their disproof numbers.
        let (mut least, mut second, mut sum) = (INFINITE, INFINITE, 0u32);
        let (mut best, mut child, mut plies) = (None, ProofNumbers::FRESH, 0);
        for (index, &(_, key)) in moves.iter().enumerate() {
            let known = key.and_then(|key| proofs.get(&key));
            let numbers = known.map_or(ProofNumbers::FRESH, |node| node.numbers);
            let seen = if attacks { numbers } else { numbers.swapped() };
            plies = plies.max(known.map_or(0, |node| node.plies));
            if seen.proof < least {
                (second, least) = (least, seen.proof);
                (best, child) = (Some(index), numbers);
                if least == 0 {
                    plies = known.map_or(0, |node| node.plies);
                    break;
                }
            } else {
                second = second.min(seen.proof);
            }
            sum = sum.saturating_add(seen.disproof).min(INFINITE);
        }
        let min_plies = node.min_plies;
        let seen = match least {
            0 => ProofNumbers::PROVED,
            INFINITE.. => ProofNumbers::DISPROVED,
            proof => ProofNumbers { proof, disproof: sum },
        };
        let numbers = if attacks { seen } else { seen.swapped() };
        let node = proofs.get_mut(&key)?;
        node.numbers = numbers;
        if numbers.is_final() {
            node.plies = (plies + 1).max(min_plies);
            let winner = best.filter(|_| attacks && numbers.proof == 0);
            let moves = node.moves.take();
            node.moves = winner.and_then(|index| Some(vec![*moves?.get(index)?]));
            return None;
        }
        Some(BestChild { numbers, index: best?, child, second })
    }

    /// Creates the node of a position.
    fn expand(&mut self, ply: u32, attacks: bool) -> Result<ProofNode, Aborted> {
        if self.tree.position.outcome().is_some() || ply >= MAX_DFPN_PLY {
            return Ok(ProofNode::disproved());
        }
        if attacks { self.expand_attack(ply) } else { self.expand_defense(ply) }
    }

    fn expand_attack(&mut self, ply: u32) -> Result<ProofNode, Aborted> {
        self.solver.nodes_left = DFPN_VCF.nodes;
        if let Some(plies) = self.win(ply, DFPN_VCF.threats)? {
            let first = self.solver.stack.at(ply).pv.first().copied();
            let moves = first.map(|mv| vec![(mv, None)]);
            return Ok(ProofNode { moves, ..ProofNode::proved(plies) });
        }
        if !self.list_defenses(ply) {
            let list = &mut self.solver.stack.at(ply).list;
            list.clear();
            self.tree.evaluator.tactical_moves(&self.tree.position, list);
            list.retain(|&mv| self.tree.evaluator.may_threaten(&self.tree.position, mv));
            self.tree.evaluator.threat_moves(&self.tree.position, false, list);
            self.tree.evaluator.capture_threats(&self.tree.position, list);
            list.sort_unstable();
            list.dedup();
        }
        Ok(self.open_node(ply, 0))
    }

    fn expand_defense(&mut self, ply: u32) -> Result<ProofNode, Aborted> {
        if self.tree.evaluator.winning_move(&self.tree.position).is_some() {
            return Ok(ProofNode::disproved());
        }
        if self.list_defenses(ply) {
            if self.solver.stack.at(ply).list.is_empty() {
                return Ok(ProofNode::proved(2));
            }
            return Ok(self.open_node(ply, 2));
        }
        let Some(plies) = self.null_move_threat(ply, DFPN_VCF)? else {
            return Ok(ProofNode::disproved());
        };
        self.solver.stack.at(ply).list.clone_from(&self.solver.zone);
        Ok(self.open_node(ply, plies))
    }

    /// Creates a node of the listed moves in order.
    fn open_node(&mut self, ply: u32, min_plies: u32) -> ProofNode {
        let mut list = std::mem::take(&mut self.solver.stack.at(ply).list);
        list.sort_by_cached_key(|&mv| {
            Reverse(self.tree.evaluator.ordering_score(&self.tree.position, mv))
        });
        let moves = list.iter().map(|&mv| (mv, None)).collect();
        self.solver.stack.at(ply).list = list;
        ProofNode { numbers: ProofNumbers::FRESH, plies: 0, moves: Some(moves), min_plies }
    }

    /// A move of a node.
    fn move_of(&self, key: Key, index: usize) -> Option<Move> {
        let node = self.solver.proofs.get(&key)?;
        Some(node.moves.as_ref()?.get(index)?.0)
    }

    fn proof_key(&self, attacker: Side) -> Key {
        Key(self.tree.position.key().0 ^ salt(attacker))
    }
}

/// Distinguishes the keys of attackers.
fn salt(attacker: Side) -> u64 {
    mix(0x9e6c_63d0_876a_9a43 ^ u64::from(attacker.0))
}
