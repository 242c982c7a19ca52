//! A game of any variant.

use crate::eval::{Threat, threats};
use pentarch_core::board::{Grid, HexGrid, StoneTextError};
use pentarch_core::game::{
    Cell, Change, Color, Move, MoveList, Outcome, Position as _, PositionTextError, Seat, Side,
    perft_until,
};
use pentarch_core::rules::{BoardRules, Ruleset};
use pentarch_core::{hexes, placement, stacking};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A game of any variant from a starting position on, with all its moves.
///
/// ```
/// use pentarch_engine::Game;
/// let mut game = Game::new("pro-pente".parse().unwrap());
/// game.play("j10").unwrap();
/// game.play("k10").unwrap();
/// let error = game.play("j11").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "illegal move `j11`: this stone must keep a distance of 3 or more from the center",
/// );
/// assert_eq!(game.moves().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Ruleset>,
    position: Family,
}

/// The families of games, each with its own kind of position.
#[derive(Clone, Debug)]
pub(super) enum Family {
    Placement(Box<placement::Position>),
    Stacking(Box<stacking::Position>),
    Hexes(Box<hexes::Position>),
}

/// Does the same with the position of any family: all have the methods that are asked here.
macro_rules! with_position {
    ($family:expr, $position:ident => $body:expr) => {
        match $family {
            Family::Placement($position) => $body,
            Family::Stacking($position) => $body,
            Family::Hexes($position) => $body,
        }
    };
}

/// Makes a position one of any family.
macro_rules! family {
    ($position:ty, $family:ident) => {
        impl From<$position> for Family {
            fn from(position: $position) -> Family {
                Family::$family(Box::new(position))
            }
        }
    };
}

family!(placement::Position, Placement);
family!(stacking::Position, Stacking);
family!(hexes::Position, Hexes);

