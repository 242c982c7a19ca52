//! The puzzles of the Pent-Up leaflet (S2): the highest tower by the rules, and rings of tiles
//! around tiles.

mod check;
mod ring;

pub use check::{CheckedRing, check_rings};
pub use ring::{RingAnswer, RingSearch, Surrounded};

use fastrand::Rng;
use pentarch_core::game::{Key, Move, MoveList, Position as _};
use pentarch_core::stacking::{Layers, ORIENTATIONS, Pentomino, Position, Spot};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The end of a search, by time or by a call from another thread.
#[derive(Debug)]
pub struct SearchDeadline {
    end: Option<Instant>,
    stopped: AtomicBool,
}

impl SearchDeadline {
    /// Creates a deadline; `None` is never.
    pub fn new(end: Option<Instant>) -> SearchDeadline {
        SearchDeadline { end, stopped: AtomicBool::new(false) }
    }

    /// Ends the search now.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns whether the search must end.
    pub fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// A set of cells of a table of 64 x 64, which is much larger than two rings around a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableCells([u64; TableCells::SIDE]);

/// A tile at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TilePlacement {
    pub shape: Pentomino,
    pub cells: [TableCell; 5],
    /// The required cells that it covers, one bit each.
    pub covers: u64,
}

/// A column and a row.
pub(super) type TableCell = (u8, u8);

/// The position of the small table on the table of the texts.
const CORNER: u8 = 84 - TableCells::MIDDLE;

impl TableCells {
    const SIDE: usize = 64;
    /// The column and row of the tile in the center.
    pub(super) const MIDDLE: u8 = 30;

    pub(super) const fn new() -> TableCells {
        TableCells([0; TableCells::SIDE])
    }

    #[inline]
    pub(super) fn has(&self, (column, row): TableCell) -> bool {
        self.0[usize::from(row) % TableCells::SIDE] >> (column & 63) & 1 != 0
    }

    #[inline]
    pub(super) fn has_any(&self, cells: &[TableCell]) -> bool {
        cells.iter().any(|&cell| self.has(cell))
    }

    /// Adds cells, or removes them again.
    #[inline]
    pub(super) fn flip(&mut self, cells: &[TableCell]) {
        for &(column, row) in cells {
            self.0[usize::from(row) % TableCells::SIDE] ^= 1 << (column & 63);
        }
    }

    pub(super) fn of(cells: &[TableCell]) -> TableCells {
        let mut set = TableCells::new();
        set.flip(cells);
        set
    }
}

/// Returns the spot at which a cell is drawn.
pub(super) fn spot((column, row): TableCell) -> Spot {
    Spot { column: CORNER + column, row: CORNER + row }
}

/// Returns the free cells that share an edge with one of `cells`, each once.
pub(super) fn free_neighbors(cells: &[TableCell], taken: &TableCells) -> Vec<TableCell> {
    let mut found = TableCells::new();
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

/// Returns every place of the given shapes that covers one of at most 64 required cells and no
/// taken one.
pub(super) fn placements(
    required: &[TableCell],
    taken: &TableCells,
    shapes: impl Fn(Pentomino) -> bool,
) -> Vec<TilePlacement> {
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
                // Each place is listed once, for the first required cell that it covers.
                if covers.trailing_zeros() as usize == index && !taken.has_any(&cells) {
                    found.push(TilePlacement { shape: oriented.shape, cells, covers });
                }
            }
        }
    }
    found
}

/// A game with a high tower.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tower {
    /// The highest level with a tile.
    pub level: u8,
    /// The moves up to the first tile on that level.
    pub moves: Vec<Move>,
}

/// Searches for the highest tower, both colors helping each other.
///
/// Each run is a randomized beam search: from each position of the beam, every legal move is rated
/// by the level of its tile and the floor beside it, and the best positions form the next beam. The
/// weights are drawn at random for each run. A failure proves nothing.
#[derive(Clone, Debug)]
pub struct TowerSearch {
    start: Position,
    rng: Rng,
    width: usize,
}

/// The weights of a run.
#[derive(Clone, Copy, Debug)]
struct RunWeights {
    /// The factor of the value of a tile for each level.
    level: f64,
    /// The value of a cell of floor beside the tile on its level, as a fraction of the tile.
    floor: f64,
    /// The amount of noise.
    noise: f64,
}

struct BeamCandidate {
    value: f64,
    parent: usize,
    mv: Move,
}

impl TowerSearch {
    /// An upper bound of the level: every level but the last needs two tiles, and there are 24.
    pub const MAX_LEVEL: u8 = Layers::MAX_LEVEL as u8;

    /// Creates a search with a beam of `width` positions.
    pub fn new(start: Position, seed: u64, width: usize) -> TowerSearch {
        TowerSearch { start, rng: Rng::with_seed(seed), width: width.max(1) }
    }

    /// Runs one search. Returns the highest tower found, or `None` if it was stopped.
    pub fn run(&mut self, deadline: &SearchDeadline) -> Option<Tower> {
        let weights = RunWeights {
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
            beam = self.step(&beam, weights);
            let highest = beam.iter().max_by_key(|(_, position)| position.top());
            if let Some((_, position)) = highest
                && position.top() > best.level
            {
                best = Tower { level: position.top(), moves: position.moves().collect() };
            }
        }
        Some(best)
    }

    /// Returns the next beam.
    fn step(&mut self, beam: &[(f64, Position)], weights: RunWeights) -> Vec<(f64, Position)> {
        let mut candidates = Vec::new();
        let mut moves = MoveList::new();
        for (parent, (value, position)) in beam.iter().enumerate() {
            moves.clear();
            position.legal_moves(&mut moves);
            candidates.extend(moves.iter().map(|&mv| {
                let floor = weights.floor * f64::from(position.edge_contacts(mv));
                let gain = weights.level.powi(i32::from(position.level_of(mv))) * (1.0 + floor);
                let chance = 1.0 + weights.noise * self.rng.f64();
                BeamCandidate { value: value + gain * chance, parent, mv }
            }));
        }
        // More than the width, because some lead to the same position.
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
