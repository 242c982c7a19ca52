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

use crate::adjudication::Adjudication;
use crate::engine_spec::EngineSpec;
use crate::match_settings::Match;
use crate::opening::{Balance, Openings};
use crate::rulebook::{ForeignGame, Rulebook};
use crate::schedule::{First, Format};
use crate::sprt::Sprt;
use crate::time_control::{TimeControl, parse_seconds};
use crate::tournament::{Event, Tournament};
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

/// The keys of the file itself.
const KEYS: [&str; 18] = [
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
    "engine",
    "engines",
];

/// The largest file that is read.
const LARGEST: u64 = 4 << 20;

/// What the command line says instead of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The variants.
    pub variants: Vec<String>,
    /// The games of an encounter.
    pub games: Option<u32>,
    /// The rounds.
    pub rounds: Option<u32>,
    /// How moves are limited where an engine has no limit of its own.
    pub control: Option<TimeControl>,
    /// How many games are played at the same time.
    pub concurrency: Option<usize>,
    /// Chooses openings and the moves of random players.
    pub seed: Option<u64>,
}

/// What is the same in all variants.
struct Common {
    format: Format,
    games: Option<u32>,
    /// Whether the engines referee.
    by_engines: bool,
    template: Match,
}

impl Tournament {
    /// Reads a tournament file.
    pub fn read(path: &Path, overrides: &Overrides) -> Result<Tournament, FileError> {
        let failed = |error| FileError::Read(path.to_owned(), error);
        let size = std::fs::metadata(path).map_err(failed)?.len();
        if size > LARGEST {
            return Err(failed(std::io::Error::other("it is too large for a tournament file")));
        }
        let text = std::fs::read_to_string(path).map_err(failed)?;
        Tournament::parse(&text, path, overrides)
    }

    /// Reads the text of a tournament file; paths in it are relative to the folder of `path`.
    pub fn parse(text: &str, path: &Path, overrides: &Overrides) -> Result<Tournament, FileError> {
        let source = Source { path, text };
        let document = DeTable::parse(text).map_err(|error| source.syntax(&error))?;
        let file = source.root(&document);
        file.expect_keys(&KEYS)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let format = file.parse("format")?.unwrap_or(Format::RoundRobin);
        let games = overrides.games.or(file.number("games", 1..=1_000_000)?.map(|n| n as u32));
        let template = template(&file, overrides, folder)?;
        let by_engines = match file.get("referee").map(|entry| (entry.text(), entry)) {
            None | Some((Ok("ours"), _)) => false,
            Some((Ok("engines"), _)) => true,
            Some((Ok(_), entry)) => return Err(entry.error("expected `ours` or `engines`")),
            Some((Err(error), _)) => return Err(error),
        };
        let common = Common { format, games, by_engines, template };
        let events = events(&file, overrides, &common, folder)?;
        let first = file.parse("first")?.unwrap_or(First::Alternate);
        let rounds = rounds(&file, overrides, format, common.template.engines.len())?;
        let pin = file.get("pin").map_or(Ok(false), |entry| entry.switch())?;
        let tournament = Tournament { format, rounds, first, events, pin };
        tournament.check(None).map_err(|error| {
            let place = file.get("variants").or_else(|| file.get("variant"));
            place.map_or_else(|| file.error(error.to_string()), |entry| entry.error(&error))
        })?;
        Ok(tournament)
    }
}

/// The terms of all variants, except for the variant.
fn template(file: &Section<'_>, overrides: &Overrides, folder: &Path) -> Result<Match, FileError> {
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
            silence: patience.transpose()?.unwrap_or(timeouts.silence),
            ..timeouts
        },
        seed,
        adjudication: file
            .get("adjudication")
            .map_or(Ok(Adjudication::default()), |entry| adjudication(&entry))?,
    })
}

/// When games are ended early.
fn adjudication(entry: &Entry<'_>) -> Result<Adjudication, FileError> {
    let section = entry.section()?;
    section.expect_keys(&["resign", "draw", "max-plies", "proven", "strict-time"])?;
    Ok(Adjudication {
        resign: section.parse("resign")?,
        draw: section.parse("draw")?,
        max_plies: section.number("max-plies", 1..=u64::from(u32::MAX))?.map(|n| n as u32),
        proven: section.number("proven", 2..=u64::MAX)?,
        strict_time: section.get("strict-time").map_or(Ok(false), |entry| entry.switch())?,
    })
}

/// The game that is played where none is named.
fn pente(file: &Section<'_>) -> Result<Ruleset, FileError> {
    "pente".parse().map_err(|error| file.error(format!("{error}")))
}

