//! Speed of the rules: playouts, perft, setting up positions. Run it by hand on a quiet machine:
//! `cargo bench --bench rules`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

mod common;

use common::{Measurement, measure};
use fastrand::Rng;
use pentarch::engine::Game;
use pentarch::game::{Position as _, perft};
use pentarch::placement::{Playout, Position};
use std::hint::black_box;

fn main() {
    common::run(measurements());
}

fn measurements() -> Vec<Measurement> {
    vec![
        measure("playout pente", "games", playouts("pente")),
        measure("playout keryo-pente", "games", playouts("keryo-pente")),
        measure("playout gomoku", "games", playouts("gomoku")),
        measure("playout gomoku-standard", "games", playouts("gomoku-standard")),
        measure("perft pente", "leaves", leaves("pente-freestyle", "j10 k11 m10 j11 k10 l10")),
        measure("perft gomoku", "leaves", leaves("gomoku", "h8 i9 g8 i8")),
        measure("clear_board", "times", Box::new(cleared())),
        measure("position of 60 moves", "times", Box::new(sixty_moves())),
    ]
}

fn start(spec: &str) -> Position {
    Position::new(spec.parse().expect("a spec of this file is right"))
}

fn playouts(spec: &str) -> Box<dyn FnMut() -> u64> {
    let mut playout = Playout::new(&start(spec));
    let mut rng = Rng::with_seed(1);
    Box::new(move || {
        for _ in 0..1000 {
            black_box(playout.run(&mut rng));
        }
        1000
    })
}

fn leaves(spec: &str, moves: &str) -> Box<dyn FnMut() -> u64> {
    let mut position = start(spec);
    for text in moves.split(' ') {
        let mv = position.parse_move(text).expect("a point");
        position.try_play(mv).expect("a legal move");
    }
    Box::new(move || perft(black_box(&mut position), 3))
}

fn cleared() -> impl FnMut() -> u64 {
    let start = Game::new("pente".parse().expect("a spec"));
    let mut game = start.clone();
    move || {
        for _ in 0..1000 {
            game = black_box(&start).clone();
        }
        black_box(&game);
        1000
    }
}

/// What `position startpos moves ...` does with 60 moves.
fn sixty_moves() -> impl FnMut() -> u64 {
    let start = Game::new("pente".parse().expect("a spec"));
    let mut rng = Rng::with_seed(2);
    let mut game = start.clone();
    let mut texts = Vec::new();
    while texts.len() < 60 {
        let moves = game.legal_moves();
        if moves.is_empty() {
            (game, texts) = (start.clone(), Vec::new());
            continue;
        }
        let mv = moves[rng.usize(..moves.len())];
        texts.push(game.move_text(mv));
        game.play_move(mv).expect("a legal move");
    }
    move || {
        for _ in 0..100 {
            let mut game = start.clone();
            for text in &texts {
                game.play(black_box(text)).expect("a legal move");
            }
            black_box(&game);
        }
        100
    }
}
