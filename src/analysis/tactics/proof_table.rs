//! What a prover remembers of positions.

use super::Reach;
use pentarch_core::game::{Key, Move};
use std::collections::HashMap;

/// Greater numbers of quiet moves are treated as this one.
const MOST_QUIET: usize = 3;

/// What was found out of positions with the attacker to move, by their 64-bit key.
#[derive(Clone, Debug, Default)]
pub(super) struct ProofTable(HashMap<Key, ProofEntry>);

/// What is known of a position; 0 stands for nothing.
#[derive(Clone, Copy, Debug, Default)]
struct ProofEntry {
    /// The fewest plies within which a win is proved.
    won: u32,
    /// The first move of that win.
    first: Option<Move>,
    /// The most plies within which no win was found, by the number of quiet moves allowed.
    tried: [u32; MOST_QUIET + 1],
}

/// With this many positions, about 250 MB, everything is forgotten.
const MOST_POSITIONS: usize = 4_000_000;

impl ProofTable {
    /// Whether a position is known to be a win within that reach, or not to be one.
    pub(super) fn get(&self, key: Key, reach: Reach) -> Option<bool> {
        let entry = self.0.get(&key)?;
        if entry.won > 0 && entry.won <= reach.plies {
            return Some(true);
        }
        let quiet = (reach.quiet as usize).min(MOST_QUIET);
        entry.tried[quiet..].iter().any(|&plies| plies >= reach.plies).then_some(false)
    }

    /// The first move of the shortest win that is known.
    pub(super) fn first(&self, key: Key) -> Option<Move> {
        self.0.get(&key).and_then(|entry| entry.first)
    }

    /// Remembers the first move of a win within that reach, or that none was found.
    pub(super) fn put(&mut self, key: Key, reach: Reach, first: Option<Move>) {
        if self.0.len() >= MOST_POSITIONS {
            self.0.clear();
        }
        let entry = self.0.entry(key).or_default();
        if first.is_some() {
            if entry.won == 0 || reach.plies < entry.won {
                *entry = ProofEntry { won: reach.plies, first, ..*entry };
            }
        } else if let Some(tried) = entry.tried.get_mut(reach.quiet as usize) {
            *tried = (*tried).max(reach.plies);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::game::Cell;

    #[test]
    fn facts_hold_for_smaller_and_larger_reaches_only() {
        let (mut known, key) = (ProofTable::default(), Key(7));
        let reach = |plies, quiet| Reach { plies, quiet };
        assert_eq!(known.get(key, reach(3, 0)), None);
        known.put(key, reach(5, 1), None);
        assert_eq!(known.get(key, reach(5, 1)), Some(false));
        assert_eq!(known.get(key, reach(3, 0)), Some(false));
        assert_eq!(known.get(key, reach(5, 2)), None);
        assert_eq!(known.get(key, reach(7, 1)), None);
        let first = Some(Move::stone(Cell(3)));
        known.put(key, reach(7, 2), first);
        assert_eq!(known.first(key), first);
        assert_eq!(known.get(key, reach(7, 0)), Some(true));
        assert_eq!(known.get(key, reach(9, 3)), Some(true));
        assert_eq!(known.get(key, reach(5, 2)), None);
        assert_eq!(known.get(Key(8), reach(7, 2)), None);
    }
}
