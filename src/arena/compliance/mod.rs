//! Tests whether an engine conforms to its protocol, step by step.
//!
//! [`check`] runs an engine through the steps of its dialect. Each step is a short conversation with
//! an engine that was just started, so that no step affects the next one. A step that fails is
//! repeated; if it is right then, it is [`StepVerdict::Unstable`]. A missing optional feature is [`StepVerdict::Missing`], a
//! violation of the protocol [`StepVerdict::Wrong`]. Moves and results are checked by the rules of
//! the requested game.

mod gomocup;
mod gtp;
mod harness;
mod sidecar;
mod ugi;

pub use harness::{ComplianceSettings, ComplianceStep, StepVerdict, TranscriptLine};

use crate::error::ArenaError;
use harness::run;
use pentarch_protocol::Dialect;

/// Runs an engine through the steps of its dialect and reports each step as soon as it is done.
///
/// # Errors
/// The engine cannot be started, or the dialect cannot express the game.
pub fn check(
    settings: &ComplianceSettings,
    mut report: impl FnMut(&ComplianceStep),
) -> Result<(), ArenaError> {
    let known = RUNNERS.iter().find(|(dialect, _)| *dialect == settings.dialect);
    let (_, run) = known.ok_or_else(|| {
        ArenaError::Setup(format!("there are no steps for proto={} yet", settings.dialect))
    })?;
    run(settings, &mut report)
}

/// Runs an engine through the steps of a dialect.
type Runner = fn(&ComplianceSettings, &mut dyn FnMut(&ComplianceStep)) -> Result<(), ArenaError>;

/// The dialects that have steps.
const RUNNERS: [(Dialect, Runner); 5] = [
    (Dialect::Ugi, run::<ugi::Client>),
    (Dialect::Uci, run::<ugi::Client>),
    (Dialect::Gtp, run::<gtp::Client>),
    (Dialect::Gomocup, run::<gomocup::Client>),
    (Dialect::Sidecar, run::<sidecar::Client>),
];
