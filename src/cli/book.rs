//! `pentarch book`.

use super::games::Complaints;
use super::output::Output;
use super::position::PositionArgs;
use super::{CommandResult, progress};
use clap::{Args, Subcommand};
use pentarch_analysis::{Analyzer, AnalyzerOptions, BookFromGames, BookFromSearch};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::Limits;
use pentarch_engine::{Book, BookMove, BookPosition};
use pentarch_records::{Charset, ReadOptions};
use std::convert::Infallible;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Opening books: positions with the moves that are worth playing in them.
///
/// A book is a file of JSON lines, a position each. The engine plays from it when the options
/// `OwnBook` and `BookFile` say so: `pentarch ugi --own-book true --book-file FILE`.
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    /// Make a book from recorded games, or by search without any
    Build(BuildArgs),
    /// Show the moves of a position, or every position
    Show(ShowArgs),
}

/// Makes a book.
///
/// With files of games, in any format that `convert` reads, it counts what was played and with what
/// success. Without, it searches from the root outward: the next position is the one that good moves
/// reach first. Images of a position are one.
#[derive(Debug, Args)]
struct BuildArgs {
    /// Files of games; `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The game, for a search or where a file names none
    #[arg(long, value_name = "SPEC", default_value = "pro-pente")]
    variant: Ruleset,
    /// Of games: how many plies to count
    #[arg(long, value_name = "N", default_value_t = 12, conflicts_with = "positions")]
    plies: usize,
    /// Of games: leave moves out that fewer games went on with
    #[arg(long, value_name = "N", default_value_t = 2, conflicts_with = "positions")]
    min_games: u32,
    /// By search: how many positions to search
    #[arg(long, value_name = "N", default_value_t = 200, conflicts_with = "files")]
    positions: usize,
    /// By search: nodes for each of them
    #[arg(long, value_name = "N", default_value_t = 50_000, conflicts_with = "files",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// By search: how many moves of each
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with = "files",
          value_parser = clap::value_parser!(u32).range(1..=100))]
    width: u32,
    /// By search: how many positions to search at the same time [default: one a processor]
    #[arg(long, value_name = "N", value_parser = super::options::count, conflicts_with = "files")]
    workers: Option<usize>,
    /// Of games: the character set of files that name none: GB18030, Big5, KOI8-R, windows-1251 [default: UTF-8,
    /// or guessed where the bytes are none]
    #[arg(long, value_name = "NAME", requires = "files")]
    charset: Option<Charset>,
    /// Write to this file, whole or not at all, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Shows a book.
#[derive(Debug, Args)]
struct ShowArgs {
    /// The book
    file: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// Show every position of the book
    #[arg(long, conflicts_with_all = ["variant", "moves", "position"])]
    all: bool,
}

pub(super) fn run(args: &BookArgs) -> CommandResult {
    match &args.command {
        BookCommand::Build(args) if args.files.is_empty() => by_search(args),
        BookCommand::Build(args) => of_games(args),
        BookCommand::Show(args) => show(args),
    }
}

fn of_games(args: &BuildArgs) -> CommandResult {
    let mut output = Output::open(args.output.as_deref(), &args.files)?;
    let hints =
        ReadOptions { format: None, rules: Some(args.variant.clone()), charset: args.charset };
    let mut complaints = Complaints::default();
    let mut book = BookFromGames::new(args.plies);
    let Ok(()) = complaints.read::<Infallible>(&args.files, &hints, |path, game, complaints| {
        if let Err(error) = book.add(&game, &args.variant) {
            complaints.add(&format!("{} line {}: {error}", path.display(), game.line));
        }
        Ok(())
    });
    write(&mut output, book.finish(args.min_games))?;
    output.finish()?;
    Ok(complaints.exit_code())
}

fn by_search(args: &BuildArgs) -> CommandResult {
    let mut output = Output::open(args.output.as_deref(), &[])?;
    let mut settings = AnalyzerOptions::default();
    settings.workers = args.workers.unwrap_or(settings.workers);
    let analyzer = Analyzer::new(&settings)?;
    let mut book =
        BookFromSearch::new(args.variant.clone(), Limits::nodes(args.nodes), args.width)?;
    let bar = progress::bar(args.positions, "{bar:40} {pos} of {len} positions, {eta} left");
    while book.len() < args.positions && book.grow(args.positions, &analyzer)? {
        bar.set_position(book.len() as u64);
    }
    bar.finish_and_clear();
    write(&mut output, book.positions())?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes positions in the order of their plies.
fn write(output: &mut impl Write, positions: Vec<BookPosition>) -> Result<(), Box<dyn Error>> {
    for position in Book::new(&PathBuf::new(), positions).positions() {
        serde_json::to_writer(&mut *output, &position)?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

fn show(args: &ShowArgs) -> CommandResult {
    let book = Book::read(&args.file)?;
    let mut out = io::stdout().lock();
    if args.all {
        for position in book.positions() {
            writeln!(out, "{}; {}", position.rules, position.position)?;
            position.moves.iter().try_for_each(|known| line(&mut out, &known.mv, known))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let game = args.position.game()?;
    let moves = book.moves(&game);
    if moves.is_empty() {
        writeln!(io::stderr(), "pentarch: this position of {} is not in the book", game.rules())?;
        return Ok(1.into());
    }
    for (mv, known) in moves {
        line(&mut out, &game.move_text(mv), known)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A move and what speaks for it.
fn line(out: &mut impl Write, mv: &str, known: &BookMove) -> io::Result<()> {
    let value = known.value();
    let chance = 100.0 * value.win_probability();
    write!(out, "  {mv:8} {value:>10} {chance:5.1} %")?;
    if let Some(nodes) = known.nodes {
        write!(out, "  {nodes} nodes")?;
    }
    if known.games > 0 {
        write!(out, "  {} games, {} points", known.games, known.points)?;
    }
    writeln!(out)
}
