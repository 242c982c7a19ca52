//! No process of an engine is left after its match, however the match ends.

use super::PENTARCH;
use std::fs;
use std::path::PathBuf;
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
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
        Family::of(&format!("dir='{directory}' cmd=sh ugi.sh family"), options)
    }

    /// Of an engine whose last argument is how long it sleeps.
    fn of(engine: &str, options: &[&str]) -> Family {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let sleep = format!("6{number}.{}", std::process::id());
        let engine = format!("{engine} {sleep}");
        let mut command = Command::new(PENTARCH);
        command.args(["match", "--variant", "gomoku+size=9", "--games", "2", "--random-plies=0"]);
        command.args(["--engine", &engine, "--engine", "player=random"]).args(options);
        let arena = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        Family { arena, sleep }
    }

    /// How many of them there are.
    fn sleepers(&self) -> usize {
        self.folders().count()
    }

    /// What the system tells of each of them.
    fn folders(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let wanted = format!("sleep\0{}\0", self.sleep);
        let folders = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let line = |folder: &PathBuf| fs::read(folder.join("cmdline")).unwrap_or_default();
        folders.filter(move |folder| line(folder) == wanted.as_bytes())
    }

    /// The parent of the only one.
    fn supervisor(&self) -> String {
        let status = fs::read_to_string(self.folders().next().unwrap().join("status")).unwrap();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        parent.unwrap().trim().to_owned()
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
    let limits = ["--movetime", "0.05", "--patience", "0.5"];
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

#[cfg(target_os = "linux")]
#[test]
fn an_engine_ends_with_its_supervisor() {
    let kill = |signal: &str, processes: &[&str]| {
        Command::new("kill").args(["-s", signal]).args(processes).status().unwrap();
    };
    // It heeds neither the end of its input nor that of its output.
    let mut family = Family::of("cmd=sleep", &["--nodes", "1", "--patience", "60"]);
    family.wait_until("one", |count| count == 1);
    let (arena, supervisor) = (family.arena.id().to_string(), family.supervisor());
    assert_ne!(arena, supervisor);
    // One that is stopped does nothing more before it is killed.
    kill("STOP", &[&supervisor]);
    kill("KILL", &[&arena, &supervisor]);
    family.wait_until("none", |count| count == 0);
    family.arena.wait().unwrap();
}
