//! Several lines at once: in every game, sorted, each with nodes of its own.

use pentarch::engine::{Engine, Game, Options};
use pentarch::search::{Limits, Report, Signal};

/// The reports of a search for four lines, those of an iteration together.
fn iterations(game: &Game, nodes: u64) -> Vec<Vec<Report>> {
    let options = Options { multi_pv: 4, hash: 8, ..Options::default() };
    let mut iterations: Vec<Vec<Report>> = Vec::new();
    let sink = |report: &Report| match iterations.last_mut() {
        Some(last) if report.multipv > 1 => last.push(report.clone()),
        _ => iterations.push(vec![report.clone()]),
    };
    let mut engine = Engine::new(options);
    engine.search(game, Limits::nodes(nodes), &Signal::new(), sink).unwrap();
    // The best line alone comes last, for clients that look no further.
    assert_eq!(iterations.pop().map(|last| last.len()), Some(1), "{}", game.rules());
    iterations
}

#[test]
fn every_game_has_several_lines() {
    for (spec, moves) in [
        ("pente", "j10 k11 m11 l12"),
        ("connect6", "j10 k11 k10"),
        ("plus-minus-pente", "j10 k11 m11 l12"),
        ("team-pente", "j10 k11 m11 l12"),
        ("pente-3", "j10 k11 m11 l12"),
        ("pente-4", "j10 k11 m11 l12"),
        ("pentalath", "d5 d6 c5"),
        ("pentalath-3", "d5 d6 c5"),
        ("yavalath-3", "e5 d5 f6"),
    ] {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        let grows_a_tree = game.seats() == 3 || spec == "pente-4";
        let iterations = iterations(&game, 1500);
        assert!(iterations.len() > 1, "{spec}");
        for lines in iterations {
            let ranks: Vec<_> = lines.iter().map(|line| line.multipv).collect();
            assert_eq!(ranks, [1, 2, 3, 4], "{spec}");
            let mut moves: Vec<_> = lines.iter().map(|line| line.pv[0]).collect();
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len(), 4, "{spec}: a move has two lines");
            let own: Vec<_> = lines.iter().map(|line| line.move_nodes).collect();
            assert!(own.iter().all(|&nodes| nodes > 0), "{spec}: {own:?}");
            assert!(own.iter().sum::<u64>() <= lines[0].nodes, "{spec}: {own:?}");
            let sorted = if grows_a_tree {
                // By visits, those that are better than a draw before the others.
                own.windows(2).filter(|pair| pair[0] < pair[1]).count() <= 1
            } else {
                lines.is_sorted_by(|a, b| a.score >= b.score)
            };
            assert!(sorted, "{spec}: {lines:?}");
        }
    }
}
