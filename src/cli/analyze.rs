//! `pentarch analyze`.

use super::CommandResult;
use clap::Args;
use pentarch_analysis::{Analyzer, AnalyzerOptions, Defaults, serve};
use pentarch_arena::{EngineKind, EngineSpec, Timeouts, parse_seconds};
use pentarch_core::rules::Ruleset;
use pentarch_session::watch_standard_output;
use std::io;
use std::process::ExitCode;
use std::time::Duration;

/// Analyzes positions for scripts: JSON lines in, JSON lines out.
///
/// Each line of the standard input is a query, each line of the output an answer; answers come as
/// they are ready. The end of the input lets all queries finish.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct AnalyzeArgs {
    /// How many positions to analyze at the same time [default: one a processor]
    #[arg(long, value_name = "N", value_parser = super::options::count)]
    workers: Option<usize>,
    /// Nodes for a position, where its query sets no limit
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// MiB for the tables of all searches together
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// Ask another engine, one process a worker; see the end of `--help` [default: the built-in engine]
    #[arg(long, value_name = "ENGINE", value_parser = other_engine)]
    engine: Option<EngineSpec>,
    /// The game where a query does not say: NAME[+modifier...]
    #[arg(long, value_name = "SPEC", default_value = "pente")]
    variant: Ruleset,
    /// How many seconds another engine may be silent where no time limits it
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    patience: Duration,
}

/// What the help says beyond the options.
const HELP: &str = "\
A query is a JSON object in one line. Its fields, after KataGo's analysis engine:
  id                  a text that stands in its answers; the only one that it must have
  rules               the game: NAME[+modifier...]
  moves               [\"j10\",\"k11\"], or as KataGo has it [[\"b\",\"K10\"],[\"w\",\"L11\"]]
  initialPosition     the position text that the moves begin at
  analyzeTurns        which positions: 0 is the one before the first move [default: the last]
  maxNodes maxTime maxDepth mate
                      limits: nodes, seconds, plies, a win within that many plies
  multiPV             how many of the best moves [default: 1]
  allowMoves avoidMoves
                      moves to look at alone, or not at all
  priority            higher ones come first [default: 0]
  reportDuringSearchEvery
                      seconds between answers while the search goes on
  includeBoard includePicture includeThreats
                      also the board as text and as SVG, and the calls on it
or {\"id\",\"action\"}: terminate with terminateId, terminate_all, clear_cache, query_version.

Answers have rootInfo (score, mate, winrate, ...) and moveInfos (move, score, pv, ...), the best
move first. Values are for the seat to move; winrate is 1 / (1 + exp(-score / 400)). What cannot
be answered has an `error` with the `field` instead. All fields are in protocol/SPEC.md.

ENGINE is as in `pentarch match --help`. An engine that dies or hangs costs the answer at hand and
is started again.

Examples:
  echo '{\"id\":\"a\",\"rules\":\"gomoku\",\"moves\":[\"h8\",\"h9\"],\"multiPV\":3}' | pentarch analyze
  pentarch analyze --engine 'cmd=./other-engine ugi' < queries.jsonl > answers.jsonl";

/// An engine that says what positions are worth to it.
pub(super) fn other_engine(text: &str) -> Result<EngineSpec, String> {
    let spec: EngineSpec = text.parse().map_err(|error| format!("{error}"))?;
    match spec.kind {
        EngineKind::Random(_) => Err("a random player knows no values".to_owned()),
        EngineKind::BuiltIn(_) if spec.control.is_some() => {
            Err("the limits of the built-in engine are those of the queries, or --nodes".to_owned())
        }
        _ => Ok(spec),
    }
}

pub(super) fn run(args: &AnalyzeArgs) -> CommandResult {
    let settings = AnalyzerOptions {
        workers: args.workers.unwrap_or(AnalyzerOptions::default().workers),
        hash: args.hash as usize,
        engine: args.engine.clone().unwrap_or_default(),
        timeouts: Timeouts { silence: args.patience, ..Timeouts::default() },
    };
    let analyzer = Analyzer::new(&settings)?;
    let defaults = Defaults { rules: args.variant.clone(), nodes: args.nodes };
    serve(io::stdin(), &mut io::stdout(), analyzer, &defaults, |hang_up| {
        watch_standard_output(|| hang_up.cancel());
    })?;
    Ok(ExitCode::SUCCESS)
}
