//! Positions in which an engine has something to claim: tense middle games, late positions with few
//! empty points, and positions before a ply limit.

use crate::common::referee::Referee;
use fastrand::Rng;
use pentarch::engine::{Engine, Game, Options};
use pentarch::game::{Cell, Move, MoveKind};
use pentarch::rules::Ruleset;
use pentarch::rules::catalog::CATALOG;
use pentarch::search::{Limits, Signal};
use std::collections::BTreeSet;

/// A kind of position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Tense,
    Late,
    PlyLimit,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::Tense, Kind::Late, Kind::PlyLimit];

/// Diamonds for a square board of that size: four points around the center.
fn diamonds(size: u32) -> String {
    let low = 2 + u32::from(size > 7);
    let high = size + 1 - low;
    let letter = |column: u32| char::from(b'a' + (column - 1) as u8);
    let point = |column, row| format!("{}{row}", letter(column));
    let points = [point(low, low), point(high, low), point(low, high), point(high, high)];
    points.join(",")
}

/// The same game on a board of that size, if there is one.
fn resized(name: &str, size: u32) -> Option<String> {
    let has_diamonds = name.split('+').any(|word| word == "pente-plus" || word == "plus");
    let diamonds =
        if has_diamonds { format!("+diamonds={}", diamonds(size)) } else { String::new() };
    let spec = format!("{name}+size={size}{diamonds}");
    is_game(&spec).then_some(spec)
}

fn is_game(spec: &str) -> bool {
    spec.parse::<Ruleset>().is_ok()
}

/// The names of the catalog's games.
pub(crate) fn rows() -> Vec<&'static str> {
    CATALOG.iter().map(|row| row.name).collect()
}

/// A game of the catalog's row on a small board; of hexagons and tiles also on the row's own.
pub(crate) fn small(name: &str, kind: Kind, rng: &mut Rng) -> String {
    if let Some(spec) = small_hexes(name, kind, rng) {
        return spec;
    }
    let sizes = if kind == Kind::Late { 5..=7 } else { 5..=9 };
    let games: Vec<String> = sizes.filter_map(|size| resized(name, size)).collect();
    rng.choice(games).or_else(|| resized(name, 9)).unwrap_or_else(|| name.to_owned())
}

fn small_hexes(name: &str, kind: Kind, rng: &mut Rng) -> Option<String> {
    let sides = match (name, kind) {
        ("pentalath" | "pentalath-3", Kind::Late) => 3..=4,
        ("pentalath" | "pentalath-3", _) => 4..=7,
        ("pentalath-hex" | "yavalath" | "yavalath-3", Kind::Late) => 3..=3,
        ("pentalath-hex" | "yavalath" | "yavalath-3", _) => 3..=5,
        _ => return None,
    };
    let spec = format!("{name}+side={}", rng.u8(sides));
    let spec = if name.starts_with("pentalath") && rng.bool() { spec + "+line=4" } else { spec };
    Some(if is_game(&spec) { spec } else { name.to_owned() })
}

/// The words that may be put together; most combinations are refused.
const WORDS: [&str; 20] = [
    "free",
    "keryo",
    "five-only",
    "plus-minus",
    "poof",
    "boat",
    "boat=strict",
    "neutral",
    "atomic",
    "anti",
    "anti=any",
    "plus",
    "players=3",
    "players=4",
    "teams",
    "goal=3",
    "goal=4",
    "goal=6",
    "swap1",
    "line=4",
];

/// A random combination of modifiers on a board of 5x5 to 9x9.
pub(crate) fn combination(rng: &mut Rng) -> String {
    loop {
        let base =
            ["pente", "pente", "pente", "pente", "pente", "ninuki", "gomoku", "gomoku-standard"];
        let mut name = rng.choice(base).unwrap_or("pente").to_owned();
        for _ in 0..rng.usize(2..=4) {
            name = name + "+" + WORDS[rng.usize(..WORDS.len())];
        }
        if let Some(spec) = resized(&name, rng.u32(5..=9))
            && Referee::new(&spec).is_ok()
        {
            return spec;
        }
    }
}

/// Positions of that kind from one game, which the seed decides.
pub(crate) fn from_game(spec: &str, kind: Kind, rng: &mut Rng) -> Vec<Game> {
    match kind {
        Kind::Tense => tense(spec, rng),
        Kind::Late => late(spec, rng).into_iter().collect(),
        Kind::PlyLimit => before_limit(spec, rng),
    }
}

/// The last positions of a game in which both sides try to make lines, or in which the engine plays
/// most moves.
fn tense(spec: &str, rng: &mut Rng) -> Vec<Game> {
    let mut game = Game::new(spec.parse().unwrap());
    let mut engine = rng
        .bool()
        .then(|| Engine::new(Options { hash: 1, seed: rng.u64(1..1 << 40), ..Options::default() }));
    let nodes = [30, 100, 400][rng.usize(..3)];
    let mut positions = Vec::new();
    while game.outcome().is_none() && game.ply() < 80 {
        positions.push(game.clone());
        let engine = engine.as_mut().filter(|_| game.ply() > 4 && rng.u8(..8) > 0);
        let mv = match engine {
            Some(engine) => {
                let limits = Limits::nodes(nodes);
                let found = engine.search(&game, limits, &Signal::new(), |_| ());
                found.ok().and_then(|found| found.best)
            }
            None => tense_move(&mut game, rng),
        };
        let Some(mv) = mv else { break };
        if game.play_move(mv).is_err() {
            break;
        }
    }
    let last = positions.len().saturating_sub(7);
    let mut chosen = positions.split_off(last);
    rng.shuffle(&mut chosen);
    chosen.truncate(3);
    if let Some(middle) = rng.choice(positions).filter(|middle| middle.ply() > 4) {
        chosen.push(middle);
    }
    chosen
}

