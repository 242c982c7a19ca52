//! What sits at the board, whatever it is made of.

use super::fault::Failure;
use super::opening::Opening;
use super::time::Timer;
use crate::engine::Game;
use crate::game::Seat;
use std::time::Duration;

/// One who plays games: an engine built in or in a process of its own.
pub trait Player: Send {
    /// The name it gives itself.
    fn name(&self) -> &str;

    /// Prepares for a game. A player who died is revived here.
    fn new_game(&mut self, setup: &Setup<'_>) -> Result<(), Failure>;

    /// Chooses a move in an open game in which it is the player's turn.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure>;
}

/// The game that is about to begin.
#[derive(Debug)]
pub struct Setup<'a> {
    /// The number of the game in the match, from 1.
    pub number: u32,
    /// The player's seat.
    pub seat: Seat,
    /// The position behind the opening, where the players take over.
    pub game: &'a Game,
    /// The player's clock.
    pub timer: &'a Timer,
}

/// What a player knows when it is his turn.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The position to move in.
    pub game: &'a Game,
    /// Where the game began.
    pub opening: &'a Opening,
    /// Every move from there on, with the seat that made it.
    pub moves: &'a [(Seat, String)],
    /// The clocks by seat.
    pub timers: &'a [Timer],
}

impl Turn<'_> {
    /// The seat to move.
    pub fn seat(&self) -> Seat {
        self.game.to_move()
    }

    /// The mover's clock.
    pub fn timer(&self) -> &Timer {
        &self.timers[self.seat().index()]
    }
}

/// A player's answer, and how long it took from the question on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What he does.
    pub choice: Choice,
    /// The time that goes off his clock.
    pub time: Duration,
}

/// What a player does when it is his turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// He plays this move, as canonical text; whether it is legal is for the referee to say.
    Move(String),
    /// He gives up.
    Resign,
}
