//! `review` as its users meet it: small games of every kind, and all that is written of them.

use pentarch::records::{self, Hints};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn pentarch(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentarch"));
    let output = command.args(arguments.split_whitespace()).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn reviews(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// White does not close the four at move 8, and Black does not make it five at move 9.
const MISSED: &str = "h8 h7 h9 a3 h10 a5 h11 a7 o1 h12 ; draw\n";

/// A missed win is told in every form, and the forms agree.
#[test]
fn a_missed_win_is_told_and_proved() {
    let folder = folder("missed");
    fs::write(folder.join("games.txt"), MISSED).unwrap();
    let (code, out, err) = pentarch(
        &folder,
        "review games.txt --variant gomoku --nodes 300 --sgf a.sgf --json a.json --html a.html --puzzles a.txt",
    );
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    for part in [
        "gomoku, 10 moves: it was drawn.",
        "It turned at move 4, where Player 2 played a3",
        "9. o1?! Player 1: Inaccuracy: 100 % to win before it",
        "Missed win in 1 ply, by h12.",
        "Missed defense: the opponent now wins in 1 ply; after h12 there is no win so short.",
        "let 1 proved win go.",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let review = &reviews(&folder.join("a.json"))[0];
    assert_eq!(review["schema"], 1);
    let ply = &review["plies"][8];
    assert_eq!((&ply["move"], &ply["seat"], &ply["mate"]), (&"o1".into(), &1.into(), &1.into()));
    assert_eq!((&ply["class"], &ply["best"]), (&"inaccuracy".into(), &"h12".into()));
    assert_eq!((&ply["missedWin"]["proof"], &ply["pv"][0]), (&"prover".into(), &"h12".into()));
    let ply = &review["plies"][7];
    assert_eq!((&ply["playedMate"], &ply["missedDefense"]["plies"]), (&(-2).into(), &1.into()));
    assert_eq!(review["end"]["seat"], 1);

    let (code, out, _) = pentarch(&folder, "tactics check a.txt");
    assert_eq!(code, Some(0), "{out}");
    let puzzles = fs::read_to_string(folder.join("a.txt")).unwrap();
    assert!(puzzles.contains("; games.txt line 1, game 1, ply 9\n"), "{puzzles}");

    let sgf = fs::read_to_string(folder.join("a.sgf")).unwrap();
    assert!(
        sgf.contains("Missed win in 1 ply") && sgf.contains("TE[2]C[Best: wins in 1 ply."),
        "{sgf}"
    );
    let read: Vec<_> = records::read(&folder.join("a.sgf"), &Hints::default()).unwrap().collect();
    assert_eq!(read[0].as_ref().unwrap().moves.join(" "), MISSED.split(" ;").next().unwrap());
    let html = fs::read_to_string(folder.join("a.html")).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert!(html.contains("missed-win") && !html.contains("://"));
}
