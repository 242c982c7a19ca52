//! `pentarch train`: training data and weights of the evaluation.

use super::ExitResult;
use super::args::thread_count;
use super::io::{OutputTarget, progress_bar};
use clap::{Args, Subcommand};
use pentarch_arena::Shard;
use pentarch_core::rules::Ruleset;
use pentarch_engine::eval::{
    EvalFile, FeatureBuckets, HexGame, HexWeights, Network, RuleClass, Weights,
};
use pentarch_lab::{
    Corpus, CorpusError, HexCorpus, LinearFit, NetworkFit, PolicyFit, Regression, RegressionData,
    SelfPlay, StartPositions, TrainingFile, TrainingGames, TrainingManifest, TrainingTarget,
    rescore,
};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::env;
use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Train the evaluation: play games, rescore them, fit weights, validate them.
#[derive(Debug, Args)]
pub(super) struct TrainArgs {
    #[command(subcommand)]
    command: TrainCommand,
}

#[derive(Debug, Subcommand)]
enum TrainCommand {
    /// Play games of the engine against itself and record the search results.
    Selfplay(SelfPlayArgs),
    /// Replace the scores of games by those of deeper searches.
    Rescore(RescoreArgs),
    /// Fit weights to games.
    Fit(FitArgs),
    /// Fit a network that corrects the values of the weights.
    Network(NetworkArgs),
    /// Add a policy head for move ordering to a network.
    Policy(PolicyArgs),
    /// Validate weights on games that they were not fitted to.
    Check(TrainCheckArgs),
}

/// What values are trained to predict.
#[derive(Debug, Args)]
struct TargetArgs {
    /// Weight of the result of the game in the training target; the rest is the search score
    #[arg(long, value_name = "PERCENT", default_value_t = 30)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    result: u32,
    /// Points of one logit, as a percentage of the scale of scores
    #[arg(long, alias = "stretch", value_name = "PERCENT", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(10..=400))]
    value_scale: u32,
}

impl TargetArgs {
    fn target(&self) -> TrainingTarget {
        TrainingTarget {
            result_weight: self.result as f32 / 100.0,
            value_scale: self.value_scale as f32 / 100.0,
        }
    }
}

pub(super) fn run(args: &TrainArgs) -> ExitResult {
    match &args.command {
        TrainCommand::Selfplay(args) => self_play(args),
        TrainCommand::Rescore(args) => rescore_games(args),
        TrainCommand::Fit(args) => fit(args),
        TrainCommand::Network(args) => network(args),
        TrainCommand::Policy(args) => policy(args),
        TrainCommand::Check(args) => check(args),
    }
}

/// A pool whose threads have enough stack for a search.
fn thread_pool(threads: usize) -> Result<ThreadPool, Box<dyn Error>> {
    let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(SelfPlay::STACK);
    Ok(builder.build().map_err(|error| format!("cannot start {threads} threads: {error}"))?)
}

/// The program and its command line, with the paths of files shortened to their names, for the remarks
/// of weights.
fn made_by() -> String {
    let name = |word: String| {
        let path = PathBuf::from(&word);
        path.file_name().map_or(word, |name| name.to_string_lossy().into_owned())
    };
    let words: Vec<String> = env::args().skip(1).map(name).collect();
    format!("{}: {}", pentarch_engine::NAME_AND_VERSION, words.join(" "))
}

