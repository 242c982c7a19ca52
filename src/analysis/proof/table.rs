//! The tables of a solver.

use crate::proof::small_game::SmallBoard;

/// The bits of a board in a word. The rest is for a note.
const BOARD_BITS: u32 = 56;
const BOARD: u64 = (1 << BOARD_BITS) - 1;

/// Bits of no point, since boards have at most seven columns.
const SPARE: u64 = 1 << 7;
const IN_USE: u64 = 1 << 15;

/// The entries of a bucket, which is a cache line.
const WAYS: usize = 4;

/// The key of a result: stones, the attacker, and the color to move, without captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableKey([u64; 2]);

impl TableKey {
    pub(super) fn new(stones: [u64; 2], attacker: u8, color: u8) -> TableKey {
        let mark = |color: u8| if color == 0 { 0 } else { SPARE };
        TableKey([stones[0] | mark(attacker) | IN_USE, stones[1] | mark(color)])
    }
}

/// The captures of the attacker and of the defender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CaptureCounts {
    /// The captures of the attacker.
    pub own: u8,
    /// The captures of the defender.
    pub enemy: u8,
}

impl CaptureCounts {
    /// Returns the captures of a board.
    pub(super) fn of(board: &SmallBoard, attacker: u8) -> CaptureCounts {
        let [first, second] = board.captured;
        if attacker == 0 {
            CaptureCounts { own: first, enemy: second }
        } else {
            CaptureCounts { own: second, enemy: first }
        }
    }

    /// Returns whether these captures are at least as good for the attacker as `other`.
    #[inline]
    fn covers(self, other: CaptureCounts) -> bool {
        self.own >= other.own && self.enemy <= other.enemy
    }

    fn byte(self) -> u8 {
        self.own | self.enemy << 4
    }

    fn from_byte(byte: u8) -> CaptureCounts {
        CaptureCounts { own: byte & 15, enemy: byte >> 4 }
    }
}

/// The captures with which a position is known to be won, and those with which it is known not to
/// be.
///
/// More own captures never harm a color, and more enemy captures never help it: the same moves are
/// legal, and games end with the same stones or earlier in favor of the color with more. So a
/// result holds for other captures as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CaptureBounds {
    won: CaptureCounts,
    not_won: CaptureCounts,
}

impl CaptureBounds {
    /// Nothing is known: results for captures that no position has.
    const NONE: CaptureBounds = CaptureBounds {
        won: CaptureCounts { own: 15, enemy: 0 },
        not_won: CaptureCounts { own: 0, enemy: 15 },
    };

    fn from_note([won, not_won]: [u8; 2]) -> CaptureBounds {
        CaptureBounds {
            won: CaptureCounts::from_byte(won),
            not_won: CaptureCounts::from_byte(not_won),
        }
    }

    /// Returns the result for captures between two that have the same result.
    #[inline]
    fn answer(self, worst: CaptureCounts, best: CaptureCounts) -> Option<bool> {
        if self.not_won != CaptureBounds::NONE.not_won && self.not_won.covers(worst) {
            Some(false)
        } else if self.won != CaptureBounds::NONE.won && best.covers(self.won) {
            Some(true)
        } else {
            None
        }
    }
}

/// A hash table that stores whole positions, so that no two are confused: the stones of both colors
/// and a note of two bytes are 128 bits.
#[derive(Debug)]
pub(super) struct ProofTable {
    buckets: Vec<Bucket>,
    mask: usize,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([[u64; 2]; WAYS]);

impl ProofTable {
    /// Creates a table of at most that many MiB, and at least one bucket.
    pub(super) fn new(mebibytes: usize) -> ProofTable {
        let most = (mebibytes << 20) / size_of::<Bucket>();
        let buckets = (most.max(1) + 1).next_power_of_two() / 2;
        ProofTable { buckets: vec![Bucket([[0; 2]; WAYS]); buckets], mask: buckets - 1 }
    }

    #[inline]
    fn place(&self, TableKey([one, two]): TableKey) -> usize {
        let mixed = one.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ two.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 20) as usize & self.mask
    }

    /// Returns the note of a position.
    #[inline]
    fn note(&self, key: TableKey) -> Option<[u8; 2]> {
        let bucket = &self.buckets[self.place(key)].0;
        bucket.iter().find(|entry| key_of(**entry) == key).map(|entry| note_of(*entry))
    }

    /// Stores a note. In a full bucket it replaces the position with the most stones, which is the
    /// cheapest to search again, and sometimes another one.
    fn put_note(&mut self, key: TableKey, note: [u8; 2]) {
        let place = self.place(key);
        let bucket = &mut self.buckets[place].0;
        let mine = bucket.iter().position(|entry| key_of(*entry) == key);
        let slot = mine.or_else(|| bucket.iter().position(|entry| *entry == [0; 2]));
        let slot = slot.unwrap_or_else(|| {
            let fullest = (0..WAYS).max_by_key(|&index| stones(bucket[index])).unwrap_or(0);
            let any = (key.0[0] ^ key.0[1]).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
            if any < WAYS as u64 { any as usize } else { fullest }
        });
        let [one, two] = note.map(|byte| u64::from(byte) << BOARD_BITS);
        bucket[slot] = [key.0[0] | one, key.0[1] | two];
    }

    /// Returns whether a position is won, if that is known, with captures between two that have the
    /// same result.
    #[inline]
    pub(super) fn answer(
        &self,
        key: TableKey,
        worst: CaptureCounts,
        best: CaptureCounts,
    ) -> Option<bool> {
        CaptureBounds::from_note(self.note(key)?).answer(worst, best)
    }

    /// Stores that a position is won with these captures.
    pub(super) fn put_won(&mut self, key: TableKey, worst: CaptureCounts) {
        let known = self.note(key).map_or(CaptureBounds::NONE, CaptureBounds::from_note);
        self.put_note(key, [worst.byte(), known.not_won.byte()]);
    }

    /// Stores that a position is not won with these captures.
    pub(super) fn put_not_won(&mut self, key: TableKey, best: CaptureCounts) {
        let known = self.note(key).map_or(CaptureBounds::NONE, CaptureBounds::from_note);
        self.put_note(key, [known.won.byte(), best.byte()]);
    }

    /// Returns the plies within which a position was not won with these captures or better ones; 0
    /// if unknown.
    #[inline]
    pub(super) fn failed_plies(&self, key: TableKey, counts: CaptureCounts) -> u32 {
        let failed = self.note(key).filter(|note| CaptureCounts::from_byte(note[0]).covers(counts));
        failed.map_or(0, |note| note[1].into())
    }

    /// Stores that a position was not won within that many plies with these captures.
    pub(super) fn put_failed(&mut self, key: TableKey, counts: CaptureCounts, plies: u32) {
        self.put_note(key, [counts.byte(), plies as u8]);
    }
}

#[inline]
fn key_of(entry: [u64; 2]) -> TableKey {
    TableKey(entry.map(|word| word & BOARD))
}

#[inline]
fn note_of(entry: [u64; 2]) -> [u8; 2] {
    entry.map(|word| (word >> BOARD_BITS) as u8)
}

/// Returns the number of stones of an entry.
fn stones([one, two]: [u64; 2]) -> u32 {
    ((one | two) & BOARD & !(SPARE | IN_USE)).count_ones()
}
