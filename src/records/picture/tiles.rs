//! Tiles seen from above, as plain text: outlines, colors and levels.

use super::printable;
use crate::picture::layout::Scene;
use crate::picture::text::Target;
use crate::picture::text::{AZURE, BLACK, BLUE, GRAY, Look, SKY, Spans, WHITE, colors, ink};
use anstyle::Style;
use pentarch_core::game::Color;
use pentarch_core::rules::ColorNames;
use pentarch_core::stacking::{Pentomino, PlacedTile, Position, Spot};
use std::collections::HashMap;
use std::fmt::Write;

/// A tile of a picture, and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnTile {
    /// Its cells.
    pub cells: Vec<Spot>,
    /// Its color.
    pub color: Color,
    /// Its level, from 1.
    pub level: u8,
}

impl From<PlacedTile> for DrawnTile {
    fn from(placed: PlacedTile) -> DrawnTile {
        DrawnTile { cells: placed.cells().collect(), color: placed.color, level: placed.level }
    }
}

/// The tiles of a position in the order of play.
pub fn drawn(position: &Position) -> Vec<DrawnTile> {
    position.tiles().map(DrawnTile::from).collect()
}

/// What is seen from above: of each cell the uppermost tile.
#[derive(Clone, Debug)]
pub(super) struct View<'a> {
    tiles: &'a [DrawnTile],
    top: HashMap<(i32, i32), usize>,
    /// The corners of the box around all tiles.
    pub low: Spot,
    pub high: Spot,
    /// Texts on spots.
    marks: HashMap<(i32, i32), String>,
    cursor: Option<Spot>,
    /// The tile of the last move, if that is to be seen.
    last: Option<usize>,
}

impl<'a> View<'a> {
    /// The view of some tiles; none if there are none.
    pub(super) fn new(tiles: &'a [DrawnTile]) -> Option<View<'a>> {
        let mut top: HashMap<(i32, i32), usize> = HashMap::new();
        let cells = || tiles.iter().flat_map(|tile| tile.cells.iter());
        for (index, tile) in tiles.iter().enumerate() {
            for &cell in &tile.cells {
                let above = top.entry(key(cell)).or_insert(index);
                if tiles[*above].level < tile.level {
                    *above = index;
                }
            }
        }
        let column = |cell: &Spot| cell.column;
        let row = |cell: &Spot| cell.row;
        let low = Spot { column: cells().map(column).min()?, row: cells().map(row).min()? };
        let high = Spot { column: cells().map(column).max()?, row: cells().map(row).max()? };
        Some(View { tiles, top, low, high, marks: HashMap::new(), cursor: None, last: None })
    }

    /// The view of a scene with its marks, and around a cursor with room to go on.
    pub(super) fn of(scene: &'a Scene<'_>, cursor: Option<Target>) -> Option<View<'a>> {
        let cursor = if let Some(Target::Spot(spot)) = cursor { Some(spot) } else { None };
        let view = View::new(&scene.tiles);
        let marks =
            scene.marks.iter().map(|(at, text)| ((at.0 as i32, -at.1 as i32), text.clone()));
        let marks: HashMap<_, _> = marks.collect();
        let corners = view.as_ref().map(|view| [view.low, view.high]).into_iter().flatten();
        let seen = corners.chain(cursor).map(key).chain(marks.keys().copied());
        let seen: Vec<_> = seen.collect();
        let room = if cursor.is_some() { ROOM } else { 0 };
        let most = i32::from(Spot::SIDE) - 1;
        let low = |n: Option<i32>| Some((n? - room).clamp(0, most));
        let high = |n: Option<i32>| Some((n? + room).clamp(0, most));
        let (columns, rows) = (|| seen.iter().map(|at| at.0), || seen.iter().map(|at| at.1));
        let low = Spot::new(low(columns().min())?, low(rows().min())?)?;
        let high = Spot::new(high(columns().max())?, high(rows().max())?)?;
        let top = view.map(|view| view.top).unwrap_or_default();
        Some(View { tiles: &scene.tiles, top, low, high, marks, cursor, last: scene.last_tile })
    }

    /// The number of the uppermost tile at a column and a row.
    pub(super) fn at(&self, column: i32, row: i32) -> Option<usize> {
        self.top.get(&(column, row)).copied()
    }

    pub(super) fn tile(&self, index: usize) -> &DrawnTile {
        &self.tiles[index]
    }

    /// The columns of the box, from the left.
    pub(super) fn columns(&self) -> std::ops::RangeInclusive<i32> {
        i32::from(self.low.column)..=i32::from(self.high.column)
    }

    /// The rows of the box, from the bottom.
    pub(super) fn rows(&self) -> std::ops::RangeInclusive<i32> {
        i32::from(self.low.row)..=i32::from(self.high.row)
    }

    /// Whether an outline runs along the left edge of a cell.
    pub(super) fn line_left(&self, column: i32, row: i32) -> bool {
        self.at(column, row) != self.at(column - 1, row)
    }

    /// Whether an outline runs along the lower edge of a cell.
    pub(super) fn line_below(&self, column: i32, row: i32) -> bool {
        self.at(column, row) != self.at(column, row - 1)
    }
}

/// The spots around everything that a cursor finds beside it.
const ROOM: i32 = 2;

fn key(spot: Spot) -> (i32, i32) {
    (spot.column.into(), spot.row.into())
}

/// The tiles with their coordinates; each cell has the letter of the uppermost tile's color and
/// its level, outlines run between different tiles.
pub fn tiles_text(tiles: &[DrawnTile], palette: ColorNames) -> String {
    let Some(view) = View::new(tiles) else { return "(the table is empty)\n".to_owned() };
    let mut text = String::new();
    for line in tile_lines(&view, palette, Look::Plain) {
        line.write(Look::Plain, &mut text);
    }
    text
}

