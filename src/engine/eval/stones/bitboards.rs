//! Bitboards of cells by color, and a stack of copies of them for undo.

use pentarch_core::game::Cell;
use std::ops::Range;

/// The bitboards of a color.
const BOARDS: usize = 8;
/// The words of a bitboard.
const WORDS: usize = Cell::LIMIT / 64;

/// Eight bitboards of each of `N` colors, by number, and saved copies of them: in a search these are faster than undoing
/// every change.
#[derive(Clone, Debug)]
pub(super) struct BitboardStack<const N: usize> {
    /// The saved copies, the current bitboards, and spare room.
    frames: Vec<BitboardFrame<N>>,
    current: usize,
    /// The words in use.
    words: usize,
}

/// All bitboards with their population counts. The words of all bitboards for the same cells are consecutive, so that a
/// copy takes only as many words as the board has cells for.
#[derive(Clone, Copy, Debug)]
struct BitboardFrame<const N: usize> {
    words: [[[u64; BOARDS]; N]; WORDS],
    lens: [[u16; BOARDS]; N],
}

/// A bitboard of a stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitboardRef<'a, const N: usize> {
    frame: &'a BitboardFrame<N>,
    color: usize,
    number: usize,
}

/// A set of cells of a square board.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellBitboard([u64; WORDS]);

impl CellBitboard {
    /// The empty set.
    pub(super) const fn new() -> CellBitboard {
        CellBitboard([0; WORDS])
    }

    /// Adds a cell. Returns whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, cell: Cell) -> bool {
        let word = &mut self.0[cell.index() / 64 % WORDS];
        let before = *word;
        *word |= 1 << (cell.index() % 64);
        *word != before
    }

    #[inline]
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64 % WORDS] >> (cell.index() % 64) & 1 != 0
    }

    /// The set of one cell.
    pub(super) fn of(cell: Cell) -> CellBitboard {
        let mut cells = CellBitboard::new();
        cells.insert(cell);
        cells
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Adds the cells of a bitboard.
    #[inline]
    pub(super) fn add<const N: usize>(&mut self, board: BitboardRef<'_, N>) {
        if !board.is_empty() {
            self.0.iter_mut().enumerate().for_each(|(index, word)| *word |= board.word(index));
        }
    }

    /// The union with another set.
    #[inline]
    pub(super) fn union(self, others: CellBitboard) -> CellBitboard {
        CellBitboard(std::array::from_fn(|index| self.0[index] | others.0[index]))
    }

    /// The cells in order.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = Cell> {
        let CellBitboard(words) = self;
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

impl Extend<Cell> for CellBitboard {
    fn extend<T: IntoIterator<Item = Cell>>(&mut self, cells: T) {
        for cell in cells {
            self.insert(cell);
        }
    }
}

impl<const N: usize> BitboardStack<N> {
    /// Empty bitboards for a board of that many cells.
    pub(super) fn new(cells: usize) -> BitboardStack<N> {
        let empty = BitboardFrame { words: [[[0; BOARDS]; N]; WORDS], lens: [[0; BOARDS]; N] };
        BitboardStack { frames: vec![empty], current: 0, words: cells.div_ceil(64).min(WORDS) }
    }

    /// A bitboard of a color.
    #[inline]
    pub(super) fn board(&self, color: usize, number: usize) -> BitboardRef<'_, N> {
        BitboardRef { frame: &self.frames[self.current], color: color % N, number: number % BOARDS }
    }

    /// The bitboards of a color that are not empty, a bit each.
    #[inline]
    pub(super) fn non_empty(&self, color: usize) -> u32 {
        let lens = self.frames[self.current].lens[color % N].iter().enumerate();
        lens.fold(0, |non_empty, (number, &len)| non_empty | u32::from(len != 0) << number)
    }

    /// The union of a range of bitboards of a color.
    #[inline]
    pub(super) fn union(&self, color: usize, numbers: Range<usize>) -> CellBitboard {
        let mut union = CellBitboard::new();
        let words = &self.frames[self.current].words[..self.words];
        for (all, words) in union.0.iter_mut().zip(words) {
            *all = words[color % N][numbers.clone()].iter().fold(0, |all, word| all | word);
        }
        union
    }

    /// Starts a sequence of changes.
    #[inline]
    pub(super) fn change(&mut self) -> BitboardChanges<'_, N> {
        let BitboardFrame { words, lens } = &mut self.frames[self.current];
        BitboardChanges { words, counts: *lens, lens }
    }

    /// Saves a copy. Returns its number for [`BitboardStack::restore`].
    #[inline]
    pub(super) fn save(&mut self) -> usize {
        let (saved, current) = (self.current, self.current + 1);
        match self.frames.split_at_mut(current) {
            (old, [new, ..]) => {
                let old = &old[saved];
                let words = new.words.iter_mut().zip(&old.words).take(self.words);
                words.for_each(|(new, old)| *new = *old);
                new.lens = old.lens;
            }
            _ => self.frames.push(self.frames[saved]),
        }
        self.current = current;
        saved
    }

    /// Restores a saved copy.
    #[inline]
    pub(super) fn restore(&mut self, saved: usize) {
        self.current = saved.min(self.current);
    }

    /// Drops all saved copies.
    pub(super) fn clear_saved(&mut self) {
        self.frames.swap(0, self.current);
        self.current = 0;
    }
}

