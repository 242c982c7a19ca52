//! Boards and their points as vertices.

use pentarch_core::board::{Grid, HexGrid};
use pentarch_core::game::Cell;
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::Game;
use pentarch_protocol::gtp::{Command, Vertex};

/// The shape of a board, with GTP's vertices.
#[derive(Clone, Copy, Debug)]
pub enum Board {
    /// A rectangle of points.
    Squares(Grid),
    /// Hexagons, on a square of vertices whose side is their longest row.
    Hexes(HexGrid),
}

/// Why a game cannot be played on a board of some size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// A hexagon of hexagons has an odd longest row and as many rows; other boards are of one size.
    #[error("unacceptable size: the longest row has {0} cells")]
    Hexes(u32),
    /// The rules know no such size.
    #[error("unacceptable size: {0}")]
    Rules(#[from] VariantSpecError),
}

impl Board {
    /// The board of a game, if it has one with edges.
    pub fn of(game: &Game) -> Option<Board> {
        let squares = game.grid().map(Board::Squares);
        squares.or_else(|| game.hex_grid().map(Board::Hexes))
    }

    /// How many vertices it is wide and high.
    pub fn size(self) -> (u32, u32) {
        match self {
            Board::Squares(grid) => (grid.columns().into(), grid.rows().into()),
            Board::Hexes(grid) => (grid.longest_row().into(), grid.longest_row().into()),
        }
    }

    /// The command that sets its size.
    pub fn boardsize(self) -> Command {
        let (columns, rows) = self.size();
        Command::BoardSize { columns, rows }
    }

    /// The same rules on a board of another size, none if it is the size of this board.
    pub fn resized(
        self,
        rules: &Ruleset,
        columns: u32,
        rows: u32,
    ) -> Result<Option<Ruleset>, SizeError> {
        if self.has_size(columns, rows) {
            return Ok(None);
        }
        let modifier = match self {
            Board::Squares(_) if columns == rows => format!("size={columns}"),
            Board::Squares(_) => format!("size={columns}x{rows}"),
            Board::Hexes(_) if columns != rows || columns.is_multiple_of(2) => {
                return Err(SizeError::Hexes(self.size().0));
            }
            Board::Hexes(_) => format!("side={}", columns.div_ceil(2)),
        };
        Ok(Some(rules.with(&modifier)?))
    }

    /// Whether a size is its own; of hexagons the number of rows will do as well.
    fn has_size(self, columns: u32, rows: u32) -> bool {
        let own_rows = match self {
            Board::Squares(_) => self.size().1,
            Board::Hexes(grid) => u32::from(grid.rows()),
        };
        columns == self.size().0 && (rows == own_rows || rows == self.size().1)
    }

    /// Whether it is drawn with hexagons.
    pub fn is_hex(self) -> bool {
        matches!(self, Board::Hexes(_))
    }

    /// The cell of a vertex, if there is one.
    pub fn cell(self, vertex: Vertex) -> Option<Cell> {
        let index = |n: u32| i32::try_from(n).unwrap_or(-1);
        match self {
            Board::Squares(grid) => grid.get(index(vertex.column), index(vertex.row)),
            Board::Hexes(grid) => grid.at_skewed(vertex.row, vertex.column),
        }
    }

    /// The vertex of a cell.
    pub fn vertex(self, cell: Cell) -> Vertex {
        match self {
            Board::Squares(grid) => {
                Vertex { column: grid.column(cell).into(), row: grid.row(cell).into() }
            }
            Board::Hexes(grid) => {
                Vertex { column: grid.skewed_column(cell).into(), row: grid.row(cell).into() }
            }
        }
    }

    /// The vertices of cells.
    pub fn vertices(game: &Game, cells: impl IntoIterator<Item = Cell>) -> Vec<Vertex> {
        let board = Board::of(game);
        cells.into_iter().filter_map(|cell| Some(board?.vertex(cell))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(spec: &str) -> Game {
        Game::new(spec.parse().unwrap())
    }

    #[test]
    fn cells_are_read_as_they_are_written() {
        for spec in ["pente", "gomoku+size=10x8", "pentalath", "pentalath-hex", "yavalath"] {
            let game = game(spec);
            let board = Board::of(&game).unwrap();
            for cell in game.cells() {
                assert_eq!(board.cell(board.vertex(cell)), Some(cell), "{spec}");
            }
        }
        assert!(Board::of(&game("pent-up")).is_none());
    }

    #[test]
    fn hexagons_stand_on_a_square_of_vertices() {
        let game = game("pentalath");
        let board = Board::of(&game).unwrap();
        for (label, vertex) in [("a1", "A1"), ("g1", "A7"), ("g13", "N7")] {
            let cell = board.cell(Vertex::parse(vertex).unwrap()).unwrap();
            assert_eq!(game.cell_text(cell), label);
        }
        assert_eq!(board.cell(Vertex::parse("T19").unwrap()), None);
    }

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for (from, to) in [("gomoku", "gomoku+size=10x8"), ("pente", "pente-13")] {
            let (from, to) = (game(from), game(to));
            let Command::BoardSize { columns, rows } = Board::of(&to).unwrap().boardsize() else {
                panic!("{to:?}")
            };
            let board = Board::of(&from).unwrap();
            assert_eq!(board.resized(from.rules(), columns, rows), Ok(Some(to.rules().clone())));
            let own = board.size();
            assert_eq!(board.resized(from.rules(), own.0, own.1), Ok(None));
        }
        let pentalath = game("pentalath-hex");
        let board = Board::of(&pentalath).unwrap();
        let error = board.resized(pentalath.rules(), 8, 8).unwrap_err().to_string();
        assert_eq!(error, "unacceptable size: the longest row has 9 cells");
    }
}
