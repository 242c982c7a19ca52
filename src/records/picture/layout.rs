//! The geometry of boards, shared by pictures and pages, and the contents of a picture.

use super::{
    ColumnLetters, DrawnTile, PictureOptions, Prisoners, drawn_tiles, move_centers, spot_center,
    text,
};
use crate::picture::tiles::TopView;
use pentarch_core::board::{Grid, HexGrid};
use pentarch_core::game::{Cell, Color, Move, MoveKind};
use pentarch_core::rules::Ruleset;
use pentarch_core::stacking::Spot;
use pentarch_engine::Game;
use pentarch_engine::eval::{Call, Threat};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// A range of columns or rows, counted from 0.
type IndexRange = RangeInclusive<u8>;

/// A point of a picture. The unit is the distance of two neighboring cells; `y` grows downward.
pub type PicturePoint = (f64, f64);

/// The shape of the cells of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    /// Points where lines cross.
    Point,
    /// Hexagons with a corner at the top.
    Hexagon,
    /// Squares of an unbounded table for tiles.
    Square,
}

/// The geometry of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardLayout {
    /// The shape of the cells.
    pub shape: CellShape,
    /// The cells in their order with their centers. Empty for a table.
    pub cells: Vec<(Cell, PicturePoint)>,
    /// The corners of a cell relative to its center. Empty for points.
    pub outline: Vec<PicturePoint>,
    /// The lines of the board, from end to end.
    pub lines: Vec<(PicturePoint, PicturePoint)>,
    /// The star points, for orientation.
    pub stars: Vec<PicturePoint>,
    /// The points with a special meaning in the rules, such as those for bonus stones.
    pub diamonds: Vec<PicturePoint>,
    /// The names of columns and rows.
    pub labels: Vec<(PicturePoint, String)>,
    /// The upper left and the lower right corner of the picture.
    pub bounds: (PicturePoint, PicturePoint),
}

/// The distance of two rows of hexagons with a width of 1.
const HEX_RISE: f64 = 0.866_025_403_784_438_6;
/// The distance from the center of such a hexagon to its corners.
const HEX_RADIUS: f64 = 0.577_350_269_189_625_8;
/// The minimum number of columns or rows of a cropped board.
const MIN_SPAN: i32 = 7;
/// The margin around the outermost centers, in which the coordinates are.
const MARGIN: f64 = 1.5;
/// The distance of the coordinates from the outermost centers.
const LABEL_DISTANCE: f64 = 1.0;

impl BoardLayout {
    /// Returns the layout of the board of a game; of a table, that of the part with tiles.
    pub fn of(game: &Game, letters: ColumnLetters) -> BoardLayout {
        if let Some(position) = game.stacking() {
            let tiles = drawn_tiles(position);
            return match TopView::new(&tiles) {
                Some(view) => BoardLayout::table(view.low, view.high),
                None => BoardLayout::table(
                    pentarch_core::stacking::FIRST_TILE_CORNER,
                    pentarch_core::stacking::FIRST_TILE_CORNER,
                ),
            };
        }
        match (game.grid(), game.hex_grid()) {
            (Some(grid), _) => {
                let whole = (0..=grid.columns() - 1, 0..=grid.rows() - 1);
                BoardLayout::points(grid, game.rules(), letters, whole)
            }
            (None, Some(grid)) => BoardLayout::hexagons(grid, 0..=grid.rows() - 1),
            (None, None) => BoardLayout::table(
                pentarch_core::stacking::FIRST_TILE_CORNER,
                pentarch_core::stacking::FIRST_TILE_CORNER,
            ),
        }
    }

