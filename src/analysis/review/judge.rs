//! From what was found about the positions of a game to what is said of its moves.

use super::look::Look;
use super::proof::Proofs;
use super::report::{
    Budget, Class, EndReview, GameReview, MissedDefense, MissedWin, PlayerReview, PlyReview,
    SCHEMA, rounded, win_rate,
};
use super::task::Task;
use super::words;
use pentarch_core::game::Move;
use pentarch_engine::Game;
use pentarch_engine::search::Score;

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
        pv: texts(&game, &look.best.pv),
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
    review.summary = words::of_game(&review);
    for seat in 0..review.seats.len() {
        review.seats[seat].summary = words::of_player(&review, &review.seats[seat]);
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
            pv: if is_best { self.line_played() } else { texts(game, &look.best.pv) },
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
            Some(next) => line.extend(texts(self.after, &next.best.pv)),
            None if self.look.best.mv == self.mv => return texts(self.game, &self.look.best.pv),
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

/// The texts of a line from a position on, as far as it is legal.
fn texts(game: &Game, line: &[Move]) -> Vec<String> {
    let mut game = game.clone();
    let mut texts = Vec::new();
    for &mv in line {
        if game.check_move(mv).is_err() {
            break;
        }
        texts.push(game.move_text(mv));
        let _ = game.play_move(mv);
    }
    texts
}
