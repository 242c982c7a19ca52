//! Calibration of values: plays games of the engine against itself and compares the win probability of
//! each position with the result for its mover.
//!
//! `cargo bench --bench calibration -- SPEC [GAMES [NODES]]` prints ten bins of predicted probability with
//! their mean, the mean result and the number of positions, for search scores and for static evaluations,
//! and the factor on scores that predicts results best: the slope of a logistic regression without
//! intercept. Proven wins and losses are left out, since they are exact. A game starts with random moves
//! near the stones.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use pentarch::arena::Openings;
use pentarch::engine::{Engine, Options};
use pentarch::game::Side;
use pentarch::rules::Ruleset;
use pentarch::search::{Limits, Score, Signal};

/// The number of random plies at the start of a game, and their seed.
const OPENINGS: Openings = Openings::Random { plies: 4, seed: 20 };
const BINS: usize = 10;

/// The value of a position and the result of its game.
struct Forecast {
    game: u32,
    score: Score,
    /// The result for the side to move: 1, 0, or an equal share for a draw.
    result: f64,
}

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let spec = words.next().unwrap_or_else(|| "pente".to_owned());
    let mut number = |default: u64| words.next().map_or(default, |n| n.parse().expect("a number"));
    let (games, nodes) = (number(100), number(1000));
    let rules: Ruleset = spec.parse().expect("a game");
    let sides = rules.seating().sides();
    let (mut searched, mut looked) = (Vec::new(), Vec::new());
    for game in 0..games as u32 {
        play(&rules, game, nodes, &mut searched, &mut looked);
    }
    println!("{rules}, {games} games, {nodes} nodes a move");
    print_table("searched", &searched, sides);
    print_table("looking only", &looked, sides);
}

/// Plays a game and records the value of each position.
fn play(
    rules: &Ruleset,
    number: u32,
    nodes: u64,
    searched: &mut Vec<Forecast>,
    looked: &mut Vec<Forecast>,
) {
    let opening = OPENINGS.get(number, rules).expect("an opening");
    let mut game = opening.play(rules).expect("a playable opening");
    let mut engine = Engine::new(Options { hash: 8, ..Options::default() });
    let mut from_search: Vec<(Side, Score)> = Vec::new();
    let mut from_look: Vec<(Side, Score)> = Vec::new();
    while game.outcome().is_none() {
        let side = game.side_of(game.to_move());
        from_look.extend(engine.evaluate(&game).map(|score| (side, score)));
        let limits = Limits::nodes(nodes);
        let found = engine.think_here(&game, limits, &Signal::new(), |_| ()).expect("a search");
        from_search.push((side, found.report.score));
        game.play_move(found.best.expect("a move")).expect("a legal move");
    }
    let winner = game.outcome().expect("an end").winner;
    let draw = 1.0 / f64::from(rules.seating().sides());
    let result = |side| winner.map_or(draw, |winner| f64::from(u8::from(winner == side)));
    for (values, forecasts) in [(from_search, searched), (from_look, looked)] {
        let open = values.into_iter().filter(|(_, score)| score.mate().is_none());
        forecasts.extend(open.map(|(side, score)| Forecast {
            game: number,
            score,
            result: result(side),
        }));
    }
}

fn print_table(name: &str, forecasts: &[Forecast], sides: u8) {
    let games =
        forecasts.iter().map(|forecast| forecast.game).collect::<std::collections::BTreeSet<_>>();
    let (slope, error) = slope(forecasts, sides);
    println!(
        "{name}: {} positions of {} games, factor {slope:.2} +/- {error:.2}",
        forecasts.len(),
        games.len()
    );
    println!("{:>9} {:>9} {:>9} {:>9}", "bin", "foretold", "scored", "positions");
    for bin in 0..BINS {
        let inside: Vec<_> = forecasts
            .iter()
            .map(|forecast| (forecast.score.win_probability(), forecast.result))
            .filter(|(p, _)| ((p * BINS as f64) as usize).min(BINS - 1) == bin)
            .collect();
        if inside.is_empty() {
            continue;
        }
        let mean = |value: fn(&(f64, f64)) -> f64| {
            inside.iter().map(value).sum::<f64>() / inside.len() as f64
        };
        let low = bin as f64 / BINS as f64;
        println!(
            "{low:>5.1}-{:.1} {:>9.3} {:>9.3} {:>9}",
            low + 0.1,
            mean(|v| v.0),
            mean(|v| v.1),
            inside.len()
        );
    }
}

/// The factor on scores that predicts the results best, and its standard error, a sandwich estimate
/// clustered by game.
fn slope(forecasts: &[Forecast], sides: u8) -> (f64, f64) {
    let even = -f64::from(sides - 1).ln();
    let terms = |slope: f64, forecast: &Forecast| {
        let x = f64::from(forecast.score.value()) / Score::SCALE - even;
        let p = 1.0 / (1.0 + (-(even + slope * x)).exp());
        (x * (forecast.result - p), x * x * p * (1.0 - p))
    };
    let mut slope = 1.0;
    for _ in 0..50 {
        let (gradient, curve) = forecasts
            .iter()
            .map(|f| terms(slope, f))
            .fold((0.0, 1e-9), |a, b| (a.0 + b.0, a.1 + b.1));
        slope = (slope + (gradient / curve).clamp(-0.5, 0.5)).clamp(0.01, 20.0);
    }
    let mut by_game = std::collections::BTreeMap::new();
    let mut curve = 1e-9;
    for forecast in forecasts {
        let (gradient, bend) = terms(slope, forecast);
        *by_game.entry(forecast.game).or_insert(0.0) += gradient;
        curve += bend;
    }
    (slope, by_game.values().map(|g: &f64| g * g).sum::<f64>().sqrt() / curve)
}
