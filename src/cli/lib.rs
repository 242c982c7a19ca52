//! The command line: [`main`] parses it and runs a subcommand. Each subcommand is a module with its
//! arguments and a function `run`; `args` and `io` have what several of them share.

mod analyze;
mod args;
mod bench;
mod book;
mod completions;
mod compliance;
mod convert;
mod dry_run;
mod io;
mod katago;
mod live;
mod man;
mod mate;
mod merge;
mod openings;
mod perft;
mod play;
mod play_match;
mod protocol;
mod prove;
mod puzzle;
mod review;
mod show;
mod supervise;
mod tactics;
mod tournament;
#[cfg(feature = "lab")]
mod train;
#[cfg(feature = "lab")]
mod tune;
mod variants;

use clap::{CommandFactory as _, Parser, Subcommand};
use env_logger::{Builder, Env, Target};
use pentarch_arena as arena;
use pentarch_protocol::Dialect;
use protocol::{EngineArgs, ProtocolCommand};
use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, IsTerminal as _, Write, stderr, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The note of the help about the subcommands that this build lacks.
#[cfg(not(feature = "lab"))]
const LAB_NOTE: &str = "\n\n\
The commands `train` and `tune`, which train the evaluation and tune the search, need a build with the \
feature `lab`: `cargo build --release --features lab`.";
#[cfg(feature = "lab")]
const LAB_NOTE: &str = "";

/// The exit codes of all subcommands.
const EXIT_CODES: &str = "\
Exit codes:
    0  success
    1  the work is done, but part of the input could not be used, or the answer is no: no win found, \
a failed test, a wrong certificate
    2  the work is not done: a wrong command line, a file that cannot be read or written, an engine that \
does not start
  130  interrupted";

/// Plays and analyzes gomoku, renju, caro, Connect6, Pente and its variants, Ninuki, Pentalath, Yavalath and
/// Pent-Up.
///
/// `pentarch play` starts a game in the terminal.
///
/// Without a command, it reads a protocol from standard input. The first line selects the dialect: its
/// own name for `ugi` and `uci`; `START`, `ABOUT`, `INFO` and `YX...` for Gomocup; anything else is GTP.
/// A program whose file name begins with `pbrain-` speaks Gomocup.
#[derive(Debug, Parser)]
#[command(name = "pentarch", version, max_term_width = 100)]
#[command(after_help = format!("{EXIT_CODES}{LAB_NOTE}"))]
struct Cli {
    #[command(flatten)]
    engine: EngineArgs,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    #[command(flatten)]
    Protocol(ProtocolCommand),
    /// Play against the engine or a friend in the terminal.
    Play(Box<play::PlayArgs>),
    /// Play games between two engines, or more at one board.
    Match(Box<play_match::MatchArgs>),
    /// Analyze positions for scripts, as JSON lines.
    Analyze(Box<analyze::AnalyzeArgs>),
    /// Stand in for KataGo, for programs that start it themselves.
    Katago(Box<katago::KatagoArgs>),
    /// Play or resume a tournament of several engines.
    Tournament(Box<tournament::TournamentArgs>),
    /// Review games: find the mistakes and the better moves.
    Review(review::ReviewArgs),
    /// Merge the records of the shards of a tournament into one standing.
    Merge(merge::MergeArgs),
    /// Write balanced openings.
    Openings(openings::OpeningsArgs),
    /// Test whether engines follow their protocol.
    Compliance(compliance::ComplianceArgs),
    /// Convert game records: pente.org text, SGF, JSON lines, PSQ and more.
    Convert(convert::ConvertArgs),
    /// Build and show opening books.
    Book(book::BookArgs),
    /// Count the move sequences of each length.
    Perft(perft::PerftArgs),
    /// Search a fixed set of positions and print the node count, the signature of the search.
    Bench(bench::BenchArgs),
    /// Find, prove and solve positions with a forced win.
    Tactics(tactics::TacticsArgs),
    /// Draw a position, as text, SVG or PNG.
    Show(show::ShowArgs),
    /// Find a forced win and show its whole tree.
    Mate(mate::MateArgs),
    /// Prove the value of a small game, or check such a proof.
    Prove(prove::ProveArgs),
    /// Solve the puzzles of the Pent-Up leaflet.
    Puzzle(puzzle::PuzzleArgs),
    /// Train the evaluation: play games, rescore them, fit weights, validate them.
    #[cfg(feature = "lab")]
    Train(train::TrainArgs),
    /// Tune options of an engine by games against itself.
    #[cfg(feature = "lab")]
    Tune(Box<tune::TuneArgs>),
    /// List the variants, or print the rules of one.
    Variants(variants::VariantsArgs),
    /// Print a script that completes commands and options in a shell.
    Completions(completions::CompletionsArgs),
    /// Write the manual pages.
    Man(man::ManArgs),
    /// Run an engine for a match, and end it with the match.
    #[command(name = arena::supervisor::SUPERVISE_COMMAND, hide = true)]
    Supervise(supervise::SuperviseArgs),
    /// Become an engine that ends with its supervisor.
    #[command(name = arena::supervisor::ENGINE_COMMAND, hide = true)]
    BecomeEngine(supervise::SuperviseArgs),
}

