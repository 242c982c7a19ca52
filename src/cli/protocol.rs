//! `pentarch`, or `pentarch` with the name of a dialect: a conversation on standard input and output.

use super::CommandResult;
use super::options::{EngineArgs, start_log};
use crate::session;
use pentarch_protocol::Dialect;
use std::process::ExitCode;

pub(super) fn run(dialect: Option<Dialect>, args: &EngineArgs) -> CommandResult {
    start_log(args.log_file())?;
    session::run_on_standard_streams(dialect, args.preferences()?)?;
    Ok(ExitCode::SUCCESS)
}
