//! The interface of players, and the messages that they receive.

use crate::error::{ArenaError, PlayerError};
use crate::opening::Opening;
use crate::time_control::Timer;
use pentarch_core::game::{Move, Seat};
use pentarch_engine::Game;
use pentarch_engine::search::Report;
use pentarch_records::GameResult;
use std::time::Duration;

/// A player: the built-in engine or an engine in a process of its own.
pub trait Player: Send {
    /// The name that it reports.
    fn name(&self) -> &str;

    /// Prepares for a game. A player that crashed is restarted here.
    fn new_game(&mut self, new: &NewGame<'_>) -> Result<(), PlayerError>;

    /// Chooses a move in a game in progress. The player is to move.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, PlayerError>;

    /// The last lines exchanged with it, `<` to it and `>` from it, if there are any.
    fn transcript_tail(&self) -> Vec<String> {
        Vec::new()
    }

    /// The game is over: stops pondering.
    fn end_game(&mut self) {}

    /// Sets options between two games; they stay set.
    fn set_options(&mut self, _options: &[(String, String)]) -> Result<(), PlayerError> {
        Err(has_no_options())
    }

    /// Prepares for a game whose rules only the engines know.
    fn new_foreign_game(&mut self) -> Result<(), PlayerError> {
        Err(requires_built_in_rules(self.name()))
    }

    /// Chooses a move in a game whose rules only the engines know.
    fn choose_text(
        &mut self,
        _turn: &ForeignTurn<'_>,
    ) -> Result<Decision<ForeignMove>, PlayerError> {
        Err(requires_built_in_rules(self.name()))
    }

    /// Reports the status of a game whose rules only the engines know.
    fn report_status(
        &mut self,
        _position: &ForeignPosition<'_>,
    ) -> Result<StatusReport, PlayerError> {
        Err(requires_built_in_rules(self.name()))
    }
}

pub(crate) fn requires_built_in_rules(name: &str) -> PlayerError {
    let text = format!("`{name}` cannot be asked for the rules, only an engine over UGI can");
    ArenaError::Setup(text).into()
}

pub(crate) fn has_no_options() -> PlayerError {
    let text = "only UGI and UCI engines and the built-in one declare options";
    ArenaError::Setup(text.to_owned()).into()
}

/// The game that is about to begin.
#[derive(Debug)]
pub struct NewGame<'a> {
    /// The number of the game in the match, from 1.
    pub number: u32,
    /// The player's seat.
    pub seat: Seat,
    /// The position after the opening.
    pub game: &'a Game,
    /// The player's clock.
    pub timer: &'a Timer,
}

/// The situation of the player to move.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The position to move in.
    pub game: &'a Game,
    /// Where the game began.
    pub opening: &'a Opening,
    /// All moves from there, including those of the opening.
    pub plies: &'a [PlayedMove],
    /// The clocks by seat.
    pub timers: &'a [Timer],
}

impl Turn<'_> {
    /// The moves from the start position.
    pub fn moves(&self) -> Vec<Move> {
        self.plies.iter().map(|ply| ply.mv).collect()
    }

    /// The seat to move.
    pub fn seat(&self) -> Seat {
        self.game.to_move()
    }

    /// The clock of the player to move.
    pub fn timer(&self) -> &Timer {
        &self.timers[self.seat().index()]
    }
}

/// A move and its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The seat that played the move.
    pub seat: Seat,
    pub mv: Move,
}

/// A position in a game whose rules only the engines know.
#[derive(Clone, Copy, Debug)]
pub struct ForeignPosition<'a> {
    /// The text of the start position; `None` is the start of the game.
    pub start: Option<&'a str>,
    /// The moves from there.
    pub moves: &'a [String],
}

/// The situation of the player to move in a game whose rules only the engines know.
#[derive(Clone, Copy, Debug)]
pub struct ForeignTurn<'a> {
    /// The position to move in.
    pub position: ForeignPosition<'a>,
    /// The seat to move.
    pub seat: Seat,
    /// The clocks by seat.
    pub timers: &'a [Timer],
}

/// A move in a game whose rules only the engines know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignMove {
    /// The move as the engine writes it.
    pub text: String,
    /// The principal variation; this move is the first.
    pub pv: Vec<String>,
}

/// What an engine reports about a game whose rules it knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusReport {
    /// The result; `None` while the game is in progress.
    pub result: Option<GameResult>,
    /// The seat to move.
    pub turn: Seat,
    /// The legal moves, if the engine lists them.
    pub legal_moves: Option<Vec<String>>,
    /// Its error message about the position, if any.
    pub complaint: Option<String>,
}

/// The decision of a player and its circumstances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<M = Move> {
    pub action: Action<M>,
    /// The time that the clock is charged.
    pub time: Duration,
    /// The last search report, if the player sends reports that the arena can read.
    pub report: Option<Report>,
}

/// What a player may do on its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<M = Move> {
    /// Plays a move; the referee decides whether it is legal.
    Move(M),
    /// Resigns.
    Resign,
}

impl Decision {
    /// A move that the player has answered before: it takes no time.
    pub(crate) const fn prepared(mv: Move) -> Decision {
        Decision { action: Action::Move(mv), time: Duration::ZERO, report: None }
    }
}