/// The exit code of a subcommand. An error is printed as one line, with exit code 2.
type ExitResult = Result<ExitCode, Box<dyn Error>>;

/// Runs the program. Returns the exit code of the subcommand, 2 after an error, 130 if a signal canceled a
/// run before its first game, and 0 if the reader of the output closed it.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(arguments()) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    match run(&cli) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) if is_canceled(error.as_ref()) => {
            let _ = writeln!(stderr(), "pentarch: interrupted before the first game");
            ExitCode::from(arena::EXIT_INTERRUPTED as u8)
        }
        Err(error) => {
            let _ = writeln!(stderr(), "pentarch: {error}");
            ExitCode::from(2)
        }
    }
}

/// Prints help, or what is wrong with the command line, with the prefix of all errors.
fn refuse(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        let message = error.render();
        let with_colors = stderr().is_terminal() && env::var_os("NO_COLOR").is_none();
        let text = if with_colors { message.ansi().to_string() } else { message.to_string() };
        let _ = write!(stderr(), "{}", text.replacen("error:", "pentarch:", 1));
        return ExitCode::from(2);
    }
    let _ = error.print();
    ExitCode::SUCCESS
}

fn run(cli: &Cli) -> ExitResult {
    let before = &cli.engine;
    let command = match &cli.command {
        None => {
            let dialect = file_name_begins("pbrain-").then_some(Dialect::Gomocup);
            // A user at a terminal who sets no option is not a protocol client.
            if dialect.is_none() && before.first_given().is_none() && stdin().is_terminal() {
                stdout().write_all(OVERVIEW.as_bytes())?;
                return Ok(ExitCode::SUCCESS);
            }
            return protocol::run(dialect, before);
        }
        Some(CliCommand::Protocol(command)) => {
            return protocol::run(Some(command.dialect), &command.engine.or(before));
        }
        Some(command) => command,
    };
    if let Some(option) = before.first_given() {
        return Err(format!("`--{option}` belongs after the name of the command").into());
    }
    // Its GTP has a log of its own.
    if let CliCommand::Katago(args) = command {
        return katago::run(args);
    }
    start_log(None)?;
    if let Ok(program) = arena::supervisor::current_program() {
        arena::supervise_with(program);
    }
    match command {
        CliCommand::Protocol(_) | CliCommand::Katago(_) => Ok(ExitCode::SUCCESS),
        CliCommand::Play(args) => play::run(args),
        CliCommand::Match(args) => play_match::run(args),
        CliCommand::Analyze(args) => analyze::run(args),
        CliCommand::Tournament(args) => tournament::run(args),
        CliCommand::Review(args) => review::run(args),
        CliCommand::Merge(args) => merge::run(args),
        CliCommand::Openings(args) => openings::run(args),
        CliCommand::Compliance(args) => compliance::run(args),
        CliCommand::Convert(args) => convert::run(args),
        CliCommand::Book(args) => book::run(args),
        CliCommand::Perft(args) => perft::run(args),
        CliCommand::Bench(args) => bench::run(args),
        CliCommand::Tactics(args) => tactics::run(args),
        CliCommand::Show(args) => show::run(args),
        CliCommand::Mate(args) => mate::run(args),
        CliCommand::Prove(args) => prove::run(args),
        CliCommand::Puzzle(args) => puzzle::run(args),
        #[cfg(feature = "lab")]
        CliCommand::Train(args) => train::run(args),
        #[cfg(feature = "lab")]
        CliCommand::Tune(args) => tune::run(args),
        CliCommand::Variants(args) => variants::run(args),
        CliCommand::Completions(args) => completions::run(args, &Cli::command()),
        CliCommand::Man(args) => man::run(args, Cli::command()),
        CliCommand::Supervise(args) => supervise::run(args),
        CliCommand::BecomeEngine(args) => supervise::become_engine(args),
    }
}