    /// Returns the layout of the part of a board around some points; of hexagons, whole rows.
    /// Without points, and for tables, it is the whole board.
    pub(super) fn around(
        game: &Game,
        letters: ColumnLetters,
        seen: &[PicturePoint],
    ) -> BoardLayout {
        let Some(((left, top), (right, bottom))) = box_around(seen) else {
            return BoardLayout::of(game, letters);
        };
        match (game.grid(), game.hex_grid()) {
            (Some(grid), _) => {
                let low = f64::from(grid.rows() - 1);
                let columns = widen(left, right, grid.columns());
                let rows = widen(low - bottom, low - top, grid.rows());
                BoardLayout::points(grid, game.rules(), letters, (columns, rows))
            }
            (None, Some(grid)) => {
                let row = |y: f64| f64::from(grid.rows() - 1) - y / HEX_RISE;
                BoardLayout::hexagons(grid, widen(row(bottom), row(top), grid.rows()))
            }
            (None, None) => BoardLayout::of(game, letters),
        }
    }

    /// Returns the layout of some columns and rows of a rectangular board.
    fn points(
        grid: Grid,
        rules: &Ruleset,
        letters: ColumnLetters,
        (columns, rows): (IndexRange, IndexRange),
    ) -> BoardLayout {
        let low = f64::from(grid.rows() - 1);
        let center = |column: u8, row: u8| (f64::from(column), low - f64::from(row));
        let place = |cell: Cell| center(grid.column(cell), grid.row(cell));
        let (left, bottom) = center(*columns.start(), *rows.start());
        let (right, top) = center(*columns.end(), *rows.end());
        // A line that continues outside the picture is drawn beyond the last point.
        let beyond = |is_edge: bool| if is_edge { 0.0 } else { 0.5 };
        let (west, south) = (beyond(*columns.start() == 0), beyond(*rows.start() == 0));
        let east = beyond(*columns.end() == grid.columns() - 1);
        let north = beyond(*rows.end() == grid.rows() - 1);
        let mut lines = Vec::new();
        let mut labels = Vec::new();
        for column in columns.clone() {
            let x = f64::from(column);
            lines.push(((x, top - north), (x, bottom + south)));
            let name = text::column_letter(column, letters).to_string();
            labels.extend(
                [top - LABEL_DISTANCE, bottom + LABEL_DISTANCE].map(|y| ((x, y), name.clone())),
            );
        }
        for row in rows.clone() {
            let y = low - f64::from(row);
            lines.push(((left - west, y), (right + east, y)));
            let name = (row + 1).to_string();
            labels.extend(
                [left - LABEL_DISTANCE, right + LABEL_DISTANCE].map(|x| ((x, y), name.clone())),
            );
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
        BoardLayout {
            shape: CellShape::Point,
            cells: grid.iter().filter(shown).map(|cell| (cell, place(cell))).collect(),
            outline: Vec::new(),
            lines,
            stars: stars.collect(),
            diamonds,
            labels,
            bounds: ((left - MARGIN, top - MARGIN), (right + MARGIN, bottom + MARGIN)),
        }
    }

    /// Returns the layout of some rows of a hexagonal board.
    fn hexagons(grid: HexGrid, shown: IndexRange) -> BoardLayout {
        let (rows, longest) = (grid.rows(), grid.longest_row());
        let center = |row: u8, place: f64| {
            let shift = f64::from(longest - grid.row_length(row)) / 2.0;
            (place + shift, f64::from(rows - 1 - row) * HEX_RISE)
        };
        let cell = |row, place| grid.get(row, place).map(|cell| (cell, center(row, place.into())));
        let mut cells: Vec<_> = shown
            .clone()
            .flat_map(|row| (0..grid.row_length(row)).filter_map(move |place| cell(row, place)))
            .collect();
        cells.sort_by_key(|&(cell, _)| cell);
        let labels = shown.clone().flat_map(|row| {
            let name = char::from(b'a' + row).to_string();
            [-0.9, f64::from(grid.row_length(row)) - 0.1]
                .map(|place| (center(row, place), name.clone()))
        });
        let (half, low) = (0.5, HEX_RADIUS / 2.0);
        let (right, bottom) = (f64::from(longest - 1), center(*shown.start(), 0.0).1);
        let top = center(*shown.end(), 0.0).1;
        BoardLayout {
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
            bounds: ((-MARGIN, top - 1.0), (right + MARGIN, bottom + 1.0)),
        }
    }

    /// Returns the layout of the squares of a table from the lower left spot `low` to the upper
    /// right spot `high`. Columns grow with `x`, rows against `y`, both counted from the origin of
    /// the table.
    pub(super) fn table(low: Spot, high: Spot) -> BoardLayout {
        let center = |spot: Spot| (f64::from(spot.column), -f64::from(spot.row));
        let ((left, bottom), (right, top)) = (center(low), center(high));
        let columns = (low.column..=high.column).flat_map(|column| {
            let name = Spot::column_name(column);
            [top - LABEL_DISTANCE, bottom + LABEL_DISTANCE]
                .map(|y| ((f64::from(column), y), name.clone()))
        });
        let rows = (low.row..=high.row).flat_map(|row| {
            let name = (u16::from(row) + 1).to_string();
            [left - LABEL_DISTANCE, right + LABEL_DISTANCE]
                .map(|x| ((x, -f64::from(row)), name.clone()))
        });
        BoardLayout {
            shape: CellShape::Square,
            cells: Vec::new(),
            outline: vec![(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)],
            lines: Vec::new(),
            stars: Vec::new(),
            diamonds: Vec::new(),
            labels: columns.chain(rows).collect(),
            bounds: ((left - MARGIN, top - MARGIN), (right + MARGIN, bottom + MARGIN)),
        }
    }
}

impl BoardLayout {
    /// Returns whether a point is in the picture.
    pub(super) fn shows(&self, (x, y): PicturePoint) -> bool {
        let ((left, top), (right, bottom)) = self.bounds;
        left < x && x < right && top < y && y < bottom
    }

