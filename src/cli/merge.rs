//! `pentarch merge`.

use super::ExitResult;
use clap::Args;
use pentarch_arena::{CrossTable, Hypothesis, MergedResults, Sprt, StandingsTable, write_report};
use pentarch_records::{AtomicFile, RecordFile, results_as_pgn};
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Merges the records of the shards of a tournament into one standing.
///
/// The games must belong to one tournament, without duplicates and without gaps; with --sprt the test
/// may decide before all games are played. The exit code is 0 if this holds, 1 if not or if the test
/// accepts H0, 2 if a file cannot be read.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Record files of `tournament` or `match`
    #[arg(required = true, value_name = "RECORDS")]
    files: Vec<PathBuf>,
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
    let Some(union) = args.merge()? else { return Ok(ExitCode::FAILURE) };
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
        write_report(path, &union, args.sprt, &args.files)?;
    }
    if let Some(path) = &args.pgn {
        args.write_pgn(path)?;
    }
    let accepted = trial.and_then(|trial| trial.accepted());
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

impl MergeArgs {
    fn write_pgn(&self, path: &Path) -> Result<(), Box<dyn Error>> {
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
