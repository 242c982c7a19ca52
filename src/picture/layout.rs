//! Where everything of a board lies: the one geometry of pictures and pages.

use super::tiles::{View, drawn};
use super::{Letters, text};
use crate::board::{Grid, HexGrid};
use crate::engine::Game;
use crate::game::Cell;
use crate::rules::Ruleset;
use crate::stacking::Spot;

/// A point of a picture. The unit is the distance between two cells of a row; `y` grows downwards.
pub type Point = (f64, f64);

/// What the cells of a board are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    /// Points on which lines cross.
    Point,
    /// Hexagons that stand on a corner.
    Hexagon,
    /// Squares of a table without edges, on which tiles lie.
    Square,
}

/// The geometry of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// What the cells are.
    pub shape: CellShape,
    /// The cells in their order with their middles; none on a table.
    pub cells: Vec<(Cell, Point)>,
    /// The corners of a cell around its middle; none for points.
    pub outline: Vec<Point>,
    /// The lines on which stones lie, from end to end.
    pub lines: Vec<(Point, Point)>,
    /// Points that are marked for orientation.
    pub stars: Vec<Point>,
    /// Points that the rules give a meaning of their own, such as those for bonus stones.
    pub diamonds: Vec<Point>,
    /// The names of columns and rows.
    pub labels: Vec<(Point, String)>,
    /// The upper left corner of everything, and the lower right one.
    pub bounds: (Point, Point),
}

/// The distance between two rows of hexagons whose width is 1.
const HEX_RISE: f64 = 0.866_025_403_784_438_6;
/// The distance from the middle of such a hexagon to its corners.
const HEX_RADIUS: f64 = 0.577_350_269_189_625_8;
/// Room around the outermost middles, in which coordinates stand.
const ROOM: f64 = 1.5;
/// The distance of coordinates from the outermost middles.
const LABEL: f64 = 1.0;

impl Layout {
    /// The board of a game; of a table, the part on which its tiles lie.
    pub fn of(game: &Game, letters: Letters) -> Layout {
        if let Some(position) = game.stacking() {
            let tiles = drawn(position);
            return match View::new(&tiles) {
                Some(view) => Layout::table(view.low, view.high),
                None => Layout::table(crate::stacking::START, crate::stacking::START),
            };
        }
        match (game.grid(), game.hex_grid()) {
            (Some(grid), _) => Layout::points(grid, game.rules(), letters),
            (None, Some(grid)) => Layout::hexagons(grid),
            (None, None) => Layout::table(crate::stacking::START, crate::stacking::START),
        }
    }

    /// Stones on the points of a rectangle.
    fn points(grid: Grid, rules: &Ruleset, letters: Letters) -> Layout {
        let (columns, rows) = (grid.columns(), grid.rows());
        let (right, bottom) = (f64::from(columns - 1), f64::from(rows - 1));
        let middle = |column: u8, row: u8| (f64::from(column), bottom - f64::from(row));
        let mut lines = Vec::new();
        let mut labels = Vec::new();
        for column in 0..columns {
            let x = f64::from(column);
            lines.push(((x, 0.0), (x, bottom)));
            let name = text::letter(column, letters).to_string();
            labels.extend([-LABEL, bottom + LABEL].map(|y| ((x, y), name.clone())));
        }
        for row in 0..rows {
            let y = bottom - f64::from(row);
            lines.push(((0.0, y), (right, y)));
            labels.extend([-LABEL, right + LABEL].map(|x| ((x, y), (row + 1).to_string())));
        }
        let place = |cell: Cell| middle(grid.column(cell), grid.row(cell));
        let diamonds = rules.squares().and_then(|board| board.stones.power);
        let stars = star_lines(columns)
            .into_iter()
            .flat_map(|column| star_lines(rows).into_iter().map(move |row| middle(column, row)));
        Layout {
            shape: CellShape::Point,
            cells: grid.iter().map(|cell| (cell, place(cell))).collect(),
            outline: Vec::new(),
            lines,
            stars: stars.collect(),
            diamonds: diamonds
                .map_or_else(Vec::new, |(_, points)| points.cells(grid).map(place).collect()),
            labels,
            bounds: ((-ROOM, -ROOM), (right + ROOM, bottom + ROOM)),
        }
    }

