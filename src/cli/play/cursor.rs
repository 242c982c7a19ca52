//! A cursor on a board, moved by the arrow keys.

use pentarch_core::game::Cell;
use pentarch_core::stacking::{START, Spot};
use pentarch_engine::Game;
use pentarch_records::picture::{BoardLayout, ColumnLetters, CursorTarget, PicturePoint};

/// A way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// Where a cursor is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cursor {
    pub at: CursorTarget,
    /// The column that it keeps to while it goes up and down rows that are shifted.
    column: f64,
}

impl Cursor {
    /// In the middle of the board, or where the first tile begins.
    pub(super) fn of(game: &Game) -> Cursor {
        let layout = BoardLayout::of(game, ColumnLetters::All);
        if game.stacking().is_some() {
            return Cursor { at: CursorTarget::Spot(START), column: 0.0 };
        }
        let ((left, top), (right, bottom)) = layout.bounds;
        let middle = (left.midpoint(right), top.midpoint(bottom));
        let far = |point: PicturePoint| (point.0 - middle.0).hypot(point.1 - middle.1);
        let nearest = layout.cells.iter().min_by(|a, b| far(a.1).total_cmp(&far(b.1)));
        let (cell, at) = nearest.copied().unwrap_or((Cell(0), middle));
        Cursor { at: CursorTarget::Cell(cell), column: at.0 }
    }

    /// The name of where it is.
    pub(super) fn name(self, game: &Game) -> String {
        match self.at {
            CursorTarget::Cell(cell) => game.cell_text(cell),
            CursorTarget::Spot(spot) => spot.to_string(),
        }
    }

    /// One step, if the board goes on there.
    pub(super) fn step(&mut self, game: &Game, direction: Direction) {
        match self.at {
            CursorTarget::Spot(spot) => {
                let (dx, dy) = match direction {
                    Direction::Left => (-1, 0),
                    Direction::Right => (1, 0),
                    Direction::Up => (0, 1),
                    Direction::Down => (0, -1),
                };
                let next = Spot::new(i32::from(spot.column) + dx, i32::from(spot.row) + dy);
                self.at = CursorTarget::Spot(next.unwrap_or(spot));
            }
            CursorTarget::Cell(cell) => {
                let layout = BoardLayout::of(game, ColumnLetters::All);
                if let Some((next, at)) = beside(&layout, cell, self.column, direction) {
                    self.at = CursorTarget::Cell(next);
                    if matches!(direction, Direction::Left | Direction::Right) {
                        self.column = at.0;
                    }
                }
            }
        }
    }
}

/// The cell beside another one; in the row above or below it is the one nearest to a column.
fn beside(
    layout: &BoardLayout,
    from: Cell,
    column: f64,
    direction: Direction,
) -> Option<(Cell, PicturePoint)> {
    let &(_, (x, y)) = layout.cells.iter().find(|&&(cell, _)| cell == from)?;
    let far = |&&(_, (a, b)): &&(Cell, PicturePoint)| match direction {
        Direction::Left | Direction::Right => (a - x).abs(),
        // A row further away is never nearer.
        Direction::Up | Direction::Down => (b - y).abs() * 1000.0 + (a - column).abs(),
    };
    let lies_there = |&&(_, (a, b)): &&(Cell, PicturePoint)| match direction {
        Direction::Left => a < x && (b - y).abs() < 0.1,
        Direction::Right => a > x && (b - y).abs() < 0.1,
        Direction::Up => b < y - 0.1,
        Direction::Down => b > y + 0.1,
    };
    let there = layout.cells.iter().filter(lies_there);
    there.min_by(|a, b| far(a).total_cmp(&far(b))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(spec: &str, way: &str) -> String {
        let game = Game::new(spec.parse().unwrap());
        let mut cursor = Cursor::of(&game);
        for letter in way.chars() {
            let direction = match letter {
                'l' => Direction::Left,
                'r' => Direction::Right,
                'u' => Direction::Up,
                _ => Direction::Down,
            };
            cursor.step(&game, direction);
        }
        cursor.name(&game)
    }

    #[test]
    fn it_begins_in_the_middle_and_stops_at_the_edge() {
        for (spec, way, name) in [
            ("pente", "", "j10"),
            ("pente", "urdl", "j10"),
            ("pente", "uuurr", "l13"),
            ("gomoku+size=5x5", "llllllddddd", "a1"),
            ("pent-up", "ur", "ch86"),
            ("yavalath", "", "e5"),
        ] {
            assert_eq!(walk(spec, way), name, "{spec} {way}");
        }
    }

    /// Up and down again is the same cell, and a long way up keeps to its column.
    #[test]
    fn on_hexagons_it_keeps_to_its_column() {
        assert_eq!(walk("yavalath", "ud"), "e5");
        assert_eq!(walk("yavalath", "uudd"), "e5");
        assert_eq!(walk("yavalath", "uuuuu").chars().next(), Some('i'));
        assert_eq!(walk("yavalath", "lllllll"), "e1");
    }
}
