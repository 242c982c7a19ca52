//! Where tiles fit.
//!
//! A tile fits wherever its five cells are in one set of [`Layers`], which for all places in a row
//! at once is five shifts and ands. It rests on one tile only if it lies exactly on it, so that the
//! rule of two tiles takes away at most one place for each tile of its own shape.

use super::layers::{MARGIN, NARROW, PAD, ROWS, Rows};
use super::{Layers, Oriented, Shape, Spot};
use crate::game::Orientation;
use std::ops::{BitAnd, BitOr, Not, Shr};

/// Placements in one row at which a tile fits: the columns of its box's corner, as bits from `base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placements {
    pub orientation: Orientation,
    pub row: u8,
    pub base: i16,
    pub columns: u64,
}

impl Placements {
    /// The spots, from the left.
    #[inline]
    pub(super) fn spots(self) -> impl Iterator<Item = Spot> {
        let mut rest = self.columns;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            rest &= rest.checked_sub(1)?;
            Some(Spot { column: (self.base + bit as i16) as u8, row: self.row })
        })
    }

    /// How many there are.
    #[inline]
    pub(super) fn count(self) -> u32 {
        self.columns.count_ones()
    }
}

/// A row as wide as the search needs it.
trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> + Shr<u8, Output = Self>
{
    fn of(row: u128) -> Self;
    /// The words of 64 bits that are not empty, with the number of their first bits.
    fn halves(self, take: impl FnMut(u8, u64));
    fn clear(&mut self, bit: i16);
}

impl Word for u64 {
    #[inline]
    fn of(row: u128) -> u64 {
        row as u64
    }
    #[inline]
    fn halves(self, mut take: impl FnMut(u8, u64)) {
        if self != 0 {
            take(0, self);
        }
    }
    #[inline]
    fn clear(&mut self, bit: i16) {
        *self &= !(1 << (bit & 63));
    }
}

impl Word for u128 {
    #[inline]
    fn of(row: u128) -> u128 {
        row
    }
    #[inline]
    fn halves(self, mut take: impl FnMut(u8, u64)) {
        for half in [0, 64] {
            let word = (self >> half) as u64;
            if word != 0 {
                take(half, word);
            }
        }
    }
    #[inline]
    fn clear(&mut self, bit: i16) {
        *self &= !(1 << (bit & 127));
    }
}

impl Layers {
    /// Whether words of 64 bits do not hold the tiles and a margin.
    #[inline]
    fn is_wide(&self) -> bool {
        i16::from(self.columns.last) - self.origin >= NARROW - MARGIN
    }

    /// Shows every place of a shape on the highest level at which it fits (S2), and returns that
    /// level. The table must not be empty.
    #[inline]
    pub(super) fn places(&self, shape: Shape, take: impl FnMut(Placements)) -> u8 {
        if self.is_wide() {
            self.places_in::<u128>(shape, take)
        } else {
            self.places_in::<u64>(shape, take)
        }
    }

    #[inline]
    fn places_in<W: Word>(&self, shape: Shape, mut take: impl FnMut(Placements)) -> u8 {
        for height in (1..=self.top()).rev() {
            if self.tiles[usize::from(height)] < 2 {
                continue;
            }
            let mut fits = false;
            for orientation in shape.orientations() {
                self.placements_at::<W>(orientation, height, |places| {
                    fits = true;
                    take(places);
                });
            }
            if fits {
                return height + 1;
            }
        }
        for orientation in shape.orientations() {
            self.placements_on_table::<W>(orientation, &mut take);
        }
        1
    }

    /// The highest level at which a shape fits.
    pub(super) fn highest(&self, shape: Shape) -> u8 {
        if self.is_wide() { self.highest_in::<u128>(shape) } else { self.highest_in::<u64>(shape) }
    }

    #[inline]
    fn highest_in<W: Word>(&self, shape: Shape) -> u8 {
        let heights = (1..=self.top()).rev().filter(|&h| self.tiles[usize::from(h)] >= 2);
        let mut fitting = heights.filter(|&height| {
            shape.orientations().any(|orientation| {
                let mut fits = false;
                self.placements_at::<W>(orientation, height, |_| fits = true);
                fits
            })
        });
        fitting.next().map_or(1, |height| height + 1)
    }

    /// Shows the places at which a tile lies flat on cells of a height, on two tiles at least.
    #[inline]
    fn placements_at<W: Word>(
        &self,
        orientation: Orientation,
        height: u8,
        mut take: impl FnMut(Placements),
    ) {
        let oriented = Oriented::of(orientation);
        let span = self.spans[usize::from(height)];
        let rows = &self.cells[usize::from(height)];
        let beyond = usize::from(span.last) + 2 - usize::from(oriented.height);
        for row in usize::from(span.first)..beyond {
            let cell = |n: usize| {
                let (dx, dy) = oriented.cells[n];
                W::of(rows[(row + PAD + usize::from(dy)) & (ROWS - 1)]) >> dx
            };
            let mut word = cell(0) & cell(1) & cell(2) & cell(3) & cell(4);
            for lying in self.lying[oriented.shape.index()].iter().flatten() {
                if (lying.orientation, lying.level) == (orientation, height)
                    && usize::from(lying.spot.row) == row
                {
                    word.clear(i16::from(lying.spot.column) - self.origin);
                }
            }
            self.show(word, orientation, row, &mut take);
        }
    }

    /// Shows the places on the table at which a tile shares an edge with another.
    #[inline]
    fn placements_on_table<W: Word>(
        &self,
        orientation: Orientation,
        take: &mut impl FnMut(Placements),
    ) {
        let oriented = Oriented::of(orientation);
        let (span, covered) = (self.spans[0], &self.cells[0]);
        for row in span.first.saturating_sub(oriented.height)..=span.last + 1 {
            let row = usize::from(row);
            let cell = |rows: &Rows, n: usize| {
                let (dx, dy) = oriented.cells[n];
                W::of(rows[(row + PAD + usize::from(dy)) & (ROWS - 1)]) >> dx
            };
            let any = |rows: &Rows| {
                cell(rows, 0) | cell(rows, 1) | cell(rows, 2) | cell(rows, 3) | cell(rows, 4)
            };
            self.show(any(&self.edge) & !any(covered), orientation, row, take);
        }
    }

    #[inline]
    fn show<W: Word>(
        &self,
        word: W,
        orientation: Orientation,
        row: usize,
        take: &mut impl FnMut(Placements),
    ) {
        word.halves(|first, columns| {
            let base = self.origin + i16::from(first);
            take(Placements { orientation, row: row as u8, base, columns });
        });
    }
}
