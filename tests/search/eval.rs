//! The evaluator's short cuts against the rules, at every ply of random games of every ruleset.

use crate::common::{draw, legal, specs, start};
use fastrand::Rng;
use pentarch::eval::{LineEvaluator, PatternTables};
use pentarch::game::{Cell, Move, Position as _};
use pentarch::placement::Position;
use pentarch::rules::Stage;
use pentarch::search::{Evaluator as _, MoveGenerator as _, Tree};
use std::collections::BTreeSet;
use std::sync::Arc;

type Pair = Tree<Position, LineEvaluator>;

/// Calls `law` at every open ply of random games, with an evaluator that followed all of them
/// and, now and then, plies that were taken back.
fn at_every_ply(mut law: impl FnMut(&mut Pair, &str)) {
    let plays_lines =
        |position: &Position| position.rules().plays_lines() && position.stage() == Stage::Play;
    let plain = specs().into_iter().filter(|spec| plays_lines(&start(spec)));
    for spec in plain {
        let tables = Arc::new(PatternTables::new(&spec.parse().unwrap()));
        for seed in 0..3 {
            let mut rng = Rng::with_seed(seed);
            let evaluator = LineEvaluator::new(Arc::clone(&tables), false, 0);
            let mut tree = Tree::new(start(&spec), evaluator);
            while let Some(mv) = draw(tree.position(), &mut rng) {
                let context = format!("{spec}, game {seed}, {}", tree.position().text());
                law(&mut tree, &context);
                tree.play(mv);
            }
        }
    }
}

/// What a move leads to: whether it ended the game with a win, and how much it captured.
fn effect(tree: &mut Pair, mv: Move) -> (bool, u32) {
    let mover = tree.position().color_to_move();
    let before = tree.position().captures(mover);
    tree.play(mv);
    let won = tree.position().outcome().is_some_and(|outcome| outcome.winner.is_some());
    let captured = tree.position().captures(mover) - before;
    tree.undo();
    (won, captured.into())
}

#[test]
fn winning_and_capturing_cells_are_what_playing_them_does() {
    at_every_ply(|tree, context| {
        let (position, evaluator) = (tree.position(), tree.evaluator());
        let mover = position.color_to_move();
        let legal = legal(position);
        let is_legal = |cell: &Cell| legal.contains(&Move::stone(*cell));
        let winning: BTreeSet<_> =
            evaluator.winning_cells(position, mover).filter(is_legal).collect();
        let capturing: BTreeSet<_> = evaluator.capturing_cells(mover).filter(is_legal).collect();
        let winning_move = evaluator.winning_move(position);
        assert_eq!(winning_move.is_some(), !winning.is_empty(), "{context}");
        for mv in legal {
            let cell = mv.cell().unwrap();
            let label = tree.position().grid().label(cell);
            let (won, captured) = effect(tree, mv);
            assert_eq!(winning.contains(&cell), won, "wins at {label}, {context}");
            assert_eq!(capturing.contains(&cell), captured > 0, "captures at {label}, {context}");
            let reported = tree.evaluator().captured_at(mover, cell);
            assert_eq!(reported, captured, "{label}, {context}");
        }
    });
}

#[test]
fn replies_are_asked_for_exactly_when_the_other_side_threatens_and_none_is_missed() {
    at_every_ply(|tree, context| {
        if tree.evaluator().winning_move(tree.position()).is_some() {
            return;
        }
        let mut replies = Vec::new();
        let threatened = tree.evaluator().defenses(tree.position(), &mut replies);
        let legal = legal(tree.position());
        assert!(replies.iter().all(|mv| legal.contains(mv)), "{context}");
        for mv in legal {
            tree.play(mv);
            let open = tree.position().outcome().is_none();
            let loses = open && tree.evaluator().winning_move(tree.position()).is_some();
            tree.undo();
            let text = tree.position().move_text(mv);
            assert!(threatened || !loses, "{text} loses unannounced, {context}");
            assert!(!threatened || loses || replies.contains(&mv), "{text} holds, {context}");
        }
    });
}

#[test]
fn following_moves_comes_to_the_same_as_starting_afresh() {
    at_every_ply(|tree, context| {
        let (position, evaluator) = (tree.position(), tree.evaluator());
        let mut fresh = evaluator.clone();
        fresh.reset(position);
        assert_eq!(evaluator.value(position), fresh.value(position), "{context}");
        for mv in legal(position) {
            let same = evaluator.ordering_score(position, mv) == fresh.ordering_score(position, mv);
            assert!(same, "{}, {context}", position.move_text(mv));
        }
    });
}

#[test]
fn candidates_are_legal_and_never_none() {
    at_every_ply(|tree, context| {
        let mut moves = Vec::new();
        tree.evaluator().candidates(tree.position(), &mut moves);
        assert!(!moves.is_empty(), "{context}");
        assert!(moves.iter().all(|&mv| tree.position().is_legal(mv)), "{context}");
        let distinct: BTreeSet<_> = moves.iter().collect();
        assert_eq!(distinct.len(), moves.len(), "{context}");
    });
}
