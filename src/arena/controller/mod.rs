//! The arena's side of each dialect: what an engine is sent, and what its answers mean.

mod gomocup;
mod gtp;
mod sidecar;
mod ugi;

use super::fault::{ArenaError, Failure};
use super::player::{
    Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, Opinion, Turn, has_no_options,
};
use super::process::Process;
use super::rulebook::Rulebook;
use gomocup::Gomocup;
use gtp::Gtp;
use pentarch_protocol::Dialect;
use pentarch_protocol::ugi::{Flavor, OptionDecl};
use sidecar::Sidecar;
use ugi::Ugi;

/// The arena's side of a protocol. What it sends never blocks; what it reads has a deadline.
pub(crate) trait Controller: Send {
    /// Greets a process that was just started and sets its options. Returns its name.
    fn introduce(&mut self, process: &mut Process) -> Result<Option<String>, Failure>;

    /// Prepares for a game.
    fn new_game(&mut self, process: &mut Process, new: &NewGame<'_>) -> Result<(), Failure>;

    /// Asks for a move.
    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, Failure>;

    /// The game is over: whoever thinks ahead stops.
    fn end_game(&mut self, _process: &mut Process) -> Result<(), Failure> {
        Ok(())
    }

    /// Sets options between two games, which a process that is started later is given too. None is
    /// running if none is given.
    fn set_options(
        &mut self,
        _process: Option<&mut Process>,
        _options: &[(String, String)],
    ) -> Result<(), Failure> {
        Err(has_no_options())
    }

    /// Greets a process that was just started, and asks for the options that it has.
    fn declared_options(&mut self, _process: &mut Process) -> Result<Vec<OptionDecl>, Failure> {
        Err(has_no_options())
    }

    /// What it knows of games whose rules only the engines know, if it has words for them.
    fn foreign(&mut self) -> Option<&mut dyn ForeignController> {
        None
    }
}

/// The arena's side of a protocol that has words for the rules of a game.
pub(crate) trait ForeignController {
    /// Prepares for a game.
    fn new_game(&mut self, process: &mut Process) -> Result<(), Failure>;

    /// Asks for a move.
    fn choose(
        &mut self,
        process: &mut Process,
        turn: &ForeignTurn<'_>,
    ) -> Result<Decision<ForeignMove>, Failure>;

    /// Asks how the game stands.
    fn judge(
        &mut self,
        process: &mut Process,
        position: &ForeignPosition<'_>,
    ) -> Result<Opinion, Failure>;
}

/// How to speak with an engine.
#[derive(Clone, Copy, Debug)]
pub struct Conversation<'a> {
    /// What it speaks.
    pub dialect: Dialect,
    /// The options to set.
    pub options: &'a [(String, String)],
    /// Whether it thinks in its opponents' time.
    pub ponder: bool,
}

/// The controller of engines that speak a dialect; an error if it has no words for the game.
pub(crate) fn controller(
    rules: &Rulebook,
    conversation: Conversation<'_>,
) -> Result<Box<dyn Controller>, ArenaError> {
    let Conversation { dialect, options, ponder } = conversation;
    let ours = rules.ours().ok_or_else(|| {
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
