//! Tables of a TOML file whose errors name the file, the line, the key and what was expected.

use pentarch_protocol::nearest;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

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
pub(super) struct Source<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
}

/// A table of the file.
#[derive(Clone, Debug)]
pub(super) struct Section<'a> {
    source: Source<'a>,
    table: &'a DeTable<'a>,
    start: usize,
}

/// A value with its key.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    source: Source<'a>,
    pub(super) key: &'a str,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Source<'a> {
    /// An error at an offset in the text.
    pub(super) fn error(self, at: usize, reason: String) -> FileError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        FileError::Line { path: self.path.to_owned(), line, reason }
    }

    /// What the parser of TOML says.
    pub(super) fn syntax(self, error: &toml::de::Error) -> FileError {
        let at = error.span().map_or(0, |span: Range<usize>| span.start);
        self.error(at, error.message().replace('\n', ", "))
    }

    /// The whole file as a table.
    pub(super) fn root(self, table: &'a Spanned<DeTable<'a>>) -> Section<'a> {
        Section { source: self, table: table.get_ref(), start: 0 }
    }
}

impl<'a> Section<'a> {
    /// Refuses keys that are not among these.
    pub(super) fn expect_keys(&self, known: &[&str]) -> Result<(), FileError> {
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
    pub(super) fn get(&self, key: &str) -> Option<Entry<'a>> {
        let (key, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(Entry { source: self.source, key: key.get_ref(), value })
    }

    /// All values by key.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'a>> {
        let source = self.source;
        let table: &'a DeTable<'a> = self.table;
        table.iter().map(move |(key, value)| Entry { source, key: key.get_ref(), value })
    }

    /// An error of the table as a whole.
    pub(super) fn error(&self, reason: String) -> FileError {
        self.source.error(self.start, reason)
    }

    /// A number, if the key is there.
    pub(super) fn number(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, FileError> {
        self.get(key).map(|entry| entry.number(range)).transpose()
    }

    /// A value read from a text, if the key is there.
    pub(super) fn parse<T: FromStr<Err: Display>>(
        &self,
        key: &str,
    ) -> Result<Option<T>, FileError> {
        self.get(key).map(|entry| entry.parse()).transpose()
    }
}

impl<'a> Entry<'a> {
    /// An error of this value.
    pub(super) fn error(&self, reason: impl Display) -> FileError {
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
    pub(super) fn text(&self) -> Result<&'a str, FileError> {
        self.value.get_ref().as_str().ok_or_else(|| self.unexpected("a text in quotes"))
    }

    /// A value that is read from a text.
    pub(super) fn parse<T: FromStr<Err: Display>>(&self) -> Result<T, FileError> {
        self.text()?.parse().map_err(|error| self.error(error))
    }

    /// A number.
    pub(super) fn number(&self, range: RangeInclusive<u64>) -> Result<u64, FileError> {
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
    pub(super) fn switch(&self) -> Result<bool, FileError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.unexpected("true or false"))
    }

    /// A text, a number or a truth value, as it stands.
    pub(super) fn word(&self) -> Result<String, FileError> {
        Ok(match self.value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(value) => value.to_string(),
            _ => return Err(self.unexpected("a text or a number")),
        })
    }

    /// Whether it is a table.
    pub(super) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    /// A table.
    pub(super) fn section(&self) -> Result<Section<'a>, FileError> {
        let value: &'a DeValue<'a> = self.value.get_ref();
        let table = value.as_table().ok_or_else(|| self.unexpected("a table"))?;
        Ok(Section { source: self.source, table, start: self.value.span().start })
    }

    /// The values of a list, or the one value that stands for a list of one.
    pub(super) fn list(&self) -> Vec<Entry<'a>> {
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
