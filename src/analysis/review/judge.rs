//! Analyzes the positions of a game, and judges its moves by these analyses.

use super::text::{summarize_game, summarize_player};
use crate::review::report::{
    EndReview, GameReview, MissedDefense, MissedWin, MistakeClass, PlayerReview, PlyReview,
    ProofKind, ReviewBudget, SCHEMA, rounded, win_rate,
};
use crate::review::reviewer::ReviewTask;
use crate::tactics::{ForcedWin, MateProver, ProofLimits};
use crate::{Analysis, AnalysisError, AnalysisLine, AnalysisQuery, Analyzer, StopHandle};
use pentarch_core::game::{Move, Position as _};
use pentarch_core::placement;
use pentarch_core::rules::OpeningStage;
use pentarch_core::rules::RuleTier;
use pentarch_engine::Game;
use pentarch_engine::eval::StoneTables;
use pentarch_engine::search::{Limits, Score};
use std::sync::{Arc, Mutex, PoisonError};

/// Judges a game whose positions are all analyzed.
pub(super) fn judge(
    task: &ReviewTask,
    analyses: &[PositionAnalysis],
    budget: &ReviewBudget,
    prover: &ReviewProver,
) -> GameReview {
    let mut game = task.start.clone();
    let mut plies = Vec::with_capacity(task.moves.len());
    for (index, (&mv, analysis)) in task.moves.iter().zip(analyses).enumerate() {
        let mut after = game.clone();
        // The move was legal when the game was replayed.
        let _ = after.play_move(mv);
        let at = PlayedMove {
            index,
            game: &game,
            after: &after,
            mv,
            analysis,
            next: analyses.get(index + 1),
        };
        plies.push(at.review(task, prover));
        game = after;
    }
    let end = analyses.get(task.moves.len()).map(|analysis| EndReview {
        seat: game.to_move().0 + 1,
        score: analysis.score.value(),
        mate: analysis.score.mate(),
        win_rate: win_rate(analysis.score),
        best: game.move_text(analysis.best.mv),
        pv: game.line_texts(&analysis.best.pv),
    });
    let seats = (0..usize::from(game.seats())).map(|seat| seat_review(task, seat, &plies));
    let mut review = GameReview {
        schema: SCHEMA,
        budget: budget.clone(),
        file: task.file.clone(),
        line: task.record.line,
        name: task.record.name.clone(),
        rules: game.rules().to_string(),
        initial_position: task.initial_position(),
        players: task.record.players.clone(),
        moves: task.move_texts(),
        result: task.result(),
        fault: task.fault.clone(),
        seats: seats.collect(),
        turning_point: None,
        summary: String::new(),
        plies,
        end,
    };
    review.turning_point = turning_point(&review);
    review.summary = summarize_game(&review);
    for seat in 0..review.seats.len() {
        review.seats[seat].summary = summarize_player(&review, &review.seats[seat]);
    }
    review
}

/// A played move with the analyses before and after it.
struct PlayedMove<'a> {
    index: usize,
    game: &'a Game,
    after: &'a Game,
    mv: Move,
    analysis: &'a PositionAnalysis,
    /// The analysis of the position after it.
    next: Option<&'a PositionAnalysis>,
}

