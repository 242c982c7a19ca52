//! The heights of the table as bit sets, kept up to date tile by tile, and where tiles fit on them.
//!
//! For each height the cells of exactly that height are a set, with one word per row. A tile fits where its
//! five cells are in one set, which for all places in a row takes five shifts and conjunctions. It rests
//! on a single tile only if it lies exactly on it, so the rule of two supporting tiles excludes at most one
//! place for each tile of its own shape.

use super::{OrientedTile, Pentomino, Spot};
use crate::game::{Color, Orientation};
use std::ops::{BitAnd, BitOr, Not, Shr};

/// The geometry of the tiles on the table.
#[derive(Clone, Debug)]
pub struct Layers {
    /// By height: the cells of exactly that height; at index 0 the cells of any height above 0. Bit 0 of a
    /// row is the column `origin`.
    pub(super) cells: Vec<Rows>,
    /// The uncovered cells that share an edge with a cell of `cells[0]`.
    pub(super) edge: Box<Rows>,
    /// By height: the rows in which `cells` may have bits.
    pub(super) spans: [Span; Layers::MAX_LEVEL + 1],
    pub(super) columns: Span,
    pub(super) origin: i16,
    /// The number of tiles on each level.
    pub(super) tiles: [u8; Layers::MAX_LEVEL + 1],
    /// By shape and color: the place of the tile, `None` before it is placed.
    pub(super) placed: [[Option<TilePlacement>; 2]; Pentomino::COUNT],
}

pub(super) type Rows = [u128; ROWS];
/// The rows of the table and rows that stay empty: `PAD` below, the rest above. A power of two, so
/// that a mask keeps an index in range.
pub(super) const ROWS: usize = 256;
pub(super) const PAD: usize = 8;
/// The columns that stay free on either side of the tiles in a word, for the next tile.
pub(super) const MARGIN: i16 = 5;
/// The number of columns in a word of 64 bits.
pub(super) const NARROW: i16 = 64;

/// A range of rows or columns, both ends included; empty if the last is less than the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub first: u8,
    pub last: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TilePlacement {
    pub orientation: Orientation,
    pub spot: Spot,
    pub level: u8,
}

/// What [`Layers::undo_put`] needs in addition to the tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct UndoSpans {
    columns: Span,
    table: Span,
    level: Span,
}

impl Span {
    const EMPTY: Span = Span { first: u8::MAX, last: 0 };

    #[inline]
    fn with(self, first: u8, size: u8) -> Span {
        Span { first: self.first.min(first), last: self.last.max(first + size - 1) }
    }
}

impl Layers {
    /// The highest possible level: each except the last needs two of the 24 tiles.
    pub const MAX_LEVEL: usize = 12;

    /// An empty table.
    pub(super) fn new() -> Layers {
        Layers {
            cells: vec![[0; ROWS]; Layers::MAX_LEVEL + 1],
            edge: Box::new([0; ROWS]),
            spans: [Span::EMPTY; Layers::MAX_LEVEL + 1],
            columns: Span::EMPTY,
            origin: 0,
            tiles: [0; Layers::MAX_LEVEL + 1],
            placed: [[None; 2]; Pentomino::COUNT],
        }
    }

