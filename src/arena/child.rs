//! A player in a process of its own, whatever it speaks.

use super::fault::{ArenaError, Failure, Fault};
use super::player::{Decision, Player, Setup, Turn};
use super::process::{Launch, Process};
use super::wait::{Halt, Patience};
use crate::engine::Game;
use crate::game::Move;

/// A protocol, from the arena's side. What it sends never blocks; what it reads has a deadline.
pub(super) trait Dialect: Send {
    /// The line that asks an engine to leave.
    const FAREWELL: &'static str = "quit";

    /// The protocol's name for messages.
    fn name(&self) -> &'static str;

    /// Greets a process that was just started and sets its options. Returns its name.
    fn introduce(&mut self, process: &mut Process) -> Result<Option<String>, Failure>;

    /// Prepares for a game.
    fn new_game(&mut self, process: &mut Process, setup: &Setup<'_>) -> Result<(), Failure>;

    /// Asks for a move.
    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, Failure>;
}

/// The moves of canonical texts, each in the position behind those before it. They are read no
/// further than the first that is not legal, which is for the referee to refuse.
pub(super) fn read_moves(game: &Game, texts: &[String]) -> Result<Vec<Move>, Fault> {
    let mut game = game.clone();
    let mut moves = Vec::new();
    for text in texts {
        let mv = game.parse_move(text).map_err(|error| Fault::IllegalMove(error.to_string()))?;
        moves.push(mv);
        if game.play_move(mv).is_err() {
            break;
        }
    }
    Ok(moves)
}

/// A player in a process of its own. After a crash or a hang it is started again for the next
/// game.
#[derive(Debug)]
pub(super) struct ChildPlayer<D> {
    launch: Launch,
    label: String,
    name: String,
    dialect: D,
    process: Option<Process>,
    patience: Patience,
    halt: Halt,
}

impl<D: Dialect> ChildPlayer<D> {
    /// Starts the engine. If it does not come up, the match had better not begin.
    pub(super) fn start(
        launch: &Launch,
        label: &str,
        dialect: D,
        patience: Patience,
        halt: Halt,
    ) -> Result<ChildPlayer<D>, ArenaError> {
        let (launch, label) = (launch.clone(), label.to_owned());
        let name = label.clone();
        let mut player =
            ChildPlayer { launch, label, name, dialect, process: None, patience, halt };
        match player.restart() {
            Ok(()) => Ok(player),
            Err(Failure::Ours(error)) => Err(error),
            Err(Failure::Fault(fault)) => Err(ArenaError::Handshake {
                command: player.launch.text(),
                dialect: player.dialect.name(),
                fault,
            }),
        }
    }

    fn restart(&mut self) -> Result<(), Failure> {
        self.process = None;
        let halt = self.halt.clone();
        let mut process =
            Process::start(&self.launch, &self.label, D::FAREWELL, self.patience, halt)?;
        match self.dialect.introduce(&mut process) {
            Ok(name) => self.name = name.unwrap_or_else(|| self.label.clone()),
            Err(failure) => {
                process.kill();
                return Err(failure);
            }
        }
        self.process = Some(process);
        Ok(())
    }

    /// Lets the dialect speak to the process, which is not kept if it dies or hangs.
    fn speak<T>(
        &mut self,
        say: impl FnOnce(&mut D, &mut Process) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("it does not run".to_owned()).into());
        };
        let result = say(&mut self.dialect, process);
        if let Err(Failure::Fault(fault)) = &result
            && fault.is_fatal()
            && let Some(process) = self.process.take()
        {
            log::info!("{}: {fault}", self.label);
            process.kill();
        }
        result
    }
}

impl<D: Dialect> Player for ChildPlayer<D> {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, setup: &Setup<'_>) -> Result<(), Failure> {
        if self.process.as_mut().is_some_and(Process::is_running) {
            match self.speak(|dialect, process| dialect.new_game(process, setup)) {
                // It left between two games, which is no fault.
                Err(Failure::Fault(Fault::Crash(_))) => {}
                result => return result,
            }
        }
        self.restart()?;
        self.speak(|dialect, process| dialect.new_game(process, setup))
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, Failure> {
        self.speak(|dialect, process| dialect.choose(process, turn))
    }
}
