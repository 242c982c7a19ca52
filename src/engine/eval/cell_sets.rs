//! Sets of cells as bits, several of each color, and what they were before.

use pentarch_core::game::Cell;
use std::ops::Range;

/// The sets of a color.
const SETS: usize = 8;
/// The words of a set.
const WORDS: usize = Cell::LIMIT / 64;

/// Eight sets of cells of each of `N` colors, by number, and copies of them to come back to: in a search
/// that is quicker than to undo what was done to them.
#[derive(Clone, Debug)]
pub(super) struct CellSets<const N: usize> {
    /// Those that were saved, those of now, and room for more.
    frames: Vec<Frame<N>>,
    now: usize,
    /// The words in use.
    words: usize,
}

/// The sets at one time, with their sizes. A word of each lies beside the same word of the others, so that
/// no more need be copied than the board has cells.
#[derive(Clone, Copy, Debug)]
struct Frame<const N: usize> {
    words: [[[u64; SETS]; N]; WORDS],
    lens: [[u16; SETS]; N],
}

/// One of the sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellSet<'a, const N: usize> {
    frame: &'a Frame<N>,
    color: usize,
    number: usize,
}

/// Cells of several sets, each once.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellUnion([u64; WORDS]);

impl CellUnion {
    /// No cells.
    pub(super) const fn new() -> CellUnion {
        CellUnion([0; WORDS])
    }

    /// Adds a cell; returns whether it was not among them.
    #[inline]
    pub(super) fn insert(&mut self, cell: Cell) -> bool {
        let word = &mut self.0[cell.index() / 64 % WORDS];
        let before = *word;
        *word |= 1 << (cell.index() % 64);
        *word != before
    }

    /// Whether a cell is among them.
    #[inline]
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64 % WORDS] >> (cell.index() % 64) & 1 != 0
    }

    /// A single cell.
    pub(super) fn of(cell: Cell) -> CellUnion {
        let mut cells = CellUnion::new();
        cells.insert(cell);
        cells
    }

    /// Whether there are none.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Adds the cells of a set.
    #[inline]
    pub(super) fn add<const N: usize>(&mut self, set: CellSet<'_, N>) {
        if !set.is_empty() {
            self.0.iter_mut().enumerate().for_each(|(index, word)| *word |= set.word(index));
        }
    }

    /// The cells of either.
    #[inline]
    pub(super) fn union(self, others: CellUnion) -> CellUnion {
        CellUnion(std::array::from_fn(|index| self.0[index] | others.0[index]))
    }

    /// The cells in order.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = Cell> {
        let CellUnion(words) = self;
        let (mut index, mut word) = (0, words[0]);
        std::iter::from_fn(move || {
            while word == 0 {
                index += 1;
                word = *words.get(index)?;
            }
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            Some(Cell((index * 64 + bit) as u16))
        })
    }
}

impl Extend<Cell> for CellUnion {
    fn extend<T: IntoIterator<Item = Cell>>(&mut self, cells: T) {
        for cell in cells {
            self.insert(cell);
        }
    }
}

impl<const N: usize> CellSets<N> {
    /// Empty sets for a board of so many cells.
    pub(super) fn new(cells: usize) -> CellSets<N> {
        let empty = Frame { words: [[[0; SETS]; N]; WORDS], lens: [[0; SETS]; N] };
        CellSets { frames: vec![empty], now: 0, words: cells.div_ceil(64).min(WORDS) }
    }

