//! `convert` as its users meet it.

use crate::run;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn folder(test: &str) -> PathBuf {
    run::folder("convert", test)
}

fn convert(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    run::run(folder, [&["convert"], arguments].concat(), "")
}

#[test]
fn games_go_around_through_files() {
    let folder = folder("around");
    let list = "1-0 Y 1600 1600 K10 A1 K13 C1 K11 E1 K12 G1 K14\n0-1 N ? 1855 K10 L9 N10\n";
    fs::write(folder.join("games.txt"), list).unwrap();
    let mut before = "games.txt".to_owned();
    for format in ["sgf", "pente-org", "json", "list"] {
        let after = format!("games.{format}");
        let (code, out, err) = convert(&folder, &[&before, "--to", format, "--output", &after]);
        assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
        before = after;
    }
    assert_eq!(fs::read_to_string(folder.join("games.list")).unwrap(), list);
    let (code, moves, err) = convert(&folder, &["games.json", "games.sgf", "--to", "moves"]);
    assert_eq!((code, moves.lines().count()), (Some(0), 4));
    assert!(moves.starts_with("j10 a1 j13 c1 j11 e1 j12 g1 j14 ; p1win\n"), "{moves}");
    assert_eq!(err.matches("ratings (4 games)").count(), 1, "{err}");
}

#[test]
fn faults_are_named_and_the_rest_is_written() {
    let folder = folder("faults");
    let text = "j10 k10\nj10 hello\n\nj10 j10\nj10 N@k10\n";
    fs::write(folder.join("a.txt"), text).unwrap();
    let arguments = ["none.txt", "a.txt", "--to", "pos", "--variant", "neutral-pente"];
    let (code, out, err) = convert(&folder, &arguments);
    assert_eq!((code, out.as_str()), (Some(1), "j10k10\nj10j10\n"), "{err}");
    for part in [
        "cannot read the records in none.txt",
        "a.txt line 2: illegal move `hello`",
        "1 game with moves against the rules, kept as they are, first a.txt line 4: illegal move `j10`",
        "left out, as pos cannot hold moves that are no plain stones: 1 game",
        "pos cannot hold the variant",
    ] {
        assert!(err.contains(part), "{part}: {err}");
    }
    let (code, _, err) = convert(&folder, &["a.txt", "--to", "rif"]);
    assert_eq!((code, err.contains("`rif` is only read")), (Some(2), true), "{err}");
}

#[test]
fn no_file_is_overwritten_by_accident() {
    let folder = folder("output");
    fs::write(folder.join("a.txt"), "j10 k10\n").unwrap();
    let (code, _, err) = convert(&folder, &["a.txt", "--to", "sgf", "--output", "./a.txt"]);
    assert_eq!((code, err.contains("one of the files that are read")), (Some(2), true), "{err}");
    assert_eq!(fs::read_to_string(folder.join("a.txt")).unwrap(), "j10 k10\n");
    let (code, ..) = convert(&folder, &["a.txt", "--to", "sgf", "-o", "no/folder/a.sgf"]);
    assert_eq!(code, Some(2));
    fs::write(folder.join("b.sgf"), "old").unwrap();
    assert_eq!(convert(&folder, &["a.txt", "--to", "sgf", "-o", "b.sgf"]).0, Some(0));
    assert!(fs::read_to_string(folder.join("b.sgf")).unwrap().starts_with("(;FF[4]"));
    let files: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
}

/// Names that a terminal would obey, and a reader who is gone.
#[test]
fn what_is_shown_is_harmless() {
    let folder = folder("names");
    let evil =
        r#"{"rules":"pente","players":["\u001b[2J<b>\r\nnext line\u009b]","x"],"moves":["j10"]}"#;
    fs::write(folder.join("a.json"), evil).unwrap();
    for format in ["json", "sgf", "pente-org", "psq"] {
        let (code, out, _) = convert(&folder, &["a.json", "--to", format]);
        assert_eq!(code, Some(0));
        assert!(out.chars().all(|c| c == '\n' || !c.is_control()), "{out:?}");
        assert!(out.contains("<b>  next line"), "{out}");
    }
    fs::write(folder.join("many.txt"), "j10 k10 l10 m10 n10\n".repeat(20_000)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pentarch"))
        .args(["convert", "many.txt", "--to", "moves"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}

#[test]
fn standard_input_is_a_file_too() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pentarch"))
        .args(["convert", "-", "--to", "offset", "--variant", "gomoku+size=20"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"k10k11\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "0,-1, 0,0\n");
}

#[test]
fn what_is_not_read_of_a_game_is_named() {
    let folder = folder("unread");
    let text = "(;GM[4]SZ[15]KM[0]AP[x]PB[a];B[hh]QPR[aa,bb]5W[cc])\n(;GM[4]SZ[15]KM[0];B[hh])\n";
    fs::write(folder.join("a.sgf"), text).unwrap();
    let (code, out, err) = convert(&folder, &["a.sgf", "--to", "json"]);
    assert_eq!((code, out.lines().count()), (Some(0), 2), "{err}");
    assert_eq!(err, "pentarch: not read: 5W (1 game), KM (2 games), QPR (1 game)\n");
    fs::write(folder.join("b.json"), out).unwrap();
    let (_, own, _) = convert(&folder, &["b.json", "--to", "sgf"]);
    fs::write(folder.join("b.sgf"), own).unwrap();
    assert_eq!(convert(&folder, &["b.sgf", "--to", "json"]).2, "", "our own are read in full");
}

#[test]
fn what_is_no_file_of_games_is_refused_at_once() {
    let folder = folder("no files");
    fs::write(folder.join("empty"), "").unwrap();
    assert_eq!(
        convert(&folder, &["empty", "--to", "sgf"]),
        (Some(1), String::new(), "pentarch: empty: there is no game in it\n".to_owned())
    );
    for (path, expected, part) in
        [(".", 2, "cannot read the records in ."), ("/dev/zero", 1, "in no format of records")]
    {
        let (code, out, err) = convert(&folder, &[path, "--to", "sgf"]);
        assert_eq!((code, out.as_str()), (Some(expected), ""), "{err}");
        assert!(err.contains(part), "{err}");
    }
}
