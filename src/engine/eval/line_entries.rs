//! What a stone on an empty cell would make of a line, looked up by what lies around the cell.

use super::shapes::Shapes;
use pentarch_core::board::{CENTER, Windows};
use pentarch_core::rules::{CaptureRule, LineRule};

/// The entries of all windows.
///
/// An entry describes one line through a cell: bits 0 to 2 the `Shape`, bits 3 to 5 the number of
/// stones that a stone there captures on that line, bit 6 whether it attacks a group there, bit 7
/// whether it exposes one of its own. Where nothing is captured, bit 6 says whether the shape is
/// ample.
#[derive(Debug)]
pub(super) struct LineEntries {
    /// Indexed by own cells, then blocked cells, the center left out. A power stone is both.
    of_one: Vec<u8>,
    /// Of two colors that block each other, indexed by what blocks the second, then by what blocks the
    /// first: one look instead of two.
    of_two: Vec<[u8; 2]>,
}

impl LineEntries {
    /// Asks the rules about windows of `radius` cells to either side, 4 or 5, in which there may be `power`
    /// stones.
    pub(super) fn new(
        line: LineRule,
        capture: Option<CaptureRule>,
        radius: u32,
        power: bool,
    ) -> LineEntries {
        let side = 1u32 << (2 * radius);
        let index = |own: u32, blocked: u32| (own | blocked << (2 * radius)) as usize;
        let mut of_one = vec![0; (side * side) as usize];
        let mut shapes = Shapes::new(line, radius);
        for blocked in 0..side {
            for own in (0..side).filter(|own| power || own & blocked == 0) {
                let (own_window, blocked_window) = (widen(own, radius), widen(blocked, radius));
                let shape = shapes.of(own_window | 1 << radius, blocked_window & !own_window);
                let captured = captured(capture, radius, own_window, blocked_window);
                let marks = match capture {
                    Some(capture) => attacks(capture, radius, own_window, blocked_window),
                    None => u8::from(shapes.is_ample(own_window | 1 << radius, blocked_window)),
                };
                of_one[index(own, blocked)] = shape as u8 | captured << 3 | marks << 6;
            }
        }
        // What is in both is a wall.
        let entry = |stones: u32, others: u32| of_one[index(stones & !others, others)];
        let of_two = (0..side * side).map(|index| {
            let (first, second) = (index & (side - 1), index >> (2 * radius));
            [entry(first, second), entry(second, first)]
        });
        LineEntries { of_two: of_two.collect(), of_one }
    }

    /// The entry for the windows of own and blocked cells, center included, `R` cells to either
    /// side.
    #[inline]
    fn of_one<const R: u32>(&self, own: u64, blocked: u64) -> u8 {
        let index = squeeze::<R>(own) | squeeze::<R>(blocked) << (2 * R);
        // Of this length, no index lies beyond the end.
        self.of_one[..1 << (4 * R)][index as usize]
    }

    /// The entries of two colors for the windows of their stones, each with the walls, `R` cells to
    /// either side.
    #[inline]
    fn of_two<const R: u32>(&self, stones: [u64; 2]) -> [u8; 2] {
        let index = squeeze::<R>(stones[0]) | squeeze::<R>(stones[1]) << (2 * R);
        self.of_two[..1 << (4 * R)][index as usize]
    }
}

/// A line to look entries up by. `SHARED` says that stones may lie there which are everybody's own; without
/// them two colors are looked up at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineBits<const N: usize, const SHARED: bool> {
    /// The stones of each color, with the walls if they are looked up at once.
    stones: [u64; N],
    /// The walls and the stones that block all colors, and those that are everybody's own, if they are not.
    wall: u64,
    power: u64,
}

impl<const N: usize, const SHARED: bool> LineBits<N, SHARED> {
    /// Whether two colors are looked up at once.
    const AT_ONCE: bool = N == 2 && !SHARED;

    #[inline]
    pub(super) fn new(stones: [u64; N], wall: u64, power: u64) -> LineBits<N, SHARED> {
        let with_walls = |line| if Self::AT_ONCE { line | wall } else { line };
        LineBits { stones: stones.map(with_walls), wall, power }
    }

    /// All colors' entries for the cell in the middle of the window that begins at a bit.
    #[inline]
    pub(super) fn entries<const R: u32>(&self, entries: &LineEntries, start: u32) -> [u8; N] {
        let stones = self.stones.map(|line| line >> start);
        if let [first, second] = stones[..]
            && Self::AT_ONCE
        {
            let pair = entries.of_two::<R>([first, second]);
            return std::array::from_fn(|color| pair[color & 1]);
        }
        let all = stones.iter().fold(self.wall >> start, |bits, line| bits | line);
        stones.map(|own| {
            // No cell holds two stones, so the others' are all but one's own. A power stone serves as one's own
            // and is captured like another's (S1).
            let power = self.power >> start;
            entries.of_one::<R>(own | power, all & !own | power)
        })
    }
}

