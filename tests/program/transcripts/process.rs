//! What files cannot say: pipes that close, floods, memory, speed, the command line.

#![allow(clippy::print_stdout, reason = "measurements are shown with `--show-output`")]

use super::engine::{Engine, command};
use pentarch_protocol::Dialect;
use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// A field of `/proc/PID/status` in MB; none on systems without it.
fn memory(pid: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

#[track_caller]
fn assert_below_100_mb(pid: u32, field: &str) {
    if let Some(megabytes) = memory(pid, field) {
        println!("{field}: {megabytes} MB");
        assert!(megabytes < 100, "{field}: {megabytes} MB");
    }
}

#[test]
fn a_closed_output_ends_the_process_quietly() {
    for (args, input) in [
        (&["ugi"][..], "ugi\n"),
        (&["ugi"], "go infinite\n"),
        (&["gtp"], "genmove b\n"),
        (&["gtp"], "list_commands\n"),
        (&["gtp"], "lz-analyze b 1\n"),
        (&["uci"], "uci\n"),
        (&["uci"], "go infinite\n"),
        // These have nothing to write for a long time.
        (&["ugi"], "perft 30\n"),
        (&["ugi"], "setoption name Exact value true\ngo depth 99\nposition startpos\n"),
        (&["gtp", "--time", "60"], "genmove b\n"),
        (&["gomocup"], "START 15\nINFO timeout_turn 60000\nBEGIN\nABOUT\n"),
        (&["gomocup"], "ABOUT\n"),
        (&["gomocup"], "START 15\nBEGIN\n"),
        (&["bench", "--depth", "2"], ""),
        (&["perft", "--depth", "2"], ""),
        (&["variants"], ""),
        (&["variants", "pente"], ""),
        (&["--help"], ""),
    ] {
        let mut child = command(args).spawn().unwrap();
        drop(child.stdout.take());
        // The input stays open: the closed output alone has to do.
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(input.as_bytes());
        let until = Instant::now() + Duration::from_secs(10);
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() > until => {
                    child.kill().unwrap();
                    panic!("{args:?} {input:?}: still there");
                }
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!((status.code(), errors.as_str()), (Some(0), ""), "{args:?} {input:?}");
    }
}

/// Writes many commands, reads nothing for a while, then everything.
fn flood(args: &[&str], first: &str, line: &str, is_answer: fn(&str) -> bool) {
    const COMMANDS: usize = 200_000;
    let mut child = command(args).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = format!("{first}{}", format!("{line}\n").repeat(COMMANDS));
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    thread::sleep(Duration::from_millis(1500));
    assert_below_100_mb(child.id(), "VmRSS");
    let mut stdout = child.stdout.take().unwrap();
    let mut output = Vec::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match stdout.read(&mut piece).unwrap() {
            0 => break,
            length => output.extend_from_slice(&piece[..length]),
        }
        if let Some(megabytes) = memory(child.id(), "VmHWM") {
            assert!(megabytes < 100, "{megabytes} MB");
        }
    }
    writer.join().unwrap();
    let answers = String::from_utf8(output).unwrap().lines().filter(|l| is_answer(l)).count();
    assert_eq!((answers, child.wait().unwrap().code()), (COMMANDS, Some(0)));
}

#[test]
fn a_flood_of_commands_is_slowed_down_and_answered() {
    flood(&["gtp"], "", "protocol_version", |line| line == "= 2");
    flood(&[], "ugi\n", "isready", |line| line == "readyok");
    flood(&["ugi"], "", "no such command", |line| line.starts_with("info string error"));
    flood(&[], "uci\n", "isready", |line| line == "readyok");
    flood(&[], "ABOUT\n", "RESTART", |line| line.starts_with("ERROR no board"));
    // The first drops the list, the second is a move like any other.
    let is_answer = |line: &str| line.starts_with("ERROR") || line.as_bytes()[0].is_ascii_digit();
    flood(&["gomocup"], "START 15\nBOARD\n", "TURN 7,7", is_answer);
}

#[test]
fn a_flood_behind_a_search_waits_for_it() {
    flood(&["gtp", "--time", "2.5"], "genmove b\nundo\ngenmove b\n", "name", |l| l == "= Pentarch");
}

#[test]
fn first_answers_come_at_once() {
    for (line, answer) in [
        ("ugi", "ugiok"),
        ("uci", "uciok"),
        ("name", "= Pentarch"),
        ("ABOUT", "name=*"),
        ("START 15", "OK"),
    ] {
        let started = Instant::now();
        let mut engine = Engine::start(&[] as &[&str]);
        engine.send(line);
        engine.wait(answer).unwrap();
        let time = started.elapsed();
        println!("from the start to the answer to `{line}`: {time:?}");
        assert!(time < Duration::from_secs(1), "{line}: {time:?}");
    }
}

#[test]
fn a_search_with_default_options_needs_little_memory() {
    let mut engine = Engine::start(&["ugi"]);
    engine.send("position startpos moves j10 k11 j12 k12");
    engine.send("go movetime 1000");
    engine.wait("bestmove *").unwrap();
    assert_below_100_mb(engine.id(), "VmRSS");
    assert_below_100_mb(engine.id(), "VmHWM");
}

