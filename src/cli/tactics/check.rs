//! `pentarch tactics check`.

use super::super::CommandResult;
use super::super::options::count;
use crate::eval::PatternTables;
use crate::tactics::{Prover, Reach, Spent, Tactic};
use clap::Args;
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Proves the wins of tactics files again, against every defense.
///
/// Lists every position whose win is not proved in the length that is written, or is proved in a
/// shorter one, or by other first moves. Fails if there is one.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Tactics files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How many moves of a win may neither threaten nor answer a threat
    #[arg(long, value_name = "MOVES", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=3))]
    quiet: u32,
    /// The most nodes for a position
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Positions to prove at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    threads: usize,
}

pub(super) fn run(args: &CheckArgs) -> CommandResult {
    let pool = super::pool(args.threads)?;
    let mut out = io::stdout();
    let mut wrong = 0;
    for path in &args.files {
        let tactics = Tactic::read(path)?;
        let bar = super::progress(tactics.len(), "positions");
        let fault = |tactic: &Tactic| {
            let fault = args.fault(tactic);
            bar.inc(1);
            fault
        };
        let faults: Vec<_> = pool.install(|| tactics.par_iter().map(fault).collect());
        bar.finish_and_clear();
        for (tactic, fault) in tactics.iter().zip(&faults) {
            if let Some(fault) = fault {
                writeln!(out, "{}: {fault}\n  {tactic}", path.display())?;
            }
        }
        let faults = faults.iter().flatten().count();
        writeln!(out, "{}: {} positions, {faults} wrong", path.display(), tactics.len())?;
        wrong += faults;
    }
    out.flush()?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

impl CheckArgs {
    /// What is wrong with a position, if anything.
    fn fault(&self, tactic: &Tactic) -> Option<String> {
        let Some(position) = tactic.game.placement() else {
            return Some("no game of stones".to_owned());
        };
        let tables = Arc::new(PatternTables::new(position.rules()));
        let mut prover = Prover::new(position, tables, self.nodes);
        let reach = Reach { plies: tactic.plies, quiet: self.quiet };
        match prover.shortest(reach) {
            Err(Spent) => return Some(Spent.to_string()),
            Ok(None) => return Some("no win found".to_owned()),
            Ok(Some(win)) if win.plies != tactic.plies => {
                return Some(format!("a win in {}", win.plies));
            }
            Ok(Some(_)) => (),
        }
        let Ok(mut first) = prover.first_moves(reach) else { return Some(Spent.to_string()) };
        let mut written = tactic.first.clone();
        first.sort_unstable();
        written.sort_unstable();
        let texts: Vec<_> = first.iter().map(|&mv| tactic.game.move_text(mv)).collect();
        (first != written).then(|| format!("the first moves are {}", texts.join(" ")))
    }
}
