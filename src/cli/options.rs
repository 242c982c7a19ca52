//! Options that every dialect understands, before or after its word.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use env_logger::{Builder, Env, Target};
use pentarch_arena::parse_seconds;
use pentarch_core::rules::Ruleset;
use pentarch_engine::{Access, OptionRow, Options};
use pentarch_protocol::gomocup::Coordinates;
use pentarch_session::{Preferences, PresentAs};
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of an engine that speaks a protocol.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct EngineArgs {
    /// The game: NAME[+modifier...], see `pentarch variants` [default: pente]
    #[arg(long, value_name = "SPEC")]
    variant: Option<Ruleset>,
    /// The size of the board, as the modifier `size=N`
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    size: Option<String>,
    #[command(flatten)]
    options: OptionArgs,
    /// Time for a move when no clock is given [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: Option<Duration>,
    /// In Gomocup, the order of numbers in a point: column and row, or row and column [default: xy]
    #[arg(long, value_name = "xy|yx")]
    coordinates: Option<Coordinates>,
    /// Write the log, the whole conversation included, to this file
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// In GTP, answer with moves that are more than a vertex: `swap`, `N@K10`
    #[arg(long)]
    extended_moves: bool,
    /// In GTP, answer `name` and `version` as another engine would, for programs such as Lizzie that
    /// refuse any other
    #[arg(long, value_name = "katago|leela")]
    present_as: Option<PresentAs>,
    /// In UGI and UCI, list the numbers of the search among the options, for tuners
    #[arg(long)]
    tunable: bool,
}

/// A number of threads.
pub(super) fn count(text: &str) -> Result<usize, String> {
    let mut options = Options::default();
    options.set("Threads", text).map_err(|error| error.reason())?;
    Ok(options.threads)
}

impl EngineArgs {
    /// These options, and where they are silent those given earlier.
    pub(super) fn or(&self, earlier: &EngineArgs) -> EngineArgs {
        let EngineArgs { variant, size, options, .. } = self.clone();
        let EngineArgs { time, log_file, coordinates, extended_moves, present_as, tunable, .. } =
            self.clone();
        let earlier = earlier.clone();
        EngineArgs {
            variant: variant.or(earlier.variant),
            size: size.or(earlier.size),
            options: options.or(earlier.options),
            time: time.or(earlier.time),
            coordinates: coordinates.or(earlier.coordinates),
            log_file: log_file.or(earlier.log_file),
            extended_moves: extended_moves || earlier.extended_moves,
            present_as: present_as.or(earlier.present_as),
            tunable: tunable || earlier.tunable,
        }
    }

    /// The name of an option that was given, if any was.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let EngineArgs { variant, size, options, .. } = self;
        let EngineArgs { time, log_file, coordinates, extended_moves, present_as, tunable, .. } =
            self;
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

    pub(super) fn log_file(&self) -> Option<&Path> {
        self.log_file.as_deref()
    }

    /// What a session is to start with.
    pub(super) fn preferences(&self) -> Result<Preferences, Box<dyn Error>> {
        let rules = match &self.variant {
            Some(rules) => rules.clone(),
            None => "pente".parse()?,
        };
        let rules = match &self.size {
            Some(size) => rules.with(&format!("size={size}"))?,
            None => rules,
        };
        let mut options = Options::default();
        for (row, value) in &self.options.0 {
            row.set(&mut options, value)?;
        }
        let move_time = self.time.unwrap_or(Duration::from_secs(1));
        let coordinates = self.coordinates.unwrap_or_default();
        Ok(Preferences {
            rules,
            names_game: self.variant.is_some(),
            options,
            move_time,
            coordinates,
            extended_moves: self.extended_moves,
            present_as: self.present_as,
            tunable: self.tunable,
        })
    }
}

/// Those options of the engine's table that were given, with their values.
#[derive(Clone, Debug, Default)]
struct OptionArgs(Vec<(&'static OptionRow, String)>);

impl OptionArgs {
    /// The options that change anything.
    fn rows() -> impl Iterator<Item = &'static OptionRow> {
        const TABLE: &[OptionRow] = &Options::TABLE;
        TABLE.iter().filter(|row| !matches!(row.access, Access::Ignored))
    }

    fn arg(row: &'static OptionRow) -> Arg {
        let value = match row.access {
            Access::Number { .. } | Access::Parameter(_) => "N",
            Access::File { .. } => "FILE",
            Access::Switch { .. } | Access::Ignored => "BOOL",
            Access::Choice { .. } => "WORD",
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

    /// These options, and where they are silent those given earlier.
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
    fn from_arg_matches(matches: &ArgMatches) -> Result<OptionArgs, clap::Error> {
        let given =
            |row: &'static OptionRow| Some((row, matches.get_one::<String>(row.name)?.clone()));
        Ok(OptionArgs(OptionArgs::rows().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = OptionArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Starts logging: to standard error as `RUST_LOG` says, or to a file, then with the conversation.
pub(super) fn start_log(file: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut builder = Builder::from_env(Env::default().default_filter_or(if file.is_some() {
        "debug"
    } else {
        "warn"
    }));
    if let Some(path) = file {
        let log = File::options().create(true).append(true).open(path).map_err(|error| {
            format!("cannot write the log file {}: {error}; name another", path.display())
        })?;
        builder.target(Target::Pipe(Box::new(log)));
    }
    builder.try_init()?;
    Ok(())
}
