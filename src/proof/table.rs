//! What a solver remembers of positions.

use super::rules::{SmallBoard, Value};

/// The bits of a board of stones in a word; the rest is for numbers.
const BOARD_BITS: u32 = 56;
const BOARD: u64 = (1 << BOARD_BITS) - 1;

/// Entries that a position may lie in.
const WAYS: usize = 4;

/// Between what values the value of a position lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub least: Value,
    pub most: Value,
}

impl Bounds {
    /// Nothing is known.
    pub(super) const NONE: Bounds = Bounds { least: Value::Second, most: Value::First };

    /// Whether the value reaches the goal, if that is known.
    #[inline]
    pub(super) fn reaches(self, goal: Value) -> Option<bool> {
        if self.least >= goal {
            Some(true)
        } else if self.most < goal {
            Some(false)
        } else {
            None
        }
    }

    /// The bounds after it has become known whether the value reaches the goal.
    pub(super) fn with(self, goal: Value, reached: bool) -> Bounds {
        match (goal, reached) {
            (_, true) => Bounds { least: self.least.max(goal), ..self },
            (Value::First, false) => Bounds { most: self.most.min(Value::Draw), ..self },
            (_, false) => Bounds { most: Value::Second, ..self },
        }
    }

    fn bits(self) -> u64 {
        // No bounds are zero, which marks a free entry.
        let number = |value: Value| (value as i8 + 2) as u64;
        number(self.least) | number(self.most) << 2
    }

    fn from_bits(bits: u64) -> Bounds {
        let value = |bits: u64| match bits & 3 {
            1 => Value::Second,
            2 => Value::Draw,
            _ => Value::First,
        };
        Bounds { least: value(bits), most: value(bits >> 2) }
    }
}

/// A table of positions that are held whole, so that no two are ever taken for one: both sets of
/// stones, both counts and both bounds are 128 bits. Whose turn it is follows from the number of
/// stones, since one search starts from one position.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<[u64; 2]>,
    /// Selects a group of [`WAYS`] entries.
    mask: usize,
}

impl Table {
    /// A table of at most that many MiB, and at least one group of entries.
    pub(super) fn new(mebibytes: usize) -> Table {
        let most = (mebibytes << 20) / size_of::<[u64; 2]>();
        let entries = (most.max(WAYS) + 1).next_power_of_two() / 2;
        Table { entries: vec![[0; 2]; entries], mask: entries - WAYS }
    }

    #[inline]
    fn words(board: &SmallBoard) -> [u64; 2] {
        let [one, two] = board.captured.map(|count| u64::from(count) << BOARD_BITS);
        [board.stones[0] | one, board.stones[1] | two]
    }

    #[inline]
    fn place(&self, [one, two]: [u64; 2]) -> usize {
        let mixed = one.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ two.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 20) as usize & self.mask
    }

    /// The number kept for a position, 0 if there is none.
    #[inline]
    pub(super) fn number(&self, board: &SmallBoard) -> u64 {
        let words = Table::words(board);
        let place = self.place(words);
        let found = self.entries[place..place + WAYS].iter().find(|entry| is_of(entry, words));
        found.map_or(0, |entry| entry[1] >> 60)
    }

    /// Keeps a number from 1 to 15 for a position. A full group loses the position that is nearest to
    /// the end of the game, which is the cheapest to search again, and now and then any other.
    pub(super) fn put_number(&mut self, board: &SmallBoard, number: u64) {
        let words = Table::words(board);
        let place = self.place(words);
        let group = &mut self.entries[place..place + WAYS];
        let free = |entry: &[u64; 2]| entry[1] >> 60 == 0;
        let mine = group.iter().position(|entry| is_of(entry, words));
        let slot = mine.or_else(|| group.iter().position(free)).unwrap_or_else(|| {
            let nearest = (0..WAYS).max_by_key(|&index| placed(group[index])).unwrap_or(0);
            let any = (words[0] ^ words[1]).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
            if any < WAYS as u64 { any as usize } else { nearest }
        });
        group[slot] = [words[0], words[1] | number << 60];
    }

    /// What is known of the value of a position.
    #[inline]
    pub(super) fn get(&self, board: &SmallBoard) -> Bounds {
        match self.number(board) {
            0 => Bounds::NONE,
            bits => Bounds::from_bits(bits),
        }
    }

    /// Remembers bounds of a position.
    pub(super) fn put(&mut self, board: &SmallBoard, bounds: Bounds) {
        self.put_number(board, bounds.bits());
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.fill([0; 2]);
    }
}

/// Whether an entry is in use and of these words.
#[inline]
fn is_of(entry: &[u64; 2], words: [u64; 2]) -> bool {
    entry[0] == words[0]
        && entry[1] & (BOARD | 0xf << BOARD_BITS) == words[1]
        && entry[1] >> 60 != 0
}

/// How many stones had been placed.
fn placed([one, two]: [u64; 2]) -> u64 {
    let stones = u64::from(((one | two) & BOARD).count_ones());
    stones + (one >> BOARD_BITS & 0xf) + (two >> BOARD_BITS & 0xf)
}
