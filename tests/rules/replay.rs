//! Replays a file of game records, named by `PENTARCH_GAMES`; see `scripts/replay-games`.

#![allow(clippy::print_stdout, reason = "the replay prints what it found")]

use pentarch::records::{self, ReadError, ReadOptions, RecordFormat, RecordedGame, read_from};
use pentarch::rules::Ruleset;
use std::env;
use std::path::Path;

/// The result of replaying a record.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// The rules decide the game as the record does.
    Decided,
    /// The game is open at the end of the record: a resignation or a loss on time.
    Open,
    /// A move is illegal, or the winner differs.
    Wrong(String),
}

fn parse(rules: &Ruleset, line: &str) -> Result<RecordedGame, String> {
    let hints = ReadOptions {
        format: Some(RecordFormat::List),
        rules: Some(rules.clone()),
        ..ReadOptions::default()
    };
    let text = std::io::Cursor::new(line.to_owned());
    let mut games = read_from(text, "list".as_ref(), &hints).map_err(|error| error.to_string())?;
    let game = games.next().ok_or("no game")?;
    game.map_err(|error| error.to_string())
}

fn judge(rules: &Ruleset, game: Result<RecordedGame, String>) -> Verdict {
    let replayed =
        game.and_then(|recorded| recorded.replay(rules).map_err(|error| error.to_string()));
    match replayed {
        Ok(game) if game.outcome().is_none() => Verdict::Open,
        Ok(_) => Verdict::Decided,
        Err(error) => Verdict::Wrong(error),
    }
}

/// The games of a file of any format, each with its place in the file.
fn games(
    path: &Path,
    rules: &Ruleset,
) -> impl Iterator<Item = (usize, Result<RecordedGame, String>)> {
    let hints = ReadOptions { format: None, rules: Some(rules.clone()), ..ReadOptions::default() };
    let games = records::read(path, &hints).unwrap_or_else(|error| panic!("{error}"));
    games.map(|game| match game {
        Ok(game) => (game.line, Ok(game)),
        Err(ReadError::Line { line, reason, .. }) => (line, Err(reason)),
        Err(error) => panic!("{error}"),
    })
}

#[test]
#[ignore = "needs a file of records; run scripts/replay-games"]
fn recorded_games_replay() {
    let path = env::var("PENTARCH_GAMES").expect("PENTARCH_GAMES names a file of game records");
    let spec = env::var("PENTARCH_GAMES_SPEC").unwrap_or_else(|_| "pro-pente".to_owned());
    let rules: Ruleset = spec.parse().unwrap_or_else(|error| panic!("{spec}: {error}"));
    let (mut decided, mut open, mut wrong) = (0, 0, Vec::new());
    for (line, game) in games(Path::new(&path), &rules) {
        match judge(&rules, game) {
            Verdict::Decided => decided += 1,
            Verdict::Open => open += 1,
            Verdict::Wrong(why) => wrong.push(format!("line {line}: {why}")),
        }
    }
    let games = decided + open + wrong.len();
    println!("{games} games: {decided} decided by the rules as recorded, {open} left open");
    println!("{} against the rules:\n{}", wrong.len(), wrong.join("\n"));
    // A few records have mistakes, such as misprinted points or moves after the fifth capture. More than one in
    // five hundred would be an error of the rules.
    assert!(games > 0 && wrong.len() * 500 <= games, "{} of {games} games", wrong.len());
}

#[test]
fn games_of_any_format_are_replayed() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replayed.sgf");
    let text = "(;GM[4]SZ[15]RE[B+];B[hh];W[aa];B[ih];W[ac];B[jh];W[ae];B[kh];W[ag];B[lh])\n\
                (;GM[4]SZ[15];B[hh];W[aa])\n(;GM[4]SZ[15];B[hh];W[hh])\n(;GM[4]SZ[x])\n";
    std::fs::write(&path, text).unwrap();
    let rules = "gomoku".parse().unwrap();
    let verdicts: Vec<_> =
        games(&path, &rules).map(|(line, game)| (line, judge(&rules, game))).collect();
    assert_eq!(verdicts[..2], [(1, Verdict::Decided), (2, Verdict::Open)]);
    for (verdict, line) in verdicts[2..].iter().zip([3, 4]) {
        assert!(matches!(verdict, (at, Verdict::Wrong(_)) if *at == line), "{verdict:?}");
    }
    assert_eq!(verdicts.len(), 4);
}

#[test]
fn words_of_records_are_understood() {
    let rules: Ruleset = "pro-pente".parse().unwrap();
    let points = parse(&rules, "1-0 Y 1600 1600 K10 H8").unwrap().moves;
    assert_eq!(points, ["j10", "h8"]);
    let judge = |line| judge(&rules, parse(&rules, line));
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
