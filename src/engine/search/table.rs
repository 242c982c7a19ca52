//! A lock-free hash table of search results, shared by all threads.

use super::memory::{prefetch, zeroed_pairs};
use super::{Bound, Score};
use pentarch_core::game::{Key, Move};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// A stored search result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, if one was found.
    pub mv: Option<Move>,
    /// The score, relative to the node ([`Score::at_node`]).
    pub score: Score,
    /// The bound of the score.
    pub bound: Bound,
    /// The depth of the search.
    pub depth: u8,
}

impl Entry {
    /// Whether the score is a proved win or loss, which is valid at any depth.
    pub fn is_proof(self) -> bool {
        match self.bound {
            Bound::Lower => self.score.is_win(),
            Bound::Upper => self.score.is_loss(),
            Bound::Exact => self.score.mate().is_some(),
        }
    }
}

/// The key XOR the data, and the data, so that a slot written by two threads at once matches no key (Hyatt and
/// Mann, "A lock-less transposition table implementation", 2002).
type Slot = [AtomicU64; 2];

/// The slots that may hold a key.
const CLUSTER: usize = 4;
/// The bytes of a cluster, which are a cache line.
const CACHE_LINE: usize = CLUSTER * size_of::<Slot>();

/// A lock-free hash table of a fixed size. A new result replaces the least valuable entry of its cluster.
#[derive(Debug)]
pub struct TranspositionTable {
    /// The slots, with some more for the alignment.
    memory: Box<[Slot]>,
    /// The index of the first slot at the start of a cache line.
    first: usize,
    /// The number of slots in use, a power of two.
    count: usize,
    /// The size for which the table was allocated.
    mebibytes: usize,
    generation: AtomicU8,
}

/// The memory for a table could not be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a hash table of {mebibytes} MiB")]
pub struct TableTooLarge {
    mebibytes: usize,
}

// An entry in 64 bits: 0 to 31 move, 32 to 47 score, 48 to 55 depth, 56 and 57 bound, 58 to 63 generation.
const NO_MOVE: u32 = u32::MAX;
const GENERATIONS: u8 = 64;

impl TranspositionTable {
    /// Allocates a table of at most `mebibytes`, at least one. The operating system provides the pages on first use.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, TableTooLarge> {
        let wanted = mebibytes.max(1).saturating_mul(1 << 20) / size_of::<Slot>();
        let count = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        let memory = zeroed_pairs(count.saturating_add(CLUSTER));
        let memory = memory.ok_or(TableTooLarge { mebibytes })?;
        let first = memory.as_ptr().align_offset(CACHE_LINE).min(CLUSTER);
        Ok(TranspositionTable { memory, first, count, mebibytes, generation: AtomicU8::new(0) })
    }

    /// The size in MiB for which the table was allocated.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Clears all entries. The table moves to new memory, whose pages the operating system provides on first use, so
    /// that the time does not depend on the size. Writes zeros if there is no new memory.
    pub fn clear(&mut self) {
        if let Ok(table) = TranspositionTable::new(self.mebibytes) {
            *self = table;
        } else {
            self.memory.iter_mut().flatten().for_each(|word| *word.get_mut() = 0);
            *self.generation.get_mut() = 0;
        }
    }

    /// Starts a new generation. Entries of older generations are replaced first.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// The entry of a position.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<Entry> {
        let found = self.cluster(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (check.load(Ordering::Relaxed) ^ data == key.0 && data != 0).then_some(data)
        });
        found.and_then(unpack)
    }

    /// Stores a result in place of one for the same position, or else of the least valuable entry of the cluster. A proof
    /// is replaced by proofs only.
    #[inline]
    pub fn store(&self, key: Key, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut worst: Option<(&Slot, i32)> = None;
        for slot in self.cluster(key) {
            let [check, data] = slot;
            let data = data.load(Ordering::Relaxed);
            if check.load(Ordering::Relaxed) ^ data == key.0 {
                if let Some(old) = unpack(data) {
                    entry.mv = entry.mv.or(old.mv);
                    if old.is_proof() && !entry.is_proof() {
                        entry = old;
                    }
                }
                worst = Some((slot, 0));
                break;
            }
            let value = replacement_value(data, generation);
            if worst.is_none_or(|(_, least)| value < least) {
                worst = Some((slot, value));
            }
        }
        if let Some(([check, data], _)) = worst {
            let packed = pack(entry, generation);
            data.store(packed, Ordering::Relaxed);
            check.store(key.0 ^ packed, Ordering::Relaxed);
        }
    }

    /// The key of a position for results that are valid in one kind of search only; `kind` is any number. The cluster is
    /// that of the position itself.
    #[inline]
    pub fn key_of_kind(key: Key, kind: u32) -> Key {
        // The low half is the index, even of a table of 64 GiB.
        Key(key.0 ^ u64::from(kind) << 32)
    }

    /// Prefetches the cluster of a position for a later [`TranspositionTable::probe`].
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.cluster(key));
    }

    /// The share of the table with entries of this generation, in thousandths, estimated from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.memory[self.first..][..self.count.min(1000)];
        let used = sample.iter().filter(|[_, data]| {
            let data = data.load(Ordering::Relaxed);
            data != 0 && (data >> 58) as u8 == generation
        });
        (used.count() * 1000 / sample.len()) as u32
    }

    #[inline]
    fn cluster(&self, key: Key) -> &[Slot] {
        let start = self.first + (key.0 as usize & (self.count - 1) & !(CLUSTER - 1));
        &self.memory[start..start + CLUSTER]
    }
}

