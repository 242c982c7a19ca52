//! `pentarch analyze`.

use super::ExitResult;
use clap::Args;
use pentarch_analysis::{Analyzer, AnalyzerOptions, KatagoSettings, ServerSettings, serve};
use pentarch_arena::{EngineKind, EngineSpec, Shard, Timeouts, parse_seconds};
use pentarch_core::rules::Ruleset;
use pentarch_session::{PresentAs, watch_standard_output};
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

/// Analyzes positions for scripts: JSON lines in, JSON lines out.
///
/// Each line of standard input is a query. Each line of standard output is an answer, printed as soon as
/// it is ready. At the end of the input all queries are finished.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct AnalyzeArgs {
    /// Number of positions to analyze concurrently [default: one per processor]
    #[arg(long, value_name = "N", value_parser = super::args::thread_count)]
    workers: Option<usize>,
    /// Nodes for a position whose query sets no limit
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Size of the hash tables of all searches together in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// Another engine, one process per worker; see the end of `--help` [default: the built-in engine]
    #[arg(long, value_name = "ENGINE", value_parser = other_engine)]
    engine: Option<EngineSpec>,
    /// Game of queries that do not name it: NAME[+modifier...]
    #[arg(long, value_name = "SPEC", default_value = "pente")]
    variant: Ruleset,
    /// Seconds without an answer after which another engine hangs, if no time limit is set
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    patience: Duration,
    /// Answer only every Nth line of the input from the Kth on, such as 2/4
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Understand queries and write answers as KataGo does, for programs that use its analysis engine;
    /// see also `pentarch katago`
    #[arg(long, value_name = "katago", value_parser = present_as)]
    present_as: Option<PresentAs>,
    /// Nodes for a visit that a client of KataGo asks for
    #[arg(long, value_name = "N", requires = "present_as", default_value_t = KatagoSettings::NODES_PER_VISIT)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes_per_visit: u64,
}

const HELP: &str = "\
A query is a JSON object on one line. Its fields, modeled on KataGo's analysis engine:
  id                  a string that is repeated in the answers; the only required field
  rules               the game: NAME[+modifier...]
  moves               [\"j10\",\"k11\"], or as in KataGo [[\"b\",\"K10\"],[\"w\",\"L11\"]]
  initialPosition     the position text before the moves
  analyzeTurns        the positions: 0 is the one before the first move [default: the last]
  maxNodes maxTime maxDepth mate
                      limits: nodes, seconds, plies, plies to a win
  multiPV             the number of best moves [default: 1]
  allowMoves avoidMoves
                      search these moves only, or all other moves
  priority            queries with a higher number are answered first [default: 0]
  reportDuringSearchEvery
                      seconds between answers during the search
  includeBoard includePicture includeThreats
                      add the board as text and as SVG, and its threats
or {\"id\",\"action\"}: terminate with terminateId, terminate_all, clear_cache, query_version.

Answers have rootInfo (score, mate, winrate, ...) and moveInfos (move, score, pv, ...), the best
move first. Scores are for the seat to move; winrate is 1 / (1 + exp(-score / 400)). If a query
cannot be answered, the answer has an `error` with the `field` instead. protocol/SPEC.md lists all
fields.

ENGINE is as in `pentarch match --help`. An engine that crashes or hangs is restarted; the current
query gets an error.

Examples:
  echo '{\"id\":\"a\",\"rules\":\"gomoku\",\"moves\":[\"h8\",\"h9\"],\"multiPV\":3}' | pentarch analyze
  pentarch analyze --engine 'cmd=./other-engine ugi' < queries.jsonl > answers.jsonl";

/// Parses an engine that reports scores.
pub(super) fn other_engine(text: &str) -> Result<EngineSpec, String> {
    let spec: EngineSpec = text.parse().map_err(|error| format!("{error}"))?;
    match spec.kind {
        EngineKind::Random(_) => Err("a random player reports no scores".to_owned()),
        EngineKind::BuiltIn(_) if spec.control.is_some() => {
            Err("the built-in engine uses the limits of the queries, or --nodes".to_owned())
        }
        _ => Ok(spec),
    }
}

/// Parses the engine whose analysis engine is imitated.
fn present_as(text: &str) -> Result<PresentAs, String> {
    match text.parse() {
        Ok(PresentAs::Katago) => Ok(PresentAs::Katago),
        _ => Err("expected `katago`, which alone has an analysis engine".to_owned()),
    }
}

pub(super) fn run(args: &AnalyzeArgs) -> ExitResult {
    let settings = AnalyzerOptions {
        workers: args.workers.unwrap_or(AnalyzerOptions::default().workers),
        hash: args.hash as usize,
        engine: args.engine.clone().unwrap_or_default(),
        timeouts: Timeouts { response: args.patience, ..Timeouts::default() },
    };
    let katago = args.present_as.map(|_| KatagoSettings {
        nodes_per_visit: args.nodes_per_visit,
        ..KatagoSettings::default()
    });
    let server = ServerSettings {
        rules: args.variant.clone(),
        nodes: args.nodes,
        katago,
        shard: args.shard,
    };
    serve_on_standard_streams(&settings, server)
}

/// Answers the queries on standard input.
pub(super) fn serve_on_standard_streams(
    options: &AnalyzerOptions,
    settings: ServerSettings,
) -> ExitResult {
    if settings.katago.is_some() {
        KatagoSettings::check(&settings.rules)?;
    }
    let analyzer = Analyzer::new(options)?;
    if settings.katago.is_some() {
        // Some clients wait for this line.
        let workers = options.workers;
        writeln!(io::stderr(), "Analyzing up to {workers} positions at a time in parallel")?;
        writeln!(io::stderr(), "Started, ready to begin handling requests")?;
    }
    serve(io::stdin(), &mut io::stdout(), analyzer, settings, |hang_up| {
        watch_standard_output(|| hang_up.cancel());
    })?;
    Ok(ExitCode::SUCCESS)
}
