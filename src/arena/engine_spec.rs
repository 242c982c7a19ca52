//! Engine specifications as users write them: `name=A nodes=1000 option.Hash=16 cmd=engine --flag`.

use crate::controller::ProtocolSettings;
use crate::process::{LaunchOptions, RestartPolicy};
use crate::time_control::{TimeControl, TimeError, parse_seconds};
use pentarch_engine::{OptionError, Options};
use pentarch_protocol::{Dialect, nearest};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// An engine of a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineSpec {
    /// The name; `None` takes the name that the engine reports.
    pub name: Option<String>,
    pub kind: EngineKind,
    /// The engine's own time control; `None` takes that of the match.
    pub control: Option<TimeControl>,
    /// Whether it ponders.
    pub ponder: bool,
    /// How much longer than its limit a move may take; `None` takes the margin of the match.
    pub margin: Option<Duration>,
}

impl EngineSpec {
    /// Parses a specification; `common` has words that apply to all engines unless it overrides them.
    pub fn with_common(common: &str, text: &str) -> Result<EngineSpec, EngineSpecError> {
        let words = shell_words::split(common);
        let words = words.map_err(|_| EngineSpecError::Quote(common.to_owned()))?;
        if let Some(word) = words.iter().find(|word| word.starts_with("cmd=")) {
            return Err(wrong(word, "each engine has its own command"));
        }
        format!("{common} {text}").parse()
    }

    /// The number of search threads according to its options.
    pub(crate) fn threads(&self) -> usize {
        match &self.kind {
            EngineKind::BuiltIn(options) => options.threads,
            EngineKind::Random(_) => 1,
            EngineKind::Child { options, .. } => {
                let named = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("threads");
                let threads = options.iter().rfind(named).and_then(|(_, value)| value.parse().ok());
                threads.unwrap_or(1)
            }
        }
    }

    /// How to talk to the engine's process in a dialect and with these options.
    pub(crate) fn protocol_settings<'a>(
        &self,
        dialect: Dialect,
        options: &'a [(String, String)],
    ) -> ProtocolSettings<'a> {
        ProtocolSettings { dialect, options, ponder: self.ponder }
    }

    /// The keys of a specification, for messages and help.
    pub(crate) const KEYS: [&str; 17] = [
        "name=",
        "proto=",
        "player=",
        "tc=",
        "movetime=",
        "nodes=",
        "depth=",
        "ponder=",
        "margin=",
        "dir=",
        "env.",
        "start=",
        "stop=",
        "restart=",
        "stderr=",
        "option.",
        "cmd=",
    ];

    /// The keys that limit moves.
    pub(crate) const CONTROL_KEYS: [&str; 4] = ["tc", "movetime", "nodes", "depth"];

    /// The name before the engine was asked for it.
    pub(crate) fn label(&self) -> String {
        let fallback = match &self.kind {
            EngineKind::BuiltIn(_) => "pentarch".to_owned(),
            EngineKind::Random(_) => "random".to_owned(),
            EngineKind::Child { launch, .. } => launch.command_line(),
        };
        self.name.clone().unwrap_or(fallback)
    }
}

/// What kind of player an engine is.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineKind {
    /// The built-in engine, in this process.
    BuiltIn(Options),
    /// A player that moves at random, with its seed; `None` takes the seed of the match.
    Random(Option<u64>),
    /// A process of its own.
    Child {
        /// How it is started.
        launch: LaunchOptions,
        /// The dialect that it speaks.
        dialect: Dialect,
        /// The options to set.
        options: Vec<(String, String)>,
    },
}

impl Default for EngineKind {
    fn default() -> EngineKind {
        EngineKind::BuiltIn(Options::default())
    }
}

