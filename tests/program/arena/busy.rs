//! A machine that is too busy is nobody's fault.
#![cfg(target_os = "linux")]

use super::PENTARCH;
use std::process::{Child, Command, Stdio};

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
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    let engine = format!("name=works movetime=0.15 dir='{directory}' cmd=sh ugi.sh works");
    let mut command = Command::new("taskset");
    command.args(["-c", processor, PENTARCH, "match", "--variant", "gomoku+size=9", "--games"]);
    command.args(["1", "--nodes", "1", "--random-plies=0", "--engine", &engine]);
    command.args(["--engine", "player=random"]).args(options).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_move_that_waited_for_a_processor_loses_only_if_time_is_strict() {
    let processor = processor();
    let hogs = Hogs::on(&processor);
    let (out, errors) = play(&processor, &[]);
    assert!(out.contains("the machine was too busy: the move took "), "{out}");
    assert!(out.contains("ends: machine-busy 0-0-1"), "{out}");
    assert_eq!(errors.matches("game 1 is played again").count(), 2, "{errors}");
    let (out, errors) = play(&processor, &["--strict-time"]);
    drop(hogs);
    // On a machine with still more to do the move is not even there after the grace.
    let lost = ["ends: time 0-1-0", "ends: hang 0-1-0"].iter().any(|end| out.contains(end));
    assert!(lost, "{out}");
    assert_eq!(errors, "", "strict time repeats nothing");
}
