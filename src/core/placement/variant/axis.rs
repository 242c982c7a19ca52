//! What a stone makes on one line through it, by the rule that exactly five in a row win.

use crate::board::{CENTER, LANES, SquareBoard};
use crate::game::{Cell, Color};

/// The number of stones in a winning row, and one less.
const FIVE: u32 = 5;
const FOUR: u32 = 4;

/// The bits of a window.
const WINDOW: u16 = (1 << (2 * CENTER + 1)) - 1;

/// The window of a line around a stone of a color, which counts as placed. Bit [`CENTER`] is the
/// stone itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    own: u16,
    empty: u16,
}

impl Axis {
    /// The four lines through a stone of a color on `cell`, where stones of that color stand on
    /// `placed` too and those on `lifted` are gone.
    pub(super) fn through(
        board: &SquareBoard,
        color: Color,
        cell: Cell,
        placed: &[Cell],
        lifted: &[Cell],
    ) -> [Axis; 4] {
        let seen = |other: &Cell| board.map().seen_from(cell, *other);
        let mask = |cells: &[Cell]| cells.iter().map(seen).fold(0, |all, bits| all | bits);
        let gone = mask(lifted);
        let own = board.windows(color, cell).0 & !gone | mask(placed) | LANES << CENTER;
        let enemy = board.windows(color.opponent(), cell).0 & !gone;
        let taken = own | enemy | board.map().walls(cell).0;
        let lane = |windows: u64, direction: usize| (windows >> (16 * direction)) as u16;
        std::array::from_fn(|direction| Axis {
            own: lane(own, direction),
            empty: !lane(taken, direction) & WINDOW,
        })
    }

    /// The empty cells as bits.
    pub(super) fn empty(self) -> u16 {
        self.empty
    }

    /// The same line if all that blocks it were gone: what it can make at best.
    pub(super) fn unblocked(self) -> Axis {
        Axis { empty: !self.own, ..self }
    }

    /// The length of the row that the stone is in.
    pub(super) fn row(self) -> u32 {
        let [below, above] = self.reach();
        below + 1 + above
    }

    /// How many stones of the row lie to either side of the stone.
    fn reach(self) -> [u32; 2] {
        let above = (self.own >> (CENTER + 1)).trailing_ones();
        let below = (self.own << (u16::BITS - CENTER)).leading_ones();
        [below, above]
    }

    /// The row that the stone is in, as bits.
    pub(super) fn bits(self) -> u16 {
        let [below, above] = self.reach();
        row(below + 1 + above, CENTER - below)
    }

    /// The same, if it is of exactly five.
    pub(super) fn five(self) -> Option<u16> {
        Some(self.bits()).filter(|row| row.count_ones() == FIVE)
    }

    /// Whether the rest of the row of five that the stone is in makes five with a point at its other end
    /// too.
    pub(super) fn has_twin(self) -> bool {
        let (point, beyond) = match self.reach() {
            [0, FOUR] => (1 << (CENTER + FIVE), 1 << (CENTER + FIVE + 1)),
            [FOUR, 0] => (1 << (CENTER - FIVE), 1 << (CENTER - FIVE - 1)),
            _ => return false,
        };
        self.empty & point != 0 && self.own & beyond == 0
    }

    /// The number of fours that the stone is in: two points that complete the same four stones count
    /// once.
    pub(super) fn fours(self) -> u32 {
        let completes = |low: &u32| {
            let missing = row(FIVE, *low) & !self.own;
            let beside = ends(FIVE, *low);
            missing.is_power_of_two() && missing & self.empty != 0 && self.own & beside == 0
        };
        let points = rows(FIVE).filter(completes).count() as u32;
        // Only four in a row can be completed at both ends.
        if self.row() == FOUR { points.min(1) } else { points }
    }

    /// The points, as bits of the window, at which one more stone makes four in a row with the stone
    /// that exactly five can be made of at both ends.
    pub(super) fn open_four_points(self) -> u16 {
        let point = |low: u32| {
            let missing = row(FOUR, low) & !self.own;
            let needed = missing | ends(FOUR, low);
            let open = needed & !self.empty == 0 && self.own & ends(FOUR + 2, low - 1) == 0;
            (missing.is_power_of_two() && open).then_some(missing)
        };
        rows(FOUR).filter_map(point).fold(0, |points, point| points | point)
    }
}

/// The lowest bits of the rows of a length that the stone can be in.
pub(super) fn rows(length: u32) -> impl Iterator<Item = u32> {
    CENTER + 1 - length..=CENTER
}

/// A row of a length.
pub(super) const fn row(length: u32, low: u32) -> u16 {
    ((1 << length) - 1) << low
}

/// The two cells beside a row.
pub(super) const fn ends(length: u32, low: u32) -> u16 {
    1 << (low - 1) | 1 << (low + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line around its stone, the letter `X`.
    fn axis(text: &str) -> Axis {
        let start = CENTER as usize - text.find('X').unwrap();
        let bits = |what: &[u8]| {
            let there = text.bytes().enumerate().filter(|(_, byte)| what.contains(byte));
            there.fold(0, |bits, (place, _)| bits | 1 << (start + place))
        };
        Axis { own: bits(b"xX"), empty: bits(b".!") }
    }

    #[test]
    fn rows_are_counted_to_the_window_s_ends() {
        for (text, length) in [("X", 1), (".xX.", 2), ("x.Xxx", 3), ("xxxxxxXxxxxxx", 13)] {
            assert_eq!(axis(text).row(), length, "{text}");
        }
    }

    #[test]
    fn fives_are_exact_and_may_have_a_twin() {
        for (text, five, twin) in [
            (".xxXxx.", Some("xxxxx"), false),
            (".xxXxxx", None, false),
            (".xXxx.", None, false),
            ("oXxxxx.", Some("xxxxx"), true),
            ("oXxxxx.x", Some("xxxxx"), false),
            ("oXxxxxo", Some("xxxxx"), false),
            (".xxxxX.", Some("xxxxx"), true),
            ("oxxxxX.", Some("xxxxx"), false),
            ("x.xxxxX.", Some("xxxxx"), false),
        ] {
            let start = CENTER as usize - text.find('X').unwrap();
            let at = |five: &str| {
                let place = text.to_lowercase().find(five).unwrap();
                ((1 << five.len()) - 1) << (start + place)
            };
            assert_eq!(axis(text).five(), five.map(at), "{text}");
            assert_eq!(axis(text).has_twin(), twin, "{text}");
        }
    }

    #[test]
    fn fours_on_one_line() {
        for (text, count) in [
            (".xxXx.", 1),
            ("oxxXx.", 1),
            ("oxxXxo", 0),
            ("xx.Xx", 1),
            ("xx.Xxx", 0),
            ("xxx.X.xxx", 2),
            ("x.xXx.x", 2),
            ("x.xXx.xx", 1),
            ("..xXx..", 0),
        ] {
            assert_eq!(axis(text).fours(), count, "{text}");
        }
    }

    #[test]
    fn points_of_open_fours_are_found() {
        // The points are marked.
        for text in [
            ".!xXx!.",
            "o.!xXx!.o",
            "o.xXx!.o",
            ".x!Xx.",
            ".Xx!x.",
            "..X..",
            "ox.Xx.",
            "x..xXx!.",
            ".!xXx..x",
            ".xXxx.",
            "x.xXx..",
            "o.xXx.o",
        ] {
            let points = Axis { own: 0, ..axis(&text.replace('.', "o")) }.empty;
            assert_eq!(axis(text).open_four_points(), points, "{text}");
        }
    }
}
