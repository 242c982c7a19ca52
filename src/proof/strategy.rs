//! Strategies: what a player plays so as to keep the value of a position.

use super::certificate::{Certificate, Claim, Strategy};
use super::rules::{SmallBoard, Value};
use super::solver::{Solver, Spent};
use crate::game::Cell;
use std::collections::HashSet;

impl Claim {
    /// The strategies that prove a value: one for a win, one of each player for a draw.
    pub(super) fn of(value: Value) -> &'static [Claim] {
        const FIRST_WINS: Claim = Claim { color: 0, wins: true };
        const SECOND_WINS: Claim = Claim { color: 1, wins: true };
        const DRAWS: [Claim; 2] =
            [Claim { color: 0, wins: false }, Claim { color: 1, wins: false }];
        match value {
            Value::First => &[FIRST_WINS],
            Value::Draw => &DRAWS,
            Value::Second => &[SECOND_WINS],
        }
    }

    /// The question that the claim answers, and the answer is yes for the first color.
    fn goal(self) -> Value {
        if (self.color == 0) == self.wins { Value::First } else { Value::Draw }
    }
}

/// Searches for the strategies that prove the value of a position, out of what a solver knows.
///
/// `game` and `start` are the texts that the certificate names the game and the position by.
pub fn strategies(
    solver: &mut Solver,
    board: &SmallBoard,
    value: Value,
    game: String,
    start: Option<String>,
) -> Result<Certificate, Spent> {
    let mut strategies = Vec::new();
    solver.forget_failures();
    for &claim in Claim::of(value) {
        let mut walk = Walk { solver, claim, known: HashSet::new(), moves: Vec::new() };
        walk.enter(board)?;
        strategies.push(Strategy { claim, moves: walk.moves });
    }
    Ok(Certificate { game, start, value, strategies })
}

/// A walk through all that can happen when one player follows a strategy.
struct Walk<'a> {
    solver: &'a mut Solver,
    claim: Claim,
    /// The positions with a move of the strategy, one of all images.
    known: HashSet<SmallBoard>,
    moves: Vec<Cell>,
}

impl Walk<'_> {
    /// Looks at an open position.
    fn enter(&mut self, board: &SmallBoard) -> Result<(), Spent> {
        if board.color == self.claim.color { self.follow(board) } else { self.answer_all(board) }
    }

    fn answer_all(&mut self, board: &SmallBoard) -> Result<(), Spent> {
        for bit in self.solver.rules().in_order(self.solver.rules().legal(board)) {
            let (next, end) = self.solver.rules().play(board, bit);
            if end.is_none() {
                self.enter(&next)?;
            }
        }
        Ok(())
    }

    fn follow(&mut self, board: &SmallBoard) -> Result<(), Spent> {
        if !self.known.insert(self.solver.rules().canonical(board)) {
            return Ok(());
        }
        let bit = self.choose(board)?;
        self.moves.push(self.solver.rules().cell(bit));
        let (next, end) = self.solver.rules().play(board, bit);
        if end.is_none() { self.enter(&next) } else { Ok(()) }
    }

    /// A move that keeps what is claimed: one that is known to, else one that is found to.
    fn choose(&mut self, board: &SmallBoard) -> Result<u32, Spent> {
        let (goal, wanted) = (self.claim.goal(), self.claim.color == 0);
        let moves = self.solver.in_turn(board, goal);
        let rules = self.solver.rules();
        let at_once = |bit: &u32| rules.play(board, *bit).1.map(|value| (value >= goal) == wanted);
        if let Some(&bit) = moves.iter().find(|bit| at_once(bit) == Some(true)) {
            return Ok(bit);
        }
        let keeps = |bit: &&u32| self.solver.known(board, **bit, goal) == Some(wanted);
        if let Some(&bit) = moves.iter().find(keeps) {
            return Ok(bit);
        }
        if self.claim.wins
            && let Some(bit) = self.solver.shortest(board, self.claim.color, &moves)?
        {
            return Ok(bit);
        }
        for &bit in &moves {
            let (next, end) = self.solver.rules().play(board, bit);
            if end.is_none() && self.solver.reaches(&next, goal)? == wanted {
                return Ok(bit);
            }
        }
        // A claim that does not hold has no move; the check refuses what is written then.
        Ok(moves.first().copied().unwrap_or_default())
    }
}
