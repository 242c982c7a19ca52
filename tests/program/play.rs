//! Games at the terminal, line by line: what people type, and what they read.

use super::run::{folder, run};
use std::fs;
use std::path::Path;

/// Plays with lines and arguments; what is printed.
fn play(folder: &Path, arguments: &str, lines: &[&str]) -> String {
    let arguments: Vec<&str> = ["play"].into_iter().chain(arguments.split_whitespace()).collect();
    let (code, out, err) = run(folder, arguments, &(lines.join("\n") + "\n"));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(!out.contains('\u{1b}'), "a pipe gets no colors");
    out
}

/// What is printed without files.
fn played(test: &str, arguments: &str, lines: &[&str]) -> String {
    play(&folder("play", test), arguments, lines)
}

/// The text from the last board on.
fn last_board(out: &str) -> &str {
    out.rsplit("\n\n").next().unwrap()
}

#[track_caller]
fn has(out: &str, parts: &[&str]) {
    for part in parts {
        assert!(out.contains(part), "`{part}` is missing in\n{out}");
    }
}

#[test]
fn the_engine_answers_and_a_pair_is_taken() {
    let out = played("pente", "--level 10 --nodes 500 --seed 1", &["j10"]);
    has(last_board(&out), &["Black plays ", "White (you) to move.", " 10 . . . . . . . . . W"]);
    let friends = ["j10", "k10", "a1", "l10", "m10", "moves"];
    let out = played("friends", "--players Ann,Bob", &friends);
    has(&out, &["White plays m10, takes off l10 k10.", "captured 2 of 10", "Black (Bob) to move."]);
    has(&out, &["  3. a1         White (Ann)"]);
}

#[test]
fn refusals_say_why_and_change_nothing() {
    let lines = ["j10", "j10", "k10", "j11", "hnit", "save", "players a", "new pentte", "n13"];
    let out = played("pro", "--variant pro-pente --players Ann,Bob", &lines);
    has(&out, &["Illegal move `j10`: the point is occupied."]);
    has(
        &out,
        &["Illegal move `j11`: this stone must keep a distance of 3 or more from the center."],
    );
    has(&out, &["Did you mean `hint`?", "Write `save FILE [FORMAT]`", "name 2 players", "`pente`"]);
    has(last_board(&out), &["White plays n13.", "Black (Bob) to move."]);
}

#[test]
fn colors_are_chosen_in_words() {
    let lines = ["j10", "k10", "a1", "a2", "b3", "swap"];
    let out = played("swap", "--variant d-pente --players Ann,Bob", &lines);
    has(&out, &["Player 1 (Ann) to move, with a black stone.", "Player 2 (Bob) chooses a color."]);
    has(&out, &["1. swap: player 2 plays White from now on, player 1 Black"]);
    has(&out, &["2. keep: player 2 plays Black from now on, player 1 White"]);
    has(&out, &["a color must be chosen first: `swap` or `keep`"]);
    has(last_board(&out), &["  B Black  Ann", "> W White  Bob", "White (Bob) to move."]);
    // The number of the option does as well, and the engine chooses by itself.
    let out =
        played("keep", "--variant d-pente --players Ann,Bob", &["j10", "k10", "a1", "a2", "2"]);
    has(last_board(&out), &["> W White  Ann"]);
    let arguments = "--variant swap2-pente --players Ann,engine --nodes 100 --seed 1";
    let out = played("choice", arguments, &["j10", "k10", "a1"]);
    has(&out, &["Player 2: "]);
}

#[test]
fn special_stones_are_written_in_words() {
    let arguments = "--variant atomic-pente --players Ann,Bob";
    let out = played("bomb", arguments, &["j10", "k10", "bomb k12", "bomb l11", "moves"]);
    has(&out, &["Also to be placed: bomb", "White plays B@k12.", "3. B@k12"]);
    let out =
        played("neutral", "--variant neutral-pente --players Ann,Bob", &["j10", "neutral k10"]);
    has(last_board(&out), &["W(N)", "Black plays N@k10."]);
    let signs = ["j10", "i10", "k10", "l10+", "i12", "i11", "i9", "2", "moves"];
    let out = played("signs", "--variant plus-minus-pente --players Ann,Bob", &signs);
    assert_eq!(out.matches("What do you place on i9?").count(), 1, "{out}");
    has(&out, &["What do you place on i9?\n  1. i9+: captured stones are then White 2, Black 2\n"]);
    has(&out, &["  7. i9-        White (Ann)"]);
}

#[test]
fn hexagons_and_tiles_are_played() {
    let out = played("hexes", "--variant pentalath --nodes 200 --seed 1", &["d5", "zz", "d5"]);
    has(
        &out,
        &[
            " d . . .",
            "W . . . . .",
            "`zz` is no cell",
            "the point is occupied",
            "White (you) to move.",
        ],
    );
    let tiles = ["cg85 cg86 cg87 cg88 cg89", "ch85,ch86,ch87,ch88,ch89", "a1,a2,a3,a4,b5", "hint"];
    let out = played("tiles", "--variant pent-up --players Ann,Bob --nodes 20 --seed 1", &tiles);
    has(
        &out,
        &["|w1 |b1*|", "Black plays ch85,ch86,ch87,ch88,ch89.", "left FLNPTUVWXYZ", "no pentomino"],
    );
    has(&out, &["Hint: c", "White (Ann) to move."]);
}

