//! The points of a board as GTP names them.

use crate::engine::{Board, Game, StoneTextError, TileTextError};
use crate::game::{Cell, Illegal};
use pentarch_protocol::gtp::Vertex;

/// Why a text is no move here, as GTP has it.
pub(super) struct BadMove(pub(super) String);

impl From<StoneTextError> for BadMove {
    fn from(error: StoneTextError) -> BadMove {
        BadMove(format!("illegal move: {error}"))
    }
}

/// A client that knows only vertices learns here that it cannot play with tiles.
impl From<TileTextError> for BadMove {
    fn from(error: TileTextError) -> BadMove {
        BadMove(format!("illegal move: {error}"))
    }
}

/// The cell of a vertex.
pub(super) fn cell(game: &Game, text: &str) -> Result<Cell, BadMove> {
    let vertex = Vertex::parse(text).map_err(|error| BadMove(error.to_string()))?;
    let cell = Board::of(game).and_then(|board| board.cell(vertex));
    cell.ok_or_else(|| BadMove(format!("illegal move: {}", Illegal::OffBoard)))
}

/// The vertices of cells.
pub(super) fn vertices(game: &Game, cells: impl IntoIterator<Item = Cell>) -> Vec<Vertex> {
    let board = Board::of(game);
    cells.into_iter().filter_map(|cell| Some(board?.vertex(cell))).collect()
}
