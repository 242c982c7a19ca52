//! Gomocup's protocol: games, points and moves, limits, lists of stones, openings and messages.
//!
//! It knows two players who place a stone on a point in turn, and of all openings with a choice only
//! swap2. Pass and choice have no point.

mod limits;
mod list;
mod opening;
mod report;
mod variant;

pub use limits::{GameLimits, SettingError, time_left};
pub use list::{ListError, is_own_turn, of_move_order};
pub use opening::{OpeningError, is_swap2_turn};
pub use variant::{
    UnknownRule, Unplayable, check, check_for_manager, info, nearest_rule, rules, start,
};

use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, Move};
use pentarch_engine::{Game, GameError, IllegalMove};
use pentarch_protocol::gomocup::{Coordinates, Point};

/// Values of the engine as Gomocup's protocol writes them, with its points in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Codec(pub Coordinates);

/// Why a point is no move. The game is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointError {
    /// The game is not played on squares.
    #[error("this game has no points to play on")]
    NoPoints,
    /// There is no such point on the board.
    #[error("illegal move: {0} is not on the board of size {1}")]
    OffBoard(Point, Grid),
    /// The point names no move.
    #[error("illegal move {0}: {1}")]
    Text(Point, GameError),
    /// The move may not be played now.
    #[error("illegal move {0}: {1}")]
    Illegal(Point, IllegalMove),
}

impl Codec {
    /// The point of a cell.
    pub fn point(self, grid: Grid, cell: Cell) -> Point {
        Point::on_board(self.0, grid.column(cell), grid.row(cell), grid.rows())
    }

    /// The cell of a point.
    pub fn cell(self, grid: Grid, point: Point) -> Result<Cell, PointError> {
        let (column, row) = point.column_and_row(self.0, grid.rows());
        grid.get(column, row).ok_or(PointError::OffBoard(point, grid))
    }

    /// The move that a point stands for: a stone, and where captures need signs, `+` throughout. It
    /// need not be legal.
    pub fn parse_move(self, game: &Game, point: Point) -> Result<Move, PointError> {
        let grid = game.grid().ok_or(PointError::NoPoints)?;
        let label = grid.label(self.cell(grid, point)?);
        game.parse_move(&label).map_err(|error| PointError::Text(point, error))
    }

    /// The point that stands for a move, if one does.
    pub fn point_of(self, game: &Game, mv: Move) -> Option<Point> {
        let (grid, cell) = (game.grid()?, mv.cell()?);
        let point = self.point(grid, cell);
        (self.parse_move(game, point) == Ok(mv)).then_some(point)
    }

    /// The points of the stones among moves, in their order.
    pub fn points(self, grid: Grid, moves: &[Move]) -> Vec<Point> {
        moves.iter().filter_map(|mv| mv.cell()).map(|cell| self.point(grid, cell)).collect()
    }

    /// Plays a stone, or says why not.
    pub fn play(self, game: &mut Game, point: Point) -> Result<Move, PointError> {
        let mv = self.parse_move(game, point)?;
        game.check_move(mv).map_err(|reason| PointError::Illegal(point, reason))?;
        game.play_move(mv).map_err(|error| PointError::Text(point, error))?;
        Ok(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const XY: Codec = Codec(Coordinates::Xy);
    const YX: Codec = Codec(Coordinates::Yx);

    #[test]
    fn points_and_cells() {
        let grid = Grid::new(15, 10).unwrap();
        for (x, y, label) in [(0, 0, "a10"), (14, 9, "o1"), (3, 7, "d3")] {
            let cell = XY.cell(grid, Point::new(x, y)).unwrap();
            assert_eq!(grid.label(cell), label);
            assert_eq!(YX.cell(grid, Point::new(y, x)), Ok(cell));
            assert_eq!(XY.point(grid, cell), Point::new(x, y));
            assert_eq!(YX.point(grid, cell), Point::new(y, x));
        }
        for (x, y) in [(-1, -1), (15, 0), (0, 10), (i32::MIN, i32::MIN), (i32::MAX, i32::MAX)] {
            assert!(XY.cell(grid, Point::new(x, y)).is_err(), "{x},{y}");
        }
    }

    #[test]
    fn moves_are_read_as_they_are_written() {
        let mut game = Game::new("plus-minus-pente".parse().unwrap());
        for text in ["j10", "k10", "a1", "l10"] {
            game.play(text).unwrap();
        }
        for &mv in &game.legal_moves() {
            let point = XY.point_of(&game, mv).unwrap();
            assert_eq!(XY.parse_move(&game, point), Ok(mv));
        }
        assert_eq!(XY.points(game.grid().unwrap(), &game.moves()).len(), 4);
        let neutral = Game::new("neutral-pente".parse().unwrap());
        let mv = neutral.parse_move("N@a1").unwrap();
        assert_eq!(XY.point_of(&neutral, mv), None);
    }
}
