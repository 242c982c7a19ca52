//! Covering required cells with different tiles.

use super::grid::{Cell, CellSet, Placement};
use pentarch_core::stacking::Pentomino;

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
