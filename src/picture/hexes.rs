//! Boards of hexagons, as plain text and as SVG.

use super::svg::{Drawing, FAINT, INK, MARGIN, PAPER, WOOD};
use super::text;
use crate::engine::Game;
use crate::game::Position as _;
use crate::hexes::Position;
use std::fmt::Write;

/// How many half cells a row is moved to the right of the longest one.
fn shift(position: &Position, row: u8) -> u8 {
    position.grid().longest() - position.grid().row_length(row)
}

/// The board, each row with its letter on both sides and the number of its last cell after it, and
/// what has been taken.
pub(super) fn board(game: &Game, position: &Position) -> String {
    let (grid, palette) = (position.grid(), position.rules().palette());
    let mut drawn = String::new();
    for row in (0..grid.rows()).rev() {
        let letter = char::from(b'a' + row);
        let _ =
            write!(drawn, "{:indent$}{letter}", "", indent = usize::from(shift(position, row)) + 1);
        for cell in (0..grid.row_length(row)).filter_map(|place| grid.get(row, place)) {
            let stone = position.stone(cell).map(|color| palette.letter(color));
            let _ = write!(drawn, " {}", stone.map_or('.', |letter| letter.to_ascii_uppercase()));
        }
        let _ = writeln!(drawn, " {letter}{}", grid.row_length(row));
    }
    if let Some(captures) = text::captures(game) {
        let _ = writeln!(drawn, "captured by: {captures}");
    }
    if position.is_choice() {
        let _ = writeln!(drawn, "player {} chooses: swap or keep", position.to_move());
    }
    drawn
}

/// The distance from the middle of a hexagon to its corners, in pixels.
const RADIUS: i32 = 22;
/// From the middle of a hexagon to that of the next in its row.
const WIDTH: i32 = 38;
/// From one row to the next.
const RISE: i32 = 33;

/// The board with stones and the names of its rows and cells.
pub(super) fn drawing(game: &Game, position: &Position) -> Drawing {
    let (grid, palette) = (position.grid(), game.rules().palette());
    let (longest, rows) = (i32::from(grid.longest()), i32::from(grid.rows()));
    let mut drawing = Drawing::of_size(
        longest * WIDTH + 2 * MARGIN,
        rows * RISE + 2 * MARGIN + RADIUS - RISE / 2,
    );
    let middle = |row: u8, place: i32| {
        let x = MARGIN + WIDTH / 2 + place * WIDTH + i32::from(shift(position, row)) * WIDTH / 2;
        (x, MARGIN + RADIUS + (rows - 1 - i32::from(row)) * RISE)
    };
    for row in 0..grid.rows() {
        let length = grid.row_length(row);
        for place in 0..length {
            let (x, y) = middle(row, place.into());
            drawing.hexagon((x, y), WOOD);
            let Some(cell) = grid.get(row, place) else { continue };
            if let Some(color) = position.stone(cell) {
                let fill = match palette.letter(color) {
                    'w' => PAPER,
                    'r' => RED,
                    _ => INK,
                };
                drawing.circle((x, y), WIDTH * 3 / 8, fill);
            } else {
                drawing.label((x, y), 10, FAINT, &(place + 1).to_string());
            }
        }
        let letter = char::from(b'a' + row).to_string();
        for place in [-1, i32::from(length)] {
            drawing.label(middle(row, place), 14, FAINT, &letter);
        }
    }
    drawing.lines(&text::caption(game));
    drawing
}

const RED: &str = "#c0392b";

impl Drawing {
    /// A hexagon that stands on a corner.
    fn hexagon(&mut self, (x, y): (i32, i32), fill: &str) {
        let (half, rise) = (WIDTH / 2, RADIUS / 2);
        let corners =
            [(0, -RADIUS), (half, -rise), (half, rise), (0, RADIUS), (-half, rise), (-half, -rise)];
        let points: Vec<_> =
            corners.iter().map(|(dx, dy)| format!("{},{}", x + dx, y + dy)).collect();
        let points = points.join(" ");
        self.shape(&format!(r#"<polygon points="{points}" fill="{fill}" stroke="{INK}"/>"#));
    }

    fn circle(&mut self, (x, y): (i32, i32), radius: i32, fill: &str) {
        self.shape(&format!(
            r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{INK}"/>"#
        ));
    }
}
