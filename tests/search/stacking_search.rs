//! The search of Pent-Up: what it proves, and that it keeps to its limits.

use fastrand::Rng;
use pentarch::engine::{Engine, Game, Options};
use pentarch::game::{MoveList, Position as _, Side};
use pentarch::search::{Limits, Report, Score, Signal};
use pentarch::stacking::{Playout, Position};
use std::time::Duration;

const SPECS: [&str; 2] = ["pent-up", "pent-up-misere"];

/// A random game without its last plies.
fn random_game(spec: &str, left: u32, rng: &mut Rng) -> Position {
    let mut position = Position::new(spec.parse().unwrap());
    let mut playout = Playout::default();
    while position.ply() + left < Position::TILES {
        let mv = playout.draw(&position, rng).unwrap();
        position.play(mv);
    }
    position
}

fn as_game(position: &Position) -> Game {
    Game::from_text(position.rules().to_ruleset(), &position.text()).unwrap()
}

fn think(game: &Game, options: Options, limits: Limits) -> (Option<String>, Report) {
    let found = Engine::new(options).search(game, limits, &Signal::new(), |_| ()).unwrap();
    (found.best.map(|mv| game.move_text(mv)), found.report)
}

/// 1, 0 or -1 for the side to move, by trying everything, in the words of the rules only; a win is
/// not searched any further.
fn exhaustive(position: &mut Position) -> i32 {
    let mover = position.side_of(position.to_move());
    if let Some(outcome) = position.outcome() {
        return outcome.winner.map_or(0, |winner| if winner == mover { 1 } else { -1 });
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut best = -1;
    for mv in moves {
        position.play(mv);
        best = best.max(-exhaustive(position));
        position.undo();
        if best == 1 {
            break;
        }
    }
    best
}

fn sign(score: Score) -> i32 {
    match score {
        score if score.is_win() => 1,
        score if score.is_loss() => -1,
        score => {
            assert_eq!(score, Score::DRAW, "a proof is a win, a loss or a draw");
            0
        }
    }
}

#[test]
fn the_exact_solver_agrees_with_exhaustive_search() {
    let mut seen = [0; 3];
    for spec in SPECS {
        for seed in 0..40 {
            let mut rng = Rng::with_seed(seed);
            let left = if seed < 30 { 2 } else { 3 };
            let mut position = random_game(spec, left, &mut rng);
            let expected = exhaustive(&mut position);
            let options =
                Options { exact: true, threads: 1 + seed as usize % 2, ..Options::default() };
            let (_, report) = think(&as_game(&position), options, Limits::default());
            assert_eq!(sign(report.score), expected, "{spec} {}", position.text());
            assert!(report.score.mate().is_none_or(|n| n.unsigned_abs() == left));
            seen[(expected + 1) as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count >= 3), "{seen:?}");
}

/// Given a second, the last four plies are played perfectly: what is won stays won, what is drawn
/// is not lost. The solver of the test above is the judge.
#[test]
fn the_last_four_plies_are_played_perfectly() {
    for spec in SPECS {
        for seed in 100..106 {
            let mut position = random_game(spec, 4, &mut Rng::with_seed(seed));
            let value = |position: &Position| {
                let options = Options { exact: true, ..Options::default() };
                sign(think(&as_game(position), options, Limits::default()).1.score)
            };
            let mut expected = value(&position);
            while position.outcome().is_none() {
                let limits = Limits::move_time(Duration::from_secs(1));
                let (best, _) = think(&as_game(&position), Options::default(), limits);
                let mv = position.parse_move(&best.unwrap()).unwrap();
                position.try_play(mv).unwrap();
                expected = -expected;
                let reached = match position.outcome() {
                    None => value(&position),
                    Some(outcome) => outcome.winner.map_or(0, |winner| {
                        if winner == position.side_of(position.to_move()) { 1 } else { -1 }
                    }),
                };
                assert_eq!(reached, expected, "{spec}, game {seed}");
            }
        }
    }
}

#[test]
fn searches_keep_to_their_limits() {
    for (seed, left) in [(1, 24), (2, 20), (3, 12), (4, 6), (5, 1)] {
        let position = random_game("pent-up", left, &mut Rng::with_seed(seed));
        let game = as_game(&position);
        for threads in [1, 2] {
            let options = Options { threads, ..Options::default() };
            let (best, report) = think(&game, options.clone(), Limits::nodes(500));
            assert!(game.clone().play(&best.unwrap()).is_ok());
            assert!(report.nodes <= 500 + threads as u64, "{} nodes", report.nodes);
            let (best, report) = think(&game, options.clone(), Limits::nodes(1));
            assert!(best.is_some() && report.nodes <= 1 + threads as u64, "{} nodes", report.nodes);
            let (best, _) = think(&game, options.clone(), Limits::depth(2));
            assert!(best.is_some());
            let asked = game.legal_moves()[0];
            let limits = Limits { search_moves: vec![asked], ..Limits::nodes(100) };
            assert_eq!(think(&game, options, limits).0, Some(game.move_text(asked)));
        }
    }
}

#[test]
fn a_search_by_nodes_on_one_thread_is_repeated_to_the_bit() {
    let position = random_game("pent-up-misere", 15, &mut Rng::with_seed(8));
    let game = as_game(&position);
    let run = |seed| {
        let options = Options { seed, ..Options::default() };
        let (best, report) = think(&game, options, Limits::nodes(3000));
        (best, Report { time: Duration::ZERO, ..report })
    };
    assert_eq!(run(0), run(0));
    assert_ne!(run(0).1.score, run(1).1.score);
}

#[test]
fn several_lines_are_different_moves_from_the_best_on() {
    let game = Game::new("pent-up".parse().unwrap());
    let options = Options { multi_pv: 3, ..Options::default() };
    let mut reports = Vec::new();
    let observer = |report: &Report| reports.push(report.clone());
    Engine::new(options).search(&game, Limits::nodes(2000), &Signal::new(), observer).unwrap();
    // In the order of every searcher: by rank, and at last the best once more.
    let ranks: Vec<_> = reports.iter().rev().take(4).map(|report| report.multipv).collect();
    assert_eq!(ranks, [1, 3, 2, 1]);
    let last: Vec<_> = reports.iter().rev().skip(1).take(3).collect();
    let moves: std::collections::BTreeSet<_> = last.iter().map(|report| report.pv[0]).collect();
    assert_eq!(moves.len(), 3);
    for report in last {
        let mut line = game.clone();
        assert!(report.pv.iter().all(|&mv| line.play_move(mv).is_ok()), "a line is playable");
    }
}

#[test]
fn a_stopped_search_answers_soon() {
    for threads in [1, 2] {
        let game = Game::new("pent-up".parse().unwrap());
        let mut engine = Engine::new(Options { threads, ..Options::default() });
        let limits = Limits { infinite: true, ..Limits::default() };
        let thinking = engine.start_search(&game, limits, false, |_, _| (), |_, _| ()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        let stopped = std::time::Instant::now();
        thinking.stop();
        assert!(thinking.join().unwrap().best.is_some());
        assert!(stopped.elapsed() < Duration::from_millis(500), "{:?}", stopped.elapsed());
    }
}

/// With one tile left there is nothing to choose: every legal place ends the game alike.
#[test]
fn the_place_of_the_last_tile_does_not_matter() {
    for seed in 0..20 {
        let mut position = random_game("pent-up", 1, &mut Rng::with_seed(seed));
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let winners: std::collections::BTreeSet<Option<Side>> = moves
            .into_iter()
            .map(|mv| {
                position.play(mv);
                let winner = position.outcome().unwrap().winner;
                position.undo();
                winner
            })
            .collect();
        assert_eq!(winners.len(), 1);
    }
}
