//! Where everything of a board lies: the one geometry of pictures and pages.

use super::{Drawing, DrawnTile, Letters, Prisoners, drawn, middles, spot_middle, text};
use crate::picture::tiles::View;
use pentarch_core::board::{Grid, HexGrid};
use pentarch_core::game::{Cell, Color, MoveKind};
use pentarch_core::rules::Ruleset;
use pentarch_core::stacking::Spot;
use pentarch_engine::Game;
use pentarch_engine::eval::Call;
use std::collections::HashMap;
use std::fmt::Write as _;
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

// What is to be seen of a game, before it is known how it is drawn.

/// What lies on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A stone of a color, or one of no color.
    Stone(Color),
    /// A stone that was declared a bomb.
    Bomb(Color),
}

impl Piece {
    pub(super) const fn color(self) -> Color {
        match self {
            Piece::Stone(color) | Piece::Bomb(color) => color,
        }
    }
}

/// A stone on the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawnStone {
    pub cell: Cell,
    pub at: Point,
    pub piece: Piece,
    /// The ply that put it there, if it is to be shown.
    pub number: Option<u32>,
    /// Whether the last move put it there.
    pub is_last: bool,
}

/// A run of stones that threatens something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawnThreat {
    pub from: Point,
    pub to: Point,
    /// Whether it is a four and not a three.
    pub is_four: bool,
}

/// A position with all that is drawn of it.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub game: &'a Game,
    pub layout: Layout,
    pub stones: Vec<DrawnStone>,
    /// Where the last move has captured.
    pub taken: Vec<Point>,
    pub tiles: Vec<DrawnTile>,
    pub dead: Vec<Point>,
    pub threats: Vec<DrawnThreat>,
    /// The cells of each candidate with its value.
    pub candidates: Vec<(Vec<Point>, String)>,
    pub marks: Vec<(Point, String)>,
    pub prisoners: Prisoners,
    pub last_tile: Option<usize>,
}

