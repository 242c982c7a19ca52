//! `pentarch openings`.

use super::ExitResult;
use clap::Args;
use pentarch_arena::{BalanceCriterion, Shard};
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
    #[arg(long, value_name = "N", default_value_t = BalanceCriterion::NODES)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Greatest score for either side, in points
    #[arg(long, value_name = "POINTS", default_value_t = BalanceCriterion::WINDOW)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=20_000))]
    balance: u32,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write one part of the openings, such as 2/4: no opening is in two shards, and all shards together
    /// have --count
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
}

pub(super) fn run(args: &OpeningsArgs) -> ExitResult {
    let balance = BalanceCriterion { window: args.balance, nodes: args.nodes };
    let count = match args.shard {
        Some(shard) => (0..args.count).filter(|&number| shard.holds(number)).count() as u32,
        None => args.count,
    };
    let mut out = io::stdout();
    let mut written = 0;
    let openings = balance.distinct_openings(&args.variant, args.plies, args.seed, args.shard);
    for found in openings.take(count as usize) {
        let (game, value) = found?;
        let moves: Vec<String> = game.moves().into_iter().map(|mv| game.move_text(mv)).collect();
        writeln!(out, "{} ; {value}", moves.join(" "))?;
        out.flush()?;
        written += 1;
    }
    if written < count {
        writeln!(
            io::stderr(),
            "pentarch: only {written} of {count} openings were found; increase --balance or change --plies"
        )?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
