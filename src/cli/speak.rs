//! `pentarch`, or `pentarch` with the name of a dialect: a conversation on standard input and output.

use super::CommandResult;
use super::options::{EngineArgs, start_log};
use clap::error::{Error, ErrorKind};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use pentarch_protocol::Dialect;
use pentarch_session as session;
use std::path::PathBuf;
use std::process::ExitCode;

/// A dialect to speak: a subcommand for each.
#[derive(Debug)]
pub(super) struct Speak {
    pub(super) dialect: Dialect,
    pub(super) engine: EngineArgs,
}

/// Answer the server of pente.org on standard input and output.
///
/// The server starts a program with a folder of data files as its only argument. Under a file
/// name that begins with `mmai_player` this program takes that argument without the word.
#[derive(Debug, Args)]
struct SidecarArgs {
    /// Data files of the server, which are not needed here
    directory: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Subcommand for Speak {
    fn augment_subcommands(command: Command) -> Command {
        let speak = |dialect: Dialect| {
            let command = Command::new(dialect.name());
            let about = format!("Speak {} on standard input and output", dialect.title());
            match dialect {
                Dialect::Sidecar => SidecarArgs::augment_args(command),
                // Its options bring a description of their own.
                _ => EngineArgs::augment_args(command).about(about),
            }
        };
        command.subcommands(Dialect::ALL.map(speak))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Dialect::ALL.into_iter().any(|dialect| dialect.name() == name)
    }
}

impl FromArgMatches for Speak {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let (name, matches) =
            matches.subcommand().ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))?;
        let dialect = name.parse().map_err(|_| Error::new(ErrorKind::InvalidSubcommand))?;
        Ok(Self { dialect, engine: EngineArgs::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

pub(super) fn run(dialect: Option<Dialect>, args: &EngineArgs) -> CommandResult {
    start_log(args.log_file())?;
    session::run_on_standard_streams(dialect, args.preferences()?)?;
    Ok(ExitCode::SUCCESS)
}

/// The names of the dialects, as the help of other commands has them.
pub(super) fn names() -> String {
    Dialect::ALL.map(Dialect::name).join("|")
}
