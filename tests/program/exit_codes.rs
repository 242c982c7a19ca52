//! Exit codes of runs that do not finish.

use super::run::folder;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

const PENTARCH: &str = env!("CARGO_BIN_EXE_pentarch");

const QUICK_GAMES: [&str; 6] =
    ["--variant", "gomoku+size=5", "--nodes", "1", "--random-plies", "4"];

/// The records must not look complete to a script that closed the output early.
#[test]
fn a_closed_output_fails_a_match_and_a_tournament() {
    let folder = folder("exit-codes", "closed");
    let engines = "[[engine]]\nname = 'a'\n[[engine]]\nname = 'b'\n";
    let text =
        format!("variant = 'gomoku+size=5'\ngames = 2000\ncontrol = {{ nodes = 1 }}\n{engines}");
    fs::write(folder.join("cup.toml"), text).unwrap();
    let mut game = vec!["match", "--games", "2000"];
    game.extend(QUICK_GAMES);
    for arguments in [game, vec!["tournament", "cup.toml"]] {
        let mut child = command(&folder, &arguments).spawn().unwrap();
        // Closes the output after its first byte.
        child.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains("cannot print"), "{arguments:?}: {errors}");
    }
    // An output that needs no run may be closed.
    let mut child = command(&folder, &["variants"]).spawn().unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
    assert!(child.wait_with_output().unwrap().stderr.is_empty());
}

#[cfg(unix)]
#[test]
fn a_signal_while_engines_start_is_an_interruption() {
    let folder = folder("exit-codes", "start");
    // The file shows that the engine was started; the engine never answers.
    let engine = "start=60 cmd=sh -c 'touch started; exec sleep 60'";
    let toml = "variant = 'gomoku+size=5'\ncontrol = { nodes = 1 }\n[[engine]]\nname = 'a'\n\
                [[engine]]\nname = 'b'\nstart = 60\ncmd = 'sh -c \"touch started; exec sleep 60\"'\n";
    fs::write(folder.join("cup.toml"), toml).unwrap();
    let started = folder.join("started");
    for arguments in [vec!["match", "--engine", engine], vec!["tournament", "cup.toml"]] {
        let child = command(&folder, &arguments).spawn().unwrap();
        while !started.exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{arguments:?}: {errors}");
        assert!(errors.contains("interrupted"), "{arguments:?}: {errors}");
        fs::remove_file(&started).unwrap();
    }
}

#[test]
fn a_report_without_a_folder_fails_before_the_first_game() {
    let folder = folder("exit-codes", "report");
    let text = "variant = 'gomoku+size=5'\ncontrol = { nodes = 1 }\n[[engine]]\n[[engine]]\n\
                player = 'random'\n";
    fs::write(folder.join("cup.toml"), text).unwrap();
    let run = |more: &[&str]| {
        let mut arguments = vec!["tournament", "cup.toml", "--report"];
        arguments.extend(more);
        let output = command(&folder, &arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (more, code) in [(vec!["missing/cup.html"], 2), (vec!["missing/cup.html", "--check"], 1)] {
        let (found, errors) = run(&more);
        assert_eq!(found, Some(code), "{errors}");
        assert!(errors.contains("there is no folder missing"), "{errors}");
        assert!(!folder.join("cup.jsonl").exists(), "no game was played");
    }
    assert_eq!(run(&["cup.html", "--check"]).0, Some(0));
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PENTARCH);
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}
