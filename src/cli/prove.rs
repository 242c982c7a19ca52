//! `pentarch prove`.

use super::ExitResult;
use super::args::PositionArgs;
use clap::Args;
use pentarch_analysis::proof::{
    GameValue, LimitReached, SmallRules, Solver, SolverLimits, check_certificate, prove_value,
};
use pentarch_arena::parse_seconds;
use pentarch_engine::Game;
use pentarch_records::AtomicFile;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Prove the value of a small game: who wins with perfect play.
///
/// The search is exact and uses no evaluation. It supports two-player games with plain stones on boards of
/// up to 7x7 points: Pente, Keryo-Pente, Ninuki and gomoku, and their openings without a swap. The largest
/// of them are out of reach. The certificate is a strategy of the winner, or for a draw a strategy of each
/// player that does not lose; `--check` plays it by the rules against every move of the other player,
/// without a search. The exit code is 1 if the limits leave the value undecided.
#[derive(Debug, Args)]
pub(super) struct ProveArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Write the strategies to a file
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Check a certificate instead
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["variant", "moves", "position", "certificate", "hash"])]
    check: Option<PathBuf>,
    /// Size of the hash table in MiB
    #[arg(long, alias = "memory", value_name = "MIB", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Maximum number of positions to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Maximum time
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
}

pub(super) fn run(args: &ProveArgs) -> ExitResult {
    let mut out = io::stdout().lock();
    let code = match &args.check {
        Some(path) => check_file(path, &mut out)?,
        None => prove(args, &mut out)?,
    };
    out.flush()?;
    Ok(code)
}

fn check_file(path: &Path, out: &mut impl Write) -> ExitResult {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let checked = check_certificate(&text)?;
    writeln!(
        out,
        "{}: {}, proved by {} moves; {} plies were played",
        checked.game,
        value_text(checked.value),
        checked.moves,
        checked.plies,
    )?;
    Ok(ExitCode::SUCCESS)
}

fn prove(args: &ProveArgs, out: &mut impl Write) -> ExitResult {
    let game = args.position.game()?;
    let position = game.placement().ok_or("only games on squares can be proved")?;
    let rules = SmallRules::new(position.rules())?;
    if game.outcome().is_some() {
        return Err("the game is over".into());
    }
    let started = Instant::now();
    let until = args.time.and_then(|time| started.checked_add(time));
    let board = rules.board(position);
    let budget = SolverLimits { nodes: args.nodes, until };
    let mut solver = Solver::new(rules, args.hash as usize, budget);
    let variant = game.rules();
    let value = match solver.value(&board) {
        Ok(value) => value,
        Err(error @ LimitReached) => {
            writeln!(out, "{variant}: {error}, after {} positions", solver.nodes())?;
            return Ok(ExitCode::from(1));
        }
    };
    let spent = started.elapsed().as_secs_f64();
    let nodes = solver.nodes();
    writeln!(out, "{variant}: {}; {nodes} positions, {spent:.1} s", value_text(value))?;
    out.flush()?;
    let Some(path) = &args.certificate else { return Ok(ExitCode::SUCCESS) };
    let start = start_text(&game);
    let proof = match prove_value(&mut solver, &board, value, variant.to_string(), start) {
        Ok(proof) => proof,
        Err(error @ LimitReached) => {
            writeln!(out, "no certificate: {error}")?;
            return Ok(ExitCode::from(1));
        }
    };
    let text = proof.text(position.grid());
    AtomicFile::write(path, text.as_bytes())
        .map_err(|error| format!("{}: {error}", path.display()))?;
    for strategy in &proof.strategies {
        writeln!(out, "{}: {} moves", strategy.claim, strategy.moves.len())?;
    }
    writeln!(out, "{}: {} bytes", path.display(), text.len())?;
    Ok(ExitCode::SUCCESS)
}

/// The position text, or `None` for the initial position.
fn start_text(game: &Game) -> Option<String> {
    let text = game.text();
    (text != Game::new(game.rules().clone()).text()).then_some(text)
}

fn value_text(value: GameValue) -> &'static str {
    match value {
        GameValue::First => "the first player wins",
        GameValue::Draw => "a draw",
        GameValue::Second => "the second player wins",
    }
}