    /// A set of a color.
    #[inline]
    pub(super) fn set(&self, color: usize, number: usize) -> CellSet<'_, N> {
        CellSet { frame: &self.frames[self.now], color: color % N, number: number % SETS }
    }

    /// Which sets of a color have cells, a bit each: all are looked at together. The bit of a set that is not
    /// kept right means nothing.
    #[inline]
    pub(super) fn filled(&self, color: usize) -> u32 {
        let lens = self.frames[self.now].lens[color % N].iter().enumerate();
        lens.fold(0, |filled, (number, &len)| filled | u32::from(len != 0) << number)
    }

    /// The cells of the sets of a color from one number up to another, which are looked at together.
    #[inline]
    pub(super) fn union(&self, color: usize, numbers: Range<usize>) -> CellUnion {
        let mut union = CellUnion::new();
        let words = &self.frames[self.now].words[..self.words];
        for (all, words) in union.0.iter_mut().zip(words) {
            *all = words[color % N][numbers.clone()].iter().fold(0, |all, word| all | word);
        }
        union
    }

    /// The sets, to be changed together.
    #[inline]
    pub(super) fn change(&mut self) -> Change<'_, N> {
        let Frame { words, lens } = &mut self.frames[self.now];
        Change { words, counts: *lens, lens }
    }

    /// Keeps the sets as they are; [`CellSets::restore`] wants the number that is returned.
    #[inline]
    pub(super) fn save(&mut self) -> usize {
        let (saved, now) = (self.now, self.now + 1);
        match self.frames.split_at_mut(now) {
            (old, [new, ..]) => {
                let old = &old[saved];
                let words = new.words.iter_mut().zip(&old.words).take(self.words);
                words.for_each(|(new, old)| *new = *old);
                new.lens = old.lens;
            }
            _ => self.frames.push(self.frames[saved]),
        }
        self.now = now;
        saved
    }

    /// Makes the sets what they were when they were saved.
    #[inline]
    pub(super) fn restore(&mut self, saved: usize) {
        self.now = saved.min(self.now);
    }

    /// Gives up all that was saved.
    pub(super) fn forget(&mut self) {
        self.frames.swap(0, self.now);
        self.now = 0;
    }
}

/// Changes of the sets. Their sizes are counted apart and stored in the end: one change after the other in
/// memory would have to wait for the one before it.
#[derive(Debug)]
pub(super) struct Change<'a, const N: usize> {
    words: &'a mut [[[u64; SETS]; N]; WORDS],
    counts: [[u16; SETS]; N],
    lens: &'a mut [[u16; SETS]; N],
}

/// For each set, one cell of it and none of the others.
static ONE: [[u16; SETS]; SETS] = {
    let mut one = [[0; SETS]; SETS];
    let mut number = 0;
    while number < SETS {
        one[number][number] = 1;
        number += 1;
    }
    one
};

impl<const N: usize> Change<'_, N> {
    /// Takes a cell out of one set of a color and puts it into another, or the same.
    #[inline]
    pub(super) fn shift(&mut self, color: usize, from: usize, to: usize, cell: Cell) {
        let sets = &mut self.words[cell.index() / 64 % WORDS][color % N];
        let bit = 1 << (cell.index() % 64);
        sets[from % SETS] ^= bit;
        sets[to % SETS] ^= bit;
        let counts = &mut self.counts[color % N];
        for i in 0..SETS {
            counts[i] = counts[i].wrapping_add(ONE[to % SETS][i]).wrapping_sub(ONE[from % SETS][i]);
        }
    }

    /// Stores the sizes.
    #[inline]
    pub(super) fn finish(self) {
        *self.lens = self.counts;
    }
}

impl<'a, const N: usize> CellSet<'a, N> {
    /// The number of cells.
    #[inline]
    pub(super) fn len(self) -> usize {
        usize::from(self.frame.lens[self.color][self.number])
    }

    /// Whether the set has no cell.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The cells in order.
    #[inline]
    pub(super) fn iter(self) -> Iter<'a, N> {
        Iter { set: self, index: 0, word: self.word(0), left: self.len() }
    }

    #[inline]
    fn word(self, index: usize) -> u64 {
        self.frame.words[index % WORDS][self.color][self.number]
    }
}

/// Walks over a set without looking past its last cell.
#[derive(Clone, Debug)]
pub(super) struct Iter<'a, const N: usize> {
    set: CellSet<'a, N>,
    index: usize,
    word: u64,
    left: usize,
}

