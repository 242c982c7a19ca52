//! Boards and tables as SVG, for web pages and viewers.

use super::hexes;
use super::tiles::{DrawnTile, View, drawn, stock};
use super::{Letters, text};
use crate::board::Grid;
use crate::engine::Game;
use crate::rules::Palette;
use crate::stacking::Spot;
use std::fmt::Write;

/// The side of a cell in pixels.
const CELL: i32 = 36;
/// Room for coordinates on each side.
pub(super) const MARGIN: i32 = 40;
/// The height of a line of text below the board.
const LINE: i32 = 22;

/// A drawing that grows.
pub(super) struct Drawing {
    body: String,
    width: i32,
    height: i32,
}

impl Drawing {
    fn new(columns: i32, rows: i32) -> Drawing {
        Drawing::of_size(columns * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN)
    }

    /// A drawing of that many pixels.
    pub(super) fn of_size(width: i32, height: i32) -> Drawing {
        Drawing { body: String::new(), width, height }
    }

    /// Anything else that SVG can draw.
    pub(super) fn shape(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    fn rect(&mut self, (x, y): (i32, i32), (width, height): (i32, i32), fill: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#
        );
    }

    fn line(&mut self, (x1, y1): (i32, i32), (x2, y2): (i32, i32), style: &str) {
        let _ = writeln!(self.body, r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>"#);
    }

    /// Text with its middle at a point.
    pub(super) fn label(&mut self, (x, y): (i32, i32), size: i32, fill: &str, text: &str) {
        let y = y + size / 3;
        let _ = writeln!(
            self.body,
            r#"<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="middle">{text}</text>"#
        );
    }

    /// Lines of text below everything.
    pub(super) fn lines(&mut self, text: &str) {
        self.height += LINE / 2;
        for line in text.lines() {
            let y = self.height;
            let _ = writeln!(
                self.body,
                r#"<text x="{MARGIN}" y="{y}" font-size="14" fill="{INK}">{line}</text>"#
            );
            self.height += LINE;
            // A letter of this size is at most so wide.
            self.width = self.width.max(2 * MARGIN + 8 * line.chars().count() as i32);
        }
    }

    fn finish(self) -> String {
        let Drawing { body, width, height } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n{body}</svg>\n"
        )
    }
}

pub(super) const PAPER: &str = "#ffffff";
// The third and the fourth color, and stones of no color.
pub(super) const RED: &str = "#c0392b";
const GREEN: &str = "#2e8b57";
const NEUTRAL: &str = "#9a9a9a";
const POWER: &str = "#d9a404";
pub(super) const INK: &str = "#222222";
pub(super) const FAINT: &str = "#777777";
pub(super) const WOOD: &str = "#e3bd78";
const OUTLINE: &str = r##"stroke="#c0392b" stroke-width="3" stroke-linecap="round""##;
const GRID: &str = r##"stroke="#222222" stroke-width="1""##;
const INSIDE: &str = r##"stroke="#8a8a8a" stroke-width="0.5""##;

/// The game as a picture in SVG: stones on their board, or tiles from above with outlines, colors
/// and levels; below it what each player has, and whose turn it is or how the game ended.
pub fn svg(game: &Game) -> String {
    let palette = game.rules().palette();
    if let Some(position) = game.stacking() {
        let mut drawing = tiles(&drawn(position), palette);
        drawing.lines(&(stock(position) + &text::state(game)));
        return drawing.finish();
    }
    if let Some(position) = game.hexes() {
        return hexes::drawing(game, position).finish();
    }
    let mut drawing = game.grid().map_or_else(|| Drawing::new(0, 0), |grid| stones(game, grid));
    drawing.lines(&text::caption(game));
    drawing.finish()
}

/// Tiles from above, whether or not they are those of a game, as SVG.
pub fn tiles_svg(drawn: &[DrawnTile], palette: Palette) -> String {
    tiles(drawn, palette).finish()
}

