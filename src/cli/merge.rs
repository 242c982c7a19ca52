//! `pentarch merge`.

use super::ExitResult;
use clap::Args;
use pentarch_arena::{
    CancelToken, CrossTable, EXIT_INTERRUPTED, Hypothesis, MergedResults, Sprt, StandingsTable,
    parse_seconds, write_report,
};
use pentarch_records::{AtomicFile, RecordFile, results_as_pgn};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::{Duration, Instant};

/// Merges the records of the shards of a tournament into one standing.
///
/// The games must belong to one tournament, without duplicates and without gaps; with --sprt the test
/// may decide before all games are played. The exit code is 0 if this holds, 1 if not or if the test
/// accepts H0, 2 if a file cannot be read.
///
/// The test adds pairs in the order of their numbers, so it waits for a shard that is behind: start all
/// shards at once. With --watch it decides while they play, for example on a cluster:
///
///   pentarch merge --watch . --sprt elo0=0,elo1=10 --on-decision 'scancel 1234'
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Record files of `tournament` or `match`
    #[arg(required_unless_present = "watch", value_name = "RECORDS")]
    files: Vec<PathBuf>,
    /// Follow the record files (*.jsonl) in this folder until the test of --sprt decides or all games are there
    #[arg(long, value_name = "DIR", requires = "sprt", conflicts_with = "files")]
    watch: Option<PathBuf>,
    /// With --watch, seconds between two looks at the files
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    interval: Duration,
    /// With --watch, run this command of the shell when the test decides, with `PENTARCH_DECISION` set to H0 or H1
    #[arg(long, value_name = "COMMAND", requires = "watch")]
    on_decision: Option<String>,
    /// Write an HTML page with the standing and every game
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Write the results of games between two sides as PGN, for rating programs such as Ordo
    #[arg(long, value_name = "FILE.pgn")]
    pgn: Option<PathBuf>,
    /// Apply a sequential test (SPRT) to all games, such as elo0=0,elo1=20
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Print the standing as JSON, and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &MergeArgs) -> ExitResult {
    let (union, files) = match (&args.watch, args.sprt) {
        (Some(folder), Some(test)) => {
            let cancel = CancelToken::of_signals()?;
            match args.watch(folder, test, &cancel)? {
                Watched::Ended(union, files) => (*union, files),
                Watched::Refused => return Ok(ExitCode::FAILURE),
                Watched::Canceled => return Ok(ExitCode::from(EXIT_INTERRUPTED as u8)),
            }
        }
        _ => match args.merge()? {
            Some(union) => (union, args.files.clone()),
            None => return Ok(ExitCode::FAILURE),
        },
    };
    if union.is_empty() {
        return Err("there are no games in these files".into());
    }
    let standing = union.results();
    if args.sprt.is_some() && (standing.names.len(), standing.head_to_head.len()) != (2, 1) {
        return Err("--sprt needs exactly two engines in games between two sides".into());
    }
    let (trial, waits_for) = args.sprt.map(|test| union.sprt(test)).unzip();
    let table = StandingsTable::new(&standing, Some(union.planned()), trial.as_ref());
    let mut out = io::stdout();
    if args.json {
        serde_json::to_writer(&mut out, &table)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{table}")?;
        if standing.head_to_head.len() > 1 {
            writeln!(out, "\n{}", CrossTable(&standing))?;
        }
    }
    out.flush()?;
    if let Some(path) = &args.report {
        write_report(path, &union, args.sprt, &files)?;
    }
    if let Some(path) = &args.pgn {
        write_pgn(path, &files)?;
    }
    let accepted = trial.and_then(|trial| trial.accepted());
    if let (Some(command), Some(accepted)) = (&args.on_decision, accepted) {
        run_command(command, accepted)?;
    }
    if let (None, Some(number)) = (accepted, waits_for.flatten()) {
        let mut errors = io::stderr();
        writeln!(errors, "pentarch: the test waits for game {number}: it adds pairs in order")?;
    }
    if accepted.is_none() && print_missing(&union)? {
        return Ok(ExitCode::FAILURE);
    }
    let rejected = accepted == Some(Hypothesis::H0);
    Ok(if rejected { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn write_pgn(path: &Path, files: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    let named = |error: io::Error| format!("{}: {error}", path.display());
    let mut out = AtomicFile::create(path).map_err(named)?;
    for file in files {
        RecordFile::read(file, |record| {
            let text = results_as_pgn(&record).unwrap_or_default();
            out.write_all(text.as_bytes()).map_err(named)
        })?;
    }
    Ok(out.commit().map_err(named)?)
}

/// Runs the command of --on-decision.
fn run_command(command: &str, accepted: Hypothesis) -> Result<(), String> {
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut process = Command::new(shell);
    process.args([option, command]).env("PENTARCH_DECISION", format!("{accepted:?}"));
    let ended = process.status().map_err(|error| format!("cannot run `{command}`: {error}"))?;
    if ended.success() { Ok(()) } else { Err(format!("`{command}` failed: {ended}")) }
}

/// How watching ended.
enum Watched {
    /// The test decided, or all games are in these files.
    Ended(Box<MergedResults>, Vec<PathBuf>),
    /// Games do not belong together; the error is printed.
    Refused,
    Canceled,
}

impl MergeArgs {
    /// Follows the record files of a folder. Only complete lines are read, and games are ordered by
    /// their numbers, so that files may appear and grow in any order and clocks may differ.
    fn watch(
        &self,
        folder: &Path,
        test: Sprt,
        cancel: &CancelToken,
    ) -> Result<Watched, Box<dyn Error>> {
        let mut union = MergedResults::default();
        let mut offsets: BTreeMap<PathBuf, u64> = BTreeMap::new();
        let mut shown = None;
        loop {
            let failed = |error| format!("cannot read the folder {}: {error}", folder.display());
            for entry in folder.read_dir().map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                if path.extension().is_some_and(|extension| extension == "jsonl") {
                    offsets.entry(path).or_default();
                }
            }
            for (path, offset) in &mut offsets {
                let read = RecordFile::read_appended(path, offset, |record| union.add(&record));
                if let Err(error) = read {
                    writeln!(io::stderr(), "pentarch: {error}")?;
                    return Ok(Watched::Refused);
                }
            }
            let (sprt, _) = union.sprt(test);
            let is_complete = !union.is_empty() && union.missing().is_empty();
            if sprt.accepted().is_some() || is_complete {
                return Ok(Watched::Ended(Box::new(union), offsets.into_keys().collect()));
            }
            let line =
                format!("{} games, {sprt} after {} pairs", union.results().games(), sprt.pairs());
            if shown.as_ref() != Some(&line) {
                writeln!(io::stderr(), "{line}")?;
                shown = Some(line);
            }
            let next = Instant::now() + self.interval;
            while Instant::now() < next {
                if cancel.is_canceled() {
                    return Ok(Watched::Canceled);
                }
                thread::sleep(Duration::from_millis(50).min(self.interval));
            }
        }
    }

    /// Merges the files. Prints an error and returns `None` if games do not belong together.
    fn merge(&self) -> Result<Option<MergedResults>, Box<dyn Error>> {
        let mut union = MergedResults::default();
        let mut has_conflict = false;
        let mut errors = io::stderr();
        for path in &self.files {
            let mut refused = None;
            let cut = RecordFile::read(path, |record| {
                if refused.is_none() {
                    refused = union.add(&record).err();
                }
                Ok(())
            })?;
            if let Some(reason) = refused {
                writeln!(errors, "pentarch: {}: {reason}", path.display())?;
                has_conflict = true;
            }
            if cut {
                writeln!(errors, "pentarch: {}: its last game is incomplete", path.display())?;
            }
        }
        Ok((!has_conflict).then_some(union))
    }
}

/// Prints the numbers of missing games. Returns whether there are any.
fn print_missing(union: &MergedResults) -> io::Result<bool> {
    let missing = union.missing();
    if missing.is_empty() {
        return Ok(false);
    }
    let range = |&(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let ranges: Vec<String> = missing.iter().map(range).collect();
    let shards: Vec<&str> = union.shards().collect();
    let parts = if shards.is_empty() {
        String::new()
    } else {
        format!("; there are games of the shards {}", shards.join(", "))
    };
    writeln!(io::stderr(), "pentarch: missing games: {}{parts}", ranges.join(", "))?;
    Ok(true)
}