/// Why a text is not an engine specification. The message names the word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineSpecError {
    /// An unknown word, and a hint.
    #[error("unknown word `{0}`, {1}")]
    Unknown(String, String),
    /// A quote that is not closed.
    #[error("the quote in `{0}` has no end")]
    Quote(String),
    /// A value that does not fit its key.
    #[error("`{word}`: {reason}")]
    Value {
        /// The word.
        word: String,
        reason: String,
    },
}

/// The words read so far.
#[derive(Default)]
struct SpecBuilder {
    name: Option<String>,
    proto: Option<String>,
    random: bool,
    control: TimeControl,
    ponder: bool,
    margin: Option<Duration>,
    launch: LaunchOptions,
    options: Vec<(String, String)>,
    command: Option<Vec<String>>,
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    /// `spec = { key , "=" , value } , [ "cmd=" , command line ] ;` in words of a POSIX shell:
    /// quotes hold blanks together, a backslash escapes the next character.
    fn from_str(text: &str) -> Result<EngineSpec, EngineSpecError> {
        let words =
            shell_words::split(text).map_err(|_| EngineSpecError::Quote(text.to_owned()))?;
        let mut words = words.into_iter();
        let mut builder = SpecBuilder::default();
        while let Some(word) = words.next() {
            let Some(program) = word.strip_prefix("cmd=") else {
                builder.read(&word)?;
                continue;
            };
            let program = Some(program.to_owned()).filter(|program| !program.is_empty());
            let command: Vec<String> = program.into_iter().chain(words.by_ref()).collect();
            if command.is_empty() {
                return Err(wrong("cmd=", "expected a command line after it"));
            }
            builder.command = Some(command);
        }
        builder.finish()
    }
}

