//! The second puzzle: the fewest white tiles around a black one, and black tiles around those.

use crate::puzzle::{
    SearchDeadline, TableCell, TableCells, TilePlacement, free_neighbors, placements, spot,
};
use pentarch_core::game::{Color, Orientation};
use pentarch_core::stacking::{OrientedTile, Pentomino};
use pentarch_records::picture::DrawnTile;

/// The result for a black tile.
#[derive(Clone, Debug)]
pub struct RingAnswer {
    /// The black tile in the center.
    pub shape: Pentomino,
    /// The fewest white tiles found that touch all its edges.
    pub fewest: usize,
    /// Whether all smaller sets were tried.
    pub is_minimal: bool,
    /// The number of rings of that size that were counted.
    pub rings: u64,
    /// Whether all of them were counted.
    pub saw_all: bool,
    /// The result of the second stage.
    pub surrounded: Surrounded,
    /// The tiles: the one in the center, then the white, then the black ones.
    pub tiles: Vec<DrawnTile>,
}

/// Whether the other black tiles can surround a smallest ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrounded {
    /// With that many of them.
    By(usize),
    /// No ring can be surrounded; all were tried.
    Impossible,
    /// Not found within the time.
    Unknown,
}

/// Searches the rings of one tile.
#[derive(Debug)]
pub struct RingSearch<'a> {
    shape: Pentomino,
    middle: [TableCell; 5],
    deadline: &'a SearchDeadline,
    /// Steps since the last check of the time.
    steps: u32,
    /// The remaining steps for the current ring.
    steps_left: u64,
}

const WHITE: Color = Color(0);
const BLACK: Color = Color(1);
/// The maximum number of rings kept for the second stage. Further rings are only counted.
const KEPT_RINGS: usize = 200_000;
/// The number of steps between checks of the time.
const CLOCK_STEPS: u32 = 4096;
/// The steps for each ring in the first round of the second stage, and the factor for each further
/// round.
const FIRST_STEPS: u64 = 20_000;
const STEPS_FACTOR: u64 = 20;

/// The search was stopped or used up its steps.
struct Stopped;

