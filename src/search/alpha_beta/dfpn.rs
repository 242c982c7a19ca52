//! The search for a win by threats of every kind: fours and captures, and moves that only threaten
//! to force a win, such as open threes and attacks on two pairs at once.
//!
//! It is a depth-first proof-number search (df-pn: Nagai 2002). The attacker tries his urgent
//! moves; where the defender is not threatened with a win in one, his moves are those that touch
//! the proof of the win that is threatened (see
//! [`relevance_zone`](super::relevance_zone)), and every one of them must lose. So he may block, make fours, capture any stone that the threat needs, or win first.

use super::worker::{Aborted, Worker};
use crate::game::{Key, Move, Position, Side};
use crate::search::Evaluator;
use std::collections::HashMap;

/// What is known of the positions that were looked at, by key and attacker.
pub(super) type Proofs = HashMap<Key, Node>;

/// A position seen from the attacker's side.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// How many positions must at least be won for a proof (0: it is done), and for a refutation.
    numbers: Numbers,
    /// The plies that the win takes at most, once it is proved.
    plies: u32,
    /// The moves that matter, each with the key of the position after it. None before the first
    /// visit.
    moves: Option<Vec<(Move, Key)>>,
    /// The least number of plies that a proof is said to take: what all moves left out lose within.
    least: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    refutation: u32,
}

/// More than any sum of numbers.
const INFINITE: u32 = 1 << 30;
/// Nodes and threats in a row for each search of fours and captures.
const FOURS: (u32, u32) = (60, 10);
/// Lines are not followed further from where the search began.
const DEEPEST: u32 = 40;
/// More positions are not remembered.
const MOST_NODES: usize = 60_000;

impl Numbers {
    const FRESH: Numbers = Numbers { proof: 1, refutation: 1 };
    const PROVED: Numbers = Numbers { proof: 0, refutation: INFINITE };
    const REFUTED: Numbers = Numbers { proof: INFINITE, refutation: 0 };

    fn is_final(self) -> bool {
        self.proof == 0 || self.refutation == 0
    }

    /// The numbers as the other side has them.
    fn turned(self) -> Numbers {
        Numbers { proof: self.refutation, refutation: self.proof }
    }
}

impl Node {
    fn proved(plies: u32) -> Node {
        Node { numbers: Numbers::PROVED, plies, moves: None, least: 0 }
    }

    fn refuted() -> Node {
        Node { numbers: Numbers::REFUTED, plies: 0, moves: None, least: 0 }
    }
}

