//! `pentarch book`.

use super::ExitResult;
use super::args::PositionArgs;
use super::io::{GameReader, OutputTarget, progress_bar};
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

/// Build and show opening books.
///
/// A book is a file of JSON lines, one per position, with the moves worth playing. The engine uses it with
/// the options `OwnBook` and `BookFile`: `pentarch ugi --own-book true --book-file FILE`.
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    /// Build a book from recorded games, or by search if no games are given
    Build(BookBuildArgs),
    /// Print the moves of a position, or all positions
    Show(BookShowArgs),
}

/// Builds a book.
///
/// With files of games, in any format that `convert` reads, the book has the number and the results of the
/// moves played. Without files, the book is grown by search from the initial position: the next position is
/// the one that good moves reach first. Positions that are equal under a symmetry are merged.
#[derive(Debug, Args)]
struct BookBuildArgs {
    /// Files of games, `-` for standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Game for a search, and of files that do not name it
    #[arg(long, value_name = "SPEC", default_value = "pro-pente")]
    variant: Ruleset,
    /// From games: number of plies
    #[arg(long, value_name = "N", default_value_t = 12, conflicts_with = "positions")]
    plies: usize,
    /// From games: omit moves that were played in fewer games
    #[arg(long, value_name = "N", default_value_t = 2, conflicts_with = "positions")]
    min_games: u32,
    /// By search: number of positions
    #[arg(long, value_name = "N", default_value_t = 200, conflicts_with = "files")]
    positions: usize,
    /// By search: nodes for each position
    #[arg(long, value_name = "N", default_value_t = 50_000, conflicts_with = "files",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// By search: number of moves of each position
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with = "files",
          value_parser = clap::value_parser!(u32).range(1..=100))]
    width: u32,
    /// By search: number of positions to search concurrently [default: one per processor]
    #[arg(long, value_name = "N", value_parser = super::args::thread_count, conflicts_with = "files")]
    workers: Option<usize>,
    /// From games: character set of files that do not name it: GB18030, Big5, KOI8-R, windows-1251
    /// [default: UTF-8, or a guess if the text is not UTF-8]
    #[arg(long, value_name = "NAME", requires = "files")]
    charset: Option<Charset>,
    /// Write to this file instead of standard output, atomically
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints the moves of a position, or all positions.
#[derive(Debug, Args)]
struct BookShowArgs {
    /// Book file
    file: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// Print all positions of the book
    #[arg(long, conflicts_with_all = ["variant", "moves", "position"])]
    all: bool,
}

pub(super) fn run(args: &BookArgs) -> ExitResult {
    match &args.command {
        BookCommand::Build(args) if args.files.is_empty() => build_by_search(args),
        BookCommand::Build(args) => build_from_games(args),
        BookCommand::Show(args) => show(args),
    }
}

fn build_from_games(args: &BookBuildArgs) -> ExitResult {
    let mut output = OutputTarget::open(args.output.as_deref(), &args.files)?;
    let hints =
        ReadOptions { format: None, rules: Some(args.variant.clone()), charset: args.charset };
    let mut reader = GameReader::default();
    let mut book = BookFromGames::new(args.plies);
    let Ok(()) = reader.read::<Infallible>(&args.files, &hints, |path, game, reader| {
        if let Err(error) = book.add(&game, &args.variant) {
            reader.report(&format!("{} line {}: {error}", path.display(), game.line));
        }
        Ok(())
    });
    write_positions(&mut output, book.finish(args.min_games))?;
    output.finish()?;
    Ok(reader.exit_code())
}

fn build_by_search(args: &BookBuildArgs) -> ExitResult {
    let mut output = OutputTarget::open(args.output.as_deref(), &[])?;
    let mut settings = AnalyzerOptions::default();
    settings.workers = args.workers.unwrap_or(settings.workers);
    let analyzer = Analyzer::new(&settings)?;
    let mut book =
        BookFromSearch::new(args.variant.clone(), Limits::nodes(args.nodes), args.width)?;
    let bar = progress_bar(args.positions, "{bar:40} {pos} of {len} positions, {eta} left");
    while book.len() < args.positions && book.grow(args.positions, &analyzer)? {
        bar.set_position(book.len() as u64);
    }
    bar.finish_and_clear();
    write_positions(&mut output, book.positions())?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes positions in the order of their plies.
fn write_positions(
    output: &mut impl Write,
    positions: Vec<BookPosition>,
) -> Result<(), Box<dyn Error>> {
    for position in Book::new(&PathBuf::new(), positions).positions() {
        serde_json::to_writer(&mut *output, &position)?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

fn show(args: &BookShowArgs) -> ExitResult {
    let book = Book::read(&args.file)?;
    let mut out = io::stdout().lock();
    if args.all {
        for position in book.positions() {
            writeln!(out, "{}; {}", position.rules, position.position)?;
            position.moves.iter().try_for_each(|known| print_move(&mut out, &known.mv, known))?;
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
        print_move(&mut out, &game.move_text(mv), known)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints a move, its score, and its nodes and game results if they are known.
fn print_move(out: &mut impl Write, mv: &str, known: &BookMove) -> io::Result<()> {
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
