//! `pentarch tactics solve`: the built-in engine and others, asked the same positions.

use crate::run::{folder, run};
use serde_json::Value;

const SOLVE: [&str; 3] = ["tactics", "solve", "few.txt"];

/// The results of a file of a dozen positions, one JSON line for each length of win, and what was
/// written on standard error.
fn solve(test: &str, more: &[&str]) -> (Option<i32>, Vec<Value>, String) {
    let folder = folder("solve", test);
    let all = include_str!("../tactics/gomoku.txt");
    let lines = all.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let few: Vec<&str> = lines.step_by(8).take(12).collect();
    std::fs::write(folder.join("few.txt"), few.join("\n")).unwrap();
    let (code, out, errors) = run(&folder, SOLVE.iter().chain(more), "");
    let lines = out.lines().map(|line| serde_json::from_str(line).unwrap());
    (code, lines.collect(), errors)
}

/// A field over all lengths of win and budgets.
fn sum(lines: &[Value], field: &str) -> u64 {
    lines.iter().map(|line| line[field].as_u64().unwrap()).sum()
}

/// The program over a pipe is the same engine as the one built in.
#[test]
fn another_engine_is_asked_the_same() {
    let own = concat!("option.Hash=16 cmd='", env!("CARGO_BIN_EXE_pentarch"), "' ugi");
    let (_, built_in, _) = solve("built-in", &["--nodes", "300,3000", "--json"]);
    let (code, other, errors) =
        solve("other", &["--nodes", "300,3000", "--json", "--engine", own, "--threads", "2"]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(other, built_in);
    assert!(sum(&built_in, "solved") > 0, "{built_in:?}");
    assert_eq!(sum(&built_in, "failed"), 0);
}

#[test]
fn an_engine_that_gives_no_answer_is_a_result() {
    let dead = ["--nodes", "300", "--json", "--engine", "proto=ugi cmd=false"];
    let (code, lines, errors) = solve("dead", &dead);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!((sum(&lines, "failed"), sum(&lines, "solved")), (sum(&lines, "positions"), 0));
    assert!(errors.contains("position 1: the engine `false`"), "{errors}");
}

#[test]
fn an_engine_without_values_is_refused() {
    let (code, _, errors) = solve("random", &["--engine", "player=random"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("a random player reports no scores"), "{errors}");
}

#[test]
fn tactics_are_read_in_the_character_set_that_is_named() {
    let folder = folder("solve", "charset");
    let line = b"gomoku; win in 9; by h8; moves a1; \xe9\xe9";
    std::fs::write(folder.join("koi8.txt"), line).unwrap();
    let missed = ["tactics", "solve", "koi8.txt", "--nodes", "1", "--show-missed"];
    let (code, out, errors) = run(&folder, missed.iter().chain(&["--charset", "KOI8-R"]), "");
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains("\u{418}\u{418}"), "{out}");
    let (code, _, errors) = run(&folder, missed.iter().chain(&["--charset", "no-such"]), "");
    assert_eq!(code, Some(2), "{errors}");
    let (code, _, errors) = run(&folder, ["tactics", "check", "koi8.txt", "--nodes", "1"], "");
    assert_eq!(code, Some(1), "another set is guessed: {errors}");
}
