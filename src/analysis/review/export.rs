//! Exports reviews to HTML pages, SGF and tactics.

use super::text::{counted_plies, describe_ply, percent};
use crate::review::report::{GameReview, MissedWin, MistakeClass, PlyReview, ProofKind};
use crate::review::reviewer::ReviewTask;
use crate::tactics::Tactic;
use pentarch_engine::Game;
use pentarch_engine::search::Score;
use pentarch_records::page::{GameHeader, GameView, MoveMark, NamedLine, PlyNote, ScoreSource};
use pentarch_records::sgf::{NodeId, Tree};
use pentarch_records::{GameResult, RecordedGame};

/// Converts a reviewed game for an HTML page: the graph of win probability and the mistakes with
/// the better lines.
pub fn game_view(task: &ReviewTask, review: &GameReview) -> GameView {
    let mut game = task.start.clone();
    let mut notes = Vec::with_capacity(review.plies.len() + 1);
    for (ply, &mv) in review.plies.iter().zip(&task.moves) {
        notes.push(ply_note(&game, ply));
        let _ = game.play_move(mv);
    }
    if let Some(end) = &review.end {
        let score = score(end.score, end.mate);
        notes.push(PlyNote {
            score: Some(score),
            lines: vec![named_line(&game, "expected", score, &end.pv)],
            ..PlyNote::default()
        });
    }
    let mut view = GameView::new(task.end.clone());
    let paragraphs = review.seats.iter().map(|seat| seat.summary.as_str());
    let detail: Vec<&str> = [review.summary.as_str()].into_iter().chain(paragraphs).collect();
    view.header = GameHeader {
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
    view.score_source = ScoreSource::Reviewer;
    view
}

fn ply_note(game: &Game, ply: &PlyReview) -> PlyNote {
    let best = score(ply.score, ply.mate);
    let lines = (ply.best != ply.mv && (ply.is_noted() || ply.missed_win.is_some()))
        .then(|| named_line(game, "best", best, &ply.pv));
    PlyNote {
        score: Some(best),
        nodes: Some(ply.nodes),
        mark: move_mark(ply),
        comment: describe_ply(ply),
        lines: lines.into_iter().collect(),
        ..PlyNote::default()
    }
}

/// A missed win or defense takes precedence over the class of the mistake.
fn move_mark(ply: &PlyReview) -> Option<MoveMark> {
    if ply.lost_win().is_some() {
        return Some(MoveMark::MissedWin);
    }
    if ply.missed_defense.is_some() && !ply.opening {
        return Some(MoveMark::MissedDefense);
    }
    ply.class.map(|class| match class {
        MistakeClass::Inaccuracy => MoveMark::Inaccuracy,
        MistakeClass::Mistake => MoveMark::Mistake,
        MistakeClass::Blunder => MoveMark::Blunder,
    })
}

fn named_line(game: &Game, name: &str, score: Score, texts: &[String]) -> NamedLine {
    let mut game = game.clone();
    let mut moves = Vec::new();
    for text in texts {
        let Ok(mv) = game.play(text) else { break };
        moves.push(mv);
    }
    NamedLine { name: name.to_owned(), score: Some(score), moves }
}

/// Returns the score of points and plies to the end.
fn score(points: i32, mate: Option<i32>) -> Score {
    match mate {
        Some(plies @ 0..) => Score::win_in(plies as u32),
        Some(plies) => Score::loss_in(plies.unsigned_abs()),
        None => Score::points(points),
    }
}

/// Converts a reviewed game to SGF. A mistake has `DO`, `BM[1]` or `BM[2]` for inaccuracy, mistake
/// and blunder, a comment, and the better line as a variation, whose first point is marked with a
/// circle. Comments and marks of the record are kept.
pub fn sgf_tree(task: &ReviewTask, review: &GameReview) -> Tree {
    let mut game = task.start.clone();
    let mut tree = Tree::start(&game);
    tree.push_game_number(game.rules());
    tree.push_game_data(&record_with_summaries(task, review), &game);
    let mut node = Tree::ROOT;
    for (index, (ply, &mv)) in review.plies.iter().zip(&task.moves).enumerate() {
        let before = game.clone();
        let Ok(after) = tree.play(node, &mut game, mv) else { break };
        let played = tree.children(node).last().unwrap_or(after);
        let mut own = task.record.ply(index).cloned().unwrap_or_default();
        // A node can have only one comment.
        let texts = [std::mem::take(&mut own.comment), describe_ply(ply)];
        tree.push_ply_data(after, &game, &own);
        push_mistake_class(&mut tree, played, ply);
        if ply.best != ply.mv && (ply.is_noted() || ply.missed_win.is_some()) {
            let point = push_variation(&mut tree, node, &before, ply);
            if let Some(point) = point {
                tree.push(after, "CR", &point);
            }
        }
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        if !texts.is_empty() {
            tree.push(after, "C", &texts.join("\n"));
        }
        node = after;
    }
    tree
}

/// Returns the record with the summaries as comment.
fn record_with_summaries(task: &ReviewTask, review: &GameReview) -> RecordedGame {
    let mut record = task.record.clone();
    let own = std::mem::take(&mut record.comment);
    let seats = review.seats.iter().map(|seat| seat.summary.as_str());
    let texts = [own.as_str(), review.summary.as_str()].into_iter().chain(seats);
    record.comment = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    record.result = review.result;
    record
}

fn push_mistake_class(tree: &mut Tree, node: NodeId, ply: &PlyReview) {
    match ply.class {
        Some(MistakeClass::Inaccuracy) => tree.push(node, "DO", ""),
        Some(MistakeClass::Mistake) => tree.push(node, "BM", "1"),
        Some(MistakeClass::Blunder) => tree.push(node, "BM", "2"),
        None if ply.best == ply.mv && ply.mate.is_some_and(|plies| plies > 0) => {
            tree.push(node, "TE", "1");
        }
        None => (),
    }
}

/// Adds the better line as a variation. Returns its first point.
fn push_variation(tree: &mut Tree, before: NodeId, game: &Game, ply: &PlyReview) -> Option<String> {
    let mut game = game.clone();
    let (mut node, mut first) = (before, None);
    for text in &ply.pv {
        let Ok(mv) = game.parse_move(text) else { break };
        let Ok(after) = tree.play(node, &mut game, mv) else { break };
        let played = tree.children(node).last().unwrap_or(after);
        first = first.or(Some((played, after)));
        node = after;
    }
    let (played, after) = first?;
    let win = ply.mate.filter(|&plies| plies > 0);
    let value = match win {
        Some(plies) => format!("Best: wins in {}.", counted_plies(plies.unsigned_abs())),
        None => format!("Best: {} to win.", percent(ply.win_rate)),
    };
    tree.push(played, "TE", if win.is_some() { "2" } else { "1" });
    tree.push(after, "C", &value);
    let point = tree.get(played, "B").or_else(|| tree.get(played, "W"))?;
    (!point.is_empty()).then(|| point.to_owned())
}

/// Returns the proved wins of a game that were not played, as tactics, if the prover knows all
/// first moves. Wins that the played move kept are included.
pub fn puzzles(task: &ReviewTask, review: &GameReview) -> Vec<Tactic> {
    let missed = review.plies.iter().filter_map(|ply| Some((ply, ply.missed_win.as_ref()?)));
    let proved = missed.filter(|(_, win)| win.proof == ProofKind::Prover);
    let tactic = |(ply, win): (&PlyReview, &MissedWin)| {
        let index = (ply.ply as usize).checked_sub(1).filter(|&index| index < task.moves.len())?;
        let game = task.position(index);
        let first = win.moves.iter().map(|text| game.parse_move(text)).collect::<Result<_, _>>();
        let start = review.initial_position.as_ref().map(|_| game.text());
        let source = format!("{}, ply {}", source(review), ply.ply);
        Some(Tactic { start, plies: win.plies, first: first.ok()?, source, game })
    };
    proved.filter_map(tactic).collect()
}

/// Returns the file and the name of a game.
fn source(review: &GameReview) -> String {
    match (review.file.as_str(), review.name.as_str()) {
        ("", name) => name.to_owned(),
        (file, name) => format!("{file} line {}, {name}", review.line),
    }
}
