//! Whoever announces a win shows it to the end.

use pentarch::engine::{Engine, Game, Options};
use pentarch::game::Move;
use pentarch::search::{Limits, Report, Signal};
use pentarch::tactics::Tactic;
use std::path::Path;

/// Checks that the line of an announced win or loss is as long as announced, legal, and ends so.
fn check(game: &Game, report: &Report) -> Result<(), String> {
    let Some(mate) = report.score.mate() else { return Ok(()) };
    let mut end = game.clone();
    let text: Vec<_> = report.pv.iter().map(|&mv| game.move_text(mv)).collect();
    let wrong = |what: &str| format!("mate {mate}, pv {}: {what}; {}", text.join(" "), game.text());
    if report.pv.len() != mate.unsigned_abs() as usize {
        return Err(wrong("another length"));
    }
    for &mv in &report.pv {
        end.play_move(mv).map_err(|error| wrong(&error.to_string()))?;
    }
    let mover = game.side_of(game.to_move());
    match end.outcome().and_then(|outcome| outcome.winner) {
        Some(winner) if (winner == mover) == (mate > 0) => Ok(()),
        other => Err(wrong(&format!("the winner is {other:?}"))),
    }
}

/// Searches and checks every report; returns how many announced a win or a loss, and the move.
fn search(game: &Game, options: Options, limits: Limits) -> (usize, Move) {
    let mut engine = Engine::new(Options { hash: 8, ..options });
    let mut failures = Vec::new();
    let mut count = 0;
    let sink = |report: &Report| {
        count += usize::from(report.score.mate().is_some());
        failures.extend(check(game, report).err());
    };
    let found = engine.think_here(game, limits, &Signal::new(), sink).unwrap();
    failures.extend(check(game, &found.report).err());
    assert!(failures.is_empty(), "{}:\n{}", game.rules(), failures.join("\n"));
    (count, found.best.unwrap())
}

#[test]
fn wins_of_the_tactics_files_are_shown_to_the_end() {
    for name in ["pente.txt", "keryo.txt", "gomoku.txt"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tactics").join(name);
        let tactics = Tactic::read(&path).unwrap();
        for (multi_pv, some) in [(1, 8), (4, 3)] {
            let options = Options { multi_pv, ..Options::default() };
            let some = tactics.iter().step_by(tactics.len() / some);
            let think =
                |tactic: &Tactic| search(&tactic.game, options.clone(), Limits::nodes(3000)).0;
            let wins: usize = some.map(think).sum();
            assert!(wins >= 3, "{name}: {wins}");
        }
    }
}

/// Games with their first moves and the nodes of a search in them.
const GAMES: [(&str, &str, u64); 8] = [
    ("renju", "h8 h9 j10 a1", 500),
    ("connect6", "j10 k11 k10 i9 j11", 500),
    ("team-pente", "j10 k11 m11 l12", 500),
    ("pente-3", "j10 k11 m11 l12 j13 k12", 800),
    ("pentalath", "d5 d6 c5 e6 d4", 500),
    ("yavalath", "e5 d5 f6 c4", 500),
    ("pentalath-3", "d5 d6 c5 e6 d4", 800),
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
        let mut wins = 0;
        while game.outcome().is_none() && game.ply() < 90 {
            let (count, best) = search(&game, Options::default(), Limits::nodes(nodes));
            wins += count;
            game.play_move(best).unwrap();
        }
        assert!(wins > 0, "{spec}");
    }
}
