//! Options that every dialect understands, before or after its word.

use crate::arena::parse_seconds;
use crate::engine::Options;
use crate::rules::Ruleset;
use crate::session::Preferences;
use clap::Args;
use env_logger::{Builder, Env, Target};
use pentarch_protocol::gomocup::Coordinates;
use std::error::Error;
use std::fmt::Display;
use std::fs::File;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
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
    /// Search threads [default: 1]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Size of the hash table [default: 64]
    #[arg(long, value_name = "MIB", value_parser = hash, allow_negative_numbers = true)]
    hash: Option<usize>,
    /// Vary the play; 0 plays the same every time [default: 0]
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Playing strength, 10 is full [default: 10]
    #[arg(long, value_name = "1..10", value_parser = clap::value_parser!(u32).range(1..=10))]
    level: Option<u32>,
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
}

pub(super) fn count(text: &str) -> Result<usize, String> {
    within(text, Options::THREADS)
}

fn seed(text: &str) -> Result<u64, String> {
    within(text, Options::SEED)
}

fn hash(text: &str) -> Result<usize, String> {
    within(text, Options::HASH)
}

fn within<T>(text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
}

impl EngineArgs {
    /// These options, and where they are silent those given earlier.
    pub(super) fn or(&self, earlier: &EngineArgs) -> EngineArgs {
        let EngineArgs { variant, size, threads, hash, seed, level, .. } = self.clone();
        let EngineArgs { time, log_file, coordinates, extended_moves, .. } = self.clone();
        let earlier = earlier.clone();
        EngineArgs {
            variant: variant.or(earlier.variant),
            size: size.or(earlier.size),
            threads: threads.or(earlier.threads),
            hash: hash.or(earlier.hash),
            seed: seed.or(earlier.seed),
            level: level.or(earlier.level),
            time: time.or(earlier.time),
            coordinates: coordinates.or(earlier.coordinates),
            log_file: log_file.or(earlier.log_file),
            extended_moves: extended_moves || earlier.extended_moves,
        }
    }

    /// The name of an option that was given, if any was.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let EngineArgs { variant, size, threads, hash, seed, level, .. } = self;
        let EngineArgs { time, log_file, coordinates, extended_moves, .. } = self;
        let given = [
            (variant.is_some(), "variant"),
            (size.is_some(), "size"),
            (threads.is_some(), "threads"),
            (hash.is_some(), "hash"),
            (seed.is_some(), "seed"),
            (level.is_some(), "level"),
            (time.is_some(), "time"),
            (coordinates.is_some(), "coordinates"),
            (log_file.is_some(), "log-file"),
            (*extended_moves, "extended-moves"),
        ];
        given.into_iter().find_map(|(given, name)| given.then_some(name))
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
        let default = Options::default();
        let options = Options {
            hash: self.hash.unwrap_or(default.hash),
            threads: self.threads.unwrap_or(default.threads),
            level: self.level.unwrap_or(default.level),
            seed: self.seed.unwrap_or(default.seed),
            ..default
        };
        let move_time = self.time.unwrap_or(Duration::from_secs(1));
        let coordinates = self.coordinates.unwrap_or_default();
        Ok(Preferences {
            rules,
            names_game: self.variant.is_some(),
            options,
            move_time,
            coordinates,
            extended_moves: self.extended_moves,
        })
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
