//! `tune`: numbers of an engine, moved by games against itself.

use crate::run;
use pentarch::search::Parameters;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(test: &str) -> PathBuf {
    run::folder("tune", test)
}

fn run(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    run::run(folder, shell_words::split(arguments).unwrap(), "")
}

/// What a command writes to standard output; it succeeds.
fn done(folder: &Path, arguments: &str) -> String {
    let (code, out, err) = run(folder, arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments}");
    out
}

/// What a command complains of.
fn refused(folder: &Path, arguments: &str) -> String {
    let (code, out, err) = run(folder, arguments);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments}");
    err
}

const TUNE: &str = "tune --parameter RfpMargin=120,40,250,20 --parameter countbase --nodes 60 --pairs 14 \
                    --variant gomoku --variant pro-pente --records file";

/// The file that a command writes.
fn file(folder: &Path, name: &str, more: &str) -> String {
    done(folder, &format!("{}{more}", TUNE.replace("file", name)));
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The lines of a file after the first, which says how it was made.
fn iterations(file: &str) -> Vec<&str> {
    file.lines().skip(1).collect()
}

#[test]
fn a_run_is_the_same_wherever_it_was_broken_off_and_whatever_plays_at_a_time() {
    let folder = folder("resume");
    let whole = file(&folder, "whole", "");
    let lines: Vec<&str> = whole.lines().collect();
    // Three iterations of four pairs, and two pairs.
    assert_eq!(lines.len(), 5);
    let start = Parameters::DEFAULT.count_base;
    let known = format!(r#""CountBase","start":{start},"min":1000,"max":12000,"c_end":550.0"#);
    assert!(lines[0].contains(&known), "{}", lines[0]);
    assert!(
        lines[1].contains(r#""rules":"gomoku""#) && lines[1].contains(r#""rules":"pro-pente""#)
    );
    assert_eq!(file(&folder, "threads", " --concurrency 3"), whole);
    // Broken off within the third iteration, and right after the second.
    let end = whole.match_indices('\n').nth(2).unwrap().0 + 1;
    for (name, bytes) in [("broken", end + 40), ("between", end)] {
        fs::write(folder.join(name), &whole[..bytes]).unwrap();
        assert_eq!(file(&folder, name, " --resume"), whole);
    }
    // There is nothing left to play.
    assert_eq!(file(&folder, "whole", " --resume"), whole);
    assert_ne!(file(&folder, "other", " --seed 2").lines().nth(1), Some(lines[1]));
    let exists = refused(&folder, &TUNE.replace("file", "whole"));
    assert!(exists.contains("whole exists already; continue it with --resume"), "{exists}");
    for more in ["--seed 2", "--r-end 0.01", "--random-plies 2", "--engine option.Hash=2"] {
        let other = refused(&folder, &format!("{} --resume {more}", TUNE.replace("file", "whole")));
        assert!(other.contains("whole was made with other settings"), "{more}: {other}");
    }
    let changed = whole.replacen("\"plus\":[", "\"plus\":[1", 1);
    fs::write(folder.join("changed"), changed).unwrap();
    let said = refused(&folder, &format!("{} --resume", TUNE.replace("file", "changed")));
    assert!(
        said.contains("changed line 2: not the iteration that follows the lines before it"),
        "{said}"
    );
}

#[test]
fn openings_are_balanced_by_as_many_nodes_as_is_said() {
    let folder = folder("balance");
    let [few, more] = [64, 640].map(|nodes| {
        file(&folder, &nodes.to_string(), &format!(" --balance=150 --balance-nodes {nodes}"))
    });
    assert!(few.contains("gomoku, nodes 60, 4 plies balanced within 150"), "{few}");
    assert_ne!(iterations(&few), iterations(&more));
    let said = refused(&folder, "tune --parameter RfpMargin --balance-nodes 9");
    assert!(said.contains("--balance[=<POINTS>]"), "{said}");
}

#[test]
fn an_engine_over_ugi_is_tuned_like_the_one_built_in() {
    let folder = folder("child");
    let built_in = file(&folder, "built-in", "");
    let engine = format!("cmd={} ugi --tunable", env!("CARGO_BIN_EXE_pentarch"));
    let child = file(&folder, "child", &format!(" --engine '{engine}'"));
    assert_eq!(iterations(&child), iterations(&built_in));
}

#[test]
fn what_wins_is_found() {
    let folder = folder("level");
    let tune = "tune --parameter Level=2,1,6,1 --variant gomoku --nodes 400 --pairs 60 --r-end 0.1";
    let out = done(&folder, tune);
    let last = out.lines().last().unwrap();
    let level: i32 = last.strip_prefix("option.Level=").unwrap().parse().unwrap();
    assert!(level >= 4, "{out}");
}

#[test]
fn what_cannot_be_tuned_is_named() {
    let folder = folder("faults");
    let program = env!("CARGO_BIN_EXE_pentarch");
    for (arguments, message) in [
        ("--parameter RfpMargn", "the engine has no option `RfpMargn`, did you mean `RfpMargin`?"),
        ("--parameter EvalFile", "the option `EvalFile` is no whole number"),
        ("--parameter RfpMargin=120", "expected NAME or NAME=START,MIN,MAX,C_END"),
        ("--parameter RfpMargin=120,1,x,9", "expected NAME or NAME=START,MIN,MAX,C_END"),
        (
            "--parameter RfpMargin=120,5,300,9",
            "`RfpMargin`: the engine takes 10 to 400, not 5 to 300",
        ),
        ("--parameter RfpMargin=20,30,300,9", "START 20 is not within 30 to 300"),
        ("--parameter RfpMargin=30,30,30,9", "MIN 30 is not less than MAX 30"),
        ("--parameter RfpMargin=40,30,50,11", "C_END 11 is not within 0.5 and half the range, 10"),
        ("--parameter RfpMargin=40,30,50,NaN", "C_END NaN is not within"),
        ("--parameter RfpMargin --parameter rfpmargin", "`RfpMargin` is given twice"),
        ("--parameter Level --variant pente-3", "more than two sides"),
        ("--parameter Level --engine player=random", "has nothing to tune"),
        ("--parameter Level --engine 'proto=gtp cmd=PROGRAM gtp'", "only UGI and UCI engines"),
        ("--parameter RfpMargin --engine 'cmd=PROGRAM ugi'", "has no option `RfpMargin`"),
        ("--parameter Level --engine cmd=/no/such/engine", "cannot start the engine"),
        (
            "--parameter Level --variant pente --openings a --openings b",
            "2 files of openings for 1",
        ),
        ("--parameter Level --r-end 0", "expected a number above 0"),
        ("", "--parameter <PARAMETER>"),
    ] {
        let arguments = arguments.replace("PROGRAM", program);
        let said = refused(&folder, &format!("tune --nodes 10 --pairs 1 {arguments}"));
        assert!(said.contains(message), "{arguments}: {said}");
    }
}
