//! A player in a process of its own, whatever it speaks.

use crate::controller::gomocup::Gomocup;
use crate::controller::gtp::Gtp;
use crate::controller::sidecar::Sidecar;
use crate::controller::ugi::Ugi;
use crate::controller::{Controller, Conversation, ForeignController};
use crate::error::shorten;
use crate::error::{ArenaError, Failure, Fault};
use crate::player::{
    Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, Opinion, Player, Turn,
    knows_our_games_only,
};
use crate::process::{Launch, Process, Restart};
use crate::rulebook::Rulebook;
use crate::wait::{CancelToken, Timeouts};
use pentarch_protocol::Dialect;
use pentarch_protocol::ugi::Flavor;
use std::fmt;

/// A player in a process of its own. After a crash or a hang it is started again for the next
/// game.
pub struct ChildPlayer {
    launch: Launch,
    label: String,
    name: String,
    dialect: Dialect,
    controller: Box<dyn Controller>,
    process: Option<Process>,
    /// The last lines exchanged with a process that was not kept.
    last_words: Vec<String>,
    /// Whether the process has not played yet.
    is_fresh: bool,
    timeouts: Timeouts,
    cancel: CancelToken,
}

impl fmt::Debug for ChildPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildPlayer").field("label", &self.label).finish_non_exhaustive()
    }
}

impl ChildPlayer {
    /// Starts the engine. If it does not come up, the match had better not begin.
    pub fn start(
        rules: &Rulebook,
        conversation: Conversation<'_>,
        (launch, label): (&Launch, &str),
        timeouts: Timeouts,
        cancel: CancelToken,
    ) -> Result<ChildPlayer, ArenaError> {
        let mut player = ChildPlayer {
            launch: launch.clone(),
            label: label.to_owned(),
            name: label.to_owned(),
            dialect: conversation.dialect,
            controller: controller(rules, conversation)?,
            process: None,
            last_words: Vec::new(),
            is_fresh: false,
            timeouts,
            cancel,
        };
        match player.restart() {
            Ok(()) => Ok(player),
            Err(Failure::Ours(error)) => Err(error),
            Err(Failure::Fault(fault)) => Err(ArenaError::Handshake {
                command: player.launch.text(),
                dialect: player.dialect.title(),
                fault,
            }),
        }
    }

    /// Whether a game may begin at a position text.
    pub fn knows_positions(&self) -> bool {
        self.dialect.capabilities().has_positions
    }

    /// From now on, waits end by another token.
    pub fn listen_to(&mut self, cancel: CancelToken) {
        if let Some(process) = &mut self.process {
            process.listen_to(cancel.clone());
        }
        self.cancel = cancel;
    }

    fn restart(&mut self) -> Result<(), Failure> {
        self.process = None;
        let (farewell, cancel) = (self.dialect.capabilities().quit_line, self.cancel.clone());
        let silence = self.launch.start_limit.unwrap_or(self.timeouts.silence);
        let timeouts = Timeouts { silence, ..self.timeouts };
        let mut process = Process::start(&self.launch, &self.label, farewell, timeouts, cancel)?;
        match self.controller.introduce(&mut process) {
            Ok(name) => {
                let name = name.map(|name| shorten(&name));
                self.name = name.unwrap_or_else(|| self.label.clone());
                process.set_timeouts(self.timeouts);
            }
            Err(failure) => {
                process.kill();
                return Err(failure);
            }
        }
        self.process = Some(process);
        self.is_fresh = true;
        Ok(())
    }

    /// Begins a game in a process that runs, which is started if need be.
    fn begin(
        &mut self,
        begin: impl Fn(&mut dyn Controller, &mut Process) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let runs = self.process.as_mut().is_some_and(Process::is_running);
        if runs && (self.launch.restart != Restart::On || self.is_fresh) {
            self.is_fresh = false;
            match self.speak(&begin) {
                // It left between two games, which is no fault.
                Err(Failure::Fault(Fault::Crash(_))) => {}
                result => return result,
            }
        }
        if self.launch.restart == Restart::Off {
            return Err(Fault::Crash("it has ended, and `restart=off`".to_owned()).into());
        }
        self.restart()?;
        self.is_fresh = false;
        self.speak(begin)
    }

    /// Lets the controller speak to the process, which is not kept if it dies or hangs.
    fn speak<T>(
        &mut self,
        say: impl FnOnce(&mut dyn Controller, &mut Process) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("it does not run".to_owned()).into());
        };
        let result = say(self.controller.as_mut(), process);
        if let Err(Failure::Fault(fault)) = &result
            && fault.is_fatal()
            && let Some(process) = self.process.take()
        {
            log::info!("{}: {fault}", self.label);
            self.last_words = process.exchange();
            process.kill();
        }
        result
    }
}

impl Player for ChildPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, new: &NewGame<'_>) -> Result<(), Failure> {
        self.begin(|controller, process| controller.new_game(process, new))
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, Failure> {
        self.speak(|controller, process| controller.choose(process, turn))
    }

    fn exchange(&self) -> Vec<String> {
        self.process.as_ref().map_or_else(|| self.last_words.clone(), Process::exchange)
    }

    fn end_game(&mut self) {
        if self.process.is_some() {
            // One that does not obey is not kept, and is started again for the next game.
            let _ = self.speak(|controller, process| controller.end_game(process));
        }
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        if self.process.is_none() {
            return self.controller.set_options(None, options);
        }
        self.speak(|controller, process| controller.set_options(Some(process), options))
    }

    fn new_foreign_game(&mut self) -> Result<(), Failure> {
        let dialect = self.dialect;
        self.begin(|controller, process| words(controller, dialect)?.new_game(process))
    }

    fn choose_text(&mut self, turn: &ForeignTurn<'_>) -> Result<Decision<ForeignMove>, Failure> {
        let dialect = self.dialect;
        self.speak(|controller, process| words(controller, dialect)?.choose(process, turn))
    }

    fn judge(&mut self, position: &ForeignPosition<'_>) -> Result<Opinion, Failure> {
        let dialect = self.dialect;
        self.speak(|controller, process| words(controller, dialect)?.judge(process, position))
    }
}

/// The words of a protocol for games whose rules only the engines know.
fn words(
    controller: &mut dyn Controller,
    dialect: Dialect,
) -> Result<&mut dyn ForeignController, Failure> {
    controller.foreign().ok_or_else(|| knows_our_games_only(dialect.title()))
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
