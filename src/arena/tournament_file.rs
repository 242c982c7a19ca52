//! Tournament files, in TOML.
//!
//! ```toml
//! variants = ["d-pente", { rules = "pente-4", format = "seats", games = 4 }]
//! format = "round-robin"
//! rounds = 1
//! games = 2
//! control = { nodes = 2000 }
//! openings = { random = 4 }
//! concurrency = 2
//! pin = true
//! seed = 1
//!
//! [[engine]]
//! name = "mine"
//! cmd = "./mine --flag"
//! proto = "ugi"
//! options = { Hash = 16 }
//! control = { nodes = 500 }
//!
//! [[engine]]
//! ```
//!
//! The file is read from the parsed document and not by serde: an error names the line, the key, the
//! expected and the found kind of value, suggests the nearest key, and includes what only the settings
//! as a whole decide, such as games that do not fit the seats of a variant. With derived types and
//! `serde_path_to_error` the suggestions and the found kind are lost, values that may be a text or a
//! table (`variants`, `openings`, `cmd`) lose their line as untagged enums, and every value that is
//! checked later has to be wrapped to keep its place.

use crate::adjudication::Adjudication;
use crate::engine_spec::EngineSpec;
use crate::match_settings::Match;
use crate::opening::{BalanceCriterion, Openings};
use crate::rulebook::{ForeignGame, Rulebook};
use crate::schedule::{FirstMove, TournamentFormat};
use crate::sprt::Sprt;
use crate::time_control::{TimeControl, parse_seconds};
use crate::tournament::{Tournament, TournamentVariant};
use crate::wait::Timeouts;
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_protocol::nearest;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of the file.
const KEYS: [&str; 19] = [
    "referee",
    "variant",
    "variants",
    "format",
    "games",
    "rounds",
    "first",
    "control",
    "openings",
    "concurrency",
    "pin",
    "seed",
    "sprt",
    "margin",
    "patience",
    "adjudication",
    "each",
    "engine",
    "engines",
];

/// The maximum size of a file, in bytes.
const MAX_FILE_SIZE: u64 = 4 << 20;

/// Settings of the command line that replace those of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    pub variants: Vec<String>,
    /// The number of games of a matchup.
    pub games: Option<u32>,
    /// The number of rounds.
    pub rounds: Option<u32>,
    /// The time control of engines without one of their own.
    pub control: Option<TimeControl>,
    /// The number of concurrent games.
    pub concurrency: Option<usize>,
    /// The seed of openings and random players.
    pub seed: Option<u64>,
}

/// The settings that all variants share.
struct SharedSettings {
    format: TournamentFormat,
    games: Option<u32>,
    /// Whether the engines are the referee.
    foreign: bool,
    template: Match,
}

impl Tournament {
    /// Reads a tournament file.
    pub fn read(path: &Path, overrides: &Overrides) -> Result<Tournament, TournamentFileError> {
        let failed = |error| TournamentFileError::Read(path.to_owned(), error);
        let size = std::fs::metadata(path).map_err(failed)?.len();
        if size > MAX_FILE_SIZE {
            return Err(failed(std::io::Error::other("it is too large for a tournament file")));
        }
        let text = std::fs::read_to_string(path).map_err(failed)?;
        Tournament::parse(&text, path, overrides)
    }

    /// Parses a tournament file; paths in it are relative to the folder of `path`.
    pub fn parse(
        text: &str,
        path: &Path,
        overrides: &Overrides,
    ) -> Result<Tournament, TournamentFileError> {
        let source = TomlSource { path, text };
        let document = DeTable::parse(text).map_err(|error| source.syntax(&error))?;
        let file = source.root(&document);
        file.expect_keys(&KEYS)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let format = file.parse("format")?.unwrap_or(TournamentFormat::RoundRobin);
        let games = overrides.games.or(file.number("games", 1..=1_000_000)?.map(|n| n as u32));
        let template = template(&file, overrides, folder)?;
        let foreign = match file.get("referee").map(|entry| (entry.text(), entry)) {
            None | Some((Ok("ours"), _)) => false,
            Some((Ok("engines"), _)) => true,
            Some((Ok(_), entry)) => return Err(entry.error("expected `ours` or `engines`")),
            Some((Err(error), _)) => return Err(error),
        };
        let shared = SharedSettings { format, games, foreign, template };
        let variants = variants(&file, overrides, &shared, folder)?;
        let first = file.parse("first")?.unwrap_or(FirstMove::Alternate);
        let rounds = rounds(&file, overrides, format, shared.template.engines.len())?;
        let pin = file.get("pin").map_or(Ok(false), |entry| entry.switch())?;
        let tournament = Tournament { format, rounds, first, variants, pin };
        tournament.check(None).map_err(|error| {
            let place = file.get("variants").or_else(|| file.get("variant"));
            place.map_or_else(|| file.error(error.to_string()), |entry| entry.error(&error))
        })?;
        Ok(tournament)
    }
}

