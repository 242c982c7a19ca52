//! The script that takes parts of the search out, with the program that the tests built.

use crate::run;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PENTARCH: &str = env!("CARGO_BIN_EXE_pentarch");

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/ablate")
}

/// Runs the script.
fn ablate(arguments: &[&str]) -> Output {
    let mut command = Command::new("bash");
    command.arg(script()).env("PENTARCH", PENTARCH).args(arguments).output().unwrap()
}

/// What it prints; it succeeds.
fn rows(arguments: &[&str]) -> String {
    let output = ablate(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_part_that_matters_is_missed_and_rows_are_kept() {
    let file = run::folder("ablate", "rows").join("rows.md");
    let name = file.to_str().unwrap();
    let fixed = ["-o", name, "--variant", "gomoku", "--nodes=300", "--concurrency", "2"];
    let all = [&fixed[..], &["--balance-nodes", "300", "network"]].concat();
    let row = rows(&all);
    assert!(row.starts_with("| gomoku | network | --nodes=300 --concurrency 2 "), "{row}");
    assert!(row.ends_with(" H1 accepted |\n"), "{row}");
    assert_eq!(rows(&all), "");
    let more = [&fixed[..], &["--balance-nodes", "300", "--games", "2", "network"]].concat();
    let second = rows(&more);
    assert!(second.contains("--games 2") && second.ends_with(" undecided |\n"), "{second}");
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{row}{second}"));
}

#[test]
fn every_part_can_be_taken_out() {
    let all = rows(&["--nodes", "20", "--games", "2", "--random-plies=4", "--balance-nodes=100"]);
    let script = fs::read_to_string(script()).unwrap();
    let parts = script.split('\'').nth(1).unwrap().trim();
    assert_eq!(all.lines().count(), parts.lines().count(), "{all}");
    assert!(all.lines().all(|row| row.ends_with(" undecided |")), "{all}");
}

#[test]
fn misuse_fails() {
    for (arguments, message) in [
        (&["queens"][..], "there is no part queens"),
        (&[".*"], "there is no part .*"),
        (&["-o"], "-o needs a file"),
        (&["--node", "20", "razoring"], "--nodes"),
        (&["--variant", "chess", "razoring"], "unknown variant"),
    ] {
        let output = ablate(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(errors.contains(message), "{errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
