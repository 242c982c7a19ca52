//! Which cells a network takes for alike.

use crate::eval::cell_pattern::CellPattern;
use crate::eval::shapes::Shape;

/// Cells by the most valuable of the four shapes that a stone there would make, and by whether it
/// captures, attacks or exposes a group, or by how ample its shapes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    kept: usize,
    flags: Flags,
    /// By the [halves](CellPattern::halves) of a cell's pattern, two numbers whose sum is its group.
    halves: [Box<[u8; 1 << 16]>; 2],
    /// By group, the number of its kin.
    kin: Vec<u8>,
}

/// What is looked at besides shapes: captures, attacks, exposes, and whether shapes are ample.
type Flags = [bool; 4];

impl Grouping {
    /// What flags are called, in their order.
    pub const FLAGS: [&str; 4] = ["captures", "attacks", "exposes", "ample"];

    /// By the `kept` most valuable shapes, one to three, and by those flags that are looked at. Of two
    /// shapes the second counts as far as it matters beside the first; how ample shapes are is told of
    /// three, and of no fewer. None if that gives too many groups.
    pub fn new(kept: usize, flags: Flags) -> Option<Grouping> {
        let [contact @ .., ample] = flags;
        if !(1..=3).contains(&kept) || ample && (kept < 3 || contact.contains(&true)) {
            return None;
        }
        let code =
            |marked: usize| if ample { marked_code(marked) } else { plain_code(kept, marked) };
        // Where it is not told how ample shapes are, marks make no other cell.
        let told = if ample { 1 << 16 } else { 1 << 12 };
        let of_cells: Vec<usize> = (0..told).map(code).collect();
        let mut codes = of_cells.clone();
        codes.sort_unstable();
        codes.dedup();
        let width = 1usize << contact.iter().filter(|&&flag| flag).count();
        let count = codes.len() * width;
        if count > usize::from(u8::MAX) {
            return None;
        }
        let base = |code| (codes.binary_search(code).unwrap_or_default() * width) as u8;
        let bases: Vec<u8> = of_cells.iter().map(base).collect();
        let [captures, attacks, exposes] = Self::added(contact);
        let added = |lines: usize, added: u8| if lines == 0 { 0 } else { added };
        let lower = |half: usize| bases[half % told] + added(half >> 12, attacks);
        let upper = |half: usize| added(half >> 4, captures) + added(half & 0xf, exposes);
        let halves = [by_half(lower), by_half(upper)];
        let kin = if ample { kin_by_shape(&codes) } else { (0..count as u8).collect() };
        Some(Grouping { kept, flags, halves, kin })
    }

    /// What captures, attacks and exposed groups add to the number of a group.
    fn added(contact: [bool; 3]) -> [u8; 3] {
        let below =
            |flag: usize| contact[flag + 1..].iter().filter(|&&looked_at| looked_at).count();
        std::array::from_fn(|flag| u8::from(contact[flag]) << below(flag))
    }

    /// How many shapes are looked at.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Whether captures, attacks and exposed groups are, and how ample shapes are.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// The number of groups.
    pub fn count(&self) -> usize {
        self.kin.len()
    }

    /// The number of pairs of groups, one for either color: the rows of cells in a view.
    pub fn pairs(&self) -> usize {
        self.count().pow(2)
    }

    /// By group, the number of its kin, counted from 0: groups of the same shapes. Of two colors that
    /// meet on a cell, a fit tells no more than the kin apart.
    pub fn kin(&self) -> &[u8] {
        &self.kin
    }

    /// The group of a cell. An occupied one, or one where a stone makes nothing, is of group 0.
    #[inline]
    pub(in crate::eval) fn of(&self, pattern: CellPattern) -> u8 {
        self.lookup()(pattern)
    }

    /// [`Grouping::of`] of many cells, for which the tables are at hand.
    #[inline]
    pub(super) fn lookup(&self) -> impl Fn(CellPattern) -> u8 {
        let halves = self.halves.each_ref().map(|half| &**half);
        move |pattern| {
            let [lower, upper] = pattern.halves();
            halves[0][lower & 0xffff].wrapping_add(halves[1][upper & 0xffff])
        }
    }
}

/// A table by half a pattern.
fn by_half(of: impl Fn(usize) -> u8) -> Box<[u8; 1 << 16]> {
    let table: Box<[u8]> = (0..1 << 16).map(of).collect();
    table.try_into().expect("a half has sixteen bits")
}

/// The most valuable shapes of four, three bits each.
fn plain_code(kept: usize, marked: usize) -> usize {
    let mut all = [9, 6, 3, 0].map(|shift| marked >> shift & 7);
    all.sort_unstable_by_key(|&shape| std::cmp::Reverse(shape));
    if kept == 2 {
        all[1] = beside(all[0], all[1]);
    }
    all[..kept].iter().fold(0, |code, shape| code << 3 | shape)
}