/// The settings of all variants, except for the rules.
fn template(
    file: &TomlTable<'_>,
    overrides: &Overrides,
    folder: &Path,
) -> Result<Match, TournamentFileError> {
    let own = file.get("control").map(|entry| control(&entry)).transpose()?;
    let default = TimeControl { move_time: Some(Duration::from_millis(100)), ..Default::default() };
    let patience = file
        .get("patience")
        .map(|entry| parse_seconds(&entry.word()?).map_err(|error| entry.error(error)));
    let timeouts = Timeouts::default();
    let margin = file.number("margin", 0..=3_600_000)?.map(Duration::from_millis);
    let concurrency = file.number("concurrency", 1..=1024)?.map(|n| n as usize);
    let seed = overrides.seed.or(file.number("seed", 0..=u64::MAX)?).unwrap_or(1);
    Ok(Match {
        rules: pente(file)?.into(),
        engines: engines(file, folder)?,
        control: overrides.control.or(own).unwrap_or(default),
        games: 0,
        sprt: file.parse::<Sprt>("sprt")?,
        openings: Openings::Random { plies: 4, seed },
        concurrency: overrides.concurrency.or(concurrency).unwrap_or(1),
        timeouts: Timeouts {
            margin: margin.unwrap_or(timeouts.margin),
            response: patience.transpose()?.unwrap_or(timeouts.response),
            ..timeouts
        },
        seed,
        adjudication: file
            .get("adjudication")
            .map_or(Ok(Adjudication::default()), |entry| adjudication(&entry))?,
    })
}

/// When games are adjudicated.
fn adjudication(entry: &TomlEntry<'_>) -> Result<Adjudication, TournamentFileError> {
    let table_value = entry.table_value()?;
    table_value.expect_keys(&["resign", "draw", "max-plies", "proven", "strict-time"])?;
    Ok(Adjudication {
        resign: table_value.parse("resign")?,
        draw: table_value.parse("draw")?,
        max_plies: table_value.number("max-plies", 1..=u64::from(u32::MAX))?.map(|n| n as u32),
        proven: table_value.number("proven", 2..=u64::MAX)?,
        strict_time: table_value.get("strict-time").map_or(Ok(false), |entry| entry.switch())?,
    })
}

/// The default game.
fn pente(file: &TomlTable<'_>) -> Result<Ruleset, TournamentFileError> {
    "pente".parse().map_err(|error| file.error(format!("{error}")))
}

fn rounds(
    file: &TomlTable<'_>,
    overrides: &Overrides,
    format: TournamentFormat,
    engines: usize,
) -> Result<u32, TournamentFileError> {
    let given = file.number("rounds", 1..=100_000)?.map(|n| n as u32);
    if let (TournamentFormat::Knockout, Some(entry)) = (format, file.get("rounds")) {
        return Err(entry.error("a knockout ends when one engine is left; leave it out"));
    }
    let default = match format {
        TournamentFormat::Swiss => engines.next_power_of_two().ilog2().max(1),
        _ => 1,
    };
    Ok(overrides.rounds.or(given).unwrap_or(default))
}