/// A stop and an end of input are heard at once, not at the end of an iteration.
#[test]
fn stop_is_heard_at_once() {
    let mut engine = Engine::start(&["ugi"]);
    for search in ["go infinite", "go", "go ponder movetime 10", "perft 30"] {
        engine.send("position startpos moves j10 k11");
        engine.send(search);
        thread::sleep(Duration::from_millis(300));
        let stopped = Instant::now();
        engine.send("stop");
        engine.wait(if search == "perft 30" { "perft *" } else { "bestmove *" }).unwrap();
        let time = stopped.elapsed();
        println!("`{search}` stopped after {time:?}");
        assert!(time < Duration::from_millis(500), "{search}: {time:?}");
    }
}

/// Who knows only one side's clock still gives the other its time.
#[test]
fn a_color_without_a_clock_has_the_time_for_a_move() {
    let mut engine = Engine::start(&["gtp", "--time", "0.4"]);
    engine.gtp("time_left b 100 0").unwrap();
    engine.gtp("play b K10").unwrap();
    let started = Instant::now();
    engine.gtp("genmove w").unwrap();
    let time = started.elapsed();
    assert!(time > Duration::from_millis(100), "{time:?}");
}

/// Gomocup's managers start a file by its name and say nothing else.
#[cfg(unix)]
#[test]
fn the_name_of_the_file_selects_gomocup() {
    let path = std::env::temp_dir().join(format!("pbrain-pentarch-{}", std::process::id()));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pentarch"), &path).unwrap();
    let mut child = std::process::Command::new(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"BEGIN\r\nname\r\n").unwrap();
    let output = child.wait_with_output().unwrap();
    fs::remove_file(&path).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("ERROR no board yet") && text.contains("UNKNOWN"), "{text}");
}

/// What `INFO max_memory` allows is kept, threads and a search included.
#[test]
fn a_gomocup_manager_bounds_memory() {
    let mut engine = Engine::start(&["gomocup", "--hash", "1024"]);
    for line in ["START 15", "INFO max_memory 83886080", "INFO thread_num 2"] {
        engine.send(line);
    }
    engine.send("INFO timeout_turn 1500");
    engine.send("BEGIN");
    engine.wait("*,*").unwrap();
    engine.wait("7,7").unwrap();
    if let Some(megabytes) = memory(engine.id(), "VmHWM") {
        assert!(megabytes <= 80, "{megabytes} MB");
    }
}

#[test]
fn the_help_names_every_dialect() {
    let (_, out, _) = crate::run::run(&crate::run::folder("help", "dialects"), ["--help"], "");
    for dialect in Dialect::ALL {
        let name = format!("{dialect} ");
        let about = out.lines().find_map(|line| line.trim_start().strip_prefix(&name));
        let about = about.unwrap_or_default();
        assert!(about.ends_with(" on standard input and output"), "{dialect}: {about}");
    }
}

#[test]
fn bad_options_are_refused_in_one_helpful_line() {
    let mut failures = Vec::new();
    for (args, words) in [
        ("--fly", "--fly"),
        ("gtp --variant gomok", "gomoku"),
        ("ugi --variant gomoku+keryo", "keryo"),
        ("--variant pente --size 30", "size=30"),
        ("--size 0", "size"),
        ("--variant pente+pro --size 5", "size=5"),
        ("--threads 0", "--threads"),
        ("--threads many", "--threads"),
        ("--hash 0", "--hash"),
        ("--hash 99999999999999999999", "--hash"),
        ("--level 11", "--level"),
        ("--level 0", "--level"),
        ("--seed x", "--seed"),
        ("--time 0", "--time"),
        ("--time -1", "--time"),
        ("--time inf", "--time"),
        ("--time soon", "--time"),
        ("--coordinates zx", "--coordinates"),
        ("--log-file /no/such/folder/log", "/no/such/folder/log"),
        ("genmove", "genmove"),
        ("perft", "--depth"),
        ("perft --depth 1 --variant gomok", "gomoku"),
        ("perft --depth 1 --moves a1", "a1"),
        ("perft --depth 1 --position x", "field"),
        ("variants gomok", "gomoku"),
        ("--variant gomoku bench", "--variant"),
        ("--hash", "--hash"),
    ] {
        let args: Vec<_> = args.split(' ').collect();
        let output = command(&args).stdin(Stdio::null()).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        let refused = output.status.code() == Some(2) && output.stdout.is_empty();
        let explained = errors.lines().take(3).any(|line| line.contains(words));
        if !refused || !explained || errors.contains("panicked") {
            failures.push(format!("{args:?} should name {words}:\n{errors}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_log_file_holds_the_conversation_and_nothing_else_changes() {
    let path = std::env::temp_dir().join(format!("pentarch-log-{}", std::process::id()));
    let mut engine = Engine::start(&["gtp", "--log-file", path.to_str().unwrap()]);
    assert_eq!(engine.gtp("name").as_deref(), Ok("Pentarch"));
    let end = engine.finish(Duration::from_secs(10)).unwrap();
    assert_eq!((end.status.code(), end.errors.as_str()), (Some(0), ""));
    let log = fs::read_to_string(&path).unwrap();
    let _ = fs::remove_file(&path);
    assert!(log.contains("< name") && log.contains("> = Pentarch"), "{log}");
}

/// `RUST_LOG` works, and what it brings goes to standard error only.
#[test]
fn the_log_never_reaches_the_output() {
    let mut child = command(&["gtp"]).env("RUST_LOG", "trace").spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"name\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"= Pentarch\n\n");
    assert!(String::from_utf8(output.stderr).unwrap().contains("< name"));
}
