//! The arena's side of each dialect: what an engine is sent, and what its answers mean.

pub(crate) mod gomocup;
pub(crate) mod gtp;
pub(crate) mod sidecar;
pub(crate) mod ugi;

use crate::error::Failure;
use crate::player::{
    Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, Opinion, Turn, has_no_options,
};
use crate::process::Process;
use pentarch_protocol::Dialect;
use pentarch_protocol::ugi::OptionDecl;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

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

/// How many warnings are remembered; what is said after them is said again.
const REMEMBERED: usize = 1000;

static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Warns, unless this run has done so before in the same words.
pub(crate) fn warn_once(text: &str) {
    if is_new(text) {
        log::warn!(target: "pentarch::arena", "{text}");
    }
}

fn is_new(text: &str) -> bool {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    !said.contains(text) && (said.len() >= REMEMBERED || said.insert(text.to_owned()))
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