/// The variants with their settings.
fn variants(
    file: &TomlTable<'_>,
    overrides: &Overrides,
    shared: &SharedSettings,
    folder: &Path,
) -> Result<Vec<TournamentVariant>, TournamentFileError> {
    let openings = file.get("openings");
    let entries = match (file.get("variant"), file.get("variants")) {
        (Some(one), Some(_)) => {
            return Err(one.error("expected either `variant` or `variants`, found both"));
        }
        (one, many) => one.or(many).map_or(Vec::new(), |entry| entry.list()),
    };
    if !overrides.variants.is_empty() || entries.is_empty() {
        let default = [shared.template.rules.to_string()];
        let names = if overrides.variants.is_empty() { &default[..] } else { &overrides.variants };
        let variant = |name: &String| {
            let rules = shared.rules(name).map_err(|error| file.error(error))?;
            shared.variant(rules, None, None, openings.clone(), folder)
        };
        return names.iter().map(variant).collect();
    }
    let variant = |entry: TomlEntry<'_>| {
        if !entry.is_table() {
            let rules = shared.rules(entry.text()?).map_err(|error| entry.error(error))?;
            let variant = shared.variant(rules, None, None, openings.clone(), folder)?;
            return checked(variant, &entry);
        }
        let table_value = entry.table_value()?;
        table_value.expect_keys(&["rules", "format", "games", "openings"])?;
        let Some(rules) = table_value.get("rules") else {
            return Err(entry.error("expected `rules` in it, such as rules = \"pente-4\""));
        };
        let rules = shared.rules(rules.text()?).map_err(|error| rules.error(error))?;
        let format = table_value.parse::<TournamentFormat>("format")?;
        if let Some(format) =
            format.filter(|&f| f.follows_results() || shared.format.follows_results())
        {
            let place = table_value.get("format").unwrap_or(entry);
            return Err(place.error(format!("a {} cannot be part of a {}", format, shared.format)));
        }
        let games = table_value.number("games", 1..=1_000_000)?.map(|n| n as u32);
        let openings = table_value.get("openings").or_else(|| openings.clone());
        let variant = shared.variant(rules, format, games, openings, folder)?;
        checked(variant, &entry)
    };
    entries.into_iter().map(variant).collect()
}

impl SharedSettings {
    /// The game with this name.
    fn rules(&self, name: &str) -> Result<Rulebook, String> {
        if self.foreign {
            return ForeignGame::new(name)
                .map(Rulebook::Engines)
                .map_err(|error| error.to_string());
        }
        name.parse().map_err(|error: VariantSpecError| error.to_string())
    }

    fn variant(
        &self,
        rules: Rulebook,
        format: Option<TournamentFormat>,
        games: Option<u32>,
        openings: Option<TomlEntry<'_>>,
        folder: &Path,
    ) -> Result<TournamentVariant, TournamentFileError> {
        let format = format.unwrap_or(self.format);
        let default = self.template.openings.clone();
        let (rules, openings) = match (rules, openings) {
            (rules, None) => (rules, default),
            (Rulebook::BuiltIn(rules), Some(entry)) => {
                let read = read_openings(&entry, &rules, self.template.seed, folder)?;
                (rules.into(), read)
            }
            (Rulebook::Engines(game), Some(entry)) => {
                let text = entry.text().map_err(|_| {
                    entry.error("expected a file in quotes: only the engines know the legal moves")
                })?;
                let game = game.read_openings(&folder.join(text)).map_err(|e| entry.error(e))?;
                (Rulebook::Engines(game), default)
            }
        };
        let seats = usize::from(rules.seats()).min(self.template.engines.len());
        let default = match (format, self.template.sprt) {
            (TournamentFormat::Seats, _) => seats as u32,
            (TournamentFormat::Pair, Some(_)) => 20_000,
            (TournamentFormat::Pair, None) => 10,
            _ => 2,
        };
        let games = games.or(self.games).unwrap_or(default);
        Ok(TournamentVariant {
            format,
            settings: Match { rules, games, openings, ..self.template.clone() },
        })
    }
}