impl SpecBuilder {
    fn read(&mut self, word: &str) -> Result<(), EngineSpecError> {
        let Some((key, value)) = word.split_once('=') else { return Err(unknown(word)) };
        let time = |error: TimeError| wrong(word, &error.to_string());
        match key {
            "name" if value.is_empty() => return Err(wrong(word, "expected a name")),
            "name" => self.name = Some(value.to_owned()),
            "proto" => self.proto = Some(value.to_ascii_lowercase()),
            "player" if value == "random" => self.random = true,
            "player" => return Err(wrong(word, "expected `random`")),
            "tc" => self.control.clock = Some(value.parse().map_err(time)?),
            "movetime" => self.control.move_time = Some(parse_seconds(value).map_err(time)?),
            "nodes" => self.control.nodes = Some(number(word, value, 1..=u64::MAX)?),
            "depth" => {
                self.control.depth = Some(number(word, value, 1..=u64::from(u32::MAX))? as u32);
            }
            "ponder" => {
                let wrong = |_| wrong(word, "expected `true` or `false`");
                self.ponder = value.parse().map_err(wrong)?;
            }
            "margin" => {
                let margin = number(word, value, 0..=3_600_000)?;
                self.margin = Some(Duration::from_millis(margin));
            }
            "dir" => self.launch.directory = Some(PathBuf::from(value)),
            "start" => self.launch.start_limit = Some(parse_seconds(value).map_err(time)?),
            "stop" => self.launch.stop_limit = Some(parse_seconds(value).map_err(time)?),
            "stderr" if value.is_empty() => return Err(wrong(word, "expected a file")),
            "stderr" => self.launch.log = Some(PathBuf::from(value)),
            "restart" => {
                self.launch.restart = match value {
                    "on" => RestartPolicy::On,
                    "off" => RestartPolicy::Off,
                    "crash" => RestartPolicy::Crash,
                    _ => return Err(wrong(word, "expected `on`, `off` or `crash`")),
                };
            }
            _ => {
                let (name, list) = match key.split_once('.') {
                    Some(("option", name)) => (name, &mut self.options),
                    Some(("env", name)) => (name, &mut self.launch.environment),
                    _ => return Err(unknown(word)),
                };
                if name.is_empty() {
                    return Err(unknown(word));
                }
                list.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<EngineSpec, EngineSpecError> {
        let built_in = self.command.is_none();
        let proto = self.proto.as_deref().unwrap_or(if built_in { "builtin" } else { "ugi" });
        let kind = match (proto, self.command) {
            ("builtin", None) if self.launch != LaunchOptions::default() => {
                let words = "dir= env. start= stop= restart= stderr=";
                return Err(wrong(words, "only a `cmd=` is a process of its own"));
            }
            ("builtin", None) if self.random => {
                EngineKind::Random(random_player_seed(&self.options)?)
            }
            ("builtin", None) => EngineKind::BuiltIn(built_in_options(&self.options)?),
            ("builtin", Some(_)) => return Err(wrong("proto=builtin", "it has no `cmd=`")),
            _ if self.random => return Err(wrong("player=random", "it is built in")),
            (_, command) => {
                let word = format!("proto={proto}");
                let dialect: Dialect = proto.parse().map_err(|_| {
                    wrong(&word, &format!("expected `builtin`, {}", Dialect::name_list()))
                })?;
                let Some(mut words) = command else {
                    return Err(wrong(&word, "expected a `cmd=` after it"));
                };
                if !dialect.capabilities().has_options && !self.options.is_empty() {
                    let text = format!("{} has no options, use the command line", dialect.title());
                    return Err(wrong("option.", &text));
                }
                let program = words.remove(0);
                let launch = LaunchOptions { program, arguments: words, ..self.launch };
                EngineKind::Child { launch, dialect, options: self.options }
            }
        };
        let control = Some(self.control).filter(|control| !control.is_unbounded());
        let silent = match &kind {
            EngineKind::Random(_) => Some("a random player does not search".to_owned()),
            EngineKind::Child { dialect, .. } if !dialect.capabilities().has_pondering => {
                Some(format!("{} has no word for it", dialect.title()))
            }
            EngineKind::BuiltIn(_) | EngineKind::Child { .. } => None,
        };
        if let Some(reason) = silent.filter(|_| self.ponder) {
            return Err(wrong("ponder=true", &reason));
        }
        let (ponder, margin) = (self.ponder, self.margin);
        Ok(EngineSpec { name: self.name, kind, control, ponder, margin })
    }
}

fn wrong(word: &str, reason: &str) -> EngineSpecError {
    EngineSpecError::Value { word: word.to_owned(), reason: reason.to_owned() }
}

fn unknown(word: &str) -> EngineSpecError {
    let key = word.split_once('=').map_or(word, |(key, _)| key);
    let near = nearest(key, EngineSpec::KEYS.iter().map(|key| key.trim_end_matches(['=', '.'])));
    let hint = match near {
        Some(near) => format!("did you mean `{near}=`?"),
        None => format!("expected one of {}", EngineSpec::KEYS.join(" ")),
    };
    EngineSpecError::Unknown(word.to_owned(), hint)
}

fn number(word: &str, value: &str, range: RangeInclusive<u64>) -> Result<u64, EngineSpecError> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| match range.end() {
        &u64::MAX => wrong(word, &format!("expected a number from {}", range.start())),
        end => wrong(word, &format!("expected a number from {} to {end}", range.start())),
    })
}

/// Reads the options of the built-in engine.
fn built_in_options(pairs: &[(String, String)]) -> Result<Options, EngineSpecError> {
    let mut options = Options::default();
    for (name, value) in pairs {
        let wrong = |error: OptionError| wrong(&format!("option.{name}={value}"), &error.reason());
        options.set(name, value).map_err(wrong)?;
    }
    Ok(options)
}

fn random_player_seed(pairs: &[(String, String)]) -> Result<Option<u64>, EngineSpecError> {
    let mut seed = None;
    for (name, value) in pairs {
        let word = format!("option.{name}={value}");
        if !name.eq_ignore_ascii_case("seed") {
            return Err(wrong(&word, "a random player has no option but Seed"));
        }
        seed = Some(number(&word, value, 0..=u64::MAX)?);
    }
    Ok(seed)
}
