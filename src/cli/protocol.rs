//! `pentarch` without a subcommand, and the subcommands named after dialects: a protocol session on
//! standard input and output.

use super::{ExitResult, start_log};
use clap::error::{Error, ErrorKind};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, Subcommand};
use pentarch_arena::parse_seconds;
use pentarch_core::rules::Ruleset;
use pentarch_engine::{OptionRow, OptionType, Options};
use pentarch_protocol::Dialect;
use pentarch_protocol::gomocup::Coordinates;
use pentarch_session::{self as session, PresentAs, SessionConfig};
use std::error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The subcommands of the dialects.
#[derive(Debug)]
pub(super) struct ProtocolCommand {
    pub(super) dialect: Dialect,
    pub(super) engine: EngineArgs,
}

/// Answer the server of pente.org on standard input and output.
///
/// The server starts a program with a folder of data files as its only argument. If the name of this
/// program's file begins with `mmai_player`, it takes that argument without the word `sidecar`.
#[derive(Debug, Args)]
struct SidecarArgs {
    /// Data files of the server, which this engine does not need
    directory: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Subcommand for ProtocolCommand {
    fn augment_subcommands(command: Command) -> Command {
        let subcommand = |dialect: Dialect| {
            let command = Command::new(dialect.name());
            match dialect {
                Dialect::Sidecar => SidecarArgs::augment_args(command),
                // `augment_args` sets the description of `EngineArgs`, which is replaced.
                _ => EngineArgs::augment_args(command)
                    .about(format!("Speak {} on standard input and output", dialect.title())),
            }
        };
        command.subcommands(Dialect::ALL.map(subcommand))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Dialect::ALL.into_iter().any(|dialect| dialect.name() == name)
    }
}

impl FromArgMatches for ProtocolCommand {
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

/// Runs a session until the end of the input. Without a dialect, the first line of the input selects it.
pub(super) fn run(dialect: Option<Dialect>, args: &EngineArgs) -> ExitResult {
    start_log(args.log_file.as_deref())?;
    session::run_on_standard_streams(dialect, args.preferences()?)?;
    Ok(ExitCode::SUCCESS)
}

/// The names of the dialects, separated by `|`, for help texts.
pub(super) fn dialect_names() -> String {
    Dialect::ALL.map(Dialect::name).join("|")
}

/// The options of a session.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct EngineArgs {
    /// Game: NAME[+modifier...], see `pentarch variants` [default: pente]
    #[arg(long, value_name = "SPEC")]
    variant: Option<Ruleset>,
    /// Board size, as the modifier `size=N`
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    size: Option<String>,
    #[command(flatten)]
    options: OptionArgs,
    /// Time for a move when no clock is given [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: Option<Duration>,
    /// In Gomocup, the order of the numbers of a point: column and row, or row and column [default: xy]
    #[arg(long, value_name = "xy|yx")]
    coordinates: Option<Coordinates>,
    /// Append the log, including all protocol lines, to this file
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// In GTP, answer with moves that are not vertices: `swap`, `N@K10`
    #[arg(long)]
    extended_moves: bool,
    /// In GTP, answer `name` and `version` as another engine does, for programs such as Lizzie that
    /// refuse any other
    #[arg(long, value_name = "katago|leela")]
    present_as: Option<PresentAs>,
    /// In UGI and UCI, list the parameters of the search among the options, for tuners
    #[arg(long)]
    tunable: bool,
}

impl EngineArgs {
    /// These options; those that are not set are taken from `earlier`.
    pub(super) fn or(&self, earlier: &EngineArgs) -> EngineArgs {
        let (own, earlier) = (self.clone(), earlier.clone());
        EngineArgs {
            variant: own.variant.or(earlier.variant),
            size: own.size.or(earlier.size),
            options: own.options.or(earlier.options),
            time: own.time.or(earlier.time),
            coordinates: own.coordinates.or(earlier.coordinates),
            log_file: own.log_file.or(earlier.log_file),
            extended_moves: own.extended_moves || earlier.extended_moves,
            present_as: own.present_as.or(earlier.present_as),
            tunable: own.tunable || earlier.tunable,
        }
    }

