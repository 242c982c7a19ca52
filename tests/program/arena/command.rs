//! `pentarch match` as a user calls it.

use super::{PENTARCH, scratch, spec};
use pentarch::arena::{EngineKind, EngineSpec};
use pentarch::engine::Options;
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn a_bad_engine_spec_names_the_word() {
    for (text, message) in [
        ("nmae=x", "unknown word `nmae=x`, did you mean `name=`?"),
        ("fast", "unknown word `fast`, expected one of name= proto="),
        ("proto=usi cmd=x", "`proto=usi`: expected `builtin`, `ugi`, `uci`, `gtp`, `gomocup`"),
        ("proto=gtp", "`proto=gtp`: expected a `cmd=` after it"),
        ("option.Hash=0", "`option.Hash=0`: expected a number from 1 to 65536"),
        ("option.Foo=0", "`option.Foo=0`: unknown option `Foo`"),
        ("option.Multi=2", "`option.Multi=2`: unknown option `Multi`, did you mean `MultiPV`?"),
        ("option.OwnBook=yes", "`option.OwnBook=yes`: expected `true` or `false`"),
        ("tc=x", "`tc=x`: `x` is no clock"),
        ("movetime=-1", "`movetime=-1`: `-1` is no time"),
        ("nodes=0", "`nodes=0`: expected a number from 1"),
        ("cmd=", "`cmd=`: expected a command line after it"),
        ("name='a b", "the quote in `name='a b` has no end"),
        ("player=human", "`player=human`: expected `random`"),
        ("restart=maybe cmd=x", "`restart=maybe`: expected `on`, `off` or `crash`"),
        ("start=0 cmd=x", "`start=0`: `0` is no time"),
        ("stderr= cmd=x", "`stderr=`: expected a file"),
        ("env.=1 cmd=x", "unknown word `env.=1`"),
        ("env.A=1", "only a `cmd=` is a process of its own"),
        ("tc=1+x2", "or byo-yomi such as `60+3x10`"),
    ] {
        let error = text.parse::<EngineSpec>().unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let named = spec("name='two words' tc=1/2+3 cmd=sh -c 'a b' name=c");
    assert_eq!(named.name.as_deref(), Some("two words"));
    assert!(format!("{named:?}").contains(r#"["-c", "a b", "name=c"]"#), "{named:?}");
}

/// Runs the real program.
fn pentarch(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(PENTARCH).arg("match").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn the_program_plays_itself_over_every_protocol() {
    let engine = format!("name=ugi cmd={PENTARCH} ugi");
    let other = format!("name=gtp proto=gtp cmd={PENTARCH} gtp --variant pro-pente --level 1");
    let (out, errors, code) = pentarch(&[
        "--variant",
        "pro-pente",
        "--games",
        "2",
        "--nodes",
        "200",
        "--engine",
        &engine,
        "--engine",
        &other,
    ]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains("game 1 of 2: ugi v gtp: "), "{out}");
    assert!(out.contains("\n    1. j10 "), "{out}");
    assert!(out.contains("ugi against gtp: 2 games"), "{out}");
    assert!(!out.contains("crash") && !out.contains("refused"), "{out}");
}

#[test]
fn a_closed_output_ends_a_match_with_an_error() {
    let mut command = Command::new(PENTARCH);
    command.args(["match", "--games", "1000", "--nodes", "50"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("cannot print"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn lines_that_are_no_text_are_warned_of_once() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    let engine = format!("name=noise dir='{directory}' cmd=sh ugi.sh binary");
    let options = ["--variant", "gomoku+size=9", "--random-plies=0", "--movetime", "0.1"];
    let players = ["--engine", &engine, "--engine", "player=random", "--games", "1"];
    let limits = ["--patience", "0.2", "--strict-time"];
    let (out, errors, code) = pentarch(&[&options[..], &players, &limits].concat());
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains("ends: hang"), "{out}");
    assert!(errors.contains("noise wrote a line not in UTF-8, ignored"), "{errors}");
    assert!(errors.contains(" lines not in UTF-8, all ignored"), "{errors}");
    assert_eq!(errors.lines().count(), 2, "{errors}");
}

#[test]
fn a_match_has_common_words_json_and_a_report() {
    let (records, report) = (scratch("games.jsonl"), scratch("report.html"));
    let files = [&records, &report].map(|path| path.to_str().unwrap());
    let (out, errors, code) = pentarch(&[
        "--variant",
        "gomoku+size=5",
        "--games",
        "4",
        "--nodes",
        "1",
        "--each",
        "player=random option.Seed=3",
        "--engine",
        "name=a",
        "--engine",
        "name=b option.Seed=4",
        "--json",
        "--records",
        files[0],
        "--report",
        files[1],
    ]);
    assert_eq!((errors.as_str(), code), ("", Some(0)));
    let result: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["complete"], true);
    let pair = &result["headToHead"][0];
    let pairs: u64 =
        pair["pairs"].as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!((pairs, &pair["fromPairs"]), (2, &true.into()), "{out}");
    assert!(pair["los"].is_f64() && pair.get("normalizedElo").is_some(), "{out}");
    let page = fs::read_to_string(&report).unwrap();
    for part in ["a against b", "Head to head", "LOS", "Normalized Elo"] {
        assert!(page.contains(part), "no {part}");
    }
    for file in files {
        fs::remove_file(file).unwrap();
    }
}

/// A slow engine may have a margin of its own.
#[test]
fn an_engine_has_its_own_margin() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    for (margin, lost) in [("margin=20000", false), ("margin=20", true)] {
        let engine = format!("movetime=0.1 {margin} dir='{directory}' cmd=sh ugi.sh slow");
        let options = ["--variant", "gomoku+size=9", "--random-plies=0", "--nodes", "1"];
        let players = ["--engine", &engine, "--engine", "player=random", "--games", "1"];
        let (out, errors, _) = pentarch(&[&options[..], &players, &["--strict-time"]].concat());
        assert_eq!(out.contains("ends: time"), lost, "{out}{errors}");
    }
}

#[test]
fn misuse_is_explained() {
    for (arguments, message) in [
        (["--engine", "nmae=x"].as_slice(), "did you mean `name=`?"),
        (&["--variant", "pent"], "--variant"),
        (&["--tc", "x"], "no clock"),
        (&["--tc", "1", "--movetime", "1"], "cannot be used with"),
        (&["--openings", "/nowhere/x"], "check the path"),
        (&["--engine", "", "--engine", "", "--engine", ""], "3 engines cannot share the 2 seats"),
        (&["--append"], "--records"),
        (&["--balance", "--openings", "x"], "cannot be used with"),
        (&["--balance=-1"], "--balance"),
        (&["--sprt", "elo0=5,elo1=5"], "elo0 must be less than elo1"),
        (&["--each", "cmd=x"], "each engine has its own command"),
        (&["--each", "nodes=0"], "`nodes=0`: expected a number from 1"),
        (&["--engine", "margin=x"], "`margin=x`: expected a number from 0"),
        (&["--report", "x.html"], "--records"),
        (&["--records", "x", "--report", "/nowhere/x.html"], "there is no folder /nowhere"),
    ] {
        let (_, errors, code) = pentarch(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(errors.contains(message), "{errors}");
    }
}

#[test]
fn the_built_in_engine_takes_every_option() {
    for row in Options::rows() {
        let value = row.get(&Options::default());
        let engine = spec(&format!("option.{}={value}", row.name));
        assert_eq!(engine.kind, EngineKind::BuiltIn(Options::default()), "{}", row.name);
    }
    let engine = spec("option.multipv=3 option.Exact=true option.ForcedWins=false");
    let options = Options { multi_pv: 3, exact: true, forced_wins: false, ..Options::default() };
    assert_eq!(engine.kind, EngineKind::BuiltIn(options));
}
