//! `review` as its users meet it: small games of every kind, and all that is written of them.

use crate::run;
use pentarch::engine::Game;
use pentarch::records::{self, ReadOptions, RecordedGame};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(test: &str) -> PathBuf {
    run::folder("review", test)
}

fn pentarch(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    let (code, out, err) = run::run(folder, arguments.split_whitespace(), "");
    // On a busy machine lines of progress come between.
    let faults = err.lines().filter(|line| !line.ends_with(" to go"));
    (code, out, faults.map(|line| line.to_owned() + "\n").collect())
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
        "9. o1 Player 1: Missed win in 1 ply, by h12.",
        "Missed defense: the opponent now wins in 1 ply; after h12 there is no win so short.",
        "let 1 proved win go.",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let review = &reviews(&folder.join("a.json"))[0];
    assert_eq!(review["schema"], 1);
    let ply = &review["plies"][8];
    assert_eq!((&ply["move"], &ply["seat"], &ply["mate"]), (&"o1".into(), &1.into(), &1.into()));
    assert_eq!(ply["best"], "h12");
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
    let read: Vec<_> =
        records::read(&folder.join("a.sgf"), &ReadOptions::default()).unwrap().collect();
    assert_eq!(read[0].as_ref().unwrap().moves.join(" "), MISSED.split(" ;").next().unwrap());
    let html = fs::read_to_string(folder.join("a.html")).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert!(html.contains("missed-win") && !html.contains("://"));
}

/// Some moves of a game, by no plan.
fn moves(spec: &str, plies: usize) -> Vec<String> {
    let mut game = Game::new(spec.parse().unwrap());
    let mut texts = Vec::new();
    while texts.len() < plies && game.outcome().is_none() {
        let legal = game.legal_moves();
        let mv = legal[(texts.len() * 37 + 11) % legal.len()];
        texts.push(game.move_text(mv));
        game.play_move(mv).unwrap();
    }
    texts
}

/// Holds what is said of each move against the rules.
fn check_review(review: &Value, mut game: Game) {
    for ply in review["plies"].as_array().unwrap() {
        let at = format!("{}: {ply}", game.rules());
        assert_eq!(ply["seat"], game.to_move().0 + 1, "{at}");
        assert_eq!(ply["side"], game.side_of(game.to_move()).0 + 1, "{at}");
        assert_eq!(ply["choice"] == true, game.is_choice(), "{at}");
        let loss = ply["winRate"].as_f64().unwrap() - ply["playedWinRate"].as_f64().unwrap();
        assert!(loss > -1e-9 && (loss - ply["loss"].as_f64().unwrap()).abs() < 2e-4, "{at}");
        let mut line = game.clone();
        for text in ply["pv"].as_array().unwrap() {
            line.play(text.as_str().unwrap()).unwrap();
        }
        assert_eq!(ply["pv"][0], ply["best"], "{at}");
        game.play(ply["move"].as_str().unwrap()).unwrap();
    }
    assert_eq!(review["end"].is_null(), game.outcome().is_some(), "{}", game.rules());
    assert_eq!(review["seats"].as_array().unwrap().len(), usize::from(game.seats()));
}

/// Every kind of game, with a name that tries to be more than one.
#[test]
fn every_kind_of_game_is_reviewed() {
    let folder = folder("kinds");
    let kinds = [
        ("d-pente", 8),
        ("gomoku+swap2", 7),
        ("connect6", 6),
        ("team-pente", 6),
        ("pente-3", 7),
        ("pente-4", 6),
        ("plus-minus-pente", 5),
        ("yavalath", 30),
        ("yavalath-3", 8),
        ("pentalath", 6),
        ("pent-up", 3),
        ("renju", 0),
    ];
    let hostile = "<script>alert(1)</script>\u{1b}[2J\nGame 99";
    let line = |(spec, plies): (&str, usize)| {
        let game = RecordedGame {
            rules: Some(spec.to_owned()),
            players: vec![hostile.to_owned(), "b".to_owned()],
            moves: moves(spec, plies),
            ..RecordedGame::default()
        };
        serde_json::to_string(&game).unwrap() + "\n"
    };
    fs::write(folder.join("games.jsonl"), kinds.map(line).concat()).unwrap();
    let command =
        "review games.jsonl --nodes 60 --sgf a.sgf --json a.json --html a.html --puzzles a.txt";
    let (code, out, err) = pentarch(&folder, command);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(
        !out.contains('\u{1b}') && !out.lines().any(|line| line.starts_with("Game 99")),
        "{out}"
    );
    let reviews = reviews(&folder.join("a.json"));
    assert_eq!(reviews.len(), kinds.len());
    for (review, (spec, plies)) in reviews.iter().zip(kinds) {
        assert_eq!(review["plies"].as_array().unwrap().len(), moves(spec, plies).len(), "{spec}");
        check_review(review, Game::new(spec.parse().unwrap()));
    }
    assert!(
        reviews[0]["summary"].as_str().unwrap().contains("chose `"),
        "{}",
        reviews[0]["summary"]
    );
    let html = fs::read_to_string(folder.join("a.html")).unwrap();
    assert!(!html.contains("<script>alert") && !html.contains('\u{1b}') && !html.contains("://"));
    let read: Vec<_> =
        records::read(&folder.join("a.sgf"), &ReadOptions::default()).unwrap().collect();
    assert_eq!(read.len(), kinds.len());
    for (game, (spec, plies)) in read.into_iter().zip(kinds) {
        assert_eq!(game.unwrap().moves, moves(spec, plies), "{spec}");
    }
}

