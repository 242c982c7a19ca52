//! `pentarch train check`.

use super::super::CommandResult;
use super::super::options::count;
use super::AimArgs;
use crate::eval::{EvalFile, Weights};
use crate::training::{Corpus, CorpusError, Positions};
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Says how well weights foretell games that they were not fitted to.
///
/// Prints the loss of values and moves over every tenth game, and what values foretold beside what
/// came of it, for the weights of a file and for those of the program.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Files of `train selfplay` or `train rescore`, of games that share weights
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The weights
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    #[command(flatten)]
    aim: AimArgs,
    /// How many positions give moves, about
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    choices: usize,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    threads: usize,
}

pub(super) fn run(args: &CheckArgs) -> CommandResult {
    let file = args.eval_file.as_deref().map(EvalFile::read).transpose()?;
    let pool = super::pool(args.threads)?;
    let (genre, positions) = pool.install(|| {
        let corpus = Corpus::read(&args.games)?;
        Ok::<_, CorpusError>((corpus.genre(), Positions::of(&corpus, args.choices)?))
    })?;
    let mut sets: Vec<(String, &Weights)> = Vec::new();
    if let Some(file) = &file {
        let weights = file.weights(genre);
        let weights = weights.ok_or_else(|| format!("the weights are for no games of {genre}"))?;
        sets.push((file.path().display().to_string(), weights));
    }
    sets.push(("built in".to_owned(), Weights::built_in(genre)));
    let aim = args.aim.aim();
    let mut out = io::stdout().lock();
    for (name, weights) in sets {
        let check = pool.install(|| positions.check(weights, aim, true));
        writeln!(out, "{name}: {check}\n{}", check.calibration())?;
    }
    Ok(ExitCode::SUCCESS)
}
