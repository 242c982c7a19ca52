//! Whole conversations with the real binary: the files in `tests/transcripts`, the examples of
//! `protocol/SPEC.md`, and what only a program can try out.
//!
//! `PENTARCH_TRANSCRIPTS=ugi-` replays the files whose names begin so.

mod engine;
mod games;
mod process;
mod script;

use engine::Engine;
use pentarch::engine::{OptionType, Options};
use pentarch::game::EndReason;
use pentarch_protocol::Dialect;
use script::{Script, Step, compare};
use std::fs;
use std::sync::Mutex;
use std::thread;

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");
const SPEC: &str = include_str!("../../protocol/SPEC.md");

/// Conversations at a time: they wait more than they work.
const AT_ONCE: usize = 3;

#[test]
fn transcripts_hold() {
    let wanted = std::env::var("PENTARCH_TRANSCRIPTS").unwrap_or_default();
    let mut scripts = Vec::new();
    for entry in fs::read_dir(FILES).expect("the folder of transcripts") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.extension().is_some_and(|end| end == "txt") && name.starts_with(&wanted) {
            scripts.push((name, fs::read_to_string(&path).expect("a text")));
        }
    }
    assert!(!scripts.is_empty());
    scripts.sort();
    replay_all(scripts);
}

#[test]
fn examples_of_the_specification_hold() {
    let mut scripts = Vec::new();
    for dialect in Dialect::ALL {
        let fence = format!("```{dialect}\n");
        let blocks = SPEC.split(fence.as_str()).skip(1);
        for (index, block) in blocks.enumerate() {
            let block = block.split("```").next().expect("a block");
            scripts.push((format!("SPEC.md, {dialect} example {}", index + 1), block.to_owned()));
        }
    }
    assert!(scripts.len() >= 5);
    replay_all(scripts);
}

#[test]
fn the_specification_lists_the_options() {
    for row in &Options::TABLE {
        let (kind, range) = match row.option_type {
            // Those that only tuners set are not in this table.
            OptionType::Parameter(_) => continue,
            OptionType::Number { least, most, .. } => ("spin", format!("{least} to {most}")),
            OptionType::Switch { .. } | OptionType::Ignored => ("check", String::new()),
            OptionType::Choice { words, .. } => ("combo", format!("`{}`", words.join("`, `"))),
            OptionType::File { .. } => {
                let maker = if row.name == "BookFile" { "book build" } else { "train" };
                ("string", format!("a file of `pentarch {maker}`"))
            }
        };
        let default = row.get(&Options::default());
        let shown = match kind {
            "combo" => format!("`{default}`"),
            "string" => "`<empty>`".to_owned(),
            _ => default,
        };
        let line =
            format!("| `{}` | {kind} | {shown} | {range} |", row.name).replace("|  |", "| |");
        assert!(SPEC.contains(&line), "{line}");
    }
}

#[test]
fn the_specification_lists_the_reasons() {
    use EndReason::{Captures, FullBoard, Levels, Line, NoMove, PlyCap, ShortLine};
    for reason in [Line, Captures, FullBoard, NoMove, PlyCap, ShortLine, Levels] {
        assert!(SPEC.contains(&format!("\n| `{reason}` | ")), "{reason}");
    }
}

/// Replays scripts with names; panics with all that went wrong.
fn replay_all(scripts: Vec<(String, String)>) {
    let queue = Mutex::new(scripts.into_iter());
    let failures = Mutex::new(Vec::new());
    let work = || {
        loop {
            let next = queue.lock().expect("no panics here").next();
            let Some((name, text)) = next else { return };
            if let Err(difference) = replay(&Script::parse(&text)) {
                failures.lock().expect("nor here").push(format!("{name}:\n{difference}"));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    let failures = failures.into_inner().expect("no panics");
    assert!(failures.is_empty(), "{} failed\n\n{}", failures.len(), failures.join("\n"));
}

/// Holds a conversation and compares what came with what should have.
fn replay(script: &Script) -> Result<(), String> {
    let mut engine = Engine::start(&script.args);
    for step in &script.steps {
        match step {
            Step::Send(bytes) => engine.send_bytes(bytes),
            Step::Sleep(time) => thread::sleep(*time),
            Step::Wait(pattern) => engine.wait(pattern).map(|_| ()).map_err(|error| {
                let last = engine.read.last().cloned().unwrap_or_default();
                format!("  {error}, the last line was: {last}\n")
            })?,
        }
    }
    let end = engine.finish(script.deadline).map_err(|error| format!("  {error}\n"))?;
    compare(&script.expected, &end.lines)?;
    let errors: Vec<_> = end.errors.lines().map(str::to_owned).collect();
    compare(&script.errors, &errors).map_err(|text| format!("  on standard error:\n{text}"))?;
    laws(&end.lines, script.is_uci())?;
    match end.status.code() {
        Some(0) => Ok(()),
        code => Err(format!("  exit code {code:?}\n")),
    }
}

/// What holds for the lines of every search in UGI and UCI.
fn laws(lines: &[String], is_uci: bool) -> Result<(), String> {
    let searching = |line: &&String| line.starts_with("info") || line.starts_with("bestmove");
    if let Some(short) = lines.iter().filter(searching).find(|line| line.len() + 1 < 8) {
        return Err(format!("  a line of less than eight bytes: {short}\n"));
    }
    let mut last = "";
    for line in lines {
        if line.starts_with("info ") && !line.starts_with("info string") {
            last = line;
        } else if line.starts_with("bestmove") {
            let words: Vec<&str> = line.split(' ').collect();
            let complete =
                words.len() == 2 || is_uci && words.len() == 4 && words.get(2) == Some(&"ponder");
            let full = [" nodes ", " nps ", " time ", " score "].iter().all(|w| last.contains(w));
            if !complete || !full && !["bestmove none", "bestmove (none)"].contains(&line.as_str())
            {
                return Err(format!("  `{line}` after the last info `{last}`\n"));
            }
            last = "";
        }
    }
    Ok(())
}

/// What a search found in one game would make the next depend on it.
#[test]
fn a_new_game_over_gomocup_owes_nothing_to_the_last() {
    let game = "START 15\nINFO max_node 300\nINFO show_detail 1\nBOARD\n7,7,1\n8,8,2\nDONE\n";
    let folder = crate::run::folder("gomocup", "new-game");
    let searched = |games: usize| {
        // The end of input lets the last search finish, `END` would cut it short.
        let (_, out, _) = crate::run::run(&folder, ["gomocup"], &game.repeat(games));
        let last = out.rsplit("OK\n").next().unwrap_or_default();
        let depths = last.lines().filter_map(|line| line.strip_prefix("MESSAGE depth "));
        depths.map(|line| line.split(" n/ms").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(!searched(1).is_empty());
    assert_eq!(searched(2), searched(1));
}
