//! What a node must answer: threats to win with the next move, and quieter ones.

use super::worker::Worker;
use crate::search::{Aborted, Coverage, Score, ThreatGenerator};
use pentarch_core::game::Position;

/// A win that the opponent could force if the side to move made a null move; the moves that may prevent
/// it are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuietThreat {
    /// The plies until that win, the null move included. Every other move loses as soon.
    pub plies: u32,
    /// Whether it took a search to find it.
    pub is_found: bool,
}

/// The plies of a null move, an open four, any move and the win.
const OPEN_FOUR_PLIES: u32 = 4;

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// Lists defenses against a threat to win with one move; `None` if there is no threat.
    pub(super) fn list_defenses(&mut self, ply: u32) -> Option<Coverage> {
        let list = &mut self.stack.at(ply).list;
        list.clear();
        self.tree.defenses(list)
    }

    /// Lists the moves that can answer a quiet threat, if there is one that can be seen at once, or that
    /// is found where the node `looks` for one.
    pub(super) fn list_answers(
        &mut self,
        ply: u32,
        looks: bool,
    ) -> Result<Option<QuietThreat>, Aborted> {
        if self.list_open_four_defenses(ply) {
            return Ok(Some(QuietThreat { plies: OPEN_FOUR_PLIES, is_found: false }));
        }
        if looks { self.list_null_move_defenses(ply) } else { Ok(None) }
    }

    /// The loss by an open four that nothing prevents.
    pub(super) fn sure_loss(&mut self, ply: u32) -> Option<Score> {
        let is_lost = self.list_open_four_defenses(ply) && self.stack.at(ply).list.is_empty();
        is_lost.then(|| Score::loss_in(ply + OPEN_FOUR_PLIES))
    }

    /// Lists the defenses against an open four that the opponent could make; false if it cannot.
    fn list_open_four_defenses(&mut self, ply: u32) -> bool {
        let wanted = self.wants_forced_wins();
        let list = &mut self.stack.at(ply).list;
        list.clear();
        wanted && self.tree.open_four_defenses(list)
    }

    /// Where it is worth its nodes, looks for a win that the opponent could force after a null
    /// move, and lists the moves that can answer it.
    fn list_null_move_defenses(&mut self, ply: u32) -> Result<Option<QuietThreat>, Aborted> {
        if !self.wants_forced_wins() || !self.tree.may_be_threatened() {
            return Ok(None);
        }
        let budget = self.shared.settings.parameters.null_move_budget();
        let (tree, counter) = (&mut self.tree, &mut self.counter);
        let result = self.solver.null_move_threat(tree, counter, budget)?;
        Ok(result.win().map(|win| {
            let list = &mut self.stack.at(ply).list;
            list.clear();
            list.extend_from_slice(self.solver.zone());
            QuietThreat { plies: win.plies, is_found: true }
        }))
    }

    /// Whether wins by threats are looked for beside the search of all moves, and seen before it.
    pub(super) fn wants_forced_wins(&self) -> bool {
        let settings = &self.shared.settings;
        !settings.exact && settings.handicap.forced_wins
    }
}