    /// The options of a session of GTP for a client of `KataGo`.
    pub(super) fn for_katago(
        rules: Ruleset,
        time: Option<Duration>,
        threads: Option<usize>,
    ) -> EngineArgs {
        let row = OptionArgs::rows().find(|row| row.name == "Threads");
        let threads = row.zip(threads).map(|(row, threads)| (row, threads.to_string()));
        EngineArgs {
            variant: Some(rules),
            time,
            present_as: Some(PresentAs::Katago),
            options: OptionArgs(threads.into_iter().collect()),
            ..EngineArgs::default()
        }
    }

    /// The name of an option that is set.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let EngineArgs { variant, size, options, time, coordinates, .. } = self;
        let EngineArgs { log_file, extended_moves, present_as, tunable, .. } = self;
        let given = [
            (variant.is_some(), "variant"),
            (size.is_some(), "size"),
            (time.is_some(), "time"),
            (coordinates.is_some(), "coordinates"),
            (log_file.is_some(), "log-file"),
            (*extended_moves, "extended-moves"),
            (present_as.is_some(), "present-as"),
            (*tunable, "tunable"),
        ];
        let given = given.into_iter().find_map(|(given, name)| given.then_some(name));
        given.or_else(|| options.0.first().map(|(row, _)| row.flag))
    }

    fn preferences(&self) -> Result<SessionConfig, Box<dyn error::Error>> {
        let mut rules = match &self.variant {
            Some(rules) => rules.clone(),
            None => "pente".parse()?,
        };
        if let Some(size) = &self.size {
            rules = rules.with(&format!("size={size}"))?;
        }
        let mut options = Options::default();
        for (row, value) in &self.options.0 {
            row.set(&mut options, value)?;
        }
        Ok(SessionConfig {
            rules,
            explicit_game: self.variant.is_some(),
            options,
            move_time: self.time.unwrap_or(Duration::from_secs(1)),
            coordinates: self.coordinates.unwrap_or_default(),
            extended_moves: self.extended_moves,
            present_as: self.present_as,
            tunable: self.tunable,
        })
    }
}

/// The engine options that are set, with their values: one argument for each row of
/// [`Options::TABLE`] that has an effect.
#[derive(Clone, Debug, Default)]
struct OptionArgs(Vec<(&'static OptionRow, String)>);

impl OptionArgs {
    fn rows() -> impl Iterator<Item = &'static OptionRow> {
        const TABLE: &[OptionRow] = &Options::TABLE;
        TABLE.iter().filter(|row| !matches!(row.option_type, OptionType::Ignored))
    }

    fn arg(row: &'static OptionRow) -> Arg {
        let value = match row.option_type {
            OptionType::Number { .. } | OptionType::Parameter(_) => "N",
            OptionType::File { .. } => "FILE",
            OptionType::Switch { .. } | OptionType::Ignored => "BOOL",
            OptionType::Choice { .. } => "WORD",
        };
        let check = move |text: &str| {
            row.set(&mut Options::default(), text)
                .map(|()| text.to_owned())
                .map_err(|error| error.reason())
        };
        let default = row.get(&Options::default());
        Arg::new(row.name)
            .long(row.flag)
            .value_name(value)
            .help(format!("{} [default: {default}]", row.help))
            .value_parser(check)
            .allow_negative_numbers(true)
    }

    /// These options; those that are not set are taken from `earlier`.
    fn or(mut self, earlier: OptionArgs) -> OptionArgs {
        for (row, value) in earlier.0 {
            if !self.0.iter().any(|(given, _)| given.name == row.name) {
                self.0.push((row, value));
            }
        }
        self
    }
}

impl Args for OptionArgs {
    fn augment_args(command: Command) -> Command {
        command.args(OptionArgs::rows().map(OptionArgs::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        OptionArgs::augment_args(command)
    }
}

impl FromArgMatches for OptionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<OptionArgs, Error> {
        let given =
            |row: &'static OptionRow| Some((row, matches.get_one::<String>(row.name)?.clone()));
        Ok(OptionArgs(OptionArgs::rows().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = OptionArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
