//! What sits at the board, whatever it is made of.

use crate::error::{ArenaError, Failure};
use crate::opening::Opening;
use crate::time_control::Timer;
use pentarch_core::game::{Move, Seat};
use pentarch_engine::Game;
use pentarch_engine::search::Report;
use pentarch_records::GameResult;
use std::time::Duration;

/// One who plays games: an engine built in or in a process of its own.
pub trait Player: Send {
    /// The name it gives itself.
    fn name(&self) -> &str;

    /// Prepares for a game. A player who died is revived here.
    fn new_game(&mut self, new: &NewGame<'_>) -> Result<(), Failure>;

    /// Chooses a move in an open game in which it is the player's turn.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, Failure>;

    /// The last lines exchanged with it, `<` to it and `>` from it, if there are any.
    fn exchange(&self) -> Vec<String> {
        Vec::new()
    }

    /// The game is over: a player that thinks ahead stops.
    fn end_game(&mut self) {}

    /// Sets options between two games, to be kept from then on.
    fn set_options(&mut self, _options: &[(String, String)]) -> Result<(), Failure> {
        Err(has_no_options())
    }

    /// Prepares for a game whose rules only the engines know, as [`Player::new_game`].
    fn new_foreign_game(&mut self) -> Result<(), Failure> {
        Err(knows_our_games_only(self.name()))
    }

    /// Chooses a move in such a game.
    fn choose_text(&mut self, _turn: &ForeignTurn<'_>) -> Result<Decision<ForeignMove>, Failure> {
        Err(knows_our_games_only(self.name()))
    }

    /// Says how such a game stands.
    fn judge(&mut self, _position: &ForeignPosition<'_>) -> Result<Opinion, Failure> {
        Err(knows_our_games_only(self.name()))
    }
}

pub(crate) fn knows_our_games_only(name: &str) -> Failure {
    let text = format!("`{name}` cannot be asked for the rules, only an engine over UGI can");
    ArenaError::Setup(text).into()
}

pub(crate) fn has_no_options() -> Failure {
    let text = "only engines over UGI and UCI, and the built-in one, say what options they have";
    ArenaError::Setup(text.to_owned()).into()
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Who played it.
    pub seat: Seat,
    /// The move.
    pub mv: Move,
}

/// A game in play whose rules only the engines know.
#[derive(Clone, Copy, Debug)]
pub struct ForeignPosition<'a> {
    /// The position text that the game began at, unless it was its start.
    pub start: Option<&'a str>,
    /// The moves from there.
    pub moves: &'a [String],
}

/// What a player knows when it is its turn in such a game.
#[derive(Clone, Copy, Debug)]
pub struct ForeignTurn<'a> {
    /// The position to move in.
    pub position: ForeignPosition<'a>,
    /// The seat to move.
    pub seat: Seat,
    /// The clocks by seat.
    pub timers: &'a [Timer],
}

/// A move in such a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignMove {
    /// As the engine writes it.
    pub text: String,
    /// The line that the engine expected, this move first.
    pub pv: Vec<String>,
}

/// What an engine says of a game that it knows the rules of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// How it ended; none while it is open.
    pub result: Option<GameResult>,
    /// Whose turn it is.
    pub turn: Seat,
    /// The legal moves, from an engine that lists them.
    pub legal_moves: Option<Vec<String>>,
    /// What it complained of when it was given the position.
    pub complaint: Option<String>,
}

/// What a player does when it is its turn, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<M = Move> {
    /// What it does.
    pub action: Action<M>,
    /// The time that goes off its clock, from the question on.
    pub time: Duration,
    /// What it says last of its search, if it says anything that the arena can read.
    pub report: Option<Report>,
}

/// What a player may do when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<M = Move> {
    /// It plays this move; whether it is legal is for the referee to say.
    Move(M),
    /// It gives up.
    Resign,
}

impl Decision {
    /// A move that the player has announced before: it takes no time.
    pub(crate) const fn announced(mv: Move) -> Decision {
        Decision { action: Action::Move(mv), time: Duration::ZERO, report: None }
    }
}
