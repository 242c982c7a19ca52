//! The empty cells of a random game.

use super::{Cell, Color, Journal};
use fastrand::Rng;

/// The empty cells as a list in no order, each with its place in it, so that one is drawn, taken
/// and given back at the same small cost. `N`, a power of two, is above every cell's number.
#[derive(Clone, Debug)]
pub(crate) struct FreeCells<const N: usize> {
    list: [u16; N],
    place: [u16; N],
    count: usize,
}

impl<const N: usize> Journal for FreeCells<N> {
    #[inline]
    fn placed(&mut self, cell: Cell, _: Color) {
        let place = self.place[cell.index() % N];
        self.count -= 1;
        let last = self.list[self.count % N];
        self.list[usize::from(place) % N] = last;
        self.place[usize::from(last) % N] = place;
    }

    #[inline]
    fn removed(&mut self, cell: Cell, _: Color) {
        self.list[self.count % N] = cell.0;
        self.place[cell.index() % N] = self.count as u16;
        self.count += 1;
    }
}

impl<const N: usize> Default for FreeCells<N> {
    /// No cells.
    fn default() -> FreeCells<N> {
        FreeCells { list: [0; N], place: [0; N], count: 0 }
    }
}

impl<const N: usize> FreeCells<N> {
    /// Becomes a copy of another list of cells, all of numbers below `cells`.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &FreeCells<N>, cells: usize) {
        self.list[..cells].copy_from_slice(&other.list[..cells]);
        self.place[..cells].copy_from_slice(&other.place[..cells]);
        self.count = other.count;
    }

    /// One of the cells; there must be one.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> Cell {
        Cell(self.list[below(rng, self.count) % N])
    }
}

/// A number below `count`, by the multiplication method (Lemire 2019); its bias, below 2^-22, is
/// far from what any sample could show.
#[inline]
pub(crate) fn below(rng: &mut Rng, count: usize) -> usize {
    (((rng.u64(..) >> 32) * count as u64) >> 32) as usize
}
