//! A player in a process of its own, in any dialect.

use crate::controller::{self, Controller, ForeignController, ProtocolSettings};
use crate::error::shorten;
use crate::error::{ArenaError, Fault, PlayerError};
use crate::player::{
    Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, Player, StatusReport, Turn,
    requires_built_in_rules,
};
use crate::process::{LaunchOptions, Process, RestartPolicy};
use crate::rulebook::Rulebook;
use crate::wait::{CancelToken, Timeouts};
use pentarch_protocol::Dialect;
use std::fmt;

/// A player in a process of its own. After a crash or a hang the process is started again for the
/// next game.
pub struct ChildPlayer {
    launch: LaunchOptions,
    label: String,
    name: String,
    dialect: Dialect,
    controller: Box<dyn Controller>,
    process: Option<Process>,
    /// The transcript tail of the last process that was killed.
    last_transcript: Vec<String>,
    /// The last lines of the standard error of a process that did not complete its handshake.
    last_errors: Vec<String>,
    /// Whether the process has not played yet.
    is_unused: bool,
    timeouts: Timeouts,
    cancel: CancelToken,
}

impl fmt::Debug for ChildPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildPlayer").field("label", &self.label).finish_non_exhaustive()
    }
}

impl ChildPlayer {
    /// Starts the engine and completes its handshake.
    pub fn start(
        rules: &Rulebook,
        conversation: ProtocolSettings<'_>,
        (launch, label): (&LaunchOptions, &str),
        timeouts: Timeouts,
        cancel: CancelToken,
    ) -> Result<ChildPlayer, ArenaError> {
        let mut player = ChildPlayer {
            launch: launch.clone(),
            label: label.to_owned(),
            name: label.to_owned(),
            dialect: conversation.dialect,
            controller: controller::for_dialect(rules, conversation)?,
            process: None,
            last_transcript: Vec::new(),
            last_errors: Vec::new(),
            is_unused: false,
            timeouts,
            cancel,
        };
        match player.restart() {
            Ok(()) => Ok(player),
            Err(PlayerError::Arena(error)) => Err(error),
            Err(PlayerError::Fault(fault)) => Err(ArenaError::Handshake {
                command: player.launch.command_line(),
                dialect: player.dialect.title(),
                fault,
                errors: player.last_errors,
            }),
        }
    }

    /// Whether a game can start from a position text.
    pub fn supports_positions(&self) -> bool {
        self.dialect.capabilities().has_positions
    }

    /// Replaces the token that cancels waits.
    pub fn set_cancel_token(&mut self, cancel: CancelToken) {
        if let Some(process) = &mut self.process {
            process.set_cancel_token(cancel.clone());
        }
        self.cancel = cancel;
    }

    fn restart(&mut self) -> Result<(), PlayerError> {
        self.process = None;
        let (farewell, cancel) = (self.dialect.capabilities().quit_line, self.cancel.clone());
        let response = self.launch.start_limit.unwrap_or(self.timeouts.response);
        let timeouts = Timeouts { response, ..self.timeouts };
        let mut process = Process::start(&self.launch, &self.label, farewell, timeouts, cancel)?;
        match self.controller.handshake(&mut process) {
            Ok(name) => {
                let name = name.map(|name| shorten(&name));
                self.name = name.unwrap_or_else(|| self.label.clone());
                process.set_timeouts(self.timeouts);
            }
            Err(failure) => {
                self.last_errors = process.kill();
                return Err(failure);
            }
        }
        self.process = Some(process);
        self.is_unused = true;
        Ok(())
    }

    /// Begins a game; starts the process first if necessary.
    fn begin(
        &mut self,
        begin: impl Fn(&mut dyn Controller, &mut Process) -> Result<(), PlayerError>,
    ) -> Result<(), PlayerError> {
        let runs = self.process.as_mut().is_some_and(Process::is_running);
        if runs && (self.launch.restart != RestartPolicy::On || self.is_unused) {
            self.is_unused = false;
            match self.with_controller(&begin) {
                // It exited between two games, which is not a fault.
                Err(PlayerError::Fault(Fault::Crash(_))) => {}
                result => return result,
            }
        }
        if self.launch.restart == RestartPolicy::Off {
            return Err(Fault::Crash("it exited, and `restart=off` is set".to_owned()).into());
        }
        self.restart()?;
        self.is_unused = false;
        self.with_controller(begin)
    }

    /// Calls the controller with the process. The process is killed if it crashed or hangs.
    fn with_controller<T>(
        &mut self,
        say: impl FnOnce(&mut dyn Controller, &mut Process) -> Result<T, PlayerError>,
    ) -> Result<T, PlayerError> {
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("the engine is not running".to_owned()).into());
        };
        let result = say(self.controller.as_mut(), process);
        if let Err(PlayerError::Fault(fault)) = &result
            && fault.is_fatal()
            && let Some(process) = self.process.take()
        {
            log::info!("{}: {fault}", self.label);
            self.last_transcript = process.transcript_tail();
            process.kill();
        }
        result
    }
}

impl Player for ChildPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, new: &NewGame<'_>) -> Result<(), PlayerError> {
        self.begin(|controller, process| controller.new_game(process, new))
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, PlayerError> {
        self.with_controller(|controller, process| controller.choose(process, turn))
    }

    fn transcript_tail(&self) -> Vec<String> {
        self.process.as_ref().map_or_else(|| self.last_transcript.clone(), Process::transcript_tail)
    }

    fn end_game(&mut self) {
        if self.process.is_some() {
            // A process that does not obey is killed here and started again for the next game.
            let _ = self.with_controller(|controller, process| controller.end_game(process));
        }
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), PlayerError> {
        if self.process.is_none() {
            return self.controller.set_options(None, options);
        }
        self.with_controller(|controller, process| controller.set_options(Some(process), options))
    }

    fn new_foreign_game(&mut self) -> Result<(), PlayerError> {
        let dialect = self.dialect;
        self.begin(|controller, process| foreign_controller(controller, dialect)?.new_game(process))
    }

    fn choose_text(
        &mut self,
        turn: &ForeignTurn<'_>,
    ) -> Result<Decision<ForeignMove>, PlayerError> {
        let dialect = self.dialect;
        self.with_controller(|controller, process| {
            foreign_controller(controller, dialect)?.choose(process, turn)
        })
    }

    fn report_status(
        &mut self,
        position: &ForeignPosition<'_>,
    ) -> Result<StatusReport, PlayerError> {
        let dialect = self.dialect;
        self.with_controller(|controller, process| {
            foreign_controller(controller, dialect)?.report_status(process, position)
        })
    }
}

/// The controller's interface for games whose rules only the engines know.
fn foreign_controller(
    controller: &mut dyn Controller,
    dialect: Dialect,
) -> Result<&mut dyn ForeignController, PlayerError> {
    controller.foreign().ok_or_else(|| requires_built_in_rules(dialect.title()))
}
