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
/// The bits of what is captured on all lines.
const CAPTURES: u32 = !0 << CAPTURED;

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
    #[cfg(test)]
    pub(super) fn with(self, direction: usize, entry: u8) -> CellPattern {
        let [pattern] = with_entries([self], direction, [entry]);
        pattern
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

    /// Whether a stone attacks a group.
    #[inline]
    pub(super) const fn attacks(self) -> bool {
        self.contact() & 15 != 0
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
        self.0 & CAPTURES != 0
    }
}

/// Whether the patterns of some color capture, attack or expose something else.
#[inline]
pub(super) fn differs_beside_shapes<const N: usize>(
    old: [CellPattern; N],
    new: [CellPattern; N],
) -> bool {
    differ_in(!CellPattern::SHAPES, old, new)
}

/// Whether the patterns of some color capture something else.
#[inline]
pub(super) fn differs_in_captures<const N: usize>(
    old: [CellPattern; N],
    new: [CellPattern; N],
) -> bool {
    differ_in(CAPTURES, old, new)
}

/// Whether the patterns of some color differ in some of these bits: all colors are compared in one go.
#[inline]
fn differ_in<const N: usize>(bits: u32, old: [CellPattern; N], new: [CellPattern; N]) -> bool {
    (packed(old) ^ packed(new)) & packed([CellPattern(bits); N]) != 0
}

/// The patterns of up to four colors as one number, the first color's lowest: those of two are a word of
/// the processor, which is compared in one go.
#[inline]
pub(super) fn packed<const N: usize>(patterns: [CellPattern; N]) -> u128 {
    patterns.iter().rev().fold(0, |word, pattern| word << u32::BITS | u128::from(pattern.0))
}

/// The patterns of up to four colors with other entries for a direction, all changed in one go.
#[inline]
pub(super) fn with_entries<const N: usize>(
    patterns: [CellPattern; N],
    direction: usize,
    entries: [u8; N],
) -> [CellPattern; N] {
    let direction = direction & 3;
    let kept = packed(patterns) & packed([CellPattern(OTHERS[direction]); N]);
    let new =
        kept | packed(entries.map(|entry| CellPattern(SPREAD[direction][usize::from(entry)])));
    std::array::from_fn(|color| CellPattern((new >> (u32::BITS * color as u32)) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// A pattern of any entries.
    fn pattern(rng: &mut Rng) -> CellPattern {
        (0..4).fold(CellPattern::default(), |pattern, d| pattern.with(d, rng.u8(..)))
    }

    #[test]
    fn patterns_change_together_as_they_do_alone() {
        let mut rng = Rng::with_seed(5);
        for _ in 0..2000 {
            let old = [(); 4].map(|()| pattern(&mut rng));
            let entries = [(); 4].map(|()| rng.u8(..));
            let direction = rng.usize(..4);
            let alone: [_; 4] = std::array::from_fn(|c| old[c].with(direction, entries[c]));
            assert_eq!(with_entries(old, direction, entries), alone);
            let [first, second, ..] = old;
            let two = with_entries([first, second], direction, [entries[0], entries[1]]);
            assert_eq!(two, [alone[0], alone[1]]);
            assert_eq!(packed(old) == packed(alone), old == alone);
            assert_eq!(packed(two), packed(alone) & u128::from(u64::MAX));
        }
    }

    #[test]
    fn each_line_has_bits_of_its_own() {
        for direction in 0..4 {
            for entry in 0..=u8::MAX {
                let pattern = CellPattern::default().with(direction, entry);
                assert_eq!(pattern.shapes() >> (3 * direction), usize::from(entry & 7));
                assert_eq!(pattern.captured_stones(), u32::from(entry >> 3 & 7));
                let marks = usize::from(entry >> 6 & 1) | usize::from(entry >> 7) << 4;
                assert_eq!(pattern.contact() >> direction, marks);
                let full = CellPattern::default().with(direction, 0xff);
                assert_eq!(full.with(direction, entry), pattern);
            }
        }
    }
}
