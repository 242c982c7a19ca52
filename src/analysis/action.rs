//! Requests to do something else than to analyze.

use super::answer::{Problem, SCHEMA};
use super::fields::{FieldError, Fields, wrong};
use pentarch_protocol::nearest;
use serde_json::{Map, Value};

/// What a line asks to do with the other queries.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// End queries: those of an id, or all; of some turns, or all.
    Terminate {
        id: Option<String>,
        turns: Option<Vec<u32>>,
    },
    ClearCache,
    QueryVersion,
}

/// The actions by name.
const NAMES: [&str; 4] = ["terminate", "terminate_all", "clear_cache", "query_version"];

impl Action {
    /// Reads the action of a name, of which only the fields are left.
    pub(super) fn read(name: &str, fields: &mut Fields) -> Result<Action, FieldError> {
        let target = fields.text("terminateId")?;
        let turns = fields.take("turnNumbers", "a list of turns")?;
        match name {
            "terminate" if target.is_none() => {
                Err(FieldError::new("terminateId", "expected the id of the query to end"))
            }
            "terminate" => Ok(Action::Terminate { id: target, turns }),
            "terminate_all" => Ok(Action::Terminate { id: None, turns }),
            "clear_cache" => Ok(Action::ClearCache),
            "query_version" => Ok(Action::QueryVersion),
            _ => {
                let expected = match nearest(name, NAMES) {
                    Some(near) => format!("an action, perhaps `{near}`"),
                    None => format!("one of the actions {}", NAMES.join(", ")),
                };
                Err(wrong("action", &expected, &Value::from(name)))
            }
        }
    }

    /// The answer: all that was sent, and the version if that was the question.
    pub(super) fn echo(&self, mut sent: Map<String, Value>) -> Value {
        if *self == Action::QueryVersion {
            sent.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
            sent.insert("name".to_owned(), pentarch_engine::NAME_AND_VERSION.into());
            sent.insert("git_hash".to_owned(), "<omitted>".into());
        }
        sent.insert("schema".to_owned(), SCHEMA.into());
        Value::Object(sent)
    }
}

/// A warning about each field that means nothing.
pub(super) fn unknown(id: &str, fields: Fields, known: &[&'static str]) -> Vec<Problem> {
    let rest =
        fields.rest().filter(|(_, value)| !matches!(value, Value::Null | Value::Bool(false)));
    let warned = rest.map(|(field, _)| {
        let hint = match nearest(&field, known.iter().copied()) {
            Some(near) => format!("unknown field, ignored; did you mean `{near}`?"),
            None => "unknown field, ignored".to_owned(),
        };
        FieldError::new(&field, hint).about(Some(id)).warning()
    });
    warned.collect()
}
