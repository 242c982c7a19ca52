//! Tiles seen from above, as text: outlines, colors and levels.

use crate::picture::layout::Scene;
use crate::picture::text::{
    AZURE, BLACK, BLUE, CursorTarget, GRAY, SKY, StyledLine, TextStyle, WHITE, colored, foreground,
};
use crate::sanitize::replace_controls;
use anstyle::Style;
use pentarch_core::game::Color;
use pentarch_core::rules::ColorNames;
use pentarch_core::stacking::{Pentomino, PlacedTile, Position, Spot};
use std::collections::HashMap;
use std::fmt::Write;

/// A tile of a picture.
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

/// Returns the tiles of a position in the order of play.
pub fn drawn_tiles(position: &Position) -> Vec<DrawnTile> {
    position.tiles().map(DrawnTile::from).collect()
}

/// The view from above: the uppermost tile of each cell.
#[derive(Clone, Debug)]
pub(super) struct TopView<'a> {
    tiles: &'a [DrawnTile],
    top: HashMap<(i32, i32), usize>,
    /// The corners of the box that is drawn.
    pub low: Spot,
    pub high: Spot,
    /// Texts on spots.
    marks: HashMap<(i32, i32), String>,
    cursor: Option<Spot>,
    /// The tile of the last move, if it is marked.
    last: Option<usize>,
}

impl<'a> TopView<'a> {
    /// Creates the view of some tiles. Returns `None` if there are none.
    pub(super) fn new(tiles: &'a [DrawnTile]) -> Option<TopView<'a>> {
        let mut top: HashMap<(i32, i32), usize> = HashMap::new();
        let cells = || tiles.iter().flat_map(|tile| tile.cells.iter());
        for (index, tile) in tiles.iter().enumerate() {
            for &cell in &tile.cells {
                let above = top.entry(coordinates(cell)).or_insert(index);
                if tiles[*above].level < tile.level {
                    *above = index;
                }
            }
        }
        let column = |cell: &Spot| cell.column;
        let row = |cell: &Spot| cell.row;
        let low = Spot { column: cells().map(column).min()?, row: cells().map(row).min()? };
        let high = Spot { column: cells().map(column).max()?, row: cells().map(row).max()? };
        Some(TopView { tiles, top, low, high, marks: HashMap::new(), cursor: None, last: None })
    }

    /// Creates the view of a scene with its marks, with a margin around a cursor.
    pub(super) fn of(scene: &'a Scene<'_>, cursor: Option<CursorTarget>) -> Option<TopView<'a>> {
        let cursor = if let Some(CursorTarget::Spot(spot)) = cursor { Some(spot) } else { None };
        let view = TopView::new(&scene.tiles);
        let marks =
            scene.marks.iter().map(|(at, text)| ((at.0 as i32, -at.1 as i32), text.clone()));
        let marks: HashMap<_, _> = marks.collect();
        let corners = view.as_ref().map(|view| [view.low, view.high]).into_iter().flatten();
        let seen = corners.chain(cursor).map(coordinates).chain(marks.keys().copied());
        let seen: Vec<_> = seen.collect();
        let room = if cursor.is_some() { CURSOR_MARGIN } else { 0 };
        let most = i32::from(Spot::SIDE) - 1;
        let low = |n: Option<i32>| Some((n? - room).clamp(0, most));
        let high = |n: Option<i32>| Some((n? + room).clamp(0, most));
        let (columns, rows) = (|| seen.iter().map(|at| at.0), || seen.iter().map(|at| at.1));
        let low = Spot::new(low(columns().min())?, low(rows().min())?)?;
        let high = Spot::new(high(columns().max())?, high(rows().max())?)?;
        let top = view.map(|view| view.top).unwrap_or_default();
        Some(TopView { tiles: &scene.tiles, top, low, high, marks, cursor, last: scene.last_tile })
    }

    /// Returns the index of the uppermost tile at a column and row.
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

    /// Returns whether an outline is at the left edge of a cell.
    pub(super) fn line_left(&self, column: i32, row: i32) -> bool {
        self.at(column, row) != self.at(column - 1, row)
    }

    /// Returns whether an outline is at the lower edge of a cell.
    pub(super) fn line_below(&self, column: i32, row: i32) -> bool {
        self.at(column, row) != self.at(column, row - 1)
    }
}

/// The margin around a cursor, in spots.
const CURSOR_MARGIN: i32 = 2;

fn coordinates(spot: Spot) -> (i32, i32) {
    (spot.column.into(), spot.row.into())
}