/// Writes a network to a file or to standard output, with remarks about its games and its validation.
fn write_network(
    out: Option<&Path>,
    games: &[PathBuf],
    network: &Network,
    mut remarks: Vec<String>,
    corpus: &Corpus,
    report: &impl Display,
) -> ExitResult {
    remarks.extend(corpus.sources().iter().map(ToString::to_string));
    remarks.push(report.to_string());
    writeln!(io::stderr(), "{report}")?;
    let mut out = OutputTarget::open(out, games)?;
    out.write_all(&network.to_bytes(&remarks))?;
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Plays games of the engine against itself and records the search results.
///
/// Writes a line with the settings, then each game as a JSON line: its moves, the search scores for the
/// side to move, the winner, and side positions, which follow random moves that were searched but not
/// played. A game ends when a search proves a win. The same seed writes the same file, whatever the number
/// of threads; --resume continues an unfinished file. With --shard K/N several machines play the games of a
/// file, each every Nth of them, into files that `train fit` reads together.
#[derive(Debug, Args)]
struct SelfPlayArgs {
    /// File to write
    out: PathBuf,
    /// Games, separated by commas, which are used in turn
    #[arg(long, value_name = "SPEC,...", value_delimiter = ',', default_value = "pro-pente")]
    variants: Vec<Ruleset>,
    /// Number of games to play
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u32,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 500)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// File of games to sample openings from, instead of random moves; may be repeated
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Most random moves near the stones after a sampled opening
    #[arg(long, alias = "strays", value_name = "N", default_value_t = 0, requires = "from")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=8))]
    random_moves: u32,
    /// Fewest moves of an opening
    #[arg(long, value_name = "PLIES", default_value_t = 2)]
    least_plies: u32,
    /// Most moves of an opening [default: 8 random moves, or any ply of a sampled game]
    #[arg(long, value_name = "PLIES")]
    most_plies: Option<u32>,
    /// Greatest score of a random opening for either side, in points
    #[arg(long, value_name = "POINTS", default_value_t = 400)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=20_000))]
    balance: u32,
    /// Percentage of positions after which a random move is searched as well
    #[arg(long, alias = "asides", value_name = "PERCENT", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=100))]
    side_positions: u32,
    /// Seed of openings and side positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of concurrent games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
    /// Play only every Nth game from the Kth on, such as 2/4
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Continue the file
    #[arg(long)]
    resume: bool,
}

/// The default of `--most-plies` for random openings.
const MAX_RANDOM_PLIES: u32 = 8;
/// The number of games that each thread plays before they are written.
const GAMES_PER_THREAD: usize = 16;

