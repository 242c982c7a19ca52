//! The lines of a tree that were not played, as records have them, both ways.

use super::record::{Unread, note, push_notes, push_refused, read_node};
use super::replay::{Letters, Replay};
use super::{NodeId, Tree};
use crate::{RecordedGame, RecordedPly, Variation};
use pentarch_engine::Game;

/// More moves in variations are no game.
const MOST_MOVES: usize = 1_000_000;

/// More warnings about variations say nothing new.
const MOST_WARNINGS: usize = 16;

/// A node that begins a variation or goes on with a line.
struct Step {
    node: NodeId,
    /// The line that it is of, or branches off.
    line: usize,
    /// The moves before it.
    ply: usize,
    branches: bool,
    /// The moves of the line since the rules have refused one.
    refused: Option<usize>,
    /// What the letters of moves may mean before it.
    letters: Letters,
}

/// Adds the variations of a tree to its main line. Where a variation contradicts the rules by more than an
/// illegal move, it is kept up to there, with a warning.
pub(super) fn read(
    tree: &Tree,
    start: Replay<'_>,
    game: &mut RecordedGame,
    unread: &mut Unread,
) -> Result<(), String> {
    if tree.main_line().all(|node| !tree.is_variation(node)) {
        return Ok(());
    }
    let mut replay = start;
    let letters = replay.letters();
    let mut count = 0;
    let mut lines: Vec<Variation> = Vec::new();
    let root = Step { node: Tree::ROOT, line: 0, ply: 0, branches: false, refused: None, letters };
    let mut open = vec![root];
    while let Some(Step { node, line, ply, branches, mut refused, letters }) = open.pop() {
        replay.go_back(ply, letters);
        let mut texts = Vec::new();
        let is_main = line == 0 && !branches;
        let read = read_node(&mut replay, node, is_main, &mut refused, &mut texts);
        let line = if branches {
            lines.push(Variation { line, ply, plies: Vec::new() });
            lines.len()
        } else {
            line
        };
        count += texts.len();
        if count > MOST_MOVES {
            return Err(format!("more than {MOST_MOVES} moves"));
        }
        let ply = ply + texts.len();
        if let Some(variation) = line.checked_sub(1).and_then(|index| lines.get_mut(index)) {
            let added = texts.into_iter().map(|mv| RecordedPly { mv, ..RecordedPly::default() });
            variation.plies.extend(added);
            match variation.plies.last_mut() {
                Some(last) => note(tree, node, &replay, last, unread),
                None if tree.get(node, "C").is_some() => {
                    unread.name("comments before the first move of a variation");
                }
                None => (),
            }
        }
        if let Err(error) = read {
            if line > 0 && game.warnings.len() < MOST_WARNINGS {
                game.warnings.push(format!("a variation: {error}; it is kept up to there"));
            }
            continue;
        }
        // The last one pushed comes first: the line goes on before its variations begin.
        let children: Vec<NodeId> = tree.children(node).collect();
        let letters = replay.letters();
        for (index, &child) in children.iter().enumerate().rev() {
            open.push(Step { node: child, line, ply, branches: index > 0, refused, letters });
        }
    }
    game.variations = without_empty(lines);
    Ok(())
}

/// The variations that have moves. What branches off one without moves branches off the line before.
fn without_empty(lines: Vec<Variation>) -> Vec<Variation> {
    let mut kept: Vec<Variation> = Vec::new();
    let mut numbers = vec![0];
    for variation in lines {
        let line = numbers[variation.line];
        if variation.plies.is_empty() {
            numbers.push(line);
        } else {
            kept.push(Variation { line, ..variation });
            numbers.push(kept.len());
        }
    }
    kept
}

/// Adds the variations of a record to its tree. `main` has the node after each move of the game, the
/// root first.
pub(super) fn push(tree: &mut Tree, start: &Game, game: &RecordedGame, main: Vec<NodeId>) {
    // For each line where it begins, its moves from the start on, and its nodes from there on.
    let main_moves: Vec<&str> = game.moves.iter().map(String::as_str).collect();
    let mut lines: Vec<(usize, Vec<&str>, Vec<NodeId>)> = vec![(0, main_moves, main)];
    for variation in &game.variations {
        let Some((begins, moves, nodes)) = lines.get(variation.line) else { return };
        let at = variation.ply.checked_sub(*begins).and_then(|index| nodes.get(index));
        let (Some(&node), Some(before)) = (at, moves.get(..variation.ply)) else { return };
        let mut moves = before.to_vec();
        let mut now = start.clone();
        let mut refused = before.iter().any(|text| now.play(text).is_err());
        let mut nodes = vec![node];
        let mut node = node;
        for ply in &variation.plies {
            let played = match now.parse_move(&ply.mv) {
                Ok(mv) if !refused => tree.play(node, &mut now, mv).ok(),
                _ => None,
            };
            node = played.unwrap_or_else(|| {
                refused = true;
                push_refused(tree, node, &now, &ply.mv, moves.len())
            });
            push_notes(tree, node, &now, ply);
            moves.push(&ply.mv);
            nodes.push(node);
        }
        lines.push((variation.ply, moves, nodes));
    }
}