fn rounds(
    file: &Section<'_>,
    overrides: &Overrides,
    format: Format,
    engines: usize,
) -> Result<u32, FileError> {
    let given = file.number("rounds", 1..=100_000)?.map(|n| n as u32);
    if let (Format::Knockout, Some(entry)) = (format, file.get("rounds")) {
        return Err(entry.error("a knockout ends when one engine is left; leave it out"));
    }
    let default = match format {
        Format::Swiss => engines.next_power_of_two().ilog2().max(1),
        _ => 1,
    };
    Ok(overrides.rounds.or(given).unwrap_or(default))
}

/// The variants, each with its terms.
fn events(
    file: &Section<'_>,
    overrides: &Overrides,
    common: &Common,
    folder: &Path,
) -> Result<Vec<Event>, FileError> {
    let openings = file.get("openings");
    let entries = match (file.get("variant"), file.get("variants")) {
        (Some(one), Some(_)) => {
            return Err(one.error("expected either `variant` or `variants`, found both"));
        }
        (one, many) => one.or(many).map_or(Vec::new(), |entry| entry.list()),
    };
    if !overrides.variants.is_empty() || entries.is_empty() {
        let default = [common.template.rules.to_string()];
        let names = if overrides.variants.is_empty() { &default[..] } else { &overrides.variants };
        let event = |name: &String| {
            let rules = common.rules(name).map_err(|error| file.error(error))?;
            common.event(rules, None, None, openings.clone(), folder)
        };
        return names.iter().map(event).collect();
    }
    let event = |entry: Entry<'_>| {
        if !entry.is_table() {
            let rules = common.rules(entry.text()?).map_err(|error| entry.error(error))?;
            let event = common.event(rules, None, None, openings.clone(), folder)?;
            return checked(event, &entry);
        }
        let section = entry.section()?;
        section.expect_keys(&["rules", "format", "games", "openings"])?;
        let Some(rules) = section.get("rules") else {
            return Err(entry.error("expected `rules` in it, such as rules = \"pente-4\""));
        };
        let rules = common.rules(rules.text()?).map_err(|error| rules.error(error))?;
        let format = section.parse::<Format>("format")?;
        if let Some(format) =
            format.filter(|&f| f.follows_results() || common.format.follows_results())
        {
            let place = section.get("format").unwrap_or(entry);
            return Err(place.error(format!("a {} cannot be part of a {}", format, common.format)));
        }
        let games = section.number("games", 1..=1_000_000)?.map(|n| n as u32);
        let openings = section.get("openings").or_else(|| openings.clone());
        let event = common.event(rules, format, games, openings, folder)?;
        checked(event, &entry)
    };
    entries.into_iter().map(event).collect()
}

impl Common {
    /// The game of that name.
    fn rules(&self, name: &str) -> Result<Rulebook, String> {
        if self.by_engines {
            return ForeignGame::new(name)
                .map(Rulebook::Engines)
                .map_err(|error| error.to_string());
        }
        name.parse().map_err(|error: VariantSpecError| error.to_string())
    }

