//! The sums of a network, kept up to date move by move.

use super::{DIMENSIONS, Network, Row};
use crate::eval::pattern_map::PatternMap;
use crate::game::{Cell, Color};
use std::sync::Arc;

/// The sums of both colors, and what they are the sums of.
#[derive(Clone, Debug)]
pub(in crate::eval) struct NetworkState {
    network: Arc<Network>,
    sums: [Row; 2],
    /// The groups of each cell, by color.
    groups: Box<[[u8; 2]; Cell::LIMIT]>,
    /// The groups that were overwritten.
    log: Vec<Regrouped>,
    /// The sums and the length of the log before each ply.
    marks: Vec<([Row; 2], usize)>,
}

/// A cell whose groups have changed.
#[derive(Clone, Copy, Debug)]
struct Regrouped {
    cell: Cell,
    old: [u8; 2],
    new: [u8; 2],
}

impl NetworkState {
    pub(in crate::eval) fn new(network: Arc<Network>) -> NetworkState {
        NetworkState {
            sums: [network.bias; 2],
            network,
            groups: Box::new([[0; 2]; Cell::LIMIT]),
            log: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Works everything out from patterns.
    pub(in crate::eval) fn reset(
        &mut self,
        patterns: &PatternMap<2>,
        cells: impl Iterator<Item = Cell>,
    ) {
        *self = NetworkState::new(Arc::clone(&self.network));
        self.update(patterns, cells);
        self.log.clear();
    }

    /// Follows a ply that changed the patterns of some cells.
    #[inline]
    pub(in crate::eval) fn advance(
        &mut self,
        patterns: &PatternMap<2>,
        cells: impl Iterator<Item = Cell>,
    ) {
        self.marks.push((self.sums, self.log.len()));
        self.update(patterns, cells);
    }

    /// Takes back a ply.
    #[inline]
    pub(in crate::eval) fn retract(&mut self) {
        let Some((sums, length)) = self.marks.pop() else { return };
        self.sums = sums;
        for change in self.log.drain(length.min(self.log.len())..).rev() {
            self.groups[change.cell.index() % Cell::LIMIT] = change.old;
        }
    }

    /// Counts cells for what they are now. Those that changed for both colors come twice in a row.
    #[inline]
    fn update(&mut self, patterns: &PatternMap<2>, cells: impl Iterator<Item = Cell>) {
        let NetworkState { network, groups, log, .. } = self;
        let grouping = network.grouping();
        let first = log.len();
        let mut last = None;
        for cell in cells {
            if last == Some(cell) {
                continue;
            }
            last = Some(cell);
            let own = grouping.of(patterns.at(Color(0), cell));
            let their = grouping.of(patterns.at(Color(1), cell));
            let entry = &mut groups[cell.index() % Cell::LIMIT];
            let old = *entry;
            if old != [own, their] {
                *entry = [own, their];
                log.push(Regrouped { cell, old, new: [own, their] });
            }
        }
        let (changes, rows) = (&log[first..], &network.cells[..]);
        let count = grouping.count();
        let own = |[own, their]: [u8; 2]| usize::from(own) * count + usize::from(their);
        let their = |[own, their]: [u8; 2]| usize::from(their) * count + usize::from(own);
        exchange(&mut self.sums[0], rows, changes, own);
        exchange(&mut self.sums[1], rows, changes, their);
    }

    /// The correction in points for the color to move, by the kinds of position.
    #[inline]
    pub(in crate::eval) fn points(&self, mover: Color, threat: usize, count: usize) -> i32 {
        let own = mover.index() % 2;
        self.network.points([&self.sums[own], &self.sums[1 - own]], threat, count)
    }
}

/// Takes the old rows of cells off sums and adds the new ones. The sums are a copy meanwhile, so that
/// they stay in registers. They wrap around, which no network of use comes near.
#[inline]
fn exchange(sums: &mut Row, rows: &[Row], changes: &[Regrouped], row: impl Fn([u8; 2]) -> usize) {
    let mut copy = *sums;
    for change in changes {
        let (old, new) = (&rows[row(change.old)], &rows[row(change.new)]);
        for i in 0..DIMENSIONS {
            copy[i] = copy[i].wrapping_sub(old[i]).wrapping_add(new[i]);
        }
    }
    *sums = copy;
}
