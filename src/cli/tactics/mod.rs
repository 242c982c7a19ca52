//! `pentarch tactics`: positions with a forced win.

mod check;
mod mine;
mod solve;

use super::CommandResult;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::error::Error;

/// Find, prove and solve positions with a forced win.
#[derive(Debug, Args)]
pub(super) struct TacticsArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count the positions that the engine solves within budgets of nodes.
    Solve(Box<solve::SolveArgs>),
    /// Take positions with a forced win out of game records.
    Mine(mine::MineArgs),
    /// Prove the wins of tactics files again, against every defense.
    Check(check::CheckArgs),
}

pub(super) fn run(args: &TacticsArgs) -> CommandResult {
    match &args.command {
        Command::Solve(args) => solve::run(args),
        Command::Mine(args) => mine::run(args),
        Command::Check(args) => check::run(args),
    }
}

/// A bar on standard error, on terminals only.
fn progress(length: usize, what: &'static str) -> ProgressBar {
    super::progress::bar(length, "{bar:30} {pos} of {len} {msg}, {eta} left").with_message(what)
}

/// Threads for positions, which are worked on one a thread.
fn pool(threads: usize) -> Result<ThreadPool, Box<dyn Error>> {
    let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
    Ok(builder.build().map_err(|error| format!("cannot start {threads} threads: {error}"))?)
}

/// Room for a proof of any length that is asked for.
const STACK: usize = 16 << 20;