/// What was done is taken over, and comes to the same as a run at one go by other workers.
#[test]
fn an_interrupted_run_goes_on() {
    let folder = folder("resume");
    let games: String = (0..4).map(|n| moves("gomoku", 5 + n).join(" ") + "\n").collect();
    fs::write(folder.join("games.txt"), games).unwrap();
    let run = |workers: usize, rest: &str| {
        let command = format!("review games.txt --variant gomoku --workers {workers} {rest}");
        pentarch(&folder, &command)
    };
    let (code, whole_text, err) = run(3, "--nodes 80 --json a.json --sgf a.sgf");
    assert_eq!(code, Some(0), "{err}");
    let whole = fs::read_to_string(folder.join("a.json")).unwrap();
    let third = whole.match_indices('\n').nth(1).unwrap().0 + 1;
    let marked = whole.replacen("\"accuracy\":", "\"accuracy\": ", 1);
    fs::write(folder.join("b.json"), &marked[..=third + 40]).unwrap();
    let (code, text, err) = run(1, "--nodes 80 --json b.json --sgf b.sgf");
    assert_eq!((code, text), (Some(0), whole_text), "{err}");
    let resumed = fs::read_to_string(folder.join("b.json")).unwrap();
    assert_eq!(resumed, marked, "the lines that were there stay as they were");
    let sgf = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(sgf("a.sgf"), sgf("b.sgf"));

    for (rest, reason) in [
        ("--nodes 81 --json b.json", "b.json line 1: a review with other limits (80 nodes"),
        ("--nodes 80 --json games.txt", "games.txt is named twice"),
        ("--nodes 80 --json c.json", "c.json line 1: this is not a review"),
        ("--nodes 80 --sgf x --html x", "x is named twice"),
    ] {
        fs::write(folder.join("c.json"), "my diary").unwrap();
        let (code, _, err) = run(1, rest);
        assert_eq!((code, err.contains(reason)), (Some(2), true), "{rest}: {err}");
    }
    assert_eq!(fs::read_to_string(folder.join("c.json")).unwrap(), "my diary");
    assert_eq!(fs::read_to_string(folder.join("b.json")).unwrap(), resumed);
    fs::write(folder.join("games.txt"), "h8 a1\n").unwrap();
    let (code, _, err) = run(1, "--nodes 80 --json b.json");
    assert_eq!((code, err.contains("line 1: a review of another game")), (Some(2), true), "{err}");
}

/// Games in which a player chose a move that loses 35 % or more by searches of 40,000 nodes, at the plies that
/// are named, and otherwise the best move of a search of 3,000 nodes.
const KNOWN_BLUNDERS: [(&str, &[usize], &str); 4] = [
    (
        "gomoku",
        &[18],
        "h8 i7 i10 h6 h9 f7 j11 g8 j10 j8 g5 g7 h7 g10 g9 f8 i5 j9 k11 h11 k12 l13 k10 d10 e9 k13 f9 l10 d9",
    ),
    (
        "renju",
        &[11, 26, 31],
        "h8 f10 i9 g7 i10 f7 h9 f9 f8 i8 d6 h7 e7 g9 g6 g8 e10 k10 e6 j7 i7 f6 c5 b4 i6 a7 j9 g11 g10 e9 j8 \
         d8 k9 c7",
    ),
    (
        "keryo-pente",
        &[13, 25, 32, 35],
        "j10 l9 j9 j8 m7 j12 j11 k7 h10 l8 l10 i10 f11 i8 k8 j6 i5 l7 l6 j9 i9 j8 j7 g11 i6 i9 i7 h10 j10 f12 \
         g10 h6 l7 i4 n9 h10 k7 j8",
    ),
    (
        "pro-pente",
        &[6, 9, 14],
        "j10 k12 m14 i10 l14 m12 k14 n14 h12 l12 j12 n12 o12 i9 j14 i14 l15 n13 j13 j11 i12 k16 l15 n11 h11",
    ),
];

