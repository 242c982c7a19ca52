//! No process of an engine is left after its match, however the match ends.

use super::PENTARCH;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A match whose engine starts three processes that sleep: one that stays, one that leaves the
/// group, and one that loses its parent. With its second move the engine falls asleep itself.
struct Family {
    arena: Child,
    /// How long they sleep, which nobody else does.
    sleep: String,
}

/// The sleepers of one engine.
const MEMBERS: usize = 3;

impl Family {
    fn start(options: &[&str]) -> Family {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let sleep = format!("6{number}.{}", std::process::id());
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
        let engine = format!("dir='{directory}' cmd=sh ugi.sh family {sleep}");
        let mut command = Command::new(PENTARCH);
        command.args(["match", "--variant", "gomoku+size=9", "--games", "2", "--random-plies=0"]);
        command.args(["--engine", &engine, "--engine", "player=random"]).args(options);
        let arena = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        Family { arena, sleep }
    }

    /// How many of them there are.
    fn sleepers(&self) -> usize {
        let wanted = format!("sleep\0{}\0", self.sleep);
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        lines.filter(|line| line == wanted.as_bytes()).count()
    }

    fn wait_until(&self, what: &str, holds: impl Fn(usize) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !holds(self.sleepers()) {
            assert!(Instant::now() < deadline, "{} sleepers instead of {what}", self.sleepers());
            thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn a_match_that_ends_leaves_nobody_behind() {
    let limits = ["--movetime", "0.05", "--patience", "0.2"];
    let mut family = Family::start(&limits);
    assert_eq!(family.arena.wait().unwrap().code(), Some(0));
    assert_eq!(family.sleepers(), 0);
}

#[test]
fn a_match_that_is_killed_leaves_nobody_behind() {
    thread::scope(|scope| {
        for signal in ["KILL", "INT", "TERM", "HUP"] {
            scope.spawn(move || {
                let mut family = Family::start(&["--nodes", "1", "--patience", "60"]);
                // In the middle of a move, when the engine sleeps as well.
                family.wait_until("all and the engine", |count| count > MEMBERS);
                let pid = family.arena.id().to_string();
                Command::new("kill").args(["-s", signal, &pid]).status().unwrap();
                family.wait_until("none", |count| count == 0);
                assert_ne!(family.arena.wait().unwrap().code(), Some(0), "{signal}");
            });
        }
    });
}
