//! The diamonds, to which bonus stones go, and sets of them as bits of a word: there are few on the board, and
//! sets of all its cells take longer to go through.

use crate::eval::cell_sets::CellUnion;
use pentarch_core::game::Cell;
use pentarch_core::rules;

/// The diamonds of a board, numbered in the order of cells; none in games without power stones.
#[derive(Clone, Debug)]
pub(super) struct Diamonds {
    cells: Vec<Cell>,
    /// The same cells, to tell quickly that others are none.
    all: CellUnion,
}

/// Some of them, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DiamondSet(u16);

const _: () = assert!(rules::Diamonds::MAX <= u16::BITS as usize);

impl Diamonds {
    /// Those on given cells, which come in order and are at most [`rules::Diamonds::MAX`].
    pub(super) fn on(cells: impl Iterator<Item = Cell>) -> Diamonds {
        let cells: Vec<_> = cells.collect();
        let mut all = CellUnion::new();
        all.extend(cells.iter().copied());
        Diamonds { cells, all }
    }

    /// The one on a cell, if one is there.
    #[inline]
    pub(super) fn at(&self, cell: Cell) -> DiamondSet {
        if self.all.contains(cell) { self.which(|one| one == cell) } else { DiamondSet::default() }
    }

    /// Those of whose cells something is true.
    #[inline]
    pub(super) fn which(&self, is_one: impl Fn(Cell) -> bool) -> DiamondSet {
        let cells = self.cells.iter().enumerate();
        let bits = cells.map(|(number, &cell)| u16::from(is_one(cell)) << number);
        DiamondSet(bits.fold(0, |all, bit| all | bit))
    }

    /// The cells of some, in order.
    #[inline]
    pub(super) fn cells(&self, DiamondSet(mut left): DiamondSet) -> impl Iterator<Item = Cell> {
        std::iter::from_fn(move || {
            let number = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            self.cells.get(number as usize).copied()
        })
    }
}

impl DiamondSet {
    /// Whether there are none.
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether all of some are among them.
    pub(super) const fn has(self, others: DiamondSet) -> bool {
        others.0 & !self.0 == 0
    }

    /// Those of either.
    pub(super) const fn union(self, others: DiamondSet) -> DiamondSet {
        DiamondSet(self.0 | others.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_diamonds_are_those_of_their_cells() {
        let cells = [3, 64, 200, 624].map(Cell);
        let diamonds = Diamonds::on(cells.into_iter());
        let all = diamonds.which(|_| true);
        assert!(diamonds.cells(all).eq(cells));
        let odd = diamonds.which(|cell| cell.0 % 2 == 1);
        assert!(diamonds.cells(odd).eq([Cell(3)]));
        assert!(!odd.has(all) && all.has(odd) && odd.has(DiamondSet::default()));
        assert!(diamonds.cells(odd.union(diamonds.at(Cell(200)))).eq([Cell(3), Cell(200)]));
        assert!(diamonds.at(Cell(4)).is_empty() && !all.is_empty());
    }
}
