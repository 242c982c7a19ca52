//! The arena's side of each dialect: the commands for an engine and the meaning of its answers.

mod gomocup;
mod gtp;
mod sidecar;
mod ugi;

use crate::error::{ArenaError, PlayerError};
use crate::player::{
    Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, StatusReport, Turn,
    has_no_options,
};
use crate::process::Process;
use crate::rulebook::Rulebook;
use gomocup::Gomocup;
use gtp::Gtp;
use pentarch_protocol::Dialect;
use pentarch_protocol::ugi::{Flavor, OptionDecl};
use sidecar::Sidecar;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use ugi::Ugi;

/// The controller for engines of a dialect. It is an error if the dialect cannot express the game.
pub(crate) fn for_dialect(
    rules: &Rulebook,
    conversation: ProtocolSettings<'_>,
) -> Result<Box<dyn Controller>, ArenaError> {
    let ProtocolSettings { dialect, options, ponder } = conversation;
    let ours = rules.built_in().ok_or_else(|| {
        ArenaError::Setup(format!(
            "only an engine over UGI can be asked for the rules of `{rules}`"
        ))
    });
    Ok(match dialect {
        Dialect::Ugi => Box::new(Ugi::new(Flavor::Ugi, rules, options, ponder)),
        Dialect::Uci => Box::new(Ugi::new(Flavor::Uci, &ours?.clone().into(), options, ponder)),
        Dialect::Gtp => Box::new(Gtp::new(ours?)),
        Dialect::Gomocup => Box::new(Gomocup::new(ours?, options)?),
        Dialect::Sidecar => Box::new(Sidecar::new(ours?, options)?),
    })
}

/// The arena's side of a dialect. Sending never blocks; reading has a deadline.
pub(crate) trait Controller: Send {
    /// Does the handshake with a process that was just started and sets its options. Returns the
    /// engine's name.
    fn handshake(&mut self, process: &mut Process) -> Result<Option<String>, PlayerError>;

    /// Prepares for a game.
    fn new_game(&mut self, process: &mut Process, new: &NewGame<'_>) -> Result<(), PlayerError>;

    /// Asks for a move.
    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, PlayerError>;

    /// The game is over: stops pondering.
    fn end_game(&mut self, _process: &mut Process) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Sets options between two games. They are also set in processes that are started later.
    /// `None` means that no process runs.
    fn set_options(
        &mut self,
        _process: Option<&mut Process>,
        _options: &[(String, String)],
    ) -> Result<(), PlayerError> {
        Err(has_no_options())
    }

    /// Does the handshake with a process that was just started and returns the options that it
    /// declares.
    fn declared_options(&mut self, _process: &mut Process) -> Result<Vec<OptionDecl>, PlayerError> {
        Err(has_no_options())
    }

    /// The interface for games whose rules only the engines know, if the dialect supports them.
    fn foreign(&mut self) -> Option<&mut dyn ForeignController> {
        None
    }
}

/// The arena's side of a dialect that can ask engines for the rules of a game.
pub(crate) trait ForeignController {
    /// Prepares for a game.
    fn new_game(&mut self, process: &mut Process) -> Result<(), PlayerError>;

    /// Asks for a move.
    fn choose(
        &mut self,
        process: &mut Process,
        turn: &ForeignTurn<'_>,
    ) -> Result<Decision<ForeignMove>, PlayerError>;

    /// Asks for the status of the game.
    fn report_status(
        &mut self,
        process: &mut Process,
        position: &ForeignPosition<'_>,
    ) -> Result<StatusReport, PlayerError>;
}

/// How to talk to an engine.
#[derive(Clone, Copy, Debug)]
pub struct ProtocolSettings<'a> {
    pub dialect: Dialect,
    /// The options to set.
    pub options: &'a [(String, String)],
    /// Whether the engine ponders.
    pub ponder: bool,
}

/// How many warnings are remembered; later ones may be repeated.
const MAX_REMEMBERED: usize = 1000;

static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Logs a warning unless this run has logged the same text before.
pub(crate) fn warn_once(text: &str) {
    if is_new(text) {
        log::warn!(target: "pentarch::arena", "{text}");
    }
}

fn is_new(text: &str) -> bool {
    let mut said = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    !said.contains(text) && (said.len() >= MAX_REMEMBERED || said.insert(text.to_owned()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_second_time_it_is_not_said() {
        assert!(super::is_new("a has no such thing"));
        assert!(super::is_new("b has no such thing"));
        assert!(!super::is_new("a has no such thing"));
    }
}
