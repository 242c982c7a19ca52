//! Windows: as many cells in a row as a winning line has. Their contents tell what a position and
//! a cell are worth.

use crate::board::{Bitboard, HEX_STEPS, each};
use crate::game::{Cell, Color, Position as _};
use crate::hexes::Position;
use crate::rules::{HexRules, Hexes};

/// The windows of a board and what their contents are worth; the same for every game of the rules.
#[derive(Debug)]
pub struct HexTables {
    hexes: Hexes,
    /// By cell: the windows that it is part of.
    of_cell: Vec<Vec<u16>>,
    count: usize,
    /// By color and contents: what the windows give that color.
    value: [Box<[i16; CONTENTS]>; 3],
    /// By color and contents: what a stone of that color changes for the better.
    gain: [Box<[i16; CONTENTS]>; 3],
}

/// The stones in a window, three bits a color.
pub(super) type Contents = u16;

/// One more than the greatest contents.
const CONTENTS: usize = 1 << 9;

/// The value of a window by its stones of one color, with none of others: chosen by matches
/// of the engine against itself, 200 games at 2000 nodes a move.
const FIVES: [i16; 7] = [0, 4, 14, 42, 110, 0, 0];
const FOURS: [i16; 7] = [0, 5, 16, 40, 0, 0, 0];
const OTHERS: [i16; 7] = [0, 5, 15, 40, 90, 120, 0];

impl HexTables {
    /// The tables for a game on hexagons.
    pub fn new(rules: &HexRules) -> HexTables {
        let hexes = *rules.board();
        let windows = windows(hexes);
        let mut of_cell = vec![Vec::new(); 128];
        for (number, &window) in (0..).zip(&windows) {
            each(window).for_each(|cell| of_cell[cell.index()].push(number));
        }
        let values = match hexes.line {
            5 => FIVES,
            4 => FOURS,
            _ => OTHERS,
        };
        let table = |of: fn(&[i16; 7], usize, Contents) -> i16| {
            [0, 1, 2].map(|color: usize| {
                let mut table = Box::new([0; CONTENTS]);
                for (contents, value) in (0..).zip(table.iter_mut()) {
                    *value = of(&values, color, contents);
                }
                table
            })
        };
        HexTables { hexes, of_cell, count: windows.len(), value: table(value), gain: table(gain) }
    }

    /// Whether these are the tables for the rules.
    pub fn serve(&self, rules: &HexRules) -> bool {
        *rules.board() == self.hexes
    }

    /// The contents of every window.
    pub(super) fn count(&self, position: &Position, contents: &mut Vec<Contents>) {
        contents.clear();
        contents.resize(self.count, 0);
        for color in (0..3).map(Color) {
            for cell in each(position.stones(color)) {
                self.windows_of(cell).iter().for_each(|&w| contents[usize::from(w)] += one(color));
            }
        }
    }

    /// The numbers of the windows that a cell is part of.
    #[inline]
    pub(super) fn windows_of(&self, cell: Cell) -> &[u16] {
        &self.of_cell[cell.index() & 127]
    }

    /// What a window of those contents gives a color.
    #[inline]
    pub(super) fn value(&self, color: Color, contents: Contents) -> i32 {
        self.value[color.index() % 3][usize::from(contents) % CONTENTS].into()
    }

    /// What a stone of a color on an empty cell changes for the better, in all its windows.
    #[inline]
    pub(super) fn gain(&self, color: Color, cell: Cell, contents: &[Contents]) -> i32 {
        let table = &self.gain[color.index() % 3];
        let of = |&w: &u16| i32::from(table[usize::from(contents[usize::from(w)]) % CONTENTS]);
        self.windows_of(cell).iter().map(of).sum()
    }

    /// The colors in a game of these rules that the position has, and what lines give each.
    pub(super) fn totals(&self, contents: &[Contents]) -> [i32; 3] {
        let total = |color| contents.iter().map(|&c| self.value(color, c)).sum();
        [Color(0), Color(1), Color(2)].map(total)
    }
}

/// A stone of a color as contents.
#[inline]
pub(super) const fn one(color: Color) -> Contents {
    1 << (3 * (color.0 % 3))
}

fn stones(color: usize, contents: Contents) -> usize {
    usize::from(contents >> (3 * color) & 7).min(6)
}

fn value(values: &[i16; 7], color: usize, contents: Contents) -> i16 {
    let alone = contents & !(7 << (3 * color)) == 0;
    if alone { values[stones(color, contents)] } else { 0 }
}

/// A longer row of one's own, or rows of others that are cut.
fn gain(values: &[i16; 7], color: usize, contents: Contents) -> i16 {
    let own = stones(color, contents);
    let others: Vec<usize> = (0..3).filter(|&o| o != color).map(|o| stones(o, contents)).collect();
    match others.iter().filter(|&&count| count > 0).count() {
        0 => values[(own + 1).min(6)].max(values[own]) - values[own] + 1,
        1 if own == 0 => values[others.iter().sum::<usize>().min(6)],
        _ => 0,
    }
}

/// Every window of a board.
fn windows(hexes: Hexes) -> Vec<Bitboard> {
    let all = hexes.grid.all();
    let along = |cell: Cell, step: u32| {
        let cells = (0..u32::from(hexes.line)).map(move |n| u32::from(cell.0) + n * step);
        cells.filter(|&cell| cell < 128).fold(0, |set, cell| set | 1 << cell)
    };
    let windows = HEX_STEPS.iter().flat_map(|&step| each(all).map(move |cell| along(cell, step)));
    let whole = |window: &Bitboard| window.count_ones() == u32::from(hexes.line);
    windows.filter(|window| window & !all == 0).filter(whole).collect()
}

/// What lines give the color to move beyond what they give the best of its rivals.
pub(super) fn lead(position: &Position, totals: &[i32; 3]) -> i32 {
    let own = totals[position.color_to_move().index() % 3];
    let rivals = position.rivals().map(|color| totals[color.index() % 3]);
    own - rivals.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_known_boards() {
        let count = |spec: &str| HexTables::new(&spec.parse().unwrap()).count;
        // Rows of 7 to 13 hold 3 to 9 fives; each of the other axes has seven rows of 7, and one
        // each of 6 and 5 cells and less.
        assert_eq!(count("pentalath"), 42 + 2 * (7 * 3 + 2 + 1));
        // Rows of 5 to 9 and back to 5, on three axes.
        assert_eq!(count("pentalath-hex"), 3 * (1 + 2 + 3 + 4 + 5 + 4 + 3 + 2 + 1));
        assert_eq!(count("yavalath"), 3 * (2 + 3 + 4 + 5 + 6 + 5 + 4 + 3 + 2));
        assert_eq!(count("yavalath+side=2"), 0);
    }
}
