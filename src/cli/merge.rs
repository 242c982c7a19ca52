//! `pentarch merge`.

use super::CommandResult;
use clap::Args;
use pentarch_arena::{CrossTable, Hypothesis, MergedResults, Sprt, StandingsTable, write_report};
use pentarch_records::{AtomicFile, RecordFile, results_as_pgn};
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Joins the records of a tournament's parts into one standing.
///
/// The games must be of the same tournament, none may be there twice, and none may be missing; with
/// --sprt the test may decide before all are played. The exit code is 0 if that holds, 1 if not or if
/// the test accepts H0, 2 if a file cannot be read.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Records that `tournament` or `match` has written
    #[arg(required = true, value_name = "RECORDS")]
    files: Vec<PathBuf>,
    /// Write a page with the standing and every game
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Write the results of games of two sides as PGN, for rating programs such as Ordo
    #[arg(long, value_name = "FILE.pgn")]
    pgn: Option<PathBuf>,
    /// Let a sequential test decide on all games, such as elo0=0,elo1=20
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Print the standing as JSON, and nothing else
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &MergeArgs) -> CommandResult {
    let Some(union) = args.join()? else { return Ok(ExitCode::FAILURE) };
    if union.is_empty() {
        return Err("there are no games in these files".into());
    }
    let standing = union.results();
    if args.sprt.is_some() && standing.head_to_head.len() != 1 {
        return Err("--sprt compares two engines in games of two sides".into());
    }
    let trial = args.sprt.map(|test| union.sprt(test));
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
        write_report(path, &union, args.sprt, &args.files)?;
    }
    if let Some(path) = &args.pgn {
        args.write_results(path)?;
    }
    let accepted = trial.and_then(|trial| trial.accepted());
    if accepted.is_none() && say_missing(&union)? {
        return Ok(ExitCode::FAILURE);
    }
    let rejected = accepted == Some(Hypothesis::H0);
    Ok(if rejected { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

impl MergeArgs {
    /// Writes all results for programs that rate.
    fn write_results(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let named = |error: io::Error| format!("{}: {error}", path.display());
        let mut out = AtomicFile::create(path).map_err(named)?;
        for file in &self.files {
            RecordFile::read(file, |record| {
                let text = results_as_pgn(&record).unwrap_or_default();
                out.write_all(text.as_bytes()).map_err(named)
            })?;
        }
        Ok(out.commit().map_err(named)?)
    }

    /// All games, or none if some do not belong together, which was said.
    fn join(&self) -> Result<Option<MergedResults>, Box<dyn Error>> {
        let mut union = MergedResults::default();
        let mut wrong = false;
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
                wrong = true;
            }
            if cut {
                writeln!(errors, "pentarch: {}: its last game is half-written", path.display())?;
            }
        }
        Ok((!wrong).then_some(union))
    }
}

/// Says which games are missing, if any are.
fn say_missing(union: &MergedResults) -> io::Result<bool> {
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
        format!("; there are games of the parts {}", shards.join(", "))
    };
    writeln!(io::stderr(), "pentarch: missing are the games {}{parts}", ranges.join(", "))?;
    Ok(true)
}