fn self_play(args: &SelfPlayArgs) -> ExitResult {
    let opening = opening_plies(args)?;
    for rules in &args.variants {
        let two_on_hexes = rules.hexes().is_some() && rules.seating().seats == 2;
        if rules.squares().is_none() && !two_on_hexes {
            let message = "has no weights to train: only stones on squares have, and two-player games \
                           on hexagons";
            return Err(format!("{rules} {message}").into());
        }
    }
    let starts = start_positions(&args.from)?;
    let self_play = SelfPlay {
        variants: args.variants.iter().map(Ruleset::to_string).collect(),
        nodes: args.nodes,
        opening,
        opening_sources: starts.sources().to_vec(),
        random_moves: args.random_moves,
        balance: args.balance,
        side_positions: args.side_positions,
        seed: args.seed,
        shard: args.shard.map(|shard| shard.to_string()),
    };
    let manifest = TrainingManifest::new(self_play);
    let (mut file, done) = TrainingFile::open(&args.out, &manifest, args.resume)?;
    let pool = thread_pool(args.threads)?;
    let is_own = |number: &u32| args.shard.is_none_or(|shard| shard.holds(*number));
    let numbers: Vec<u32> = (0..args.games).filter(is_own).collect();
    let bar = progress_bar(numbers.len(), "{bar:30} {pos} of {len} games, {eta} left");
    bar.inc(u64::from(done));
    let numbers = numbers.get(done as usize..).unwrap_or_default();
    for batch in numbers.chunks(GAMES_PER_THREAD * args.threads) {
        let play = |&number: &u32| manifest.self_play.game(&args.variants, &starts, number);
        let games: Result<Vec<_>, _> = pool.install(|| batch.par_iter().map(play).collect());
        file.append(&games?)?;
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

/// The least and the greatest number of moves of an opening.
fn opening_plies(args: &SelfPlayArgs) -> Result<[u32; 2], String> {
    let default = if args.from.is_empty() { MAX_RANDOM_PLIES } else { SelfPlay::MAX_PLIES };
    let (least, most) = (args.least_plies, args.most_plies.unwrap_or(default));
    if least > most {
        return Err(format!("--least-plies {least} is more than --most-plies {most}"));
    }
    Ok([least, most])
}

/// Reads the games that openings are sampled from. Fails if there are files but no usable game.
fn start_positions(files: &[PathBuf]) -> Result<StartPositions, Box<dyn Error>> {
    let mut starts = StartPositions::default();
    for path in files {
        starts.add(path)?;
    }
    if starts.is_empty() && !files.is_empty() {
        return Err("--from has no game that is long enough to sample openings from".into());
    }
    Ok(starts)
}

/// Replaces the scores of games by those of deeper searches.
///
/// Reads a file of `train selfplay` and writes one with the scores and best moves of searches with more
/// nodes, or of a newer engine; moves and results do not change. --resume continues an unfinished file.
#[derive(Debug, Args)]
struct RescoreArgs {
    /// File of games
    games: PathBuf,
    /// File to write
    out: PathBuf,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 5000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop after this many games
    #[arg(long, value_name = "GAMES", default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// Number of games to search concurrently
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
    /// Continue the file
    #[arg(long)]
    resume: bool,
}

fn rescore_games(args: &RescoreArgs) -> ExitResult {
    let mut games = Vec::new();
    let mut manifest = TrainingFile::read(&args.games, |game| games.push(game))?;
    games.truncate(args.limit);
    manifest.rescored = Some(args.nodes);
    let (mut file, done) = TrainingFile::open(&args.out, &manifest, args.resume)?;
    let pool = thread_pool(args.threads)?;
    let bar = progress_bar(games.len(), "{bar:30} {pos} of {len} games, {eta} left");
    bar.inc(u64::from(done));
    let games = games.get(done as usize..).unwrap_or_default();
    for batch in games.chunks(GAMES_PER_THREAD * args.threads) {
        let search = |game| rescore(game, args.nodes);
        let rescored: Result<Vec<_>, _> = pool.install(|| batch.par_iter().map(search).collect());
        file.append(&rescored?)?;
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

/// Fits weights to games.
///
/// Value weights are fitted to a mix of search scores and game results by logistic regression, ordering
/// weights to the best moves of the searches by multinomial regression. Positions with a win in one are
/// left out. In games between two sides, values (and with one stone a turn on squares, moves) also leave out
/// positions in which the opponent threatens to win at once or the mover has a short VCF. Every tenth game
/// is held out for validation, whose result is written to the file. The option `EvalFile` loads the file.
#[derive(Debug, Args)]
struct FitArgs {
    /// Files of `train selfplay` or `train rescore` whose games share one weight set
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// File to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
    /// Approximate number of positions whose moves are used
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    choices: usize,
    /// Number of passes over the positions
    #[arg(long, value_name = "N", default_value_t = 12)]
    epochs: usize,
    /// Seed of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
}

fn fit(args: &FitArgs) -> ExitResult {
    let fit = LinearFit {
        target: args.target.target(),
        choices: args.choices,
        regression: Regression { epochs: args.epochs, seed: args.seed, ..Regression::default() },
    };
    let pool = thread_pool(args.threads)?;
    let bytes = pool.install(|| {
        let games = TrainingGames::read(&args.games)?;
        let mut remarks = vec![made_by()];
        remarks.extend(games.sources().iter().map(ToString::to_string));
        let bytes = if HexCorpus::accepts(&games) {
            let (weights, report) = fit.run_on_hexes(&HexCorpus::new(games)?)?;
            remarks.push(report);
            weights.to_bytes(&remarks)
        } else {
            let (weights, report) = fit.run(&Corpus::new(games)?)?;
            remarks.push(report);
            weights.to_bytes(&remarks)
        };
        Ok::<_, CorpusError>(bytes)
    })?;
    let mut out = OutputTarget::open(args.out.as_deref(), &args.games)?;
    out.write_all(&bytes)?;
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Fits a network that corrects the values of the weights.
///
/// The training target and the positions are those of `train fit`. Prints to standard error after each
/// epoch the training loss and the validation loss. The option `EvalFile` loads the file, whose head says
/// how it was made. The same games, options and seed give the same file.
#[derive(Debug, Args)]
struct NetworkArgs {
    /// Files of `train selfplay` or `train rescore` whose games share one weight set
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// File to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of line patterns of a cell that its bucket depends on, the most valuable ones
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=3))]
    shapes: u8,
    /// Network to start from, with the same --shapes and --flags
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// What else buckets depend on: captures, attacks and exposes; or, with three patterns in games without
    /// captures, completions
    #[arg(long, value_name = "WORD,...", value_delimiter = ',')]
    #[arg(value_parser = FeatureBuckets::FLAGS)]
    flags: Vec<String>,
    #[command(flatten)]
    target: TargetArgs,
    /// Number of passes over the positions
    #[arg(long, value_name = "N", default_value_t = 12)]
    epochs: usize,
    /// Learning rate of the first step
    #[arg(long, value_name = "RATE", default_value_t = 0.002)]
    rate: f32,
    #[command(flatten)]
    run: NeuralFitArgs,
}

fn network(args: &NetworkArgs) -> ExitResult {
    let flags = FeatureBuckets::FLAGS.map(|flag| args.flags.iter().any(|given| given == flag));
    let feature_buckets = FeatureBuckets::new(usize::from(args.shapes), flags).ok_or(
        "too many kinds of cells; use fewer --shapes or --flags, and completions only with 3 shapes and \
         without other flags",
    )?;
    let from = args.from.as_deref().map(EvalFile::read).transpose()?;
    let fit = NetworkFit {
        from: from.as_ref().map(|file| initial_network(file, &feature_buckets)).transpose()?,
        feature_buckets,
        target: args.target.target(),
        epochs: args.epochs,
        rate: args.rate,
        decay: args.run.decay,
        seed: args.run.seed,
    };
    let pool = thread_pool(args.run.threads)?;
    let (corpus, network, report) = pool.install(|| {
        let corpus = Corpus::read(&args.games)?;
        let (network, report) = fit.run(&corpus, |epoch, fitted, held_out| {
            let _ = writeln!(io::stderr(), "{epoch}: {fitted:.5} {held_out:.5}");
        })?;
        Ok::<_, CorpusError>((corpus, network, report))
    })?;
    let mut remarks = vec![made_by()];
    remarks.extend(
        from.iter().map(|file| format!("started from a file of hash {:016x}", file.hash())),
    );
    write_network(args.out.as_deref(), &args.games, &network, remarks, &corpus, &report)
}

/// The network of a file, if it has the same buckets.
fn initial_network(file: &EvalFile, feature_buckets: &FeatureBuckets) -> Result<Network, String> {
    let network = RuleClass::ALL.into_iter().find_map(|rule_class| file.network(rule_class));
    let network =
        network.filter(|network| network.buckets() == feature_buckets).ok_or_else(|| {
            format!("{} is no network of these --shapes and --flags", file.path().display())
        })?;
    Ok(Network::clone(network))
}

/// Options that the fits of a network and of a policy head share.
#[derive(Debug, Args)]
struct NeuralFitArgs {
    /// Weight decay of the rows of cells, relative to the learning rate
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    decay: f32,
    /// Seed of the initial parameters and of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
}

/// Adds a policy head for move ordering to a network.
///
/// The head is fitted to the best moves of the searches, in positions in which neither side has a win in
/// one; every tenth game is held out for validation, whose result is written to the file. The values of the
/// network do not change, and an existing head is replaced. Prints to standard error after each epoch the
/// training loss and the validation loss. The same games, options and seed give the same file.
#[derive(Debug, Args)]
struct PolicyArgs {
    /// Files of `train selfplay` or `train rescore` whose games share one weight set
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Network that gets the head
    #[arg(long, value_name = "FILE")]
    network: PathBuf,
    /// File to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of passes over the positions
    #[arg(long, value_name = "N", default_value_t = 4)]
    epochs: usize,
    /// Learning rate of the first step
    #[arg(long, value_name = "RATE", default_value_t = 0.01)]
    rate: f32,
    #[command(flatten)]
    run: NeuralFitArgs,
}

fn policy(args: &PolicyArgs) -> ExitResult {
    let &PolicyArgs { epochs, rate, run: NeuralFitArgs { decay, seed, threads }, .. } = args;
    let fit = PolicyFit { epochs, rate, decay, seed };
    let file = EvalFile::read(&args.network)?;
    let pool = thread_pool(threads)?;
    let corpus = pool.install(|| Corpus::read(&args.games))?;
    let network = file.network(corpus.rule_class()).ok_or_else(|| {
        let path = file.path().display();
        format!("{path} is no network for games of {}", corpus.rule_class())
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

/// Validates weights on games that they were not fitted to.
///
/// Prints the loss of values and moves over every tenth game, and predicted values against results, for the
/// weights of a file and for the built-in ones.
#[derive(Debug, Args)]
struct TrainCheckArgs {
    /// Files of `train selfplay` or `train rescore` whose games share one weight set
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// File of weights
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
    /// Approximate number of positions whose moves are used
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    choices: usize,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
}

fn check(args: &TrainCheckArgs) -> ExitResult {
    let file = args.eval_file.as_deref().map(EvalFile::read).transpose()?;
    let pool = thread_pool(args.threads)?;
    let (weight_set, data) = pool.install(|| {
        let games = TrainingGames::read(&args.games)?;
        Ok::<_, CorpusError>(if HexCorpus::accepts(&games) {
            let corpus = HexCorpus::new(games)?;
            let data = RegressionData::on_hexes(&corpus, args.choices)?;
            (WeightSet::Hexes(corpus.game()), data)
        } else {
            let corpus = Corpus::new(games)?;
            (WeightSet::Squares(corpus.rule_class()), RegressionData::new(&corpus, args.choices)?)
        })
    })?;
    let mut sets: Vec<(String, [Vec<i16>; 2])> = Vec::new();
    if let Some(file) = &file {
        let weights = weight_set.of_file(file);
        let weights =
            weights.ok_or_else(|| format!("the weights are for no games of {weight_set}"))?;
        sets.push((file.path().display().to_string(), weights));
    }
    sets.push(("built in".to_owned(), weight_set.built_in()));
    let target = args.target.target();
    let mut out = io::stdout().lock();
    for (name, [values, ordering]) in sets {
        let report = pool.install(|| data.validate([&values, &ordering], target));
        writeln!(out, "{name}: {report}\n{}", report.calibration())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Which weights games use.
#[derive(Clone, Copy, Debug)]
enum WeightSet {
    Squares(RuleClass),
    Hexes(HexGame),
}

impl WeightSet {
    /// The value weights and the ordering weights of a file, if it has those of this set.
    fn of_file(self, file: &EvalFile) -> Option<[Vec<i16>; 2]> {
        match self {
            WeightSet::Squares(rule_class) => {
                file.weights(rule_class).map(|weights| numbers(weights))
            }
            WeightSet::Hexes(game) => file.hex_weights(game).map(|weights| hex_numbers(weights)),
        }
    }

    fn built_in(self) -> [Vec<i16>; 2] {
        match self {
            WeightSet::Squares(rule_class) => numbers(Weights::built_in(rule_class)),
            WeightSet::Hexes(game) => hex_numbers(HexWeights::built_in(game)),
        }
    }
}

fn numbers(weights: &Weights) -> [Vec<i16>; 2] {
    [weights.values(), weights.ordering()]
}

fn hex_numbers(weights: &HexWeights) -> [Vec<i16>; 2] {
    [weights.values().to_vec(), weights.ordering().to_vec()]
}

impl Display for WeightSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightSet::Squares(rule_class) => rule_class.fmt(f),
            WeightSet::Hexes(game) => game.fmt(f),
        }
    }
}
