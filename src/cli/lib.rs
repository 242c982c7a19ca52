//! The command line.

mod adjudication;
mod analyze;
mod bench;
mod board_part;
mod book;
mod compliance;
mod convert;
mod games;
mod limits;
mod live;
mod mate;
mod merge;
mod openings;
mod options;
mod output;
mod perft;
mod plan;
mod play;
mod play_match;
mod position;
mod progress;
mod prove;
mod puzzle;
mod random_openings;
mod review;
mod show;
mod speak;
mod supervise;
mod tactics;
mod tournament;
#[cfg(feature = "lab")]
mod train;
#[cfg(feature = "lab")]
mod tune;
mod variants;
mod welcome;

use clap::{Parser, Subcommand};
use options::EngineArgs;
use pentarch_arena as arena;
use pentarch_protocol::Dialect;
use speak::Speak;
use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How to get the commands that this program lacks.
#[cfg(not(feature = "lab"))]
const WITHOUT_LAB: &str = "\
The commands `train` and `tune`, which make the numbers of the engine, need the feature `lab`:
`cargo build --release --features lab`.";

/// Plays Pente and its variants, Ninuki, Gomoku and Pent-Up.
///
/// `pentarch play` is a game at the terminal.
///
/// Without a command it reads a protocol from a pipe; the first line chooses the dialect: its own
/// name, as `ugi` and `uci`, Gomocup's `START`, `ABOUT`, `INFO` and `YX...`, or else GTP. A program
/// whose file name begins with `pbrain-` speaks Gomocup.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
#[cfg_attr(not(feature = "lab"), command(after_help = WITHOUT_LAB))]
struct Cli {
    #[command(flatten)]
    engine: EngineArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Speak(Speak),
    /// Play against the engine or a friend at the terminal.
    Play(Box<play::PlayArgs>),
    /// Play games between two engines, or more at one board.
    Match(Box<play_match::MatchArgs>),
    /// Analyze positions for scripts, as JSON lines.
    Analyze(Box<analyze::AnalyzeArgs>),
    /// Play a tournament of many engines, or go on with it.
    Tournament(Box<tournament::TournamentArgs>),
    /// Review games: find the mistakes, and what would have been better.
    Review(review::ReviewArgs),
    /// Join the records of a tournament's parts into one standing.
    Merge(merge::MergeArgs),
    /// Write balanced openings.
    Openings(openings::OpeningsArgs),
    /// Test whether engines keep to their protocol.
    Compliance(compliance::ComplianceArgs),
    /// Convert records of games: Pente.org text, SGF, JSON lines, PSQ and more.
    Convert(convert::ConvertArgs),
    /// Make and show opening books.
    Book(book::BookArgs),
    /// Count move sequences, depth by depth.
    Perft(perft::PerftArgs),
    /// Search a fixed set of positions and print the node count, the signature of the search.
    Bench(bench::BenchArgs),
    /// Find, prove and solve positions with a forced win.
    Tactics(tactics::TacticsArgs),
    /// Draw a position, as text or SVG.
    Show(show::ShowArgs),
    /// Find a forced win and show its whole tree.
    Mate(mate::MateArgs),
    /// Prove the value of a small game, or check such a proof.
    Prove(prove::ProveArgs),
    /// Solve the puzzles of the Pent-Up leaflet.
    Puzzle(puzzle::PuzzleArgs),
    /// Make the weights of evaluations: play, search again, fit, check.
    #[cfg(feature = "lab")]
    Train(train::TrainArgs),
    /// Tune numbers of an engine by games against itself.
    #[cfg(feature = "lab")]
    Tune(Box<tune::TuneArgs>),
    /// List the variants, or print the rules of one.
    Variants(variants::VariantsArgs),
    /// Run an engine for a match, and end it with the match.
    #[command(name = arena::supervisor::SUPERVISE_COMMAND, hide = true)]
    Supervise(supervise::SuperviseArgs),
    /// Become an engine that ends with its supervisor.
    #[command(name = arena::supervisor::ENGINE_COMMAND, hide = true)]
    BecomeEngine(supervise::SuperviseArgs),
}

/// A command's result; an error is one line for the user.
type CommandResult = Result<ExitCode, Box<dyn Error>>;

/// Runs the program and maps what happens to an exit code: 0 for success, 2 for an error. A closed
/// standard output is not an error.
pub fn main() -> ExitCode {
    match run(&Cli::parse_from(arguments())) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "pentarch: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> CommandResult {
    let before = &cli.engine;
    match &cli.command {
        None => match dialect_of_name() {
            // Somebody at a terminal who gives no option knows no protocol.
            None if before.first_given().is_none() && io::stdin().is_terminal() => welcome::run(),
            dialect => speak::run(dialect, before),
        },
        Some(Command::Speak(speak)) => speak::run(Some(speak.dialect), &speak.engine.or(before)),
        Some(command) => {
            if let Some(option) = before.first_given() {
                return Err(format!("`--{option}` goes after the command's name here").into());
            }
            options::start_log(None)?;
            if let Ok(program) = arena::supervisor::current_program() {
                arena::supervise_with(program);
            }
            match command {
                Command::Play(args) => play::run(args),
                Command::Match(args) => play_match::run(args),
                Command::Analyze(args) => analyze::run(args),
                Command::Tournament(args) => tournament::run(args),
                Command::Review(args) => review::run(args),
                Command::Merge(args) => merge::run(args),
                Command::Openings(args) => openings::run(args),
                Command::Compliance(args) => compliance::run(args),
                Command::Convert(args) => convert::run(args),
                Command::Perft(args) => perft::run(args),
                Command::Bench(args) => bench::run(args),
                Command::Book(args) => book::run(args),
                Command::Tactics(args) => tactics::run(args),
                Command::Show(args) => show::run(args),
                Command::Mate(args) => mate::run(args),
                Command::Prove(args) => prove::run(args),
                Command::Puzzle(args) => puzzle::run(args),
                #[cfg(feature = "lab")]
                Command::Train(args) => train::run(args),
                #[cfg(feature = "lab")]
                Command::Tune(args) => tune::run(args),
                Command::Variants(args) => variants::run(args),
                Command::Supervise(args) => supervise::run(args),
                Command::BecomeEngine(args) => supervise::become_engine(args),
                Command::Speak(_) => Ok(ExitCode::SUCCESS),
            }
        }
    }
}

/// Piskvork starts engines by their file alone, whose name begins with `pbrain-`.
fn dialect_of_name() -> Option<Dialect> {
    file_begins("pbrain-").then_some(Dialect::Gomocup)
}

/// The words of the command line. The server of pente.org has no way to say `sidecar`.
fn arguments() -> Vec<OsString> {
    let mut words: Vec<_> = env::args_os().collect();
    if file_begins("mmai_player") {
        words.insert(1, Dialect::Sidecar.name().into());
    }
    words
}

/// Whether the name of the program's own file begins so.
fn file_begins(start: &str) -> bool {
    let path = env::args_os().next().map(PathBuf::from);
    let name = path.as_deref().and_then(Path::file_name);
    name.is_some_and(|name| name.to_string_lossy().starts_with(start))
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
