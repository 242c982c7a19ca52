//! A look at one position.

use super::proof::{Proofs, ProvedWin};
use crate::{Analysis, AnalysisError, Analyzer, Line, Query, Stop};
use pentarch_core::game::Move;
use pentarch_engine::Game;
use pentarch_engine::search::{Limits, Score};

/// What was found out about a position, for the seat to move.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// The best line that was found.
    pub best: Line,
    /// Its value.
    pub score: Score,
    /// The value with the move that was played; none at the end of the record.
    pub played: Option<Score>,
    /// The win, if one is proved.
    pub win: Option<ProvedWin>,
    /// Nodes of the searches.
    pub nodes: u64,
}

/// This many times the nodes are spent on the line of a win that only the prover has seen.
const LINE_FACTOR: u64 = 10;

/// Looks at an open position and the move that was played there, on a thread of the analyzer.
pub(super) fn look(
    analyzer: &Analyzer,
    proofs: &Proofs,
    game: &Game,
    played: Option<Move>,
    limits: &Limits,
    stop: &Stop,
) -> Result<Look, AnalysisError> {
    let search = |limits: Limits| -> Result<Analysis, AnalysisError> {
        let query = Query::new(game.clone(), limits);
        let found = analyzer.analyze_here(&query, stop, &mut |_| ())?;
        // What was cut short would depend on when.
        if stop.is_stopped() { Err(AnalysisError::Stopped) } else { Ok(found) }
    };
    let only = |moves: Vec<Move>, factor: u64| Limits {
        search_moves: moves,
        nodes: limits.nodes.map(|nodes| nodes.saturating_mul(factor)),
        ..limits.clone()
    };
    let found = search(limits.clone())?;
    let mut nodes = found.nodes;
    let mut best = found.lines.into_iter().next().ok_or(AnalysisError::Stopped)?;
    let win = proofs.win(game, &best, played);
    if let Some(win) = &win
        && best.score.is_none_or(|score| score.mate() != Some(win.plies as i32))
    {
        let line = search(only(win.first.clone(), LINE_FACTOR))?;
        nodes += line.nodes;
        best = won_line(line, win);
    }
    let score = best.score.unwrap_or(Score::DRAW);
    let mut value_of = |mv: Move| -> Result<Score, AnalysisError> {
        if mv == best.mv {
            return Ok(score);
        }
        if let Some(score) = value_if_over(game, mv) {
            return Ok(score);
        }
        let found = search(only(vec![mv], 1))?;
        nodes += found.nodes;
        Ok(found.score.unwrap_or(Score::DRAW))
    };
    let value = played.map(&mut value_of).transpose()?;
    Ok(Look { best, score, played: value, win, nodes })
}

/// A win that is proved, with the line of a search if that has found it too.
fn won_line(found: Analysis, win: &ProvedWin) -> Line {
    let score = Score::win_in(win.plies);
    let line = found.lines.into_iter().next();
    match line {
        Some(line) if line.score.is_some_and(Score::is_win) => Line { score: Some(score), ..line },
        _ => Line {
            mv: win.first[0],
            score: Some(score),
            bound: pentarch_engine::search::Bound::Exact,
            nodes: 0,
            depth: win.plies,
            pv: vec![win.first[0]],
        },
    }
}

/// The value of a move that ends the game, for the seat that makes it.
fn value_if_over(game: &Game, mv: Move) -> Option<Score> {
    let mut after = game.clone();
    after.play_move(mv).ok()?;
    let outcome = after.outcome()?;
    let sides = game.rules().seating().sides();
    Some(match outcome.winner {
        Some(winner) if winner == game.side_of(game.to_move()) => Score::win_in(1),
        Some(_) => Score::loss_in(1),
        None if sides == 2 => Score::DRAW,
        None => Score::from_win_probability(1.0 / f64::from(sides)),
    })
}
