//! `pentarch train selfplay`.

use super::super::options::count;
use super::super::{CommandResult, progress};
use clap::Args;
use pentarch_core::rules::Ruleset;
use pentarch_lab::{GameFile, Manifest, SelfPlay, Starts};
use rayon::prelude::*;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// Plays games of the engine against itself, and keeps what its searches say.
///
/// Writes a line that says how the games are made, then a game a line as JSON: its moves, the values of
/// the searches for the side to move, who won, and random moves beside the game with the values after
/// them. A game ends where a search proves a win. The same seed writes the same file, whatever the
/// number of threads; a file that was not finished is gone on with by --resume.
#[derive(Debug, Args)]
pub(super) struct SelfPlayArgs {
    /// The file to write
    out: PathBuf,
    /// The games, separated by commas; they take turns
    #[arg(long, value_name = "SPEC,...", value_delimiter = ',', default_value = "pro-pente")]
    variants: Vec<Ruleset>,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u32,
    /// Nodes for each search
    #[arg(long, value_name = "N", default_value_t = 500)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Records of games to begin in the middle of, instead of with random moves; may be given again
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// The most random moves near the stones after the beginning of one of them
    #[arg(long, value_name = "N", default_value_t = 0, requires = "from")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=8))]
    strays: u32,
    /// The fewest moves of an opening
    #[arg(long, value_name = "PLIES", default_value_t = 2)]
    least_plies: u32,
    /// The most [default: 8 random ones, or as many of a game as there are]
    #[arg(long, value_name = "PLIES")]
    most_plies: Option<u32>,
    /// The greatest value of an opening for either side, in points
    #[arg(long, value_name = "POINTS", default_value_t = 400)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=20_000))]
    balance: u32,
    /// After how many of a hundred positions a random move is looked at as well
    #[arg(long, value_name = "PERCENT", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=100))]
    asides: u32,
    /// Chooses openings and moves beside the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    threads: usize,
    /// Go on with the file
    #[arg(long)]
    resume: bool,
}

/// The most random moves without a wish for another number.
const RANDOM_PLIES: u32 = 8;
/// Games a thread plays before they are written.
const BATCH: u32 = 16;

pub(super) fn run(args: &SelfPlayArgs) -> CommandResult {
    let opening = opening(args)?;
    for rules in &args.variants {
        let two_on_hexes = rules.hexes().is_some() && rules.seating().seats == 2;
        if rules.squares().is_none() && !two_on_hexes {
            let message = "is no game of stones on squares, nor of two colors on hexagons";
            return Err(format!("{rules} {message}").into());
        }
    }
    let starts = starts(&args.from)?;
    let self_play = SelfPlay {
        variants: args.variants.iter().map(Ruleset::to_string).collect(),
        nodes: args.nodes,
        opening,
        starts: starts.sources().to_vec(),
        strays: args.strays,
        balance: args.balance,
        asides: args.asides,
        seed: args.seed,
    };
    let manifest = Manifest::new(self_play);
    let (mut file, done) = GameFile::open(&args.out, &manifest, args.resume)?;
    let pool = super::pool(args.threads)?;
    let bar = progress::bar(args.games as usize, "{bar:30} {pos} of {len} games, {eta} left");
    let batch = BATCH * args.threads as u32;
    let mut first = done;
    while first < args.games {
        let numbers = first..args.games.min(first + batch);
        first = numbers.end;
        let play = |number| manifest.self_play.game(&args.variants, &starts, number);
        let games: Result<Vec<_>, _> = pool.install(|| numbers.into_par_iter().map(play).collect());
        file.append(&games?)?;
        bar.set_position(u64::from(first));
    }
    bar.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

/// The fewest and the most moves of an opening.
fn opening(args: &SelfPlayArgs) -> Result<[u32; 2], String> {
    let any = if args.from.is_empty() { RANDOM_PLIES } else { SelfPlay::MOST_PLIES };
    let (least, most) = (args.least_plies, args.most_plies.unwrap_or(any));
    if least > most {
        return Err(format!("--least-plies {least} is more than --most-plies {most}"));
    }
    Ok([least, most])
}

/// The games to begin in the middle of; there are some if there are files.
fn starts(files: &[PathBuf]) -> Result<Starts, Box<dyn Error>> {
    let mut starts = Starts::default();
    for path in files {
        starts.add(path)?;
    }
    if starts.is_empty() && !files.is_empty() {
        return Err("--from has no game to begin in the middle of".into());
    }
    Ok(starts)
}