impl<P: Position, E: Evaluator<P>> Worker<'_, P, E> {
    /// The length in plies of a win that the side to move can force with threats of any kind, if
    /// one is found within so many nodes. Its first move is left as the best line of `ply`. What
    /// was found out before is not lost.
    pub(super) fn prove_win(&mut self, ply: u32, nodes: u64) -> Result<Option<u32>, Aborted> {
        if self.proofs.len() > MOST_NODES {
            self.proofs.clear();
        }
        let attacker = self.side_to_move();
        let end = self.own_nodes() + nodes;
        let most = Numbers { proof: INFINITE, refutation: INFINITE };
        let scope = Scope { attacker, end, deepest: ply + DEEPEST };
        self.look(ply, most, scope)?;
        let key = self.proof_key(attacker);
        let Some(node) = self.proofs.get(&key).filter(|node| node.numbers.proof == 0) else {
            return Ok(None);
        };
        let plies = node.plies;
        let first = node.moves.as_ref().and_then(|moves| moves.first()).map(|&(mv, _)| mv);
        Ok(first.map(|mv| {
            self.stack.at(ply).set_pv(mv);
            plies
        }))
    }

    /// Looks at a position until it is decided or one of its numbers reaches the limit.
    fn look(&mut self, ply: u32, limit: Numbers, scope: Scope) -> Result<(), Aborted> {
        let key = self.proof_key(scope.attacker);
        let attacks = self.side_to_move() == scope.attacker;
        if !self.proofs.contains_key(&key) {
            let node = self.expand(ply, attacks, scope)?;
            self.proofs.insert(key, node);
        }
        loop {
            let Some(choice) = self.weigh(key, attacks) else { return Ok(()) };
            let Choice { numbers, best, second, .. } = choice;
            let spent = self.own_nodes() >= scope.end;
            if numbers.proof >= limit.proof || numbers.refutation >= limit.refutation || spent {
                return Ok(());
            }
            let child = choice.child;
            let (mv, _) = best;
            let below = if attacks {
                Numbers {
                    proof: limit.proof.min(second.saturating_add(1)),
                    refutation: limit.refutation - numbers.refutation + child.refutation,
                }
            } else {
                Numbers {
                    proof: limit.proof - numbers.proof + child.proof,
                    refutation: limit.refutation.min(second.saturating_add(1)),
                }
            };
            self.count_threat_node()?;
            self.tree.play(mv);
            let looked = self.look(ply + 1, below, scope);
            self.tree.undo();
            looked?;
        }
    }

    /// Brings a node's numbers up to date with those of its moves. None if it is decided.
    fn weigh(&mut self, key: Key, attacks: bool) -> Option<Choice> {
        let node = self.proofs.get(&key)?;
        if node.numbers.is_final() {
            return None;
        }
        let moves = node.moves.as_ref()?;
        // Seen from the side to move: the least of the moves' first numbers, the sum of the second.
        let (mut least, mut second, mut sum) = (INFINITE, INFINITE, 0u32);
        let (mut best, mut child, mut plies) = (None, Numbers::FRESH, 0);
        for (index, &(mv, key)) in moves.iter().enumerate() {
            let known = self.proofs.get(&key);
            let numbers = known.map_or(Numbers::FRESH, |node| node.numbers);
            let seen = if attacks { numbers } else { numbers.turned() };
            plies = plies.max(known.map_or(0, |node| node.plies));
            if seen.proof < least {
                (second, least) = (least, seen.proof);
                (best, child) = (Some((index, mv, key)), numbers);
                if least == 0 {
                    plies = known.map_or(0, |node| node.plies);
                    break;
                }
            } else {
                second = second.min(seen.proof);
            }
            sum = sum.saturating_add(seen.refutation).min(INFINITE);
        }
        let least_plies = node.least;
        let seen = match least {
            0 => Numbers::PROVED,
            INFINITE.. => Numbers::REFUTED,
            proof => Numbers { proof, refutation: sum },
        };
        let numbers = if attacks { seen } else { seen.turned() };
        let node = self.proofs.get_mut(&key)?;
        node.numbers = numbers;
        if numbers.is_final() {
            node.plies = (plies + 1).max(least_plies);
            let winner = best.filter(|_| attacks && numbers.proof == 0);
            node.moves = winner.map(|(_, mv, key)| vec![(mv, key)]);
            return None;
        }
        let (_, mv, key) = best?;
        Some(Choice { numbers, best: (mv, key), child, second })
    }

    /// Looks at a position for the first time.
    fn expand(&mut self, ply: u32, attacks: bool, scope: Scope) -> Result<Node, Aborted> {
        let position = self.tree.position();
        if position.outcome().is_some() || ply >= scope.deepest {
            return Ok(Node::refuted());
        }
        if attacks { self.expand_attack(ply, scope) } else { self.expand_defense(ply, scope) }
    }

    fn expand_attack(&mut self, ply: u32, scope: Scope) -> Result<Node, Aborted> {
        self.threat_nodes = FOURS.0;
        if let Some(plies) = self.forced_win(ply, FOURS.1)? {
            let first = self.stack.at(ply).pv.first().copied();
            let moves = first.map(|mv| vec![(mv, Key(0))]);
            return Ok(Node { moves, ..Node::proved(plies) });
        }
        if !self.list_defenses(ply) {
            let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
            let list = &mut self.stack.at(ply).list;
            list.clear();
            evaluator.tactical_moves(position, list);
            evaluator.threat_moves(position, list);
            evaluator.capture_threats(position, list);
            list.sort_unstable();
            list.dedup();
        }
        Ok(self.open_node(ply, scope, 0))
    }

    fn expand_defense(&mut self, ply: u32, scope: Scope) -> Result<Node, Aborted> {
        if self.tree.evaluator().winning_move(self.tree.position()).is_some() {
            return Ok(Node::refuted());
        }
        if self.list_defenses(ply) {
            if self.stack.at(ply).list.is_empty() {
                return Ok(Node::proved(2));
            }
            return Ok(self.open_node(ply, scope, 2));
        }
        match self.null_move_threat(ply, FOURS)? {
            Some(plies) => Ok(self.open_node(ply, scope, plies)),
            None => Ok(Node::refuted()),
        }
    }

    /// A node of the listed moves, the most promising first.
    fn open_node(&mut self, ply: u32, scope: Scope, least: u32) -> Node {
        let mut list = std::mem::take(&mut self.stack.at(ply).list);
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        list.sort_by_cached_key(|&mv| std::cmp::Reverse(evaluator.ordering_score(position, mv)));
        let salt = salt(scope.attacker);
        let after = |&mv: &Move| (mv, Key(self.tree.key_after(mv).0 ^ salt));
        let moves = list.iter().map(after).collect();
        self.stack.at(ply).list = list;
        Node { numbers: Numbers::FRESH, plies: 0, moves: Some(moves), least }
    }

    fn proof_key(&self, attacker: Side) -> Key {
        Key(self.tree.position().key().0 ^ salt(attacker))
    }
}

/// What one call of [`Worker::prove_win`] is about.
#[derive(Clone, Copy, Debug)]
struct Scope {
    attacker: Side,
    /// The node count at which to end.
    end: u64,
    /// The ply at which to give up.
    deepest: u32,
}

/// The move to look at next.
#[derive(Clone, Copy, Debug)]
struct Choice {
    numbers: Numbers,
    best: (Move, Key),
    child: Numbers,
    /// The number that the second best move has where the best has the least.
    second: u32,
}

fn salt(attacker: Side) -> u64 {
    crate::board::mix(0x9e6c_63d0_876a_9a43 ^ u64::from(attacker.0))
}
