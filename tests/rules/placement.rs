//! Games on squares compared with the naive referee, which was written only from the text of the rules.

use crate::common::referee::vectors::{ILLEGAL, VECTORS};
use crate::common::referee::{Kind, Outcome as NaiveOutcome, Referee, Stone, from_capitals};
use crate::common::{draw, legal_texts, specs, start};
use fastrand::Rng;
use pentarch::game::{Color, EndReason, Outcome, Position as _, Side};
use pentarch::placement::{Playout, Position};
use pentarch::rules::Ruleset;
use pentarch::rules::catalog::CATALOG;
use std::collections::BTreeSet;

/// The number of games of each variant, set by `PENTARCH_GAMES_PER_VARIANT`.
fn games() -> u64 {
    let asked = std::env::var("PENTARCH_GAMES_PER_VARIANT").ok();
    asked.map_or(5, |text| text.parse().expect("PENTARCH_GAMES_PER_VARIANT is a number"))
}

/// An outcome in the terms of the naive referee.
fn naive(outcome: Outcome) -> NaiveOutcome {
    let kind = match outcome.reason {
        EndReason::Line => Kind::Line,
        EndReason::Captures => Kind::Captures,
        EndReason::FullBoard => Kind::Full,
        EndReason::NoMove => Kind::NoMove,
        EndReason::PlyCap => Kind::Plies,
        EndReason::Levels | EndReason::ShortLine => panic!("no game on squares"),
    };
    NaiveOutcome { winner: outcome.winner.map(Side::index), kind }
}

/// Compares everything that the position and the referee can both report.
fn assert_agree(position: &Position, referee: &Referee, context: &str) {
    assert_eq!(legal_texts(position), referee.legal_moves(), "legal moves, {context}");
    assert_eq!(position.to_move().index(), referee.seat(), "turn, {context}");
    assert_eq!(position.ply(), referee.plies(), "plies, {context}");
    for (color, count) in referee.captures().into_iter().enumerate() {
        assert_eq!(position.captures(Color(color as u8)), count, "count, {context}");
    }
    for cell in position.grid().iter() {
        let (column, row) = (position.grid().column(cell), position.grid().row(cell));
        let stone = position.board().content(cell).color();
        let stone = stone.map_or(Stone::Empty, |color| match color {
            Color::NEUTRAL => Stone::Neutral,
            Color::POWER => Stone::Joker,
            color => Stone::Stone(color.0),
        });
        let label = position.grid().label(cell);
        let theirs = referee.content(i32::from(column) + 1, i32::from(row) + 1);
        assert_eq!(Some(stone), theirs, "stone on {label}, {context}");
    }
    let outcome = position.outcome();
    assert_eq!(outcome.map(naive), referee.outcome(), "outcome, {context}");
}

/// Plays a random game with both and compares them at every ply.
fn play_through_both(spec: &str, game: u64, rng: &mut Rng) {
    let mut position = start(spec);
    let mut referee = Referee::new(spec).unwrap();
    loop {
        let context = format!("{spec}, game {game}, ply {}", position.ply() + 1);
        assert_agree(&position, &referee, &context);
        let Some(mv) = draw(&position, rng) else { break };
        referee.play(&position.move_text(mv)).unwrap();
        position.play(mv);
    }
}

#[test]
fn random_games_agree_with_the_naive_referee() {
    for spec in specs() {
        for game in 0..games() {
            play_through_both(&spec, game, &mut Rng::with_seed(game));
        }
    }
}

/// Every modifier, some with several values.
const WORDS: [&str; 40] = [
    "free",
    "pro",
    "long-pro",
    "g",
    "swap",
    "centre-first",
    "swap1",
    "swap2",
    "swap3",
    "keryo",
    "five-only",
    "plus-minus",
    "poof",
    "boat",
    "boat=strict",
    "o",
    "neutral",
    "atomic",
    "anti",
    "anti=any",
    "plus",
    "players=2",
    "players=3",
    "players=4",
    "teams",
    "goal=3",
    "goal=4",
    "goal=6",
    "line=3",
    "line=4",
    "line=6",
    "size=5",
    "size=7",
    "size=9",
    "size=12",
    "size=6x4",
    "diamonds=c3,c5,e3,e5",
    "diamonds=a1,g7,d4",
    "max-plies=9",
    "max-plies=40",
];

/// A random valid spec: a base game and up to four modifiers.
fn random_spec(rng: &mut Rng) -> String {
    let bases = CATALOG.iter().filter(|row| row.ruleset().squares().is_some());
    let bases: Vec<_> = bases.map(|row| row.name).collect();
    let words = WORDS;
    loop {
        let mut spec = bases[rng.usize(..bases.len())].to_owned();
        for _ in 0..rng.usize(..5) {
            spec = format!("{spec}+{}", words[rng.usize(..words.len())]);
        }
        if let Ok(rules) = spec.parse::<Ruleset>() {
            return rules.to_string();
        }
    }
}

