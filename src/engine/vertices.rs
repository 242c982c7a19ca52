//! The points of boards as vertices of GTP, for both sides of the protocol.

use super::Game;
use crate::board::{Grid, HexGrid};
use crate::game::Cell;
use pentarch_protocol::gtp::Vertex;

/// The shape of a board, with GTP's vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Board {
    /// A rectangle of points.
    Squares(Grid),
    /// Hexagons, on a square of vertices whose side is their longest row.
    Hexes(HexGrid),
}

impl Board {
    /// The board of a game, if it has one with edges.
    pub(crate) fn of(game: &Game) -> Option<Board> {
        let squares = game.grid().map(Board::Squares);
        squares.or_else(|| game.hex_grid().map(Board::Hexes))
    }

    /// How many vertices it is wide and high.
    pub(crate) fn size(self) -> (u32, u32) {
        match self {
            Board::Squares(grid) => (grid.columns().into(), grid.rows().into()),
            Board::Hexes(grid) => (grid.longest().into(), grid.longest().into()),
        }
    }

    /// Whether a size is its own; of hexagons the number of rows will do as well.
    pub(crate) fn has_size(self, columns: u32, rows: u32) -> bool {
        let own_rows = match self {
            Board::Squares(_) => self.size().1,
            Board::Hexes(grid) => u32::from(grid.rows()),
        };
        columns == self.size().0 && (rows == own_rows || rows == self.size().1)
    }

    /// Whether it is drawn with hexagons.
    pub(crate) fn is_hex(self) -> bool {
        match self {
            Board::Squares(_) => false,
            Board::Hexes(_) => true,
        }
    }

    /// The cell of a vertex, if there is one.
    pub(crate) fn cell(self, vertex: Vertex) -> Option<Cell> {
        let place = |n: u32| i32::try_from(n).unwrap_or(-1);
        match self {
            Board::Squares(grid) => grid.get(place(vertex.column), place(vertex.row)),
            Board::Hexes(grid) => grid.at_skewed(vertex.row, vertex.column),
        }
    }

    /// The vertex of a cell.
    pub(crate) fn vertex(self, cell: Cell) -> Vertex {
        match self {
            Board::Squares(grid) => {
                Vertex { column: grid.column(cell).into(), row: grid.row(cell).into() }
            }
            Board::Hexes(grid) => {
                Vertex { column: grid.skewed_column(cell).into(), row: grid.row(cell).into() }
            }
        }
    }

    /// The vertex of a canonical point, if there is one of that name.
    pub(crate) fn vertex_of(self, point: &str) -> Option<Vertex> {
        let cell = match self {
            Board::Squares(grid) => grid.parse(point).ok()?,
            Board::Hexes(grid) => grid.parse(point).ok()?,
        };
        Some(self.vertex(cell))
    }

    /// The canonical name of a vertex's point. On squares it need not lie on the board, on which the
    /// rules have their own say.
    pub(crate) fn point_of(self, vertex: Vertex) -> Option<String> {
        match self {
            Board::Squares(_) => {
                let letter = (b'a'..=b'z').nth(vertex.column as usize)?;
                Some(format!("{}{}", char::from(letter), u64::from(vertex.row) + 1))
            }
            Board::Hexes(grid) => self.cell(vertex).map(|cell| grid.label(cell)),
        }
    }
}