fn tiles(drawn: &[DrawnTile], palette: Palette) -> Drawing {
    let Some(view) = View::new(drawn) else { return Drawing::new(1, 1) };
    let (left, high) = (*view.columns().start(), *view.rows().end());
    let columns = view.columns().end() - left + 1;
    let mut drawing = Drawing::new(columns, high - view.rows().start() + 1);
    let corner =
        |column: i32, row: i32| (MARGIN + (column - left) * CELL, MARGIN + (high - row) * CELL);
    let middle = |column: i32, row: i32| {
        let (x, y) = corner(column, row);
        (x + CELL / 2, y + CELL / 2)
    };
    for row in view.rows() {
        for column in view.columns() {
            let Some(index) = view.at(column, row) else { continue };
            let tile = view.tile(index);
            let is_white = palette.letter(tile.color) == 'w';
            let (x, y) = corner(column, row);
            drawing.rect((x, y), (CELL, CELL), &shade(is_white, tile.level));
            drawing.line((x, y), (x + CELL, y), INSIDE);
            drawing.line((x, y), (x, y + CELL), INSIDE);
            let ink = if is_white { INK } else { PAPER };
            drawing.label(middle(column, row), 16, ink, &tile.level.to_string());
        }
    }
    outline(&view, &mut drawing, corner);
    for column in view.columns() {
        let (x, _) = middle(column, 0);
        let name = Spot::column_name(column as u8);
        for y in [MARGIN / 2, drawing.height - MARGIN / 2] {
            drawing.label((x, y), 12, FAINT, &name);
        }
    }
    for row in view.rows() {
        let (_, y) = middle(0, row);
        for x in [MARGIN / 2, drawing.width - MARGIN / 2] {
            drawing.label((x, y), 12, FAINT, &(row + 1).to_string());
        }
    }
    drawing
}

/// Lines between cells of different tiles.
fn outline(view: &View<'_>, drawing: &mut Drawing, corner: impl Fn(i32, i32) -> (i32, i32)) {
    for row in *view.rows().start() - 1..=*view.rows().end() + 1 {
        for column in *view.columns().start()..=view.columns().end() + 1 {
            let (x, y) = corner(column, row);
            if view.line_left(column, row) {
                drawing.line((x, y), (x, y + CELL), OUTLINE);
            }
            if view.line_below(column, row) {
                drawing.line((x, y + CELL), (x + CELL, y + CELL), OUTLINE);
            }
        }
    }
}

/// White tiles grow lighter with their level, black ones darker.
fn shade(is_white: bool, level: u8) -> String {
    let step = 12 * i32::from(level.min(7));
    let value = if is_white { 172 + step } else { 116 - step };
    format!("rgb({value},{value},{value})")
}

fn stones(game: &Game, grid: Grid) -> Drawing {
    let palette = game.rules().palette();
    let (columns, rows) = (i32::from(grid.columns()), i32::from(grid.rows()));
    let mut drawing = Drawing::new(columns, rows);
    drawing.rect((MARGIN, MARGIN), (columns * CELL, rows * CELL), WOOD);
    let middle = |column: i32, row: i32| {
        (MARGIN + column * CELL + CELL / 2, MARGIN + (rows - 1 - row) * CELL + CELL / 2)
    };
    for column in 0..columns {
        drawing.line(middle(column, 0), middle(column, rows - 1), GRID);
        let name = text::letter(column as u8, Letters::All).to_string();
        for y in [MARGIN / 2, MARGIN + rows * CELL + MARGIN / 2] {
            drawing.label((middle(column, 0).0, y), 12, FAINT, &name);
        }
    }
    for row in 0..rows {
        drawing.line(middle(0, row), middle(columns - 1, row), GRID);
        for x in [MARGIN / 2, MARGIN + columns * CELL + MARGIN / 2] {
            drawing.label((x, middle(0, row).1), 12, FAINT, &(row + 1).to_string());
        }
    }
    for cell in grid.iter() {
        let (column, row) = (grid.column(cell), grid.row(cell));
        let Some(color) = game.stone(column, row) else { continue };
        let (x, y) = middle(column.into(), row.into());
        let fill = match palette.name(color) {
            "White" => PAPER,
            "Red" => RED,
            "Green" => GREEN,
            "Neutral" => NEUTRAL,
            "Power" => POWER,
            _ => INK,
        };
        let radius = CELL * 4 / 9;
        let _ = writeln!(
            drawing.body,
            r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{INK}"/>"#
        );
    }
    drawing
}