/// Returns tiles as plain text with coordinates. Each cell has the letter of the color and the
/// level of the uppermost tile; outlines separate the tiles.
pub fn tiles_text(tiles: &[DrawnTile], palette: ColorNames) -> String {
    let Some(view) = TopView::new(tiles) else { return "(the table is empty)\n".to_owned() };
    let mut text = String::new();
    for line in tile_lines(&view, palette, TextStyle::Plain) {
        line.write(TextStyle::Plain, &mut text);
    }
    text
}

/// The lines of [`tiles_text`].
pub(super) fn tile_lines(
    view: &TopView<'_>,
    palette: ColorNames,
    text_style: TextStyle,
) -> Vec<StyledLine> {
    let names = view.columns().map(|column| format!(" {:<3}", Spot::column_name(column as u8)));
    let mut header = StyledLine::default();
    header.push(foreground(GRAY), format!("    {}", names.collect::<String>()));
    let mut lines = vec![header.clone()];
    for row in view.rows().rev() {
        lines.push(outlines(view, row + 1, text_style));
        let mut line = StyledLine::default();
        line.push(foreground(GRAY), format!("{:>3} ", row + 1));
        cells(view, row, (palette, text_style), &mut line);
        line.push(foreground(GRAY), format!(" {}", row + 1));
        lines.push(line);
    }
    lines.push(outlines(view, *view.rows().start(), text_style));
    lines.push(header);
    lines
}

/// Draws the outlines at the lower edges of the cells of a row.
fn outlines(view: &TopView<'_>, row: i32, text_style: TextStyle) -> StyledLine {
    let mut text = "    ".to_owned();
    for column in *view.columns().start()..=view.columns().end() + 1 {
        let (here, left) = (view.line_below(column, row), view.line_below(column - 1, row));
        let (above, below) = (view.line_left(column, row), view.line_left(column, row - 1));
        text.push(corner([left, here, above, below], text_style));
        if column <= *view.columns().end() {
            text += match (here, text_style) {
                (false, _) => "   ",
                (true, TextStyle::Plain) => "---",
                (true, TextStyle::Colored) => "───",
            };
        }
    }
    let mut line = StyledLine::default();
    line.push(Style::new(), text);
    line
}

/// Returns the character where outlines from the left, the right, above and below meet.
fn corner([left, right, above, below]: [bool; 4], text_style: TextStyle) -> char {
    let plain = match (left || right, above || below) {
        (true, false) if left && right => '-',
        (false, true) if above && below => '|',
        (false, false) => ' ',
        _ => '+',
    };
    if text_style == TextStyle::Plain {
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

/// Draws the cells of a row, each after its left edge.
fn cells(
    view: &TopView<'_>,
    row: i32,
    (palette, text_style): (ColorNames, TextStyle),
    line: &mut StyledLine,
) {
    let edge = if text_style == TextStyle::Plain { "|" } else { "│" };
    let empty = if text_style == TextStyle::Plain { " ." } else { " ·" };
    let mut after_cursor = false;
    for column in *view.columns().start()..=view.columns().end() + 1 {
        let index = view.at(column, row);
        let tile = index.map(|index| view.tile(index));
        let is_last = index.is_some() && index == view.last;
        let style = match tile {
            Some(_) if is_last => colored(BLACK, SKY),
            Some(tile) => tile_style(tile, palette),
            None => Style::new(),
        };
        let is_cursor = view.cursor.is_some_and(|spot| coordinates(spot) == (column, row));
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
        let star = if is_last && text_style == TextStyle::Plain { "*" } else { "" };
        let name = |tile: &DrawnTile| format!("{}{}{star}", palette.letter(tile.color), tile.level);
        let name = tile.map_or_else(String::new, name);
        match view.marks.get(&(column, row)) {
            Some(text) if text.is_empty() => {
                let style = if tile.is_some() { style } else { foreground(AZURE) };
                line.push(style.bold(), format!("+{name:<2.2}"));
            }
            Some(text) => {
                let text = format!("{:<3}", replace_controls(text) + &name);
                line.push(colored(WHITE, BLUE), text.chars().take(3).collect::<String>());
            }
            // With a cursor, the grid of the table is shown.
            None if tile.is_none() && view.cursor.is_some() => {
                line.push(foreground(GRAY), format!("{empty:<3}"));
            }
            None => line.push(style, format!("{name:^3}")),
        }
    }
}

/// White tiles are lighter on higher levels, black ones darker.
fn tile_style(tile: &DrawnTile, palette: ColorNames) -> Style {
    let level = tile.level.min(6);
    if palette.letter(tile.color) == 'w' {
        colored(BLACK, 249 + level)
    } else {
        colored(WHITE, 242 - level)
    }
}

/// Returns the number of tiles on each level and the shapes left, for each color.
pub(super) fn tile_counts(position: &Position) -> String {
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
