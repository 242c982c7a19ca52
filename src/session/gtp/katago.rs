//! The settings that clients of `KataGo` ask for: rules of Go, which have no effect here, and parameters.

use super::super::state::SessionState;
use super::search::{PendingSearch, SearchPurpose};
use super::{CommandResult, GtpSession, Reply, done, success};
use pentarch_engine::search::{Limits, Report};
use pentarch_engine::{OptionRow, OptionType, Options};
use pentarch_protocol::gtp::Command;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The rules and the parameters that a client has set.
#[derive(Clone, Debug)]
pub(super) struct KataGo {
    rules: Map<String, Value>,
    /// The values of [`PARAMETERS`] that differ from their defaults.
    parameters: Map<String, Value>,
}

impl Default for KataGo {
    fn default() -> KataGo {
        KataGo { rules: object(DEFAULT_RULES), parameters: Map::new() }
    }
}

/// The rules until a client sets others, `tromp-taylor`.
const DEFAULT_RULES: &str = r#"{"ko":"POSITIONAL","scoring":"AREA","tax":"NONE","suicide":true,
    "hasButton":false,"whiteHandicapBonus":"0","friendlyPassOk":false}"#;

/// The names of rules in `KataGo`'s document, and what differs from [`DEFAULT_RULES`].
const NAMED_RULES: [(&[&str], &str); 8] = [
    (&["tromp-taylor"], "{}"),
    (
        &["chinese"],
        r#"{"ko":"SIMPLE","suicide":false,"whiteHandicapBonus":"N","friendlyPassOk":true}"#,
    ),
    (
        &["chinese-ogs", "chinese-kgs"],
        r#"{"suicide":false,"whiteHandicapBonus":"N","friendlyPassOk":true}"#,
    ),
    (
        &["japanese", "korean"],
        r#"{"ko":"SIMPLE","scoring":"TERRITORY","tax":"SEKI","suicide":false,"friendlyPassOk":true}"#,
    ),
    (&["stone-scoring"], r#"{"ko":"SIMPLE","tax":"ALL","suicide":false,"friendlyPassOk":true}"#),
    (
        &["aga", "bga"],
        r#"{"ko":"SITUATIONAL","suicide":false,"whiteHandicapBonus":"N-1","friendlyPassOk":true}"#,
    ),
    (&["new-zealand", "new_zealand"], r#"{"ko":"SITUATIONAL","friendlyPassOk":true}"#),
    (
        &["aga-button"],
        r#"{"ko":"SITUATIONAL","suicide":false,"hasButton":true,"whiteHandicapBonus":"N-1",
            "friendlyPassOk":true}"#,
    ),
];

/// Returns the members of a JSON object; none of another text.
fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Returns the words that a rule of Go accepts; none for `true` or `false`, `None` for an unknown rule.
fn rule_words(rule: &str) -> Option<&'static [&'static str]> {
    Some(match rule {
        "ko" => &["SIMPLE", "POSITIONAL", "SITUATIONAL"],
        "scoring" => &["AREA", "TERRITORY"],
        "tax" => &["NONE", "SEKI", "ALL"],
        "whiteHandicapBonus" => &["0", "N-1", "N"],
        "suicide" | "hasButton" | "friendlyPassOk" => &[],
        _ => return None,
    })
}

/// Sets a rule of Go.
fn set_rule(rules: &mut Map<String, Value>, rule: &str, value: &Value) -> Result<(), String> {
    let words = rule_words(rule).ok_or_else(|| format!("unknown rule `{rule}`"))?;
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let value = if words.is_empty() {
        text.to_ascii_lowercase().parse().map(Value::Bool).ok()
    } else {
        let word = words.iter().find(|word| word.eq_ignore_ascii_case(&text));
        word.map(|&word| Value::from(word))
    };
    let value = value.ok_or_else(|| format!("rule `{rule}`: unknown value `{text}`"))?;
    rules.insert(rule.to_owned(), value);
    Ok(())
}

