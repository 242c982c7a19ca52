//! The puzzles of the Pent-Up leaflet (S2): how high tiles can be stacked by the rules, and rings
//! of tiles around tiles.

mod check;
mod ring;

pub use check::{Ring, check_rings};
pub use ring::{RingAnswer, RingSearch, Surrounded};

use fastrand::Rng;
use pentarch_core::game::{Key, Move, MoveList, Position as _};
use pentarch_core::stacking::{Layers, ORIENTATIONS, Pentomino, Position, Spot};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When a search for an answer has to end.
#[derive(Debug)]
pub struct Deadline {
    end: Option<Instant>,
    stopped: AtomicBool,
}

impl Deadline {
    /// Ends at a moment, or never by itself.
    pub fn new(end: Option<Instant>) -> Deadline {
        Deadline { end, stopped: AtomicBool::new(false) }
    }

    /// Ends the search now.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the search has to end.
    pub fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

// A small table as bits, and the places of tiles around a set of its cells.

/// A set of cells of a table of 64 x 64, far larger than two rings around a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellSet([u64; CellSet::SIDE]);

/// A tile at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub shape: Pentomino,
    pub cells: [Cell; 5],
    /// Which of the required cells it covers, a bit each.
    pub covers: u64,
}

/// Column and row.
pub(super) type Cell = (u8, u8);

/// Where the middle of the small table lies on the table of the texts.
const CORNER: u8 = 84 - CellSet::MIDDLE;

impl CellSet {
    const SIDE: usize = 64;
    /// Where the tile in the middle begins.
    pub(super) const MIDDLE: u8 = 30;

    pub(super) const fn new() -> CellSet {
        CellSet([0; CellSet::SIDE])
    }

    #[inline]
    pub(super) fn has(&self, (column, row): Cell) -> bool {
        self.0[usize::from(row) % CellSet::SIDE] >> (column & 63) & 1 != 0
    }

    #[inline]
    pub(super) fn has_any(&self, cells: &[Cell]) -> bool {
        cells.iter().any(|&cell| self.has(cell))
    }

    /// Adds cells, or takes them away again.
    #[inline]
    pub(super) fn flip(&mut self, cells: &[Cell]) {
        for &(column, row) in cells {
            self.0[usize::from(row) % CellSet::SIDE] ^= 1 << (column & 63);
        }
    }

    pub(super) fn of(cells: &[Cell]) -> CellSet {
        let mut set = CellSet::new();
        set.flip(cells);
        set
    }
}

/// The spot of the table of the texts at which a cell is drawn.
pub(super) fn spot((column, row): Cell) -> Spot {
    Spot { column: CORNER + column, row: CORNER + row }
}

/// The cells that share an edge with one of some cells and are not taken, each once.
pub(super) fn beside(cells: &[Cell], taken: &CellSet) -> Vec<Cell> {
    let mut found = CellSet::new();
    let mut list = Vec::new();
    for &(x, y) in cells {
        for cell in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            if !taken.has(cell) && !found.has(cell) {
                found.flip(&[cell]);
                list.push(cell);
            }
        }
    }
    list
}

/// Every place of the given shapes that covers one of at most 64 required cells and none that is
/// taken.
pub(super) fn placements(
    required: &[Cell],
    taken: &CellSet,
    shapes: impl Fn(Pentomino) -> bool,
) -> Vec<Placement> {
    let mut found = Vec::new();
    for oriented in ORIENTATIONS.iter().filter(|oriented| shapes(oriented.shape)) {
        for (index, &(x, y)) in required.iter().enumerate() {
            for &(dx, dy) in &oriented.cells {
                let (left, low) = (x - dx, y - dy);
                let cells = oriented.cells.map(|(dx, dy)| (left + dx, low + dy));
                let covers = required
                    .iter()
                    .enumerate()
                    .filter(|(_, cell)| cells.contains(cell))
                    .fold(0_u64, |covers, (index, _)| covers | 1 << index);
                // Each place once: for the first required cell that it covers.
                if covers.trailing_zeros() as usize == index && !taken.has_any(&cells) {
                    found.push(Placement { shape: oriented.shape, cells, covers });
                }
            }
        }
    }
    found
}

// The first puzzle: to reach a level by the rules, both colors helping each other.
//
// A randomized beam search: from each position kept, every legal move is rated by the levels and
// floors it makes, and the best few hundred positions go on. Each run has its own weights, drawn
// at random, so that runs differ; nothing is proven by their failure.

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