/// A sequence of changes. The population counts are kept in registers and stored at the end: each change in memory would
/// have to wait for the one before it.
#[derive(Debug)]
pub(super) struct BitboardChanges<'a, const N: usize> {
    words: &'a mut [[[u64; BOARDS]; N]; WORDS],
    counts: [[u16; BOARDS]; N],
    lens: &'a mut [[u16; BOARDS]; N],
}

/// For each bitboard, the population counts of one cell in it.
static ONE_CELL: [[u16; BOARDS]; BOARDS] = {
    let mut one = [[0; BOARDS]; BOARDS];
    let mut number = 0;
    while number < BOARDS {
        one[number][number] = 1;
        number += 1;
    }
    one
};

impl<const N: usize> BitboardChanges<'_, N> {
    /// Moves a cell from one bitboard of a color to another, or to the same one.
    #[inline]
    pub(super) fn move_cell(&mut self, color: usize, from: usize, to: usize, cell: Cell) {
        let sets = &mut self.words[cell.index() / 64 % WORDS][color % N];
        let bit = 1 << (cell.index() % 64);
        sets[from % BOARDS] ^= bit;
        sets[to % BOARDS] ^= bit;
        let counts = &mut self.counts[color % N];
        for i in 0..BOARDS {
            counts[i] = counts[i]
                .wrapping_add(ONE_CELL[to % BOARDS][i])
                .wrapping_sub(ONE_CELL[from % BOARDS][i]);
        }
    }

    /// Stores the population counts.
    #[inline]
    pub(super) fn finish(self) {
        *self.lens = self.counts;
    }
}

impl<'a, const N: usize> BitboardRef<'a, N> {
    #[inline]
    pub(super) fn len(self) -> usize {
        usize::from(self.frame.lens[self.color][self.number])
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The cells in order.
    #[inline]
    pub(super) fn iter(self) -> BitboardIter<'a, N> {
        BitboardIter { board: self, index: 0, word: self.word(0), left: self.len() }
    }

    #[inline]
    fn word(self, index: usize) -> u64 {
        self.frame.words[index % WORDS][self.color][self.number]
    }
}

/// Iterates over the cells of a bitboard and stops after the last one.
#[derive(Clone, Debug)]
pub(super) struct BitboardIter<'a, const N: usize> {
    board: BitboardRef<'a, N>,
    index: usize,
    word: u64,
    left: usize,
}

