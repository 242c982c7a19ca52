//! `pentarch tactics check`.

use super::super::CommandResult;
use super::super::options::count;
use clap::Args;
use pentarch_analysis::tactics::{LimitReached, MateProver, ProofLimits, Tactic};
use pentarch_engine::eval::PatternTables;
use pentarch_records::Charset;
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Proves the wins of tactics files again, against every defense.
///
/// Lists every position whose win is not proved in the length that is written, or is proved in a
/// shorter one, or by other first moves, and every position that the nodes do not suffice to decide.
/// Fails if there is one.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Tactics files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The character set of the files: GB18030, Big5, KOI8-R, windows-1251 [default: UTF-8, or guessed]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
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
    let mut all_hold = true;
    for path in &args.files {
        let tactics = Tactic::read(path, args.charset)?;
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
        let faults: Vec<_> = faults.iter().flatten().collect();
        let undecided = faults.iter().filter(|fault| matches!(fault, Fault::Undecided(_))).count();
        let wrong = faults.len() - undecided;
        write!(out, "{}: {} positions, {wrong} wrong", path.display(), tactics.len())?;
        match undecided {
            0 => writeln!(out)?,
            _ => writeln!(out, ", {undecided} undecided")?,
        }
        all_hold &= faults.is_empty();
    }
    out.flush()?;
    Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What speaks against a position as it is written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Fault {
    #[error("no game of stones")]
    NoStones,
    #[error("no win found")]
    NoWin,
    #[error("a win in {0}")]
    Length(u32),
    #[error("the first moves are {0}")]
    FirstMoves(String),
    #[error(transparent)]
    Undecided(#[from] LimitReached),
}

impl CheckArgs {
    /// What is wrong with a position, if anything.
    fn fault(&self, tactic: &Tactic) -> Option<Fault> {
        self.check(tactic).err()
    }

    fn check(&self, tactic: &Tactic) -> Result<(), Fault> {
        let position = tactic.game.placement().ok_or(Fault::NoStones)?;
        let tables = Arc::new(PatternTables::new(position.rules()));
        let mut prover = MateProver::new(position, tables, self.nodes);
        let reach = ProofLimits { plies: tactic.plies, quiet: self.quiet };
        let win = prover.shortest(reach)?.ok_or(Fault::NoWin)?;
        if win.plies != tactic.plies {
            return Err(Fault::Length(win.plies));
        }
        let mut first = prover.first_moves(reach)?;
        let mut written = tactic.first.clone();
        first.sort_unstable();
        written.sort_unstable();
        let texts: Vec<_> = first.iter().map(|&mv| tactic.game.move_text(mv)).collect();
        if first == written { Ok(()) } else { Err(Fault::FirstMoves(texts.join(" "))) }
    }
}