    /// Returns the layout of the part of a table with some points.
    pub(super) fn table_with(points: &[PicturePoint]) -> Option<BoardLayout> {
        let ((left, top), (right, bottom)) = box_around(points)?;
        let spot = |x: f64, y: f64| Spot { column: x as u8, row: -y as u8 };
        Some(BoardLayout::table(spot(left, bottom), spot(right, top)))
    }
}

/// Returns the upper left and the lower right corner of the bounding box.
fn box_around(points: &[PicturePoint]) -> Option<(PicturePoint, PicturePoint)> {
    let first = *points.first()?;
    Some(points.iter().fold((first, first), |((left, top), (right, bottom)), &(x, y)| {
        ((left.min(x), top.min(y)), (right.max(x), bottom.max(y)))
    }))
}

/// Widens a range of columns or rows by two on each side, to at least [`MIN_SPAN`].
fn widen(first: f64, last: f64, count: u8) -> IndexRange {
    let (first, last) = (first.round() as i32 - 2, last.round() as i32 + 2);
    let missing = (MIN_SPAN - (last - first + 1)).max(0);
    let highest = i32::from(count) - 1;
    let first = (first - missing / 2).max(0);
    let last = (last + missing - missing / 2).min(highest);
    // What does not fit on one side is added on the other.
    let last = last.max((first + MIN_SPAN - 1).min(highest));
    let first = first.min((last - MIN_SPAN + 1).max(0));
    first as u8..=last as u8
}

/// Returns the columns or rows, of `count`, with star points, as on Go boards.
fn star_lines(count: u8) -> Vec<u8> {
    let edge = if count >= 13 { 3 } else { 2 };
    let center = (count % 2 == 1).then_some(count / 2);
    if count < 9 {
        return center.into_iter().collect();
    }
    let mut lines = vec![edge];
    lines.extend(center);
    lines.push(count - 1 - edge);
    lines
}

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A stone of a color or a neutral stone.
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
    pub at: PicturePoint,
    pub piece: Piece,
    /// The ply that placed it, if it is shown.
    pub number: Option<u32>,
    /// Whether the last move placed it.
    pub is_last: bool,
}

/// A run of stones that is a threat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawnThreat {
    pub from: PicturePoint,
    pub to: PicturePoint,
    /// Whether it is a four and not a three.
    pub is_four: bool,
}

