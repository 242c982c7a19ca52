//! `pentarch train fit`.

use super::super::CommandResult;
use super::super::options::count;
use super::super::output::Output;
use super::{AimArgs, made_by};
use clap::Args;
use pentarch_lab::{Corpus, CorpusError, Fit, Games, HexCorpus, Regression};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Fits weights to games.
///
/// Values are fitted to what searches said of positions, mixed with how their games ended (a logistic
/// regression), ordering scores to the moves that searches chose (a multinomial one). Positions with a
/// win in one are left out. Between two sides values, and moves of one stone a turn on squares, leave out
/// those as well where someone threatens one or has a few fours. Every tenth game is kept for the check
/// that stands in the file. The option `EvalFile` plays with the file.
#[derive(Debug, Args)]
pub(super) struct FitArgs {
    /// Files of `train selfplay` or `train rescore`, of games that share weights
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The file to write; none writes to standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    aim: AimArgs,
    /// How many positions give moves, about
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    choices: usize,
    /// How often each position is seen
    #[arg(long, value_name = "N", default_value_t = 12)]
    epochs: usize,
    /// Shuffles the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    threads: usize,
}

pub(super) fn run(args: &FitArgs) -> CommandResult {
    let fit = Fit {
        aim: args.aim.aim(),
        choices: args.choices,
        regression: Regression { epochs: args.epochs, seed: args.seed, ..Regression::default() },
    };
    let pool = super::pool(args.threads)?;
    let (sources, weights, made) = pool.install(|| {
        let games = Games::read(&args.games)?;
        let sources = games.sources().to_vec();
        let (weights, made) = if HexCorpus::holds(&games) {
            let (weights, made) = fit.run_on_hexes(&HexCorpus::of(games)?)?;
            (weights.to_string(), made)
        } else {
            let (weights, made) = fit.run(&Corpus::of(games)?)?;
            (weights.to_string(), made)
        };
        Ok::<_, CorpusError>((sources, weights, made))
    })?;
    let mut out = Output::open(args.out.as_deref(), &args.games)?;
    writeln!(out, "# {}", made_by())?;
    for source in &sources {
        writeln!(out, "# {source}")?;
    }
    writeln!(out, "# {made}\n")?;
    write!(out, "{weights}")?;
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