/// Returns the rules of a name or of a JSON object; missing members are those of [`DEFAULT_RULES`].
fn parse_rules(text: &str) -> Result<Map<String, Value>, String> {
    let text = text.trim();
    let mut rules = object(DEFAULT_RULES);
    let is_named =
        |(names, _): &&(&[&str], &str)| names.iter().any(|name| name.eq_ignore_ascii_case(text));
    if let Some((_, differences)) = NAMED_RULES.iter().find(is_named) {
        rules.extend(object(differences));
        return Ok(rules);
    }
    let unknown = || {
        format!(
            "unknown rules `{}`: expected rules of Go, which have no effect; `set_game` selects the game",
            text.chars().take(40).collect::<String>()
        )
    };
    let members: Map<String, Value> = serde_json::from_str(text).map_err(|_| unknown())?;
    for (rule, value) in &members {
        set_rule(&mut rules, rule, value)?;
    }
    Ok(rules)
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ParameterType {
    /// A number that is not negative, at most this.
    Number(f64),
    /// A number of any sign.
    Signed,
    Bool,
    Text,
}

/// The parameters of `KataGo` with their types and defaults. The first three limit searches for moves; the
/// others are stored and have no effect.
const PARAMETERS: [(&str, ParameterType, &str); 13] = [
    ("maxVisits", ParameterType::Number(u64::MAX as f64), "1125899906842624"),
    ("maxPlayouts", ParameterType::Number(u64::MAX as f64), "1125899906842624"),
    ("maxTime", ParameterType::Number(1e20), "1e20"),
    ("playoutDoublingAdvantage", ParameterType::Signed, "0"),
    ("analysisWideRootNoise", ParameterType::Number(5.0), "0"),
    ("analysisIgnorePreRootHistory", ParameterType::Bool, "true"),
    ("genmoveAntiMirror", ParameterType::Bool, "false"),
    ("antiMirror", ParameterType::Bool, "false"),
    ("humanSLProfile", ParameterType::Text, "\"\""),
    ("allowResignation", ParameterType::Bool, "true"),
    ("ponderingEnabled", ParameterType::Bool, "false"),
    ("delayMoveScale", ParameterType::Number(10_000.0), "0"),
    ("delayMoveMax", ParameterType::Number(1_000_000.0), "0"),
];

/// The name of `KataGo` for the number of threads.
const THREADS: &str = "numSearchThreads";

/// Returns the option of the engine that is a parameter, by its own name or that of `KataGo`.
fn option_row(name: &str) -> Option<&'static OptionRow> {
    let own = |row: &&OptionRow| !matches!(row.option_type, OptionType::Ignored);
    OptionRow::find(if name == THREADS { "Threads" } else { name }).filter(own)
}

impl KataGo {
    /// Returns limits for a move with those of the parameters.
    pub(super) fn restrict(&self, mut limits: Limits) -> Limits {
        let value = |name: &str| self.parameters.get(name).and_then(Value::as_f64);
        for nodes in ["maxVisits", "maxPlayouts"].into_iter().filter_map(value) {
            let nodes = (nodes as u64).max(1);
            limits.nodes = Some(limits.nodes.map_or(nodes, |other| other.min(nodes)));
        }
        let time = value("maxTime").and_then(|time| Duration::try_from_secs_f64(time).ok());
        if let Some(time) = time {
            limits.move_time = Some(limits.move_time.map_or(time, |other| other.min(time)));
        }
        limits
    }

