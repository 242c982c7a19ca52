//! Cores for games that are played at the same time.
#![cfg(target_os = "linux")]

use super::scratch;
use crate::run::run;
use std::path::Path;
use std::thread::available_parallelism;

/// Every engine of a slot runs on one core, also one that was started again.
#[test]
fn a_game_keeps_to_its_core() {
    let path = scratch("cores.txt");
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    let command = format!("cmd=sh ugi.sh cores {}", path.display());
    let engine = |words: &str| format!("--engine=dir='{directory}' {words} {command}");
    let (one, two) = (engine("name=a restart=on"), engine("name=b"));
    let arguments = ["match", "--variant", "gomoku+size=9", "--games=4", "--nodes=1", "--pin"];
    let arguments = arguments.into_iter().chain(["--random-plies=0", &one, &two]);
    let (code, out, errors) = run(Path::new("."), arguments, "");
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{out}");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(text.lines().count(), 8, "both in four games: {text}");
    let core = text.lines().next().unwrap();
    let number = core.split(':').nth(1).unwrap().trim();
    assert!(number.parse::<u32>().is_ok(), "one core, not {core}");
    assert!(text.lines().all(|line| line == core), "{text}");
}

#[test]
fn more_games_than_cores_are_not_pinned() {
    let games = (available_parallelism().unwrap().get() + 1).to_string();
    let arguments = ["match", "--games", "9999", "--nodes=1", "--pin", "--concurrency", &games];
    let (code, _, errors) = run(Path::new("."), arguments, "");
    assert_eq!(code, Some(2));
    assert!(errors.contains(&format!("--pin needs {games} cores")), "{errors}");
}
