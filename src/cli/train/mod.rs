//! `pentarch train`: the data and the weights of evaluations.

mod check;
mod fit;
mod network;
mod policy;
mod rescore;
mod self_play;

use super::CommandResult;
use super::output::Output;
use clap::{Args, Subcommand};
use pentarch_engine::eval::Network;
use pentarch_lab::{Aim, Corpus};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::env;
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make the weights of evaluations: play, search again, fit, check.
#[derive(Debug, Args)]
pub(super) struct TrainArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games of the engine against itself, and keep what its searches say.
    Selfplay(self_play::SelfPlayArgs),
    /// Replace the values of games by those of deeper searches.
    Rescore(rescore::RescoreArgs),
    /// Fit weights to games.
    Fit(fit::FitArgs),
    /// Fit a network that corrects the values of weights.
    Network(network::NetworkArgs),
    /// Give a network a head for the order of moves.
    Policy(policy::PolicyArgs),
    /// Say how well weights foretell games that they were not fitted to.
    Check(check::CheckArgs),
}

/// What values are to foretell.
#[derive(Debug, Args)]
struct AimArgs {
    /// The share of the result of the game in what values foretell, the rest is the search's
    #[arg(long, value_name = "PERCENT", default_value_t = 30)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    result: u32,
    /// How much larger values are than probabilities say
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(10..=400))]
    stretch: u32,
}

impl AimArgs {
    fn aim(&self) -> Aim {
        Aim { result: self.result as f32 / 100.0, stretch: self.stretch as f32 / 100.0 }
    }
}

pub(super) fn run(args: &TrainArgs) -> CommandResult {
    match &args.command {
        Command::Selfplay(args) => self_play::run(args),
        Command::Rescore(args) => rescore::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Network(args) => network::run(args),
        Command::Policy(args) => policy::run(args),
        Command::Check(args) => check::run(args),
    }
}

/// Threads with room for a search.
fn pool(threads: usize) -> Result<ThreadPool, Box<dyn Error>> {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    let builder = builder.stack_size(pentarch_lab::SelfPlay::STACK);
    Ok(builder.build().map_err(|error| format!("cannot start {threads} threads: {error}"))?)
}

/// What makes a file: the program and its command line, the paths of files without their folders.
fn made_by() -> String {
    let name = |word: String| {
        let path = PathBuf::from(&word);
        path.file_name().map_or(word, |name| name.to_string_lossy().into_owned())
    };
    let words: Vec<String> = env::args().skip(1).map(name).collect();
    format!("{}: {}", pentarch_engine::NAME_AND_VERSION, words.join(" "))
}

/// Writes a network with its remarks, those on its games and on how well it came out at the end. No
/// file writes to standard output.
fn write_network(
    out: Option<&Path>,
    games: &[PathBuf],
    network: &Network,
    mut remarks: Vec<String>,
    corpus: &Corpus,
    report: &impl Display,
) -> CommandResult {
    remarks.extend(corpus.sources().iter().map(ToString::to_string));
    remarks.push(report.to_string());
    writeln!(io::stderr(), "{report}")?;
    let mut out = Output::open(out, games)?;
    out.write_all(&network.to_bytes(&remarks))?;
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
