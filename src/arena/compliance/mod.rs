//! Whether an engine keeps to its protocol, step by step.
//!
//! [`check`] drives any engine through the steps of a dialect. Each is a short conversation of its
//! own that begins at a known state, and after one that fails the engine is started again, so that
//! one failure says nothing about the next. What the protocol leaves to the engine and is not there is
//! [`Verdict::Missing`], what it gets wrong [`Verdict::Wrong`]. Moves and results are held to the
//! rules of the game that was asked for.

mod gomocup;
mod gtp;
mod harness;
mod sidecar;
mod ugi;

pub use harness::{Line, Step, Subject, Verdict};

use crate::error::ArenaError;
use harness::run;
use pentarch_protocol::Dialect;

/// Drives an engine through its dialect and hands over each step as soon as it is done.
///
/// # Errors
/// The engine cannot be started, or the dialect has no words for the game or no steps.
pub fn check(subject: &Subject, mut report: impl FnMut(&Step)) -> Result<(), ArenaError> {
    let known = RUNNERS.iter().find(|(dialect, _)| *dialect == subject.dialect);
    let (_, run) = known.ok_or_else(|| {
        ArenaError::Setup(format!("there are no steps for proto={} yet", subject.dialect))
    })?;
    run(subject, &mut report)
}

/// Drives an engine through the steps of a dialect.
type Runner = fn(&Subject, &mut dyn FnMut(&Step)) -> Result<(), ArenaError>;

/// The dialects that have steps.
const RUNNERS: [(Dialect, Runner); 5] = [
    (Dialect::Ugi, run::<ugi::Client>),
    (Dialect::Uci, run::<ugi::Client>),
    (Dialect::Gtp, run::<gtp::Client>),
    (Dialect::Gomocup, run::<gomocup::Client>),
    (Dialect::Sidecar, run::<sidecar::Client>),
];
