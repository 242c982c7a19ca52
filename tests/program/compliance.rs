//! `pentarch compliance`: nothing is wrong with our own engine, and faults planted in it, or in
//! scripts, are found in the step they belong to.
#![cfg(unix)]

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const PENTARCH: &str = env!("CARGO_BIN_EXE_pentarch");
const PLAYERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");

/// Engines at a time.
const AT_ONCE: usize = 4;

/// The report on an engine and the exit code.
fn report(options: &[&str], engine: &str) -> (String, Option<i32>) {
    let mut command = Command::new(PENTARCH);
    command.arg("compliance").args(options).args(["--time", "0.1", engine]);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{engine}");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// The report on our engine behind filters of its input and its output, which are scripts of `sed`.
fn filtered(options: &[&str], dialect: &str, filters: [&str; 2]) -> (String, Option<i32>) {
    let [input, output] = filters.map(|filter| format!("sed -u -e \"{filter}\""));
    // Without a filter of its input the engine leaves as it is.
    let input = if filters[0].is_empty() { String::new() } else { input + " | " };
    let shell = format!("{input}{PENTARCH} {dialect} --hash 4 | {output}");
    let options = [&["--patience", "2"], options].concat();
    report(&options, &format!("proto={dialect} cmd=sh -c '{shell}'"))
}

/// The first line about a step.
fn line<'a>(report: &'a str, step: &str) -> &'a str {
    let found = report.lines().find(|line| line.get(9..).is_some_and(|l| l.starts_with(step)));
    found.unwrap_or_else(|| panic!("no step `{step}` in\n{report}"))
}

/// The line about the step whose name has that in it.
fn line_with<'a>(report: &'a str, step: &str) -> &'a str {
    report.lines().find(|line| line.contains(step)).unwrap_or_default()
}

/// Dialect, game and how much is missing. Some games are played on squares only, tiles are shown to
/// nobody, and a game whose captures are rare is not asked about them.
const OWN: [(&str, &str, u32); 21] = [
    ("ugi", "gomoku", 0),
    ("ugi", "d-pente+size=13", 0),
    ("ugi", "pente-3", 0),
    ("ugi", "pentalath", 0),
    ("ugi", "pent-up", 0),
    ("uci", "gomoku", 0),
    ("uci", "gomoku-standard", 0),
    ("uci", "keryo-pente", 0),
    ("uci", "team-pente", 0),
    ("gtp", "gomoku", 0),
    ("gtp", "pente+size=13", 0),
    ("gtp", "swap2-pente", 0),
    ("gtp", "pentalath", 0),
    ("gtp", "pente-3", 0),
    ("gtp", "pent-up", 1),
    ("gomocup", "gomoku", 0),
    ("gomocup", "renju", 1),
    ("gomocup", "pro-pente", 1),
    ("gomocup", "swap2-pente", 1),
    ("sidecar", "pro-pente", 0),
    ("sidecar", "connect6", 0),
];