/// Leaves the center out of a window of `R` cells to either side.
#[inline]
fn squeeze<const R: u32>(window: u64) -> u64 {
    let low = (1 << R) - 1;
    (window & low) | (window >> 1 & low << R)
}

/// Puts an empty center into a window without one.
fn widen(window: u32, radius: u32) -> u32 {
    let low = (1 << radius) - 1;
    (window & low) | (window & !low) << 1
}

/// The stones captured on a line, asked of the capture rule with one lane of windows. Blocked
/// cells between the center and an own stone can only be enemies.
fn captured(capture: Option<CaptureRule>, radius: u32, own: u32, blocked: u32) -> u8 {
    let Some(capture) = capture else { return 0 };
    let lane = |window: u32| Windows(u64::from(window) << (CENTER - radius));
    capture.captured(lane(own), lane(blocked)).stones() as u8
}

/// Whether a stone at the center attacks a group of the enemy, which it could capture next (bit 0),
/// and whether it makes a group of its own that the enemy could capture next (bit 1). The edge
/// counts as an enemy.
fn attacks(capture: CaptureRule, radius: u32, own: u32, blocked: u32) -> u8 {
    let lengths = capture.lengths().map(i32::from);
    let at = |set: u32, place: i32| set >> (radius as i32 + place) & 1 != 0;
    let is_open = |place: i32| !at(own | blocked, place);
    let both = |test: &dyn Fn(i32, i32) -> bool| {
        lengths.clone().any(|length| test(length, 1) || test(length, -1))
    };
    let attacks = both(&|length, sign| {
        (1..=length).all(|place| at(blocked, sign * place)) && is_open(sign * (length + 1))
    });
    let exposes = both(&|length, sign| {
        (0..length).any(|first| {
            let mut group = -first..length - first;
            let own = group.all(|place| place == 0 || at(own, sign * place));
            own && at(blocked, sign * (-first - 1)) && is_open(sign * (length - first))
        })
    });
    u8::from(attacks) | u8::from(exposes) << 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::cell_pattern::CellPattern;
    use crate::eval::patterns::PatternTables;
    use crate::eval::shapes::{SHAPES, Shape};

    /// The entry of a window such as `..xx*.op.`: own, enemy, power stones, the cell asked about.
    fn entry(spec: &str, picture: &str) -> u8 {
        let tables = PatternTables::new(&spec.parse().unwrap());
        let bits = |wanted: u8| -> u64 {
            picture.bytes().enumerate().filter(|(_, b)| *b == wanted).map(|(i, _)| 1 << i).sum()
        };
        let (own, blocked) = (bits(b'x') | bits(b'p'), bits(b'o') | bits(b'p'));
        match tables.radius() {
            4 => tables.entries.of_one::<4>(own, blocked),
            _ => tables.entries.of_one::<5>(own, blocked),
        }
    }

    /// The shape, and the stones that are captured.
    fn shape(spec: &str, picture: &str) -> (Shape, u32) {
        let entry = entry(spec, picture);
        (SHAPES[usize::from(entry & 7)], CellPattern::default().with(2, entry).captured_stones())
    }

    /// Whether a stone on the cell attacks a group, and whether it exposes one.
    fn contact(spec: &str, picture: &str) -> (bool, bool) {
        let pattern = CellPattern::default().with(3, entry(spec, picture));
        assert_eq!(pattern.contact() & !0x88, 0, "another line");
        let tables = PatternTables::new(&spec.parse().unwrap());
        let [attacks, exposes] = tables.contact_lines(pattern);
        (attacks != 0, exposes != 0)
    }

    #[test]
    fn shapes_of_pente() {
        for (picture, expected) in [
            ("xxxx*....", Shape::Five),
            ("..xx*xx..", Shape::Five),
            ("..xx*x...", Shape::OpenFour),
            (".oxx*x...", Shape::Four),
            (".oxx*xo..", Shape::Low),
            ("x.xx*.x..", Shape::OpenFour),
            ("..x.*x...", Shape::OpenThree),
            (".ox.*x...", Shape::Three),
            ("....*x...", Shape::OpenTwo),
            ("oooo*x...", Shape::Two),
            ("oooo*....", Shape::Low),
        ] {
            assert_eq!(shape("pente", picture).0, expected, "{picture}");
        }
    }

    #[test]
    fn exact_fives_need_room_for_the_neighbor() {
        assert_eq!(shape("gomoku-standard", ".xxxx*.....").0, Shape::Five);
        assert_eq!(shape("gomoku-standard", "x.x.x*.....").0, Shape::Three);
        assert_eq!(shape("gomoku-standard", "..x.x*x.x..").0, Shape::OpenFour);
        assert_eq!(shape("gomoku-standard", "x.x.x*.....").0, Shape::Three);
    }

    #[test]
    fn shapes_that_many_windows_hold_are_ample() {
        let is_ample = |spec, picture| entry(spec, picture) & 1 << 6 != 0;
        for (picture, expected) in [
            ("....*....", true),
            (".o..*....", true),
            ("..o.*....", false),
            (".o..*.o..", false),
            ("....*x...", true),
            ("....*.x..", true),
            ("....*..x.", false),
            ("..o.*.x..", false),
            (".ox.*x...", false),
            ("...x*x...", true),
            ("..xx*x...", false),
        ] {
            assert_eq!(is_ample("gomoku", picture), expected, "{picture}");
        }
    }

    #[test]
    fn captures_are_counted() {
        assert_eq!(shape("pente", "....*oox.").1, 2);
        assert_eq!(shape("pente", ".xoo*oox.").1, 4);
        assert_eq!(shape("pente", "....*ooox").1, 0);
        assert_eq!(shape("keryo-pente", "....*ooox").1, 3);
        assert_eq!(shape("keryo-pente", "xooo*oox.").1, 5);
        assert_eq!(shape("gomoku", "....*oox.").1, 0);
    }

    #[test]
    fn a_power_stone_is_ones_own_and_can_be_captured() {
        for (picture, expected) in [
            ("..xp*xx..", (Shape::Five, 0)),
            ("..xp*x...", (Shape::OpenFour, 0)),
            ("....*opx.", (Shape::Low, 2)),
            ("....*oop.", (Shape::Low, 2)),
            (".xpo*opx.", (Shape::Low, 4)),
            ("....*ppp.", (Shape::OpenFour, 2)),
        ] {
            assert_eq!(shape("pente-plus", picture), expected, "{picture}");
        }
        assert_eq!(contact("pente-plus", "....*po.."), (true, true));
        assert_eq!(contact("pente-plus", "....*xp.."), (false, true));
        assert_eq!(contact("pente-plus", "...p*x..."), (false, true));
    }

    /// Of every window of two colors and walls.
    fn compare_two_with_one<const R: u32>(spec: &str) {
        let tables = PatternTables::new(&spec.parse().unwrap());
        assert_eq!(tables.radius(), R);
        let entries = &tables.entries;
        let cells = 1 << (2 * R);
        for (first, second) in (0..cells).flat_map(|a| (0..cells).map(move |b| (a, b))) {
            let [first, second] = [first, second].map(|window| u64::from(widen(window, R)));
            let expected = [(first, second), (second, first)]
                .map(|(own, blocked)| entries.of_one::<R>(own & !blocked, blocked));
            assert_eq!(
                entries.of_two::<R>([first, second]),
                expected,
                "{spec} {first:b} {second:b}"
            );
        }
    }

    #[test]
    fn two_colors_get_the_entries_of_each() {
        compare_two_with_one::<4>("keryo-pente");
        compare_two_with_one::<5>("gomoku-standard");
    }

    #[test]
    fn attacks_and_exposed_pairs_are_seen() {
        for (picture, expected) in [
            ("....*oo..", (true, false)),
            ("..oo*....", (true, false)),
            ("....*oox.", (false, false)),
            ("....*ooo.", (false, false)),
            ("....*o...", (false, false)),
            ("...o*x...", (false, true)),
            ("....*xo..", (false, true)),
            ("...o*xo..", (false, false)),
            ("...o*xx..", (false, false)),
            (".oo.*xo..", (false, true)),
            (".ox.*x.o.", (false, false)),
            ("..ox*....", (false, true)),
            (".xoo*x...", (false, true)),
            ("..oo*x...", (true, true)),
        ] {
            assert_eq!(contact("pente", picture), expected, "{picture}");
        }
        assert_eq!(contact("keryo-pente", "....*ooo."), (true, false));
        assert_eq!(contact("keryo-pente", "...o*xx.."), (false, true));
        assert_eq!(contact("gomoku", "....*oo.."), (false, false));
    }
}
