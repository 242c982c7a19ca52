//! The numbers of the search that tuners set.

use pentarch::engine::{Engine, Game, Options};
use pentarch::search::{Limits, Parameter, Parameters, Signal};

/// Nodes of searches in games of each kind of move order.
fn nodes(parameters: Parameters) -> Vec<u64> {
    let games = [
        ("gomoku", "h8 h9 i9 g7 j10 k11 i10 g8 i8", 9),
        // Open enough for moves to be searched again, deeper or less deep.
        ("gomoku", "h8 i9 h10 g9", 9),
        ("pro-pente", "j10 k11 m11 l12 j13 k12 m13 m10 k10 n9", 9),
        // With fours for the search for a win at the root.
        ("pro-pente", "j10 k10 m12 m11 l9 o11 l8 n11 p11 k11 l11", 8),
        // With nothing but quiet moves, whose order history decides.
        ("pro-pente", "j10 k11 m11 l13", 9),
        // By windows, whose order is rough.
        ("pentalath+line=6", "d5 d6 c5 e6 d4", 6),
    ];
    let count = |(spec, moves, depth): (&str, &str, u32)| {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split(' ') {
            game.play(text).unwrap();
        }
        let mut engine = Engine::new(Options { hash: 4, parameters, ..Options::default() });
        let limits = Limits { nodes: Some(50_000), ..Limits::depth(depth) };
        engine.search(&game, limits, &Signal::new(), |_| ()).unwrap().report.nodes
    };
    games.map(count).to_vec()
}

#[test]
fn every_number_matters() {
    let usual = nodes(Parameters::DEFAULT);
    for &Parameter { name, least, most, set, .. } in Parameters::TABLE {
        let changes = [least, most].into_iter().any(|value| {
            let mut parameters = Parameters::DEFAULT;
            set(&mut parameters, value);
            nodes(parameters) != usual
        });
        assert!(changes, "{name}");
    }
}
