//! What a stone on a cell would make of all its lines, packed into a word.

use super::line_pattern::LinePattern;

/// The entries of the [`PatternTable`](super::line_pattern::PatternTable) for the four lines of a cell. From the lowest bit:
/// the line patterns, three bits each; a bit a line for attacks, or for many completions in games without captures; a bit
/// a line for exposed groups; the numbers of captured stones, three bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CellPattern(u32);

/// The first bits of attacks, exposed groups and captured stones.
const ATTACKS: u32 = 12;
const EXPOSES: u32 = 16;
const CAPTURED: u32 = 20;
/// The pattern and the captured stones of the first line.
const LINE: u32 = 7 | 7 << CAPTURED;
/// The flags of the first line.
const FLAGS: u32 = 1 << ATTACKS | 1 << EXPOSES;
/// The captured stones of all lines.
const ALL_CAPTURED: u32 = !0 << CAPTURED;

/// The bits of all other lines, by direction.
static OTHER_LINES: [u32; 4] = {
    let mut others = [0; 4];
    let mut direction = 0;
    while direction < 4 {
        others[direction] = !(LINE << (3 * direction) | FLAGS << direction);
        direction += 1;
    }
    others
};

/// The bits of an entry in a [`CellPattern`], by direction.
static ENTRY_BITS: [[u32; 256]; 4] = {
    let mut bits = [[0; 256]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut entry = 0;
        while entry < 256 {
            let line = entry & 7 | (entry >> 3 & 7) << CAPTURED;
            let flags = (entry >> 6 & 1) << ATTACKS | (entry >> 7) << EXPOSES;
            bits[direction][entry as usize] = line << (3 * direction) | flags << direction;
            entry += 1;
        }
        direction += 1;
    }
    bits
};

impl CellPattern {
    const LINE_PATTERNS: u32 = 0xfff;

    /// The pattern with another entry for a direction.
    #[cfg(test)]
    pub(super) fn with(self, direction: usize, entry: u8) -> CellPattern {
        let [pattern] = with_entries([self], direction, [entry]);
        pattern
    }

    /// The patterns of the four lines, three bits each.
    #[inline]
    pub(super) const fn line_patterns(self) -> usize {
        (self.0 & CellPattern::LINE_PATTERNS) as usize
    }

    /// The number of lines whose pattern is at least `least`.
    #[inline]
    pub(super) fn lines_with(self, least: LinePattern) -> usize {
        let patterns = [0, 3, 6, 9].map(|shift| self.line_patterns() >> shift & 7);
        patterns.into_iter().filter(|&pattern| pattern >= least as usize).count()
    }

    /// The two halves, as indices of tables: line patterns with the bits of attacks or completions above them, and
    /// captured stones with the bits of exposed groups below them.
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
    pub(super) const fn capture_lines(self) -> usize {
        (self.0 >> ATTACKS & 0xff) as usize
    }

    /// Whether a stone attacks a group.
    #[inline]
    pub(super) const fn attacks(self) -> bool {
        self.capture_lines() & 15 != 0
    }

    /// The class of a number of captured stones: none, a pair, three, more.
    #[inline]
    pub(super) const fn captured_class(stones: u32) -> usize {
        match stones {
            0 => 0,
            1 | 2 => 1,
            3 => 2,
            _ => 3,
        }
    }

    /// The number of stones captured on all four lines.
    #[inline]
    pub(super) const fn captured_stones(self) -> u32 {
        const EVEN: u32 = 0o707;
        let counts = self.0 >> CAPTURED;
        let pairs = (counts & EVEN) + (counts >> 3 & EVEN);
        (pairs + (pairs >> 6)) & 0o77
    }

    /// Whether a stone captures.
    #[inline]
    pub(super) const fn captures(self) -> bool {
        self.0 & ALL_CAPTURED != 0
    }
}

/// Whether the patterns of some color differ in more than line patterns.
#[inline]
pub(super) fn differ_beyond_lines<const N: usize>(
    old: [CellPattern; N],
    new: [CellPattern; N],
) -> bool {
    differ_in(!CellPattern::LINE_PATTERNS, old, new)
}

/// Whether the patterns of some color differ in captured stones.
#[inline]
pub(super) fn differ_in_captures<const N: usize>(
    old: [CellPattern; N],
    new: [CellPattern; N],
) -> bool {
    differ_in(ALL_CAPTURED, old, new)
}

/// Whether the patterns of some color differ in some of these bits. All colors are compared at once.
#[inline]
fn differ_in<const N: usize>(bits: u32, old: [CellPattern; N], new: [CellPattern; N]) -> bool {
    (packed(old) ^ packed(new)) & packed([CellPattern(bits); N]) != 0
}

/// The patterns of up to four colors as one number, the first color lowest. Those of two colors are a machine word,
/// which is compared at once.
#[inline]
pub(super) fn packed<const N: usize>(patterns: [CellPattern; N]) -> u128 {
    patterns.iter().rev().fold(0, |word, pattern| word << u32::BITS | u128::from(pattern.0))
}

/// The patterns of up to four colors with other entries for a direction. All colors are changed at once.
#[inline]
pub(super) fn with_entries<const N: usize>(
    patterns: [CellPattern; N],
    direction: usize,
    entries: [u8; N],
) -> [CellPattern; N] {
    let direction = direction & 3;
    let kept = packed(patterns) & packed([CellPattern(OTHER_LINES[direction]); N]);
    let new =
        kept | packed(entries.map(|entry| CellPattern(ENTRY_BITS[direction][usize::from(entry)])));
    std::array::from_fn(|color| CellPattern((new >> (u32::BITS * color as u32)) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// A pattern of random entries.
    fn pattern(rng: &mut Rng) -> CellPattern {
        (0..4).fold(CellPattern::default(), |pattern, d| pattern.with(d, rng.u8(..)))
    }

    #[test]
    fn colors_change_together_as_they_do_alone() {
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
                assert_eq!(pattern.line_patterns() >> (3 * direction), usize::from(entry & 7));
                assert_eq!(pattern.captured_stones(), u32::from(entry >> 3 & 7));
                let marks = usize::from(entry >> 6 & 1) | usize::from(entry >> 7) << 4;
                assert_eq!(pattern.capture_lines() >> direction, marks);
                let full = CellPattern::default().with(direction, 0xff);
                assert_eq!(full.with(direction, entry), pattern);
            }
        }
    }
}
