//! Reviews on a page.

use super::report::{Class, GameReview, PlyReview};
use super::task::Task;
use super::words;
use pentarch_engine::Game;
use pentarch_engine::search::Score;
use pentarch_records::GameResult;
use pentarch_records::page::{GameView, Header, Judges, Line, Mark, Note};

/// A reviewed game as a page shows it: the graph of win probability, the mistakes with the better lines.
pub fn game_view(task: &Task, review: &GameReview) -> GameView {
    let mut game = task.start.clone();
    let mut notes = Vec::with_capacity(review.plies.len() + 1);
    for (ply, &mv) in review.plies.iter().zip(&task.moves) {
        notes.push(note(&game, ply));
        let _ = game.play_move(mv);
    }
    if let Some(end) = &review.end {
        let score = score(end.score, end.mate);
        notes.push(Note {
            score: Some(score),
            lines: vec![line(&game, "expected", score, &end.pv)],
            ..Note::default()
        });
    }
    let mut view = GameView::new(task.end.clone());
    let paragraphs = review.seats.iter().map(|seat| seat.summary.as_str());
    let detail: Vec<&str> = [review.summary.as_str()].into_iter().chain(paragraphs).collect();
    view.header = Header {
        title: review.name.clone(),
        players: review.seats.iter().map(|seat| seat.name.clone()).collect(),
        date: task.record.date.clone(),
        result: review.result.map(|result| match result {
            GameResult::Win(side) => Some(side),
            GameResult::Draw => None,
        }),
        reason: match view.header.reason.as_str() {
            "" => task.record.reason.clone(),
            reason => reason.to_owned(),
        },
        detail: detail.join("\n"),
    };
    view.notes = notes;
    view.judges = Judges::One;
    view
}

fn note(game: &Game, ply: &PlyReview) -> Note {
    let best = score(ply.score, ply.mate);
    let lines = (ply.best != ply.mv && (ply.is_noted() || ply.missed_win.is_some()))
        .then(|| line(game, "best", best, &ply.pv));
    Note {
        score: Some(best),
        nodes: Some(ply.nodes),
        mark: mark(ply),
        comment: words::of_ply(ply),
        lines: lines.into_iter().collect(),
        ..Note::default()
    }
}

/// What was missed says more than how much it cost.
fn mark(ply: &PlyReview) -> Option<Mark> {
    if ply.lost_win().is_some() {
        return Some(Mark::MissedWin);
    }
    if ply.missed_defense.is_some() && !ply.opening {
        return Some(Mark::MissedDefense);
    }
    ply.class.map(|class| match class {
        Class::Inaccuracy => Mark::Inaccuracy,
        Class::Mistake => Mark::Mistake,
        Class::Blunder => Mark::Blunder,
    })
}

fn line(game: &Game, name: &str, score: Score, texts: &[String]) -> Line {
    let mut game = game.clone();
    let mut moves = Vec::new();
    for text in texts {
        let Ok(mv) = game.play(text) else { break };
        moves.push(mv);
    }
    Line { name: name.to_owned(), score: Some(score), moves }
}

/// A score from its two numbers.
fn score(points: i32, mate: Option<i32>) -> Score {
    match mate {
        Some(plies @ 0..) => Score::win_in(plies as u32),
        Some(plies) => Score::loss_in(plies.unsigned_abs()),
        None => Score::points(points),
    }
}
