//! The search for a win by threats of every kind: fours and captures, and moves that only threaten
//! to force a win, such as open threes and attacks on two pairs at once (double threats).
//!
//! It is a depth-first proof-number search (df-pn: Nagai, "Df-pn Algorithm for Searching AND/OR
//! Trees and Its Applications", 2002; <https://www.chessprogramming.org/Proof-Number_Search>). The
//! attacker tries its tactical moves; where the defender is not threatened with a win in one, its
//! moves are those of the [`relevance_zone`](super::relevance_zone) of the win that is threatened,
//! and every one of them must lose. So it may block, make fours, capture any stone that the threat
//! needs, or win first.

use super::{ThreatBudget, ThreatResult, ThreatWin, Walk};
use crate::search::{Aborted, NodeCounter, ThreatGenerator};
use pentarch_core::game::mix;
use pentarch_core::game::{Key, Move, Position, Side};
use std::cmp::Reverse;
use std::collections::HashMap;

/// What is known of the positions that were looked at, by key and attacker.
pub(super) type Proofs = HashMap<Key, Node>;

/// A position seen from the attacker's side.
#[derive(Clone, Debug)]
pub(super) struct Node {
    numbers: Numbers,
    /// The plies that the win takes at most, once it is proved.
    plies: u32,
    /// The moves that matter, each with the key of the position after it once it has been played.
    /// None before the first visit.
    moves: Option<Vec<(Move, Option<Key>)>>,
    /// The least number of plies that a proof is said to take: what all moves left out lose within.
    least: u32,
}

/// How many positions must at least be won for a proof (0: it is done), and lost for a disproof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

/// What one call of [`Walk::prove`] is about.
#[derive(Clone, Copy, Debug)]
struct Goal {
    attacker: Side,
    /// The node count at which to end.
    end: u64,
}

/// The move to look at next.
#[derive(Clone, Copy, Debug)]
struct Choice {
    numbers: Numbers,
    /// Its place among the moves of the node.
    best: usize,
    child: Numbers,
    /// The number that the second best move has where the best has the least.
    second: u32,
}

/// More than any sum of numbers.
const INFINITE: u32 = 1 << 30;
/// A move is followed until its number exceeds that of the second best by this part of it, so that
/// the search does not go to and fro (Pawlewicz and Lew, "Improving Depth-First PN-Search: 1+epsilon
/// Trick", 2006).
const SLACK: u32 = 4;
/// What each search for continuous threats may cost.
pub(super) const VCF: ThreatBudget = ThreatBudget { nodes: 60, threats: 10, thrifty: false };
/// Lines are not followed further from where the search began.
const DEEPEST: u32 = 40;
/// More positions are not remembered.
const MOST_POSITIONS: usize = 60_000;

impl Numbers {
    const FRESH: Numbers = Numbers { proof: 1, disproof: 1 };
    const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
    const DISPROVED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    fn is_final(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// The numbers as the other side has them.
    fn swapped(self) -> Numbers {
        Numbers { proof: self.disproof, disproof: self.proof }
    }
}

impl Node {
    fn proved(plies: u32) -> Node {
        Node { numbers: Numbers::PROVED, plies, moves: None, least: 0 }
    }

