//! Strategies: what a player plays so as to keep the value of a position.

use super::board::{SmallBoard, Value};
use super::certificate::{Certificate, Claim, Strategy};
use super::solver::{Solver, Spent};
use pentarch_core::game::Cell;
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

    /// The color that wins, or that is kept from it.
    fn attacker(self) -> u8 {
        if self.wins { self.color } else { 1 - self.color }
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
        let (attacker, wanted) = (self.claim.attacker(), self.claim.wins);
        let rules = self.solver.rules();
        let legal = rules.in_order(rules.legal(board));
        let won = Some(Value::win(self.claim.color.into()));
        if let Some(&bit) = legal.iter().find(|&&bit| rules.play(board, bit).1 == won) {
            return Ok(bit);
        }
        // What is decided without a search is so whatever is played.
        let moves = rules.look(board, attacker).map(|node| rules.ranked(&node, attacker));
        let moves = moves.map_or(legal, |moves| moves.iter().map(|(bit, _)| bit).collect());
        let keeps = |bit: &&u32| self.solver.known(board, **bit, attacker) == Some(wanted);
        if let Some(&bit) = moves.iter().find(keeps) {
            return Ok(bit);
        }
        if wanted && let Some(bit) = self.solver.shortest(board, attacker, &moves)? {
            return Ok(bit);
        }
        for &bit in &moves {
            let (next, end) = self.solver.rules().play(board, bit);
            if end.is_none() && self.solver.wins(&next, attacker)? == wanted {
                return Ok(bit);
            }
        }
        // A claim that does not hold has no move; the check refuses what is written then.
        Ok(moves.first().copied().unwrap_or_default())
    }
}
