//! However short a search is, its move is a sensible one: legal, and near the stones.

use pentarch::engine::{Engine, Game, Options};
use pentarch::game::{Cell, Move};
use pentarch::rules::OpeningStage;
use pentarch::rules::catalog::CATALOG;
use pentarch::search::{Limits, SearchResult, Signal};
use std::time::Duration;

/// What hardly lets a search begin.
fn limits() -> [Limits; 4] {
    let instant = Limits::move_time(Duration::from_millis(1));
    [Limits::nodes(1), Limits::nodes(2), Limits::nodes(40), instant]
}

/// King's steps, or steps on hexagons, from a cell to the nearest stone; none on an empty board.
fn distance(game: &Game, cell: Cell) -> Option<u8> {
    let steps = |stone: Cell| match (game.grid(), game.hex_grid()) {
        (Some(grid), _) => Some(grid.chebyshev(stone, cell)),
        (None, Some(grid)) => Some(grid.distance(stone, cell)),
        (None, None) => None,
    };
    let stones = game.cells().into_iter().filter(|&cell| game.content(cell).is_some());
    stones.filter_map(steps).min()
}

/// Whether a move is not much farther from the stones than it must be.
fn is_near(game: &Game, mv: Move) -> bool {
    let steps = |mv: &Move| mv.cell().and_then(|cell| distance(game, cell));
    let nearest = game.legal_moves().iter().filter_map(steps).min();
    match (steps(&mv), nearest) {
        (Some(steps), Some(nearest)) => steps <= nearest + 2,
        _ => true,
    }
}

fn think(game: &Game, limits: Limits, signal: &Signal) -> SearchResult {
    let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
    engine.think_here(game, limits, signal, |_| ()).unwrap()
}

#[test]
fn a_search_that_hardly_begins_plays_near_the_stones() {
    for row in CATALOG {
        let mut game = Game::new(row.name.parse().unwrap());
        for limits in limits().into_iter().cycle().take(9) {
            if game.outcome().is_some() {
                break;
            }
            let found = think(&game, limits, &Signal::new());
            let best = found.best.unwrap_or_else(|| panic!("{}: no move", row.name));
            assert_eq!(found.report.pv.first(), Some(&best), "{}", row.name);
            // The stones of a swap opening are scattered to be fair.
            let scattered = game.placement().is_some_and(|p| p.stage() != OpeningStage::Play);
            let text = game.move_text(best);
            assert!(scattered || is_near(&game, best), "{}: {text} in {}", row.name, game.text());
            game.play_move(best).unwrap();
        }
    }
}

#[test]
fn a_search_that_is_stopped_before_it_begins_has_a_move() {
    for spec in ["pente", "pro-pente", "pente-3", "pentalath", "yavalath-3", "connect6"] {
        let mut game = Game::new(spec.parse().unwrap());
        for _ in 0..6 {
            let signal = Signal::new();
            signal.stop();
            let found = think(&game, Limits::default(), &signal);
            let best = found.best.unwrap();
            assert!(is_near(&game, best), "{spec}: {} in {}", game.move_text(best), game.text());
            game.play_move(best).unwrap();
        }
    }
}

#[test]
fn the_second_stone_is_near_the_first_whatever_the_opening_forbids_later() {
    for spec in ["pro-pente", "long-pro-pente", "keryo-pente+pro", "plus-minus-pente+pro"] {
        let mut game = Game::new(spec.parse().unwrap());
        game.play("j10").unwrap();
        for nodes in [60, 300, 1000] {
            let best = think(&game, Limits::nodes(nodes), &Signal::new()).best.unwrap();
            assert!(is_near(&game, best), "{spec}, {nodes} nodes: {}", game.move_text(best));
        }
    }
}

/// Every move that a search plays counts as a node (which the search asserts by itself when it is built
/// for tests), also those that show a win to its end. That may take a hundredth more than was asked for.
#[test]
fn nodes_are_not_exceeded() {
    let moves = "h8 h9 i9 g7 g9 j9 f9 i7";
    for spec in ["gomoku", "renju", "pro-pente", "keryo-pente", "pentalath", "connect6", "pente-3"]
    {
        let mut game = Game::new(spec.parse().unwrap());
        // Some of these do not fit on the smaller boards.
        for text in moves.split(' ') {
            let _ = game.play(text);
        }
        for nodes in [1, 50, 300, 1_000, 10_000] {
            while game.outcome().is_none() {
                let found = think(&game, Limits::nodes(nodes), &Signal::new());
                let (spent, most) = (found.report.nodes, nodes + nodes / 100);
                assert!(spent <= most, "{spec}: {spent} nodes of {most}, {}", game.text());
                game.play_move(found.best.unwrap()).unwrap();
            }
            for _ in 0..6 {
                game.undo();
            }
        }
    }
}
