//! From what was found about the positions of a game to what is said of its moves.

use super::text::{summarize_game, summarize_player};
use crate::review::report::{
    Budget, Class, EndReview, GameReview, MissedDefense, MissedWin, PlayerReview, PlyReview, Proof,
    SCHEMA, rounded, win_rate,
};
use crate::review::reviewer::Task;
use crate::tactics::{Prover, Reach, Win};
use crate::{Analysis, AnalysisError, Analyzer, Line, Query, Stop};
use pentarch_core::game::{Move, Position as _};
use pentarch_core::placement;
use pentarch_core::rules::OpeningStage;
use pentarch_core::rules::RuleTier;
use pentarch_engine::Game;
use pentarch_engine::eval::StoneTables;
use pentarch_engine::search::{Limits, Score};
use std::sync::{Arc, Mutex, PoisonError};

/// Judges a game of which every position has been looked at.
pub(super) fn judge(task: &Task, looks: &[Look], budget: &Budget, proofs: &Proofs) -> GameReview {
    let mut game = task.start.clone();
    let mut plies = Vec::with_capacity(task.moves.len());
    for (index, (&mv, look)) in task.moves.iter().zip(looks).enumerate() {
        let mut after = game.clone();
        // It was legal when the game was replayed.
        let _ = after.play_move(mv);
        let at = Ply { index, game: &game, after: &after, mv, look, next: looks.get(index + 1) };
        plies.push(at.review(task, proofs));
        game = after;
    }
    let end = looks.get(task.moves.len()).map(|look| EndReview {
        seat: game.to_move().0 + 1,
        score: look.score.value(),
        mate: look.score.mate(),
        win_rate: win_rate(look.score),
        best: game.move_text(look.best.mv),
        pv: game.line_texts(&look.best.pv),
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

/// A move that was played, before and after.
struct Ply<'a> {
    index: usize,
    game: &'a Game,
    after: &'a Game,
    mv: Move,
    look: &'a Look,
    /// The position after it.
    next: Option<&'a Look>,
}

impl Ply<'_> {
    fn review(&self, task: &Task, proofs: &Proofs) -> PlyReview {
        let Ply { game, look, .. } = self;
        let seat = game.to_move();
        let opening = task.is_opening(self.index);
        let played = self.played();
        // A move that turns out better than the best was the best.
        let is_best = self.mv == look.best.mv || played > look.score;
        let best = if is_best { played } else { look.score };
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
            best: game.move_text(if is_best { self.mv } else { look.best.mv }),
            pv: if is_best { self.line_played() } else { game.line_texts(&look.best.pv) },
            nodes: look.nodes,
            loss: rounded(loss),
            accuracy: (accuracy(before, after) * 10.0).round() / 10.0,
            class: Class::of_loss(rounded(loss)).filter(|_| !opening),
            missed_win,
            missed_defense: if is_best { None } else { self.missed_defense(proofs) },
        }
    }

    /// Whether the next position is seen from the other of two sides; none if from the same one. Of
    /// three sides nothing follows from one for another.
    fn turns(&self) -> Option<bool> {
        let two = self.game.rules().seating().sides() == 2;
        let side = |game: &Game| game.side_of(game.to_move());
        two.then(|| side(self.game) != side(self.after))
    }

    /// The value of the move that was played, with what the next position proves.
    fn played(&self) -> Score {
        let found = self.look.played.unwrap_or(self.look.score);
        let next = self.turns().zip(self.next);
        let proved = next.and_then(|(turns, next)| {
            let plies = next.score.mate()?.unsigned_abs() + 1;
            // Losses of the searches are as sure as their wins; wins must be proved to count here.
            let wins = next.win.as_ref().map(|_| true).or(next.score.is_loss().then_some(false))?;
            Some(if wins == turns { Score::loss_in(plies) } else { Score::win_in(plies) })
        });
        proved.unwrap_or(found)
    }

    /// The move, and what the next position expects.
    fn line_played(&self) -> Vec<String> {
        let mut line = vec![self.game.move_text(self.mv)];
        match self.next {
            Some(next) => line.extend(self.after.line_texts(&next.best.pv)),
            None if self.look.best.mv == self.mv => {
                return self.game.line_texts(&self.look.best.pv);
            }
            None => (),
        }
        line
    }

    fn missed_win(&self, played: Score) -> Option<MissedWin> {
        let win = self.look.win.as_ref()?;
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

    fn missed_defense(&self, proofs: &Proofs) -> Option<MissedDefense> {
        let win = self.next.filter(|_| self.turns() == Some(true))?.win.as_ref()?;
        let best = self.look.best.mv;
        let held = !self.look.score.is_loss() && proofs.holds(self.game, best, win.plies);
        held.then(|| MissedDefense { plies: win.plies, moves: vec![self.game.move_text(best)] })
    }
}

/// How good a move is that changes the probability to win so, from 0 to 100: lichess's formula, fitted
/// there to what people call accurate (<https://lichess.org/page/accuracy>).
fn accuracy(before: f64, after: f64) -> f64 {
    let percent = 100.0 * (before - after).max(0.0);
    (103.1668 * (-0.04354 * percent).exp() - 3.1669).clamp(0.0, 100.0)
}

fn seat_review(task: &Task, seat: usize, plies: &[PlyReview]) -> PlayerReview {
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
        inaccuracies: count(Class::Inaccuracy),
        mistakes: count(Class::Mistake),
        blunders: count(Class::Blunder),
        missed_wins: own().filter(|ply| ply.lost_win().is_some()).count() as u32,
        missed_defenses: own().filter(|ply| ply.missed_defense.is_some()).count() as u32,
        summary: String::new(),
    }
}

/// The last mistake of another side after which the winner was never behind again; without a winner
/// the greatest mistake.
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

// A look at one position.

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

// Proofs of wins and of defenses.

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
    tables: Mutex<Option<Arc<StoneTables>>>,
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

    fn tables(&self, position: &placement::Position) -> Arc<StoneTables> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        match &*tables {
            Some(tables) if tables.serve(position.rules()) => Arc::clone(tables),
            _ => Arc::clone(tables.insert(Arc::new(StoneTables::new(position.rules())))),
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
