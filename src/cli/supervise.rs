//! `pentarch supervise`, which the arena starts: see [`crate::arena::supervise_with`].

use super::CommandResult;
use clap::Args;
use std::ffi::OsString;

/// What the arena gives its supervisors.
#[derive(Debug, Args)]
pub(super) struct SuperviseArgs {
    /// The process number of the arena
    arena: u32,
    /// The engine's command line
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

#[cfg(unix)]
pub(super) fn run(args: &SuperviseArgs) -> CommandResult {
    use crate::arena::supervisor::supervise;
    let (program, arguments) = args.command.split_first().ok_or("no command")?;
    Ok(supervise(args.arena, program, arguments).into())
}

#[cfg(not(unix))]
pub(super) fn run(_: &SuperviseArgs) -> CommandResult {
    Err("this system has no process groups; engines run without a supervisor".into())
}