    /// Returns the value of a parameter.
    fn get(&self, options: &Options, name: &str) -> Option<Value> {
        if let Some(&(name, _, default)) = PARAMETERS.iter().find(|(known, ..)| *known == name) {
            let default = || serde_json::from_str(default).unwrap_or(Value::Null);
            return Some(self.parameters.get(name).cloned().unwrap_or_else(default));
        }
        let text = option_row(name)?.get(options);
        Some(serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Sets a parameter from text. On an error nothing changes.
    fn set(&mut self, options: &mut Options, name: &str, text: &str) -> Result<(), String> {
        let Some(&(_, kind, _)) = PARAMETERS.iter().find(|(known, ..)| *known == name) else {
            let row = option_row(name).ok_or_else(|| unknown_parameter(name))?;
            return row.set(options, text).map_err(|error| error.to_string());
        };
        let number = || text.parse::<f64>().ok().filter(|number| number.is_finite());
        let integer = || text.parse::<u64>().ok().map(Value::from);
        let value = match kind {
            ParameterType::Number(most) => {
                let number = number().filter(|number| (0.0..=most).contains(number));
                number.and_then(|number| integer().or_else(|| Some(Value::from(number))))
            }
            ParameterType::Signed => number().map(Value::from),
            ParameterType::Bool => text.to_ascii_lowercase().parse().ok().map(Value::Bool),
            ParameterType::Text => Some(Value::from(text)),
        };
        let value = value.ok_or_else(|| {
            let found: String = text.chars().take(40).collect();
            format!("parameter `{name}`: unknown value `{found}`")
        })?;
        self.parameters.insert(name.to_owned(), value);
        Ok(())
    }
}

fn unknown_parameter(name: &str) -> String {
    format!(
        "unknown parameter `{}`: `kata-list-params` lists them",
        name.chars().take(40).collect::<String>()
    )
}

/// Returns the names of all parameters.
fn parameter_names() -> impl Iterator<Item = &'static str> {
    const TABLE: &[OptionRow] = &Options::TABLE;
    let rows = TABLE.iter().map(|row| row.name).filter(|name| option_row(name).is_some());
    PARAMETERS.into_iter().map(|(name, ..)| name).chain([THREADS]).chain(rows)
}

/// Returns a value as `kata-get-param` and `kata-set-param` have it.
fn value_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl GtpSession {
    pub(super) fn katago_command(
        &mut self,
        state: &mut SessionState,
        id: Option<u32>,
        command: &Command,
    ) -> CommandResult {
        match command {
            Command::KataGetRules => success(Value::from(self.katago.rules.clone()).to_string()),
            Command::KataSetRules(text) => {
                self.katago.rules = parse_rules(text)?;
                done()
            }
            Command::KataSetRule { rule, value } => {
                set_rule(&mut self.katago.rules, rule, &Value::from(value.as_str()))?;
                done()
            }
            Command::KgsRules(name) => {
                let is_kgs = ["chinese", "aga", "japanese", "new_zealand"]
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(name));
                if !is_kgs {
                    return Err(
                        "unknown rules: expected chinese, aga, japanese or new_zealand".to_owned()
                    );
                }
                let is_chinese = name.eq_ignore_ascii_case("chinese");
                self.katago.rules = parse_rules(if is_chinese { "chinese-kgs" } else { name })?;
                done()
            }
            Command::KataListParams => success(parameter_names().collect::<Vec<_>>().join(" ")),
            Command::KataGetParam(name) => {
                let value = self.katago.get(state.engine.options(), name);
                success(value_text(&value.ok_or_else(|| unknown_parameter(name))?))
            }
            Command::KataGetParams => {
                let value = |name: &str| self.katago.get(state.engine.options(), name);
                let all =
                    parameter_names().filter_map(|name| Some((name.to_owned(), value(name)?)));
                success(Value::from(all.collect::<Map<_, _>>()).to_string())
            }
            Command::KataSetParam { name, value } => {
                self.set_parameters(state, [(name.as_str(), value.clone())])
            }
            Command::KataSetParams(text) => {
                let members: Map<String, Value> = serde_json::from_str(text)
                    .map_err(|error| format!("expected a JSON object: {error}"))?;
                let members =
                    members.iter().map(|(name, value)| (name.as_str(), value_text(value)));
                self.set_parameters(state, members)
            }
            Command::KataGetModels => success(
                json!([{
                    "name": "Pentarch",
                    "internalName": pentarch_engine::NAME_AND_VERSION,
                    "maxBatchSize": 1,
                    "usesHumanSLProfile": false,
                    "version": 1,
                    "usingFP16": "false",
                }])
                .to_string(),
            ),
            Command::KataBenchmark(nodes) => {
                if state.game.outcome().is_some() {
                    return Err("cannot analyze: the game is over".to_owned());
                }
                let limits = Limits::nodes((*nodes).max(1));
                let mover = super::color(state.game.to_move());
                let pending = PendingSearch::new(id, mover, SearchPurpose::Benchmark, limits, None);
                self.search(state, pending, 1)?;
                Ok(Reply::Later)
            }
            other => {
                let text = other.to_string();
                let name = text.split(' ').next().unwrap_or_default();
                Err(format!(
                    "{name} is not supported: it is about the network and the search tree of KataGo"
                ))
            }
        }
    }

    /// Sets parameters, all or none.
    fn set_parameters<'a>(
        &mut self,
        state: &mut SessionState,
        values: impl IntoIterator<Item = (&'a str, String)>,
    ) -> CommandResult {
        let (mut katago, mut options) = (self.katago.clone(), state.engine.options().clone());
        for (name, value) in values {
            katago.set(&mut options, name, &value)?;
        }
        self.katago = katago;
        state.engine.set_options(options);
        done()
    }
}

/// Returns the speed of a search.
pub(super) fn benchmark(report: &Report) -> String {
    format!(
        "visits = {}, time = {:.3} s, visits/s = {}, depth = {}",
        report.nodes,
        report.time.as_secs_f64(),
        report.nps(),
        report.depth
    )
}
