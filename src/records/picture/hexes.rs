//! Boards of hexagons as text.

use super::shown::Shown;
use super::spans::{GRAY, Spans, ink};
use anstyle::Style;
use pentarch_core::hexes::Position;
use std::collections::BTreeSet;

/// The board, each row with its letter on both sides and the number of its last cell after it.
pub(super) fn lines(shown: &Shown<'_>, position: &Position) -> Vec<Spans> {
    let grid = position.grid();
    let cells = shown.scene.layout.cells.iter();
    let rows: BTreeSet<u8> = cells.map(|&(cell, _)| grid.row(cell)).collect();
    let mut lines = Vec::new();
    for &row in rows.iter().rev() {
        // Half a cell for each that the longest row has more.
        let shift = usize::from(grid.longest_row() - grid.row_length(row)) * (shown.width + 1) / 2;
        let letter = char::from(b'a' + row);
        let mut line = Spans::default();
        line.push(ink(GRAY), format!("{:indent$}{letter}", "", indent = shift + 1));
        let mut before = None;
        for cell in (0..grid.row_length(row)).filter_map(|place| grid.get(row, place)) {
            shown.push(&mut line, cell, before, false);
            before = Some(cell);
        }
        shown.end(&mut line, before);
        line.push(ink(GRAY), format!("{letter}{}", grid.row_length(row)));
        line.push(Style::new(), "");
        lines.push(line);
    }
    lines
}
