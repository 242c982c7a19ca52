//! Measures the speed of the search in middle games: play and undo with the evaluation, nodes per second,
//! and the speedup of a second thread. Run it on an idle machine: `cargo bench --bench search`, or one part
//! with `-- rates` or `-- threads`, or the rates of one game with `-- pentalath`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

mod common;

use common::{Measurement, measure, median};
use pentarch::engine::{Engine, Game, Method, Options};
use pentarch::eval::{LineEvaluator, StoneTables};
use pentarch::game::{Move, MoveList, Position as _};
use pentarch::placement::Position;
use pentarch::search::{Limits, MoveGenerator as _, SearchPosition, Signal};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// The middle games, one per line.
const MIDDLE_GAMES: &str = include_str!("middle_games.txt");
/// The size of the hash table in MiB.
const HASH: usize = 16;

fn main() {
    let part = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let part = part.as_deref().unwrap_or_default();
    if part != "threads" {
        let mut measurements = measurements();
        measurements.retain(|rate| part == "rates" || rate.name.contains(part));
        common::run(measurements);
    }
    if ["", "threads"].contains(&part) {
        threads();
    }
}

fn measurements() -> Vec<Measurement> {
    vec![
        measure("play and undo pente", "pairs", walks("pente")),
        measure("play and undo keryo-pente", "pairs", walks("keryo-pente")),
        measure("play and undo gomoku", "pairs", walks("gomoku")),
        measure("search pente", "nodes", searches("pente")),
        measure("search gomoku", "nodes", searches("gomoku")),
        measure("search pentalath", "nodes", searches("pentalath")),
        measure("search yavalath", "nodes", searches("yavalath")),
    ]
}

/// The middle games of a variant.
fn middle_games(spec: &str) -> Vec<Game> {
    let lines = MIDDLE_GAMES.lines().filter_map(|line| line.split_once(": "));
    let games = lines.filter(|&(name, _)| name == spec).map(|(_, moves)| {
        let mut game = Game::new(spec.parse().expect("a spec of this file is right"));
        for text in moves.split(' ') {
            game.play(text).expect("a legal move");
        }
        game
    });
    games.collect()
}

type SearchTree = SearchPosition<Position, LineEvaluator>;

/// A step of a walk through the game tree.
#[derive(Clone, Copy)]
enum Step {
    Play(Move),
    Undo,
}

/// The depth of walks, and the number of moves at each position.
const WALK_DEPTH: usize = 3;
const WALK_WIDTH: usize = 8;

/// Walks through the tree below each middle game, with all captures and the moves that are ordered first.
/// The walk is computed in advance, so that only play and undo are timed.
fn walks(spec: &str) -> Box<dyn FnMut() -> u64> {
    let mut walks: Vec<(SearchTree, Vec<Step>)> = Vec::new();
    let (mut plays, mut captures) = (0, 0);
    for game in middle_games(spec) {
        let position = game.placement().expect("stones");
        let tables = Arc::new(StoneTables::new(position.rules()));
        let evaluator = LineEvaluator::new(tables, false, 0);
        let mut tree = SearchPosition::new(position.clone(), evaluator);
        let mut steps = Vec::new();
        captures += walk(&mut tree, WALK_DEPTH, &mut steps);
        plays += steps.len() as u64 / 2;
        walks.push((tree, steps));
    }
    eprintln!("{spec}: {plays} plays in {} walks, {captures} of them capture", walks.len());
    Box::new(move || {
        for (tree, steps) in &mut walks {
            for step in &*steps {
                match step {
                    Step::Play(mv) => tree.play(*mv),
                    Step::Undo => tree.undo(),
                }
            }
            black_box(tree.position.key());
        }
        plays
    })
}

