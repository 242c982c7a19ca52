//! Matches: what scripted players do wrong has the right result and reason, and every game is
//! played and recorded.

mod adjudication;
mod busy;
mod command;
mod faults;
mod foreign;
mod matches;
mod openings;
#[cfg(target_os = "linux")]
mod orphans;
mod parts;
mod pinning;
mod ponder;
mod resume;
#[cfg(unix)]
mod slow_log;
mod tournaments;

use pentarch::arena::{
    Adjudication, ArenaError, EngineSpec, FinishedGame, Match, MatchSummary, Openings, RunOptions,
    TimeControl, Timeouts, Tournament, supervise_with,
};
use pentarch::records::{GameRecord, RecordFile};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const PENTARCH: &str = env!("CARGO_BIN_EXE_pentarch");

/// A name for a file of one test.
fn scratch(name: &str) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("pentarch-{}-{number}-{name}", std::process::id());
    std::env::temp_dir().join(name)
}

fn spec(text: &str) -> EngineSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A scripted engine that misbehaves as `mode` says.
fn script(dialect: &str, mode: &str) -> EngineSpec {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    let file = if dialect == "uci" { "ugi" } else { dialect };
    spec(&format!("proto={dialect} dir='{directory}' cmd=sh {file}.sh {mode}"))
}

/// A match against a random player on a board that scripts know, without a clock.
fn duel(engine: EngineSpec) -> Match {
    supervise_with(PENTARCH.into());
    Match {
        rules: "gomoku+size=9".parse().unwrap(),
        engines: vec![engine, spec("player=random")],
        control: TimeControl { nodes: Some(1), ..TimeControl::default() },
        games: 4,
        sprt: None,
        openings: Openings::Random { plies: 0, seed: 1 },
        concurrency: 1,
        timeouts: Timeouts { response: Duration::from_secs(20), ..Timeouts::default() },
        seed: 1,
        // However busy the machine is that runs the tests.
        adjudication: Adjudication { strict_time: true, ..Adjudication::default() },
    }
}

/// A match in which a move may take a tenth of a second and a hang is soon found.
fn timed_duel(engine: EngineSpec) -> Match {
    let move_time = Some(Duration::from_millis(100));
    Match { control: TimeControl { move_time, ..TimeControl::default() }, games: 2, ..duel(engine) }
}

/// Plays a match to its end.
fn run(
    game: &Match,
    records: Option<&mut RecordFile>,
    report: impl FnMut(&FinishedGame<'_>) -> io::Result<()>,
) -> Result<MatchSummary, ArenaError> {
    let course = RunOptions { records, ..RunOptions::default() };
    let ended = Tournament::of_match(game.clone()).run(course, report)?;
    Ok(MatchSummary::new(game.conditions(), &ended))
}

/// Plays a match and returns what is on the disk at its end.
fn play(game: &Match) -> (MatchSummary, Vec<GameRecord>) {
    let path = scratch("games.jsonl");
    let mut file = RecordFile::open(&path, false).unwrap();
    let mut reported = 0;
    let summary = run(game, Some(&mut file), |finished| {
        reported += 1;
        let lines = fs::read_to_string(&path)?;
        let number = format!("\"game\":{},", finished.record.game);
        assert!(lines.contains(&number), "reported before it was on the disk");
        Ok(())
    })
    .unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let records: Vec<GameRecord> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    fs::remove_file(&path).unwrap();
    assert_eq!(reported, game.games);
    let mut numbers: Vec<_> = records.iter().map(|record| record.game).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=game.games).collect::<Vec<_>>());
    (summary, records)
}

/// Checks that the first engine lost every game for this reason.
fn assert_fault(game: &Match, reason: &str, detail: &str) {
    let (summary, records) = play(game);
    for record in &records {
        let first_seat = record.game % 2 == 1;
        let result = if first_seat { "p2win" } else { "p1win" };
        let text = record.detail.clone().unwrap_or_default();
        assert_eq!(record.reason, reason, "{text}");
        assert_eq!(record.result.to_string(), result);
        assert!(text.contains(detail), "{text:?} has no {detail:?}");
        assert_eq!(record.times.len(), record.moves.len() - record.opening_plies);
        assert_eq!(record.plies.len(), record.moves.len());
    }
    assert_eq!(summary.head_to_head.total().losses, game.games);
}
