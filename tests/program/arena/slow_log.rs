//! The arena's own work is charged to nobody.

use super::{PENTARCH, scratch};
use pentarch::records::GameRecord;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A log whose reader is slow takes most of the time of a match, and none of the engines'.
#[test]
fn a_slow_log_costs_no_time_of_a_clock() {
    let path = scratch("slow.jsonl");
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    let engine = format!("--engine=dir='{directory}' cmd=sh ugi.sh verbose");
    let mut command = Command::new(PENTARCH);
    command.args(["match", "--variant", "gomoku+size=9", "--games", "2", "--tc", "60"]);
    command.args(["--random-plies=0", "--engine", "player=random", &engine, "--records"]);
    command.arg(&path).env("RUST_LOG", "debug").stdout(Stdio::null()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut log = child.stderr.take().unwrap();
    let mut buffer = [0; 4096];
    while log.read(&mut buffer).unwrap() > 0 {
        std::thread::sleep(Duration::from_millis(30));
    }
    assert!(child.wait().unwrap().success());
    let wall = start.elapsed().as_secs_f64() * 1000.0;
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let records = text.lines().map(|line| serde_json::from_str::<GameRecord>(line).unwrap());
    let charged: f64 = records.flat_map(|record| record.times).sum();
    assert!(charged < wall / 2.0, "{charged} of {wall} ms were charged");
}