/// A position in which 2 to 8 points are empty.
fn late(spec: &str, rng: &mut Rng) -> Option<Game> {
    let mut game = Game::new(spec.parse().unwrap());
    let empty = rng.usize(2..=8);
    let tiles = game.stacking().is_some();
    for _ in 0..400 {
        let moves = game.legal_moves();
        let points: BTreeSet<Cell> = moves.iter().filter_map(|mv| mv.cell()).collect();
        let is_late = if tiles {
            game.ply() + 2 >= 24
        } else {
            (2..=empty).contains(&points.len()) && !game.is_choice()
        };
        if is_late {
            return Some(game);
        }
        if !play_quietly(&mut game, &moves, rng) {
            for _ in 0..rng.u8(1..=6) {
                game.undo();
            }
        }
    }
    None
}

/// Positions up to six plies before a draw by the number of plies.
fn before_limit(spec: &str, rng: &mut Rng) -> Vec<Game> {
    let left = rng.u32(1..=6);
    let limit = rng.u32(left + 6..=left + 34);
    let Ok(rules) = format!("{spec}+max-plies={limit}").parse::<Ruleset>() else {
        return Vec::new();
    };
    let mut game = Game::new(rules);
    for _ in 0..200 {
        if game.ply() == limit - left {
            return vec![game];
        }
        let lively = rng.u8(..4) > 0;
        let mv = if lively { tense_move(&mut game, rng) } else { None };
        let is_played = mv.is_some_and(|mv| {
            let open = game.play_move(mv).is_ok() && game.outcome().is_none();
            if !open {
                game.undo();
            }
            open
        });
        let moves = game.legal_moves();
        if !is_played && !play_quietly(&mut game, &moves, rng) {
            for _ in 0..rng.u8(1..=6) {
                game.undo();
            }
        }
    }
    Vec::new()
}

/// Plays a move that does not end the game, and most often one that captures nothing.
fn play_quietly(game: &mut Game, moves: &[Move], rng: &mut Rng) -> bool {
    let mut moves = moves.to_vec();
    rng.shuffle(&mut moves);
    if rng.u8(..10) > 0 {
        // Special stones are kept for the end.
        moves.sort_by_key(|&mv| is_special(mv));
    }
    let may_capture = rng.u8(..4) == 0;
    for mv in moves.into_iter().take(60) {
        if game.play_move(mv).is_err() {
            continue;
        }
        let changes = game.changes().len();
        if game.outcome().is_none() && (may_capture || changes <= 1 || is_special(mv)) {
            return true;
        }
        game.undo();
    }
    false
}

fn is_special(mv: Move) -> bool {
    matches!(mv.kind(), MoveKind::Neutral(_) | MoveKind::Bomb(_) | MoveKind::Power(..))
}

/// The best of some random moves by the lines that it extends or blocks and by what it captures.
fn tense_move(game: &mut Game, rng: &mut Rng) -> Option<Move> {
    let moves = game.legal_moves();
    let plain: Vec<Move> = moves.iter().copied().filter(|&mv| !is_special(mv)).collect();
    let moves = if plain.is_empty() || rng.u8(..8) == 0 { moves } else { plain };
    if rng.u8(..6) == 0 {
        return rng.choice(moves);
    }
    let sample = (0..12).map(|_| moves[rng.usize(..moves.len())]).collect::<BTreeSet<Move>>();
    let mover = game.color_to_move();
    let rated = sample.into_iter().map(|mv| {
        let lines = mv.cell().map_or(0, |cell| line_value(game, cell, mover.0));
        let captured = match game.play_move(mv) {
            Ok(()) => {
                let changes = game.changes().len();
                game.undo();
                changes.saturating_sub(1)
            }
            Err(_) => 0,
        };
        (lines + 4 * captured as u32 + rng.u32(..4), mv)
    });
    rated.max_by_key(|rated| rated.0).map(|(_, mv)| mv)
}

/// How long the rows of one color are that a stone on a cell touches, of the mover or of others.
fn line_value(game: &Game, cell: Cell, mover: u8) -> u32 {
    let Some(grid) = game.grid() else {
        let Some(grid) = game.hex_grid() else { return 0 };
        let near = grid.iter().filter(|&other| grid.distance(cell, other) <= 2);
        return near.filter(|&other| game.content(other).is_some()).count() as u32;
    };
    let (column, row) = (i32::from(grid.column(cell)), i32::from(grid.row(cell)));
    let mut value = 0;
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for color in 0..game.seats() {
            let mut stones: u32 = 0;
            for sign in [1, -1] {
                let mut gaps = 0;
                for step in 1..=4 {
                    let at = grid.get(column + sign * step * dx, row + sign * step * dy);
                    let Some(at) = at else { break };
                    match game.content(at) {
                        Some(found) if found.0 == color => stones += 1,
                        None if gaps == 0 => gaps = 1,
                        _ => break,
                    }
                }
            }
            value += stones * stones * if color == mover { 3 } else { 2 };
        }
    }
    value
}
