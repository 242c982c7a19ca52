//! What the README promises: its games and pictures are those of the program, and its commands run.

use pentarch::rules::catalog::CATALOG;
use pentarch::rules::{Modifier, Ruleset};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const BINARY: &str = env!("CARGO_BIN_EXE_pentarch");

fn readme() -> String {
    fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap()
}

/// What stands between backticks in a text.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn the_table_of_games_has_every_game_once() {
    let text = readme();
    let (_, rest) = text.split_once("| Family | Games |\n").expect("the table of games");
    let rows = rest.split("\n\n").next().unwrap();
    let mut named: Vec<_> = quoted(rows).collect();
    named.sort_unstable();
    let mut games: Vec<_> = CATALOG.iter().map(|row| row.name).collect();
    games.sort_unstable();
    assert_eq!(named, games);
}

#[test]
fn every_game_that_is_named_exists() {
    let text = readme();
    let is_spec = |word: &&str| {
        let letters = |part: &str| {
            part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-=".contains(c))
        };
        let is_named = word.starts_with(|c: char| c.is_ascii_lowercase()) && word.contains('+');
        is_named && word.split('+').all(|part| letters(part) && !part.is_empty())
    };
    let specs: Vec<_> = quoted(&text).filter(is_spec).collect();
    assert!(specs.contains(&"keryo-pente+pro"), "{specs:?}");
    for spec in specs {
        assert!(spec.parse::<Ruleset>().is_ok(), "{spec}");
    }
}

/// The list that the README refers to.
#[test]
fn the_program_lists_every_game_and_modifier() {
    let output = Command::new(BINARY).arg("variants").output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let rows = CATALOG.iter().map(|row| (row.name, row.summary));
    for (word, summary) in rows.chain(Modifier::WORDS) {
        let listed = |line: &str| {
            line.trim_start()
                .split_once(' ')
                .is_some_and(|(first, rest)| first == word && rest.trim_start() == summary)
        };
        assert!(out.lines().any(listed), "{word}: {summary}\n{out}");
    }
}

/// `scripts/draw-images` draws them again after a change of what `show` draws.
#[test]
fn the_pictures_are_what_the_program_draws() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("images");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut script = Command::new(Path::new(ROOT).join("scripts/draw-images"));
    let status = script.arg(&folder).env("PENTARCH", BINARY).status().unwrap();
    assert!(status.success());
    let text = readme();
    let images: Vec<_> = text.split("](.github/images/").skip(1).collect();
    assert_eq!(images.len(), fs::read_dir(&folder).unwrap().count());
    for image in images {
        let name = image.split(')').next().unwrap();
        let shown = fs::read_to_string(Path::new(ROOT).join(".github/images").join(name)).unwrap();
        let drawn = fs::read_to_string(folder.join(name)).unwrap();
        assert!(shown == drawn, "run scripts/draw-images: {name} has changed");
    }
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

/// The contents of all blocks of shell and Python, as arguments of what runs them, in their order.
fn commands() -> Vec<[String; 3]> {
    let text = readme();
    let blocks = text.split("\n```").filter_map(|block| {
        let shell = block.strip_prefix("sh\n").map(|code| ["bash", "-c", code]);
        let python = block.strip_prefix("python\n").map(|code| ["python3", "-c", code]);
        shell.or(python)
    });
    blocks.map(|block| block.map(str::to_owned)).collect()
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
/// that the tests built in place of the one that a user builds. Those of the feature `lab` run only
/// with it, as in the check.
#[test]
fn every_command_runs() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut ran = 0;
    for [program, option, code] in commands() {
        let needs_lab =
            ["train", "tune"].iter().any(|word| code.contains(&format!("pentarch {word}")));
        if code.trim() == "scripts/check" || needs_lab && !cfg!(feature = "lab") {
            continue;
        }
        let command = code
            .replace("target/release/pentarch", BINARY)
            .replace("cargo run --release --", BINARY);
        let strict = if program == "bash" { "set -euo pipefail\n" } else { "" };
        let command = format!("{strict}{command}");
        let output =
            Command::new(program).args([&option, &command]).current_dir(&folder).output().unwrap();
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{command}\n{out}\n{err}");
        // Ratings come with theirs.
        assert!(!out.replace("95 % error", "").contains("error"), "{command}\n{out}");
        assert!(!out.is_empty(), "{command} says nothing");
        ran += 1;
    }
    assert!(ran >= 4);
}
