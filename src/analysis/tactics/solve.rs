//! How many tactics an engine solves.

use super::{Prover, Reach, Tactic};
use pentarch_core::game::Move;
use pentarch_engine::eval::PatternTables;
use pentarch_engine::search::{Limits, Score, Signal};
use pentarch_engine::{Engine, EngineError, Options};
use std::sync::Arc;

/// What the engine made of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveResult {
    /// It announced a win, and its move is one that is known or was proved to win so soon.
    Solved,
    /// It announced no win.
    Missed,
    /// It announced a win by a move, or in a length, that was not proved within the limit.
    Unproved,
    /// It announced a loss, or a win where there is none.
    False,
    /// It gave no answer.
    Failed,
}

/// Asks the engine about a position, with a number of nodes and a fresh table, and judges the answer.
pub fn solve(tactic: &Tactic, nodes: u64) -> Result<SolveResult, EngineError> {
    let mut engine = Engine::new(Options { hash: HASH, ..Options::default() });
    let found = engine.think_here(&tactic.game, Limits::nodes(nodes), &Signal::new(), |_| ())?;
    Ok(judge(tactic, found.best, Some(found.report.score)))
}

/// Judges an answer to a position, of any engine: its move, and its value of the position.
pub fn judge(tactic: &Tactic, best: Option<Move>, score: Option<Score>) -> SolveResult {
    let Some(mate) = score.and_then(Score::mate) else { return SolveResult::Missed };
    let (Ok(plies @ 1..), Some(best)) = (u32::try_from(mate), best) else {
        return SolveResult::False;
    };
    if plies >= tactic.plies && tactic.first.contains(&best) {
        return SolveResult::Solved;
    }
    let Some(position) = tactic.game.placement() else { return SolveResult::Unproved };
    let tables = Arc::new(PatternTables::new(position.rules()));
    let mut prover = Prover::new(position, tables, PROOF_NODES);
    let quiet = if plies <= COMPLETE { 1 } else { 2 };
    match prover.wins_by(best, Reach { plies, quiet }) {
        Ok(true) => SolveResult::Solved,
        Ok(false) if plies <= COMPLETE => SolveResult::False,
        _ => SolveResult::Unproved,
    }
}

/// The size of the engine's table, in MiB; enough for a million nodes.
const HASH: usize = 16;
/// What the proof of a move that is not listed may cost, in nodes.
const PROOF_NODES: u64 = 3_000_000;
/// A refusal of the prover with one quiet move is final up to this length.
const COMPLETE: u32 = 5;