    fn event(
        &self,
        rules: Rulebook,
        format: Option<Format>,
        games: Option<u32>,
        openings: Option<Entry<'_>>,
        folder: &Path,
    ) -> Result<Event, FileError> {
        let format = format.unwrap_or(self.format);
        let default = self.template.openings.clone();
        let (rules, openings) = match (rules, openings) {
            (rules, None) => (rules, default),
            (Rulebook::Ours(rules), Some(entry)) => {
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
            (Format::Seats, _) => seats as u32,
            (Format::Pair, Some(_)) => 20_000,
            (Format::Pair, None) => 10,
            _ => 2,
        };
        let games = games.or(self.games).unwrap_or(default);
        Ok(Event { format, terms: Match { rules, games, openings, ..self.template.clone() } })
    }
}

/// Refuses what does not fit the seats of a variant, at its place in the file.
fn checked(event: Event, entry: &Entry<'_>) -> Result<Event, FileError> {
    let seats = usize::from(event.terms.rules.seats());
    let group = seats.min(event.terms.engines.len()).max(1) as u32;
    if event.format == Format::Seats && !event.terms.games.is_multiple_of(group) {
        return Err(entry.error(format!(
            "{} games do not give each of {group} engines every seat equally often; expected a \
             multiple of {group} as `games`",
            event.terms.games
        )));
    }
    let (format, events) = (event.format, vec![event]);
    let mut alone = Tournament { format, rounds: 1, first: First::Alternate, events, pin: false };
    alone.check(None).map_err(|error| entry.error(error))?;
    alone.events.pop().ok_or_else(|| entry.error("expected a variant"))
}

/// How moves are limited: the words of an engine's spec as a table.
fn control(entry: &Entry<'_>) -> Result<TimeControl, FileError> {
    let section = entry.section()?;
    section.expect_keys(&EngineSpec::CONTROL_KEYS)?;
    let words = section.entries().map(|entry| Ok(format!("{}={}", entry.key, entry.word()?)));
    let words: Result<Vec<String>, FileError> = words.collect();
    let spec: EngineSpec = shell_words::join(words?).parse().map_err(|error| entry.error(error))?;
    spec.control.ok_or_else(|| {
        entry.error(format!("expected one of {}", EngineSpec::CONTROL_KEYS.join(", ")))
    })
}

/// Where games begin: `"FILE"` or a table.
fn read_openings(
    entry: &Entry<'_>,
    rules: &Ruleset,
    seed: u64,
    folder: &Path,
) -> Result<Openings, FileError> {
    if !entry.is_table() {
        return Openings::read(&folder.join(entry.text()?), rules).map_err(|e| entry.error(e));
    }
    let section = entry.section()?;
    section.expect_keys(&["file", "order", "symmetries", "random", "balance", "nodes", "seed"])?;
    let seed = section.number("seed", 0..=u64::MAX)?.unwrap_or(seed);
    let plies = section.number("random", 0..=100)?.map(|n| n as u32);
    let balance = section.number("balance", 0..=20_000)?.map(|n| n as u32);
    let nodes = section.number("nodes", 1..=u64::MAX)?;
    if let Some(file) = section.get("file") {
        if plies.is_some() || balance.is_some() {
            return Err(file.error("expected either a file or `random`, found both"));
        }
        let read = Openings::read(&folder.join(file.text()?), rules);
        let shuffle = match section.get("order").map(|entry| Ok((entry.text()?, entry))) {
            None | Some(Ok(("sequential", _))) => None,
            Some(Ok(("random", _))) => Some(seed),
            Some(Ok((_, entry))) => return Err(entry.error("expected `sequential` or `random`")),
            Some(Err(error)) => return Err(error),
        };
        let symmetries = section.get("symmetries").map_or(Ok(false), |entry| entry.switch())?;
        let read = read.map_err(|error| file.error(error))?;
        return Ok(read.arranged(rules, shuffle, symmetries));
    }
    let plies = plies.unwrap_or(4);
    let default = Balance::default();
    Ok(match balance {
        Some(window) => {
            let balance = Balance { window, nodes: nodes.unwrap_or(default.nodes) };
            Openings::Balanced { plies, seed, balance }
        }
        None => Openings::Random { plies, seed },
    })
}

fn engines(file: &Section<'_>, folder: &Path) -> Result<Vec<EngineSpec>, FileError> {
    let list = file.get("engine").or_else(|| file.get("engines"));
    let entries = list.as_ref().map_or(Vec::new(), Entry::list);
    if entries.len() < 2 {
        let reason = format!("expected two or more [[engine]] tables, found {}", entries.len());
        return Err(list.map_or_else(|| file.error(reason.clone()), |list| list.error(&reason)));
    }
    let engines: Vec<EngineSpec> =
        entries.iter().map(|entry| engine(entry, folder)).collect::<Result<_, FileError>>()?;
    for (index, (engine, entry)) in engines.iter().zip(&entries).enumerate() {
        let known = engines[..index].iter().any(|other| other.name == engine.name);
        if let (true, Some(name)) = (known, &engine.name) {
            return Err(entry.error(format!("another engine is named `{name}` already")));
        }
    }
    Ok(engines)
}

/// An engine: the words of a spec as a table.
fn engine(entry: &Entry<'_>, folder: &Path) -> Result<EngineSpec, FileError> {
    let section = entry.section()?;
    let (mut words, mut command) = (Vec::new(), None);
    let known: Vec<&str> = ["options", "control", "env"]
        .into_iter()
        .chain(EngineSpec::KEYS.iter().filter_map(|key| key.strip_suffix('=')))
        .collect();
    section.expect_keys(&known)?;
    for entry in section.entries() {
        match entry.key {
            "cmd" => command = Some(command_line(&entry)?),
            "options" => {
                for option in entry.section()?.entries() {
                    words.push(format!("option.{}={}", option.key, option.word()?));
                }
            }
            "env" => {
                for variable in entry.section()?.entries() {
                    words.push(format!("env.{}={}", variable.key, variable.word()?));
                }
            }
            "control" => {
                control(&entry)?;
                for limit in entry.section()?.entries() {
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
    let words = shell_words::join(words);
    let text = command.map_or(words.clone(), |command| format!("{words} cmd={command}"));
    text.parse().map_err(|error| entry.error(error))
}

/// A command line: a text as a shell splits it, or a list of words.
fn command_line(entry: &Entry<'_>) -> Result<String, FileError> {
    if let Ok(text) = entry.text() {
        return Ok(text.to_owned());
    }
    let words: Result<Vec<&str>, FileError> = entry.list().iter().map(Entry::text).collect();
    Ok(shell_words::join(words?))
}

/// Why a tournament file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read the tournament file {}: {}; check the path", .0.display(), .1)]
    Read(PathBuf, #[source] std::io::Error),
    /// Something in it is wrong.
    #[error("{} line {line}: {reason}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key and what was expected.
        reason: String,
    },
}

/// A file under reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
}

/// A table of the file.
#[derive(Clone, Debug)]
pub(crate) struct Section<'a> {
    source: Source<'a>,
    table: &'a DeTable<'a>,
    start: usize,
}

/// A value with its key.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'a> {
    source: Source<'a>,
    pub(crate) key: &'a str,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Source<'a> {
    /// An error at an offset in the text.
    pub(crate) fn error(self, at: usize, reason: String) -> FileError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        FileError::Line { path: self.path.to_owned(), line, reason }
    }

    /// What the parser of TOML says.
    pub(crate) fn syntax(self, error: &toml::de::Error) -> FileError {
        let at = error.span().map_or(0, |span: Range<usize>| span.start);
        self.error(at, error.message().replace('\n', ", "))
    }

    /// The whole file as a table.
    pub(crate) fn root(self, table: &'a Spanned<DeTable<'a>>) -> Section<'a> {
        Section { source: self, table: table.get_ref(), start: 0 }
    }
}

