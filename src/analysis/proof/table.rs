//! What a solver remembers of positions.

use crate::proof::small_game::SmallBoard;

/// The bits of a board of stones in a word; the rest is for a note.
const BOARD_BITS: u32 = 56;
const BOARD: u64 = (1 << BOARD_BITS) - 1;

/// Bits that belong to no point, as boards have no more than seven columns.
const SPARE: u64 = 1 << 7;
const IN_USE: u64 = 1 << 15;

/// Entries that a position may lie in: those of a line of the processor's cache.
const WAYS: usize = 4;

/// What results are kept under: stones, the color that asks whether it wins, and the color to move.
/// Captured stones are no part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key([u64; 2]);

impl Key {
    pub(super) fn new(stones: [u64; 2], attacker: u8, color: u8) -> Key {
        let mark = |color: u8| if color == 0 { 0 } else { SPARE };
        Key([stones[0] | mark(attacker) | IN_USE, stones[1] | mark(color)])
    }
}

/// Captured stones of the color that asks and of the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Those that the color that asks has captured.
    pub own: u8,
    /// Those that the other color has captured.
    pub enemy: u8,
}

impl Counts {
    /// The counts of a board.
    pub(super) fn of(board: &SmallBoard, attacker: u8) -> Counts {
        let [first, second] = board.captured;
        if attacker == 0 {
            Counts { own: first, enemy: second }
        } else {
            Counts { own: second, enemy: first }
        }
    }

    /// Whether a color that has captured so much is at least as near to a win as with other counts.
    #[inline]
    fn covers(self, other: Counts) -> bool {
        self.own >= other.own && self.enemy <= other.enemy
    }

    fn byte(self) -> u8 {
        self.own | self.enemy << 4
    }

    fn from_byte(byte: u8) -> Counts {
        Counts { own: byte & 15, enemy: byte >> 4 }
    }
}

/// With what captured stones a position is known to be won, and with what it is known not to be.
///
/// More captured stones do a color no harm, and more of the enemy do it no good: what can be played is
/// the same, and games end at the same stones or earlier in favor of who has more. So an answer holds
/// for other counts as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    won: Counts,
    not_won: Counts,
}

impl Verdict {
    /// Nothing is known: answers for counts that no position has.
    const NONE: Verdict =
        Verdict { won: Counts { own: 15, enemy: 0 }, not_won: Counts { own: 0, enemy: 15 } };

    fn from_note([won, not_won]: [u8; 2]) -> Verdict {
        Verdict { won: Counts::from_byte(won), not_won: Counts::from_byte(not_won) }
    }

    /// The answer for counts between two that have the same.
    #[inline]
    fn answer(self, worst: Counts, best: Counts) -> Option<bool> {
        if self.not_won != Verdict::NONE.not_won && self.not_won.covers(worst) {
            Some(false)
        } else if self.won != Verdict::NONE.won && best.covers(self.won) {
            Some(true)
        } else {
            None
        }
    }
}

/// A table of positions that are held whole, so that no two are ever taken for one: both sets of
/// stones, and a note of two bytes, are 128 bits.
#[derive(Debug)]
pub(super) struct Table {
    groups: Vec<Group>,
    mask: usize,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Group([[u64; 2]; WAYS]);

impl Table {
    /// A table of at most that many MiB, and at least one group of entries.
    pub(super) fn new(mebibytes: usize) -> Table {
        let most = (mebibytes << 20) / size_of::<Group>();
        let groups = (most.max(1) + 1).next_power_of_two() / 2;
        Table { groups: vec![Group([[0; 2]; WAYS]); groups], mask: groups - 1 }
    }

    #[inline]
    fn place(&self, Key([one, two]): Key) -> usize {
        let mixed = one.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ two.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 20) as usize & self.mask
    }

    /// The note of a position.
    #[inline]
    fn note(&self, key: Key) -> Option<[u8; 2]> {
        let group = &self.groups[self.place(key)].0;
        group.iter().find(|entry| key_of(**entry) == key).map(|entry| note_of(*entry))
    }

    /// Keeps a note. A full group loses the position with the most stones, which is the cheapest to
    /// search again, and now and then any other.
    fn put_note(&mut self, key: Key, note: [u8; 2]) {
        let place = self.place(key);
        let group = &mut self.groups[place].0;
        let mine = group.iter().position(|entry| key_of(*entry) == key);
        let slot = mine.or_else(|| group.iter().position(|entry| *entry == [0; 2]));
        let slot = slot.unwrap_or_else(|| {
            let fullest = (0..WAYS).max_by_key(|&index| stones(group[index])).unwrap_or(0);
            let any = (key.0[0] ^ key.0[1]).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
            if any < WAYS as u64 { any as usize } else { fullest }
        });
        let [one, two] = note.map(|byte| u64::from(byte) << BOARD_BITS);
        group[slot] = [key.0[0] | one, key.0[1] | two];
    }

    /// Whether a position is won, if that is known, with counts between two that have one answer.
    #[inline]
    pub(super) fn answer(&self, key: Key, worst: Counts, best: Counts) -> Option<bool> {
        Verdict::from_note(self.note(key)?).answer(worst, best)
    }

    /// Remembers that a position is won with these counts.
    pub(super) fn put_won(&mut self, key: Key, worst: Counts) {
        let known = self.note(key).map_or(Verdict::NONE, Verdict::from_note);
        self.put_note(key, [worst.byte(), known.not_won.byte()]);
    }

    /// Remembers that a position is not won with these counts.
    pub(super) fn put_not_won(&mut self, key: Key, best: Counts) {
        let known = self.note(key).map_or(Verdict::NONE, Verdict::from_note);
        self.put_note(key, [known.won.byte(), best.byte()]);
    }

    /// The plies within which a position was not won with these counts or better ones; 0 if that is
    /// not known.
    #[inline]
    pub(super) fn failed_plies(&self, key: Key, counts: Counts) -> u32 {
        let failed = self.note(key).filter(|note| Counts::from_byte(note[0]).covers(counts));
        failed.map_or(0, |note| note[1].into())
    }

    /// Remembers that a position was not won within that many plies with these counts.
    pub(super) fn put_failed(&mut self, key: Key, counts: Counts, plies: u32) {
        self.put_note(key, [counts.byte(), plies as u8]);
    }
}

#[inline]
fn key_of(entry: [u64; 2]) -> Key {
    Key(entry.map(|word| word & BOARD))
}

#[inline]
fn note_of(entry: [u64; 2]) -> [u8; 2] {
    entry.map(|word| (word >> BOARD_BITS) as u8)
}

/// How many stones an entry has on the board.
fn stones([one, two]: [u64; 2]) -> u32 {
    ((one | two) & BOARD & !(SPARE | IN_USE)).count_ones()
}
