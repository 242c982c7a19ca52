//! Reviews as SGF: the game with comments, marks and the better lines as variations.

use super::report::{Class, GameReview, PlyReview};
use super::task::Task;
use super::words;
use pentarch_engine::Game;
use pentarch_records::RecordedGame;
use pentarch_records::sgf::{NodeId, Tree};

/// A reviewed game as a tree. A move that is a mistake has `DO`, `BM[1]` or `BM[2]` for inaccuracy,
/// mistake and blunder, a comment, and beside it the better line as a variation, whose first point it
/// marks with a circle. Comments and marks of the record stay.
pub fn sgf_tree(task: &Task, review: &GameReview) -> Tree {
    let mut game = task.start.clone();
    let mut tree = Tree::start(&game);
    tree.push_game_number(game.rules());
    tree.push_head(&head(task, review), &game);
    let mut node = Tree::ROOT;
    for (index, (ply, &mv)) in review.plies.iter().zip(&task.moves).enumerate() {
        let before = game.clone();
        let Ok(after) = tree.play(node, &mut game, mv) else { break };
        let played = tree.children(node).last().unwrap_or(after);
        let mut own = task.record.ply(index).cloned().unwrap_or_default();
        // A node has one comment.
        let texts = [std::mem::take(&mut own.comment), words::of_ply(ply)];
        tree.push_notes(after, &game, &own);
        push_judgment(&mut tree, played, ply);
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

/// The record with the review's words.
fn head(task: &Task, review: &GameReview) -> RecordedGame {
    let mut record = task.record.clone();
    let own = std::mem::take(&mut record.comment);
    let seats = review.seats.iter().map(|seat| seat.summary.as_str());
    let texts = [own.as_str(), review.summary.as_str()].into_iter().chain(seats);
    record.comment = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    record.result = review.result;
    record
}

fn push_judgment(tree: &mut Tree, node: NodeId, ply: &PlyReview) {
    match ply.class {
        Some(Class::Inaccuracy) => tree.push(node, "DO", ""),
        Some(Class::Mistake) => tree.push(node, "BM", "1"),
        Some(Class::Blunder) => tree.push(node, "BM", "2"),
        None if ply.best == ply.mv && ply.mate.is_some_and(|plies| plies > 0) => {
            tree.push(node, "TE", "1");
        }
        None => (),
    }
}

/// Adds the better line beside the move. Returns its first point, if it has one.
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
        Some(plies) => format!("Best: wins in {}.", words::plies(plies.unsigned_abs())),
        None => format!("Best: {} to win.", words::percent(ply.win_rate)),
    };
    tree.push(played, "TE", if win.is_some() { "2" } else { "1" });
    tree.push(after, "C", &value);
    let point = tree.get(played, "B").or_else(|| tree.get(played, "W"))?;
    (!point.is_empty()).then(|| point.to_owned())
}
