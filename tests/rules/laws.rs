//! Laws that hold at every ply of every game.

use crate::common::{draw, legal, specs, start};
use fastrand::Rng;
use pentarch::board::Symmetry;
use pentarch::game::{Cell, Color, Key, Move, MoveKind, Outcome, Position as _};
use pentarch::placement::Position;
use std::collections::BTreeSet;

/// Everything there is to see of a position.
fn visible(position: &Position) -> (String, Key, Option<Outcome>, Vec<Move>, Vec<u8>) {
    let contents = position.grid().iter().map(|cell| position.board().content(cell).0).collect();
    (position.text(), position.key(), position.outcome(), legal(position), contents)
}

/// Calls `law` at every ply of some random games of each spec.
fn at_every_ply(mut law: impl FnMut(&mut Position, &str, &mut Rng)) {
    for spec in specs() {
        for seed in 0..4 {
            let mut rng = Rng::with_seed(seed);
            let mut position = start(&spec);
            loop {
                let context = format!("{spec}, game {seed}, {}", position.text());
                law(&mut position, &context, &mut rng);
                let Some(mv) = draw(&position, &mut rng) else { break };
                position.play(mv);
            }
        }
    }
}

#[test]
fn undo_restores_everything() {
    at_every_ply(|position, context, rng| {
        let before = visible(position);
        if let Some(mv) = draw(position, rng) {
            position.play(mv);
            assert_eq!(position.undo(), Some(mv), "{context}");
        }
        assert_eq!(visible(position), before, "{context}");
    });
}

#[test]
fn undoing_a_whole_game_leads_back_to_the_start() {
    for spec in specs() {
        let mut rng = Rng::with_seed(7);
        let mut position = start(&spec);
        let before = visible(&position);
        while let Some(mv) = draw(&position, &mut rng) {
            position.play(mv);
        }
        position.rewind();
        assert_eq!(visible(&position), before, "{spec}");
        assert_eq!(position.undo(), None);
    }
}

#[test]
fn the_running_key_equals_the_fresh_one() {
    at_every_ply(|position, context, _| {
        assert_eq!(position.key(), position.fresh_key(), "{context}");
    });
}

#[test]
fn keys_tell_rulesets_turns_and_counts_apart() {
    assert_ne!(start("pente").key(), start("pro-pente").key());
    let play = |moves: &str| {
        let mut position = start("pente-freestyle");
        for text in moves.split(' ') {
            position.try_play(position.parse_move(text).unwrap()).unwrap();
        }
        position
    };
    // The same stones, reached with and without a capture by player 1 on the way.
    let quiet = play("a1 d1 h8 s9");
    let bloody = play("a1 b1 h8 c1 d1 s9");
    let stones = |p: &Position| p.grid().iter().filter(|&c| p.board().content(c).0 != 0).count();
    assert_eq!((stones(&quiet), stones(&bloody)), (4, 4));
    assert_eq!(bloody.captures(Color(0)), 2);
    let twin = Position::from_text(
        "pente-freestyle".parse().unwrap(),
        &bloody.text().replace(" 2,0 ", " 0,0 "),
    );
    assert_ne!(bloody.key(), twin.unwrap().key());
}

#[test]
fn position_text_holds_the_whole_state() {
    at_every_ply(|position, context, _| {
        let rules = position.rules().as_ref().clone();
        let read = Position::from_text(rules, &position.text());
        let read = read.unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(visible(&read), visible(position), "{context}");
    });
}

#[test]
fn open_if_and_only_if_there_are_moves() {
    at_every_ply(|position, context, _| {
        assert_eq!(position.outcome().is_none(), !legal(position).is_empty(), "{context}");
    });
}

