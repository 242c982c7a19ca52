//! Which moves can answer a threat that is still quiet: the opponent, if it were its turn, would
//! force a win (a null-move threat).
//!
//! The proof of that win depends on little of the board. A move that touches none of it leaves the
//! proof as it is and loses (relevance zones: Wu and Lin, "Relevance-Zone-Oriented Proof Search for
//! Connect6", 2010). Here a move touches the proof if it is one of its moves or lies on one of its
//! winning cells, if it captures, or if at some point of the proof it would let the defender win,
//! or make either side capture something that it does not capture without it.

use super::{ThreatBudget, Walk};
use crate::search::{Aborted, NodeCounter, ThreatGenerator};
use pentarch_core::game::{Move, Position};

/// Proofs of more plies are not traced.
const LONGEST: u32 = 60;

impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> Walk<'_, '_, P, E, C> {
    /// Looks for a win that the opponent would force if the side to move made a null move. There is
    /// no win in one on the board, for either side. Returns the plies that it takes, the null move
    /// included, and leaves the legal moves that touch its proof in the zone.
    pub(super) fn null_move_threat(
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
        if found?.is_none() || !self.tree.defense_zone(&mut self.solver.zone) {
            return Ok(None);
        }
        self.tree.null_move();
        let traced = self.trace_attack(ply + 1, LONGEST, threats);
        self.tree.undo();
        let Some(plies) = traced? else { return Ok(None) };
        let zone = &mut self.solver.zone;
        zone.sort_unstable();
        zone.dedup();
        zone.retain(|&mv| self.tree.is_legal(mv));
        Ok(Some(plies + 1))
    }

    /// Follows the proof of a win that [`Walk::attack`] found for the side to move, and adds all
    /// that it depends on to the zone. Returns the plies that it takes, none if it cannot be
    /// followed.
    fn trace_attack(&mut self, ply: u32, most: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        if most < 3 || self.tree.outcome().is_some() {
            return Ok(None);
        }
        if let Some(mv) = self.tree.winning_move() {
            self.solver.zone.push(mv);
            return Ok(Some(1));
        }
        let Some(mv) = self.proof_move(ply, threats)? else { return Ok(None) };
        self.tree.capture_zone(mv, &mut self.solver.zone);
        self.solver.zone.push(mv);
        self.count_node()?;
        self.tree.play(mv);
        let plies = self.trace_defense(ply + 1, most - 1, threats);
        self.tree.undo();
        Ok(plies?.map(|plies| plies + 1))
    }

    /// The attacker's move in the proof. If the table has lost it, it is looked for again.
    fn proof_move(&mut self, ply: u32, threats: u32) -> Result<Option<Move>, Aborted> {
        let threatened = self.list_defenses(ply);
        let sure = self.sure_vcf(threatened).map(|win| win.mv);
        if let Some(mv) = sure.or_else(|| self.known_move()) {
            return Ok(Some(mv));
        }
        Ok(self.attack(ply, threats)?.and_then(|_| self.known_move()))
    }

    /// The other half of [`Walk::trace_attack`]: every defense of the side to move.
    fn trace_defense(&mut self, ply: u32, most: u32, threats: u32) -> Result<Option<u32>, Aborted> {
        let open = self.tree.outcome().is_none() && self.tree.winning_move().is_none();
        if !open || !self.tree.defense_zone(&mut self.solver.zone) || !self.list_defenses(ply) {
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
