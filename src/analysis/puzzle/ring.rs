//! The second puzzle: the fewest white tiles around a black one, and black tiles around those.

use crate::puzzle::{Cell, CellSet, Deadline, Placement, beside, placements, spot};
use pentarch_core::game::{Color, Orientation};
use pentarch_core::stacking::{OrientedTile, Pentomino};
use pentarch_records::picture::DrawnTile;

/// What was found for a black tile.
#[derive(Clone, Debug)]
pub struct RingAnswer {
    /// The black tile in the middle.
    pub shape: Pentomino,
    /// The fewest white tiles found that touch all its edges.
    pub fewest: usize,
    /// Whether every set of fewer tiles was tried in vain.
    pub is_minimal: bool,
    /// How many rings of that size there are, as far as they were counted.
    pub rings: u64,
    /// Whether all of them were seen.
    pub saw_all: bool,
    /// What came of the second stage.
    pub surrounded: Surrounded,
    /// The tiles, the one in the middle first, then white, then black ones.
    pub tiles: Vec<DrawnTile>,
}

/// Whether the other black tiles can surround a smallest ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrounded {
    /// With that many of them.
    By(usize),
    /// No ring can be surrounded: all were tried to the end.
    Impossible,
    /// Not found in the time given.
    Unknown,
}

/// Searches the rings of one tile.
#[derive(Debug)]
pub struct RingSearch<'a> {
    shape: Pentomino,
    middle: [Cell; 5],
    deadline: &'a Deadline,
    /// Steps since the clock was looked at.
    steps: u32,
    /// Steps that the search around the present ring may still take.
    steps_left: u64,
}

const WHITE: Color = Color(0);
const BLACK: Color = Color(1);
/// Rings that are kept for the second stage; the rest is counted.
const KEPT_RINGS: usize = 200_000;
/// Steps between looks at the clock.
const CLOCK_STEPS: u32 = 4096;
/// Steps for each ring in the first round of the second stage; each further round gives more.
const FIRST_STEPS: u64 = 20_000;
const MORE_STEPS: u64 = 20;

/// The search was ended from outside.
struct Stopped;

