//! A game of any variant.

use crate::board::Grid;
use crate::eval::{Threat, threats};
use crate::game::{
    Cell, Color, Illegal, Move, MoveList, Outcome, Position as _, Seat, Side, perft_until,
};
use crate::placement::{self, MoveTextError, Position, PositionTextError};
use crate::rules::Ruleset;
use std::sync::atomic::AtomicBool;

/// A game of any variant from a starting position on, with all its moves.
///
/// ```
/// use pentarch::engine::Game;
/// let mut game = Game::new("pro-pente".parse().unwrap());
/// game.play("j10").unwrap();
/// game.play("k10").unwrap();
/// let error = game.play("j11").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "illegal move `j11`: this stone must keep a distance of 3 or more from the centre",
/// );
/// assert_eq!(game.moves().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    position: Family,
}

/// The families of games, each with its own kind of position.
#[derive(Clone, Debug)]
enum Family {
    Placement(Box<Position>),
}

/// Why a move text was refused. The game is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The text is no move.
    #[error("illegal move `{}`: {}", shorten(.0), .1)]
    Text(String, MoveTextError),
    /// The move may not be played now.
    #[error("illegal move `{}`: {}", shorten(.0), .1)]
    Illegal(String, Illegal),
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Game {
    /// The start of a game.
    pub fn new(rules: Ruleset) -> Game {
        Game { position: Family::Placement(Box::new(Position::new(rules))) }
    }

    /// A game that begins at a position text of these rules.
    pub fn from_text(rules: Ruleset, text: &str) -> Result<Game, PositionTextError> {
        let position = Position::from_text(rules, text)?;
        Ok(Game { position: Family::Placement(Box::new(position)) })
    }

    /// Another game of the same rules that begins at a position text.
    pub fn with_text(&self, text: &str) -> Result<Game, PositionTextError> {
        let position = self.placement().with_text(text)?;
        Ok(Game { position: Family::Placement(Box::new(position)) })
    }

    /// The game as a position of placed stones, the one family there is so far.
    pub fn placement(&self) -> &Position {
        let Family::Placement(position) = &self.position;
        position
    }

    fn stones_mut(&mut self) -> &mut Position {
        let Family::Placement(position) = &mut self.position;
        position
    }

    /// The rules.
    pub fn rules(&self) -> &Ruleset {
        self.placement().rules()
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.placement().grid()
    }

    /// The colour of the stone on a column and row, counted from 0 at the lower left.
    pub fn stone(&self, column: u8, row: u8) -> Option<Color> {
        let cell = self.grid().get(column.into(), row.into())?;
        self.placement().board().content(cell).color()
    }

    /// The seat to move.
    pub fn to_move(&self) -> Seat {
        self.placement().to_move()
    }

    /// The number of seats.
    pub fn seats(&self) -> u8 {
        self.rules().seating().seats
    }

    /// The side of a seat.
    pub fn side_of(&self, seat: Seat) -> Side {
        self.placement().side_of(seat)
    }

    /// The colour that the seat to move places.
    pub fn color_to_move(&self) -> Color {
        self.placement().color_to_move()
    }

    /// How the game ended, or none while it is open.
    pub fn outcome(&self) -> Option<Outcome> {
        self.placement().outcome()
    }

    /// The plies played, those before the starting position included.
    pub fn ply(&self) -> u32 {
        self.placement().ply()
    }

    /// The captured stones that count for each colour.
    pub fn captures(&self) -> Vec<u16> {
        (0..self.seats()).map(|color| self.placement().captures(Color(color))).collect()
    }

    /// The moves from the starting position on.
    pub fn moves(&self) -> Vec<Move> {
        self.placement().moves().collect()
    }

    /// The legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.placement().legal_moves(&mut moves);
        moves
    }

    /// Reads a canonical move text. The move need not be legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, GameError> {
        self.placement().parse_move(text).map_err(|error| GameError::Text(text.to_owned(), error))
    }

    /// Reads a move whose points are named by another convention, which `cell` knows.
    pub fn parse_move_by<E: From<MoveTextError>>(
        &self,
        text: &str,
        cell: impl Fn(&str) -> Result<Cell, E>,
    ) -> Result<Move, E> {
        placement::parse_move(text, cell)
    }

    /// The text of a move with its points named by another convention.
    pub fn move_text_by(&self, mv: Move, label: impl Fn(Cell) -> String) -> String {
        placement::move_text(mv, label)
    }

    /// Every call on the board: trias, tesseras, threes and fours.
    pub fn threats(&self) -> Vec<Threat> {
        threats(self.placement())
    }

    /// The canonical text of a move.
    pub fn move_text(&self, mv: Move) -> String {
        self.placement().move_text(mv)
    }

    /// Whether a move may be played, and if not, why.
    pub fn check_move(&self, mv: Move) -> Result<(), Illegal> {
        self.placement().check(mv)
    }

    /// Plays a move given as canonical text.
    pub fn play(&mut self, text: &str) -> Result<Move, GameError> {
        let mv = self.parse_move(text)?;
        self.play_move(mv)?;
        Ok(mv)
    }

    /// Plays a move.
    pub fn play_move(&mut self, mv: Move) -> Result<(), GameError> {
        let text = self.move_text_or_bits(mv);
        self.stones_mut().try_play(mv).map_err(|reason| GameError::Illegal(text, reason))
    }

    /// A move's text even if it names a cell that this board lacks.
    fn move_text_or_bits(&self, mv: Move) -> String {
        let on_board = mv.cell().is_none_or(|cell| self.grid().contains(cell));
        if on_board { self.move_text(mv) } else { format!("{:#x}", mv.bits()) }
    }

    /// Takes the last move back, or says that there is none.
    pub fn undo(&mut self) -> Option<Move> {
        self.stones_mut().undo()
    }

    /// The position as text.
    pub fn text(&self) -> String {
        self.placement().text()
    }

    /// The number of move sequences of that many plies, unless stopped.
    pub fn perft(&mut self, depth: u32, stop: &AtomicBool) -> Option<u64> {
        perft_until(self.stones_mut(), depth, stop)
    }
}
