//! Puzzles out of one's own games.

use super::report::{GameReview, Proof};
use super::task::Task;
use crate::tactics::Tactic;

/// The proved wins of a game that were not played, as positions to solve; those of which the prover
/// knows every first move. Wins that were still won later are among them.
pub fn puzzles(task: &Task, review: &GameReview) -> Vec<Tactic> {
    let missed = review.plies.iter().filter_map(|ply| Some((ply, ply.missed_win.as_ref()?)));
    let proved = missed.filter(|(_, win)| win.proof == Proof::Prover);
    let tactic = |(ply, win): (&super::PlyReview, &super::MissedWin)| {
        let index = (ply.ply as usize).checked_sub(1).filter(|&index| index < task.moves.len())?;
        let game = task.position(index);
        let first = win.moves.iter().map(|text| game.parse_move(text)).collect::<Result<_, _>>();
        let start = review.initial_position.as_ref().map(|_| game.text());
        let source = format!("{}, ply {}", source(review), ply.ply);
        Some(Tactic { start, plies: win.plies, first: first.ok()?, source, game })
    };
    proved.filter_map(tactic).collect()
}

/// The file and the name of a game.
fn source(review: &GameReview) -> String {
    match (review.file.as_str(), review.name.as_str()) {
        ("", name) => name.to_owned(),
        (file, name) => format!("{file} line {}, {name}", review.line),
    }
}