/// No mark contradicts the value of the next line, no loss is left unmarked, and known blunders are marked.
#[test]
fn marks_agree_with_the_next_line() {
    let folder = folder("marks");
    let games = KNOWN_BLUNDERS.map(|(rules, _, moves)| {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        serde_json::json!({"rules": rules, "moves": moves}).to_string() + "\n"
    });
    fs::write(folder.join("games.jsonl"), games.concat()).unwrap();
    let (code, out, err) =
        pentarch(&folder, "review games.jsonl --nodes 10000 --json a.json --hash 64");
    assert_eq!(code, Some(0), "{err}");
    assert!(!out.contains("(100 % instead of 100 %"), "{out}");
    let (mut marks, mut contradictory, mut unmarked) = (0, Vec::new(), Vec::new());
    for (review, (rules, blunders, _)) in reviews(&folder.join("a.json")).iter().zip(KNOWN_BLUNDERS)
    {
        let plies = review["plies"].as_array().unwrap();
        for (index, ply) in plies.iter().enumerate() {
            let Some(next) = plies.get(index + 1).or(review.get("end")) else { continue };
            let rate = |ply: &Value| ply["winRate"].as_f64().unwrap();
            let loss = rate(ply) - (1.0 - rate(next));
            if ply["class"].is_string() {
                marks += 1;
                contradictory.extend((loss < 0.1 - 1e-3).then_some((rules, index + 1, loss)));
            } else {
                unmarked.extend((loss >= 0.2).then_some((rules, index + 1, loss)));
            }
        }
        for &ply in blunders {
            let blunder = &plies[ply - 1];
            assert!(blunder["class"].is_string(), "{rules}, move {ply}: {blunder}");
        }
    }
    assert!(marks >= 11, "{marks}");
    assert!(contradictory.is_empty(), "{contradictory:?} of {marks}");
    assert!(unmarked.is_empty(), "{unmarked:?}");
}

/// The JSON lines of all shards in the order of the games are those of one run, which takes them over.
#[test]
fn shards_make_the_same_review() {
    let folder = folder("shards");
    let games: String = (0..5).map(|n| moves("gomoku", 4 + n).join(" ") + "\n").collect();
    fs::write(folder.join("games.txt"), games).unwrap();
    let command = "review games.txt --variant gomoku --nodes 60";
    let (code, whole_text, err) = pentarch(&folder, &format!("{command} --json whole.json"));
    assert_eq!(code, Some(0), "{err}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let mut lines = vec![String::new(); 5];
    for shard in 1..=2 {
        let (code, _, err) =
            pentarch(&folder, &format!("{command} --shard {shard}/2 --json {shard}.json"));
        assert_eq!(code, Some(0), "{err}");
        let part = read(&format!("{shard}.json"));
        for (number, line) in part.lines().enumerate() {
            lines[2 * number + shard - 1] = format!("{line}\n");
        }
    }
    assert_eq!(lines.concat(), read("whole.json"));
    fs::write(folder.join("all.json"), lines.concat()).unwrap();
    let (code, text, _) = pentarch(&folder, &format!("{command} --json all.json"));
    assert_eq!((code, text), (Some(0), whole_text));
    let (code, _, err) = pentarch(&folder, &format!("{command} --shard 3/2"));
    assert!(code == Some(2) && err.contains("with K from 1 to N"), "{err}");
}

/// Faults are named with file and line, and what is legal is reviewed.
#[test]
fn bad_input_costs_no_more_than_itself() {
    let folder = folder("bad");
    fs::write(folder.join("a.txt"), "h8 i9\nh8 hello\nh8 h8 h9\n").unwrap();
    fs::write(folder.join("b.jsonl"), "{\"rules\":\"chess\",\"moves\":[\"e4\"]}\n{]\n").unwrap();
    let command = "review none.txt a.txt b.jsonl --variant gomoku --nodes 20 --json a.json";
    let (code, out, err) = pentarch(&folder, command);
    assert_eq!(code, Some(1), "{out}");
    for part in [
        "cannot read the records in none.txt",
        "a.txt line 2: ",
        "a.txt line 3: move 2: illegal move `h8`: the point is occupied; reviewed up to there",
        "b.jsonl line 1: ",
        "b.jsonl line 2: ",
    ] {
        assert!(err.contains(part), "{part}: {err}");
    }
    let plies: Vec<_> = reviews(&folder.join("a.json"))
        .iter()
        .map(|review| review["plies"].as_array().unwrap().len())
        .collect();
    assert_eq!(plies.first(), Some(&2));
    assert_eq!(plies.last(), Some(&1));
    assert!(out.contains("The review ends before the record does: move 2: illegal move"), "{out}");
}