/// Rejects a variant that cannot be played, with the line of its entry.
fn checked(
    variant: TournamentVariant,
    entry: &TomlEntry<'_>,
) -> Result<TournamentVariant, TournamentFileError> {
    let seats = usize::from(variant.settings.rules.seats());
    let group = seats.min(variant.settings.engines.len()).max(1) as u32;
    if variant.format == TournamentFormat::Seats && !variant.settings.games.is_multiple_of(group) {
        return Err(entry.error(format!(
            "{} games do not give each of {group} engines every seat equally often; expected a \
             multiple of {group} as `games`",
            variant.settings.games
        )));
    }
    let (format, variants) = (variant.format, vec![variant]);
    let mut alone =
        Tournament { format, rounds: 1, first: FirstMove::Alternate, variants, pin: false };
    alone.check(None).map_err(|error| entry.error(error))?;
    alone.variants.pop().ok_or_else(|| entry.error("expected a variant"))
}

/// A time control: the words of an engine's spec as a table.
fn control(entry: &TomlEntry<'_>) -> Result<TimeControl, TournamentFileError> {
    let table_value = entry.table_value()?;
    table_value.expect_keys(&EngineSpec::CONTROL_KEYS)?;
    let words = table_value.entries().map(|entry| Ok(format!("{}={}", entry.key, entry.word()?)));
    let words: Result<Vec<String>, TournamentFileError> = words.collect();
    let spec: EngineSpec = shell_words::join(words?).parse().map_err(|error| entry.error(error))?;
    spec.control.ok_or_else(|| {
        entry.error(format!("expected one of {}", EngineSpec::CONTROL_KEYS.join(", ")))
    })
}

/// The openings: `"FILE"` or a table.
fn read_openings(
    entry: &TomlEntry<'_>,
    rules: &Ruleset,
    seed: u64,
    folder: &Path,
) -> Result<Openings, TournamentFileError> {
    if !entry.is_table() {
        return Openings::read(&folder.join(entry.text()?), rules).map_err(|e| entry.error(e));
    }
    let table_value = entry.table_value()?;
    table_value.expect_keys(&[
        "file",
        "order",
        "symmetries",
        "random",
        "balance",
        "nodes",
        "seed",
    ])?;
    let seed = table_value.number("seed", 0..=u64::MAX)?.unwrap_or(seed);
    let plies = table_value.number("random", 0..=100)?.map(|n| n as u32);
    let balance = table_value.number("balance", 0..=20_000)?.map(|n| n as u32);
    let nodes = table_value.number("nodes", 1..=u64::MAX)?;
    if let Some(file) = table_value.get("file") {
        if plies.is_some() || balance.is_some() {
            return Err(file.error("expected either a file or `random`, found both"));
        }
        let read = Openings::read(&folder.join(file.text()?), rules);
        let shuffle = match table_value.get("order").map(|entry| Ok((entry.text()?, entry))) {
            None | Some(Ok(("sequential", _))) => None,
            Some(Ok(("random", _))) => Some(seed),
            Some(Ok((_, entry))) => return Err(entry.error("expected `sequential` or `random`")),
            Some(Err(error)) => return Err(error),
        };
        let symmetries = table_value.get("symmetries").map_or(Ok(false), |entry| entry.switch())?;
        let read = read.map_err(|error| file.error(error))?;
        return Ok(read.reordered(rules, shuffle, symmetries));
    }
    let plies = plies.unwrap_or(4);
    let default = BalanceCriterion::default();
    Ok(match balance {
        Some(window) => {
            let balance = BalanceCriterion { window, nodes: nodes.unwrap_or(default.nodes) };
            Openings::Balanced { plies, seed, balance }
        }
        None => Openings::Random { plies, seed },
    })
}

fn engines(file: &TomlTable<'_>, folder: &Path) -> Result<Vec<EngineSpec>, TournamentFileError> {
    let list = file.get("engine").or_else(|| file.get("engines"));
    let entries = list.as_ref().map_or(Vec::new(), TomlEntry::list);
    if entries.len() < 2 {
        let reason = format!("expected two or more [[engine]] tables, found {}", entries.len());
        return Err(list.map_or_else(|| file.error(reason.clone()), |list| list.error(&reason)));
    }
    let common = match file.get("each") {
        None => Vec::new(),
        Some(each) => match engine_words(&each, folder)? {
            (_, Some(_)) => return Err(each.error("each engine has its own `cmd`")),
            (words, None) => words,
        },
    };
    let engines: Vec<EngineSpec> = entries
        .iter()
        .map(|entry| engine(entry, &common, folder))
        .collect::<Result<_, TournamentFileError>>()?;
    for (index, (engine, entry)) in engines.iter().zip(&entries).enumerate() {
        let known = engines[..index].iter().any(|other| other.name == engine.name);
        if let (true, Some(name)) = (known, &engine.name) {
            return Err(entry.error(format!("another engine is named `{name}` already")));
        }
    }
    Ok(engines)
}

