//! `pentarch train network`.

use super::super::CommandResult;
use super::super::options::count;
use super::{AimArgs, made_by, write_network};
use clap::Args;
use pentarch_engine::eval::{EvalFile, Genre, Grouping, Network};
use pentarch_lab::{Corpus, CorpusError, NetworkFit};
use std::io::{self, Write as _};
use std::path::PathBuf;

/// Fits a network that corrects the values of the weights.
///
/// What it foretells, and which positions it is fitted to, is as in `train fit`. Says the loss after
/// each round on standard error, that over the positions held out second. The option `EvalFile` plays
/// with the file, whose head says how it was made. The same games, options and seed give the same file.
#[derive(Debug, Args)]
pub(super) struct NetworkArgs {
    /// Files of `train selfplay` or `train rescore`, of games that share weights
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The file to write; none writes to standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many of the shapes of a cell's lines are looked at, the most valuable ones
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=3))]
    shapes: u8,
    /// A network to go on with, of the same --shapes and --flags
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// What else is looked at: captures, attacks and exposes, or, with three shapes of games of
    /// lines, how ample they are
    #[arg(long, value_name = "WORD,...", value_delimiter = ',')]
    #[arg(value_parser = Grouping::FLAGS)]
    flags: Vec<String>,
    #[command(flatten)]
    aim: AimArgs,
    /// How often each position is seen
    #[arg(long, value_name = "N", default_value_t = 12)]
    epochs: usize,
    /// The first rate of steps
    #[arg(long, value_name = "RATE", default_value_t = 0.002)]
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

pub(super) fn run(args: &NetworkArgs) -> CommandResult {
    let flags = Grouping::FLAGS.map(|flag| args.flags.iter().any(|given| given == flag));
    let grouping = Grouping::new(usize::from(args.shapes), flags);
    let grouping = grouping.ok_or(
        "too many kinds of cells; take fewer --shapes or --flags, and ample with 3 shapes alone",
    )?;
    let from = args.from.as_deref().map(EvalFile::read).transpose()?;
    let fit = NetworkFit {
        from: from.as_ref().map(|file| begin_with(file, &grouping)).transpose()?,
        grouping,
        aim: args.aim.aim(),
        epochs: args.epochs,
        rate: args.rate,
        decay: args.decay,
        seed: args.seed,
    };
    let pool = super::pool(args.threads)?;
    let (corpus, network, report) = pool.install(|| {
        let corpus = Corpus::read(&args.games)?;
        let (network, report) = fit.run(&corpus, |epoch, fitted, held_out| {
            let _ = writeln!(io::stderr(), "{epoch}: {fitted:.5} {held_out:.5}");
        })?;
        Ok::<_, CorpusError>((corpus, network, report))
    })?;
    let mut remarks = vec![made_by()];
    remarks.extend(
        from.iter().map(|file| format!("went on from a file of hash {:016x}", file.hash())),
    );
    write_network(args.out.as_deref(), &args.games, &network, remarks, &corpus, &report)
}

/// The network of a file, if a fit with that grouping can go on with it.
fn begin_with(file: &EvalFile, grouping: &Grouping) -> Result<Network, String> {
    let network = Genre::ALL.into_iter().find_map(|genre| file.network(genre));
    let network = network.filter(|network| network.grouping() == grouping).ok_or_else(|| {
        format!("{} is no network of these --shapes and --flags", file.path().display())
    })?;
    Ok(Network::clone(network))
}
