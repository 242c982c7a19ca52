//! Analyzes the positions of a game, and judges its moves by these analyses.

use super::text::{summarize_game, summarize_player};
use crate::query::score_of_outcome;
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

/// Judges a game whose positions are all analyzed. Searches again where a mark would depend on the
/// noise of two searches.
pub(super) fn judge(
    task: &ReviewTask,
    mut analyses: Vec<PositionAnalysis>,
    budget: &ReviewBudget,
    prover: &ReviewProver,
    search: &PositionSearch<'_>,
) -> Result<GameReview, AnalysisError> {
    if task.start.rules().seating().sides() == 2 {
        settle_values(task, &mut analyses, search)?;
    }
    let analyses = analyses.as_slice();
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
    Ok(review)
}

/// The loss of win probability from which a move is marked.
const MARKED_LOSS: f64 = 0.1;
/// The factor of nodes with which a position is searched again if a mark depends on it.
const CONFIRMING_FACTOR: u64 = 4;

/// Makes the values of the positions of a game between two sides agree: the score of a played move is
/// that of the next position, so that no mark contradicts the next line.
///
/// A later search sees one ply further and so often gives another value to the same line. The game is
/// settled from its end: if the next position is worth less than expected, the played move and the other
/// moves are searched again, each alone and with more nodes. The move is to blame if the others are better
/// in this comparison too. Otherwise this position is worth no more than the next one, and an earlier move
/// may be to blame.
fn settle_values(
    task: &ReviewTask,
    analyses: &mut [PositionAnalysis],
    search: &PositionSearch<'_>,
) -> Result<(), AnalysisError> {
    let mut games = vec![task.start.clone()];
    for &mv in &task.moves {
        let mut game = games[games.len() - 1].clone();
        // The move was legal when the game was replayed.
        let _ = game.play_move(mv);
        games.push(game);
    }
    for (index, &mv) in task.moves.iter().enumerate() {
        let known = &analyses[index];
        let proves = known.win.as_ref().is_some_and(|win| win.first.contains(&mv));
        if proves || known.score.is_win() && mv == known.best.mv {
            let score = known.score.at_node(1);
            set_proved(&games, analyses, index, score);
        }
    }
    for (index, &mv) in task.moves.iter().enumerate().rev() {
        let [game, after] = [&games[index], &games[index + 1]];
        let Some(played) = analyses
            .get(index + 1)
            .map(|next| next.score.at_root(1))
            .map(|score| if keeps_side(game, after) { score } else { -score })
            .or_else(|| value_if_over(game, mv))
        else {
            continue;
        };
        let analysis = &mut analyses[index];
        // A loss that a search reports is proved.
        let played = if analysis.score.is_loss() { played.min(analysis.score) } else { played };
        analysis.played = Some(played);
        let rate = Score::win_probability;
        let is_marked = |best: Score, played: Score| rate(best) - rate(played) >= MARKED_LOSS;
        if !is_marked(analysis.score, played) || task.is_opening(index) {
            if mv == analysis.best.mv || played > analysis.score {
                analysis.keep_played(mv, played);
            }
            continue;
        }
        let nodes = CONFIRMING_FACTOR;
        let mut others = game.legal_moves();
        others.retain(|&other| other != mv);
        let other = if analysis.score.is_win() && mv != analysis.best.mv {
            Some(analysis.best.clone())
        } else if others.is_empty() {
            None
        } else {
            let found = search.run(game, others, nodes)?;
            analysis.nodes += found.nodes;
            found.lines.into_iter().next()
        };
        let other_score = other.as_ref().and_then(|line| line.score);
        let (Some(other), Some(other_score)) = (other, other_score) else {
            analysis.keep_played(mv, played);
            continue;
        };
        let compared = if played.is_loss() || after.outcome().is_some() {
            played
        } else {
            let found = search.run(game, vec![mv], nodes)?;
            analysis.nodes += found.nodes;
            found.score.unwrap_or(played)
        };
        if compared.is_win() {
            // The move wins too, which the search of the next position did not see.
            analysis.played = Some(compared);
            let (best, score) = if other_score > compared {
                (other, other_score)
            } else {
                (one_move(mv, compared), compared)
            };
            (analysis.best, analysis.score) = (best, score);
            set_proved(&games, analyses, index, compared.at_node(1));
        } else if other_score > played && !is_marked(other_score, played)
            || is_marked(other_score, played) && is_marked(other_score, compared)
        {
            (analysis.best, analysis.score) = (other, other_score);
        } else {
            analysis.keep_played(mv, played);
        }
    }
    Ok(())
}