/// An engine: the words that all engines have in common, then its own.
fn engine(
    entry: &TomlEntry<'_>,
    common: &[String],
    folder: &Path,
) -> Result<EngineSpec, TournamentFileError> {
    let (own, command) = engine_words(entry, folder)?;
    let words = shell_words::join(common.iter().chain(&own));
    let text = command.map_or(words.clone(), |command| format!("{words} cmd={command}"));
    text.parse().map_err(|error| entry.error(error))
}

/// The words of a spec as a table, and its command line.
fn engine_words(
    entry: &TomlEntry<'_>,
    folder: &Path,
) -> Result<(Vec<String>, Option<String>), TournamentFileError> {
    let table_value = entry.table_value()?;
    let (mut words, mut command) = (Vec::new(), None);
    let known: Vec<&str> = ["options", "control", "env"]
        .into_iter()
        .chain(EngineSpec::KEYS.iter().filter_map(|key| key.strip_suffix('=')))
        .collect();
    table_value.expect_keys(&known)?;
    for entry in table_value.entries() {
        match entry.key {
            "cmd" => command = Some(command_line(&entry)?),
            "options" => {
                for option in entry.table_value()?.entries() {
                    words.push(format!("option.{}={}", option.key, option.word()?));
                }
            }
            "env" => {
                for variable in entry.table_value()?.entries() {
                    words.push(format!("env.{}={}", variable.key, variable.word()?));
                }
            }
            "control" => {
                control(&entry)?;
                for limit in entry.table_value()?.entries() {
                    words.push(format!("{}={}", limit.key, limit.word()?));
                }
            }
            "dir" => {
                let dir: PathBuf = folder.join(entry.text()?);
                words.push(format!("dir={}", dir.display()));
            }
            key => words.push(format!("{key}={}", entry.word()?)),
        }
    }
    Ok((words, command))
}

/// A command line: a text that is split as by a shell, or a list of words.
fn command_line(entry: &TomlEntry<'_>) -> Result<String, TournamentFileError> {
    if let Ok(text) = entry.text() {
        return Ok(text.to_owned());
    }
    let words: Result<Vec<&str>, TournamentFileError> =
        entry.list().iter().map(TomlEntry::text).collect();
    Ok(shell_words::join(words?))
}

/// Why a tournament file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TournamentFileError {
    #[error("cannot read the tournament file {}: {}; check the path", .0.display(), .1)]
    Read(PathBuf, #[source] std::io::Error),
    /// A line is wrong.
    #[error("{} line {line}: {reason}", .path.display())]
    Line {
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The key and what was expected.
        reason: String,
    },
}

/// The text of a file, for errors with line numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TomlSource<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
}

/// A table of the file.
#[derive(Clone, Debug)]
pub(crate) struct TomlTable<'a> {
    source: TomlSource<'a>,
    table: &'a DeTable<'a>,
    start: usize,
}

/// A value with its key.
#[derive(Clone, Debug)]
pub(crate) struct TomlEntry<'a> {
    source: TomlSource<'a>,
    pub(crate) key: &'a str,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> TomlSource<'a> {
    /// An error at an offset in the text.
    pub(crate) fn error(self, at: usize, reason: String) -> TournamentFileError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        TournamentFileError::Line { path: self.path.to_owned(), line, reason }
    }

    /// The error of the TOML parser.
    pub(crate) fn syntax(self, error: &toml::de::Error) -> TournamentFileError {
        let at = error.span().map_or(0, |span: Range<usize>| span.start);
        self.error(at, error.message().replace('\n', ", "))
    }

    /// The whole file as a table.
    pub(crate) fn root(self, table: &'a Spanned<DeTable<'a>>) -> TomlTable<'a> {
        TomlTable { source: self, table: table.get_ref(), start: 0 }
    }
}

