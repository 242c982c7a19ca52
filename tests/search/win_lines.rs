//! Whoever announces a win shows it to the end, if the nodes suffice: those of the line are counted.

use pentarch::engine::{Engine, Game, Options};
use pentarch::game::Move;
use pentarch::search::{Limits, Report, Signal};
use pentarch::tactics::Tactic;
use std::iter::Sum;
use std::path::Path;

/// The lines of announced wins and losses.
#[derive(Clone, Copy, Debug, Default)]
struct Lines {
    whole: usize,
    /// Legal, but without their ends: the nodes were over.
    cut: usize,
}

impl Sum for Lines {
    fn sum<I: Iterator<Item = Lines>>(lines: I) -> Lines {
        lines.fold(Lines::default(), |sum, lines| Lines {
            whole: sum.whole + lines.whole,
            cut: sum.cut + lines.cut,
        })
    }
}

/// Whether the line of an announced win or loss is as long as announced, or else cut short. It must be
/// legal, and end as announced or not at all.
fn is_whole(game: &Game, mate: i32, pv: &[Move]) -> Result<bool, String> {
    let mut end = game.clone();
    let text: Vec<_> = pv.iter().map(|&mv| game.move_text(mv)).collect();
    let wrong = |what: &str| format!("mate {mate}, pv {}: {what}; {}", text.join(" "), game.text());
    for &mv in pv {
        end.play_move(mv).map_err(|error| wrong(&error.to_string()))?;
    }
    let mover = game.side_of(game.to_move());
    let missing = (mate.unsigned_abs() as usize).checked_sub(pv.len());
    match (missing, end.outcome().map(|outcome| outcome.winner)) {
        (Some(0), Some(Some(winner))) if (winner == mover) == (mate > 0) => Ok(true),
        (Some(1..), None) => Ok(false),
        (_, outcome) => Err(wrong(&format!("the outcome is {outcome:?}"))),
    }
}

/// Searches and checks every report; returns what the last one announced, if anything, and the move.
fn search(game: &Game, options: Options, limits: Limits) -> (Lines, Move) {
    let mut engine = Engine::new(Options { hash: 8, ..options });
    let mut failures = Vec::new();
    let mut check = |report: &Report| match report.score.mate() {
        None => Lines::default(),
        Some(mate) => match is_whole(game, mate, &report.pv) {
            Ok(whole) => Lines { whole: usize::from(whole), cut: usize::from(!whole) },
            Err(failure) => {
                failures.push(failure);
                Lines::default()
            }
        },
    };
    let observer = |report: &Report| {
        check(report);
    };
    let found = engine.search(game, limits, &Signal::new(), observer).unwrap();
    let lines = check(&found.report);
    assert!(failures.is_empty(), "{}:\n{}", game.rules(), failures.join("\n"));
    (lines, found.best.unwrap())
}

#[test]
fn wins_of_the_tactics_files_are_shown_to_the_end() {
    for name in ["pente.txt", "keryo.txt", "gomoku.txt"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tactics").join(name);
        let tactics = Tactic::read(&path, None).unwrap();
        for (multi_pv, some) in [(1, 8), (4, 3)] {
            let options = Options { multi_pv, ..Options::default() };
            let some = tactics.iter().step_by(tactics.len() / some);
            let limits = Limits::nodes(30_000);
            let think = |tactic: &Tactic| search(&tactic.game, options.clone(), limits.clone()).0;
            let lines: Lines = some.map(think).sum();
            assert!(lines.whole >= 3 && lines.cut == 0, "{name}: {lines:?}");
        }
    }
}

/// Games with their first moves and the nodes of a search in them.
const GAMES: [(&str, &str, u64); 8] = [
    ("renju", "h8 h9 j10 a1", 50_000),
    ("connect6", "j10 k11 k10 i9 j11", 5_000),
    ("team-pente", "j10 k11 m11 l12", 20_000),
    ("pente-3", "j10 k11 m11 l12 j13 k12", 8_000),
    ("pentalath", "d5 d6 c5 e6 d4", 20_000),
    ("yavalath", "e5 d5 f6 c4", 5_000),
    ("pentalath-3", "d5 d6 c5 e6 d4", 8_000),
    ("gomoku+size=4x4+line=3", "", 2000),
];

/// The engine plays against itself: every win and loss that it announces on the way.
#[test]
fn wins_of_every_kind_of_game_are_shown_to_the_end() {
    for (spec, moves, nodes) in GAMES {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        let mut lines = Lines::default();
        while game.outcome().is_none() && game.ply() < 90 {
            let (seen, best) = search(&game, Options::default(), Limits::nodes(nodes));
            lines = [lines, seen].into_iter().sum();
            game.play_move(best).unwrap();
        }
        assert!(lines.whole > 0 && lines.cut == 0, "{spec}: {lines:?}");
    }
}
