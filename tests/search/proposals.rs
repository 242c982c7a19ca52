//! What the engine proposes in a swap opening: stones near the center that leave both colors their
//! chances.

use fastrand::Rng;
use pentarch::engine::{Engine, Game, Options};
use pentarch::game::Cell;
use pentarch::rules::OpeningStage;
use pentarch::search::{Limits, Report, SearchResult, Signal};
use std::time::Duration;

/// Openings in which one player places several stones.
const SWAPS: [&str; 5] =
    ["d-pente", "swap2-pente", "swap2-keryo", "gomoku+swap2", "pro-pente+swap3"];

fn think(game: &Game, options: Options, nodes: u64) -> SearchResult {
    let mut engine = Engine::new(Options { hash: 4, ..options });
    engine.think_here(game, Limits::nodes(nodes), &Signal::new(), |_| ()).unwrap()
}

fn stage(game: &Game) -> OpeningStage {
    game.placement().unwrap().stage()
}

/// Lets the engine place its stones.
fn propose(game: &mut Game, seed: u64, nodes: u64) {
    while stage(game).is_placing() {
        let found = think(game, Options { seed, ..Options::default() }, nodes);
        let text = format!("{} {nodes}", game.text());
        assert!(found.report.nodes <= nodes + nodes / 100, "{} {text}", found.report.nodes);
        let best = found.best.unwrap();
        let (grid, cell) = (game.grid().unwrap(), best.cell().unwrap());
        assert!(grid.chebyshev(grid.center(), cell) <= 4, "{} {text}", grid.label(cell));
        game.play_move(best).unwrap();
    }
}

/// What a game is worth to either side once the colors are chosen, at most 1000.
fn unevenness(mut game: Game) -> u32 {
    game.play("keep").unwrap();
    let found = think(&game, Options::default(), 20_000);
    found.report.score.value().unsigned_abs().min(1000)
}

/// Stones as near the center as those that the engine draws from.
fn place_at_random(game: &mut Game, rng: &mut Rng) {
    let grid = game.grid().unwrap();
    while stage(game).is_placing() {
        let near = |cell: Cell| grid.chebyshev(grid.center(), cell) <= 4;
        let moves = game.legal_moves().into_iter();
        let moves: Vec<_> = moves.filter(|mv| mv.cell().is_some_and(near)).collect();
        game.play_move(*rng.choice(&moves).unwrap()).unwrap();
    }
}

#[test]
fn proposals_are_near_the_center_and_more_even_than_stones_at_random() {
    let (mut proposed, mut at_random) = (0, 0);
    for spec in SWAPS {
        for seed in 0..4 {
            let mut game = Game::new(spec.parse().unwrap());
            propose(&mut game, seed, 10_000);
            assert!(stage(&game).is_choice(), "{spec}");
            proposed += unevenness(game);
            let mut game = Game::new(spec.parse().unwrap());
            place_at_random(&mut game, &mut Rng::with_seed(seed));
            at_random += unevenness(game);
        }
    }
    assert!(3 * proposed < 2 * at_random, "{proposed} in all, at random {at_random}");
}

#[test]
fn two_more_stones_are_proposed_alike() {
    let mut game = Game::new("swap2-pente".parse().unwrap());
    propose(&mut game, 0, 2_000);
    game.play("more").unwrap();
    propose(&mut game, 0, 2_000);
    assert_eq!(stage(&game), OpeningStage::LastChoice);
}

/// Even a search that hardly begins.
#[test]
fn the_shortest_limits_do() {
    for spec in SWAPS {
        for nodes in [1, 60] {
            propose(&mut Game::new(spec.parse().unwrap()), 0, nodes);
        }
    }
}

/// A clock that has run out before the search begins, or a stop that is already there: what a busy
/// machine makes of a short time.
#[test]
fn an_answer_that_comes_late_has_a_value() {
    for spec in SWAPS {
        let game = Game::new(spec.parse().unwrap());
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        let stopped = Signal::new();
        stopped.stop();
        let no_time = Limits::move_time(Duration::ZERO);
        for (limits, signal) in [(no_time, Signal::new()), (Limits::nodes(10_000), stopped)] {
            let mut last = None;
            let sink = |report: &Report| last = Some((report.nodes, report.pv[0]));
            let found = engine.think_here(&game, limits, &signal, sink).unwrap();
            let (nodes, mv) = last.expect(spec);
            assert_eq!(found.best, Some(mv), "{spec}");
            assert!((1..100).contains(&nodes), "{spec}: {nodes} nodes");
        }
    }
}

#[test]
fn an_analysis_still_shows_several_lines() {
    let game = Game::new("d-pente".parse().unwrap());
    let mut engine = Engine::new(Options { hash: 4, multi_pv: 3, ..Options::default() });
    let mut ranks = Vec::new();
    let limits = Limits::nodes(5_000);
    engine.think_here(&game, limits, &Signal::new(), |r| ranks.push(r.multipv)).unwrap();
    assert!(ranks.contains(&3), "{ranks:?}");
}