impl<'a> RingSearch<'a> {
    /// A search around a shape; how the tile in the middle is turned does not matter.
    pub fn new(shape: Pentomino, deadline: &'a Deadline) -> RingSearch<'a> {
        let orientation = shape.orientations().next().unwrap_or(Orientation(0));
        let begin = CellSet::MIDDLE;
        let middle = OrientedTile::of(orientation).cells.map(|(dx, dy)| (begin + dx, begin + dy));
        RingSearch { shape, middle, deadline, steps: 0, steps_left: u64::MAX }
    }

    /// Solves both stages, or as much of them as the time allows; none if not even a ring was
    /// found.
    pub fn run(&mut self) -> Option<RingAnswer> {
        let taken = CellSet::of(&self.middle);
        let required = beside(&self.middle, &taken);
        let places = placements(&required, &taken, |_| true);
        let mut is_minimal = true;
        for size in 1..=Pentomino::COUNT {
            let mut rings = Vec::new();
            let mut count = 0;
            let mut cover = Cover::new(&required, &taken, &places);
            let all = all_bits(required.len());
            let found = self.rings(&mut cover, all, (EVERY_SHAPE, size), &mut |ring| {
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

    /// Shows every set of at most that many tiles that covers all required cells, each once: always
    /// the first uncovered cell is covered next, so no set comes in two orders.
    fn rings<'p>(
        &mut self,
        cover: &mut Cover<'p>,
        uncovered: u64,
        (left, tiles): (u16, usize),
        show: &mut dyn FnMut(&[&'p Placement]),
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
            cover.take_back();
            result?;
        }
        Ok(())
    }

    /// The second stage: looks for a ring that the other black tiles can surround, those with the
    /// shortest outside first, at first a little at each, then more.
    fn surround(&mut self, rings: &[Vec<&Placement>], seen: bool) -> (Surrounded, Vec<DrawnTile>) {
        let mut order: Vec<(Vec<Cell>, usize)> =
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
            steps = steps.saturating_mul(MORE_STEPS);
        }
        let none = order.is_empty() && seen;
        let surrounded = if none { Surrounded::Impossible } else { Surrounded::Unknown };
        (surrounded, self.draw(&rings[0], &[]))
    }

    fn inside(&self, ring: &[&Placement]) -> CellSet {
        let mut taken = CellSet::of(&self.middle);
        for place in ring {
            taken.flip(&place.cells);
        }
        taken
    }

    /// The cells beside white tiles that have no tile.
    fn outside(&self, ring: &[&Placement]) -> Vec<Cell> {
        let cells: Vec<Cell> = ring.iter().flat_map(|place| place.cells).collect();
        beside(&cells, &self.inside(ring))
    }

    /// Black tiles that cover the outside of a ring, if there are any.
    fn enclose(
        &mut self,
        ring: &[&Placement],
        outside: &[Cell],
    ) -> Result<Option<Vec<Placement>>, Stopped> {
        if outside.len() > 64 {
            return Ok(None);
        }
        let taken = self.inside(ring);
        let own = self.shape;
        let places = placements(outside, &taken, |shape| shape != own);
        let mut cover = Cover::new(outside, &taken, &places);
        let left = EVERY_SHAPE & !(1 << own.index());
        let found = self.cover(&mut cover, all_bits(outside.len()), left)?;
        Ok(found.then(|| cover.chosen.into_iter().copied().collect()))
    }

    /// Covers all required cells, the one with the fewest ways first; the chosen places stay in
    /// `cover` if it succeeds.
    fn cover(&mut self, cover: &mut Cover<'_>, uncovered: u64, left: u16) -> Result<bool, Stopped> {
        if uncovered == 0 {
            return Ok(true);
        }
        self.step()?;
        if uncovered.count_ones() > cover.reach(left, Pentomino::COUNT) {
            return Ok(false);
        }
        let cells = (0..64).filter(|cell| uncovered >> cell & 1 != 0);
        let fewest = cells.min_by_key(|&cell| cover.fitting(cell, left).take(FEW).count());
        let fitting: Vec<_> = fewest.into_iter().flat_map(|c| cover.fitting(c, left)).collect();
        for place in fitting {
            cover.put(place);
            let rest = left & !(1 << place.shape.index());
            if self.cover(cover, uncovered & !place.covers, rest)? {
                return Ok(true);
            }
            cover.take_back();
        }
        Ok(false)
    }

    fn draw(&self, ring: &[&Placement], black: &[Placement]) -> Vec<DrawnTile> {
        let tile = |cells: &[Cell; 5], color| DrawnTile {
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

/// Beyond this many ways to cover a cell, how many does not matter.
const FEW: usize = 24;

// Covering required cells with different tiles.

/// A place in the search for a cover: what is still uncovered and what is used.
pub(super) struct Cover<'a> {
    /// By required cell: the placements that cover it.
    by_cell: Vec<Vec<&'a Placement>>,
    /// The most required cells that a placement of each shape covers.
    most: [u32; Pentomino::COUNT],
    taken: CellSet,
    /// The placements chosen so far.
    pub chosen: Vec<&'a Placement>,
}

impl<'a> Cover<'a> {
    pub(super) fn new(required: &[Cell], taken: &CellSet, places: &'a [Placement]) -> Cover<'a> {
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
        Cover { by_cell, most, taken: *taken, chosen: Vec::new() }
    }

    pub(super) fn put(&mut self, place: &'a Placement) {
        self.taken.flip(&place.cells);
        self.chosen.push(place);
    }

    pub(super) fn take_back(&mut self) {
        if let Some(place) = self.chosen.pop() {
            self.taken.flip(&place.cells);
        }
    }

    /// The placements that cover a cell, take nothing covered twice, and use a shape that is left.
    pub(super) fn fitting(&self, cell: u32, left: u16) -> impl Iterator<Item = &'a Placement> {
        let list = &self.by_cell[cell as usize];
        list.iter().copied().filter(move |place| {
            left >> place.shape.index() & 1 != 0 && !self.taken.has_any(&place.cells)
        })
    }

    /// The most cells that `tiles` of the shapes left can cover.
    pub(super) fn reach(&self, left: u16, tiles: usize) -> u32 {
        let mut most: Vec<u32> = Pentomino::all()
            .filter(|shape| left >> shape.index() & 1 != 0)
            .map(|shape| self.most[shape.index()])
            .collect();
        most.sort_unstable_by(|a, b| b.cmp(a));
        most.iter().take(tiles).sum()
    }
}

/// That many bits, the lowest ones, all set.
pub(super) fn all_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Every shape, a bit each.
pub(super) const EVERY_SHAPE: u16 = (1 << Pentomino::COUNT) - 1;
