//! Short wins first: the same search with a limit of plies that grows.
//!
//! A win that needs few plies is found long before a search without a limit comes to it, because such
//! a search follows its first moves to the end of the game. What is not won within a limit says nothing
//! about the value.

use super::rules::{SmallBoard, Value};
use super::solver::{Solver, Spent};

/// The longest wins that are looked for in this way.
const LONGEST: u32 = 21;

/// Positions that one limit of plies may take before the next is given up.
const MOST_NODES: u64 = 20_000_000;

impl Solver {
    /// Whether a color is found to win within a growing number of plies.
    pub(super) fn wins_soon(&mut self, board: &SmallBoard, color: u8) -> Result<bool, Spent> {
        let odd = u32::from(board.color != color);
        for plies in (1..=LONGEST).step_by(2).map(|plies| plies + odd) {
            let before = self.nodes();
            if self.wins_within(board, color, plies)? {
                return Ok(true);
            }
            if self.nodes() - before > MOST_NODES {
                break;
            }
        }
        Ok(false)
    }

    /// The move of a color that wins soonest, if one is found.
    pub(super) fn shortest(
        &mut self,
        board: &SmallBoard,
        color: u8,
        moves: &[u32],
    ) -> Result<Option<u32>, Spent> {
        let before = self.nodes();
        for plies in (2..LONGEST).step_by(2) {
            for &bit in moves {
                let (next, end) = self.rules().play(board, bit);
                if end.is_none() && self.wins_within(&next, color, plies)? {
                    return Ok(Some(bit));
                }
            }
            if self.nodes() - before > MOST_NODES {
                break;
            }
        }
        Ok(None)
    }

    /// Whether a color wins an open position within that many plies, as far as this sees.
    fn wins_within(&mut self, board: &SmallBoard, color: u8, plies: u32) -> Result<bool, Spent> {
        self.count_node()?;
        let (mover, attacks) = (usize::from(board.color & 1), board.color == color);
        let goal = if color == 0 { Value::First } else { Value::Draw };
        let attacker = usize::from(color & 1);
        let Some(points) = self.forced_points(board) else {
            // One side wins at once, or cannot stop the other from doing so.
            let (wins, _) = self.rules().wins(board, mover);
            return Ok(attacks == (wins != 0) && (attacks || plies >= 2));
        };
        // A defender who is not threatened is taken to last for two plies.
        let quiet = !attacks && plies <= 2 && self.rules().wins(board, attacker).0 == 0;
        if plies <= 1 || quiet {
            return Ok(false);
        }
        let settled = self.rules().settled(board);
        let key = self.key(board, &settled);
        if let Some(reached) = self.bounds(&key, &settled).reaches(goal) {
            return Ok(reached == (color == 0));
        }
        if self.has_failed(&key, plies) {
            return Ok(false);
        }
        let moves = self.ranked(board, points, &settled, goal);
        let mut won = !attacks;
        for bit in moves.bits() {
            let (next, end) = self.rules().play(board, bit);
            let wins = match end {
                Some(value) => (value >= goal) == (color == 0),
                None => self.wins_within(&next, color, plies - 1)?,
            };
            if wins == attacks {
                self.reward(board, bit);
                won = attacks;
                break;
            }
        }
        if won {
            self.learn(&key, &settled, goal, color == 0);
        } else {
            self.fail(&key, plies);
        }
        Ok(won)
    }
}
