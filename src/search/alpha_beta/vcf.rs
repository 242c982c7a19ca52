//! The search for a forced win: one threat to win after the other, until the defender cannot answer
//! (threat-space search; Allis 1994). Unlike in games without captures the defender may do more
//! than block, so every reply that the evaluator names is tried, each by itself.

use super::search_stack::Frame;
use super::worker::{Aborted, Worker};
use crate::game::{Key, Move, Position, Side};
use crate::search::{Bound, Entry, Evaluator, Score, Window};

/// Makes results of this search keys of their own in the table.
pub(super) const SALT: u64 = 0x5bd1_e995_7f4a_7c15;
/// How many nodes the search may visit where the search of all moves ends.
const LEAF_NODES: u32 = 24;
/// How many threats in a row it may look at there.
const LEAF_THREATS: u32 = 6;

impl<P: Position, E: Evaluator<P>> Worker<'_, P, E> {
    /// The value of a position at the end of the search: a forced win, or else what it looks
    /// like.
    pub(super) fn leaf(&mut self, window: Window, ply: u32) -> Result<Score, Aborted> {
        let value = self.tree.evaluator().value(self.tree.position());
        self.threat_nodes = LEAF_NODES;
        if value < window.beta
            && self.shared.settings.handicap.forced_wins
            && let Some(plies) = self.attack(ply, LEAF_THREATS)?
        {
            return Ok(Score::win_in(ply + plies));
        }
        Ok(value)
    }

    /// The length in plies of a win that the side to move can force with at most `threats`
    /// threats, if one is found. It holds against every defense, but may not be the shortest.
    pub(super) fn forced_win(&mut self, ply: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        if position.outcome().is_some() {
            return Ok(None);
        }
        if let Some(mv) = evaluator.winning_move(position) {
            self.stack.at(ply).set_pv(mv);
            return Ok(Some(1));
        }
        self.attack(ply, threats)
    }

    /// [`Worker::forced_win`] in an open position that is known to have no win in one.
    pub(super) fn attack(&mut self, ply: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        if threats == 0 || self.threat_nodes == 0 || !self.list_threats(ply) {
            return Ok(None);
        }
        let key = Key(self.tree.position().key().0 ^ SALT);
        if let Some(entry) = self.shared.table.probe(key) {
            if let Some(plies) = entry.score.mate() {
                if let Some(mv) = entry.mv {
                    self.stack.at(ply).set_pv(mv);
                }
                return Ok(u32::try_from(plies).ok());
            }
            if u32::from(entry.depth) >= threats {
                return Ok(None);
            }
        }
        let found = self.try_threats(ply, threats)?;
        if found.is_none() && self.threat_nodes == 0 {
            return Ok(None);
        }
        let (score, bound, mv) = match found {
            Some((mv, plies)) => (Score::win_in(plies), Bound::Lower, Some(mv)),
            None => (Score::DRAW, Bound::Upper, None),
        };
        self.shared.table.store(key, Entry { mv, score, bound, depth: threats.min(255) as u8 });
        Ok(found.map(|(_, plies)| plies))
    }

    /// Lists the moves to try: threats, or, if the other side threatens first, the answers to
    /// that, some of which may be threats as well. False if there are none.
    fn list_threats(&mut self, ply: u32) -> bool {
        let list = &mut self.stack.at(ply).list;
        list.clear();
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        if !evaluator.defenses(position, list) {
            evaluator.threat_moves(position, list);
        }
        !list.is_empty()
    }

    /// Tries the listed moves, the most promising first; returns the first that wins, with the
    /// length of the win.
    fn try_threats(&mut self, ply: u32, threats: u32) -> Result<Option<(Move, u32)>, Aborted> {
        let attacker = self.side_to_move();
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        let Frame { list, moves, .. } = self.stack.at(ply);
        moves.clear();
        moves.extend(list.iter().map(|&mv| (mv, evaluator.ordering_score(position, mv))));
        while let Some(mv) = self.stack.at(ply).pick() {
            self.count_threat_node()?;
            self.tree.play(mv);
            let answer = self.defense(ply + 1, threats - 1, attacker);
            self.tree.undo();
            if let Some(plies) = answer? {
                self.stack.update_pv(ply, mv);
                return Ok(Some((mv, plies + 1)));
            }
        }
        Ok(None)
    }

    /// The length of the win if every defense loses, the attacker having just made a move that
    /// may be a threat.
    fn defense(&mut self, ply: u32, threats: u32, attacker: Side) -> Result<Option<u32>, Aborted> {
        let position = self.tree.position();
        let wins = self.tree.evaluator().winning_move(position).is_some();
        if position.outcome().is_some() || self.side_to_move() == attacker || wins {
            return Ok(None);
        }
        if !self.list_defenses(ply) {
            return Ok(None);
        }
        self.stack.at(ply).pv.clear();
        let (mut longest, mut index) = (1, 0);
        while let Some(&mv) = self.stack.at(ply).list.get(index) {
            index += 1;
            self.count_threat_node()?;
            self.tree.play(mv);
            let same = self.side_to_move() != attacker;
            let win = if same { Ok(None) } else { self.forced_win(ply + 1, threats) };
            self.tree.undo();
            let Some(plies) = win? else { return Ok(None) };
            if plies >= longest {
                longest = plies;
                self.stack.update_pv(ply, mv);
            }
        }
        Ok(Some(longest + 1))
    }

    pub(super) fn count_threat_node(&mut self) -> Result<(), Aborted> {
        self.threat_nodes = self.threat_nodes.saturating_sub(1);
        self.count_node()
    }

    pub(super) fn side_to_move(&self) -> Side {
        let position = self.tree.position();
        position.side_of(position.to_move())
    }
}
