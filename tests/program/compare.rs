//! The script that plays the working tree against a commit, with the program that the tests built
//! on both sides.

use std::path::Path;
use std::process::{Command, Output};

const PENTARCH: &str = env!("CARGO_BIN_EXE_pentarch");

/// Runs the script.
fn compare(arguments: &str) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/compare");
    let mut command = Command::new("bash");
    command.arg(script).env("PENTARCH_NEW", PENTARCH).env("PENTARCH_OLD", PENTARCH);
    // Options for one side have blanks: `|` stands between arguments.
    command.args(arguments.split('|')).output().unwrap()
}

/// The line for the commit message and the report.
fn compared(arguments: &str) -> (String, String) {
    let output = compare(arguments);
    let out = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments}\n{out}\n{errors}");
    assert_eq!(out.lines().count(), 1, "{out}");
    (out.trim_end().to_owned(), errors)
}

fn bench() -> String {
    let output = Command::new(PENTARCH).arg("bench").output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    out.lines().find_map(|line| line.strip_prefix("Bench: ")).unwrap().to_owned()
}

#[test]
fn the_line_has_conditions_score_verdict_and_bench() {
    let (line, report) = compared(
        "--variant|gomoku|--games|200|--balance|--balance-nodes|2000|--new|nodes=2000|--old|nodes=1",
    );
    let begin = "against old: gomoku, nodes 2000 against nodes 1, 4 plies balanced within 100, ";
    assert!(line.starts_with(begin), "{line}");
    assert!(line.contains(" games: +") && line.contains(" %, Elo +"), "{line}");
    assert!(line.contains(" (-2.94, 2.94) H1 accepted; bench "), "{line}");
    assert!(line.ends_with(&format!("; bench {}", bench())), "{line}");
    assert!(report.contains("\nfirst player, whoever it was: "), "{report}");
    assert!(!report.contains("crash") && !report.contains("illegal"), "{report}");
}

#[test]
fn options_replace_the_defaults() {
    let (line, _) = compared(
        "--games=4|--nodes|20|--variant=pente-13|--random-plies=5|--balance|--balance-nodes|2000|--sprt=off",
    );
    let begin = "against old: pente-13, nodes 20, 5 plies balanced within 100, 4 games: +2 =0 -2 ";
    assert!(line.starts_with(begin), "{line}");
    assert!(!line.contains("LLR"), "{line}");
    let both = "--sprt|elo0=-5,elo1=0|--balance=200|--balance-nodes=2000|--games|2|--movetime|0.02";
    let (line, report) = compared(&format!("HEAD|{both}|--new|option.Threads=2 movetime=0.04"));
    let begin = "against old: pro-pente, movetime 0.04 against movetime 0.02, 4 plies balanced \
                 within 200, 2 games: ";
    assert!(line.starts_with(begin), "{line}");
    assert!(report.contains("SPRT elo0=-5,elo1=0,"), "{report}");
}

#[test]
fn misuse_fails() {
    for (arguments, message) in [
        ("--old", "--old needs words"),
        ("--old|option.Hahs=1|--games|2", "did you mean `Hash`?"),
        ("--sprt|x", "unknown word `x`"),
        ("--node|20", "--nodes"),
    ] {
        let output = compare(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments}");
        assert!(errors.contains(message), "{errors}");
        assert!(output.stdout.is_empty(), "{arguments}");
    }
}
