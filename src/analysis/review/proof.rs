//! Proofs of wins and of defenses.

use super::report::{Budget, Proof};
use crate::Line;
use crate::tactics::{Prover, Reach, Win};
use pentarch_core::game::{Move, Position as _};
use pentarch_core::placement;
use pentarch_core::rules::OpeningStage;
use pentarch_core::rules::RuleTier;
use pentarch_engine::Game;
use pentarch_engine::eval::PatternTables;
use pentarch_engine::search::Score;
use std::sync::{Arc, Mutex, PoisonError};

/// A win that is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProvedWin {
    /// Plies to the end, the winning move included.
    pub plies: u32,
    /// First moves that win so soon: all of them if the prover was asked for them.
    pub first: Vec<Move>,
    pub proof: Proof,
}

/// Proves wins and defenses within a budget.
#[derive(Debug)]
pub(super) struct Proofs {
    budget: Budget,
    /// The tables of the rules that were met last.
    tables: Mutex<Option<Arc<PatternTables>>>,
}

/// The longest wins looked for where none was announced, as `tactics mine` does by default.
const LOOK_PLIES: u32 = 9;
/// A search that sees at least this probability to win may have overlooked a win.
const PROMISING: f64 = 0.75;
/// The longest win that a proof is tried of.
const MOST_PLIES: u32 = 25;
/// The quiet moves that a win may have, as `tactics check` takes it by default.
const QUIET: u32 = 1;

impl Proofs {
    pub(super) fn new(budget: &Budget) -> Proofs {
        Proofs { budget: budget.clone(), tables: Mutex::new(None) }
    }

    fn tables(&self, position: &placement::Position) -> Arc<PatternTables> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        match &*tables {
            Some(tables) if tables.serve(position.rules()) => Arc::clone(tables),
            _ => Arc::clone(tables.insert(Arc::new(PatternTables::new(position.rules())))),
        }
    }

    fn prover(&self, position: &placement::Position, nodes: u64) -> Prover {
        Prover::new(position, self.tables(position), nodes)
    }

    /// The shortest win of the side to move that can be proved, if the search has announced one by
    /// this line, or else if a look finds one. The first moves are all of those that win so soon
    /// unless `played` is one of them.
    pub(super) fn win(&self, game: &Game, line: &Line, played: Option<Move>) -> Option<ProvedWin> {
        let announced = line.score.and_then(Score::mate);
        let announced = announced.and_then(|plies| u32::try_from(plies).ok());
        let Some(position) = provable(game) else {
            let plies = announced.filter(|_| wins_by_the_rules(game, &line.pv))?;
            return Some(ProvedWin { plies, first: vec![line.mv], proof: Proof::Search });
        };
        let promising = line.score.is_some_and(|score| score.win_probability() >= PROMISING);
        let (plies, nodes) = match announced {
            Some(plies) if plies > MOST_PLIES => return None,
            Some(plies) => (plies, self.budget.proof_nodes),
            None if promising => (LOOK_PLIES, self.budget.look_nodes),
            None => (LOOK_PLIES, self.budget.look_nodes / 20),
        };
        let mut prover = self.prover(position, nodes);
        let Win { plies, first } = prover.shortest(Reach { plies, quiet: QUIET }).ok()??;
        // What was found out so far helps to find the other first moves.
        let mut prover = prover.with_more(self.budget.proof_nodes);
        let reach = Reach { plies, quiet: QUIET };
        if let Some(played) = played.filter(|&mv| prover.wins_by(mv, reach) == Ok(true)) {
            return Some(ProvedWin { plies, first: vec![played], proof: Proof::Prover });
        }
        let others = prover.first_moves(reach).ok()?.into_iter().filter(|&mv| mv != first);
        let first = [first].into_iter().chain(others).collect();
        Some(ProvedWin { plies, first, proof: Proof::Prover })
    }

    /// Whether it is proved that a move leaves the other side no win within that many plies.
    pub(super) fn holds(&self, game: &Game, mv: Move, plies: u32) -> bool {
        let mut after = game.clone();
        if plies > LOOK_PLIES || after.play_move(mv).is_err() {
            return false;
        }
        let Some(position) = provable(&after).filter(|position| position.outcome().is_none())
        else {
            return false;
        };
        // With that many quiet moves a refusal of the prover is complete.
        let quiet = (plies.saturating_sub(3)).div_ceil(2).min(3);
        let mut prover = self.prover(position, self.budget.proof_nodes);
        prover.wins(Reach { plies, quiet }) == Ok(false)
    }
}

/// The position if the prover knows such games: two players who do nothing but place stones.
fn provable(game: &Game) -> Option<&placement::Position> {
    let position = game.placement()?;
    let plain =
        position.rules().tier() <= RuleTier::SwapOpening && position.stage() == OpeningStage::Play;
    (plain && game.seats() == 2).then_some(position)
}

/// Whether a line ends the game in favor of the side to move.
fn wins_by_the_rules(game: &Game, line: &[Move]) -> bool {
    let mut after = game.clone();
    let played = line.iter().all(|&mv| after.play_move(mv).is_ok());
    let winner = after.outcome().and_then(|outcome| outcome.winner);
    played && winner == Some(game.side_of(game.to_move()))
}
