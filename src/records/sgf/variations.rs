//! The lines of a tree that were not played, as records have them, both ways.

use super::record::{bare_move, note, push_notes, push_refused};
use super::replay::Replay;
use super::{NodeId, Tree};
use crate::{RecordedGame, RecordedPly, Variation};
use pentarch_engine::Game;

/// More moves in variations are no game.
const MOST_MOVES: usize = 1_000_000;

/// A node that begins a variation or goes on with a line.
struct Step {
    node: NodeId,
    /// The line that it is of, or branches off.
    line: usize,
    /// The moves before it.
    ply: usize,
    branches: bool,
    /// Whether the rules have refused a move of the line.
    refused: bool,
}

/// Adds the variations of a tree to its main line.
pub(super) fn read(tree: &Tree, start: Replay<'_>, game: &mut RecordedGame) -> Result<(), String> {
    if tree.main_line().all(|node| !tree.is_variation(node)) {
        return Ok(());
    }
    let (mut replay, base, mut moves) = (start, 0, 0);
    let mut lines: Vec<Variation> = Vec::new();
    let root = Step { node: Tree::ROOT, line: 0, ply: base, branches: false, refused: false };
    let mut open = vec![root];
    while let Some(Step { node, line, ply, branches, refused }) = open.pop() {
        while replay.plies() > ply && replay.game.undo().is_some() {}
        let before = replay.plies();
        let refused = refused || replay.step(node).is_err();
        let texts: Vec<String> = if refused {
            bare_move(tree, node, replay.shape(), &replay.game).into_iter().collect()
        } else {
            let played = replay.game.moves();
            played[before..].iter().map(|&mv| replay.game.move_text(mv)).collect()
        };
        let line = if branches {
            lines.push(Variation { line, ply, plies: Vec::new() });
            lines.len()
        } else {
            line
        };
        moves += texts.len();
        if moves > MOST_MOVES {
            return Err(format!("more than {MOST_MOVES} moves"));
        }
        if let Some(variation) = line.checked_sub(1).and_then(|index| lines.get_mut(index)) {
            let added =
                texts.iter().map(|text| RecordedPly { mv: text.clone(), ..RecordedPly::default() });
            variation.plies.extend(added);
            if let Some(last) = variation.plies.last_mut() {
                note(tree, node, &replay, last);
            }
        }
        let ply = ply + texts.len();
        // The last one pushed comes first: the line goes on before its variations begin.
        let children: Vec<NodeId> = tree.children(node).collect();
        for (index, &child) in children.iter().enumerate().rev() {
            open.push(Step { node: child, line, ply, branches: index > 0, refused });
        }
    }
    game.variations = lines;
    Ok(())
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
