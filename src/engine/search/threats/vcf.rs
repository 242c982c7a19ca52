//! The search for a win by continuous threats: one threat to win in one after the other, until the
//! defender has no answer.
//!
//! In games of five it is known as victory by continuous fours, VCF, the first part of threat-space
//! search (Allis, van den Herik and Huntjens, "Go-Moku and Threat-Space Search", 1993). Unlike in
//! games without captures the defender may do more than block, so every defense that the evaluator
//! names is tried, each by itself.

use super::Walk;
use crate::search::search_stack::Frame;
use crate::search::{
    Aborted, Bound, Entry, NodeCounter, Score, ThreatGenerator, TranspositionTable,
};
use pentarch_core::game::{Key, Move, Position, Side};

/// Results of this search, in the table.
const KIND: u32 = 0x5bd1_e995;
/// The same of a thrifty one.
const THRIFTY_KIND: u32 = 0x1b87_3593;
/// The most defenses that a thrifty search goes through. Of threats in keryo-pente that leave more, one in
/// thirty wins, in pente one in twenty.
const FEW_DEFENSES: usize = 2;

impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> Walk<'_, '_, P, E, C> {
    /// The length in plies of a win that the side to move can force with at most `threats` threats,
    /// if one is found. Its line is left as the best of `ply`.
    pub(super) fn win(&mut self, ply: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        if self.tree.outcome().is_some() {
            return Ok(None);
        }
        match self.win_in_one(ply) {
            None => self.attack(ply, threats),
            win => Ok(win),
        }
    }

    /// A win with the next move: of a turn of two stones the second one too.
    fn win_in_one(&mut self, ply: u32) -> Option<u32> {
        let mv = self.tree.winning_move()?;
        self.solver.stack.at(ply).set_pv(&[mv]);
        Some(1)
    }

    /// [`Walk::win`] in an open position that is known to have no win in one.
    pub(super) fn attack(&mut self, ply: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        if threats == 0 {
            return Ok(None);
        }
        let threatened = self.list_defenses(ply);
        if let Some(win) = self.sure_vcf(threatened) {
            self.solver.stack.at(ply).set_pv(&[win.mv]);
            return Ok(Some(win.plies));
        }
        if self.solver.nodes_left == 0 {
            return Ok(None);
        }
        let key = self.vcf_key();
        // Nothing is probed where there are no threats to list; listing takes as long as memory does.
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

    /// The move that begins the win that is known for the side to move.
    pub(super) fn known_move(&self) -> Option<Move> {
        let entry = self.solver.table.probe(self.vcf_key());
        let entry = entry.filter(|entry| entry.score.is_win())?;
        entry.mv.filter(|&mv| self.tree.is_legal(mv))
    }

    fn vcf_key(&self) -> Key {
        let kind = if self.solver.thrifty { THRIFTY_KIND } else { KIND };
        TranspositionTable::key_of_kind(self.tree.key(), kind)
    }

    /// Lists the moves to try: threats, or, if the other side threatens first, the defenses, which are
    /// listed by then and some of which may be threats as well. False if there are none.
    fn list_threats(&mut self, ply: u32, threatened: bool) -> bool {
        let list = &mut self.solver.stack.at(ply).list;
        let (tree, made) = (&self.tree, &self.solver.made);
        if !threatened {
            tree.threat_moves(self.solver.thrifty, list);
        }
        if self.solver.thrifty {
            let builds_on =
                |mv| made.is_empty() || made.iter().any(|&other| tree.builds_on(mv, other));
            list.retain(|&mv| if threatened { tree.leads_on(mv) } else { builds_on(mv) });
        }
        !list.is_empty()
    }

    /// Tries the listed moves, the most promising first; returns the first that wins, with the
    /// length of the win.
    fn try_threats(&mut self, ply: u32, threats: u32) -> Result<Option<(Move, u32)>, Aborted> {
        let attacker = self.tree.side_to_move();
        let Frame { list, moves, .. } = self.solver.stack.at(ply);
        moves.clear();
        moves.extend(list.iter().map(|&mv| (mv, self.tree.ordering_score(mv))));
        while let Some(mv) = self.solver.stack.at(ply).pick() {
            self.count_node()?;
            self.tree.play(mv);
            self.solver.made.push(mv);
            let goes_on = self.tree.side_to_move() == attacker && self.tree.outcome().is_none();
            let defended = if goes_on {
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

    /// The length of the win if every defense loses, the attacker having just made a move that
    /// may be a threat.
    fn defend(&mut self, ply: u32, threats: u32, attacker: Side) -> Result<Option<u32>, Aborted> {
        let wins = self.tree.winning_move().is_some();
        if self.tree.outcome().is_some() || self.tree.side_to_move() == attacker || wins {
            return Ok(None);
        }
        if !self.list_defenses(ply) {
            return Ok(None);
        }
        if self.solver.thrifty && self.solver.stack.at(ply).list.len() > FEW_DEFENSES {
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