impl<const N: usize> Iterator for BitboardIter<'_, N> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        self.left = self.left.checked_sub(1)?;
        while self.word == 0 {
            self.index += 1;
            if self.index == WORDS {
                return None;
            }
            self.word = self.board.word(self.index);
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(Cell((self.index * 64) as u16 + bit as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a cell to a bitboard; bitboard 0 means none.
    fn put_in<const N: usize>(
        boards: &mut BitboardStack<N>,
        color: usize,
        number: usize,
        cell: Cell,
    ) {
        let mut change = boards.change();
        change.move_cell(color, 0, number, cell);
        change.finish();
    }

    fn take_out<const N: usize>(
        boards: &mut BitboardStack<N>,
        color: usize,
        number: usize,
        cell: Cell,
    ) {
        let mut change = boards.change();
        change.move_cell(color, number, 0, cell);
        change.finish();
    }

    /// The cells of the fourth bitboard of the second color.
    fn listed(boards: &BitboardStack<2>) -> Vec<u16> {
        let board = boards.board(1, 3);
        let cells: Vec<_> = board.iter().map(|cell| cell.0).collect();
        assert_eq!(
            boards.non_empty(1) & !1,
            u32::from(!cells.is_empty()) << 3,
            "bitboard 0 means none"
        );
        assert_eq!((board.len(), board.is_empty()), (cells.len(), cells.is_empty()));
        assert!(boards.board(1, 2).is_empty() && boards.board(0, 3).is_empty());
        cells
    }

    #[test]
    fn a_bitboard_lists_what_it_holds_in_order() {
        let mut boards = BitboardStack::new(625);
        for cell in [624, 3, 64, 63, 128] {
            put_in(&mut boards, 1, 3, Cell(cell));
        }
        take_out(&mut boards, 1, 3, Cell(64));
        assert_eq!(listed(&boards), [3, 63, 128, 624]);
    }

    #[test]
    fn a_union_has_each_cell_once_and_in_order() {
        let mut boards = BitboardStack::<2>::new(625);
        for (color, number, cell) in [(0, 1, 624), (1, 3, 3), (0, 1, 3), (1, 3, 64), (1, 2, 9)] {
            put_in(&mut boards, color, number, Cell(cell));
        }
        let mut union = CellBitboard::new();
        for board in [boards.board(0, 1), boards.board(1, 3), boards.board(0, 2)] {
            union.add(board);
        }
        union.insert(Cell(63));
        let cells = |union: CellBitboard| union.iter().map(|cell| cell.0).collect::<Vec<_>>();
        assert_eq!(cells(union), [3, 63, 64, 624]);
        assert_eq!(cells(boards.union(1, 2..4)), [3, 9, 64]);
        assert_eq!(cells(boards.union(1, 3..8).union(boards.union(0, 1..2))), [3, 64, 624]);
        let mut others = CellBitboard::of(Cell(64));
        others.extend([Cell(5), Cell(624)]);
        assert_eq!(cells(others), [5, 64, 624]);
        assert!(!others.is_empty() && CellBitboard::new().is_empty());
    }

    #[test]
    fn saved_copies_are_restored() {
        let mut boards = BitboardStack::new(625);
        for round in 0..2 {
            put_in(&mut boards, 1, 3, Cell(624));
            let first = boards.save();
            take_out(&mut boards, 1, 3, Cell(624));
            put_in(&mut boards, 1, 3, Cell(5));
            let second = boards.save();
            put_in(&mut boards, 1, 3, Cell(64));
            assert_eq!(listed(&boards), [5, 64], "{round}");
            boards.restore(second);
            assert_eq!(listed(&boards), [5], "{round}");
            boards.save();
            assert_eq!(listed(&boards), [5], "{round}");
            boards.restore(first);
            assert_eq!(listed(&boards), [624], "{round}");
            boards.save();
            boards.clear_saved();
            take_out(&mut boards, 1, 3, Cell(624));
            assert!(listed(&boards).is_empty(), "{round}");
        }
    }
}
