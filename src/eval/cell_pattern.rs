//! What a stone on a cell would make of all its lines, packed.

use super::shapes::Shape;

/// The entries of a cell's four lines: in the lower half three bits of a
/// [`Shape`] a line and above them a bit for attacking, in the upper half a bit a line for exposing and
/// above them three bits for the number of stones captured on it. Where nothing is captured, the bit for
/// attacking says instead whether the shape is ample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CellPattern(u32);

/// Where the bits for attacking begin in [`CellPattern`], those for exposing, and those for what is
/// captured. Shapes begin at bit 0.
const ATTACKS: u32 = 12;
const EXPOSES: u32 = 16;
const CAPTURED: u32 = 20;
/// The bits of the first line: its shape and captures.
const LINE: u32 = 7 | 7 << CAPTURED;
/// And whether it attacks and exposes.
const FLAG: u32 = 1 << ATTACKS | 1 << EXPOSES;

/// The bits of all other lines, by direction.
static OTHERS: [u32; 4] = {
    let mut others = [0; 4];
    let mut direction = 0;
    while direction < 4 {
        others[direction] = !(LINE << (3 * direction) | FLAG << direction);
        direction += 1;
    }
    others
};

/// Entries as the bits of a line, by direction.
static SPREAD: [[u32; 256]; 4] = {
    let mut spread = [[0; 256]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut entry = 0;
        while entry < 256 {
            let line = entry & 7 | (entry >> 3 & 7) << CAPTURED;
            let flags = (entry >> 6 & 1) << ATTACKS | (entry >> 7) << EXPOSES;
            spread[direction][entry as usize] = line << (3 * direction) | flags << direction;
            entry += 1;
        }
        direction += 1;
    }
    spread
};

impl CellPattern {
    /// The bits of shapes.
    const SHAPES: u32 = 0xfff;

    /// The pattern with another entry for a direction.
    #[inline]
    pub(super) const fn with(self, direction: usize, entry: u8) -> CellPattern {
        let direction = direction & 3;
        CellPattern(self.0 & OTHERS[direction] | SPREAD[direction][entry as usize])
    }

    /// The shapes of the four lines, three bits each.
    #[inline]
    pub(super) const fn shapes(self) -> usize {
        (self.0 & CellPattern::SHAPES) as usize
    }

    /// The number of lines that would have at least a shape.
    #[inline]
    pub(super) fn lines_with(self, least: Shape) -> usize {
        let shapes = [0, 3, 6, 9].map(|shift| self.shapes() >> shift & 7);
        shapes.into_iter().filter(|&shape| shape >= least as usize).count()
    }

    /// The two halves, to look things up by: the shapes of the four lines with four bits above them for
    /// attacks or ample shapes, and what is captured on them with four bits below for exposed groups.
    #[inline]
    pub(super) const fn halves(self) -> [usize; 2] {
        [(self.0 & 0xffff) as usize, (self.0 >> 16) as usize]
    }

    /// The pattern of two halves.
    pub(super) const fn from_halves([lower, upper]: [u16; 2]) -> CellPattern {
        CellPattern(lower as u32 | (upper as u32) << 16)
    }

    /// The lines on which a stone attacks a group, four bits, and exposes one, four more.
    #[inline]
    pub(super) const fn contact(self) -> usize {
        (self.0 >> ATTACKS & 0xff) as usize
    }

    /// Whether another pattern captures, attacks or exposes something else.
    #[inline]
    pub(super) const fn differs_beside_shapes(self, other: CellPattern) -> bool {
        (self.0 ^ other.0) & !CellPattern::SHAPES != 0
    }

    /// None, a pair, three stones, or more.
    #[inline]
    pub(super) const fn class(stones: u32) -> usize {
        match stones {
            0 => 0,
            1 | 2 => 1,
            3 => 2,
            _ => 3,
        }
    }

    /// The number of stones captured on all four lines together.
    #[inline]
    pub(super) const fn captured_stones(self) -> u32 {
        const EVEN: u32 = 0o707;
        let counts = self.0 >> CAPTURED;
        let pairs = (counts & EVEN) + (counts >> 3 & EVEN);
        (pairs + (pairs >> 6)) & 0o77
    }

    /// Whether anything is captured.
    #[inline]
    pub(super) const fn captures(self) -> bool {
        self.0 >> CAPTURED != 0
    }
}
