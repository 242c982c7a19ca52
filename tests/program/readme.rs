//! What the README promises: its tables are those of the program, and its commands run.

use pentarch::rules::Modifier;
use pentarch::rules::catalog::CATALOG;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const BINARY: &str = env!("CARGO_BIN_EXE_pentarch");

fn readme() -> String {
    fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap()
}

/// The rows of the table behind a marker, without its head.
fn table(marker: &str) -> Vec<String> {
    let text = readme();
    let (_, rest) = text.split_once(marker).unwrap_or_else(|| panic!("no {marker} in the README"));
    rest.lines().skip(3).take_while(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn the_tables_are_those_of_the_program() {
    let variants: Vec<_> =
        CATALOG.iter().map(|row| format!("| `{}` | {} |", row.name, row.summary)).collect();
    assert_eq!(
        table("<!-- variants -->"),
        variants,
        "the rows wanted are\n{}",
        variants.join("\n")
    );
    let modifiers: Vec<_> =
        Modifier::WORDS.iter().map(|(word, text)| format!("| `{word}` | {text} |")).collect();
    assert_eq!(
        table("<!-- modifiers -->"),
        modifiers,
        "the rows wanted are\n{}",
        modifiers.join("\n")
    );
}

#[test]
fn small_games_are_solved_by_the_script() {
    let output = Command::new(Path::new(ROOT).join("scripts/solve-mnk"))
        .args(["3,3,3", "4,3,3", "4,4,4"])
        .env("PENTARCH", BINARY)
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{out}");
    for (game, value) in [("3,3,3", "draw"), ("4,3,3", "win"), ("4,4,4", "draw")] {
        assert!(out.contains(&format!("{game}: {value} for the first player")), "{out}");
    }
}

/// The contents of all shell blocks.
fn commands() -> Vec<String> {
    let text = readme();
    let blocks = text.split("```sh\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().trim().to_owned()).collect()
}

#[test]
fn the_two_commands_stand_on_the_first_screen() {
    let text = readme();
    let screen: Vec<_> = text.lines().take(24).collect();
    assert!(screen.iter().any(|line| line.starts_with("cargo run --release -- match")));
    assert!(screen.contains(&"scripts/check"));
    let ci = fs::read_to_string(Path::new(ROOT).join(".ci/run")).unwrap();
    assert!(ci.contains("exec scripts/check"), ".ci/run calls the README's test command");
}

/// Every command but the check itself, which runs this test, in an empty folder, with the binary
/// that the tests built in place of the one that a user builds.
#[test]
fn every_command_runs() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut ran = 0;
    for command in commands().into_iter().filter(|command| command != "scripts/check") {
        let command = command
            .replace("target/release/pentarch", BINARY)
            .replace("cargo run --release --", BINARY);
        let command = format!("set -euo pipefail\n{command}");
        let output =
            Command::new("bash").args(["-c", &command]).current_dir(&folder).output().unwrap();
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{command}\n{out}\n{err}");
        assert!(!out.contains("error"), "{command}\n{out}");
        assert!(!out.is_empty(), "{command} says nothing");
        ran += 1;
    }
    assert!(ran >= 4);
}