/// The contents of a picture, independent of how it is drawn.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub game: &'a Game,
    pub layout: BoardLayout,
    pub stones: Vec<DrawnStone>,
    /// The points where the last move captured.
    pub captured: Vec<PicturePoint>,
    pub tiles: Vec<DrawnTile>,
    pub illegal_points: Vec<PicturePoint>,
    pub threats: Vec<DrawnThreat>,
    /// The centers of each candidate with its short score.
    pub candidates: Vec<(Vec<PicturePoint>, String)>,
    pub marks: Vec<(PicturePoint, String)>,
    pub prisoners: Prisoners,
    pub last_tile: Option<usize>,
}

/// The data of the stones on the board that follows from the moves.
#[derive(Default)]
struct StoneHistory {
    numbers: HashMap<Cell, u32>,
    bombs: HashMap<Cell, Color>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(game: &'a Game, options: &PictureOptions) -> Scene<'a> {
        let layout = BoardLayout::of(game, options.letters);
        let places: HashMap<Cell, PicturePoint> = layout.cells.iter().copied().collect();
        let center = |cell: Cell| places.get(&cell).copied();
        let history = StoneHistory::of(game);
        let changes = if options.last_move { game.changes() } else { &[] };
        let stone = |&(cell, at): &(Cell, PicturePoint)| {
            let color = game.content(cell)?;
            let bomb = history.bombs.get(&cell).map(|&color| Piece::Bomb(color));
            let piece = bomb.unwrap_or(Piece::Stone(color));
            let number = history.numbers.get(&cell).copied().filter(|_| options.numbers);
            let is_last = changes.iter().any(|change| change.cell == cell && change.after != 0);
            Some(DrawnStone { cell, at, piece, number, is_last })
        };
        let tiles = game.stacking().map_or_else(Vec::new, drawn_tiles);
        let last_tile = tiles.len().checked_sub(1);
        let value = |candidate: &super::CandidateMove| {
            (move_centers(candidate.mv, center), candidate.short_value())
        };
        let mark = |mark: &super::MarkedPoint| {
            let at = mark.cell.and_then(center).or(mark.spot.map(spot_center))?;
            Some((at, mark.text.clone()))
        };
        let mut scene = Scene {
            game,
            stones: layout.cells.iter().filter_map(stone).collect(),
            captured: changes
                .iter()
                .filter(|change| change.after == 0 && game.content(change.cell).is_none())
                .filter_map(|change| center(change.cell))
                .collect(),
            last_tile: last_tile.filter(|_| options.last_move && !game.moves().is_empty()),
            tiles,
            illegal_points: if options.illegal_points {
                illegal_points(game, &layout)
            } else {
                Vec::new()
            },
            threats: if options.threats { drawn_threats(game, center) } else { Vec::new() },
            candidates: options.candidates.iter().map(value).collect(),
            marks: options.marks.iter().filter_map(mark).collect(),
            prisoners: Prisoners::of(game),
            layout,
        };
        // A mark replaces the number of a stone.
        let marked = |at: PicturePoint| {
            scene.marks.iter().any(|(mark, text)| *mark == at && !text.is_empty())
        };
        for stone in scene.stones.iter_mut().filter(|stone| marked(stone.at)) {
            stone.number = None;
        }
        let seen = scene.seen();
        if game.stacking().is_some() {
            scene.layout = BoardLayout::table_with(&seen).unwrap_or(scene.layout);
        } else if options.crop {
            scene.layout = BoardLayout::around(game, options.letters, &seen);
            let Scene { layout, illegal_points, captured, .. } = &mut scene;
            illegal_points.retain(|&at| layout.shows(at));
            captured.retain(|&at| layout.shows(at));
        }
        scene
    }

    /// Returns the points that the picture must contain.
    fn seen(&self) -> Vec<PicturePoint> {
        let stones = self.stones.iter().map(|stone| stone.at);
        let tiles = self.tiles.iter().flat_map(|tile| &tile.cells).map(|&spot| spot_center(spot));
        let candidates = self.candidates.iter().flat_map(|(cells, _)| cells.iter().copied());
        let marks = self.marks.iter().map(|&(at, _)| at);
        stones.chain(tiles).chain(candidates).chain(marks).collect()
    }

    /// Returns the text below the picture: the captures, the seat to move or the result, and lists.
    pub(super) fn caption(&self, options: &PictureOptions) -> String {
        text::caption(self.game) + "\n" + &list_candidates_and_threats(self.game, options)
    }
}

/// Returns the candidates and the threats as text, one a line.
pub(super) fn list_candidates_and_threats(game: &Game, options: &PictureOptions) -> String {
    let mut text = String::new();
    for (rank, candidate) in (1..).zip(&options.candidates) {
        let chance = candidate.score.win_probability() * 100.0;
        let (name, score) = (game.move_text(candidate.mv), candidate.score);
        let _ = writeln!(text, "{rank}. {name}: {chance:.1} %, {score}");
    }
    if options.threats {
        for threat in game.threats() {
            let name = game.rules().color_names().name(threat.color);
            let stones: Vec<_> = threat.stones.iter().map(|&cell| game.cell_text(cell)).collect();
            let _ = writeln!(text, "{name} {}: {}", threat.call, stones.join(" "));
        }
    }
    text
}

impl StoneHistory {
    fn of(game: &Game) -> StoneHistory {
        let mut replay = game.replay();
        let mut history = StoneHistory::default();
        while let Some(mv) = replay.next() {
            let position = replay.position();
            for change in position.changes() {
                history.bombs.remove(&change.cell);
                if change.after == 0 {
                    history.numbers.remove(&change.cell);
                } else {
                    history.numbers.insert(change.cell, position.ply());
                }
            }
            if let MoveKind::Bomb(cell) = mv.kind() {
                history.bombs.extend(position.content(cell).map(|color| (cell, color)));
            }
        }
        history
    }
}

/// Returns the empty cells of an open game where the seat to move may not play.
fn illegal_points(game: &Game, layout: &BoardLayout) -> Vec<PicturePoint> {
    if game.outcome().is_some() || game.is_choice() {
        return Vec::new();
    }
    let open: Vec<_> = game.legal_moves().into_iter().filter_map(Move::cell).collect();
    let closed = |cell: Cell| game.content(cell).is_none() && !open.contains(&cell);
    layout.cells.iter().filter(|(cell, _)| closed(*cell)).map(|&(_, at)| at).collect()
}

fn drawn_threats(game: &Game, center: impl Fn(Cell) -> Option<PicturePoint>) -> Vec<DrawnThreat> {
    let drawn = |threat: Threat| {
        let from = center(*threat.stones.first()?)?;
        let to = center(*threat.stones.last()?)?;
        let is_four = matches!(threat.call, Call::Tessera | Call::Four);
        Some(DrawnThreat { from, to, is_four })
    };
    game.threats().into_iter().filter_map(drawn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neighbors are one unit apart and no two cells are closer.
    #[test]
    fn cells_keep_their_distance() {
        for spec in ["pente", "gomoku+size=7x12", "pentalath", "yavalath-3"] {
            let layout = BoardLayout::of(&Game::new(spec.parse().unwrap()), ColumnLetters::All);
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
    fn cropped_boards_have_a_margin_and_end_at_the_edges() {
        assert_eq!(widen(9.0, 9.0, 19), 6..=12);
        assert_eq!(widen(0.0, 0.0, 19), 0..=6);
        assert_eq!(widen(18.0, 18.0, 19), 12..=18);
        assert_eq!(widen(3.0, 12.0, 19), 1..=14);
        assert_eq!(widen(1.0, 3.0, 5), 0..=4);
        let game = Game::new("pente".parse().unwrap());
        let part = BoardLayout::around(&game, ColumnLetters::All, &[(0.0, 9.0)]);
        assert_eq!(part.cells.len(), 49);
        assert_eq!(part.lines[0], ((0.0, 5.5), (0.0, 12.5)), "columns continue");
        assert_eq!(part.lines[7], ((0.0, 12.0), (6.5, 12.0)), "rows end at the left edge");
        let game = Game::new("pentalath".parse().unwrap());
        let part = BoardLayout::around(&game, ColumnLetters::All, &[(3.0, 0.0)]);
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
