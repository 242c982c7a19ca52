//! `pentarch openings`.

use super::CommandResult;
use clap::Args;
use pentarch_arena::Balance;
use pentarch_core::rules::Ruleset;
use std::io::{self, Write};
use std::process::ExitCode;

/// Writes balanced openings, one per line: the moves as in UGI, then `; value`.
///
/// Openings are random moves near the stones after which the score of a search is close to zero; no two
/// are equal under the symmetries of the game. The same seed writes the same openings. `match --openings`
/// and the `openings` of a tournament read them. With three or more sides every side alone is worse off
/// than all others together, so only openings with a proved result are left out.
#[derive(Debug, Args)]
pub(super) struct OpeningsArgs {
    /// Game: NAME[+modifier...], see `pentarch variants`
    #[arg(long, value_name = "SPEC", default_value = "pente")]
    variant: Ruleset,
    /// Number of moves of an opening
    #[arg(long, value_name = "N", default_value_t = 4)]
    plies: u32,
    /// Number of openings to write
    #[arg(long, value_name = "K", default_value_t = 10)]
    count: u32,
    /// Nodes of the search of each opening
    #[arg(long, value_name = "N", default_value_t = Balance::NODES)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Greatest score for either side, in points
    #[arg(long, value_name = "POINTS", default_value_t = Balance::WINDOW)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=20_000))]
    balance: u32,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(args: &OpeningsArgs) -> CommandResult {
    let balance = Balance { window: args.balance, nodes: args.nodes };
    let mut out = io::stdout();
    let mut written = 0;
    for found in balance.different(&args.variant, args.plies, args.seed).take(args.count as usize) {
        let (game, value) = found?;
        let moves: Vec<String> = game.moves().into_iter().map(|mv| game.move_text(mv)).collect();
        writeln!(out, "{} ; {value}", moves.join(" "))?;
        out.flush()?;
        written += 1;
    }
    if written < args.count {
        writeln!(
            io::stderr(),
            "pentarch: only {written} of {} openings were found; increase --balance or change --plies",
            args.count
        )?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