impl<'a> Section<'a> {
    /// Refuses keys that are not among these.
    pub(crate) fn expect_keys(&self, known: &[&str]) -> Result<(), FileError> {
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
    pub(crate) fn get(&self, key: &str) -> Option<Entry<'a>> {
        let (key, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(Entry { source: self.source, key: key.get_ref(), value })
    }

    /// All values by key.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'a>> {
        let source = self.source;
        let table: &'a DeTable<'a> = self.table;
        table.iter().map(move |(key, value)| Entry { source, key: key.get_ref(), value })
    }

    /// An error of the table as a whole.
    pub(crate) fn error(&self, reason: String) -> FileError {
        self.source.error(self.start, reason)
    }

    /// A number, if the key is there.
    pub(crate) fn number(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, FileError> {
        self.get(key).map(|entry| entry.number(range)).transpose()
    }

    /// A value read from a text, if the key is there.
    pub(crate) fn parse<T: FromStr<Err: Display>>(
        &self,
        key: &str,
    ) -> Result<Option<T>, FileError> {
        self.get(key).map(|entry| entry.parse()).transpose()
    }
}

impl<'a> Entry<'a> {
    /// An error of this value.
    pub(crate) fn error(&self, reason: impl Display) -> FileError {
        self.source.error(self.value.span().start, format!("`{}`: {reason}", self.key))
    }

    fn unexpected(&self, expected: &str) -> FileError {
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
    pub(crate) fn text(&self) -> Result<&'a str, FileError> {
        self.value.get_ref().as_str().ok_or_else(|| self.unexpected("a text in quotes"))
    }

    /// A value that is read from a text.
    pub(crate) fn parse<T: FromStr<Err: Display>>(&self) -> Result<T, FileError> {
        self.text()?.parse().map_err(|error| self.error(error))
    }

    /// A number.
    pub(crate) fn number(&self, range: RangeInclusive<u64>) -> Result<u64, FileError> {
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
    pub(crate) fn switch(&self) -> Result<bool, FileError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.unexpected("true or false"))
    }

    /// A text, a number or a truth value, as it stands.
    pub(crate) fn word(&self) -> Result<String, FileError> {
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
    pub(crate) fn section(&self) -> Result<Section<'a>, FileError> {
        let value: &'a DeValue<'a> = self.value.get_ref();
        let table = value.as_table().ok_or_else(|| self.unexpected("a table"))?;
        Ok(Section { source: self.source, table, start: self.value.span().start })
    }

    /// The values of a list, or the one value that stands for a list of one.
    pub(crate) fn list(&self) -> Vec<Entry<'a>> {
        let value: &'a Spanned<DeValue<'a>> = self.value;
        match value.get_ref().as_array() {
            Some(list) => {
                let entry = |value| Entry { source: self.source, key: self.key, value };
                list.iter().map(entry).collect()
            }
            None => vec![self.clone()],
        }
    }
}
