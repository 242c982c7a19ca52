//! Replays a file of game records, named by `PENTARCH_GAMES`; see `scripts/replay-games`.

#![allow(clippy::print_stdout, reason = "the replay prints what it found")]

use pentarch::records::{Format, Hints, RecordedGame, read_from};
use pentarch::rules::Ruleset;
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

fn parse(rules: &Ruleset, line: &str) -> Result<RecordedGame, String> {
    let hints = Hints { format: Some(Format::List), rules: Some(rules.clone()) };
    let text = std::io::Cursor::new(line.to_owned());
    let mut games = read_from(text, "list".as_ref(), &hints).map_err(|error| error.to_string())?;
    let game = games.next().ok_or("no game")?;
    game.map_err(|error| error.to_string())
}

fn judge(rules: &Ruleset, line: &str) -> Verdict {
    let replayed = parse(rules, line)
        .and_then(|recorded| recorded.replay(rules).map_err(|error| error.to_string()));
    match replayed {
        Ok(game) if game.outcome().is_none() => Verdict::Open,
        Ok(_) => Verdict::Decided,
        Err(error) => Verdict::Wrong(error),
    }
}

#[test]
#[ignore = "needs a file of records; run scripts/replay-games"]
fn recorded_games_replay() {
    let path = env::var("PENTARCH_GAMES").expect("PENTARCH_GAMES names a file of game records");
    let spec = env::var("PENTARCH_GAMES_SPEC").unwrap_or_else(|_| "pro-pente".to_owned());
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let rules = spec.parse().unwrap_or_else(|error| panic!("{spec}: {error}"));
    let (mut decided, mut open, mut wrong) = (0, 0, Vec::new());
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match judge(&rules, line) {
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
    let rules: Ruleset = "pro-pente".parse().unwrap();
    let points = parse(&rules, "1-0 Y 1600 1600 K10 H8").unwrap().moves;
    assert_eq!(points, ["j10", "h8"]);
    let judge = |line| judge(&rules, line);
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