#[test]
fn engines_sit_at_any_seat() {
    let arguments = "--variant pente-4 --players Ann,engine:2,Bob,engine:9 --nodes 100 --seed 1";
    let out = played("four", arguments, &["j10", "k12"]);
    has(
        last_board(&out),
        &["> W White  Ann", "  B Black  engine, level 2", "  G Green  engine, level 9"],
    );
    has(last_board(&out), &["Green plays ", "White (Ann) to move."]);
    let arguments =
        "--variant gomoku+size=7x7+line=4 --players engine:2,engine:3 --nodes 50 --seed 1";
    let out = played("engines", arguments, &[]);
    assert!(
        out.contains("has won: a winning row, ") || out.contains("The game is a draw"),
        "{out}"
    );
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let lines = ["j10", "undo", "undo", "redo", "redo", "switch", "level 2", "level 11", "resign"];
    let out = played("undo", "--level 1 --seed 1 --nodes 50", &lines);
    has(&out, &["There is no move of yours to take back.", "Nothing was taken back."]);
    has(&out, &["engine, level 1; you.", "`11` is no level", "engine, level 2; you."]);
    has(last_board(&out), &["White (engine, level 2) has won: Black (you) resigns."]);
}

#[test]
fn games_are_saved_and_loaded_in_any_format() {
    let folder = folder("play", "files");
    let arguments = "--variant keryo-pente --players Ann,engine:3 --nodes 50 --seed 1";
    let saved =
        ["j10", "save game.sgf", "save game.jsonl", "save game", "save g psq", "save game.sgf"];
    let out = play(&folder, arguments, &saved);
    has(&out, &["Saved as sgf: game.sgf", "Saved as json: game.jsonl", "What format is game?"]);
    has(
        &out,
        &[
            "The format cannot hold dates, kinds of players, the variant",
            "The file game.sgf exists; name another.",
        ],
    );
    let sgf = fs::read_to_string(folder.join("game.sgf")).unwrap();
    has(&sgf, &["PB[Ann]", "Pentarch, level 3"]);
    for file in ["game.sgf", "game.jsonl"] {
        let out =
            play(&folder, &format!("--load {file} --nodes 50"), &["k12", &format!("save {file}")]);
        has(
            &out,
            &["Loaded: ", "captured 0 of 15", "White plays k12.", "engine, level 3", "Saved as"],
        );
        let out = play(
            &folder,
            "--nodes 50",
            &[&format!("load {file}"), "moves", &format!("load {file} 2")],
        );
        has(&out, &["  3. k12 ", "has one game, not 2"]);
    }
    fs::write(folder.join("lost.sgf"), "(;GM[11]SZ[19];B[jj];B[jj])").unwrap();
    has(
        &play(&folder, "", &["load none.sgf", "load lost.sgf"]),
        &["Cannot read", "The file lost.sgf: "],
    );
    let bad = ["play", "--load", "none.sgf"];
    let (code, out, err) = run(&folder, bad, "");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    has(&err, &["pentarch: cannot read"]);
}

#[test]
fn clocks_run_down() {
    let (code, out, _) =
        run(&folder("play", "clock"), ["play", "--tc", "0.05", "--players", "Ann,Bob"], "");
    assert_eq!(code, Some(0));
    has(&out, &["> W White  Ann  0:00."]);
}

#[test]
fn texts_and_threats_are_shown_when_asked_for() {
    let moves = [
        "j10",
        "a1",
        "j11",
        "a5",
        "j12",
        "threats",
        "board",
        "help",
        "rules",
        "new yavalath",
        "threats",
    ];
    let out = played("threats", "--players Ann,Bob", &moves);
    has(&out, &["White tria: j10 j11 j12", "hint                show what the engine would play"]);
    has(&out, &["Capture ", "yavalath", "Threes and fours are shown only in games on squares."]);
}

/// Whatever comes is answered in words.
#[test]
fn nonsense_is_survived() {
    let lines = [
        "\u{0}\u{7f}",
        "é",
        "99",
        "swap",
        "N@",
        "power",
        "save",
        "load \u{1b}[2J",
        "new",
        "new +",
        "?",
        "q",
    ];
    let out = played("nonsense", "--players Ann,Bob --variant pente-plus", &lines);
    has(&out, &["there is nothing to choose now", "Commands"]);
}

#[test]
fn without_a_terminal_the_program_alone_waits_for_a_protocol() {
    let (code, out, _) = run(&folder("play", "alone"), [""; 0], "name\nquit\n");
    assert_eq!((code, out.starts_with("= ")), (Some(0), true), "{out}");
}