/// All pairs of modifiers in Pente and Gomoku: both implementations refuse the same pairs, name two
/// words, and play the other pairs alike.
#[test]
fn every_pair_of_words_is_refused_or_played_to_the_end() {
    let (mut refused, mut played) = (0, 0);
    for base in ["pente", "gomoku"] {
        for (index, first) in WORDS.iter().enumerate() {
            for second in &WORDS[index + 1..] {
                let spec = format!("{base}+{first}+{second}");
                match spec.parse::<Ruleset>() {
                    Ok(_) => {
                        played += 1;
                        let mut rng = Rng::with_seed(played);
                        let capped = !spec.contains("max-plies");
                        let cap = if capped { "+max-plies=120" } else { "" };
                        play_through_both(&format!("{spec}{cap}"), 0, &mut rng);
                    }
                    Err(error) => {
                        refused += 1;
                        let words = error.to_string().matches('`').count();
                        assert!(words >= 4, "{spec}: {error}");
                        // Only the program refuses a line that does not fit the board.
                        let size = spec.contains("size=") && error.to_string().contains("size=");
                        assert!(size || Referee::new(&spec).is_err(), "{spec}: {error}");
                    }
                }
            }
        }
    }
    assert!(refused > 300 && played > 300, "{refused} refused, {played} played");
}

#[test]
fn random_combinations_agree_with_the_naive_referee() {
    let mut rng = Rng::with_seed(11);
    let mut seen = BTreeSet::new();
    for game in 0..20 * games() {
        let spec = random_spec(&mut rng);
        play_through_both(&spec, game, &mut rng);
        seen.insert(spec);
    }
    assert!(seen.len() > 50, "only {} combinations came up", seen.len());
}

#[test]
fn playouts_agree_with_the_naive_referee() {
    for spec in specs() {
        let start = start(&spec);
        let mut playout = Playout::new(&start);
        for game in 0..games() {
            let mut rng = Rng::with_seed(game);
            let mut referee = Referee::new(&spec).unwrap();
            let outcome = playout.run_with(&mut rng, |_, mv| {
                referee.play(&start.move_text(mv)).unwrap();
            });
            assert_eq!(Some(naive(outcome)), referee.outcome(), "{spec}");
            assert_eq!(playout.plies(), referee.plies(), "{spec}");
            for (color, count) in (0..).map(Color).zip(referee.captures()) {
                assert_eq!(playout.captures(color), count, "{spec}");
            }
        }
    }
}

#[test]
fn golden_vectors_have_the_expected_results() {
    for vector in VECTORS {
        let mut position = start(vector.spec);
        let mut referee = Referee::new(vector.spec).unwrap();
        for capitals in vector.moves.split_whitespace() {
            let text = from_capitals(capitals);
            let mv = position.parse_move(&text).unwrap();
            position.try_play(mv).unwrap_or_else(|e| panic!("{}, {text}: {e}", vector.name));
            referee.play(&text).unwrap();
        }
        assert_agree(&position, &referee, vector.name);
        let counts = (position.captures(Color(0)).into(), position.captures(Color(1)).into());
        assert_eq!(counts, vector.captured, "{}", vector.name);
        let winner = position.outcome().map(|o| o.winner.map_or(0, |side| side.0 + 1));
        assert_eq!(winner, vector.winner, "{}", vector.name);
    }
}

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    for (spec, moves, illegal) in ILLEGAL {
        let mut position = start(spec);
        let mut referee = Referee::new(spec).unwrap();
        for capitals in moves.split_whitespace() {
            let text = from_capitals(capitals);
            let mv = position.parse_move(&text).unwrap();
            position.try_play(mv).unwrap();
            referee.play(&text).unwrap();
        }
        let text = from_capitals(illegal);
        let refused = match position.parse_move(&text) {
            Ok(mv) => position.try_play(mv).is_err(),
            Err(_) => true,
        };
        assert!(refused, "{spec}: {moves}, then {illegal}");
        assert!(referee.play(&text).is_err(), "{spec}: {moves}, then {illegal}");
        assert_agree(&position, &referee, spec);
    }
}

#[test]
fn a_power_stone_that_was_set_up_completes_lines() {
    // Both players still have two power stones.
    let text =
        "19/19/19/19/19/19/19/19/19/5pwww10/19/19/6b3bb7/19/19/19/19/19/19 w 0,0 power=2,2 7";
    let mut position = Position::from_text("pente-plus".parse().unwrap(), text).unwrap();
    position.play(position.parse_move("j10").unwrap());
    assert_eq!(position.outcome(), Some(Outcome::win(Side(0), EndReason::Line)));
}
