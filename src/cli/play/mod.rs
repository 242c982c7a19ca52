//! `pentarch play`: a game in the terminal between people and engines.
//!
//! [`GameState`] is the game with its players, clocks and undone moves. [`GameController`] executes the
//! commands of people and runs the searches of engines; it collects messages and does not know a terminal.
//! Two front ends show it: [`lines`] reads and prints lines, [`screen`] draws the whole terminal.
//!
//! The screen uses `crossterm` and no widget library. A library such as `ratatui` would replace the
//! differential output of [`terminal`] and the wrapping and side-by-side layout of [`screen`], less than
//! 200 lines, but the boards would have to be converted from the styled lines that [`lines`] and
//! `pentarch show` print as text, and the reaction to a lost terminal and to a panic would stay here.

mod commands;
mod controller;
mod game;
mod lines;
mod screen;
mod terminal;
mod text;

use super::ExitResult;
use super::args::{LimitArgs, PositionArgs, thread_count};
use clap::Args;
use controller::{EngineSetup, GameController};
use game::{GameState, LocalPlayer};
use pentarch_arena::TimeControl;
use pentarch_engine::{Book, Options};
use pentarch_records::picture::TextStyle;
use std::env;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Play against the engine or a friend in the terminal.
///
/// Choose moves with the arrow keys or type them. `help` or F1 lists the commands: undo, hint, threats,
/// level, players, save, load and more. Without a terminal, or with `--lines`, moves and commands are read
/// line by line and the board is printed as text.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Players in the order of play, separated by commas: `engine`, `engine:LEVEL`, `you`, or the name of a
    /// person [default: you, and engines in all other seats]
    #[arg(long, value_name = "P,P...")]
    players: Option<String>,
    /// Level of engines, from 1; 10 is full strength
    #[arg(long, value_name = "N", default_value_t = EngineSetup::DEFAULT_LEVEL, value_parser = game::parse_level,
          allow_negative_numbers = true)]
    level: u32,
    #[command(flatten)]
    limits: LimitArgs,
    /// Continue a game of this file, in any format that `convert` reads
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    load: Option<PathBuf>,
    /// Number of the game in the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "load",
          value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Search threads of engines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
    /// Opening book of engines
    #[arg(long, value_name = "FILE")]
    book_file: Option<PathBuf>,
    /// Seed of engines, which makes their moves repeatable [default: random]
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

/// The size of each engine's hash table in MiB. There may be four engines and the engine for hints.
const HASH: usize = 32;

pub(super) fn run(args: &PlayArgs) -> ExitResult {
    let game = args.position.game()?;
    let seats = game.seats();
    let players = match &args.players {
        Some(text) => LocalPlayer::parse_list(text, seats, args.level)?,
        None => LocalPlayer::you_against_engines(seats, args.level),
    };
    let control = args.limits.control().unwrap_or_default();
    let book = args.book_file.as_deref().map(Book::read).transpose()?.map(Arc::new);
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(1..=*Options::SEED.end()));
    let (hash, threads, own_book) = (HASH, args.threads, book.is_some());
    let options = Options { hash, threads, seed, own_book, book, ..Options::default() };
    let state = GameState::new(&game, players, control.clock);
    let control = TimeControl { clock: None, ..control };
    let setup = EngineSetup { level: args.level, options, control };
    let mut controller = GameController::new(state, setup);
    if let Some(path) = &args.load {
        controller.load(path, args.game as usize, args.players.as_deref())?;
    }
    if terminal_has_cursor() && !args.lines {
        screen::run(controller)?;
    } else {
        lines::run(&mut controller, io::stdin().lock(), io::stdout().lock())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether standard output is a terminal with colors and Unicode, by its environment variables, and
/// colors are not disabled by `NO_COLOR` (<https://no-color.org>).
pub(super) fn terminal_has_colors() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    let locale = locale.map(|name| name.to_uppercase()).unwrap_or_default();
    let unicode = locale.contains("UTF-8") || locale.contains("UTF8");
    io::stdout().is_terminal() && !is_dumb() && unicode && variable("NO_COLOR").is_none()
}

/// Whether standard input and output are a terminal with a movable cursor.
fn terminal_has_cursor() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb()
}

/// How boards are drawn on standard output.
fn stdout_look() -> TextStyle {
    if terminal_has_colors() { TextStyle::Colored } else { TextStyle::Plain }
}

fn is_dumb() -> bool {
    variable("TERM").is_none_or(|term| term == "dumb")
}

/// The value of an environment variable that is set and not empty.
fn variable(name: &str) -> Option<String> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().into_owned())
}