impl PlayedMove<'_> {
    fn review(&self, task: &ReviewTask, prover: &ReviewProver) -> PlyReview {
        let PlayedMove { game, analysis, .. } = self;
        let seat = game.to_move();
        let opening = task.is_opening(self.index);
        let played = self.played();
        // A played move with a better score than the best move is the best move.
        let is_best = self.mv == analysis.best.mv || played > analysis.score;
        let best = if is_best { played } else { analysis.score };
        let (before, after) = (best.win_probability(), played.win_probability());
        let loss = (before - after).max(0.0);
        let missed_win = self.missed_win(played);
        PlyReview {
            ply: self.index as u32 + 1,
            mv: game.move_text(self.mv),
            seat: seat.0 + 1,
            side: game.side_of(seat).0 + 1,
            choice: game.is_choice(),
            opening,
            score: best.value(),
            mate: best.mate(),
            win_rate: win_rate(best),
            played_score: played.value(),
            played_mate: played.mate(),
            played_win_rate: win_rate(played),
            best: game.move_text(if is_best { self.mv } else { analysis.best.mv }),
            pv: if is_best { self.line_played() } else { game.line_texts(&analysis.best.pv) },
            nodes: analysis.nodes,
            loss: rounded(loss),
            accuracy: (accuracy(before, after) * 10.0).round() / 10.0,
            class: MistakeClass::of_loss(rounded(loss)).filter(|_| !opening),
            missed_win,
            missed_defense: if is_best { None } else { self.missed_defense(prover) },
        }
    }

    /// Returns whether the next position is scored for the other of two sides. `None` with three or
    /// more sides, whose scores are not related.
    fn side_changes(&self) -> Option<bool> {
        let two = self.game.rules().seating().sides() == 2;
        let side = |game: &Game| game.side_of(game.to_move());
        two.then(|| side(self.game) != side(self.after))
    }

    /// Returns the score of the played move, corrected by proofs in the next position.
    fn played(&self) -> Score {
        let found = self.analysis.played.unwrap_or(self.analysis.score);
        let next = self.side_changes().zip(self.next);
        let proved = next.and_then(|(side_changes, next)| {
            let plies = next.score.mate()?.unsigned_abs() + 1;
            // Losses found by a search are as certain as its wins, but a win must be proved to
            // count here.
            let wins = next.win.as_ref().map(|_| true).or(next.score.is_loss().then_some(false))?;
            Some(if wins == side_changes { Score::loss_in(plies) } else { Score::win_in(plies) })
        });
        proved.unwrap_or(found)
    }

    /// Returns the played move and the expected continuation.
    fn line_played(&self) -> Vec<String> {
        let mut line = vec![self.game.move_text(self.mv)];
        match self.next {
            Some(next) => line.extend(self.after.line_texts(&next.best.pv)),
            None if self.analysis.best.mv == self.mv => {
                return self.game.line_texts(&self.analysis.best.pv);
            }
            None => (),
        }
        line
    }

    fn missed_win(&self, played: Score) -> Option<MissedWin> {
        let win = self.analysis.win.as_ref()?;
        let as_soon = played.mate().is_some_and(|plies| plies > 0 && plies as u32 <= win.plies);
        if as_soon || win.first.contains(&self.mv) {
            return None;
        }
        Some(MissedWin {
            plies: win.plies,
            moves: win.first.iter().map(|&mv| self.game.move_text(mv)).collect(),
            proof: win.proof,
            kept: played.is_win(),
        })
    }

    fn missed_defense(&self, prover: &ReviewProver) -> Option<MissedDefense> {
        let win = self.next.filter(|_| self.side_changes() == Some(true))?.win.as_ref()?;
        let best = self.analysis.best.mv;
        let held = !self.analysis.score.is_loss() && prover.holds(self.game, best, win.plies);
        held.then(|| MissedDefense { plies: win.plies, moves: vec![self.game.move_text(best)] })
    }
}

/// Returns the accuracy of a move by its change of win probability, from 0 to 100. The formula of
/// lichess, fitted to human judgments (<https://lichess.org/page/accuracy>).
fn accuracy(before: f64, after: f64) -> f64 {
    let percent = 100.0 * (before - after).max(0.0);
    (103.1668 * (-0.04354 * percent).exp() - 3.1669).clamp(0.0, 100.0)
}

fn seat_review(task: &ReviewTask, seat: usize, plies: &[PlyReview]) -> PlayerReview {
    let own = || plies.iter().filter(|ply| usize::from(ply.seat) == seat + 1 && !ply.opening);
    let count = |class| own().filter(|ply| ply.class == Some(class)).count() as u32;
    let moves = own().count() as u32;
    let mean = |sum: f64| (moves > 0).then(|| sum / f64::from(moves));
    PlayerReview {
        seat: seat as u8 + 1,
        name: task.player(seat),
        moves,
        accuracy: mean(own().map(|ply| ply.accuracy).sum())
            .map(|mean| (mean * 10.0).round() / 10.0),
        mean_loss: mean(own().map(|ply| ply.loss).sum()).map(rounded),
        inaccuracies: count(MistakeClass::Inaccuracy),
        mistakes: count(MistakeClass::Mistake),
        blunders: count(MistakeClass::Blunder),
        missed_wins: own().filter(|ply| ply.lost_win().is_some()).count() as u32,
        missed_defenses: own().filter(|ply| ply.missed_defense.is_some()).count() as u32,
        summary: String::new(),
    }
}

