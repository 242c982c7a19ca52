//! `pentarch supervise`, which the arena starts, and `pentarch supervise-engine`, which that starts: see
//! [`pentarch_arena::supervise_with`].

use super::CommandResult;
use clap::Args;
#[cfg(unix)]
use pentarch_arena::supervisor;
use std::ffi::OsString;

/// What the arena gives its supervisors, and these their engines.
#[derive(Debug, Args)]
pub(super) struct SuperviseArgs {
    /// The process number of the parent
    parent: u32,
    /// The engine's command line
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// Runs an engine for an arena.
#[cfg(unix)]
pub(super) fn run(args: &SuperviseArgs) -> CommandResult {
    let (program, arguments) = args.command.split_first().ok_or("no command")?;
    Ok(supervisor::supervise(args.parent, program, arguments).into())
}

/// Becomes an engine that ends with its supervisor.
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