/// The three most valuable shapes of four, each with a bit that says whether it is ample. Beside a four
/// there is one other, of which that is not told; beside an open four and a five there is nothing.
fn marked_code(marked: usize) -> usize {
    let line = |line: usize| (marked >> (3 * line) & 7) << 1 | marked >> (12 + line) & 1;
    let mut all = [0, 1, 2, 3].map(line);
    all.sort_unstable_by_key(|&line| std::cmp::Reverse(line));
    let [first, second, third, _] = all;
    let plain = |line: usize| line & !1;
    let [first, second, third] = match first >> 1 {
        FIVE | OPEN_FOUR => [plain(first), 0, 0],
        FOUR => [plain(first), plain(second), 0],
        _ => [first, second, third],
    };
    (first << 4 | second) << 4 | third
}

/// For codes of marked shapes, the numbers of what they are without marks.
fn kin_by_shape(codes: &[usize]) -> Vec<u8> {
    const MARKS: usize = 0x111;
    let mut plain: Vec<usize> = codes.iter().map(|code| code & !MARKS).collect();
    plain.sort_unstable();
    plain.dedup();
    let number = |code: &usize| plain.binary_search(&(code & !MARKS)).unwrap_or_default() as u8;
    codes.iter().map(number).collect()
}

const OPEN_THREE: usize = Shape::OpenThree as usize;
const FOUR: usize = Shape::Four as usize;
const OPEN_FOUR: usize = Shape::OpenFour as usize;
const FIVE: usize = Shape::Five as usize;

/// The second shape of a cell as far as it matters beside the most valuable one: beside a five or an
/// open four nothing does, beside a four what makes a second threat. Fewer groups are each seen more
/// often: with captures, 80 groups foretell what 144 did not (loss 0.0821 against 0.0829). With three
/// shapes, on lines alone, it is the other way round (0.0657 against 0.0648).
fn beside(first: usize, other: usize) -> usize {
    match first {
        0..FOUR => other,
        FOUR if other >= OPEN_THREE => other,
        _ => Shape::Low as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_from_nothing_up() {
        for (kept, flags, count, kin) in [
            (1, [false; 4], 8, 8),
            (2, [true, false, true, false], 80, 80),
            (2, [true, true, true, false], 160, 160),
            (3, [false; 4], 120, 120),
            (3, [true, false, false, false], 240, 240),
            (3, [false, false, false, true], 228, 43),
        ] {
            let grouping = Grouping::new(kept, flags).unwrap();
            assert_eq!(grouping.count(), count);
            assert_eq!(grouping.of(CellPattern::default()), 0);
            let [lower, upper] = grouping.halves.each_ref().map(|half| half.iter().max().unwrap());
            assert_eq!(usize::from(lower + upper), count - 1);
            assert_eq!(grouping.kin()[0], 0);
            assert_eq!(usize::from(*grouping.kin().iter().max().unwrap()), kin - 1);
        }
        for (kept, flags) in [
            (3, [true, true, true, false]),
            (0, [false; 4]),
            (2, [false, false, false, true]),
            (3, [true, false, false, true]),
        ] {
            assert!(Grouping::new(kept, flags).is_none(), "{kept} {flags:?}");
        }
    }

    /// By shape and whether it is ample.
    fn group(grouping: &Grouping, lines: [(Shape, bool); 4]) -> u8 {
        let pattern = lines.into_iter().enumerate();
        let pattern =
            pattern.fold(CellPattern::default(), |pattern, (direction, (shape, ample))| {
                pattern.with(direction, shape as u8 | u8::from(ample) << 6)
            });
        grouping.of(pattern)
    }

    #[test]
    fn ample_shapes_are_told_apart_where_they_matter() {
        use Shape::{Five, Four, Low, OpenTwo, Two};
        let grouping = Grouping::new(3, [false, false, false, true]).unwrap();
        let same = |a, b| group(&grouping, a) == group(&grouping, b);
        let [low, two, open] = [Low, Two, OpenTwo].map(|shape| (shape, false));
        let [more_low, more_two] = [Low, Two].map(|shape| (shape, true));
        assert!(!same([low; 4], [low, more_low, low, low]));
        assert!(!same([open, two, low, low], [more_two, low, open, low]));
        assert!(same([open, more_two, low, low], [more_two, low, open, low]));
        assert!(!same([open, open, two, low], [open, open, more_two, low]));
        assert!(same([open, open, two, more_low], [open, open, two, low]));
        assert!(same([(Four, false), two, low, low], [low, (Four, true), more_two, more_low]));
        assert!(same([(Five, false), two, low, low], [low, (Five, false), open, more_low]));
    }
}
