//! Matches of Pent-Up with the real binary: their records hold whole games by the rules.

use crate::common::tile_referee::Referee;
use pentarch::records::GameRecord;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Plays a match and replays its records through the naive referee.
fn play(name: &str, args: &[&str]) -> Vec<GameRecord> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.jsonl"));
    let _ = fs::remove_file(&path);
    let output = Command::new(env!("CARGO_BIN_EXE_pentarch"))
        .args(["match", "--records"])
        .arg(&path)
        .args(args)
        .output()
        .unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    let text = fs::read_to_string(&path).unwrap();
    let records: Vec<GameRecord> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for record in &records {
        let mut referee = Referee::new(&record.rules);
        for text in &record.moves {
            referee.play(text).unwrap_or_else(|()| panic!("{text} in {record:?}"));
        }
        let result = match referee.result().expect("a whole game") {
            Some(winner) => format!("p{}win", winner + 1),
            None => "draw".to_owned(),
        };
        assert_eq!(record.result.to_string(), result);
        assert_eq!((record.reason.as_str(), record.plies.len()), ("levels", 24));
    }
    records
}

#[test]
fn built_in_engines_play_to_the_end() {
    for variant in ["pent-up", "pent-up-misere"] {
        let args = ["--variant", variant, "--games", "2", "--nodes", "300"];
        let records = play(variant, &args);
        assert_eq!(records.len(), 2);
        assert!(records.iter().all(|record| record.opening_plies == 4 && record.rules == variant));
        assert_eq!(records[0].moves[..4], records[1].moves[..4], "a pair has one opening");
    }
}

#[test]
fn engines_play_over_ugi_and_gtp() {
    let binary = env!("CARGO_BIN_EXE_pentarch");
    let gtp = format!("proto=gtp cmd='{binary}' gtp --variant pent-up");
    let ugi = format!("cmd='{binary}' ugi");
    let args = [
        "--variant",
        "pent-up",
        "--games",
        "2",
        "--movetime",
        "0.02",
        "--margin",
        "5000",
        "--engine",
        &gtp,
        "--engine",
        &ugi,
    ];
    assert_eq!(play("dialects", &args).len(), 2);
}

/// With a few simulations a move the engine wins every game against random moves.
#[test]
fn random_moves_are_beaten_from_both_seats() {
    for variant in ["pent-up", "pent-up-misere"] {
        let args = [
            "--variant",
            variant,
            "--games",
            "4",
            "--nodes",
            "1500",
            "--random-plies",
            "0",
            "--engine",
            "name=engine",
            "--engine",
            "name=random player=random",
        ];
        for record in play(&format!("{variant}-random"), &args) {
            let winner = if record.players[0] == "engine" { "p1win" } else { "p2win" };
            assert_eq!(record.result.to_string(), winner, "{record:?}");
        }
    }
}
