//! A player in a process of its own, whatever it speaks.

use super::fault::{ArenaError, Failure, Fault};
use super::gomocup::Gomocup;
use super::gtp::Gtp;
use super::player::{
    Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, Opinion, Player, Turn,
    knows_our_games_only,
};
use super::process::{Launch, Process, Restart};
use super::rulebook::Rulebook;
use super::sidecar::Sidecar;
use super::ugi::Ugi;
use super::wait::{CancelToken, Timeouts};
use pentarch_protocol::Dialect;
use pentarch_protocol::ugi::Flavor;

/// The arena's side of a protocol. What it sends never blocks; what it reads has a deadline.
pub(super) trait Controller: Send {
    /// The protocol's name for messages.
    fn name(&self) -> &'static str;

    /// The line that asks an engine to leave.
    fn farewell(&self) -> &'static str {
        "quit"
    }

    /// Whether a game may begin at a position text.
    fn knows_positions(&self) -> bool {
        true
    }

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

    /// What it knows of games whose rules only the engines know, if it has words for them.
    fn foreign(&mut self) -> Option<&mut dyn ForeignController> {
        None
    }
}

/// The arena's side of a protocol that has words for the rules of a game.
pub(super) trait ForeignController {
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
pub(crate) struct Conversation<'a> {
    /// What it speaks.
    pub(crate) dialect: Dialect,
    /// The options to set.
    pub(crate) options: &'a [(String, String)],
    /// Whether it thinks in its opponents' time.
    pub(crate) ponder: bool,
}

/// The controller of engines that speak a dialect; an error if it has no words for the game.
pub(super) fn controller(
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

/// A player in a process of its own. After a crash or a hang it is started again for the next
/// game.
pub(crate) struct ChildPlayer {
    launch: Launch,
    label: String,
    name: String,
    controller: Box<dyn Controller>,
    process: Option<Process>,
    /// The last lines exchanged with a process that was not kept.
    last_words: Vec<String>,
    /// Whether the process has not played yet.
    is_fresh: bool,
    timeouts: Timeouts,
    cancel: CancelToken,
}

impl ChildPlayer {
    /// Starts the engine. If it does not come up, the match had better not begin.
    pub(super) fn start(
        launch: &Launch,
        label: &str,
        controller: Box<dyn Controller>,
        timeouts: Timeouts,
        cancel: CancelToken,
    ) -> Result<ChildPlayer, ArenaError> {
        let (launch, label) = (launch.clone(), label.to_owned());
        let name = label.clone();
        let mut player = ChildPlayer {
            launch,
            label,
            name,
            controller,
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
                dialect: player.controller.name(),
                fault,
            }),
        }
    }

    /// [`ChildPlayer::start`] of an engine that speaks a dialect.
    pub(crate) fn of_dialect(
        rules: &Rulebook,
        conversation: Conversation<'_>,
        (launch, label): (&Launch, &str),
        timeouts: Timeouts,
        cancel: CancelToken,
    ) -> Result<ChildPlayer, ArenaError> {
        let controller = controller(rules, conversation)?;
        ChildPlayer::start(launch, label, controller, timeouts, cancel)
    }

    /// Whether a game may begin at a position text.
    pub(crate) fn knows_positions(&self) -> bool {
        self.controller.knows_positions()
    }

    /// From now on, waits end by another token.
    pub(crate) fn listen_to(&mut self, cancel: CancelToken) {
        if let Some(process) = &mut self.process {
            process.listen_to(cancel.clone());
        }
        self.cancel = cancel;
    }

    fn restart(&mut self) -> Result<(), Failure> {
        self.process = None;
        let (farewell, cancel) = (self.controller.farewell(), self.cancel.clone());
        let silence = self.launch.start_limit.unwrap_or(self.timeouts.silence);
        let timeouts = Timeouts { silence, ..self.timeouts };
        let mut process = Process::start(&self.launch, &self.label, farewell, timeouts, cancel)?;
        match self.controller.introduce(&mut process) {
            Ok(name) => {
                let name = name.map(|name| super::fault::shorten(&name));
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

    fn new_foreign_game(&mut self) -> Result<(), Failure> {
        self.begin(|controller, process| words(controller)?.new_game(process))
    }

    fn choose_text(&mut self, turn: &ForeignTurn<'_>) -> Result<Decision<ForeignMove>, Failure> {
        self.speak(|controller, process| words(controller)?.choose(process, turn))
    }

    fn judge(&mut self, position: &ForeignPosition<'_>) -> Result<Opinion, Failure> {
        self.speak(|controller, process| words(controller)?.judge(process, position))
    }
}

/// The words of a protocol for games whose rules only the engines know.
fn words(controller: &mut dyn Controller) -> Result<&mut dyn ForeignController, Failure> {
    let name = controller.name();
    controller.foreign().ok_or_else(|| knows_our_games_only(name))
}