    /// Whether there is no tile.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.tiles[1] == 0
    }

    /// The lower left and upper right corner of the bounding box of all tiles, `None` if there are none.
    pub(super) fn bounds(&self) -> Option<(Spot, Spot)> {
        let rows = self.spans[0];
        (!self.is_empty()).then_some((
            Spot { column: self.columns.first, row: rows.first },
            Spot { column: self.columns.last, row: rows.last },
        ))
    }

    /// The highest level with a tile, 0 for none.
    #[inline]
    pub(super) fn top(&self) -> u8 {
        (1..=Layers::MAX_LEVEL).take_while(|&level| self.tiles[level] > 0).count() as u8
    }

    /// The number of tiles stacked at a point.
    #[inline]
    pub(super) fn height(&self, spot: Spot) -> u8 {
        let row = usize::from(spot.row) + PAD;
        let bit = i16::from(spot.column) - self.origin;
        if !(0..128).contains(&bit) {
            return 0;
        }
        let levels = 1..=self.top();
        levels.rev().find(|&h| self.cells[usize::from(h)][row] >> bit & 1 != 0).unwrap_or(0)
    }

    /// The level on which a tile would lie, `None` if it would not lie flat.
    pub(super) fn level_of(&self, oriented: &OrientedTile, spot: Spot) -> Option<u8> {
        let mut heights = oriented
            .cells
            .iter()
            .map(|&(dx, dy)| self.height(Spot { column: spot.column + dx, row: spot.row + dy }));
        let first = heights.next()?;
        heights.all(|height| height == first).then_some(first + 1)
    }

    /// The number of cells at the level of a tile that would share an edge with it.
    pub(super) fn edge_contacts(&self, oriented: &OrientedTile, spot: Spot) -> u32 {
        let (dx, dy) = oriented.cells[0];
        let first = Spot { column: spot.column + dx, row: spot.row + dy };
        let level = usize::from(self.height(first)) + 1;
        let floor = &self.cells[level % (Layers::MAX_LEVEL + 1)];
        let shift = i16::from(spot.column) - self.origin;
        let low = usize::from(spot.row) + PAD;
        let mut tile = [0u128; 7];
        for &(dx, dy) in &oriented.cells {
            tile[usize::from(dy) + 1] |= 1 << (shift + i16::from(dx));
        }
        (0..=usize::from(oriented.height) + 1)
            .map(|row| {
                let (below, above) = (
                    if row > 0 { tile[row - 1] } else { 0 },
                    if row < 6 { tile[row + 1] } else { 0 },
                );
                let beside = tile[row] << 1 | tile[row] >> 1 | below | above;
                (beside & !tile[row] & floor[(low + row - 1) & (ROWS - 1)]).count_ones()
            })
            .sum()
    }

    /// Whether a point is uncovered and shares an edge with a tile on the table.
    pub(super) fn is_edge(&self, spot: Spot) -> bool {
        let bit = i16::from(spot.column) - self.origin;
        (0..128).contains(&bit) && self.edge[usize::from(spot.row) + PAD] >> bit & 1 != 0
    }

    /// Whether a tile of either color is exactly at this place.
    pub(super) fn has_tile_at(&self, orientation: Orientation, spot: Spot, level: u8) -> bool {
        let placed = Some(TilePlacement { orientation, spot, level });
        self.placed[OrientedTile::of(orientation).shape.index()].contains(&placed)
    }

    /// Puts a tile on a level at which it lies flat.
    pub(super) fn put(
        &mut self,
        orientation: Orientation,
        spot: Spot,
        level: u8,
        color: Color,
    ) -> UndoSpans {
        let oriented = OrientedTile::of(orientation);
        let to = usize::from(level);
        let before =
            UndoSpans { columns: self.columns, table: self.spans[0], level: self.spans[to] };
        self.columns = self.columns.with(spot.column, oriented.width);
        self.spans[0] = self.spans[0].with(spot.row, oriented.height);
        self.spans[to] = self.spans[to].with(spot.row, oriented.height);
        self.keep_in_view();
        self.flip(oriented, spot, to);
        self.tiles[to] += 1;
        let placed = Some(TilePlacement { orientation, spot, level });
        self.placed[oriented.shape.index()][color.index() & 1] = placed;
        before
    }

    /// Takes back the last [`Layers::put`].
    pub(super) fn undo_put(
        &mut self,
        orientation: Orientation,
        spot: Spot,
        level: u8,
        color: Color,
        before: UndoSpans,
    ) {
        let oriented = OrientedTile::of(orientation);
        let from = usize::from(level);
        self.flip(oriented, spot, from);
        self.tiles[from] -= 1;
        self.placed[oriented.shape.index()][color.index() & 1] = None;
        self.columns = before.columns;
        self.spans[0] = before.table;
        self.spans[from] = before.level;
    }

    /// Moves the cells of a tile between the sets of a level and of the height below it. Below level 1 that
    /// is the set of all covered cells, which is inverted.
    #[inline]
    fn flip(&mut self, oriented: &OrientedTile, spot: Spot, level: usize) {
        let shift = i16::from(spot.column) - self.origin;
        let low = usize::from(spot.row) + PAD;
        for &(dx, dy) in &oriented.cells {
            let bit = 1u128 << (shift + i16::from(dx));
            self.cells[level][low + usize::from(dy)] ^= bit;
            self.cells[level - 1][low + usize::from(dy)] ^= bit;
        }
        if level == 1 {
            let covered = &self.cells[0];
            for row in low - 1..=low + usize::from(oriented.height) {
                let here = covered[row];
                let beside = here << 1 | here >> 1 | covered[row - 1] | covered[row + 1];
                self.edge[row] = beside & !here;
            }
        }
    }

    /// Moves the first column of the words so that they include all tiles and a margin, within the lower 64
    /// bits if possible.
    #[inline]
    fn keep_in_view(&mut self) {
        let left = i16::from(self.columns.first) - self.origin;
        let right = i16::from(self.columns.last) - self.origin;
        let width = right - left + 1;
        let room = if width <= NARROW - 2 * MARGIN { NARROW } else { 128 };
        if left < MARGIN || right >= room - MARGIN {
            self.move_origin(i16::from(self.columns.first) - (room - width) / 2);
        }
    }

    #[cold]
    fn move_origin(&mut self, origin: i16) {
        let by = origin - self.origin;
        self.origin = origin;
        let shifted = |row: &mut u128| {
            *row = if by.abs() >= 128 {
                0
            } else if by >= 0 {
                *row >> by
            } else {
                *row << -by
            };
        };
        self.cells.iter_mut().flatten().for_each(shifted);
        self.edge.iter_mut().for_each(shifted);
    }
}

