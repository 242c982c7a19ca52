//! `pentarch train check`.

use super::super::CommandResult;
use super::super::options::count;
use super::AimArgs;
use clap::Args;
use pentarch_engine::eval::{EvalFile, Genre, HexGame, HexWeights, Weights};
use pentarch_lab::{Corpus, CorpusError, Games, HexCorpus, Positions};
use std::fmt;
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
    let (kind, positions) = pool.install(|| {
        let games = Games::read(&args.games)?;
        Ok::<_, CorpusError>(if HexCorpus::holds(&games) {
            let corpus = HexCorpus::of(games)?;
            (Kind::Hexes(corpus.game()), Positions::on_hexes(&corpus, args.choices)?)
        } else {
            let corpus = Corpus::of(games)?;
            (Kind::Squares(corpus.genre()), Positions::of(&corpus, args.choices)?)
        })
    })?;
    let mut sets: Vec<(String, [Vec<i16>; 2])> = Vec::new();
    if let Some(file) = &file {
        let weights = kind.of_file(file);
        let weights = weights.ok_or_else(|| format!("the weights are for no games of {kind}"))?;
        sets.push((file.path().display().to_string(), weights));
    }
    sets.push(("built in".to_owned(), kind.built_in()));
    let aim = args.aim.aim();
    let mut out = io::stdout().lock();
    for (name, [values, ordering]) in sets {
        let check = pool.install(|| positions.check([&values, &ordering], aim, true));
        writeln!(out, "{name}: {check}\n{}", check.calibration())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Games that share weights.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Squares(Genre),
    Hexes(HexGame),
}

impl Kind {
    /// The numbers of values, and those of the order of moves.
    fn of_file(self, file: &EvalFile) -> Option<[Vec<i16>; 2]> {
        match self {
            Kind::Squares(genre) => file.weights(genre).map(|weights| numbers(weights)),
            Kind::Hexes(game) => file.hex_weights(game).map(|weights| numbers_on_hexes(weights)),
        }
    }

    fn built_in(self) -> [Vec<i16>; 2] {
        match self {
            Kind::Squares(genre) => numbers(Weights::built_in(genre)),
            Kind::Hexes(game) => numbers_on_hexes(HexWeights::built_in(game)),
        }
    }
}

fn numbers(weights: &Weights) -> [Vec<i16>; 2] {
    [weights.values(), weights.ordering()]
}

fn numbers_on_hexes(weights: &HexWeights) -> [Vec<i16>; 2] {
    [weights.values().to_vec(), weights.ordering().to_vec()]
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Squares(genre) => genre.fmt(f),
            Kind::Hexes(game) => game.fmt(f),
        }
    }
}
