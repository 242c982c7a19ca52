//! `pentarch tournament` as a user calls it: every format, and files that cannot be played.

use super::{PENTARCH, scratch};
use pentarch::arena::{Overrides, Tournament};
use pentarch::records::GameRecord;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Engines that answer at once, on a small board.
pub(super) fn random_engines(count: usize) -> String {
    let engine = |number| {
        format!(
            "[[engine]]\nname = 'r{number}'\nplayer = 'random'\noptions = {{ Seed = {number} }}\n"
        )
    };
    (1..=count).map(engine).collect()
}

/// What came out of a run.
pub(super) struct Run {
    pub(super) out: String,
    pub(super) errors: String,
    pub(super) code: Option<i32>,
}

/// Runs the real program.
pub(super) fn pentarch(arguments: &[&str]) -> Run {
    let output = Command::new(PENTARCH).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { out: text(output.stdout), errors: text(output.stderr), code: output.status.code() }
}

/// Writes a tournament file and names a record file beside it.
pub(super) fn files(text: &str) -> (PathBuf, PathBuf) {
    let file = scratch("tournament.toml");
    fs::write(&file, text).unwrap();
    let records = file.with_extension("jsonl");
    (file, records)
}

/// Plays a tournament to its end with its default record file.
pub(super) fn tournament(file: &Path, options: &[&str]) -> Run {
    let arguments = [&["tournament", file.to_str().unwrap()], options].concat();
    pentarch(&arguments)
}

/// The games of a record file by number.
pub(super) fn games(records: &Path) -> BTreeMap<u32, GameRecord> {
    let text = fs::read_to_string(records).unwrap();
    let games: Vec<GameRecord> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = games.len();
    let games: BTreeMap<u32, GameRecord> =
        games.into_iter().map(|game| (game.game, game)).collect();
    assert_eq!(games.len(), count, "a game was played twice");
    games
}

/// Plays a tournament of random players; returns its games and what was printed.
fn played(head: &str, engines: usize) -> (Vec<GameRecord>, String) {
    let text = format!("control = {{ nodes = 1 }}\n{head}\n{}", random_engines(engines));
    let (file, records) = files(&text);
    let run = tournament(&file, &[]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    let games = games(&records);
    fs::remove_file(&file).unwrap();
    fs::remove_file(&records).unwrap();
    assert_eq!(
        games.keys().copied().collect::<Vec<_>>(),
        (1..=games.len() as u32).collect::<Vec<_>>()
    );
    (games.into_values().collect(), run.out)
}

/// How often each pair has met, whoever had the first seat.
fn meetings(games: &[GameRecord]) -> BTreeMap<BTreeSet<String>, u32> {
    let mut meetings = BTreeMap::new();
    for game in games {
        *meetings.entry(game.players.iter().cloned().collect()).or_default() += 1;
    }
    meetings
}

#[test]
fn everybody_meets_everybody_in_every_variant() {
    let head = "variants = ['gomoku+size=9', 'pente+size=9']\nformat = 'round-robin'\nrounds = 2\n\
                concurrency = 3";
    let (games, out) = played(head, 4);
    assert_eq!(games.len(), 6 * 2 * 2 * 2);
    assert!(meetings(&games).values().all(|&count| count == 8), "{:?}", meetings(&games));
    for seat in 0..2 {
        let mut firsts: BTreeMap<&str, u32> = BTreeMap::new();
        for game in &games {
            *firsts.entry(game.players[seat].as_str()).or_default() += 1;
        }
        assert!(firsts.values().all(|&count| count == 12), "{firsts:?}");
    }
    // Rounds have other openings, pairs of a round have the same.
    let openings: BTreeSet<_> = games.iter().map(|game| game.moves[..4].to_vec()).collect();
    assert_eq!(openings.len(), 4, "two rounds of two variants");
    assert!(out.contains("48 of 48 games, round-robin"), "{out}");
}

/// What engines have in common is written once.
#[test]
fn engines_have_words_in_common() {
    let text = "variant = 'gomoku+size=5'\n[each]\nplayer = 'random'\noptions = { Seed = 3 }\n\
                [[engine]]\nname = 'a'\n[[engine]]\nname = 'b'\noptions = { Seed = 4 }\n";
    let (file, records) = files(text);
    let run = tournament(&file, &["--check"]);
    assert_eq!(run.out.matches("plays random moves").count(), 2, "{}{}", run.out, run.errors);
    assert_eq!(tournament(&file, &[]).code, Some(0));
    assert_eq!(games(&records).len(), 2);
    fs::write(&file, text.replace("player = 'random'", "cmd = 'x'")).unwrap();
    let run = tournament(&file, &[]);
    assert!(run.errors.contains("line 2: `each`: each engine has its own `cmd`"), "{}", run.errors);
    for path in [&file, &records] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_gauntlet_has_the_first_engine_in_every_game() {
    let (games, _) = played("variant = 'gomoku+size=9'\nformat = 'gauntlet'", 5);
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| game.players.contains(&"r1".to_owned())));
}

