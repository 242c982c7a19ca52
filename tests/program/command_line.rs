//! What all subcommands have in common: names, help, errors, exit codes, completions and manual pages.

use super::run::{folder, run};
use std::fs;
use std::process::Command;

#[test]
fn the_version_has_the_name_of_the_program() {
    let (code, out, _) = run(&folder("command-line", "version"), ["--version"], "");
    assert_eq!((code, out), (Some(0), format!("pentarch {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn the_help_names_all_families_and_the_exit_codes() {
    let (_, out, _) = run(&folder("command-line", "help"), ["--help"], "");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let families = ["gomoku", "renju", "caro", "Connect6", "Pente", "Ninuki", "Pentalath"];
    for part in families.into_iter().chain(["Yavalath", "Pent-Up", "Exit codes", "130 interrupted"])
    {
        assert!(words.contains(part), "{part}: {out}");
    }
}

#[test]
fn errors_have_one_prefix_and_one_exit_code() {
    let folder = folder("command-line", "errors");
    for arguments in [
        &["--no-such-option"][..],
        &["match", "--games", "many"],
        &["variants", "chess"],
        &["show", "--moves", "zz"],
        &["convert", "none", "--to", "sgf"],
        &["review", "none"],
        &["tournament", "none"],
        &["tactics", "solve", "none"],
        &["tactics", "mine", "none", "--variant", "gomoku"],
        &["book", "show", "none"],
        &["book", "build", "none", "--output", "book"],
        &["prove", "--check", "none"],
        &["man", "file/folder"],
    ] {
        fs::write(folder.join("file"), "").unwrap();
        let (code, _, err) = run(&folder, arguments, "");
        assert_eq!(code, Some(2), "{arguments:?}: {err}");
        assert!(err.starts_with("pentarch: ") && !err.contains("error:"), "{arguments:?}: {err}");
    }
}

#[test]
fn a_picture_has_a_format_that_the_program_can_write() {
    let folder = folder("command-line", "picture");
    let (code, _, err) = run(&folder, ["show", "--output", "board.jpg"], "");
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains(".jpg") && err.contains(".svg, .png or .txt"), "{err}");
    assert!(!folder.join("board.jpg").exists());
    let named = ["show", "--output", "board.jpg", "--format", "text"];
    assert_eq!(run(&folder, named, "").0, Some(0));
    for (name, start) in [("board", "    a b"), ("board.TXT", "    a b"), ("board.svg", "<svg")] {
        let (code, _, err) = run(&folder, ["show", "--output", name, "--pixels", "300"], "");
        assert_eq!(code, Some(0), "{err}");
        assert!(fs::read_to_string(folder.join(name)).unwrap().starts_with(start), "{name}");
    }
}

#[test]
fn a_line_of_moves_is_a_position() {
    let folder = folder("command-line", "moves");
    let start = "position 5/5/2w2/5/b4 w 0,0 - 3";
    let lines =
        ["c3 a1 b2 ; p1win # a comment; with more", &format!("{start} moves b2 ; draw"), start];
    fs::write(folder.join("games.txt"), lines.join("\n") + "\n").unwrap();
    let spec = "pente+size=5";
    let convert = ["convert", "games.txt", "--to", "moves", "--variant", spec];
    let (_, out, err) = run(&folder, convert, "");
    assert_eq!(out.lines().count(), 3, "{err}");
    let show = |moves: &str| {
        let (code, out, err) = run(&folder, ["show", "--variant", spec, "--moves", moves], "");
        assert_eq!(code, Some(0), "{moves}: {err}");
        out.lines().last().unwrap().to_owned()
    };
    let expected =
        ["5/5/2w2/1w3/b4 b 0,0 - 4", "5/5/2w2/1w3/b4 b 0,0 - 4", "5/5/2w2/5/b4 w 0,0 - 3"];
    for (line, expected) in out.lines().zip(expected) {
        assert_eq!(show(line), format!("position: {expected}"), "{line}");
    }
}

#[test]
fn only_formats_that_can_be_written_are_offered() {
    let (code, _, err) =
        run(&folder("command-line", "formats"), ["convert", "x", "--to", "nothing"], "");
    assert_eq!(code, Some(2));
    assert!(err.contains("expected one of pente-org, sgf, json"), "{err}");
    assert!(!err.contains("rif") && !err.contains("yixin"), "{err}");
}

#[test]
fn shells_complete_commands_and_options() {
    let folder = folder("command-line", "completions");
    let mut scripts = Vec::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, err) = run(&folder, ["completions", shell], "");
        assert_eq!((code, err.as_str()), (Some(0), ""));
        for word in ["tournament", "compliance", "multi-pv", "pente-org"] {
            assert!(out.contains(word), "{shell}: {word}");
        }
        assert!(!out.contains("supervise"), "{shell}");
        fs::write(folder.join(shell), &out).unwrap();
        scripts.push(out);
    }
    // As bash does when a user presses Tab.
    let complete = "source ./bash; COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); \
                    _pentarch pentarch \"${COMP_WORDS[-1]}\" \"${COMP_WORDS[-2]}\"; \
                    echo ${COMPREPLY[*]}";
    for (line, expected) in [
        ("pentarch ma", "match mate man"),
        ("pentarch convert --to s", "sgf"),
        ("pentarch show --cand", "--candidates"),
    ] {
        let mut command = Command::new("bash");
        command.args(["--norc", "-c", complete, "bash", line]).current_dir(&folder);
        let output = command.output().unwrap();
        let found = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(found.trim(), expected, "{line}: {error}");
    }
    let (code, _, err) = run(&folder, ["completions", "csh"], "");
    assert_eq!((code, err.contains("bash, elvish, fish")), (Some(2), true), "{err}");
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = folder("command-line", "man");
    let (code, out, err) = run(&folder, ["man", "new/pages"], "");
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "", ""));
    let read = |name: &str| fs::read_to_string(folder.join("new/pages").join(name)).unwrap();
    let (_, help, _) = run(&folder, ["--help"], "");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<_> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect();
    assert!(names.len() >= 22, "{names:?}");
    let main = read("pentarch.1");
    for name in names {
        assert!(read(&format!("pentarch-{name}.1")).starts_with(".ie"), "{name}");
        assert!(main.contains(&format!("pentarch\\-{}(1)", name.replace('-', "\\-"))), "{name}");
    }
    assert!(read("pentarch-book-build.1").contains("pentarch\\-book\\-build"));
    let supervisor = fs::read_dir(folder.join("new/pages")).unwrap();
    assert_eq!(
        supervisor.filter(|page| page.as_ref().unwrap().path().ends_with("supervise")).count(),
        0
    );
}