/// What a replay tells of the stones on the board.
#[derive(Default)]
struct Past {
    numbers: HashMap<Cell, u32>,
    bombs: HashMap<Cell, Color>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(game: &'a Game, drawing: &Drawing) -> Scene<'a> {
        let layout = Layout::of(game, drawing.letters);
        let places: HashMap<Cell, Point> = layout.cells.iter().copied().collect();
        let middle = |cell: Cell| places.get(&cell).copied();
        let past = Past::of(game);
        let changes = if drawing.last_move { game.changes() } else { &[] };
        let stone = |&(cell, at): &(Cell, Point)| {
            let color = game.content(cell)?;
            let bomb = past.bombs.get(&cell).map(|&color| Piece::Bomb(color));
            let piece = bomb.unwrap_or(Piece::Stone(color));
            let number = past.numbers.get(&cell).copied().filter(|_| drawing.numbers);
            let is_last = changes.iter().any(|change| change.cell == cell && change.after != 0);
            Some(DrawnStone { cell, at, piece, number, is_last })
        };
        let tiles = game.stacking().map_or_else(Vec::new, drawn);
        let last_tile = tiles.len().checked_sub(1);
        let value =
            |candidate: &super::Candidate| (middles(candidate.mv, middle), candidate.short_value());
        let mark = |mark: &super::MarkedPoint| {
            let at = mark.cell.and_then(middle).or(mark.spot.map(spot_middle))?;
            Some((at, mark.text.clone()))
        };
        let mut scene = Scene {
            game,
            stones: layout.cells.iter().filter_map(stone).collect(),
            taken: changes
                .iter()
                .filter(|change| change.after == 0 && game.content(change.cell).is_none())
                .filter_map(|change| middle(change.cell))
                .collect(),
            last_tile: last_tile.filter(|_| drawing.last_move && !game.moves().is_empty()),
            tiles,
            dead: if drawing.dead { dead(game, &layout) } else { Vec::new() },
            threats: if drawing.threats { threats(game, middle) } else { Vec::new() },
            candidates: drawing.candidates.iter().map(value).collect(),
            marks: drawing.marks.iter().filter_map(mark).collect(),
            prisoners: Prisoners::of(game),
            layout,
        };
        // A text of somebody's own takes the place of a number.
        let marked =
            |at: Point| scene.marks.iter().any(|(mark, text)| *mark == at && !text.is_empty());
        for stone in scene.stones.iter_mut().filter(|stone| marked(stone.at)) {
            stone.number = None;
        }
        let seen = scene.seen();
        if game.stacking().is_some() {
            scene.layout = Layout::table_with(&seen).unwrap_or(scene.layout);
        } else if drawing.crop {
            scene.layout = Layout::around(game, drawing.letters, &seen);
            let Scene { layout, dead, taken, .. } = &mut scene;
            dead.retain(|&at| layout.shows(at));
            taken.retain(|&at| layout.shows(at));
        }
        scene
    }

    /// The points that a picture must have.
    fn seen(&self) -> Vec<Point> {
        let stones = self.stones.iter().map(|stone| stone.at);
        let tiles = self.tiles.iter().flat_map(|tile| &tile.cells).map(|&spot| spot_middle(spot));
        let candidates = self.candidates.iter().flat_map(|(cells, _)| cells.iter().copied());
        let marks = self.marks.iter().map(|&(at, _)| at);
        stones.chain(tiles).chain(candidates).chain(marks).collect()
    }

    /// What stands below: the captures, whose turn it is or how the game ended, and lists.
    pub(super) fn caption(&self, drawing: &Drawing) -> String {
        text::caption(self.game) + "\n" + &lists(self.game, drawing)
    }
}

/// The candidates and the threats in words, a line each.
pub(super) fn lists(game: &Game, drawing: &Drawing) -> String {
    let mut text = String::new();
    for (rank, candidate) in (1..).zip(&drawing.candidates) {
        let chance = candidate.score.win_probability() * 100.0;
        let (name, score) = (game.move_text(candidate.mv), candidate.score);
        let _ = writeln!(text, "{rank}. {name}: {chance:.1} %, {score}");
    }
    if drawing.threats {
        for threat in game.threats() {
            let name = game.rules().color_names().name(threat.color);
            let stones: Vec<_> = threat.stones.iter().map(|&cell| game.cell_text(cell)).collect();
            let _ = writeln!(text, "{name} {}: {}", threat.call, stones.join(" "));
        }
    }
    text
}

impl Past {
    fn of(game: &Game) -> Past {
        let mut replay = game.replay();
        let mut past = Past::default();
        while let Some(mv) = replay.next() {
            let position = replay.position();
            for change in position.changes() {
                past.bombs.remove(&change.cell);
                if change.after == 0 {
                    past.numbers.remove(&change.cell);
                } else {
                    past.numbers.insert(change.cell, position.ply());
                }
            }
            if let MoveKind::Bomb(cell) = mv.kind() {
                past.bombs.extend(position.content(cell).map(|color| (cell, color)));
            }
        }
        past
    }
}

/// The empty cells of an open game on which the seat to move may not place anything.
fn dead(game: &Game, layout: &Layout) -> Vec<Point> {
    if game.outcome().is_some() || game.is_choice() {
        return Vec::new();
    }
    let open: Vec<_> =
        game.legal_moves().into_iter().filter_map(pentarch_core::game::Move::cell).collect();
    let closed = |cell: Cell| game.content(cell).is_none() && !open.contains(&cell);
    layout.cells.iter().filter(|(cell, _)| closed(*cell)).map(|&(_, at)| at).collect()
}

fn threats(game: &Game, middle: impl Fn(Cell) -> Option<Point>) -> Vec<DrawnThreat> {
    let drawn = |threat: pentarch_engine::eval::Threat| {
        let from = middle(*threat.stones.first()?)?;
        let to = middle(*threat.stones.last()?)?;
        let is_four = matches!(threat.call, Call::Tessera | Call::Four);
        Some(DrawnThreat { from, to, is_four })
    };
    game.threats().into_iter().filter_map(drawn).collect()
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
