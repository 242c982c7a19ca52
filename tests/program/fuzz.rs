//! The bodies of the fuzz targets in `tests/fuzz`, on conversations and positions with a few changes
//! each.
//!
//! `PENTARCH_FUZZ=100000 PENTARCH_FUZZ_SEED=7` tries that many inputs, others for each seed.

#[path = "../fuzz/bodies/analyze.rs"]
mod analyze;
#[path = "../fuzz/bodies/position.rs"]
mod position;
#[path = "../fuzz/bodies/session.rs"]
mod session;

use fastrand::Rng;
use pentarch::engine::Game;
use pentarch::rules::catalog::CATALOG;
use pentarch_protocol::Dialect;
use std::fs;
use std::io::Write;
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

const TRANSCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");
const SPEC: &str = include_str!("../../protocol/SPEC.md");

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn inputs(usual: u64) -> u64 {
    setting("PENTARCH_FUZZ").unwrap_or(usual)
}

fn seed(more: u64) -> u64 {
    setting("PENTARCH_FUZZ_SEED").unwrap_or(0) * 1000 + more
}

/// Bytes that mean something to one of the parsers.
const MARKS: &[u8] = b" \t\r\n,=?#\"@+-0915ahbwNBP\0\xff\xc3.:/[]";

/// Makes a few changes.
fn change(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..rng.usize(0..4) {
        if bytes.is_empty() {
            return bytes.push(rng.u8(..));
        }
        let at = rng.usize(..bytes.len());
        let mark = MARKS[rng.usize(..MARKS.len())];
        match rng.u8(..6) {
            0 => bytes[at] = rng.u8(..),
            1 => bytes[at] = mark,
            2 => bytes.insert(at, mark),
            3 => drop(bytes.remove(at)),
            4 if rng.bool() => bytes.truncate(at),
            _ => {
                let end = bytes.len().min(at + rng.usize(..16));
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
        }
    }
}

/// What clients send in a dialect: the examples of the specification and the transcripts.
fn lines(dialect: Dialect) -> Vec<String> {
    let fence = format!("```{dialect}\n");
    let examples = SPEC.split(fence.as_str()).skip(1).filter_map(|block| block.split("```").next());
    let mut texts: Vec<String> = examples.map(str::to_owned).collect();
    for entry in fs::read_dir(TRANSCRIPTS).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with(dialect.name()) {
            texts.push(String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
        }
    }
    let lines = texts.iter().flat_map(|text| text.lines());
    let sent: Vec<_> =
        lines.filter_map(|line| line.strip_prefix("> ").map(str::to_owned)).collect();
    assert!(sent.len() > 30, "{dialect}");
    sent
}

static PANICKED: AtomicBool = AtomicBool::new(false);

/// Notices panics on threads that nobody joins, such as those of a search. Tests notice
/// their own, on threads with the paths of the tests as names.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let name = std::thread::current().name().unwrap_or_default().to_owned();
            let is_test = name.contains("::");
            PANICKED.fetch_or(!is_test, Ordering::Relaxed);
            usual(info);
        }));
    });
}

/// Shows the input when the test fails.
struct Input<'a>(&'a str, &'a [u8]);

impl Drop for Input<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = writeln!(std::io::stderr(), "{}: \"{}\"", self.0, self.1.escape_ascii());
        }
    }
}

fn sessions(dialect: Dialect) {
    watch_panics();
    let lines = lines(dialect);
    let mut rng = Rng::with_seed(seed(dialect as u64));
    for _ in 0..inputs(400) {
        let count = rng.usize(1..12);
        // A longer piece of one conversation sets up what single lines do not.
        let piece = rng.usize(..lines.len());
        let mut chosen: Vec<_> = lines[piece..].iter().take(rng.usize(..8)).cloned().collect();
        chosen.extend((0..count).map(|_| lines[rng.usize(..lines.len())].clone()));
        let mut bytes = chosen.join("\n").into_bytes();
        change(&mut bytes, &mut rng);
        let shown = Input(dialect.name(), &bytes);
        session::session(dialect, &bytes);
        assert!(!PANICKED.load(Ordering::Relaxed), "a thread has panicked");
        drop(shown);
    }
}

/// Side by side: they wait more than they work.
#[test]
fn sessions_of_every_dialect() {
    std::thread::scope(|scope| {
        for dialect in Dialect::ALL {
            let name = format!("fuzz::{dialect}");
            let thread = std::thread::Builder::new().name(name);
            thread.spawn_scoped(scope, move || sessions(dialect)).unwrap();
        }
    });
}

/// Queries with every field, and actions.
const QUERIES: [&str; 7] = [
    r#"{"id":"a","moves":["e5","e6"],"multiPV":3,"includeBoard":true,"includePicture":true}"#,
    r#"{"id":"b","moves":[["b","E5"],["w","J9"]],"analyzeTurns":[0,1,2],"priorities":[1,-2,3]}"#,
    r#"{"id":"c","rules":"gomoku","boardXSize":9,"boardYSize":9,"maxNodes":9,"mate":3,"priority":1}"#,
    r#"{"id":"d","initialStones":[["b","A1"]],"initialPlayer":"w","includeThreats":true,"maxVisits":7}"#,
    r#"{"id":"e","moves":["e5"],"avoidMoves":["d4"],"allowMoves":[{"player":"w","moves":["D4","C3"],"untilDepth":2}]}"#,
    r#"{"id":"f","initialPosition":"9/9/9/9/9/9/9/9/9 b - - 1","reportDuringSearchEvery":0.5,"komi":6.5}"#,
    r#"{"id":"g","action":"terminate","terminateId":"b","turnNumbers":[1,2]}"#,
];

#[test]
fn queries() {
    watch_panics();
    let mut rng = Rng::with_seed(seed(8));
    for _ in 0..inputs(60) {
        let count = rng.usize(1..10);
        let lines: Vec<_> = (0..count).map(|_| QUERIES[rng.usize(..QUERIES.len())]).collect();
        let mut bytes = lines.join("\n").into_bytes();
        for _ in 0..count {
            change(&mut bytes, &mut rng);
        }
        let shown = Input("analyze", &bytes);
        analyze::analyze(&bytes);
        assert!(!PANICKED.load(Ordering::Relaxed), "a thread has panicked");
        drop(shown);
    }
}

/// Positions are still read after a change often enough for the test to say something.
#[test]
fn positions() {
    watch_panics();
    let mut rng = Rng::with_seed(seed(9));
    let starts: Vec<_> = CATALOG.iter().map(|row| Game::new(row.name.parse().unwrap())).collect();
    let count = inputs(4000);
    let mut read = 0;
    for _ in 0..count.div_ceil(4) {
        let start = &starts[rng.usize(..starts.len())];
        let mut game = start.clone();
        for _ in 0..rng.usize(..40) {
            let Some(&mv) = rng.choice(&game.legal_moves()) else { break };
            game.play_move(mv).unwrap();
            if game.outcome().is_some() {
                game.undo();
                break;
            }
        }
        for _ in 0..4 {
            let mut bytes = game.text().into_bytes();
            change(&mut bytes, &mut rng);
            let shown = Input("position", &bytes);
            read += u64::from(position::position(start, &String::from_utf8_lossy(&bytes)));
            drop(shown);
        }
    }
    assert!(read * 5 > count, "{read} of {count} texts are positions");
}