#[test]
fn a_swiss_pairs_nobody_twice_and_counts_rests() {
    let (games, out) = played("variant = 'gomoku+size=9'\nformat = 'swiss'\nrounds = 5", 6);
    assert_eq!(games.len(), 5 * 3 * 2);
    assert!(meetings(&games).values().all(|&count| count == 2), "{:?}", meetings(&games));
    assert!(out.contains("Buchholz"), "{out}");
    let (games, out) =
        played("variant = 'gomoku+size=9'\nformat = 'swiss'\nrounds = 3\ngames = 1", 5);
    assert_eq!(games.len(), 6);
    assert!(out.contains("rests"), "{out}");
    // A rest is a point, so that all points of three rounds are nine.
    let table = out.split("depth\n").nth(1).unwrap();
    let points: f64 = table
        .lines()
        .take(5)
        .map(|line| line.split_whitespace().nth(2).unwrap().parse::<f64>().unwrap())
        .sum();
    assert!((points - 9.0).abs() < 1e-9, "{out}");
}

#[test]
fn a_knockout_ends_with_one_engine() {
    let (games, _) = played("variant = 'gomoku+size=9'\nformat = 'knockout'\nconcurrency = 4", 6);
    assert_eq!(games.len(), 5 * 2);
    let rounds: Vec<u32> =
        games.iter().map(|game| game.tournament.as_ref().unwrap().round).collect();
    assert_eq!(rounds, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
    let first_round: BTreeSet<_> = games[..4].iter().flat_map(|game| &game.players).collect();
    assert!(!first_round.contains(&"r1".to_owned()) && !first_round.contains(&"r2".to_owned()));
}

#[test]
fn groups_of_four_sit_in_all_orders() {
    let head = "variants = [{ rules = 'pente-4+size=9', games = 24 }]\nformat = 'seats'";
    let (games, _) = played(head, 4);
    let orders: BTreeSet<_> = games.iter().map(|game| game.players.clone()).collect();
    assert_eq!((games.len(), orders.len()), (24, 24));
    // Of five engines there are five groups of four; teams have an engine a side.
    let head = "variants = ['team-pente+size=9', { rules = 'pente-4+size=9', format = 'seats' }]";
    let (games, _) = played(head, 5);
    assert_eq!(games.len(), 10 * 2 + 5 * 4);
    let team = &games[0].players;
    assert_eq!((&team[0], &team[1]), (&team[2], &team[3]));
}

/// The loser of a game has the first seat in the next one; after a draw they take turns.
#[test]
fn the_loser_begins_the_next_game() {
    let head =
        "variant = 'gomoku+size=9'\nformat = 'pair'\nfirst = 'loser'\ngames = 12\nconcurrency = 3";
    let (games, _) = played(head, 2);
    assert_eq!(games.len(), 12);
    let mut same = 0;
    for pair in games.windows(2) {
        let winner = match pair[0].result.to_string().as_str() {
            "p1win" => Some(0),
            "p2win" => Some(1),
            _ => None,
        };
        let begins = winner.map_or(1, |winner| 1 - winner);
        assert_eq!(pair[1].players[0], pair[0].players[begins]);
        same += usize::from(begins == 0);
    }
    assert!(same > 0, "seats were only exchanged");
}

/// Scripts that list other games and are started for every game.
#[test]
fn what_an_engine_lacks_is_said_once() {
    let player = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players/ugi.sh");
    let (file, records) = files(&format!(
        "variant = 'gomoku+size=7'\ngames = 4\ncontrol = {{ nodes = 1 }}\npin = false\n[[engine]]\n\
         name = 'script'\nrestart = 'on'\ncmd = 'sh {player}'\n[[engine]]\nplayer = 'random'\n"
    ));
    let run = tournament(&file, &[]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    assert_eq!(run.errors.matches("does not list").count(), 1, "{}", run.errors);
    fs::remove_file(&file).unwrap();
    fs::remove_file(&records).unwrap();
}

#[test]
fn check_says_what_would_be_played_and_plays_nothing() {
    let (file, records) = files(&format!("variant = 'gomoku'\ngames = 4\n{}", random_engines(3)));
    let run = tournament(&file, &["--check", "--shard", "1/2"]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    assert!(run.out.contains("round-robin: 3 engines, 12 games, 1 round\n"), "{}", run.out);
    assert!(run.out.contains("  r1: plays random moves\n"), "{}", run.out);
    let games =
        "gomoku: each pair of engines plays 4 games, two from each opening, with the seats swapped";
    assert!(run.out.contains(games), "{}", run.out);
    assert!(run.out.contains("  games 1-4: r2 v r3 (gomoku)"), "{}", run.out);
    assert!(run.out.contains("shard 1/2: 6 games"), "{}", run.out);
    assert!(!records.exists());
    fs::write(&file, "variant = 'gomoku'\nengine = 3\n").unwrap();
    let run = tournament(&file, &["--check"]);
    assert_eq!(run.code, Some(1));
    assert!(run.errors.contains("line 2"), "{}", run.errors);
    // An engine and a folder that do not exist.
    for engine in ["cmd = './gone ugi'", "cmd = 'no-such-engine ugi'", "dir = 'gone'\ncmd = 'sh x'"]
    {
        let text = format!("variant = 'gomoku'\n[[engine]]\n{engine}\n{}", random_engines(1));
        fs::write(&file, text).unwrap();
        let run = tournament(&file, &["--check"]);
        assert_eq!(run.code, Some(1), "{engine}");
        assert!(run.errors.contains("pentarch: cannot start the engine `"), "{}", run.errors);
    }
    let text = format!("variant = 'gomoku'\n[[engine]]\ncmd = 'sh x'\n{}", random_engines(1));
    fs::write(&file, text).unwrap();
    assert_eq!(tournament(&file, &["--check"]).code, Some(0));
    let run = tournament(&file, &["--check", "--report", "gone/x.html"]);
    assert_eq!(run.code, Some(1));
    assert!(run.errors.contains("there is no folder gone"), "{}", run.errors);
    fs::remove_file(&file).unwrap();
}

/// Files that are refused, each with a part of the message; two engines are added to them.
fn assert_refused(files: &[(&str, &str)]) {
    for (text, message) in files {
        let text = format!("{text}\n{}", random_engines(2));
        let read = Tournament::parse(&text, Path::new("t.toml"), &Overrides::default());
        let error = read.unwrap_err().to_string();
        assert!(error.contains(message), "{text}\n{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn a_wrong_file_is_named_with_line_key_and_what_was_expected() {
    assert_refused(&[
        ("roundz = 3", "t.toml line 1: unknown key `roundz`, did you mean `rounds`?"),
        ("\nwidth = 3", "line 2: unknown key `width`, expected one of referee, "),
        ("rounds = 'many'", "line 1: `rounds`: expected a number from 1 to 100000, found a text"),
        ("\n\ngames = -2", "line 3: `games`: expected a number from 1 to 1000000, found -2"),
        ("games = 0x1_0000_0000", "line 1: `games`: expected a number from 1"),
        ("variant = 'pent'", "line 1: `variant`: "),
        ("variants = ['pente', 7]", "`variants`: expected a text in quotes, found a number"),
        ("variant = 'pente'\nvariants = []", "expected either `variant` or `variants`"),
        (
            "format = 'swis'",
            "expected one of pair, round-robin, gauntlet, pyramid, swiss, knockout, seats, did you",
        ),
        (
            "variant = 'pente-4'",
            "`variant`: a round-robin has two engines at a board and `pente-4` has 4",
        ),
        (
            "variants = [{ rules = 'pente-4', format = 'seats', games = 3 }]",
            "expected a multiple of 2",
        ),
        ("variants = [{ format = 'seats' }]", "expected `rules` in it"),
        (
            "variants = [{ rules = 'pente', format = 'swiss' }]",
            "a swiss cannot be part of a round-robin",
        ),
        (
            "format = 'knockout'\nrounds = 2",
            "line 2: `rounds`: a knockout ends when one engine is left",
        ),
        ("pin = 3", "line 1: `pin`: expected true or false, found a number"),
        ("control = { node = 3 }", "line 1: unknown key `node`, did you mean `nodes`?"),
        ("control = { tc = 'x' }", "`control`: `tc=x`: `x` is no clock"),
        ("control = {}", "`control`: expected one of tc, movetime, nodes, depth"),
        ("openings = 'nowhere'", "line 1: `openings`: cannot read the records in nowhere: "),
        ("openings = { random = 4, file = 'x' }", "expected either a file or `random`"),
        ("sprt = 'elo0=1'", "`sprt`: `elo1=` is missing"),
        ("adjudication = { resign = 'x=1' }", "`resign`: unknown word `x=1`"),
        ("first = 'winner'", "`first`: expected `alternate` or `loser`"),
        (
            "first = 'loser'\nformat = 'seats'\nvariant = 'pente-3'",
            "the loser begins only where two",
        ),
        (
            "first = 'loser'\nformat = 'pair'\nsprt = 'elo0=0,elo1=9'",
            "a sequential test needs pairs of games",
        ),
        ("games = \n", "line 1: "),
    ]);
}

#[test]
fn wrong_engines_are_named_with_line_key_and_what_was_expected() {
    assert_refused(&[
        ("[[engine]]\nname = 'r1'\nplayer = 'random'", "another engine is named `r1` already"),
        (
            "[[engine]]\nname = 'x'\nplayr = 'random'",
            "line 3: unknown key `playr`, did you mean `player`?",
        ),
        ("[[engine]]\nplayer = 'human'", "`engine`: `player=human`: expected `random`"),
        ("[[engine]]\noptions = { Hash = 0 }", "`option.Hash=0`: expected a number from 1"),
        ("[[engine]]\nproto = 'gtp'", "`proto=gtp`: expected a `cmd=` after it"),
    ]);
    for (text, message) in [
        ("", "line 1: expected two or more [[engine]] tables, found 0"),
        (
            "format = 'pair'\n[[engine]]\n",
            "`engine`: expected two or more [[engine]] tables, found 1",
        ),
        (
            "format = 'pair'\n[[engine]]\n[[engine]]\n[[engine]]",
            "3 engines cannot share the 2 seats",
        ),
    ] {
        let read = Tournament::parse(text, Path::new("t.toml"), &Overrides::default());
        let error = read.unwrap_err().to_string();
        assert!(error.contains(message), "{text}\n{error}");
    }
}

#[test]
fn the_command_line_overrides_the_file() {
    let text = format!("variant = 'gomoku'\ngames = 4\nrounds = 2\n{}", random_engines(2));
    let overrides = Overrides {
        variants: vec!["pente".parse().unwrap(), "renju".parse().unwrap()],
        games: Some(6),
        rounds: Some(3),
        seed: Some(9),
        concurrency: Some(5),
        ..Overrides::default()
    };
    let read = Tournament::parse(&text, Path::new("t.toml"), &overrides).unwrap();
    assert_eq!(read.games(), 6 * 3 * 2);
    let terms = &read.variants[1].settings;
    assert_eq!((terms.rules.to_string().as_str(), terms.seed), ("renju", 9));
    assert_eq!(terms.concurrency, 5);
}
