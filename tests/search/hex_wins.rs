//! Forced wins on hexagons from games of the engine against itself: proved by the naive referee
//! against every defense, then found and announced by the engine.

use crate::common::hex_referee::{Referee, text};
use pentarch::engine::{Engine, Game, Options};
use pentarch::search::{Limits, Signal};

/// Games, the plies that the win takes by threats alone, and the moves that lead there.
const WINS: &[(&str, u32, &str)] = &[
    (
        "pentalath",
        5,
        "f5 e9 f1 f12 f2 c2 f6 f4 e5 c5 c3 d4 e4 e7 e3 e2 d3 b3 f8 f7 e8 c7 d7 d8 b6 c6 c8 g3 g11 c4 d5 b4 a3 b2 a2 a4 b1 a1 d1",
    ),
    ("pentalath", 7, "b4 a3 b2 d4 b6 f2 b7 b5 c7 d7 d8 e9 c6 d5 c5 c4 d6 a6"),
    ("pentalath", 7, "d5 e11 a6 b1 c8 g13 c5 e5 c6 c7 d6 e6 e7 b4 d7 d4"),
    ("pentalath-hex", 5, "c4 g1 f8 b4 g6 d3 e6 d5 e5 d4 d6 e3 f5 g4 f4 f2 c3 c6 e8 d2 d1 e9"),
    (
        "pentalath-hex",
        5,
        "h1 f4 f3 d4 e4 b3 e5 e6 e3 d5 c4 d6 d3 f5 c6 f6 h3 g3 c3 c5 e2 e1 f7 g5 g1 f2 e7",
    ),
    ("pentalath-hex", 5, "a1 d6 e2 e8 g4 a2 e5 d4 e4 e3 f4 d3 d5 c5 f6 c3 f2 c4"),
    ("pentalath-hex", 5, "c2 d2 f6 c6 e3 c7 e5 e6 f5 d4 f4 f3 e4 d3 d5 c5 h2 g3 h4 g4 g5 c3 c4 i3"),
    ("pentalath-hex", 5, "d3 d5 b4 h1 b2 i3 b3 b5 c3 e3 e5 d4 e4 f4 e7 e6 c5 d6 c4 c6 c2 c1 b6"),
    ("yavalath", 5, "e2 h6 i5 c1 f5 c4 f4 c3 c2 c6 c5 e5"),
    (
        "yavalath",
        7,
        "e3 i4 e2 h1 f3 f4 g4 f5 e5 e4 f6 g3 e7 c4 c1 d2 c5 b4 d4 i1 h2 i2 i3 f1 g1 e8",
    ),
    ("yavalath", 7, "e7 h3 d1 a3 e4 e6 d4 g4 f5 g2"),
    ("yavalath", 7, "g5 d2 e9 f2 e6 f4 f3 e4 h3 c2 d3 a2 b2 f1 e2 h4"),
    ("yavalath", 7, "c2 g4 i1 h3 e6 g3 d3 e4 f4 f6 f1 g6 g5 g1 g2 f2"),
    ("yavalath", 7, "h3 f7 d2 e5 d5 e6 f5 h5 g6 d4 b2 f3 b5 a2 d7 g2 e4 e8 e7 b6"),
    ("yavalath", 7, "d1 c6 h2 d8 d4 d3 e5 f5 e2 d6 e6 d5 d7 g4"),
    ("yavalath", 11, "f2 b5 a4 c1 d4 e5 d5 c4 f3 d2 c3 f5 f6 g6"),
];

/// Whether the color to move wins within that many plies, each of its moves but the last a threat to
/// complete a row with the next. Every defense is tried.
fn wins_by_threats(position: &Referee, plies: u32) -> bool {
    if !position.winning_points().is_empty() {
        return true;
    }
    plies >= 3
        && position.threatening_points().into_iter().any(|threat| {
            let mut after = position.clone();
            let played = after.play(&text(threat)).is_ok();
            played && after.result().is_none() && loses_to_threats(&after, plies - 1)
        })
}

/// Whether every legal move of the defender loses so; those that stand in the way are tried first.
fn loses_to_threats(position: &Referee, plies: u32) -> bool {
    let attacker = 1 - position.to_move();
    let blocks: Vec<String> = position.completing_points(attacker).into_iter().map(text).collect();
    let mut defenses = position.legal_moves();
    defenses.sort_by_key(|defense| !blocks.contains(defense));
    defenses.iter().all(|defense| {
        let mut after = position.clone();
        after.play(defense).unwrap();
        match after.result() {
            Some(winner) => winner == Some(attacker),
            None => wins_by_threats(&after, plies - 1),
        }
    })
}

fn after(spec: &str, moves: &str) -> Referee {
    let mut referee = Referee::new(spec);
    moves.split(' ').for_each(|mv| referee.play(mv).unwrap());
    referee
}

#[test]
fn the_naive_referee_proves_every_win() {
    for (spec, plies, moves) in WINS {
        let position = after(spec, moves);
        assert!(wins_by_threats(&position, *plies), "{spec}: {moves}");
        assert!(!wins_by_threats(&position, plies - 2), "{spec}: {moves}");
    }
}

/// A tenth of a second's worth of nodes is enough, whether a win is asked for or not.
#[test]
fn the_engine_announces_every_win() {
    for (spec, plies, moves) in WINS {
        let mut game = Game::new(spec.parse().unwrap());
        for mv in moves.split(' ') {
            game.play(mv).unwrap();
        }
        for mate in [None, Some(*plies)] {
            let limits = Limits { mate, ..Limits::nodes(100_000) };
            let mut engine = Engine::new(Options { hash: 16, ..Options::default() });
            let report = engine.search(&game, limits, &Signal::new(), |_| ()).unwrap().report;
            let reported = report.score.mate().filter(|&reported| reported > 0);
            assert!(reported.is_some(), "{spec}: {moves}: {report:?}");
            let within = mate.is_none()
                || reported.is_some_and(|reported| reported.unsigned_abs() <= *plies);
            assert!(within, "{spec}: {moves}: {report:?}");
        }
    }
}