impl<'a> TomlTable<'a> {
    /// Rejects keys that are not in `known`.
    pub(crate) fn expect_keys(&self, known: &[&str]) -> Result<(), TournamentFileError> {
        let unknown = self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        let first = unknown.min_by_key(|key| key.span().start);
        first.map_or(Ok(()), |key| {
            let name: &str = key.get_ref();
            let hint = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("expected one of {}", known.join(", ")),
            };
            Err(self.source.error(key.span().start, format!("unknown key `{name}`, {hint}")))
        })
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<TomlEntry<'a>> {
        let (key, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(TomlEntry { source: self.source, key: key.get_ref(), value })
    }

    /// All values by key.
    pub(crate) fn entries(&self) -> impl Iterator<Item = TomlEntry<'a>> {
        let source = self.source;
        let table: &'a DeTable<'a> = self.table;
        table.iter().map(move |(key, value)| TomlEntry { source, key: key.get_ref(), value })
    }

    /// An error about the whole table.
    pub(crate) fn error(&self, reason: String) -> TournamentFileError {
        self.source.error(self.start, reason)
    }

    /// A number in a range, if the key exists.
    pub(crate) fn number(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, TournamentFileError> {
        self.get(key).map(|entry| entry.number(range)).transpose()
    }

    /// A value parsed from a text, if the key exists.
    pub(crate) fn parse<T: FromStr<Err: Display>>(
        &self,
        key: &str,
    ) -> Result<Option<T>, TournamentFileError> {
        self.get(key).map(|entry| entry.parse()).transpose()
    }
}

impl<'a> TomlEntry<'a> {
    /// An error about this value.
    pub(crate) fn error(&self, reason: impl Display) -> TournamentFileError {
        self.source.error(self.value.span().start, format!("`{}`: {reason}", self.key))
    }

    fn unexpected(&self, expected: &str) -> TournamentFileError {
        let found = match self.value.get_ref() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a number with decimals",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(format!("expected {expected}, found {found}"))
    }

    /// A text.
    pub(crate) fn text(&self) -> Result<&'a str, TournamentFileError> {
        self.value.get_ref().as_str().ok_or_else(|| self.unexpected("a text in quotes"))
    }

    /// A value parsed from a text.
    pub(crate) fn parse<T: FromStr<Err: Display>>(&self) -> Result<T, TournamentFileError> {
        self.text()?.parse().map_err(|error| self.error(error))
    }

    /// A number.
    pub(crate) fn number(&self, range: RangeInclusive<u64>) -> Result<u64, TournamentFileError> {
        let expected = match *range.end() {
            u64::MAX => format!("a number from {}", range.start()),
            end => format!("a number from {} to {end}", range.start()),
        };
        let DeValue::Integer(number) = self.value.get_ref() else {
            return Err(self.unexpected(&expected));
        };
        let value = u64::from_str_radix(number.as_str(), number.radix()).ok();
        value
            .filter(|value| range.contains(value))
            .ok_or_else(|| self.error(format!("expected {expected}, found {number}")))
    }

    /// True or false.
    pub(crate) fn switch(&self) -> Result<bool, TournamentFileError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.unexpected("true or false"))
    }

    /// A text, a number or a truth value as text.
    pub(crate) fn word(&self) -> Result<String, TournamentFileError> {
        Ok(match self.value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(value) => value.to_string(),
            _ => return Err(self.unexpected("a text or a number")),
        })
    }

    /// Whether it is a table.
    pub(crate) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    /// A table.
    pub(crate) fn table_value(&self) -> Result<TomlTable<'a>, TournamentFileError> {
        let value: &'a DeValue<'a> = self.value.get_ref();
        let table = value.as_table().ok_or_else(|| self.unexpected("a table"))?;
        Ok(TomlTable { source: self.source, table, start: self.value.span().start })
    }

    /// The values of a list; a single value is a list of one.
    pub(crate) fn list(&self) -> Vec<TomlEntry<'a>> {
        let value: &'a Spanned<DeValue<'a>> = self.value;
        match value.get_ref().as_array() {
            Some(list) => {
                let entry = |value| TomlEntry { source: self.source, key: self.key, value };
                list.iter().map(entry).collect()
            }
            None => vec![self.clone()],
        }
    }
}