/// The replacement value of a slot: the least for empty slots, less for old and for shallow entries.
fn replacement_value(data: u64, generation: u8) -> i32 {
    if data == 0 {
        return i32::MIN;
    }
    let age = (generation + GENERATIONS - (data >> 58) as u8) % GENERATIONS;
    i32::from((data >> 48) as u8) - 8 * i32::from(age)
}

fn pack(entry: Entry, generation: u8) -> u64 {
    let bound: u64 = match entry.bound {
        Bound::Exact => 3,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    u64::from(entry.mv.map_or(NO_MOVE, Move::bits))
        | u64::from(entry.score.bits()) << 32
        | u64::from(entry.depth) << 48
        | bound << 56
        | u64::from(generation) << 58
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match (data >> 56) & 3 {
        3 => Bound::Exact,
        1 => Bound::Lower,
        2 => Bound::Upper,
        _ => return None,
    };
    Some(Entry {
        mv: Move::from_bits(data as u32),
        score: Score::from_bits((data >> 32) as u16),
        bound,
        depth: (data >> 48) as u8,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::game::Cell;

    fn entry(depth: u8) -> Entry {
        let mv = Some(Move::stone(Cell(180)));
        Entry { mv, score: Score::points(-42), bound: Bound::Upper, depth }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(Key(77), entry(9));
        assert_eq!(table.probe(Key(77)), Some(entry(9)));
        assert_eq!(table.probe(Key(78)), None);
        assert_eq!(table.probe(Key(0)), None);
    }

    #[test]
    fn a_cleared_table_is_like_a_new_one() {
        let mut table = TranspositionTable::new(3).unwrap();
        let keys = || (0..50_000_u64).map(|n| Key(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        table.age();
        keys().for_each(|key| table.store(key, entry(9)));
        assert!(table.hashfull() > 100 && keys().any(|key| table.probe(key).is_some()));
        table.clear();
        assert_eq!(keys().find(|key| table.probe(*key).is_some()), None);
        assert_eq!((table.hashfull(), table.generation.load(Ordering::Relaxed)), (0, 0));
    }

    #[test]
    fn a_proof_gives_way_to_proofs_alone() {
        let table = TranspositionTable::new(1).unwrap();
        let win = |plies| Entry { score: Score::win_in(plies), bound: Bound::Lower, ..entry(3) };
        for (stored, found) in [(win(9), win(9)), (entry(12), win(9)), (win(7), win(7))] {
            table.store(Key(77), stored);
            assert_eq!(table.probe(Key(77)), Some(found));
        }
    }

    #[test]
    fn four_slots_lie_in_one_line_of_the_cache() {
        for mebibytes in [1, 3, 64] {
            let table = TranspositionTable::new(mebibytes).unwrap();
            for key in [Key(0), Key(5), Key(u64::MAX)] {
                table.prefetch(key);
                let cluster = table.cluster(key);
                assert_eq!(cluster.len(), CLUSTER);
                assert_eq!(cluster.as_ptr().addr() % CACHE_LINE, 0);
            }
        }
    }

    #[test]
    fn results_of_another_kind_lie_beside_the_others() {
        let table = TranspositionTable::new(64).unwrap();
        let other = TranspositionTable::key_of_kind(Key(77), 5);
        table.store(Key(77), entry(9));
        table.store(other, entry(3));
        assert_eq!(table.probe(Key(77)), Some(entry(9)));
        assert_eq!(table.probe(other), Some(entry(3)));
        assert_eq!(table.cluster(other).as_ptr(), table.cluster(Key(77)).as_ptr());
    }

    #[test]
    fn deep_results_outlive_shallow_ones_until_they_are_old() {
        let table = TranspositionTable::new(1).unwrap();
        let keys = |n: u64| Key(n << 40);
        table.store(keys(1), entry(20));
        for n in 2..12 {
            table.store(keys(n), entry(1));
        }
        assert!(table.probe(keys(1)).is_some());
        for _ in 0..5 {
            table.age();
        }
        for n in 12..16 {
            table.store(keys(n), entry(1));
        }
        assert!(table.probe(keys(1)).is_none());
    }

    #[test]
    fn a_result_without_a_move_keeps_the_old_move() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(Key(5), entry(3));
        table.store(Key(5), Entry { mv: None, ..entry(4) });
        assert_eq!(table.probe(Key(5)), Some(entry(4)));
    }
}
