//! Custodial captures: enemy stones bracketed in a line are taken off the board.

use crate::board::{CENTER, LANES, Windows};
use crate::game::Cell;
use std::iter;

/// Which groups are captured, and how many stones win.
///
/// The placed stone and another own stone must enclose exactly two (with `longer` also exactly
/// that many) enemy stones in a straight line (S1, S3, PO; Keryo: S3, PO). All such groups are taken
/// at once; moving in between two enemies is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capture {
    /// The length of the groups that are captured besides pairs.
    pub longer: Option<u8>,
    /// The number of captured stones that wins, if captures can win.
    pub goal: Option<u16>,
    /// Whether the mover chooses for each group if it adds to their own count or takes from the
    /// opponent's (S3, PBM).
    pub signs: bool,
    /// Whether a run of exactly two through the placed stone (with `longer` also of that
    /// length) between two enemy stones is lost to the opponent (S3, PO, AP: together with the captures).
    pub poof: bool,
}

/// The groups that a stone at the center of the windows captures. Each field has the lowest bit
/// of a lane set for a group in that direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// Pairs above the center, along the steps of the directions.
    pub pairs_up: u64,
    /// Pairs below the center.
    pub pairs_down: u64,
    /// Longer groups above the center.
    pub longer_up: u64,
    /// Longer groups below the center.
    pub longer_down: u64,
    /// The length of the longer groups.
    pub longest: u8,
}

impl Captured {
    /// Whether nothing is captured.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.pairs_up | self.pairs_down | self.longer_up | self.longer_down == 0
    }

    /// Each group: its direction, whether it lies along the step of the direction (1) or against it
    /// (-1), and its length.
    #[inline]
    pub fn groups(self) -> impl Iterator<Item = (usize, i16, i16)> {
        // Searches ask this often: four bits of each kind are gathered in a word.
        let kinds = [self.pairs_up, self.pairs_down, self.longer_up, self.longer_down];
        let mut left = kinds.into_iter().rev().fold(0, |all, lanes| all << 4 | lowest_bits(lanes));
        let longest = i16::from(self.longest);
        iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            let (kind, direction) = (bit / 4, bit % 4);
            let length = if kind < 2 { 2 } else { longest };
            Some((direction as usize, 1 - 2 * (kind as i16 & 1), length))
        })
    }

    /// The stones of the groups around `cell`, group after group, given the difference of cell numbers
    /// for a step along each direction.
    #[inline]
    pub fn cells(self, cell: Cell, steps: [i16; 4]) -> impl Iterator<Item = Cell> {
        self.groups().flat_map(move |(direction, sign, length)| {
            let step = sign * steps[direction & 3];
            (1..=length).map(move |distance| Cell((cell.0 as i16 + step * distance) as u16))
        })
    }

    /// The number of stones in the groups.
    pub fn stones(self) -> u32 {
        // The product has the sum of the lanes in its highest one.
        let groups = |up: u64, down: u64| ((up + down).wrapping_mul(LANES) >> 48) as u32;
        2 * groups(self.pairs_up, self.pairs_down)
            + u32::from(self.longest) * groups(self.longer_up, self.longer_down)
    }
}

/// The lowest bits of four lanes side by side. Each is multiplied to a place of its own above all others.
#[inline]
fn lowest_bits(lanes: u64) -> u64 {
    const PLACES: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;
    (lanes & LANES).wrapping_mul(PLACES) >> 48 & 15
}

impl Capture {
    /// The lengths of the groups that are captured.
    pub fn lengths(self) -> impl Iterator<Item = u8> + Clone {
        iter::once(2).chain(self.longer)
    }

    /// The length of the longest groups that are captured.
    pub fn longest(self) -> u8 {
        self.longer.unwrap_or(2)
    }

    /// The most stones that one stone can lose by poofs: itself, and on each of its four lines the rest of a
    /// row as long as the longest that is captured.
    pub fn most_poofed(self) -> u8 {
        4 * (self.longest() - 1) + 1
    }

    /// The groups captured by a stone at the center, given the windows of the mover's stones and
    /// of the stones that can be captured.
    #[inline]
    pub fn captured(self, own: Windows, enemy: Windows) -> Captured {
        let (o, e) = (own.0, enemy.0);
        let up = |distance: u32, bits: u64| bits >> (CENTER + distance);
        let down = |distance: u32, bits: u64| bits >> (CENTER - distance);
        let two_up = up(1, e) & up(2, e) & LANES;
        let two_down = down(1, e) & down(2, e) & LANES;
        let mut captured = Captured {
            pairs_up: two_up & up(3, o),
            pairs_down: two_down & down(3, o),
            longer_up: 0,
            longer_down: 0,
            longest: self.longest(),
        };
        if let Some(length) = self.longer.map(u32::from) {
            let rest = 3..=length;
            captured.longer_up = rest.clone().fold(two_up, |group, n| group & up(n, e));
            captured.longer_up &= up(length + 1, o);
            captured.longer_down = rest.fold(two_down, |group, n| group & down(n, e));
            captured.longer_down &= down(length + 1, o);
        }
        captured
    }

    /// [`Capture::captured`] where some stones may serve as the mover's own or be captured: the longer group,
    /// if two lengths would do (S1).
    pub fn captured_of_shared(self, own: Windows, enemy: Windows) -> Captured {
        let mut captured = self.captured(own, enemy);
        captured.pairs_up &= !captured.longer_up;
        captured.pairs_down &= !captured.longer_down;
        captured
    }
}