    fn disproved() -> Node {
        Node { numbers: Numbers::DISPROVED, plies: 0, moves: None, least: 0 }
    }
}

impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> Walk<'_, '_, P, E, C> {
    /// Looks for a win of the side to move within a number of nodes. Its first move is left as the
    /// best line.
    pub(super) fn prove(&mut self, nodes: u64) -> Result<ThreatResult, Aborted> {
        if self.solver.proofs.len() > MOST_POSITIONS {
            self.solver.proofs.clear();
        }
        let attacker = self.tree.side_to_move();
        let most = Numbers { proof: INFINITE, disproof: INFINITE };
        self.deepen(0, most, Goal { attacker, end: self.solver.nodes + nodes })?;
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

    /// Looks at a position until it is decided or one of its numbers reaches its threshold.
    fn deepen(&mut self, ply: u32, limit: Numbers, goal: Goal) -> Result<(), Aborted> {
        let key = self.proof_key(goal.attacker);
        let attacks = self.tree.side_to_move() == goal.attacker;
        if !self.solver.proofs.contains_key(&key) {
            let node = self.expand(ply, attacks)?;
            self.solver.proofs.insert(key, node);
        }
        loop {
            let Some(choice) = self.update_numbers(key, attacks) else { return Ok(()) };
            let Choice { numbers, best, child, second } = choice;
            let spent = self.solver.nodes >= goal.end;
            if numbers.proof >= limit.proof || numbers.disproof >= limit.disproof || spent {
                return Ok(());
            }
            let below = if attacks {
                Numbers {
                    proof: limit.proof.min(second.saturating_add(1 + second / SLACK)),
                    disproof: limit.disproof - numbers.disproof + child.disproof,
                }
            } else {
                Numbers {
                    proof: limit.proof - numbers.proof + child.proof,
                    disproof: limit.disproof.min(second.saturating_add(1 + second / SLACK)),
                }
            };
            self.count_node()?;
            let Some(mv) = self.move_of(key, best) else { return Ok(()) };
            self.tree.play(mv);
            let after = self.proof_key(goal.attacker);
            self.solver.proofs.entry(key).and_modify(|node| {
                if let Some(child) = node.moves.as_mut().and_then(|moves| moves.get_mut(best)) {
                    child.1 = Some(after);
                }
            });
            let deepened = self.deepen(ply + 1, below, goal);
            self.tree.undo();
            deepened?;
        }
    }

    /// Brings a node's numbers up to date with those of its moves. None if it is decided.
    fn update_numbers(&mut self, key: Key, attacks: bool) -> Option<Choice> {
        let proofs = &mut self.solver.proofs;
        let node = proofs.get(&key)?;
        if node.numbers.is_final() {
            return None;
        }
        let moves = node.moves.as_ref()?;
        // Seen from the side to move: the least of the moves' first numbers, the sum of the second.
        let (mut least, mut second, mut sum) = (INFINITE, INFINITE, 0u32);
        let (mut best, mut child, mut plies) = (None, Numbers::FRESH, 0);
        for (index, &(_, key)) in moves.iter().enumerate() {
            let known = key.and_then(|key| proofs.get(&key));
            let numbers = known.map_or(Numbers::FRESH, |node| node.numbers);
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
        let least_plies = node.least;
        let seen = match least {
            0 => Numbers::PROVED,
            INFINITE.. => Numbers::DISPROVED,
            proof => Numbers { proof, disproof: sum },
        };
        let numbers = if attacks { seen } else { seen.swapped() };
        let node = proofs.get_mut(&key)?;
        node.numbers = numbers;
        if numbers.is_final() {
            node.plies = (plies + 1).max(least_plies);
            let winner = best.filter(|_| attacks && numbers.proof == 0);
            let moves = node.moves.take();
            node.moves = winner.and_then(|index| Some(vec![*moves?.get(index)?]));
            return None;
        }
        Some(Choice { numbers, best: best?, child, second })
    }

    /// Looks at a position for the first time.
    fn expand(&mut self, ply: u32, attacks: bool) -> Result<Node, Aborted> {
        if self.tree.outcome().is_some() || ply >= DEEPEST {
            return Ok(Node::disproved());
        }
        if attacks { self.expand_attack(ply) } else { self.expand_defense(ply) }
    }

    fn expand_attack(&mut self, ply: u32) -> Result<Node, Aborted> {
        self.solver.nodes_left = VCF.nodes;
        if let Some(plies) = self.win(ply, VCF.threats)? {
            let first = self.solver.stack.at(ply).pv.first().copied();
            let moves = first.map(|mv| vec![(mv, None)]);
            return Ok(Node { moves, ..Node::proved(plies) });
        }
        if !self.list_defenses(ply) {
            let list = &mut self.solver.stack.at(ply).list;
            list.clear();
            self.tree.tactical_moves(list);
            list.retain(|&mv| self.tree.may_threaten(mv));
            self.tree.threat_moves(false, list);
            self.tree.capture_threats(list);
            list.sort_unstable();
            list.dedup();
        }
        Ok(self.open_node(ply, 0))
    }

    fn expand_defense(&mut self, ply: u32) -> Result<Node, Aborted> {
        if self.tree.winning_move().is_some() {
            return Ok(Node::disproved());
        }
        if self.list_defenses(ply) {
            if self.solver.stack.at(ply).list.is_empty() {
                return Ok(Node::proved(2));
            }
            return Ok(self.open_node(ply, 2));
        }
        let Some(plies) = self.null_move_threat(ply, VCF)? else { return Ok(Node::disproved()) };
        self.solver.stack.at(ply).list.clone_from(&self.solver.zone);
        Ok(self.open_node(ply, plies))
    }

    /// A node of the listed moves, the most promising first.
    fn open_node(&mut self, ply: u32, least: u32) -> Node {
        let mut list = std::mem::take(&mut self.solver.stack.at(ply).list);
        list.sort_by_cached_key(|&mv| Reverse(self.tree.ordering_score(mv)));
        let moves = list.iter().map(|&mv| (mv, None)).collect();
        self.solver.stack.at(ply).list = list;
        Node { numbers: Numbers::FRESH, plies: 0, moves: Some(moves), least }
    }

    /// A move of a node that is known.
    fn move_of(&self, key: Key, index: usize) -> Option<Move> {
        let node = self.solver.proofs.get(&key)?;
        Some(node.moves.as_ref()?.get(index)?.0)
    }

    fn proof_key(&self, attacker: Side) -> Key {
        Key(self.tree.key().0 ^ salt(attacker))
    }
}

/// Makes keys of positions those of an attacker.
fn salt(attacker: Side) -> u64 {
    mix(0x9e6c_63d0_876a_9a43 ^ u64::from(attacker.0))
}
