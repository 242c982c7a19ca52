//! What sits at the board, whatever it is made of.

use super::fault::Failure;
use super::opening::Opening;
use super::time::Timer;
use crate::engine::Game;
use crate::game::{Move, Seat};
use crate::search::Report;
use std::time::Duration;

/// One who plays games: an engine built in or in a process of its own.
pub trait Player: Send {
    /// The name it gives itself.
    fn name(&self) -> &str;

    /// Prepares for a game. A player who died is revived here.
    fn new_game(&mut self, new: &NewGame<'_>) -> Result<(), Failure>;

    /// Chooses a move in an open game in which it is the player's turn.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, Failure>;
}

/// The game that is about to begin.
#[derive(Debug)]
pub struct NewGame<'a> {
    /// The number of the game in the match, from 1.
    pub number: u32,
    /// The player's seat.
    pub seat: Seat,
    /// The position after the opening, where the players take over.
    pub game: &'a Game,
    /// The player's clock.
    pub timer: &'a Timer,
}

/// What a player knows when it is its turn.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The position to move in.
    pub game: &'a Game,
    /// Where the game began.
    pub opening: &'a Opening,
    /// Everything played from there on, the moves of the opening first.
    pub plies: &'a [Ply],
    /// The clocks by seat.
    pub timers: &'a [Timer],
}

impl Turn<'_> {
    /// The moves from where the game began on.
    pub fn moves(&self) -> Vec<Move> {
        self.plies.iter().map(|ply| ply.mv).collect()
    }

    /// The seat to move.
    pub fn seat(&self) -> Seat {
        self.game.to_move()
    }

    /// The mover's clock.
    pub fn timer(&self) -> &Timer {
        &self.timers[self.seat().index()]
    }
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Who played it.
    pub seat: Seat,
    /// The move.
    pub mv: Move,
    /// How long it took; none where the opening has set it.
    pub time: Option<Duration>,
    /// What the player said of the position before it, worth counted for its own seat.
    pub report: Option<Report>,
}

/// What a player does when it is its turn, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What it does.
    pub action: Action,
    /// The time that goes off its clock, from the question on.
    pub time: Duration,
    /// What it says last of its search, if it says anything that the arena can read.
    pub report: Option<Report>,
}

/// What a player may do when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It plays this move; whether it is legal is for the referee to say.
    Move(Move),
    /// It gives up.
    Resign,
}

impl Decision {
    /// A move that the player has announced before: it takes no time.
    pub(super) const fn announced(mv: Move) -> Decision {
        Decision { action: Action::Move(mv), time: Duration::ZERO, report: None }
    }
}