impl<'a> RingSearch<'a> {
    /// Creates a search around a shape. The orientation of the center tile does not matter.
    pub fn new(shape: Pentomino, deadline: &'a SearchDeadline) -> RingSearch<'a> {
        let orientation = shape.orientations().next().unwrap_or(Orientation(0));
        let begin = TableCells::MIDDLE;
        let middle = OrientedTile::of(orientation).cells.map(|(dx, dy)| (begin + dx, begin + dy));
        RingSearch { shape, middle, deadline, steps: 0, steps_left: u64::MAX }
    }

    /// Solves both stages as far as the time allows. Returns `None` if no ring was found.
    pub fn run(&mut self) -> Option<RingAnswer> {
        let taken = TableCells::of(&self.middle);
        let required = free_neighbors(&self.middle, &taken);
        let places = placements(&required, &taken, |_| true);
        let mut is_minimal = true;
        for size in 1..=Pentomino::COUNT {
            let mut rings = Vec::new();
            let mut count = 0;
            let mut cover = CoverSearch::new(&required, &taken, &places);
            let all = low_bits(required.len());
            let found = self.rings(&mut cover, all, (ALL_SHAPES, size), &mut |ring| {
                count += 1;
                if rings.len() < KEPT_RINGS {
                    rings.push(ring.to_vec());
                }
            });
            let saw_all = found.is_ok();
            if rings.is_empty() {
                is_minimal &= saw_all;
                continue;
            }
            let seen = saw_all && count as usize == rings.len();
            let (surrounded, tiles) = self.surround(&rings, seen);
            let (shape, fewest) = (self.shape, size);
            return Some(RingAnswer {
                shape,
                fewest,
                is_minimal,
                rings: count,
                saw_all,
                surrounded,
                tiles,
            });
        }
        None
    }

    fn step(&mut self) -> Result<(), Stopped> {
        self.steps += 1;
        self.steps_left = self.steps_left.saturating_sub(1);
        let look = self.steps.is_multiple_of(CLOCK_STEPS);
        let over = self.steps_left == 0 || look && self.deadline.is_over();
        if over { Err(Stopped) } else { Ok(()) }
    }

    /// Calls `show` with every set of at most that many tiles that covers all required cells. Since
    /// the first uncovered cell is always covered next, each set occurs once.
    fn rings<'p>(
        &mut self,
        cover: &mut CoverSearch<'p>,
        uncovered: u64,
        (left, tiles): (u16, usize),
        show: &mut dyn FnMut(&[&'p TilePlacement]),
    ) -> Result<(), Stopped> {
        if uncovered == 0 {
            show(&cover.chosen);
            return Ok(());
        }
        self.step()?;
        if uncovered.count_ones() > cover.reach(left, tiles) {
            return Ok(());
        }
        let fitting: Vec<_> = cover.fitting(uncovered.trailing_zeros(), left).collect();
        for place in fitting {
            if tiles == 1 && uncovered & !place.covers != 0 {
                continue;
            }
            cover.put(place);
            let rest = (left & !(1 << place.shape.index()), tiles - 1);
            let result = self.rings(cover, uncovered & !place.covers, rest, show);
            cover.remove_last();
            result?;
        }
        Ok(())
    }

    /// Searches for a ring that the other black tiles can surround: rings with a short outside
    /// first, with few steps for each ring at first and more in later rounds.
    fn surround(
        &mut self,
        rings: &[Vec<&TilePlacement>],
        seen: bool,
    ) -> (Surrounded, Vec<DrawnTile>) {
        let mut order: Vec<(Vec<TableCell>, usize)> =
            rings.iter().enumerate().map(|(index, ring)| (self.outside(ring), index)).collect();
        order.sort_by_key(|(outside, _)| outside.len());
        let mut steps = FIRST_STEPS;
        while !order.is_empty() && !self.deadline.is_over() {
            let mut open = Vec::new();
            for (outside, index) in order {
                self.steps_left = steps;
                match self.enclose(&rings[index], &outside) {
                    Ok(Some(black)) => {
                        let count = black.len();
                        return (Surrounded::By(count), self.draw(&rings[index], &black));
                    }
                    Ok(None) => (),
                    Err(Stopped) => open.push((outside, index)),
                }
                if self.deadline.is_over() {
                    return (Surrounded::Unknown, self.draw(&rings[0], &[]));
                }
            }
            order = open;
            steps = steps.saturating_mul(STEPS_FACTOR);
        }
        let none = order.is_empty() && seen;
        let surrounded = if none { Surrounded::Impossible } else { Surrounded::Unknown };
        (surrounded, self.draw(&rings[0], &[]))
    }

    fn inside(&self, ring: &[&TilePlacement]) -> TableCells {
        let mut taken = TableCells::of(&self.middle);
        for place in ring {
            taken.flip(&place.cells);
        }
        taken
    }

    /// Returns the free cells beside white tiles.
    fn outside(&self, ring: &[&TilePlacement]) -> Vec<TableCell> {
        let cells: Vec<TableCell> = ring.iter().flat_map(|place| place.cells).collect();
        free_neighbors(&cells, &self.inside(ring))
    }

    /// Returns black tiles that cover the outside of a ring, if there are any.
    fn enclose(
        &mut self,
        ring: &[&TilePlacement],
        outside: &[TableCell],
    ) -> Result<Option<Vec<TilePlacement>>, Stopped> {
        if outside.len() > 64 {
            return Ok(None);
        }
        let taken = self.inside(ring);
        let own = self.shape;
        let places = placements(outside, &taken, |shape| shape != own);
        let mut cover = CoverSearch::new(outside, &taken, &places);
        let left = ALL_SHAPES & !(1 << own.index());
        let found = self.cover(&mut cover, low_bits(outside.len()), left)?;
        Ok(found.then(|| cover.chosen.into_iter().copied().collect()))
    }

    /// Covers all required cells, the one with the fewest choices first. The placements stay in
    /// `cover` on success.
    fn cover(
        &mut self,
        cover: &mut CoverSearch<'_>,
        uncovered: u64,
        left: u16,
    ) -> Result<bool, Stopped> {
        if uncovered == 0 {
            return Ok(true);
        }
        self.step()?;
        if uncovered.count_ones() > cover.reach(left, Pentomino::COUNT) {
            return Ok(false);
        }
        let cells = (0..64).filter(|cell| uncovered >> cell & 1 != 0);
        let fewest = cells.min_by_key(|&cell| cover.fitting(cell, left).take(MAX_COUNTED).count());
        let fitting: Vec<_> = fewest.into_iter().flat_map(|c| cover.fitting(c, left)).collect();
        for place in fitting {
            cover.put(place);
            let rest = left & !(1 << place.shape.index());
            if self.cover(cover, uncovered & !place.covers, rest)? {
                return Ok(true);
            }
            cover.remove_last();
        }
        Ok(false)
    }

    fn draw(&self, ring: &[&TilePlacement], black: &[TilePlacement]) -> Vec<DrawnTile> {
        let tile = |cells: &[TableCell; 5], color| DrawnTile {
            cells: cells.iter().map(|&cell| spot(cell)).collect(),
            color,
            level: 1,
        };
        let middle = tile(&self.middle, BLACK);
        let white = ring.iter().map(|place| tile(&place.cells, WHITE));
        let black = black.iter().map(|place| tile(&place.cells, BLACK));
        std::iter::once(middle).chain(white).chain(black).collect()
    }
}

/// The maximum number of choices that is counted for a cell.
const MAX_COUNTED: usize = 24;

/// A state of an exact cover search.
pub(super) struct CoverSearch<'a> {
    /// By required cell: the placements that cover it.
    by_cell: Vec<Vec<&'a TilePlacement>>,
    /// By pentomino: the maximum number of required cells that one of its placements covers.
    most: [u32; Pentomino::COUNT],
    taken: TableCells,
    /// The placements chosen so far.
    pub chosen: Vec<&'a TilePlacement>,
}

impl<'a> CoverSearch<'a> {
    pub(super) fn new(
        required: &[TableCell],
        taken: &TableCells,
        places: &'a [TilePlacement],
    ) -> CoverSearch<'a> {
        let covering = |index: usize| {
            let mut list: Vec<_> = places.iter().filter(|p| p.covers >> index & 1 != 0).collect();
            list.sort_by_key(|place| std::cmp::Reverse(place.covers.count_ones()));
            list
        };
        let mut most = [0; Pentomino::COUNT];
        for place in places {
            let most = &mut most[place.shape.index()];
            *most = (*most).max(place.covers.count_ones());
        }
        let by_cell = (0..required.len()).map(covering).collect();
        CoverSearch { by_cell, most, taken: *taken, chosen: Vec::new() }
    }