#[test]
fn our_own_engine_has_no_fault() {
    let failures = in_parallel(&OWN, |&(dialect, variant, missing)| {
        let engine = format!("proto={dialect} cmd={PENTARCH} {dialect} --hash 4");
        let (report, code) = report(&["--variant", variant], &engine);
        let end = format!(" 0 wrong, {missing} missing\n");
        let fine = code == Some(0) && report.ends_with(&end);
        (!fine).then(|| format!("{variant}, {code:?}\n{report}"))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Planted faults: the dialect, filters of input and output, the step that finds it and a piece of the
/// reason.
type Fault = (&'static str, [&'static str; 2], &'static str, &'static str);

const FAULTS: [Fault; 35] = [
    ("ugi", ["", "/^id name/d"], "introduces itself", "no `id name`"),
    ("ugi", ["", "s/^readyok/ready/"], "answers isready", "no answer to `isready` within 2000 ms"),
    ("ugi", ["", "s/^bestmove .*/& ponder a1/"], "moves within a time", "two words"),
    ("ugi", ["", "s/^bestmove .*/bestmove z9/"], "moves with clocks", "illegal move `z9`"),
    (
        "ugi",
        ["", "s/^bestmove .*/bestmove none/"],
        "moves within a depth",
        "no move in an open game",
    ),
    ("ugi", ["", "s/^info depth 2 .*/info/"], "moves within a depth", "less than 8 bytes"),
    ("ugi", ["", "/^bestmove/d"], "moves within a time", "no answer to `go movetime 100`"),
    ("ugi", ["", "s/^response true/response yes/"], "says whose turn", "p1turn` gives `yes`"),
    ("ugi", ["s/p1turn/p2turn/", ""], "says whose turn", "gives `false`, not `true`"),
    ("ugi", ["", "s/^response p1win/response p2win/"], "sees the end", "gives `p2win`"),
    ("ugi", ["s/^position.*zz99/position startpos/", ""], "keeps the position", "gives `false`"),
    ("ugi", ["s/^go infinite/go depth 1/", ""], "stops when told", "comes before `stop`"),
    (
        "ugi",
        ["s/UCI_Variant value d-pente/UCI_Variant value pente/", ""],
        "swap openings",
        "illegal",
    ),
    ("uci", ["", "s/^uciok/ugiok/"], "introduces itself", "no answer to `uci`"),
    ("uci", ["", "s/P@//"], "takes positions", "right"),
    ("uci", ["", "s/^bestmove P@.*/bestmove P@a99/"], "plays a game", "illegal move"),
    ("uci", ["", "s/type combo/type string/"], "can be told the game", "not of type combo"),
    ("uci", ["s/^position.*zz99/position startpos/", ""], "keeps the position", "another position"),
    ("gtp", ["", "s/^=17/=71/"], "repeats numbers", "Some(17) was sent, Some(71) came back"),
    ("gtp", ["", "/^genmove$/d"], "lists its commands", "not listed: genmove"),
    ("gtp", ["", "s/^= 2$/= 3/"], "gives version 2", "protocol_version is `3`"),
    ("gtp", ["", "s/^? illegal move.*/= /"], "refuses illegal moves", "it takes `play"),
    ("gtp", ["s/^play purple/7 undo\\n&/", "/^=7/,/^$/d"], "refuses illegal moves", "pass"),
    ("gtp", ["s/^genmove w/genmove b/", ""], "answers genmove", "passing is not allowed"),
    ("gtp", ["", "s/^= resign/= pass/"], "sees the end", "answers `pass`, not `resign`"),
    ("gtp", ["", "s/^= B+1/= W+1/"], "sees the end", "final_score is `W+1`"),
    ("gtp", ["s/lz-analyze/name/", ""], "analyses until", "does not begin an analysis"),
    ("gomocup", ["", "s/^name=.*/name=\\\"\\\"/"], "says who it is", "no `name`"),
    ("gomocup", ["", "s/^OK/ok then/"], "begins a game", "gives `ok then`, not `OK`"),
    ("gomocup", ["", "s/^7,7$/0,99/"], "opens the game", "illegal move"),
    ("gomocup", ["", "/^[0-9]*,[0-9]*$/d"], "answers moves", "no answer to `TURN"),
    ("gomocup", ["", "s/^UNKNOWN.*/OK/"], "says UNKNOWN", "instead of `UNKNOWN`"),
    ("gomocup", ["", "s/^ERROR illegal.*/7,8/"], "says ERROR", "gives `7,8`, not `ERROR`"),
    ("gomocup", ["s/^TURN 99.*/YXBOARD\\nDONE\\n&/", ""], "says ERROR", "has changed the position"),
    (
        "gomocup",
        ["", "s/^\\([0-9]*,[0-9]*\\) [0-9,]* .*/\\1/"],
        "plays the opening",
        "1 points with 0",
    ),
];

#[test]
fn planted_faults_are_found_where_they_are() {
    let failures = in_parallel(&FAULTS, |&(dialect, filters, step, reason)| {
        let (report, code) = filtered(&["--only", step], dialect, filters);
        let found = line_with(&report, step);
        let harmless = reason == "right";
        let verdict = if harmless { "right " } else { "wrong " };
        let is_found = found.starts_with(verdict) && found.contains(reason);
        let fine = is_found && code == Some(i32::from(!harmless));
        (!fine).then(|| format!("{dialect} {filters:?}: {code:?}\n{report}"))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Two words that are right in one place leave all else as it is.
#[test]
fn a_fault_in_one_step_is_no_fault_in_another() {
    for (dialect, filter) in [("gtp", "s/^=17/=71/"), ("gomocup", "s/^UNKNOWN.*/OK/")] {
        let (report, code) = filtered(&[], dialect, ["", filter]);
        assert_eq!(code, Some(1));
        assert!(report.ends_with(" 1 wrong, 0 missing\n"), "{report}");
    }
}

/// What is wrong with any of these cases, several at a time: they wait more than they work.
fn in_parallel<T: Sync>(cases: &[T], test: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let taken = || cases.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(taken).filter_map(&test).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// A step that fails once is repeated.
#[test]
fn a_step_that_fails_once_is_unstable() {
    let mark = std::env::temp_dir().join(format!("pentarch-{}-mark", std::process::id()));
    let shell = format!(
        "if test -e {mark}; then exec {PENTARCH} ugi; else touch {mark}; {PENTARCH} ugi | sed -u \
         s/^readyok/ready/; fi",
        mark = mark.display()
    );
    let options = ["--patience", "2", "--only", "answers isready"];
    let (report, code) = report(&options, &format!("cmd=sh -c '{shell}'"));
    std::fs::remove_file(&mark).unwrap();
    let found = line(&report, "answers isready");
    assert!(found.starts_with("unstable answers isready: no answer to `isready`"), "{report}");
    assert!(found.ends_with("; when repeated it is right"), "{report}");
    assert!(report.ends_with("0 right, 0 wrong, 0 missing, 1 unstable\n"), "{report}");
    assert_eq!(code, Some(1));
}

#[test]
fn an_engine_of_another_game_ends_the_test() {
    let filters = ["", "s/^bestmove .*/bestmove e2e4/;/UCI_Variant/d"];
    let (report, code) = filtered(&[], "uci", filters);
    assert_eq!(code, Some(1));
    let found = line(&report, "moves within a time");
    assert!(found.contains("; it plays another game: ") && found.contains("e2e4"), "{report}");
    assert!(report.contains(" right, 1 wrong, "), "{report}");
}

#[test]
fn the_exchange_is_shown() {
    let (report, _) = filtered(&["--only", "says UNKNOWN"], "gomocup", ["", "s/^UNKNOWN.*/OK/"]);
    let shown: Vec<_> = report.lines().skip(2).take(2).map(str::trim_start).collect();
    assert_eq!(shown, ["> NOSUCHCOMMAND 1,1", "< OK"]);
    let engine = format!("proto=uci cmd={PENTARCH} uci");
    let (verbose, code) = self::report(&["--verbose", "--only", "begins a new game"], &engine);
    assert_eq!(code, Some(0));
    assert!(verbose.contains("> ucinewgame\n"), "{verbose}");
    assert!(verbose.ends_with("1 steps: 1 right, 0 wrong, 0 missing\n"), "{verbose}");
}

/// The scripts play on 9x9 and go wrong at their second move.
#[test]
fn scripts_that_go_wrong_are_found_out() {
    for (dialect, mode, step, reason) in [
        ("ugi", "crash", "moves within a depth", "exit status: 7"),
        ("ugi", "hang", "moves within a depth", "no answer to `go nodes"),
        ("ugi", "nonsense", "moves within a depth", "illegal move `e44`"),
        ("gtp", "crash", "answers genmove", "exit status: 7"),
        ("gtp", "hang", "answers genmove", "no answer to `genmove"),
        ("gtp", "illegal", "answers genmove", "the point is occupied"),
        ("gtp", "garbled", "answers genmove", "`I am lost` is no vertex"),
        ("gomocup", "crash", "answers moves", "exit status: 7"),
        ("gomocup", "hang", "answers moves", "no answer to `TURN"),
        ("gomocup", "outside", "answers moves", "not on the board"),
        ("gomocup", "two", "answers moves", "`4,4 5,5` instead of a point"),
    ] {
        let engine = format!("proto={dialect} dir='{PLAYERS}' cmd=sh {dialect}.sh {mode}");
        let options = ["--variant", "gomoku+size=9", "--patience", "0.7", "--only", step];
        let (report, code) = report(&options, &engine);
        let found = line_with(&report, step);
        assert!(found.starts_with("wrong") && found.contains(reason), "{mode}\n{report}");
        assert_eq!(code, Some(1), "{mode}");
    }
}

#[test]
fn engines_that_do_not_greet_are_asked_nothing_more() {
    for (engine, step, reason) in [
        (format!("dir='{PLAYERS}' cmd=sh ugi.sh dead"), "introduces itself", "exit status: 3"),
        (format!("dir='{PLAYERS}' cmd=sh ugi.sh mute"), "introduces itself", "no answer to `ugi`"),
        ("cmd=cat".to_owned(), "introduces itself", "no answer to `ugi`"),
        ("proto=gtp cmd=cat".to_owned(), "lists its commands", "no answer to `list_commands`"),
        ("proto=gomocup cmd=sleep 60".to_owned(), "begins a game", "no answer to `START 15`"),
    ] {
        let (report, code) = report(&["--patience", "0.1"], &engine);
        assert_eq!(code, Some(1));
        let found = line(&report, step);
        assert!(found.starts_with("wrong") && found.contains(reason), "{report}");
        assert!(found.ends_with(" more steps are left out"), "{report}");
        assert!(report.contains(" 0 right, 1 wrong, "), "{report}");
    }
}

#[test]
fn what_is_left_out_is_missing_and_no_fault_by_itself() {
    let options = ["--variant", "gomoku+size=9", "--patience", "1"];
    let (report, _) = report(&options, &format!("proto=gtp dir='{PLAYERS}' cmd=sh gtp.sh good"));
    for (step, verdict) in [
        ("takes moves back", "missing"),
        ("takes times", "missing"),
        ("can be told the game", "missing"),
        ("lists its commands", "wrong  "),
        ("leaves when told", "right  "),
    ] {
        assert!(line(&report, step).starts_with(verdict), "{step}\n{report}");
    }
    let (report, _) =
        self::report(&options, &format!("proto=gomocup dir='{PLAYERS}' cmd=sh gomocup.sh good"));
    for (step, verdict) in [
        ("knows boards that are no squares", "missing"),
        ("answers moves", "right  "),
        ("takes over a board", "right  "),
        ("stops when told", "missing"),
        ("begins again on the same board", "wrong  "),
        ("leaves when told", "right  "),
    ] {
        assert!(line(&report, step).starts_with(verdict), "{step}\n{report}");
    }
}

#[test]
fn misuse_is_explained() {
    for (arguments, message) in [
        (&["compliance"][..], "ENGINE"),
        (&["compliance", "player=random"], "expected an engine that is a program"),
        (&["compliance", "proto=usi cmd=x"], "expected `builtin`, `ugi`, `uci`"),
        (&["compliance", "cmd=/nowhere/engine"], "cannot start the engine"),
        (&["compliance", "--only", "nothing", "cmd=cat"], "no step has `nothing` in its name"),
        (&["compliance", "--variant", "d-pente", "proto=gomocup cmd=cat"], "swap2 only"),
    ] {
        let output = Command::new(PENTARCH).args(arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(message), "{errors}");
    }
}
