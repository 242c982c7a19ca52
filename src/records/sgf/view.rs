//! The board as a viewer of SGF has it: black and white stones, taken as in Go.

use pentarch_core::board::{Grid, HexGrid};
use pentarch_core::game::{Cell, Color};
use pentarch_engine::Game;

/// A color of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stone {
    Black,
    White,
}

impl Stone {
    /// The first player is Black, whatever color the stones have; of many players the third as well.
    pub(super) const fn of(color: Color) -> Stone {
        if color.0.is_multiple_of(2) { Stone::Black } else { Stone::White }
    }

    /// The property of a move.
    pub(super) const fn letter(self) -> &'static str {
        match self {
            Stone::Black => "B",
            Stone::White => "W",
        }
    }

    /// The property that sets up a stone.
    pub(super) const fn setup(self) -> &'static str {
        match self {
            Stone::Black => "AB",
            Stone::White => "AW",
        }
    }
}

/// A board of points in columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Squares(Grid),
    /// Hexagons, on a square of points as wide as their longest row, each row shifted.
    Hexes(HexGrid),
    /// Tiles lie on no points.
    None,
}

impl Shape {
    pub(super) fn of(game: &Game) -> Shape {
        match (game.grid(), game.hex_grid()) {
            (Some(grid), _) => Shape::Squares(grid),
            (None, Some(grid)) => Shape::Hexes(grid),
            (None, None) => Shape::None,
        }
    }

    /// The columns and rows.
    pub(super) fn size(self) -> Option<(u8, u8)> {
        match self {
            Shape::Squares(grid) => Some((grid.columns(), grid.rows())),
            Shape::Hexes(grid) => Some((grid.longest_row(), grid.longest_row())),
            Shape::None => None,
        }
    }

    /// The column and row of a cell, from the lower left.
    fn place(self, cell: Cell) -> (u8, u8) {
        match self {
            Shape::Squares(grid) => (grid.column(cell), grid.row(cell)),
            Shape::Hexes(grid) => (grid.skewed_column(cell), grid.row(cell)),
            Shape::None => (0, 0),
        }
    }

    /// The cell at a column and row.
    fn cell(self, column: i32, row: i32) -> Option<Cell> {
        match self {
            Shape::Squares(grid) => grid.get(column, row),
            Shape::Hexes(grid) => grid.at_skewed(row.try_into().ok()?, column.try_into().ok()?),
            Shape::None => None,
        }
    }

    /// Two letters from the upper left.
    pub(super) fn point(self, cell: Cell) -> String {
        let (column, row) = self.place(cell);
        let top = self.size().map_or(0, |(_, rows)| rows.saturating_sub(1));
        [column, top.saturating_sub(row)].map(|n| char::from(b'a' + n)).iter().collect()
    }

    /// The cell of a point, two letters from the upper left, or `K10` as pente.org writes.
    pub(super) fn parse(self, text: &str) -> Option<Cell> {
        let (_, rows) = self.size()?;
        if let [column @ b'a'..=b'z', row @ b'a'..=b'z'] = text.as_bytes() {
            return self.cell((column - b'a').into(), i32::from(rows) - 1 - i32::from(row - b'a'));
        }
        let letter = text.chars().next()?.to_ascii_uppercase();
        let column = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter)?;
        let row: i32 = text.get(1..)?.parse().ok()?;
        self.cell(column as i32, row.checked_sub(1)?)
    }

    fn neighbors(self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (column, row) = self.place(cell);
        let (column, row) = (i32::from(column), i32::from(row));
        let steps = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)];
        steps.into_iter().filter_map(move |(column, row)| self.cell(column, row))
    }
}

/// What a viewer shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    shape: Shape,
    /// By cell number.
    stones: Vec<Option<Stone>>,
}

impl View {
    /// The board of a game. Stones of no color are not shown.
    pub(super) fn of(game: &Game) -> View {
        let cells = game.cells();
        let mut stones = vec![None; cells.last().map_or(0, |cell| cell.index() + 1)];
        for cell in cells {
            let color = game.content(cell).filter(|color| color.0 < Color::NEUTRAL.0);
            stones[cell.index()] = color.map(Stone::of);
        }
        View { shape: Shape::of(game), stones }
    }

    pub(super) fn size(&self) -> Option<(u8, u8)> {
        self.shape.size()
    }

    pub(super) fn point(&self, cell: Cell) -> String {
        self.shape.point(cell)
    }

    /// The points that have such a stone.
    pub(super) fn points(&self, stone: Option<Stone>) -> impl Iterator<Item = String> {
        let cells = (0..).map(Cell).zip(&self.stones);
        cells.filter(move |&(_, &there)| there == stone).map(|(cell, _)| self.point(cell))
    }

    /// The cells that differ in another view, as they are there; those that become empty first.
    pub(super) fn changes(&self, other: &View) -> Vec<(Cell, Option<Stone>)> {
        let cells = (0..).map(Cell).zip(self.stones.iter().zip(&other.stones));
        let differ = cells.filter(|(_, (before, after))| before != after);
        let mut changes: Vec<_> = differ.map(|(cell, (_, &after))| (cell, after)).collect();
        changes.sort_by_key(|&(_, stone)| stone.map_or(0, |stone| 1 + stone as u8));
        changes
    }

    /// Puts a stone down as a program for Go does: groups of the other color that it leaves without
    /// an empty point beside them are taken, and then its own.
    pub(super) fn place(&mut self, cell: Cell, stone: Stone) {
        self.stones[cell.index()] = Some(stone);
        let around: Vec<_> = self.shape.neighbors(cell).collect();
        for next in around {
            if self.stones[next.index()].is_some_and(|there| there != stone) {
                self.take_if_surrounded(next);
            }
        }
        self.take_if_surrounded(cell);
    }

    fn take_if_surrounded(&mut self, cell: Cell) {
        let color = self.stones[cell.index()];
        let mut group = vec![cell];
        let mut looked_at = 0;
        while let Some(&stone) = group.get(looked_at) {
            looked_at += 1;
            for next in self.shape.neighbors(stone) {
                match self.stones[next.index()] {
                    None => return,
                    there if there == color && !group.contains(&next) => group.push(next),
                    _ => (),
                }
            }
        }
        for cell in group {
            self.stones[cell.index()] = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_taken_as_in_go() {
        let game = Game::new("gomoku+size=5".parse().unwrap());
        let mut view = View::of(&game);
        let grid = game.grid().unwrap();
        let mut place = |text: &str, stone| {
            view.place(grid.parse(text).unwrap(), stone);
            view.stones.iter().flatten().count()
        };
        let counts = [("a1", Stone::White), ("b1", Stone::White), ("a2", Stone::Black)];
        assert_eq!(counts.map(|(text, stone)| place(text, stone)), [1, 2, 3]);
        assert_eq!(place("b2", Stone::Black), 4);
        assert_eq!(place("c1", Stone::Black), 3, "two are taken");
        assert_eq!(place("a1", Stone::White), 4);
        assert_eq!(place("b1", Stone::White), 3, "nobody takes, so they take themselves");
    }

    #[test]
    fn points_are_read_as_they_are_written() {
        for spec in ["pente", "gomoku+size=10x8", "pentalath", "yavalath", "pente+size=25"] {
            let game = Game::new(spec.parse().unwrap());
            let shape = Shape::of(&game);
            for cell in game.cells() {
                assert_eq!(shape.parse(&shape.point(cell)), Some(cell), "{spec}");
            }
        }
    }
}
