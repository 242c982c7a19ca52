//! Measures the speed of the rules: playouts, perft, setting up positions, simulations of Monte Carlo tree
//! search. Run it on an idle machine: `cargo bench --bench rules`, or `cargo bench --bench rules -- pent-up`
//! for the part of Pent-Up.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

mod common;

use common::{Measurement, measure};
use fastrand::Rng;
use pentarch::engine::{Engine, Game, Method, Options};
use pentarch::game::{Outcome, Position as _, perft};
use pentarch::hexes;
use pentarch::placement::{Playout, Position};
use pentarch::search::{Limits, Signal};
use pentarch::stacking;
use std::hint::black_box;

fn main() {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let mut measurements = measurements();
    measurements.retain(|measurement| measurement.name.contains(&wanted));
    common::run(measurements);
}

fn measurements() -> Vec<Measurement> {
    vec![
        measure("playout pente", "games", playouts("pente")),
        measure("playout keryo-pente", "games", playouts("keryo-pente")),
        measure("playout gomoku", "games", playouts("gomoku")),
        measure("playout gomoku-standard", "games", playouts("gomoku-standard")),
        measure("perft pente", "leaves", leaves("pente-freestyle", "j10 k11 m10 j11 k10 l10")),
        measure("perft gomoku", "leaves", leaves("gomoku", "h8 i9 g8 i8")),
        measure("playout pent-up", "games", tile_playouts()),
        measure("all moves pent-up", "lists", tile_moves()),
        measure("tree search pent-up", "simulations", simulations("pent-up")),
        measure("playout pentalath", "games", hex_playouts("pentalath", hexes::Playout::run)),
        measure("playout yavalath", "games", hex_playouts("yavalath", hexes::Playout::run)),
        measure("decisive pentalath", "games", decisive("pentalath")),
        measure("decisive yavalath", "games", decisive("yavalath")),
        measure("perft pentalath", "leaves", hex_leaves("pentalath")),
        measure("tree search pentalath", "simulations", simulations("pentalath")),
        measure("tree search yavalath", "simulations", simulations("yavalath")),
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

/// Random games.
fn hex_playouts(
    spec: &str,
    play: fn(&mut hexes::Playout, &mut Rng) -> Outcome,
) -> Box<dyn FnMut() -> u64> {
    let start = hexes::Position::new(spec.parse().expect("a spec"));
    let mut playout = hexes::Playout::new(&start);
    let mut rng = Rng::with_seed(1);
    Box::new(move || {
        for _ in 0..1000 {
            black_box(play(&mut playout, &mut rng));
        }
        1000
    })
}

/// Games between players that play wins in one and block those of the opponent.
fn decisive(spec: &str) -> Box<dyn FnMut() -> u64> {
    hex_playouts(spec, hexes::Playout::run_decisive)
}

fn hex_leaves(spec: &str) -> Box<dyn FnMut() -> u64> {
    let mut position = hexes::Position::new(spec.parse().expect("a spec"));
    Box::new(move || perft(black_box(&mut position), 3))
}

/// Games with a random tile at a random place.
fn tile_playouts() -> Box<dyn FnMut() -> u64> {
    let mut position = stacking::Position::new("pent-up".parse().expect("a spec"));
    let mut playout = stacking::Playout::default();
    let mut rng = Rng::with_seed(1);
    Box::new(move || {
        for _ in 0..200 {
            black_box(playout.run(&mut position, &mut rng));
            position.rewind();
        }
        200
    })
}

/// Lists all legal moves in positions of 8 to 16 tiles.
fn tile_moves() -> Box<dyn FnMut() -> u64> {
    let mut rng = Rng::with_seed(1);
    let mut playout = stacking::Playout::default();
    let positions: Vec<_> = (8..=16)
        .map(|plies| {
            let mut position = stacking::Position::new("pent-up".parse().expect("a spec"));
            for _ in 0..plies {
                let mv = playout.draw(&position, &mut rng).expect("an open game");
                position.play(mv);
            }
            position
        })
        .collect();
    let mut moves = Vec::new();
    Box::new(move || {
        for position in &positions {
            moves.clear();
            black_box(position).legal_moves(&mut moves);
            black_box(&moves);
        }
        positions.len() as u64
    })
}

/// Simulations of one thread from the initial position.
fn simulations(spec: &str) -> Box<dyn FnMut() -> u64> {
    let game = Game::new(spec.parse().expect("a spec"));
    let mut engine = Engine::new(Options { method: Method::Tree, ..Options::default() });
    Box::new(move || {
        let limits = Limits::nodes(5000);
        let found = engine.think_here(&game, limits, &Signal::new(), |_| ());
        found.expect("a thread").report.nodes
    })
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

/// The work of `position startpos moves ...` with 60 moves.
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