/// Returns the last mistake of another side after which the winner was never behind again; without
/// a winner, the largest mistake.
fn turning_point(review: &GameReview) -> Option<u32> {
    let mistakes = || review.plies.iter().filter(|ply| ply.class.is_some());
    let greatest = || mistakes().max_by(|a, b| a.loss.total_cmp(&b.loss));
    let Some(pentarch_records::GameResult::Win(winner)) = review.result else {
        return greatest().map(|ply| ply.ply);
    };
    let mut turning = None;
    for ply in &review.plies {
        let own = ply.side == winner.0 + 1;
        let even = if review.seats.len() > 2 { 1.0 / review.seats.len() as f64 } else { 0.5 };
        if own && ply.played_win_rate < even {
            turning = None;
        } else if !own && ply.class.is_some() && turning.is_none() {
            turning = Some(ply.ply);
        }
    }
    turning
}

/// The analysis of a position for a review, for the seat to move.
#[derive(Clone, Debug)]
pub(super) struct PositionAnalysis {
    /// The best line.
    pub best: AnalysisLine,
    /// Its score.
    pub score: Score,
    /// The score of the played move; `None` at the end of the record.
    pub played: Option<Score>,
    /// The win, if one is proved.
    pub win: Option<ProvedWin>,
    /// The number of nodes of the searches.
    pub nodes: u64,
}

/// The factor of nodes for the line of a win that only the prover found.
const LINE_FACTOR: u64 = 10;

