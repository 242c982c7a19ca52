//! Why a line is not what its dialect knows, for dialects whose commands are lines of words.

use crate::grammar::{Mismatch, quoted, shortened};
use crate::nearest;

/// Why a line is neither a command nor a response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// The line has no word in it.
    #[error("empty line, expected a command")]
    Empty,
    /// The first word is not a command.
    #[error("unknown command `{word}`{}", hint(.nearest.as_deref()))]
    Unknown {
        /// The word, shortened.
        word: String,
        /// The command it may be a typo of.
        nearest: Option<String>,
    },
    /// The first word is known, but something after it is wrong.
    #[error("malformed `{command}`: expected {expected}, found {}", quoted(.found))]
    Malformed {
        /// The first word of the line.
        command: String,
        /// What would have been right, a noun phrase.
        expected: String,
        /// The wrong word, shortened; empty at the end of the line.
        found: String,
    },
}

/// The question that follows an unknown word.
fn hint(nearest: Option<&str>) -> String {
    nearest.map(|word| format!(", did you mean `{word}`?")).unwrap_or_default()
}

impl SyntaxError {
    /// The error for a line whose first word none of these names is.
    pub(crate) fn unknown<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Unknown { word: shortened(word), nearest: nearest(word, names).map(str::to_owned) }
    }

    /// The error for a line that starts with `command` and goes wrong later.
    pub(crate) fn malformed(command: &str, error: nom::Err<Mismatch<'_>>) -> Self {
        let mismatch = Mismatch::from_nom(error);
        Self::Malformed {
            command: command.to_owned(),
            found: mismatch.found(),
            expected: mismatch.expected.into_owned(),
        }
    }
}
