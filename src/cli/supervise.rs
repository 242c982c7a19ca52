//! The hidden subcommands that run an engine of a match below a supervisor process: see
//! [`pentarch_arena::supervise_with`].

use super::CommandResult;
use clap::Args;
#[cfg(unix)]
use pentarch_arena::supervisor;
use std::ffi::OsString;

/// The arguments that the arena passes to its supervisors, and these to the processes that become
/// engines.
#[derive(Debug, Args)]
pub(super) struct SuperviseArgs {
    /// Process ID of the parent
    parent: u32,
    /// Command line of the engine
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// Runs an engine as a child and ends it with the arena.
#[cfg(unix)]
pub(super) fn run(args: &SuperviseArgs) -> CommandResult {
    let (program, arguments) = args.command.split_first().ok_or("no command")?;
    Ok(supervisor::supervise(args.parent, program, arguments).into())
}

/// Replaces this process by an engine that ends with its supervisor.
#[cfg(unix)]
pub(super) fn become_engine(args: &SuperviseArgs) -> CommandResult {
    let (program, arguments) = args.command.split_first().ok_or("no command")?;
    Ok(supervisor::become_engine(args.parent, program, arguments).into())
}

#[cfg(not(unix))]
pub(super) fn run(_: &SuperviseArgs) -> CommandResult {
    Err("this system has no process groups; engines run without a supervisor".into())
}

#[cfg(not(unix))]
pub(super) use run as become_engine;
