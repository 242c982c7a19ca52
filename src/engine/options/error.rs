//! Why an option is not set.

use super::Options;
use pentarch_protocol::nearest;

/// Why an option is not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is none of that name; the second text is a hint, which may be empty.
    #[error("unknown option `{0}`{1}")]
    Unknown(String, String),
    /// The value is none that it takes.
    #[error("option `{name}`: expected {expected}, found `{found}`")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// The value, shortened.
        found: String,
    },
    /// The value is one that this engine cannot serve.
    #[error("option `{name}`: {reason}")]
    Refused {
        /// The option.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

impl OptionError {
    /// What is wrong, where the option and its value stand beside it.
    pub fn reason(&self) -> String {
        match self {
            OptionError::Value { expected, .. } => format!("expected {expected}"),
            OptionError::Refused { reason, .. } => reason.clone(),
            OptionError::Unknown(..) => self.to_string(),
        }
    }

    /// There is no such option, neither in the table nor among `others`.
    pub fn unknown(name: &str, others: &[&'static str]) -> OptionError {
        let names = Options::rows().map(|row| row.name).chain(others.iter().copied());
        let hint = nearest(name, names);
        let hint = hint.map_or(String::new(), |known| format!(", did you mean `{known}`?"));
        OptionError::Unknown(name.chars().take(40).collect(), hint)
    }
}