/// The places in one row at which a tile fits: the columns of the left edge of its bounding box, as bits
/// from `base`.
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

    /// The number of places.
    #[inline]
    pub(super) fn count(self) -> u32 {
        self.columns.count_ones()
    }
}

/// A row of 64 or 128 columns.
trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> + Shr<u8, Output = Self>
{
    fn of(row: u128) -> Self;
    /// Calls `take` with each half of 64 bits that is not empty and the index of its first bit.
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
    /// Whether 64 columns are not enough for the tiles and a margin.
    #[inline]
    fn is_wide(&self) -> bool {
        i16::from(self.columns.last) - self.origin >= NARROW - MARGIN
    }

    /// Calls `take` with all places of a shape on the highest level at which it fits (S2), and returns that
    /// level. The table must not be empty.
    #[inline]
    pub(super) fn places(&self, shape: Pentomino, take: impl FnMut(Placements)) -> u8 {
        if self.is_wide() {
            self.places_in::<u128>(shape, take)
        } else {
            self.places_in::<u64>(shape, take)
        }
    }

    #[inline]
    fn places_in<W: Word>(&self, shape: Pentomino, mut take: impl FnMut(Placements)) -> u8 {
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
    pub(super) fn highest_level(&self, shape: Pentomino) -> u8 {
        if self.is_wide() { self.highest_in::<u128>(shape) } else { self.highest_in::<u64>(shape) }
    }

    #[inline]
    fn highest_in<W: Word>(&self, shape: Pentomino) -> u8 {
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

    /// Calls `take` with the places at which a tile lies flat on cells of a height, on at least two tiles.
    #[inline]
    fn placements_at<W: Word>(
        &self,
        orientation: Orientation,
        height: u8,
        mut take: impl FnMut(Placements),
    ) {
        let oriented = OrientedTile::of(orientation);
        let span = self.spans[usize::from(height)];
        let rows = &self.cells[usize::from(height)];
        let end = usize::from(span.last) + 2 - usize::from(oriented.height);
        for row in usize::from(span.first)..end {
            let cell = |n: usize| {
                let (dx, dy) = oriented.cells[n];
                W::of(rows[(row + PAD + usize::from(dy)) & (ROWS - 1)]) >> dx
            };
            let mut word = cell(0) & cell(1) & cell(2) & cell(3) & cell(4);
            for tile in self.placed[oriented.shape.index()].iter().flatten() {
                if (tile.orientation, tile.level) == (orientation, height)
                    && usize::from(tile.spot.row) == row
                {
                    word.clear(i16::from(tile.spot.column) - self.origin);
                }
            }
            self.take_halves(word, orientation, row, &mut take);
        }
    }

    /// Calls `take` with the places on the table at which a tile shares an edge with another.
    #[inline]
    fn placements_on_table<W: Word>(
        &self,
        orientation: Orientation,
        take: &mut impl FnMut(Placements),
    ) {
        let oriented = OrientedTile::of(orientation);
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
            self.take_halves(any(&self.edge) & !any(covered), orientation, row, take);
        }
    }

    #[inline]
    fn take_halves<W: Word>(
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
