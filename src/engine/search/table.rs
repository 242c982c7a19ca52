//! A lock-free hash table of search results, shared by all threads.

use super::prefetch::prefetch;
use super::{Bound, Score, zeroed};
use pentarch_core::game::{Key, Move};
use rayon::ThreadPool;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSliceMut;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What is remembered of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, if one was found.
    pub mv: Option<Move>,
    /// Its value, counted from the node ([`Score::at_node`]).
    pub score: Score,
    /// What the value says.
    pub bound: Bound,
    /// Plies that were searched below the node.
    pub depth: u8,
}

impl Entry {
    /// Whether the value is a win or a loss that holds at any depth.
    pub fn is_proof(self) -> bool {
        match self.bound {
            Bound::Lower => self.score.is_win(),
            Bound::Upper => self.score.is_loss(),
            Bound::Exact => self.score.mate().is_some(),
        }
    }
}

/// A key XOR its data, and the data: a slot torn by two threads matches no key (Hyatt and
/// Mann, "A lock-less transposition table implementation", 2002).
type Slot = [AtomicU64; 2];

/// Slots that a key may lie in.
const CLUSTER: usize = 4;
/// Bytes of them, as many as a line of the processor's cache.
const LINE: usize = CLUSTER * size_of::<Slot>();

/// Slots that a thread wipes in one go.
const WIPED: usize = 1 << 16;

/// A fixed number of slots; a new result replaces the least useful of four.
#[derive(Debug)]
pub struct TranspositionTable {
    /// A few more than there are to use.
    memory: Box<[Slot]>,
    /// Where a line of the cache begins, so that no four slots lie in two.
    first: usize,
    /// The number of slots in use, a power of two.
    count: usize,
    generation: AtomicU8,
}

/// A table of that size does not fit in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a hash table of {mebibytes} MiB")]
pub struct TableTooLarge {
    mebibytes: usize,
}

/// Bits 0 to 31 move, 32 to 47 score, 48 to 55 depth, 56 and 57 bound, 58 to 63 generation.
const NO_MOVE: u32 = u32::MAX;
const GENERATIONS: u8 = 64;

impl TranspositionTable {
    /// A table of at most `mebibytes`, one at least. The operating system gives the memory only
    /// as it is used.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, TableTooLarge> {
        let wanted = mebibytes.max(1).saturating_mul(1 << 20) / size_of::<Slot>();
        let count = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        let memory = zeroed::pairs(count.saturating_add(CLUSTER));
        let memory = memory.ok_or(TableTooLarge { mebibytes })?;
        let first = memory.as_ptr().align_offset(LINE).min(CLUSTER);
        Ok(TranspositionTable { memory, first, count, generation: AtomicU8::new(0) })
    }

    /// Forgets all results, with the threads of a pool if there is one. The memory stays at hand: where new
    /// memory is taken instead, the next search waits for the operating system to wipe it.
    pub fn clear(&mut self, pool: Option<&ThreadPool>) {
        match pool {
            Some(pool) => pool.install(|| self.memory.par_chunks_mut(WIPED).for_each(wipe)),
            None => wipe(&mut self.memory),
        }
        *self.generation.get_mut() = 0;
    }

    /// Marks the start of a search: older results give way first.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// What is remembered of a position.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<Entry> {
        let found = self.cluster(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (check.load(Ordering::Relaxed) ^ data == key.0 && data != 0).then_some(data)
        });
        found.and_then(unpack)
    }

    /// Remembers a result in place of an older one for the same position, or else of the least
    /// useful of the four. A proof is not given up for less: a search that wants the exact length of a
    /// win may overlook the win.
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
            let value = value(data, generation);
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

    /// The key of a position for results that mean nothing to searches of another kind; kinds are any
    /// numbers. Its slots are those of the position itself, which are at hand where a search of one
    /// kind begins within another.
    #[inline]
    pub fn key_of_kind(key: Key, kind: u32) -> Key {
        // A table of 64 GiB is numbered by the low half.
        Key(key.0 ^ u64::from(kind) << 32)
    }

    /// Has the slots of a position brought near that [`TranspositionTable::probe`] is about to read:
    /// memory takes as long as dozens of instructions.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.cluster(key));
    }

    /// How many thousandths of the table hold results of this search, by a sample.
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

fn wipe(slots: &mut [Slot]) {
    for word in slots.iter_mut().flatten() {
        *word.get_mut() = 0;
    }
}

/// Empty slots first, then old results, then shallow ones.
fn value(data: u64, generation: u8) -> i32 {
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
        table.clear(None);
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
                assert_eq!(cluster.as_ptr().addr() % LINE, 0);
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