/// Records the walk below a position. Returns the number of captures.
fn walk(tree: &mut SearchTree, depth: usize, steps: &mut Vec<Step>) -> u64 {
    if depth == 0 || tree.position.outcome().is_some() {
        return 0;
    }
    let mut moves = MoveList::new();
    tree.evaluator.candidates(&tree.position, &mut moves);
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_by_key(|&mv| {
        let color = tree.position.color_to_move();
        let captured = mv.cell().map_or(0, |cell| tree.evaluator.captured_at(color, cell));
        (captured == 0, -tree.evaluator.ordering_score(&tree.position, mv))
    });
    let mut captures = 0;
    for mv in moves.into_iter().take(WALK_WIDTH) {
        steps.push(Step::Play(mv));
        tree.play(mv);
        captures += u64::from(tree.position.changes().len() > 1);
        captures += walk(tree, depth - 1, steps);
        tree.undo();
        steps.push(Step::Undo);
    }
    captures
}

/// The nodes of each search.
const NODES: u64 = 100_000;

/// Alpha-beta with one thread and an empty hash table for each search.
fn searches(spec: &str) -> Box<dyn FnMut() -> u64> {
    let games = middle_games(spec);
    let method = Method::AlphaBeta;
    let mut engine = Engine::new(Options { hash: HASH, method, ..Options::default() });
    let mut turn = 0;
    Box::new(move || {
        let game = &games[turn % games.len()];
        turn += 1;
        run(&mut engine, game, &Limits::nodes(NODES)).nodes
    })
}

/// The result of a search.
struct Run {
    depth: u32,
    nodes: u64,
    seconds: f64,
}

fn run(engine: &mut Engine, game: &Game, limits: &Limits) -> Run {
    engine.clear();
    let started = Instant::now();
    let found = engine.think_here(game, limits.clone(), &Signal::new(), |_| ());
    let seconds = started.elapsed().as_secs_f64();
    let report = found.expect("a search on a small table").report;
    Run { depth: report.depth, nodes: report.nodes, seconds }
}

/// The number of middle games of each variant that are searched with one and with two threads.
const THREAD_GAMES: usize = 10;
/// The nodes of the search with one thread that determines the depth of both searches.
const DEPTH_NODES: u64 = 300_000;
/// Searches of the same position to the same depth, alternately with one and with two threads.
const REPEATS: usize = 3;

/// The speedup of two threads.
fn threads() {
    let engine = |threads| Engine::new(Options { hash: HASH, threads, ..Options::default() });
    let mut engines = [engine(1), engine(2)];
    let (mut times, mut nodes, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    for spec in ["pente", "gomoku"] {
        for game in middle_games(spec).iter().take(THREAD_GAMES) {
            let depth = run(&mut engines[0], game, &Limits::nodes(DEPTH_NODES)).depth;
            let [one, two] = medians(&mut engines, game, depth);
            times.push(one.seconds / two.seconds);
            nodes.push(two.nodes as f64 / one.nodes as f64);
            rates.push(nodes[nodes.len() - 1] * times[times.len() - 1]);
            eprintln!(
                "{spec} to depth {depth}: {:.2} s and {:.2} s, {} and {} nodes",
                one.seconds, two.seconds, one.nodes, two.nodes
            );
        }
    }
    println!("two threads against one, to equal depth in {} middle games:", times.len());
    for (name, ratios) in
        [("speed-up", &mut times), ("nodes", &mut nodes), ("nodes a second", &mut rates)]
    {
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let median = median(ratios);
        let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
        println!("{name:<16} {mean:.2} (median {median:.2}, {least:.2} to {most:.2})");
    }
}

/// The median time of each engine to reach the depth.
fn medians(engines: &mut [Engine; 2], game: &Game, depth: u32) -> [Run; 2] {
    let mut runs = [Vec::new(), Vec::new()];
    for _ in 0..REPEATS {
        for (engine, runs) in engines.iter_mut().zip(&mut runs) {
            runs.push(run(engine, game, &Limits::depth(depth)));
        }
    }
    runs.map(|mut runs| {
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        runs.swap_remove(REPEATS / 2)
    })
}
