//! `pentarch mate`: trees of forced wins, held to the rules.

use pentarch::engine::Game;
use pentarch::records::sgf::Tree;
use serde_json::Value;
use std::process::{Command, Output};

fn mate(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentarch"));
    command.arg("mate").args(args).output().unwrap()
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Games with a win, its length, and whether it can be proved shortest.
const WINS: [(&str, &str, u64); 4] = [
    ("gomoku", "h8 a1 h9 a3 h10 a5", 3),
    ("gomoku", "h8 a1 i8 a3 j8 a5 k8 a7", 1),
    ("yavalath", "e5 d5 f6 c4", 7),
    ("pente-3+size=9", "e5 a1 i9 e6 a2 i8 e7 a4 i6 e8 b8 b2", 1),
];

/// Plays a tree out: every legal defense has an answer, and every line ends in the winner's favor.
/// Returns the plies of the longest.
fn play_attack(game: &mut Game, attack: &Value, winner: u64) -> u64 {
    game.play(attack["move"].as_str().unwrap()).unwrap();
    let rest = play_defenses(game, &attack["defenses"], winner);
    game.undo();
    assert_eq!(attack["plies"], 1 + rest);
    1 + rest
}

fn play_defenses(game: &mut Game, defenses: &Value, winner: u64) -> u64 {
    if let Some(outcome) = game.outcome() {
        assert_eq!(outcome.winner.map(|side| side.index() as u64), Some(winner));
        return 0;
    }
    let defenses = defenses.as_array().unwrap();
    let mut answered: Vec<&str> = Vec::new();
    let mut lengths = Vec::new();
    for defense in defenses {
        for mv in defense["moves"].as_array().unwrap() {
            answered.push(mv.as_str().unwrap());
            game.play(mv.as_str().unwrap()).unwrap();
            lengths.push(match defense.get("attack") {
                Some(attack) => 1 + play_attack(game, attack, winner),
                None => 1 + play_defenses(game, &defense["defenses"], winner),
            });
            game.undo();
        }
    }
    let mut legal: Vec<_> = game.legal_moves().iter().map(|&mv| game.move_text(mv)).collect();
    legal.sort_unstable();
    answered.sort_unstable();
    assert_eq!(answered, legal);
    assert!(lengths.is_sorted_by(|a, b| a >= b), "the longest defense comes first");
    lengths[0]
}

#[test]
fn every_defense_is_answered_to_the_end() {
    for (spec, moves, plies) in WINS {
        let output = mate(&["--variant", spec, "--moves", moves, "--format", "json"]);
        let json: Value = serde_json::from_str(&text(&output)).unwrap();
        let mut game = Game::new(spec.parse().unwrap());
        for mv in moves.split(' ') {
            game.play(mv).unwrap();
        }
        assert_eq!(json["mate"], plies, "{spec}");
        let winner = game.side_of(game.to_move()).index() as u64;
        assert_eq!(play_attack(&mut game, &json["attack"], winner), plies, "{spec}");
        assert_eq!(json["pv"].as_array().unwrap().len() as u64, plies, "{spec}");
    }
}

#[test]
fn a_win_as_text_and_as_variations() {
    let args = ["--variant", "gomoku", "--moves", "h8 a1 h9 a3 h10 a5"];
    let shown = text(&mate(&args));
    let mut lines = shown.lines();
    let first = lines.next().unwrap();
    assert!(first.starts_with("player 1 wins in 3 with h7; proved shortest; "), "{shown}");
    let rest: Vec<_> = lines.collect();
    assert_eq!(rest, ["  h6: h11, mate in 1", "  any of 217 others: h6, mate in 1"]);
    let sgf = Tree::parse(&text(&mate(&[&args[..], &["--format", "sgf"]].concat()))).unwrap();
    let main: Vec<_> = sgf.main_line().collect();
    assert_eq!(main.len(), 1 + 6 + 3);
    assert_eq!(sgf.children(main[7]).count(), 2);
}

#[test]
fn without_a_win_it_says_so() {
    for (args, code, words) in [
        (&["--variant", "gomoku", "--nodes", "500"][..], 1, "no win found within 500 nodes"),
        (&["--moves", "a1"], 2, "a1"),
        (&["--variant", "gomoku+size=3x3+line=3", "--moves", "a1 a2 b1 b2 c1"], 1, "is over: line"),
        (&["--nodes", "0"], 2, "--nodes"),
        (&["--position", "x"], 2, "field"),
    ] {
        let output = mate(args);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
        assert!(output.stdout.is_empty() && errors.contains(words), "{args:?}: {errors}");
    }
}
