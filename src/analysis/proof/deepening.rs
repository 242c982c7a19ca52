//! Short wins first: the same search with a limit of plies that grows.
//!
//! A win that needs few plies is found long before a search without a limit comes to it, because such
//! a search follows its first moves to the end of the game. What is not won within a limit says nothing
//! about the value.

use super::board::SmallBoard;
use super::solver::{Solver, Spent};

/// The longest wins that are looked for in this way.
const LONGEST: u32 = 21;

/// Positions that may be looked at before they are given up.
const MOST_NODES: u64 = 4_000_000;

impl Solver {
    /// Whether a color is found to win within a growing number of plies.
    pub(super) fn wins_soon(&mut self, board: &SmallBoard, color: u8) -> Result<bool, Spent> {
        let odd = u32::from(board.color != color);
        let limits = (1..=LONGEST).step_by(2).map(|plies| plies + odd);
        let found = self.for_a_while(|solver| {
            for plies in limits {
                if solver.wins_within(board, color, plies)? {
                    return Ok(Some(()));
                }
            }
            Ok(None)
        })?;
        Ok(found.is_some())
    }

    /// The move of a color that wins soonest, if one is found.
    pub(super) fn shortest(
        &mut self,
        board: &SmallBoard,
        color: u8,
        moves: &[u32],
    ) -> Result<Option<u32>, Spent> {
        self.for_a_while(|solver| {
            for plies in (2..LONGEST).step_by(2) {
                for &bit in moves {
                    let (next, end) = solver.rules().play(board, bit);
                    if end.is_none() && solver.wins_within(&next, color, plies)? {
                        return Ok(Some(bit));
                    }
                }
            }
            Ok(None)
        })
    }

    /// Looks for something until a number of positions is spent; nothing is found then.
    fn for_a_while<T>(
        &mut self,
        look: impl FnOnce(&mut Solver) -> Result<Option<T>, Spent>,
    ) -> Result<Option<T>, Spent> {
        let (whole, enough) = (self.budget.nodes, self.nodes() + MOST_NODES);
        if whole.is_some_and(|whole| whole <= enough) {
            return look(self);
        }
        self.budget.nodes = Some(enough);
        let found = look(self);
        self.budget.nodes = whole;
        if self.is_late() { found } else { found.or(Ok(None)) }
    }
}
