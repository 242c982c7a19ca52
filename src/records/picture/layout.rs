//! Where everything of a board lies: the one geometry of pictures and pages.

use super::tiles::{View, drawn};
use super::{Letters, text};
use pentarch_core::board::{Grid, HexGrid};
use pentarch_core::game::Cell;
use pentarch_core::rules::Ruleset;
use pentarch_core::stacking::Spot;
use pentarch_engine::Game;
use std::ops::RangeInclusive;

/// Columns or rows, counted from 0.
type Span = RangeInclusive<u8>;

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
/// The least columns or rows of a part of a board.
const LEAST_SPAN: i32 = 7;
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
                None => Layout::table(
                    pentarch_core::stacking::FIRST_TILE_CORNER,
                    pentarch_core::stacking::FIRST_TILE_CORNER,
                ),
            };
        }
        match (game.grid(), game.hex_grid()) {
            (Some(grid), _) => {
                let whole = (0..=grid.columns() - 1, 0..=grid.rows() - 1);
                Layout::points(grid, game.rules(), letters, whole)
            }
            (None, Some(grid)) => Layout::hexagons(grid, 0..=grid.rows() - 1),
            (None, None) => Layout::table(
                pentarch_core::stacking::FIRST_TILE_CORNER,
                pentarch_core::stacking::FIRST_TILE_CORNER,
            ),
        }
    }

    /// The part of a board around some points, of hexagons whole rows. Without points and of tables it
    /// is the whole.
    pub(super) fn around(game: &Game, letters: Letters, seen: &[Point]) -> Layout {
        let Some(((left, top), (right, bottom))) = box_around(seen) else {
            return Layout::of(game, letters);
        };
        match (game.grid(), game.hex_grid()) {
            (Some(grid), _) => {
                let low = f64::from(grid.rows() - 1);
                let columns = widened(left, right, grid.columns());
                let rows = widened(low - bottom, low - top, grid.rows());
                Layout::points(grid, game.rules(), letters, (columns, rows))
            }
            (None, Some(grid)) => {
                let row = |y: f64| f64::from(grid.rows() - 1) - y / HEX_RISE;
                Layout::hexagons(grid, widened(row(bottom), row(top), grid.rows()))
            }
            (None, None) => Layout::of(game, letters),
        }
    }

    /// Stones on the points of a rectangle, of which some columns and rows are shown.
    fn points(
        grid: Grid,
        rules: &Ruleset,
        letters: Letters,
        (columns, rows): (Span, Span),
    ) -> Layout {
        let low = f64::from(grid.rows() - 1);
        let middle = |column: u8, row: u8| (f64::from(column), low - f64::from(row));
        let place = |cell: Cell| middle(grid.column(cell), grid.row(cell));
        let (left, bottom) = middle(*columns.start(), *rows.start());
        let (right, top) = middle(*columns.end(), *rows.end());
        // A line that goes on beyond the picture is seen to do so.
        let beyond = |is_edge: bool| if is_edge { 0.0 } else { 0.5 };
        let (west, south) = (beyond(*columns.start() == 0), beyond(*rows.start() == 0));
        let east = beyond(*columns.end() == grid.columns() - 1);
        let north = beyond(*rows.end() == grid.rows() - 1);
        let mut lines = Vec::new();
        let mut labels = Vec::new();
        for column in columns.clone() {
            let x = f64::from(column);
            lines.push(((x, top - north), (x, bottom + south)));
            let name = text::letter(column, letters).to_string();
            labels.extend([top - LABEL, bottom + LABEL].map(|y| ((x, y), name.clone())));
        }
        for row in rows.clone() {
            let y = low - f64::from(row);
            lines.push(((left - west, y), (right + east, y)));
            let name = (row + 1).to_string();
            labels.extend([left - LABEL, right + LABEL].map(|x| ((x, y), name.clone())));
        }
        let shown =
            |cell: &Cell| columns.contains(&grid.column(*cell)) && rows.contains(&grid.row(*cell));
        let (across, along) = (star_lines(grid.columns()), star_lines(grid.rows()));
        let stars = across.iter().flat_map(|&column| along.iter().map(move |&row| (column, row)));
        let stars = stars.map(|(column, row)| grid.at(column, row)).filter(shown).map(place);
        let power = rules.squares().and_then(|board| board.stones.power);
        let diamonds = power.map_or_else(Vec::new, |(_, points)| {
            points.cells(grid).filter(shown).map(place).collect()
        });
        Layout {
            shape: CellShape::Point,
            cells: grid.iter().filter(shown).map(|cell| (cell, place(cell))).collect(),
            outline: Vec::new(),
            lines,
            stars: stars.collect(),
            diamonds,
            labels,
            bounds: ((left - ROOM, top - ROOM), (right + ROOM, bottom + ROOM)),
        }
    }

    /// Hexagons in rows, each shifted by half a cell from the next.
    fn hexagons(grid: HexGrid, shown: Span) -> Layout {
        let (rows, longest) = (grid.rows(), grid.longest_row());
        let middle = |row: u8, place: f64| {
            let shift = f64::from(longest - grid.row_length(row)) / 2.0;
            (place + shift, f64::from(rows - 1 - row) * HEX_RISE)
        };
        let cell = |row, place| grid.get(row, place).map(|cell| (cell, middle(row, place.into())));
        let mut cells: Vec<_> = shown
            .clone()
            .flat_map(|row| (0..grid.row_length(row)).filter_map(move |place| cell(row, place)))
            .collect();
        cells.sort_by_key(|&(cell, _)| cell);
        let labels = shown.clone().flat_map(|row| {
            let name = char::from(b'a' + row).to_string();
            [-0.9, f64::from(grid.row_length(row)) - 0.1]
                .map(|place| (middle(row, place), name.clone()))
        });
        let (half, low) = (0.5, HEX_RADIUS / 2.0);
        let (right, bottom) = (f64::from(longest - 1), middle(*shown.start(), 0.0).1);
        let top = middle(*shown.end(), 0.0).1;
        Layout {
            shape: CellShape::Hexagon,
            labels: labels.collect(),
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
            bounds: ((-ROOM, top - 1.0), (right + ROOM, bottom + 1.0)),
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

impl Layout {
    /// Whether a point lies within the part of the board that is shown.
    pub(super) fn shows(&self, (x, y): Point) -> bool {
        let ((left, top), (right, bottom)) = self.bounds;
        left < x && x < right && top < y && y < bottom
    }

    /// The part of a table with some points.
    pub(super) fn table_with(points: &[Point]) -> Option<Layout> {
        let ((left, top), (right, bottom)) = box_around(points)?;
        let spot = |x: f64, y: f64| Spot { column: x as u8, row: -y as u8 };
        Some(Layout::table(spot(left, bottom), spot(right, top)))
    }
}

/// The upper left and the lower right corner of the box around some points.
fn box_around(points: &[Point]) -> Option<(Point, Point)> {
    let first = *points.first()?;
    Some(points.iter().fold((first, first), |((left, top), (right, bottom)), &(x, y)| {
        ((left.min(x), top.min(y)), (right.max(x), bottom.max(y)))
    }))
}

/// Some columns or rows and a few around them, at least [`LEAST_SPAN`] if there are that many.
fn widened(first: f64, last: f64, count: u8) -> Span {
    let (first, last) = (first.round() as i32 - 2, last.round() as i32 + 2);
    let missing = (LEAST_SPAN - (last - first + 1)).max(0);
    let highest = i32::from(count) - 1;
    let first = (first - missing / 2).max(0);
    let last = (last + missing - missing / 2).min(highest);
    // What does not fit on one side is added on the other.
    let last = last.max((first + LEAST_SPAN - 1).min(highest));
    let first = first.min((last - LEAST_SPAN + 1).max(0));
    first as u8..=last as u8
}

/// The columns or rows, of that many, on whose crossings stars are drawn, as on boards for Go.
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
    fn parts_have_room_and_end_at_the_edges() {
        assert_eq!(widened(9.0, 9.0, 19), 6..=12);
        assert_eq!(widened(0.0, 0.0, 19), 0..=6);
        assert_eq!(widened(18.0, 18.0, 19), 12..=18);
        assert_eq!(widened(3.0, 12.0, 19), 1..=14);
        assert_eq!(widened(1.0, 3.0, 5), 0..=4);
        let game = Game::new("pente".parse().unwrap());
        let part = Layout::around(&game, Letters::All, &[(0.0, 9.0)]);
        assert_eq!(part.cells.len(), 49);
        assert_eq!(part.lines[0], ((0.0, 5.5), (0.0, 12.5)), "columns go on");
        assert_eq!(part.lines[7], ((0.0, 12.0), (6.5, 12.0)), "rows end at the left edge");
        let game = Game::new("pentalath".parse().unwrap());
        let part = Layout::around(&game, Letters::All, &[(3.0, 0.0)]);
        assert_eq!(part.cells.len(), 70, "seven rows are the whole board");
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