/// Sets the score of the position after a move that is proved to win: `score` is that of its player.
fn set_proved(games: &[Game], analyses: &mut [PositionAnalysis], index: usize, score: Score) {
    let score = if keeps_side(&games[index], &games[index + 1]) { score } else { -score };
    let Some(next) = analyses.get_mut(index + 1) else { return };
    if next.score.is_win() == score.is_win() && next.score.is_loss() == score.is_loss() {
        return;
    }
    next.score = score;
    next.best.score = Some(score);
    next.played = next.played.map(|played| played.min(score));
}

/// Returns whether the side to move is the same in two positions.
fn keeps_side(game: &Game, after: &Game) -> bool {
    let side = |game: &Game| game.side_of(game.to_move());
    side(game) == side(after)
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
        let played = analysis.played.unwrap_or(analysis.score);
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
        two.then(|| !keeps_side(self.game, self.after))
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
    /// The score of the played move; `None` at the end of the record, and in games between two sides
    /// until the values are settled.
    pub played: Option<Score>,
    /// The win, if one is proved.
    pub win: Option<ProvedWin>,
    /// The number of nodes of the searches.
    pub nodes: u64,
}

impl PositionAnalysis {
    /// Makes the played move the best one.
    fn keep_played(&mut self, mv: Move, score: Score) {
        if mv != self.best.mv {
            self.best = one_move(mv, score);
        }
        (self.score, self.best.score) = (score, Some(score));
    }
}

/// Returns a line of one move.
fn one_move(mv: Move, score: Score) -> AnalysisLine {
    let bound = pentarch_engine::search::Bound::Exact;
    AnalysisLine { mv, score: Some(score), bound, nodes: 0, depth: 0, pv: vec![mv] }
}

/// The factor of nodes for the line of a win that only the prover found.
const LINE_FACTOR: u64 = 10;

/// Searches positions for a review, on a thread of the analyzer.
pub(super) struct PositionSearch<'a> {
    pub analyzer: &'a Analyzer,
    pub limits: &'a Limits,
    pub stop: &'a StopHandle,
}

impl PositionSearch<'_> {
    /// Searches some moves of an open position, or all if there are none, with a multiple of the nodes.
    fn run(&self, game: &Game, moves: Vec<Move>, factor: u64) -> Result<Analysis, AnalysisError> {
        let PositionSearch { analyzer, limits, stop } = self;
        let limits = Limits {
            search_moves: moves,
            nodes: limits.nodes.map(|nodes| nodes.saturating_mul(factor)),
            ..Limits::clone(limits)
        };
        let query = AnalysisQuery::new(game.clone(), limits);
        let found = analyzer.analyze_here(&query, stop, &mut |_| ())?;
        // An interrupted result would depend on the time.
        if stop.is_stopped() { Err(AnalysisError::Stopped) } else { Ok(found) }
    }

    /// Analyzes an open position. With more than two sides, whose scores are not related, also the move
    /// played there.
    pub(super) fn analyze(
        &self,
        prover: &ReviewProver,
        game: &Game,
        played: Option<Move>,
    ) -> Result<PositionAnalysis, AnalysisError> {
        let found = self.run(game, Vec::new(), 1)?;
        let mut nodes = found.nodes;
        let mut best = found.lines.into_iter().next().ok_or(AnalysisError::Stopped)?;
        let win = prover.win(game, &best, played);
        if let Some(win) = &win
            && best.score.is_none_or(|score| score.mate() != Some(win.plies as i32))
        {
            let line = self.run(game, win.first.clone(), LINE_FACTOR)?;
            nodes += line.nodes;
            best = proved_line(line, win);
        }
        let score = best.score.unwrap_or(Score::DRAW);
        let mut analysis = PositionAnalysis { best, score, played: None, win, nodes };
        if let Some(mv) = played.filter(|_| game.rules().seating().sides() > 2) {
            analysis.played = Some(if mv == analysis.best.mv {
                score
            } else if let Some(score) = value_if_over(game, mv) {
                score
            } else {
                let found = self.run(game, vec![mv], 1)?;
                analysis.nodes += found.nodes;
                found.score.unwrap_or(Score::DRAW)
            });
        }
        Ok(analysis)
    }
}

/// Returns the line of a proved win: that of a search if it found the win too.
fn proved_line(found: Analysis, win: &ProvedWin) -> AnalysisLine {
    let score = Score::win_in(win.plies);
    let line = found.lines.into_iter().next();
    match line {
        Some(line) if line.score.is_some_and(Score::is_win) => {
            AnalysisLine { score: Some(score), ..line }
        }
        _ => AnalysisLine { depth: win.plies, ..one_move(win.first[0], score) },
    }
}

/// Returns the score of a move that ends the game, for the seat that makes it.
fn value_if_over(game: &Game, mv: Move) -> Option<Score> {
    let mut after = game.clone();
    after.play_move(mv).ok()?;
    Some(score_of_outcome(game, after.outcome()?, 1))
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