/// A text that is no move of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// In a game of placed stones.
    #[error(transparent)]
    Stone(#[from] StoneTextError),
    /// In a game of tiles.
    #[error(transparent)]
    Tile(#[from] stacking::TileTextError),
}

/// Why a move is not legal, by family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// On squares.
    #[error(transparent)]
    Square(#[from] placement::IllegalPlacement),
    /// On hexagons.
    #[error(transparent)]
    Hex(#[from] hexes::IllegalHexMove),
    /// In a game of tiles.
    #[error(transparent)]
    Tile(#[from] stacking::IllegalTileMove),
}

/// Why a move text was refused. The game is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The text is no move.
    #[error("illegal move `{}`: {}", shorten(.0), .1)]
    Text(String, MoveTextError),
    /// The move may not be played now.
    #[error("illegal move `{}`: {}", shorten(.0), .1)]
    Illegal(String, IllegalMove),
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Game {
    /// The start of a game.
    pub fn new(rules: Ruleset) -> Game {
        let position = match *rules.board() {
            BoardRules::Squares(board) => placement::Position::new(rules.on(board)).into(),
            BoardRules::Hexes(board) => hexes::Position::new(rules.on(board)).into(),
            BoardRules::Tiles(board) => stacking::Position::new(rules.on(board)).into(),
        };
        Game { rules: Arc::new(rules), position }
    }

    /// A game that begins at a position text of these rules.
    pub fn from_text(rules: Ruleset, text: &str) -> Result<Game, PositionTextError> {
        Game::new(rules).with_text(text)
    }

    /// Another game of the same rules that begins at a position text.
    pub fn with_text(&self, text: &str) -> Result<Game, PositionTextError> {
        let position = with_position!(&self.position, position => position.with_text(text)?.into());
        Ok(Game { rules: Arc::clone(&self.rules), position })
    }

    pub(super) fn family(&self) -> &Family {
        &self.position
    }

    /// The game as a position of placed stones on squares, if it is one.
    pub fn placement(&self) -> Option<&placement::Position> {
        if let Family::Placement(position) = &self.position { Some(position) } else { None }
    }

    /// The game as a position of tiles, if it is one.
    pub fn stacking(&self) -> Option<&stacking::Position> {
        if let Family::Stacking(position) = &self.position { Some(position) } else { None }
    }

    /// The game as a position on hexagons, if it is one.
    pub fn hexes(&self) -> Option<&hexes::Position> {
        if let Family::Hexes(position) = &self.position { Some(position) } else { None }
    }

    /// The rules.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// The board of squares, if the game has one.
    pub fn grid(&self) -> Option<Grid> {
        self.placement().map(placement::Position::grid)
    }

    /// The board of hexagons, if the game has one.
    pub fn hex_grid(&self) -> Option<HexGrid> {
        self.hexes().map(hexes::Position::grid)
    }

    /// The name of a cell, empty in games without cells.
    pub fn cell_text(&self, cell: Cell) -> String {
        with_position!(&self.position, position => position.label(cell))
    }

    /// The color of the stone on a column and row, counted from 0 at the lower left.
    pub fn stone(&self, column: u8, row: u8) -> Option<Color> {
        let position = self.placement()?;
        let cell = position.grid().get(column.into(), row.into())?;
        position.board().content(cell).color()
    }

    /// The color of the stone on a cell of the board.
    pub fn content(&self, cell: Cell) -> Option<Color> {
        with_position!(&self.position, position => position.stone(cell))
    }

    /// The cells of the board, if the game has one with edges, in their order.
    pub fn cells(&self) -> Vec<Cell> {
        with_position!(&self.position, position => position.cells().collect())
    }

    /// The seat to move.
    pub fn to_move(&self) -> Seat {
        with_position!(&self.position, position => position.to_move())
    }

    /// The number of seats.
    pub fn seats(&self) -> u8 {
        self.rules().seating().seats
    }

    /// The side of a seat.
    pub fn side_of(&self, seat: Seat) -> Side {
        with_position!(&self.position, position => position.side_of(seat))
    }

    /// The color that the seat to move places.
    pub fn color_to_move(&self) -> Color {
        with_position!(&self.position, position => position.color_to_move())
    }

    /// The seat that owns a color; a swap opening may exchange them.
    pub fn seat_of(&self, color: Color) -> Seat {
        match &self.position {
            Family::Placement(position) => position.seat_of(color),
            Family::Hexes(position) => position.seat_of(color),
            Family::Stacking(_) => Seat(color.0),
        }
    }

    /// The cells that the last ply changed, in the order of change; none in games of tiles.
    pub fn changes(&self) -> &[Change] {
        with_position!(&self.position, position => position.changes())
    }

    /// Whether a color is to be chosen in a swap opening.
    pub fn is_choice(&self) -> bool {
        with_position!(&self.position, position => position.is_choice())
    }

    /// How the game ended, or none while it is open.
    pub fn outcome(&self) -> Option<Outcome> {
        with_position!(&self.position, position => position.outcome())
    }

    /// The plies played, those before the starting position included.
    pub fn ply(&self) -> u32 {
        with_position!(&self.position, position => position.ply())
    }

    /// The captured stones that count for each color.
    pub fn captures(&self) -> Vec<u16> {
        let colors = (0..self.seats()).map(Color);
        with_position!(&self.position, position => colors.map(|c| position.captures(c)).collect())
    }

    /// The moves from the starting position on.
    pub fn moves(&self) -> Vec<Move> {
        with_position!(&self.position, position => position.moves().collect())
    }

    /// The legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        with_position!(&self.position, position => position.legal_moves(&mut moves));
        moves
    }

    /// Reads a canonical move text. The move need not be legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, GameError> {
        let parsed = with_position!(
            &self.position,
            position => position.parse_move(text).map_err(MoveTextError::from)
        );
        parsed.map_err(|error| GameError::Text(text.to_owned(), error))
    }

    /// Reads a move whose points are named by another convention, which `cell` knows. Tiles have
    /// the same texts everywhere.
    pub fn parse_move_by<E>(
        &self,
        text: &str,
        cell: impl Fn(&str) -> Result<Cell, E>,
    ) -> Result<Move, E>
    where
        E: From<StoneTextError> + From<stacking::TileTextError>,
    {
        with_position!(&self.position, position => position.parse_move_by(text, cell))
    }

    /// The text of a move with its points named by another convention.
    pub fn move_text_by(&self, mv: Move, label: impl Fn(Cell) -> String) -> String {
        with_position!(&self.position, position => position.move_text_by(mv, label))
    }

    /// Every call on the board: trias, tesseras, threes and fours.
    pub fn threats(&self) -> Vec<Threat> {
        self.placement().map(threats).unwrap_or_default()
    }

    /// The canonical text of a move.
    pub fn move_text(&self, mv: Move) -> String {
        with_position!(&self.position, position => position.move_text(mv))
    }

    /// Whether a move may be played, and if not, why.
    pub fn check_move(&self, mv: Move) -> Result<(), IllegalMove> {
        with_position!(&self.position, position => position.check(mv).map_err(IllegalMove::from))
    }

    /// Plays a move given as canonical text.
    pub fn play(&mut self, text: &str) -> Result<Move, GameError> {
        let mv = self.parse_move(text)?;
        self.play_move(mv)?;
        Ok(mv)
    }

    /// Plays a move.
    pub fn play_move(&mut self, mv: Move) -> Result<(), GameError> {
        let played: Result<(), IllegalMove> = with_position!(
            &mut self.position,
            position => position.try_play(mv).map_err(IllegalMove::from)
        );
        played.map_err(|reason| GameError::Illegal(self.move_text_or_bits(mv), reason))
    }

    /// A move's text even if it names a cell that this board lacks.
    fn move_text_or_bits(&self, mv: Move) -> String {
        let cells = self.cells();
        let on_board = mv.cell().is_none_or(|cell| cells.is_empty() || cells.contains(&cell));
        if on_board { self.move_text(mv) } else { format!("{:#x}", mv.bits()) }
    }

    /// Takes the last move back, or says that there is none.
    pub fn undo(&mut self) -> Option<Move> {
        with_position!(&mut self.position, position => position.undo())
    }

    /// Returns the game before its first move: its starting position.
    pub fn start(&self) -> Game {
        let mut start = self.clone();
        while start.undo().is_some() {}
        start
    }

    /// Replays the game from its starting position.
    pub fn replay(&self) -> Replay {
        Replay { position: self.start(), moves: self.moves().into_iter() }
    }

    /// Returns the canonical texts of a line of moves from this position on, up to the first move
    /// that is illegal.
    pub fn line_texts(&self, line: &[Move]) -> Vec<String> {
        let mut game = self.clone();
        let mut texts = Vec::with_capacity(line.len());
        for &mv in line {
            // The text of a capture with signs depends on the position.
            let text = game.check_move(mv).map(|()| game.move_text(mv));
            let (Ok(text), Ok(())) = (text, game.play_move(mv)) else { break };
            texts.push(text);
        }
        texts
    }

    /// The position as text.
    pub fn text(&self) -> String {
        with_position!(&self.position, position => position.text())
    }

    /// The number of move sequences of that many plies, unless stopped.
    pub fn perft(&mut self, depth: u32, stop: &AtomicBool) -> Option<u64> {
        with_position!(&mut self.position, position => perft_until(position.as_mut(), depth, stop))
    }
}

/// A game that is played again, move by move; see [`Game::replay`].
///
/// ```
/// use pentarch_engine::Game;
/// let mut game = Game::new("pente".parse().unwrap());
/// for text in ["j10", "k10", "a1", "l10", "m10"] {
///     game.play(text).unwrap();
/// }
/// let mut replay = game.replay();
/// let mut captured = Vec::new();
/// while replay.next().is_some() {
///     captured.push(replay.position().captures()[0]);
/// }
/// assert_eq!(captured, [0, 0, 0, 0, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    position: Game,
    moves: std::vec::IntoIter<Move>,
}

impl Replay {
    /// The position after the moves that [`Replay::next`] has returned.
    pub fn position(&self) -> &Game {
        &self.position
    }
}

impl Iterator for Replay {
    type Item = Move;

    /// Plays the next move and returns it.
    fn next(&mut self) -> Option<Move> {
        let mv = self.moves.next()?;
        self.position.play_move(mv).ok()?;
        Some(mv)
    }
}