    /// Hexagons in rows, each shifted by half a cell from the next.
    fn hexagons(grid: HexGrid) -> Layout {
        let (rows, longest) = (grid.rows(), grid.longest());
        let middle = |row: u8, place: f64| {
            let shift = f64::from(longest - grid.row_length(row)) / 2.0;
            (place + shift, f64::from(rows - 1 - row) * HEX_RISE)
        };
        let cell = |row, place| grid.get(row, place).map(|cell| (cell, middle(row, place.into())));
        let mut cells: Vec<_> = (0..rows)
            .flat_map(|row| (0..grid.row_length(row)).filter_map(move |place| cell(row, place)))
            .collect();
        cells.sort_by_key(|&(cell, _)| cell);
        let labels = (0..rows).flat_map(|row| {
            let name = char::from(b'a' + row).to_string();
            [-0.9, f64::from(grid.row_length(row)) - 0.1]
                .map(|place| (middle(row, place), name.clone()))
        });
        let (half, low) = (0.5, HEX_RADIUS / 2.0);
        let (right, bottom) = (f64::from(longest - 1), f64::from(rows - 1) * HEX_RISE);
        Layout {
            shape: CellShape::Hexagon,
            cells,
            outline: vec![
                (0.0, -HEX_RADIUS),
                (half, -low),
                (half, low),
                (0.0, HEX_RADIUS),
                (-half, low),
                (-half, -low),
            ],
            lines: Vec::new(),
            stars: Vec::new(),
            diamonds: Vec::new(),
            labels: labels.collect(),
            bounds: ((-ROOM, -1.0), (right + ROOM, bottom + 1.0)),
        }
    }

    /// The squares of a table from a lower left to an upper right spot. Columns grow with `x`,
    /// rows against `y`, both counted from those of the table.
    pub(super) fn table(low: Spot, high: Spot) -> Layout {
        let middle = |spot: Spot| (f64::from(spot.column), -f64::from(spot.row));
        let ((left, bottom), (right, top)) = (middle(low), middle(high));
        let columns = (low.column..=high.column).flat_map(|column| {
            let name = Spot::column_name(column);
            [top - LABEL, bottom + LABEL].map(|y| ((f64::from(column), y), name.clone()))
        });
        let rows = (low.row..=high.row).flat_map(|row| {
            let name = (u16::from(row) + 1).to_string();
            [left - LABEL, right + LABEL].map(|x| ((x, -f64::from(row)), name.clone()))
        });
        Layout {
            shape: CellShape::Square,
            cells: Vec::new(),
            outline: vec![(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)],
            lines: Vec::new(),
            stars: Vec::new(),
            diamonds: Vec::new(),
            labels: columns.chain(rows).collect(),
            bounds: ((left - ROOM, top - ROOM), (right + ROOM, bottom + ROOM)),
        }
    }
}

/// The columns or rows, of so many, on whose crossings stars are drawn, as on boards for Go.
fn star_lines(count: u8) -> Vec<u8> {
    let edge = if count >= 13 { 3 } else { 2 };
    let middle = (count % 2 == 1).then_some(count / 2);
    if count < 9 {
        return middle.into_iter().collect();
    }
    let mut lines = vec![edge];
    lines.extend(middle);
    lines.push(count - 1 - edge);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neighbors lie one unit apart and nothing lies closer, whatever the board.
    #[test]
    fn cells_keep_their_distance() {
        for spec in ["pente", "gomoku+size=7x12", "pentalath", "yavalath-3"] {
            let layout = Layout::of(&Game::new(spec.parse().unwrap()), Letters::All);
            let ((left, top), (right, bottom)) = layout.bounds;
            for (index, &(_, (x, y))) in layout.cells.iter().enumerate() {
                assert!(left < x && x < right && top < y && y < bottom, "{spec}");
                let others = layout.cells.iter().enumerate().filter(|&(other, _)| other != index);
                let distances = others.map(|(_, &(_, (a, b)))| (x - a).hypot(y - b));
                let nearest = distances.fold(f64::MAX, f64::min);
                assert!((nearest - 1.0).abs() < 1e-9, "{spec}");
            }
            for ((x, y), name) in &layout.labels {
                assert!(left <= *x && *x <= right && top <= *y && *y <= bottom, "{spec} {name}");
            }
        }
    }

    #[test]
    fn stars_are_those_of_go_boards() {
        assert_eq!(star_lines(19), [3, 9, 15]);
        assert_eq!(star_lines(15), [3, 7, 11]);
        assert_eq!(star_lines(9), [2, 4, 6]);
        assert_eq!(star_lines(12), [2, 9]);
        assert!(star_lines(4).is_empty());
    }
}
