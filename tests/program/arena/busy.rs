//! A machine that is too busy is nobody's fault.
#![cfg(target_os = "linux")]

use super::{PENTARCH, scratch};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Processes that leave little of a processor to others.
struct Hogs(Vec<Child>);

impl Hogs {
    fn on(processor: &str) -> Hogs {
        let hog = |_| {
            let mut command = Command::new("taskset");
            command.args(["-c", processor, "sh", "-c", "while :; do :; done"]);
            command.spawn().unwrap()
        };
        Hogs((0..8).map(hog).collect())
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            hog.kill().unwrap();
            hog.wait().unwrap();
        }
    }
}

/// A processor that this process may run on.
fn processor() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    list.trim().split([',', '-']).next().unwrap().to_owned()
}

/// A game of an engine that needs a third of its time for its second move, if it gets it.
fn play(processor: &str, options: &[&str]) -> (String, String) {
    play_mode(processor, "works", options)
}

/// A game of a scripted engine with a time of 0.15 s for each move.
fn play_mode(processor: &str, mode: &str, options: &[&str]) -> (String, String) {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    let engine = format!("name=works movetime=0.15 dir='{directory}' cmd=sh ugi.sh {mode}");
    let mut command = Command::new("taskset");
    command.args(["-c", processor, PENTARCH, "match", "--variant", "gomoku+size=9", "--games"]);
    command.args(["1", "--nodes", "1", "--random-plies=0", "--engine", &engine]);
    command.args(["--engine", "player=random"]).args(options).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// A match of one game against an engine that needs 0.3 s for its second move, during which the arena
/// is stopped for 2.5 s.
fn play_stopped(limit: &str, options: &[&str]) -> (String, String) {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    let log = scratch("errors.txt");
    let engine = format!(
        "name=naps {limit} stderr='{}' dir='{directory}' cmd=sh ugi.sh naps",
        log.display()
    );
    let mut command = Command::new(PENTARCH);
    command.args(["match", "--variant", "gomoku+size=9", "--games", "1", "--nodes", "1"]);
    command.args(["--random-plies=0", "--engine", &engine, "--engine", "player=random"]);
    command.args(options).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let signal = |name: &str| {
        let number = child.id().to_string();
        assert!(Command::new("kill").args([name, &number]).status().unwrap().success());
    };
    let deadline = Instant::now() + Duration::from_mins(1);
    while !fs::read_to_string(&log).is_ok_and(|text| text.contains("asleep")) {
        assert!(Instant::now() < deadline, "the engine does not move");
        thread::sleep(Duration::from_millis(5));
    }
    signal("-STOP");
    thread::sleep(Duration::from_millis(2500));
    signal("-CONT");
    let output = child.wait_with_output().unwrap();
    fs::remove_file(&log).unwrap();
    assert_eq!(output.status.code(), Some(0));
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Time for which the arena was stopped is charged to nobody.
#[test]
fn a_stopped_arena_is_no_fault_of_an_engine() {
    let (out, errors) = play_stopped("movetime=1", &["--margin", "200"]);
    assert!(errors.contains("game 1 is played again: the arena was stopped for "), "{out}{errors}");
    assert!(out.contains("ends: line") || out.contains("ends: full"), "{out}{errors}");
    // Without a clock nothing is lost but time.
    let (out, errors) = play_stopped("nodes=1", &["--patience", "1"]);
    assert!(errors.is_empty(), "{out}{errors}");
    assert!(out.contains("ends: line") || out.contains("ends: full"), "{out}{errors}");
}

/// An engine that keeps the machine busy by itself is not excused.
#[test]
fn a_hang_is_a_loss_on_a_busy_machine() {
    let processor = processor();
    let (out, errors) = play_mode(&processor, "spins", &["--patience", "2"]);
    assert!(out.contains("ends: hang 0-1-0"), "{out}{errors}");
    let hogs = Hogs::on(&processor);
    let (out, errors) = play_mode(&processor, "nolineend", &["--patience", "2"]);
    drop(hogs);
    assert!(out.contains("ends: hang 0-1-0"), "{out}{errors}");
}

#[test]
fn a_move_that_waited_for_a_processor_loses_only_if_time_is_strict() {
    let processor = processor();
    let hogs = Hogs::on(&processor);
    let (out, errors) = play(&processor, &[]);
    assert!(out.contains("the machine was too busy: the move took "), "{out}");
    assert!(out.contains("not counted: 1 game that the machine spoiled"), "{out}");
    assert_eq!(errors.matches("game 1 is played again").count(), 2, "{errors}");
    let (out, errors) = play(&processor, &["--strict-time"]);
    drop(hogs);
    // On a machine with still more to do the move is not even there after the grace.
    let lost = ["ends: time 0-1-0", "ends: hang 0-1-0"].iter().any(|end| out.contains(end));
    assert!(lost, "{out}");
    assert_eq!(errors, "", "strict time repeats nothing");
}