impl<const N: usize> Iterator for Iter<'_, N> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        self.left = self.left.checked_sub(1)?;
        while self.word == 0 {
            self.index += 1;
            if self.index == WORDS {
                return None;
            }
            self.word = self.set.word(self.index);
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(Cell((self.index * 64) as u16 + bit as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a cell to a set; set 0 stands for none.
    fn put_in<const N: usize>(sets: &mut CellSets<N>, color: usize, number: usize, cell: Cell) {
        let mut change = sets.change();
        change.shift(color, 0, number, cell);
        change.finish();
    }

    fn take_out<const N: usize>(sets: &mut CellSets<N>, color: usize, number: usize, cell: Cell) {
        let mut change = sets.change();
        change.shift(color, number, 0, cell);
        change.finish();
    }

    /// The cells of the fourth set of the second color.
    fn listed(sets: &CellSets<2>) -> Vec<u16> {
        let set = sets.set(1, 3);
        let cells: Vec<_> = set.iter().map(|cell| cell.0).collect();
        assert_eq!(sets.filled(1) & !1, u32::from(!cells.is_empty()) << 3, "set 0 stands for none");
        assert_eq!((set.len(), set.is_empty()), (cells.len(), cells.is_empty()));
        assert!(sets.set(1, 2).is_empty() && sets.set(0, 3).is_empty());
        cells
    }

    #[test]
    fn a_set_lists_what_it_holds_in_order() {
        let mut sets = CellSets::new(625);
        for cell in [624, 3, 64, 63, 128] {
            put_in(&mut sets, 1, 3, Cell(cell));
        }
        take_out(&mut sets, 1, 3, Cell(64));
        assert_eq!(listed(&sets), [3, 63, 128, 624]);
    }

    #[test]
    fn a_union_has_each_cell_once_and_in_order() {
        let mut sets = CellSets::<2>::new(625);
        for (color, number, cell) in [(0, 1, 624), (1, 3, 3), (0, 1, 3), (1, 3, 64), (1, 2, 9)] {
            put_in(&mut sets, color, number, Cell(cell));
        }
        let mut union = CellUnion::new();
        for set in [sets.set(0, 1), sets.set(1, 3), sets.set(0, 2)] {
            union.add(set);
        }
        union.insert(Cell(63));
        let cells = |union: CellUnion| union.iter().map(|cell| cell.0).collect::<Vec<_>>();
        assert_eq!(cells(union), [3, 63, 64, 624]);
        assert_eq!(cells(sets.union(1, 2..4)), [3, 9, 64]);
        assert_eq!(cells(sets.union(1, 3..8).union(sets.union(0, 1..2))), [3, 64, 624]);
        let mut others = CellUnion::of(Cell(64));
        others.extend([Cell(5), Cell(624)]);
        assert_eq!(cells(others), [5, 64, 624]);
        assert!(!others.is_empty() && CellUnion::new().is_empty());
    }

    #[test]
    fn sets_become_what_they_were_when_they_were_saved() {
        let mut sets = CellSets::new(625);
        for round in 0..2 {
            put_in(&mut sets, 1, 3, Cell(624));
            let first = sets.save();
            take_out(&mut sets, 1, 3, Cell(624));
            put_in(&mut sets, 1, 3, Cell(5));
            let second = sets.save();
            put_in(&mut sets, 1, 3, Cell(64));
            assert_eq!(listed(&sets), [5, 64], "{round}");
            sets.restore(second);
            assert_eq!(listed(&sets), [5], "{round}");
            sets.save();
            assert_eq!(listed(&sets), [5], "{round}");
            sets.restore(first);
            assert_eq!(listed(&sets), [624], "{round}");
            sets.save();
            sets.forget();
            take_out(&mut sets, 1, 3, Cell(624));
            assert!(listed(&sets).is_empty(), "{round}");
        }
    }
}
