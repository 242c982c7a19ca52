//! `book` and the options that play from one.

use crate::run;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(test: &str) -> PathBuf {
    run::folder("book", test)
}

/// Runs the program with words and standard input.
fn run(folder: &Path, arguments: &str, input: &str) -> (Option<i32>, String, String) {
    run::run(folder, arguments.split(' '), input)
}

#[test]
fn a_book_of_games_is_shown_and_played_from() {
    let folder = folder("games");
    // Mirror images, and one game that goes against the rules.
    let games = "j10 j11 j13 ; p1win\nj10 k10 m10 ; p1win\nj10 i10 g10 ; draw\nj10 k10 j10\n\
                 j10 a1 m10 ; p2win\n";
    fs::write(folder.join("games.txt"), games).unwrap();
    let build = "book build games.txt --variant pro-pente --output book.jsonl";
    let (code, out, err) = run(&folder, build, "");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("games.txt line 4: illegal move `j10`"), "{err}");
    let (code, out, _) = run(&folder, "book show book.jsonl --variant pro-pente", "");
    assert_eq!((code, out.matches("j10").count()), (Some(0), 1));
    assert!(out.contains("4 games, 2.5 points"), "{out}");
    // The only answer in the book, on the other side of the mirror.
    let talk = "ugi\nsetoption name UCI_Variant value pro-pente\n\
                setoption name BookFile value book.jsonl\nsetoption name OwnBook value true\n\
                position startpos moves j10 j9\ngo movetime 10\n\
                position startpos moves j10 j8\ngo nodes 50\n";
    let (code, out, _) = run(&folder, "ugi", talk);
    assert_eq!(code, Some(0));
    let moves: Vec<_> = out.lines().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(moves[0], "bestmove j7");
    assert_eq!(moves.len(), 2);
    assert!(out.contains("option name BookFile type string default <empty>"), "{out}");
}

#[test]
fn a_book_by_search_has_as_many_positions_as_asked_for() {
    let folder = folder("search");
    let build = "book build --variant gomoku+size=9 --positions 10 --nodes 50 --width 2";
    let (code, book, err) = run(&folder, build, "");
    assert_eq!((code, book.lines().count(), err.as_str()), (Some(0), 10, ""));
    // Nothing depends on the number of threads.
    assert_eq!(run(&folder, &format!("{build} --workers 1"), "").1, book);
    fs::write(folder.join("book.jsonl"), &book).unwrap();
    let (code, out, _) = run(&folder, "book show book.jsonl --all", "");
    assert_eq!((code, out.matches("gomoku+size=9; ").count()), (Some(0), 10));
    let show = "book show book.jsonl --variant gomoku+size=10";
    let (code, _, err) = run(&folder, show, "");
    assert_eq!((code, err.contains("is not in the book")), (Some(1), true), "{err}");
}

#[test]
fn faults_are_named() {
    let folder = folder("faults");
    fs::write(folder.join("bad.jsonl"), "\n{\"rules\":\"pente\"}\n").unwrap();
    for (arguments, message) in [
        ("book show none.jsonl", "cannot read the book none.jsonl"),
        ("book show bad.jsonl", "bad.jsonl line 2: missing field `position`"),
        ("book show /dev/zero", "the book /dev/zero is not a regular file"),
        ("book build --variant pente-3", "needs a game of two sides, pente-3 has more"),
        ("ugi --book-file bad.jsonl", "bad.jsonl line 2: missing field"),
    ] {
        let (code, out, err) = run(&folder, arguments, "");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments}");
        assert!(err.contains(message), "{arguments}: {err}");
    }
    // A session goes on.
    let talk = "ugi\nsetoption name BookFile value /dev/zero\nisready\n";
    let (_, out, _) = run(&folder, "ugi", talk);
    assert!(out.contains("info string error: option `BookFile`"), "{out}");
    assert!(out.ends_with("readyok\n"), "{out}");
}
