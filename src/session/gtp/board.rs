//! The points of a board as GTP names them.

use crate::board::{Grid, HexGrid};
use crate::engine::{Game, StoneTextError, TileTextError};
use crate::game::{Cell, Illegal};
use pentarch_protocol::gtp::Vertex;

/// The shape of a board.
#[derive(Clone, Copy)]
pub(super) enum Board {
    /// A rectangle of points.
    Squares(Grid),
    /// Hexagons, on a square of vertices whose side is their longest row.
    Hexes(HexGrid),
}

impl Board {
    /// The board of a game, if it has one with edges.
    pub(super) fn of(game: &Game) -> Option<Board> {
        let squares = game.grid().map(Board::Squares);
        squares.or_else(|| game.hex_grid().map(Board::Hexes))
    }

    /// How many vertices it is wide and high.
    pub(super) fn size(self) -> (u32, u32) {
        match self {
            Board::Squares(grid) => (grid.columns().into(), grid.rows().into()),
            Board::Hexes(grid) => (grid.longest().into(), grid.longest().into()),
        }
    }

    /// Whether a size is its own; of hexagons the number of rows will do as well.
    pub(super) fn has_size(self, columns: u32, rows: u32) -> bool {
        let own_rows = match self {
            Board::Squares(_) => self.size().1,
            Board::Hexes(grid) => u32::from(grid.rows()),
        };
        columns == self.size().0 && (rows == own_rows || rows == self.size().1)
    }

    /// Whether it is drawn with hexagons.
    pub(super) fn is_hex(self) -> bool {
        match self {
            Board::Squares(_) => false,
            Board::Hexes(_) => true,
        }
    }

    /// The cell of a vertex, if there is one.
    pub(super) fn cell(self, vertex: Vertex) -> Option<Cell> {
        let place = |n: u32| i32::try_from(n).unwrap_or(-1);
        match self {
            Board::Squares(grid) => grid.get(place(vertex.column), place(vertex.row)),
            Board::Hexes(grid) => grid.at_skewed(vertex.row, vertex.column),
        }
    }

    /// The vertex of a cell.
    pub(super) fn vertex(self, cell: Cell) -> Vertex {
        match self {
            Board::Squares(grid) => {
                Vertex { column: grid.column(cell).into(), row: grid.row(cell).into() }
            }
            Board::Hexes(grid) => {
                Vertex { column: grid.skewed_column(cell).into(), row: grid.row(cell).into() }
            }
        }
    }
}

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