    pub(super) fn put(&mut self, place: &'a TilePlacement) {
        self.taken.flip(&place.cells);
        self.chosen.push(place);
    }

    pub(super) fn remove_last(&mut self) {
        if let Some(place) = self.chosen.pop() {
            self.taken.flip(&place.cells);
        }
    }

    /// Returns the placements that cover a cell, overlap nothing, and use an available shape.
    pub(super) fn fitting(&self, cell: u32, left: u16) -> impl Iterator<Item = &'a TilePlacement> {
        let list = &self.by_cell[cell as usize];
        list.iter().copied().filter(move |place| {
            left >> place.shape.index() & 1 != 0 && !self.taken.has_any(&place.cells)
        })
    }

    /// Returns the maximum number of cells that `tiles` of the available shapes can cover.
    pub(super) fn reach(&self, left: u16, tiles: usize) -> u32 {
        let mut most: Vec<u32> = Pentomino::all()
            .filter(|shape| left >> shape.index() & 1 != 0)
            .map(|shape| self.most[shape.index()])
            .collect();
        most.sort_unstable_by(|a, b| b.cmp(a));
        most.iter().take(tiles).sum()
    }
}

/// Returns the lowest `count` bits.
pub(super) fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// All shapes, one bit each.
pub(super) const ALL_SHAPES: u16 = (1 << Pentomino::COUNT) - 1;