/// What `pentarch` prints if it is started without arguments at a terminal.
const OVERVIEW: &str = "\
Pentarch plays gomoku, renju, caro, Connect6, Pente and its variants, Ninuki,
Pentalath, Yavalath and Pent-Up.

  pentarch play              play against the engine in this terminal
  pentarch play --help       other games, levels, clocks, friends, saved games
  pentarch variants          list the games and their rules
  pentarch show              draw a position
  pentarch match             play games between engines
  pentarch review FILE       find the mistakes in games
  pentarch analyze           analyze positions for scripts
  pentarch --help            list everything else

Programs with their own board start `pentarch` with a pipe and speak UGI, UCI, GTP
or Gomocup to it; `pentarch gtp` does the same in a terminal.
";

/// The arguments. The server of pente.org cannot pass the word `sidecar`, nor clients of `KataGo` the word
/// `katago`, so it is inserted if the name of the program's file asks for it. Options of `KataGo` with one
/// hyphen get a second one.
fn arguments() -> Vec<OsString> {
    const KATAGO: &str = "katago";
    let mut words: Vec<_> = env::args_os().collect();
    if file_name_begins("mmai_player") {
        words.insert(1, Dialect::Sidecar.name().into());
    }
    if file_name_begins(KATAGO) {
        words.insert(1, KATAGO.into());
    }
    if words.get(1).is_some_and(|word| word == KATAGO) {
        for word in words.iter_mut().skip(2) {
            let option = word.to_str().and_then(|word| word.strip_prefix('-'));
            let is_long = |name: &&str| name.len() > 1 && name.starts_with(char::is_alphabetic);
            if let Some(name) = option.filter(is_long) {
                *word = format!("--{name}").into();
            }
        }
    }
    words
}

/// Whether the name of the program's file begins with `start`. Piskvork and the server of pente.org
/// start engines without arguments.
fn file_name_begins(start: &str) -> bool {
    let path = env::args_os().next().map(PathBuf::from);
    let name = path.as_deref().and_then(Path::file_name);
    name.is_some_and(|name| name.to_string_lossy().starts_with(start))
}

/// The command line of this process, quoted for a shell.
fn command_line() -> String {
    shell_words::join(env::args())
}

/// Starts logging: to standard error at the level of `RUST_LOG`, or to a file, then with all protocol
/// lines.
fn start_log(file: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let level = if file.is_some() { "debug" } else { "warn" };
    let mut builder = Builder::from_env(Env::default().default_filter_or(level));
    if let Some(path) = file {
        let log = File::options().create(true).append(true).open(path).map_err(|error| {
            format!("cannot write the log file {}: {error}; name another", path.display())
        })?;
        builder.target(Target::Pipe(Box::new(log)));
    }
    builder.try_init()?;
    Ok(())
}

fn is_canceled(error: &(dyn Error + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(arena::ArenaError::Canceled))
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<std::io::Error>();
    error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::{Cli, OVERVIEW};
    use clap::CommandFactory as _;

    #[test]
    fn the_overview_names_existing_subcommands() {
        let cli = Cli::command();
        let named = OVERVIEW.lines().filter_map(|line| line.strip_prefix("  pentarch "));
        let words: Vec<_> = named.filter_map(|line| line.split_whitespace().next()).collect();
        assert!(words.len() > 6);
        for word in words.iter().filter(|word| **word != "--help") {
            assert!(cli.find_subcommand(word).is_some(), "{word}");
        }
    }
}