/// The lines of [`tiles_text`].
pub(super) fn tile_lines(view: &View<'_>, palette: ColorNames, look: Look) -> Vec<Spans> {
    let names = view.columns().map(|column| format!(" {:<3}", Spot::column_name(column as u8)));
    let mut header = Spans::default();
    header.push(ink(GRAY), format!("    {}", names.collect::<String>()));
    let mut lines = vec![header.clone()];
    for row in view.rows().rev() {
        lines.push(outlines(view, row + 1, look));
        let mut line = Spans::default();
        line.push(ink(GRAY), format!("{:>3} ", row + 1));
        cells(view, row, (palette, look), &mut line);
        line.push(ink(GRAY), format!(" {}", row + 1));
        lines.push(line);
    }
    lines.push(outlines(view, *view.rows().start(), look));
    lines.push(header);
    lines
}

/// The outlines along the lower edges of a row's cells.
fn outlines(view: &View<'_>, row: i32, look: Look) -> Spans {
    let mut text = "    ".to_owned();
    for column in *view.columns().start()..=view.columns().end() + 1 {
        let (here, left) = (view.line_below(column, row), view.line_below(column - 1, row));
        let (above, below) = (view.line_left(column, row), view.line_left(column, row - 1));
        text.push(corner([left, here, above, below], look));
        if column <= *view.columns().end() {
            text += match (here, look) {
                (false, _) => "   ",
                (true, Look::Plain) => "---",
                (true, Look::Colored) => "───",
            };
        }
    }
    let mut line = Spans::default();
    line.push(Style::new(), text);
    line
}

/// Where outlines meet that come from the left, the right, above and below.
fn corner([left, right, above, below]: [bool; 4], look: Look) -> char {
    let plain = match (left || right, above || below) {
        (true, false) if left && right => '-',
        (false, true) if above && below => '|',
        (false, false) => ' ',
        _ => '+',
    };
    if look == Look::Plain {
        return plain;
    }
    match (left, right, above, below) {
        (true, true, true, true) => '┼',
        (true, true, true, false) => '┴',
        (true, true, false, true) => '┬',
        (true, true, false, false) => '─',
        (true, false, true, true) => '┤',
        (false, true, true, true) => '├',
        (false, false, true, true) => '│',
        (true, false, true, false) => '┘',
        (true, false, false, true) => '┐',
        (false, true, true, false) => '└',
        (false, true, false, true) => '┌',
        _ => plain,
    }
}

/// The cells of a row, each after its left edge.
fn cells(view: &View<'_>, row: i32, (palette, look): (ColorNames, Look), line: &mut Spans) {
    let edge = if look == Look::Plain { "|" } else { "│" };
    let empty = if look == Look::Plain { " ." } else { " ·" };
    let mut after_cursor = false;
    for column in *view.columns().start()..=view.columns().end() + 1 {
        let index = view.at(column, row);
        let tile = index.map(|index| view.tile(index));
        let is_last = index.is_some() && index == view.last;
        let style = match tile {
            Some(_) if is_last => colors(BLACK, SKY),
            Some(tile) => tile_style(tile, palette),
            None => Style::new(),
        };
        let is_cursor = view.cursor.is_some_and(|spot| key(spot) == (column, row));
        match () {
            () if is_cursor => line.push(Style::new().bold(), "["),
            () if after_cursor => line.push(Style::new().bold(), "]"),
            () if view.line_left(column, row) => line.push(Style::new(), edge),
            () => line.push(style, " "),
        }
        after_cursor = is_cursor;
        if column > *view.columns().end() {
            return;
        }
        if is_cursor {
            line.mark_cursor();
        }
        let star = if is_last && look == Look::Plain { "*" } else { "" };
        let name = |tile: &DrawnTile| format!("{}{}{star}", palette.letter(tile.color), tile.level);
        let name = tile.map_or_else(String::new, name);
        match view.marks.get(&(column, row)) {
            Some(text) if text.is_empty() => {
                let style = if tile.is_some() { style } else { ink(AZURE) };
                line.push(style.bold(), format!("+{name:<2.2}"));
            }
            Some(text) => {
                let text = format!("{:<3}", printable(text) + &name);
                line.push(colors(WHITE, BLUE), text.chars().take(3).collect::<String>());
            }
            // Where somebody looks for a place, the table has its grid.
            None if tile.is_none() && view.cursor.is_some() => {
                line.push(ink(GRAY), format!("{empty:<3}"));
            }
            None => line.push(style, format!("{name:^3}")),
        }
    }
}

/// White tiles grow lighter with their level, black ones darker.
fn tile_style(tile: &DrawnTile, palette: ColorNames) -> Style {
    let level = tile.level.min(6);
    if palette.letter(tile.color) == 'w' {
        colors(BLACK, 249 + level)
    } else {
        colors(WHITE, 242 - level)
    }
}

/// What the tiles of each color are: how many on each level, and which are left.
pub(super) fn stock(position: &Position) -> String {
    let mut text = String::new();
    for (color, name) in (0..).map(Color).zip(position.rules().color_names().names()) {
        let counts = position.counts(color);
        let levels = (1..=usize::from(position.top().max(1))).map(|n| counts[n].to_string());
        let left = position.shapes_left(color);
        let shapes = Pentomino::all().filter(|shape| left >> shape.index() & 1 != 0);
        let shapes: Vec<_> = shapes.map(|shape| shape.to_string()).collect();
        let left = if shapes.is_empty() { "none".to_owned() } else { shapes.join(" ") };
        let levels = levels.collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "{name}: tiles by level {levels}, left {left}");
    }
    text
}
