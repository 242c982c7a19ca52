//! Replays a file of game records, named by `PENTARCH_GAMES`; see `scripts/replay-games`.

#![allow(clippy::print_stdout, reason = "the replay tells what it found")]

use pentarch::engine::Game;
use pentarch::game::Side;
use std::env;
use std::fs;

/// What the rules make of a record.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// The rules decided the game as the record says.
    Decided,
    /// The record ends on an open board: somebody resigned or ran out of time.
    Open,
    /// A move was refused, or the winner is another.
    Wrong(String),
}

/// `K10`, where I is skipped, to `j10`.
fn canonical(capitals: &str) -> String {
    let (letter, row) = capitals.split_at(1.min(capitals.len()));
    let letter = letter.to_ascii_lowercase();
    match letter.bytes().next() {
        Some(byte @ b'j'..=b'z') => format!("{}{row}", (byte - 1) as char),
        _ => letter + row,
    }
}

fn judge(start: &Game, line: &str) -> Verdict {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [result, _rated, _rating1, _rating2, moves @ ..] = words.as_slice() else {
        return Verdict::Wrong("fewer than four words before the moves".to_owned());
    };
    let mut game = start.clone();
    for (index, text) in moves.iter().enumerate() {
        if let Err(error) = game.play(&canonical(text)) {
            return Verdict::Wrong(format!("ply {}, {text}: {error}", index + 1));
        }
    }
    let Some(outcome) = game.outcome() else { return Verdict::Open };
    let named = match *result {
        "1-0" => Some(Side(0)),
        "0-1" => Some(Side(1)),
        _ => None,
    };
    if outcome.winner == named {
        Verdict::Decided
    } else {
        Verdict::Wrong(format!("{result} on record, the rules say {outcome:?}"))
    }
}

#[test]
#[ignore = "needs a file of records; run scripts/replay-games"]
fn recorded_games_replay() {
    let path = env::var("PENTARCH_GAMES").expect("PENTARCH_GAMES names a file of game records");
    let spec = env::var("PENTARCH_GAMES_SPEC").unwrap_or_else(|_| "pro-pente".to_owned());
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let start = Game::new(spec.parse().unwrap_or_else(|error| panic!("{spec}: {error}")));
    let (mut decided, mut open, mut wrong) = (0, 0, Vec::new());
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match judge(&start, line) {
            Verdict::Decided => decided += 1,
            Verdict::Open => open += 1,
            Verdict::Wrong(why) => wrong.push(format!("line {}: {why}", number + 1)),
        }
    }
    let games = decided + open + wrong.len();
    println!("{games} games: {decided} decided by the rules as recorded, {open} left open");
    println!("{} against the rules:\n{}", wrong.len(), wrong.join("\n"));
    // Records made by people and servers have a few mistakes: misprinted points, a game that went
    // on after its fifth capture. More than one in five hundred would be ours.
    assert!(games > 0 && wrong.len() * 500 <= games, "{} of {games} games", wrong.len());
}

#[test]
fn the_records_words_are_read_as_meant() {
    let start = Game::new("pro-pente".parse().unwrap());
    let judge = |line| judge(&start, line);
    assert_eq!(canonical("K10"), "j10");
    assert_eq!(canonical("H8"), "h8");
    assert_eq!(judge("1-0 Y 1600 1600 K10 A1 K13 C1 K11 E1 K12 G1 K14"), Verdict::Decided);
    assert_eq!(judge("0-1 Y 1600 1600 K10 A1 K13"), Verdict::Open);
    for wrong in [
        "0-1 Y 1600 1600 K10 A1 K13 C1 K11 E1 K12 G1 K14",
        "1-0 Y 1600 1600 K10 A1 K11",
        "1-0 Y 1600 1600 K10 EF11",
        "1-0",
    ] {
        assert!(matches!(judge(wrong), Verdict::Wrong(_)), "{wrong}");
    }
}
