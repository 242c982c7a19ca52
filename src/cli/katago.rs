//! `pentarch katago`: the command line of `KataGo`.

use super::protocol::{self, EngineArgs};
use super::{ExitResult, analyze};
use clap::{Args, Subcommand};
use pentarch_analysis::{AnalyzerOptions, KatagoConfig, KatagoSettings, ServerSettings};
use pentarch_core::rules::Ruleset;
use pentarch_protocol::Dialect;
use pentarch_session::PresentAs;
use std::error::Error;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

/// Stand in for KataGo, for programs that start it themselves.
///
/// Understands the command lines with which these programs start KataGo: `katago analysis -config FILE
/// -model FILE`, and `katago gtp`. A program that accepts only the path of an executable is given a link or a
/// copy whose file name begins with `katago`; it takes these arguments without the word `katago`.
///
/// The configuration is one for KataGo; the line `variant = NAME[+modifier...]` in it selects the game. Without
/// it the game is gomoku, in which, as in Go, every point is a legal first move.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct KatagoArgs {
    #[command(subcommand)]
    command: KatagoCommand,
}

const HELP: &str = "\
Parameters of the configuration that have an effect:
  variant                    the game [default: --variant, or gomoku]
  maxVisits, maxTime         limits of queries without one; in GTP, maxTime is the time for a move
  nodesPerVisit              nodes of this engine for a visit [default: 100]
  reportAnalysisWinratesAs   BLACK, WHITE or SIDETOMOVE [default: SIDETOMOVE]
  analysisPVLen              maximum length of a variation after its first move [default: 15]
  numAnalysisThreads         positions that are analyzed at the same time, at most one per processor
  numSearchThreads           threads of GTP's search, at most one per processor
  warnUnusedFields           whether unknown fields are answered by warnings
Others are ignored, as are models.

Examples:
  pentarch katago analysis -config analysis.cfg -model default.bin.gz -override-config variant=gomoku
  ln -s \"$(command -v pentarch)\" katago && ./katago gtp -config gtp.cfg -model default.bin.gz";

#[derive(Debug, Subcommand)]
enum KatagoCommand {
    /// Answer queries as JSON lines, as `pentarch analyze --present-as katago` does.
    Analysis(AnalysisArgs),
    /// Speak GTP, as `pentarch gtp --present-as katago` does.
    Gtp(ConfigArgs),
    /// Print the version of KataGo whose commands are understood, and that of this program.
    Version,
}

/// The options that `analysis` and `gtp` share. Each may also be written with one hyphen.
#[derive(Debug, Args)]
struct ConfigArgs {
    /// Configuration of KataGo; may be repeated
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,
    /// Network of KataGo, which is not read
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Network of KataGo that imitates humans, which is not read
    #[arg(long, value_name = "FILE")]
    human_model: Option<PathBuf>,
    /// Parameters that take precedence over the configuration: NAME=VALUE,...
    #[arg(long, value_name = "PARAMETERS")]
    override_config: Vec<String>,
    /// Game if the configuration names none: NAME[+modifier...]
    #[arg(long, value_name = "SPEC", default_value = "gomoku")]
    variant: Ruleset,
}

#[derive(Debug, Args)]
struct AnalysisArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Number of positions to analyze concurrently [default: numAnalysisThreads, or one per processor]
    #[arg(long, value_name = "N", value_parser = super::args::thread_count)]
    analysis_threads: Option<usize>,
    /// Stop all searches at the end of the input
    #[arg(long)]
    quit_without_waiting: bool,
    /// Size of the hash tables of all searches together in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
}

pub(super) fn run(args: &KatagoArgs) -> ExitResult {
    match &args.command {
        KatagoCommand::Analysis(args) => analysis(args),
        KatagoCommand::Gtp(args) => gtp(args),
        KatagoCommand::Version => {
            let mut out = io::stdout();
            writeln!(out, "{} v{}", PresentAs::Katago.name(), PresentAs::Katago.version())?;
            writeln!(out, "As which {} answers", pentarch_engine::NAME_AND_VERSION)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

impl ConfigArgs {
    /// Reads the configuration. Returns it with the game.
    fn read(&self) -> Result<(KatagoConfig, Ruleset), Box<dyn Error>> {
        let config = KatagoConfig::read(&self.config, &self.override_config)?;
        let rules = match config.get::<String>("variant", "a game")? {
            Some(text) => {
                text.parse().map_err(|error| format!("`variant` in the configuration: {error}"))?
            }
            None => self.variant.clone(),
        };
        Ok((config, rules))
    }
}

const THREADS: &str = "a number of threads";

fn analysis(args: &AnalysisArgs) -> ExitResult {
    let (config, rules) = args.config.read()?;
    let katago =
        KatagoSettings { quit_without_waiting: args.quit_without_waiting, ..config.settings()? };
    let defaults = AnalyzerOptions::default();
    // Configurations have numbers for a graphics processor.
    let configured = config.get::<usize>("numAnalysisThreads", THREADS)?;
    let configured = configured.unwrap_or(defaults.workers).clamp(1, defaults.workers);
    let options = AnalyzerOptions {
        workers: args.analysis_threads.unwrap_or(configured),
        hash: args.hash as usize,
        ..defaults
    };
    // What KataGo's example of a configuration says.
    let nodes = 500 * katago.nodes_per_visit;
    analyze::serve_on_standard_streams(
        &options,
        ServerSettings { rules, nodes, katago: Some(katago), shard: None },
    )
}

fn gtp(args: &ConfigArgs) -> ExitResult {
    let (config, rules) = args.read()?;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = config.get::<usize>("numSearchThreads", THREADS)?;
    let engine = EngineArgs::for_katago(
        rules,
        config.settings()?.max_time,
        threads.map(|threads| threads.clamp(1, processors)),
    );
    writeln!(io::stderr(), "GTP ready, beginning main protocol loop")?;
    protocol::run(Some(Dialect::Gtp), &engine)
}
