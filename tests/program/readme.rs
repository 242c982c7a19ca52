//! The documents for users and developers: their games and pictures are those of the program, their commands
//! run, and the files that they name exist.

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

/// The texts between backticks.
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
fn every_game_in_the_text_exists() {
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

/// `scripts/draw-images` updates them after a change of `show`.
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

/// The files of developers' documentation, in .github.
const DEVELOPER_DOCUMENTS: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

fn developer_document(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(".github").join(name)).unwrap()
}

/// Paths with placeholders in capitals, such as `tests/variants/NAME.txt`, are not checked.
#[test]
fn every_path_in_the_documents_exists() {
    let folders = ["src", "protocol", "tests", "scripts", "benches"];
    let mut checked = 0;
    for name in DEVELOPER_DOCUMENTS {
        let text = developer_document(name);
        for path in quoted(&text).filter_map(|text| text.split(' ').next()) {
            let is_path = folders
                .iter()
                .any(|folder| path == *folder || path.starts_with(&format!("{folder}/")));
            if is_path && !path.contains("NAME") {
                assert!(Path::new(ROOT).join(path).exists(), "{name}: {path}");
                checked += 1;
            }
        }
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            assert!(Path::new(ROOT).join(".github").join(file).exists(), "{name}: {link}");
        }
    }
    assert!(checked > 60, "{checked}");
    for link in readme().split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        let file = link.split('#').next().unwrap();
        assert!(Path::new(ROOT).join(file).exists(), "README.md: {link}");
    }
}

/// The README, CONTRIBUTING and the pages that are only on the documentation site.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let files = fs::read_dir(root.join("protocol/book")).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.extend([root.join("README.md"), root.join(".github/CONTRIBUTING.md")]);
    paths
}

/// The shell and Python blocks of a document as arguments of their interpreters.
fn commands(document: &Path) -> Vec<[String; 3]> {
    let text = fs::read_to_string(document).unwrap();
    let blocks = text.split("\n```").filter_map(|block| {
        let shell = block.strip_prefix("sh\n").map(|code| ["bash", "-c", code]);
        let python = block.strip_prefix("python\n").map(|code| ["python3", "-c", code]);
        shell.or(python)
    });
    blocks.map(|block| block.map(str::to_owned)).collect()
}

#[test]
fn the_readme_is_short() {
    let length = readme().chars().count();
    assert!(length < 9_000, "{length} characters; the pages in protocol/book have room");
}

#[test]
fn the_two_main_commands_are_on_the_first_screen() {
    let text = readme();
    let screen: Vec<_> = text.lines().take(24).collect();
    assert!(screen.iter().any(|line| line.starts_with("cargo run --release -- match")));
    assert!(screen.contains(&"scripts/check"));
    let ci = fs::read_to_string(Path::new(ROOT).join(".ci/run")).unwrap();
    assert!(ci.contains("exec scripts/check"), ".ci/run calls the README's test command");
}

/// Runs every command except the check, which runs this test, with the binary of the tests, those of a document
/// in one empty folder. The commands of the feature `lab` run only with that feature.
#[test]
fn every_command_runs() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&root);
    let bin = root.join("bin");
    fs::create_dir_all(&bin).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(BINARY, bin.join("pentarch")).unwrap();
    let old_path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{old_path}", bin.display());
    let mut ran = 0;
    for document in documents() {
        let folder = root.join(document.file_stem().unwrap());
        fs::create_dir(&folder).unwrap();
        for [program, option, code] in commands(&document) {
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
            let output = Command::new(program)
                .args([&option, &command])
                .current_dir(&folder)
                .env("PATH", &path)
                .env("PENTARCH", BINARY)
                .env("PYTHONPATH", Path::new(ROOT).join("protocol/python/src"))
                .output()
                .unwrap();
            let (out, err) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success(), "{command}\n{out}\n{err}");
            // Ratings are printed with their error.
            assert!(!out.replace("95 % error", "").contains("error"), "{command}\n{out}");
            assert!(!out.is_empty(), "{command} says nothing");
            ran += 1;
        }
    }
    assert!(ran >= 20, "{ran}");
}
