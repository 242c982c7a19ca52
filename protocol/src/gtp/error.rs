//! Why a request is not a command, in GTP's standard words.

use crate::grammar::{quoted, shortened};

/// Why a request is not a command.
///
/// The text starts with one of the standard failure texts of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// There is no command of this name.
    #[error("unknown command{}", hint(.nearest.as_deref()))]
    UnknownCommand {
        /// The command it may be a typo of.
        nearest: Option<String>,
    },
    /// The command is known, but its arguments are wrong.
    #[error("syntax error: expected {expected}, found {}", quoted(.found))]
    Syntax {
        /// What would have been right, a noun phrase.
        expected: String,
        /// The wrong word, shortened; empty at the end of the line.
        found: String,
    },
}

/// The question that follows an unknown command.
fn hint(nearest: Option<&str>) -> String {
    nearest.map(|word| format!(": did you mean `{word}`?")).unwrap_or_default()
}

impl SyntaxError {
    /// The error for a wrong word, or for none at all.
    pub(super) fn expected(expected: &str, found: &str) -> Self {
        Self::Syntax { expected: expected.to_owned(), found: shortened(found) }
    }
}
