//! Which moves can answer a threat that is still quiet: the opponent, if he were to move, would
//! force a win.
//!
//! The proof of that win depends on little of the board. A move that touches none of it leaves the
//! proof as it is and loses (relevance zones: Wu and Lin, "Relevance-zone-oriented proof search for
//! Connect6", 2010). Here a move touches the proof if it is one of its moves or lies on one of its
//! winning cells, if it captures, or if at some point of the proof it would let the defender win,
//! or make either side capture something that it does not capture without it.

use super::worker::{Aborted, Worker};
use crate::game::{Key, Move, Position};
use crate::search::Evaluator;

/// Proofs of more plies are not followed.
const LONGEST: u32 = 60;
/// With fewer plies left, looking for a quiet threat costs as much as it saves.
const LEAST_DEPTH: i32 = 3;
/// What a look from within the tree may cost: nodes, and threats in a row.
const EFFORT: (u32, u32) = (32, 8);

impl<P: Position, E: Evaluator<P>> Worker<'_, P, E> {
    /// At a node of the tree at which the opponent does not threaten to win with one move: the same
    /// as [`Worker::null_move_threat`], where that is worth its nodes.
    pub(super) fn list_null_move_defenses(
        &mut self,
        ply: u32,
        depth: i32,
    ) -> Result<Option<u32>, Aborted> {
        let settings = self.shared.settings;
        let wanted = depth >= LEAST_DEPTH && !settings.exact && settings.handicap.forced_wins;
        if wanted && self.tree.evaluator().may_be_threatened(self.tree.position()) {
            self.null_move_threat(ply, EFFORT)
        } else {
            Ok(None)
        }
    }

    /// Looks for a win that the opponent would force if the side to move did nothing. There is no
    /// win in one on the board, for either side. Returns the plies that it takes, the idle one
    /// included, and leaves the moves that touch its proof in the frame's list.
    pub(super) fn null_move_threat(
        &mut self,
        ply: u32,
        (nodes, threats): (u32, u32),
    ) -> Result<Option<u32>, Aborted> {
        if !self.tree.skip_turn() {
            return Ok(None);
        }
        self.threat_nodes = nodes;
        let found = self.attack(ply + 1, threats);
        self.tree.undo();
        if found?.is_none() {
            return Ok(None);
        }
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        self.zone.clear();
        if !evaluator.defense_zone(position, &mut self.zone) {
            return Ok(None);
        }
        self.tree.skip_turn();
        let traced = self.trace_attack(ply + 1, LONGEST, threats);
        self.tree.undo();
        let Some(plies) = traced? else { return Ok(None) };
        self.zone.sort_unstable();
        self.zone.dedup();
        let position = self.tree.position();
        let list = &mut self.stack.at(ply).list;
        list.clear();
        list.extend(self.zone.iter().filter(|&&mv| position.is_legal(mv)));
        Ok(Some(plies + 1))
    }

    /// Follows the proof of a win that [`Worker::attack`] found for the side to move, and adds all
    /// that it depends on to the zone. Returns the plies that it takes, none if it cannot be
    /// followed.
    fn trace_attack(&mut self, ply: u32, most: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        if most < 3 || position.outcome().is_some() {
            return Ok(None);
        }
        if let Some(mv) = evaluator.winning_move(position) {
            self.zone.push(mv);
            return Ok(Some(1));
        }
        let Some(mv) = self.forced_move(ply, threats)? else { return Ok(None) };
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        evaluator.capture_zone(position, mv, &mut self.zone);
        self.zone.push(mv);
        self.count_threat_node()?;
        self.tree.play(mv);
        let plies = self.trace_defense(ply + 1, most - 1, threats);
        self.tree.undo();
        Ok(plies?.map(|plies| plies + 1))
    }

    /// The move that begins the win that is known for the side to move.
    fn forced_move(&mut self, ply: u32, threats: u32) -> Result<Option<Move>, Aborted> {
        let key = Key(self.tree.position().key().0 ^ super::vcf::SALT);
        let known = |worker: &Self| {
            let entry = worker.shared.table.probe(key).filter(|entry| entry.score.is_win())?;
            entry.mv.filter(|&mv| worker.tree.position().is_legal(mv))
        };
        if let Some(mv) = known(self) {
            return Ok(Some(mv));
        }
        Ok(self.attack(ply, threats)?.and_then(|_| known(self)))
    }

    /// The other half of [`Worker::trace_attack`]: every reply of the side to move.
    fn trace_defense(&mut self, ply: u32, most: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        let open = position.outcome().is_none() && evaluator.winning_move(position).is_none();
        if !open || !evaluator.defense_zone(position, &mut self.zone) || !self.list_defenses(ply) {
            return Ok(None);
        }
        let (mut longest, mut index) = (1, 0);
        while let Some(&mv) = self.stack.at(ply).list.get(index) {
            index += 1;
            self.zone.push(mv);
            self.count_threat_node()?;
            self.tree.play(mv);
            let plies = self.trace_attack(ply + 1, most - 1, threats);
            self.tree.undo();
            let Some(plies) = plies? else { return Ok(None) };
            longest = longest.max(plies);
        }
        Ok(Some(longest + 1))
    }
}
