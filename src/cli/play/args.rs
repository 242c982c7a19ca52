//! The command line of `pentarch play`.

use super::sitter::parse_level;
use super::{Host, Setup, Sitter, Table, lines, look, screen};
use crate::CommandResult;
use crate::limits::LimitArgs;
use crate::options::count;
use crate::position::PositionArgs;
use clap::Args;
use pentarch_arena::TimeControl;
use pentarch_engine::{Book, Options};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Play against the engine or a friend at the terminal.
///
/// Moves are chosen with the arrow keys or typed; `help` or F1 says what else can be typed: undo, hint,
/// threats, level, players, save, load. Without a terminal, or with `--lines`, moves and commands are
/// read line by line and the board is printed as text.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Who plays, in the order of play, with commas: `engine`, `engine:LEVEL`, `you`, or any name of a
    /// person [default: you, and engines on all other seats]
    #[arg(long, value_name = "P,P...")]
    players: Option<String>,
    /// The level of engines, from 1; 10 is full strength
    #[arg(long, value_name = "N", default_value_t = Setup::USUAL_LEVEL, value_parser = parse_level,
          allow_negative_numbers = true)]
    level: u32,
    #[command(flatten)]
    limits: LimitArgs,
    /// Go on with a game of this file, of any format that `convert` reads
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    load: Option<PathBuf>,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "load",
          value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Search threads of engines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    threads: usize,
    /// Engines play from this book
    #[arg(long, value_name = "FILE")]
    book_file: Option<PathBuf>,
    /// Makes the engine's play the same each time [default: another each time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(Options::SEED))]
    seed: Option<u64>,
    /// Read moves and commands line by line, without a screen
    #[arg(long)]
    lines: bool,
}

const EXAMPLES: &str = "Examples:
  pentarch play --variant d-pente --level 7
  pentarch play --players engine,you --tc 300+5
  pentarch play --variant pente-4 --players you,engine:3,Ann,engine:8
  pentarch play --variant pent-up --players Ann,Bob
  pentarch play --load game.sgf";

pub(crate) fn run(args: &PlayArgs) -> CommandResult {
    let game = args.position.game()?;
    let seats = game.seats();
    let sitters = match &args.players {
        Some(text) => Sitter::parse_all(text, seats, args.level)?,
        None => Sitter::you_against_engines(seats, args.level),
    };
    let control = args.limits.control().unwrap_or_default();
    let book = args.book_file.as_deref().map(Book::read).transpose()?.map(Arc::new);
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(1..=*Options::SEED.end()));
    let (hash, threads, own_book) = (HASH, args.threads, book.is_some());
    let options = Options { hash, threads, seed, own_book, book, ..Options::default() };
    let table = Table::new(&game, sitters, control.clock);
    let control = TimeControl { clock: None, ..control };
    let mut host = Host::new(table, Setup { level: args.level, options, control });
    if let Some(path) = &args.load {
        host.open(path, args.game as usize, args.players.as_deref())?;
    }
    if look::shows_screens() && !args.lines {
        screen::run(host)?;
    } else {
        lines::run(&mut host, io::stdin().lock(), io::stdout().lock())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The size of each engine's table in MiB; there may be four engines and an adviser.
const HASH: usize = 32;
