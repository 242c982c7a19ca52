//! The fields of a query, each taken once by its name.

use super::answer::Problem;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::Display;
use std::time::Duration;

/// The members of an object that nobody has asked for yet.
#[derive(Debug)]
pub(super) struct Fields(Map<String, Value>);

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldError {
    pub field: String,
    pub reason: String,
}

impl FieldError {
    pub(super) fn new(field: &str, reason: impl Display) -> FieldError {
        FieldError { field: field.to_owned(), reason: reason.to_string() }
    }

    /// As an answer to the query of an id.
    pub(super) fn about(self, id: Option<&str>) -> Problem {
        let FieldError { field, reason } = self;
        Problem::new(id, Some(&field), format!("`{}`: {reason}", shorten(&field)))
    }
}

impl Fields {
    pub(super) fn new(object: Map<String, Value>) -> Fields {
        Fields(object)
    }

    /// Takes a value; `null` is as good as none.
    pub(super) fn value(&mut self, field: &str) -> Option<Value> {
        self.0.remove(field).filter(|value| !value.is_null())
    }

    /// Takes a value of a type that `expected` puts in words.
    pub(super) fn take<T: DeserializeOwned>(
        &mut self,
        field: &str,
        expected: &str,
    ) -> Result<Option<T>, FieldError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        match T::deserialize(&value) {
            Ok(taken) => Ok(Some(taken)),
            Err(_) => Err(wrong(field, expected, &value)),
        }
    }

    pub(super) fn text(&mut self, field: &str) -> Result<Option<String>, FieldError> {
        self.take(field, "a text")
    }

    /// Takes whether something is wanted; what is not said is not.
    pub(super) fn flag(&mut self, field: &str) -> Result<bool, FieldError> {
        Ok(self.take(field, "true or false")?.unwrap_or(false))
    }

    /// Takes a whole number of a range. Programs that have no other numbers write it with a point.
    pub(super) fn number(
        &mut self,
        field: &str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, FieldError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        let whole = |number: f64| number.fract() == 0.0 && (0.0..9e15).contains(&number);
        let number =
            value.as_u64().or_else(|| value.as_f64().filter(|&n| whole(n)).map(|n| n as u64));
        let expected = match most {
            u64::MAX => format!("a whole number from {least}"),
            _ => format!("a whole number from {least} to {most}"),
        };
        let number = number.filter(|number| (least..=most).contains(number));
        number.map(Some).ok_or_else(|| wrong(field, &expected, &value))
    }

    /// Takes a time in seconds, more than none and less than a year.
    pub(super) fn seconds(&mut self, field: &str) -> Result<Option<Duration>, FieldError> {
        const YEAR: f64 = 365.0 * 86_400.0;
        let Some(value) = self.value(field) else { return Ok(None) };
        let seconds = value.as_f64().filter(|&seconds| seconds > 0.0 && seconds < YEAR);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let time = time.map(|time| time.max(Duration::from_millis(1)));
        time.map(Some).ok_or_else(|| wrong(field, "a number of seconds above 0", &value))
    }

    /// What was not asked for.
    pub(super) fn rest(self) -> impl Iterator<Item = (String, Value)> {
        self.0.into_iter()
    }
}

/// A value that does not fit its field.
pub(super) fn wrong(field: &str, expected: &str, found: &Value) -> FieldError {
    let found = shorten(&found.to_string());
    FieldError::new(field, format!("expected {expected}, found `{found}`"))
}

/// The beginning of a text that may be long.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