/// Analyzes an open position and the move played there, on a thread of the analyzer.
pub(super) fn analyze_position(
    analyzer: &Analyzer,
    prover: &ReviewProver,
    game: &Game,
    played: Option<Move>,
    limits: &Limits,
    stop: &StopHandle,
) -> Result<PositionAnalysis, AnalysisError> {
    let search = |limits: Limits| -> Result<Analysis, AnalysisError> {
        let query = AnalysisQuery::new(game.clone(), limits);
        let found = analyzer.analyze_here(&query, stop, &mut |_| ())?;
        // An interrupted result would depend on the time.
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
    let win = prover.win(game, &best, played);
    if let Some(win) = &win
        && best.score.is_none_or(|score| score.mate() != Some(win.plies as i32))
    {
        let line = search(only(win.first.clone(), LINE_FACTOR))?;
        nodes += line.nodes;
        best = proved_line(line, win);
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
    Ok(PositionAnalysis { best, score, played: value, win, nodes })
}

/// Returns the line of a proved win: that of a search if it found the win too.
fn proved_line(found: Analysis, win: &ProvedWin) -> AnalysisLine {
    let score = Score::win_in(win.plies);
    let line = found.lines.into_iter().next();
    match line {
        Some(line) if line.score.is_some_and(Score::is_win) => {
            AnalysisLine { score: Some(score), ..line }
        }
        _ => AnalysisLine {
            mv: win.first[0],
            score: Some(score),
            bound: pentarch_engine::search::Bound::Exact,
            nodes: 0,
            depth: win.plies,
            pv: vec![win.first[0]],
        },
    }
}

/// Returns the score of a move that ends the game, for the seat that makes it.
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

// ReviewProver of wins and of defenses.

/// A proved win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProvedWin {
    /// The plies to the end, including the winning move.
    pub plies: u32,
    /// The first moves that win within that length. All of them, unless the played move is one.
    pub first: Vec<Move>,
    pub proof: ProofKind,
}

/// Proves wins and defenses within a budget.
#[derive(Debug)]
pub(super) struct ReviewProver {
    budget: ReviewBudget,
    /// The tables of the last rules.
    tables: Mutex<Option<Arc<StoneTables>>>,
}

/// The maximum length of wins that are searched without an announcement, the default of `tactics
/// mine`.
const UNANNOUNCED_PLIES: u32 = 9;
/// The win probability from which a search may have overlooked a win.
const PROMISING_WIN_RATE: f64 = 0.75;
/// The maximum length of a win that is proved.
const MAX_PLIES: u32 = 25;
/// The number of quiet moves of a win, the default of `tactics check`.
const QUIET_MOVES: u32 = 1;

impl ReviewProver {
    pub(super) fn new(budget: &ReviewBudget) -> ReviewProver {
        ReviewProver { budget: budget.clone(), tables: Mutex::new(None) }
    }

    fn tables(&self, position: &placement::Position) -> Arc<StoneTables> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        match &*tables {
            Some(tables) if tables.serve(position.rules()) => Arc::clone(tables),
            _ => Arc::clone(tables.insert(Arc::new(StoneTables::new(position.rules())))),
        }
    }

    fn mate_prover(&self, position: &placement::Position, nodes: u64) -> MateProver {
        MateProver::new(position, self.tables(position), nodes)
    }

    /// Returns the shortest win of the side to move that can be proved: the one that the search
    /// announced by this line, or one that the prover finds.
    pub(super) fn win(
        &self,
        game: &Game,
        line: &AnalysisLine,
        played: Option<Move>,
    ) -> Option<ProvedWin> {
        let announced = line.score.and_then(Score::mate);
        let announced = announced.and_then(|plies| u32::try_from(plies).ok());
        let Some(position) = provable(game) else {
            let plies = announced.filter(|_| wins_by_the_rules(game, &line.pv))?;
            return Some(ProvedWin { plies, first: vec![line.mv], proof: ProofKind::Search });
        };
        let promising =
            line.score.is_some_and(|score| score.win_probability() >= PROMISING_WIN_RATE);
        let (plies, nodes) = match announced {
            Some(plies) if plies > MAX_PLIES => return None,
            Some(plies) => (plies, self.budget.proof_nodes),
            None if promising => (UNANNOUNCED_PLIES, self.budget.win_search_nodes),
            None => (UNANNOUNCED_PLIES, self.budget.win_search_nodes / 20),
        };
        let mut prover = self.mate_prover(position, nodes);
        let ForcedWin { plies, first } =
            prover.shortest(ProofLimits { plies, quiet: QUIET_MOVES }).ok()??;
        // The stored results help to find the other first moves.
        let mut prover = prover.with_more(self.budget.proof_nodes);
        let reach = ProofLimits { plies, quiet: QUIET_MOVES };
        if let Some(played) = played.filter(|&mv| prover.wins_by(mv, reach) == Ok(true)) {
            return Some(ProvedWin { plies, first: vec![played], proof: ProofKind::Prover });
        }
        let others = prover.first_moves(reach).ok()?.into_iter().filter(|&mv| mv != first);
        let first = [first].into_iter().chain(others).collect();
        Some(ProvedWin { plies, first, proof: ProofKind::Prover })
    }

    /// Returns whether it is proved that a move allows the other side no win within that many
    /// plies.
    pub(super) fn holds(&self, game: &Game, mv: Move, plies: u32) -> bool {
        let mut after = game.clone();
        if plies > UNANNOUNCED_PLIES || after.play_move(mv).is_err() {
            return false;
        }
        let Some(position) = provable(&after).filter(|position| position.outcome().is_none())
        else {
            return false;
        };
        // With that many quiet moves a negative result of the prover is complete.
        let quiet = (plies.saturating_sub(3)).div_ceil(2).min(3);
        let mut prover = self.mate_prover(position, self.budget.proof_nodes);
        prover.wins(ProofLimits { plies, quiet }) == Ok(false)
    }
}

/// Returns the position if the prover supports the game: two players who only place stones.
fn provable(game: &Game) -> Option<&placement::Position> {
    let position = game.placement()?;
    let plain =
        position.rules().tier() <= RuleTier::SwapOpening && position.stage() == OpeningStage::Play;
    (plain && game.seats() == 2).then_some(position)
}

/// Returns whether a line ends the game in favor of the side to move.
fn wins_by_the_rules(game: &Game, line: &[Move]) -> bool {
    let mut after = game.clone();
    let played = line.iter().all(|&mv| after.play_move(mv).is_ok());
    let winner = after.outcome().and_then(|outcome| outcome.winner);
    played && winner == Some(game.side_of(game.to_move()))
}