#[test]
fn legal_moves_are_those_that_can_be_played_each_once() {
    at_every_ply(|position, context, _| {
        let mut moves = legal(position);
        moves.sort_unstable();
        let once = moves.windows(2).all(|pair| pair[0] != pair[1]);
        assert!(once && moves.iter().all(|&mv| position.is_legal(mv)), "{context}");
        let kinds = [MoveKind::Swap, MoveKind::Keep, MoveKind::More].into_iter();
        let on = position.grid().iter().flat_map(|cell| {
            [MoveKind::Stone(cell), MoveKind::Neutral(cell), MoveKind::Bomb(cell)]
        });
        let checked: BTreeSet<_> =
            (kinds.chain(on).map(Move::from)).filter(|&mv| position.is_legal(mv)).collect();
        let told = |mv: &Move| !matches!(mv.kind(), MoveKind::Signed(..) | MoveKind::Power(..));
        let moves: BTreeSet<_> = moves.into_iter().filter(told).collect();
        assert_eq!(moves, checked, "{context}");
    });
}

#[test]
fn errors_change_nothing() {
    let off = MoveKind::Stone(Cell(1023));
    let kinds = [MoveKind::Swap, MoveKind::More, MoveKind::Pass, off];
    at_every_ply(|position, context, _| {
        let before = visible(position);
        let off = kinds.map(Move::from);
        let on = position.grid().iter().map(Move::stone);
        for mv in on.chain(off).collect::<Vec<_>>() {
            if !position.is_legal(mv) {
                assert!(position.try_play(mv).is_err());
            }
        }
        assert_eq!(visible(position), before, "{context}");
    });
}

#[test]
fn move_text_is_read_back_in_either_case() {
    at_every_ply(|position, _, rng| {
        if let Some(mv) = draw(position, rng) {
            let text = position.move_text(mv);
            assert_eq!(position.parse_move(&text), Ok(mv));
            assert_eq!(position.parse_move(&text.to_uppercase()), Ok(mv));
        }
    });
}

#[test]
fn changes_tell_what_the_last_ply_did() {
    at_every_ply(|position, context, rng| {
        let Some(mv) = draw(position, rng) else { return };
        let contents = |p: &Position| -> Vec<u8> {
            p.grid().iter().map(|cell| p.board().content(cell).0).collect()
        };
        let before = contents(position);
        position.play(mv);
        let mut replayed = before.clone();
        for change in position.changes() {
            assert_eq!(replayed[change.cell.index()], change.before, "{context}");
            replayed[change.cell.index()] = change.after;
        }
        assert_eq!(replayed, contents(position), "{context}");
        position.undo();
    });
}

/// The move with its points moved.
fn image(mv: Move, at: impl Fn(Cell) -> Cell) -> Move {
    Move::from(match mv.kind() {
        MoveKind::Stone(cell) => MoveKind::Stone(at(cell)),
        MoveKind::Signed(cell, signs) => MoveKind::Signed(at(cell), signs),
        MoveKind::Neutral(cell) => MoveKind::Neutral(at(cell)),
        MoveKind::Bomb(cell) => MoveKind::Bomb(at(cell)),
        MoveKind::Power(cell, bonus) => MoveKind::Power(at(cell), bonus.map(at)),
        kind => kind,
    })
}

/// Odd sizes only: there the center is the middle of the board.
#[test]
fn symmetries_commute_with_play() {
    for spec in specs() {
        let grid = start(&spec).grid();
        if grid.columns().is_multiple_of(2) || grid.rows().is_multiple_of(2) {
            continue;
        }
        for symmetry in Symmetry::all(grid) {
            let mut rng = Rng::with_seed(3);
            let mut position = start(&spec);
            let mut mirrored = start(&spec);
            while let Some(mv) = draw(&position, &mut rng) {
                let image = image(mv, |cell| symmetry.apply(grid, cell));
                assert!(mirrored.try_play(image).is_ok(), "{spec}, {symmetry:?}");
                position.play(mv);
                assert_eq!(position.outcome(), mirrored.outcome(), "{spec}, {symmetry:?}");
                for cell in grid.iter() {
                    let image = symmetry.apply(grid, cell);
                    assert_eq!(position.board().content(cell), mirrored.board().content(image));
                }
            }
        }
    }
}
