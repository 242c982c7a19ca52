//! Sets of cells as bits.

use crate::game::Cell;

/// A set of cells with its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CountedCells {
    words: [u64; CountedCells::WORDS],
    len: u16,
}

impl CountedCells {
    const WORDS: usize = Cell::LIMIT / 64;

    /// Adds a cell that is not in the set or takes out one that is, if `changes` says so; `is_in` says
    /// whether the set holds it afterwards. There is no branch in it, which would be hard to foretell.
    #[inline]
    pub(super) fn toggle(&mut self, cell: Cell, changes: bool, is_in: bool) {
        let bit = u64::from(changes) << (cell.index() % 64);
        self.words[cell.index() / 64 % CountedCells::WORDS] ^= bit;
        let sign = (2 * u16::from(is_in)).wrapping_sub(1);
        self.len = self.len.wrapping_add(u16::from(changes) * sign);
    }

    /// The number of cells.
    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether the set has no cell.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The cells in order.
    #[inline]
    pub(super) fn iter(&self) -> Iter<'_> {
        Iter { set: self, index: 0, word: self.words[0], left: self.len }
    }
}

/// Walks over a set without looking past its last cell.
#[derive(Clone, Debug)]
pub(super) struct Iter<'a> {
    set: &'a CountedCells,
    index: usize,
    word: u64,
    left: u16,
}

impl Iterator for Iter<'_> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        self.left = self.left.checked_sub(1)?;
        while self.word == 0 {
            self.index += 1;
            self.word = *self.set.words.get(self.index)?;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(Cell((self.index * 64) as u16 + bit as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_what_it_holds_in_order() {
        let mut set = CountedCells::default();
        for cell in [624, 3, 64, 63, 128] {
            set.toggle(Cell(cell), true, true);
            set.toggle(Cell(cell), false, true);
        }
        set.toggle(Cell(64), true, false);
        let listed: Vec<_> = set.iter().map(|cell| cell.0).collect();
        assert_eq!(listed, [3, 63, 128, 624]);
        assert_eq!(set.len(), 4);
    }
}
