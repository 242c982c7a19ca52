//! `pentarch train policy`.

use super::super::CommandResult;
use super::super::options::count;
use super::{made_by, write_network};
use clap::Args;
use pentarch_engine::eval::{EvalFile, Network};
use pentarch_lab::{Corpus, PolicyFit};
use std::io::{self, Write as _};
use std::path::PathBuf;

/// Gives a network a head for the order of moves.
///
/// The head is fitted to the moves that searches chose, in positions in which neither side can win with
/// its next move; every tenth game is kept for the check that stands in the file. The network and its
/// values stay as they are, and a head that it has is replaced. Says the loss after each round on
/// standard error, that over the positions held out second. The same games, options and seed give the
/// same file.
#[derive(Debug, Args)]
pub(super) struct PolicyArgs {
    /// Files of `train selfplay` or `train rescore`, of games that share weights
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The network that gets the head
    #[arg(long, value_name = "FILE")]
    network: PathBuf,
    /// The file to write; none writes to standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How often each position is seen
    #[arg(long, value_name = "N", default_value_t = 4)]
    epochs: usize,
    /// The first rate of steps
    #[arg(long, value_name = "RATE", default_value_t = 0.01)]
    rate: f32,
    /// What is taken off what cells are worth with each step, as a share of the rate
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    decay: f32,
    /// Chooses the first numbers and shuffles the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    threads: usize,
}

pub(super) fn run(args: &PolicyArgs) -> CommandResult {
    let &PolicyArgs { epochs, rate, decay, seed, .. } = args;
    let fit = PolicyFit { epochs, rate, decay, seed };
    let file = EvalFile::read(&args.network)?;
    let pool = super::pool(args.threads)?;
    let corpus = pool.install(|| Corpus::read(&args.games))?;
    let network = file.network(corpus.genre()).ok_or_else(|| {
        let path = file.path().display();
        format!("{path} is no network for games of {}", corpus.genre())
    })?;
    let (policy, report) = pool.install(|| {
        fit.run(&corpus, network, |epoch, fitted, held_out| {
            let _ = writeln!(io::stderr(), "{epoch}: {fitted:.4} {held_out:.4}");
        })
    })?;
    let mut remarks = file.remarks().to_vec();
    remarks.push(made_by());
    let network = Network::clone(network).with_policy(policy);
    write_network(args.out.as_deref(), &args.games, &network, remarks, &corpus, &report)
}
