//! The first puzzle: to reach a level by the rules, both colors helping each other.
//!
//! A randomized beam search: from each position kept, every legal move is rated by the levels and
//! floors it makes, and the best few hundred positions go on. Each run has its own weights, drawn
//! at random, so that runs differ; nothing is proven by their failure.

use super::Deadline;
use fastrand::Rng;
use pentarch_core::game::{Key, Move, MoveList, Position as _};
use pentarch_core::stacking::{Layers, Position};
use std::collections::HashSet;

/// A game that goes high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tower {
    /// The highest level with a tile.
    pub level: u8,
    /// The moves up to the first tile on that level.
    pub moves: Vec<Move>,
}

/// One search after the other, each from the empty table.
#[derive(Clone, Debug)]
pub struct TowerSearch {
    start: Position,
    rng: Rng,
    width: usize,
}

/// What a run prefers.
#[derive(Clone, Copy, Debug)]
struct Taste {
    /// How much more a tile is worth one level up.
    level: f64,
    /// What a cell of floor beside the tile on its level is worth, as a part of the tile.
    floor: f64,
    /// How much chance there is in it.
    noise: f64,
}

struct Candidate {
    value: f64,
    parent: usize,
    mv: Move,
}

impl TowerSearch {
    /// No level is higher: every level but the last needs two tiles, and there are 24.
    pub const BOUND: u8 = Layers::MAX_LEVEL as u8;

    /// Prepares searches that keep `width` positions at a time.
    pub fn new(start: Position, seed: u64, width: usize) -> TowerSearch {
        TowerSearch { start, rng: Rng::with_seed(seed), width: width.max(1) }
    }

    /// One run. Returns the highest tower it came by, or none if it was stopped before the end.
    pub fn run(&mut self, deadline: &Deadline) -> Option<Tower> {
        let taste = Taste {
            level: 1.3 + 2.7 * self.rng.f64(),
            floor: 0.4 * self.rng.f64(),
            noise: 0.6 * self.rng.f64(),
        };
        let mut beam = vec![(0.0, self.start.clone())];
        let mut best = Tower { level: 0, moves: Vec::new() };
        while beam.iter().any(|(_, position)| position.outcome().is_none()) {
            if deadline.is_over() {
                return None;
            }
            beam = self.step(&beam, taste);
            let highest = beam.iter().max_by_key(|(_, position)| position.top());
            if let Some((_, position)) = highest
                && position.top() > best.level
            {
                best = Tower { level: position.top(), moves: position.moves().collect() };
            }
        }
        Some(best)
    }

    /// The positions that go on, each with its value.
    fn step(&mut self, beam: &[(f64, Position)], taste: Taste) -> Vec<(f64, Position)> {
        let mut candidates = Vec::new();
        let mut moves = MoveList::new();
        for (parent, (value, position)) in beam.iter().enumerate() {
            moves.clear();
            position.legal_moves(&mut moves);
            candidates.extend(moves.iter().map(|&mv| {
                let floor = taste.floor * f64::from(position.edge_contacts(mv));
                let gain = taste.level.powi(i32::from(position.level_of(mv))) * (1.0 + floor);
                let chance = 1.0 + taste.noise * self.rng.f64();
                Candidate { value: value + gain * chance, parent, mv }
            }));
        }
        // More than the width, because some are the same position.
        let kept = (3 * self.width).min(candidates.len());
        if kept < candidates.len() {
            candidates.select_nth_unstable_by(kept, |a, b| b.value.total_cmp(&a.value));
            candidates.truncate(kept);
        }
        candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        let mut seen: HashSet<Key> = HashSet::new();
        let mut next = Vec::with_capacity(self.width);
        for candidate in candidates {
            let mut position = beam[candidate.parent].1.clone();
            position.play(candidate.mv);
            if seen.insert(position.key()) {
                next.push((candidate.value, position));
            }
            if next.len() == self.width {
                break;
            }
        }
        next
    }
}
