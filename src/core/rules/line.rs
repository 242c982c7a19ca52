//! Which runs of stones win.

use crate::board::{CENTER, Windows};

/// The winning run: its length and whether a longer one wins too.
///
/// Five or more wins in Pente (S1, S3, PO: six is a five too) and in free Gomoku; exactly five in
/// standard Gomoku, where a longer run neither wins nor loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRule {
    length: u8,
    exact: bool,
    caro: bool,
}

impl LineRule {
    /// The shortest and the longest winning run that can be asked for.
    pub const LENGTHS: std::ops::RangeInclusive<u8> = 3..=6;

    /// A run of `length` or more, or with `exact` of that length only. The length must lie in
    /// [`LineRule::LENGTHS`].
    pub(super) const fn new(length: u8, exact: bool) -> LineRule {
        LineRule { length, exact, caro: false }
    }

    /// The rule of Caro: a run of exactly `length` with an enemy stone at either end does not win;
    /// the edge is no stone (Gomocup rules 8 and 9).
    pub(super) const fn caro(length: u8, exact: bool) -> LineRule {
        LineRule { length, exact, caro: true }
    }

    /// The number of stones in a row.
    pub const fn length(self) -> u8 {
        self.length
    }

    /// Whether longer runs do not win.
    pub const fn exact(self) -> bool {
        self.exact
    }

    /// Whether enemy stones at both ends spoil a run.
    pub const fn is_caro(self) -> bool {
        self.caro
    }

    /// The same rule, with or without longer runs.
    pub const fn with_exact(self, exact: bool) -> LineRule {
        LineRule { exact, ..self }
    }

    /// The same rule for another length.
    pub(super) const fn with_length(self, length: u8) -> LineRule {
        LineRule { length, ..self }
    }

    /// How far from a cell another can lie that matters to a winning run through it.
    pub const fn reach(self) -> u32 {
        self.length as u32 - 1 + self.exact as u32
    }

    /// Whether a winning run goes through the center of any of the four windows, given the
    /// windows of one color's stones.
    ///
    /// All four lanes are tested at once: after the `length - 1` shifted conjunctions a set bit
    /// marks the lower end of a run. No bit of a neighboring lane reaches the bits looked at,
    /// because a window fills 13 of the 16 bits of its lane.
    #[inline]
    pub fn wins(self, own: Windows) -> bool {
        let w = own.0;
        let mut runs = w & (w >> 1);
        if self.length == 5 {
            runs &= runs >> 2;
            runs &= w >> 4;
        } else {
            for shift in 2..self.length {
                runs &= w >> shift;
            }
        }
        if self.exact {
            runs &= !(w << 1) & !(w >> self.length);
        }
        runs & self.ends() != 0
    }

    /// [`LineRule::wins`] where the enemy's stones may matter.
    pub fn wins_beside(self, own: Windows, enemy: Windows) -> bool {
        if !self.caro {
            return self.wins(own);
        }
        let plain = LineRule { caro: false, ..self };
        if !self.exact && plain.with_length(self.length + 1).wins(own) {
            return true;
        }
        // A run of the exact length wins unless both its ends are the enemy's.
        let (w, e) = (own.0, enemy.0);
        let runs = (1..self.length).fold(w, |runs, shift| runs & w >> shift);
        let exact = runs & !(w << 1) & !(w >> self.length);
        exact & self.ends() & !((e << 1) & (e >> self.length)) != 0
    }

    /// The lower ends of the runs that include the center, in every lane.
    #[inline]
    const fn ends(self) -> u64 {
        let lowest = CENTER - (self.length as u32 - 1);
        (((1 << self.length) - 1) << lowest) * crate::board::LANES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wins(rule: LineRule, row: &str, direction: usize) -> bool {
        let bits = row.bytes().enumerate().filter(|(_, b)| *b == b'x');
        let lane: u64 = bits.map(|(i, _)| 1 << i).sum();
        rule.wins(Windows(lane << (16 * direction)))
    }

    #[test]
    fn runs_count_only_through_the_center() {
        let five = LineRule::new(5, false);
        let exact = LineRule::new(5, true);
        for direction in 0..4 {
            assert!(wins(five, "..xxxxx......", direction));
            assert!(wins(five, "......xxxxx..", direction));
            assert!(!wins(five, ".xxxxx.......", direction));
            assert!(!wins(five, "...xxx.xx....", direction));
            assert!(wins(five, "xxxxxxxxxxxxx", direction));
            assert!(wins(exact, "..xxxxx......", direction));
            assert!(!wins(exact, ".xxxxxx......", direction));
            assert!(!wins(exact, "......xxxxxx.", direction));
            assert!(wins(exact, "......xxxxx.x", direction));
        }
    }

    #[test]
    fn other_lengths() {
        for length in LineRule::LENGTHS {
            let rule = LineRule::new(length, false);
            let lowest = 7 - usize::from(length);
            for start in lowest..=6 {
                let row = format!("{}{}", ".".repeat(start), "x".repeat(length.into()));
                assert!(wins(rule, &row, 1), "{row}");
                assert!(!wins(rule, &row[..row.len() - 1], 1), "{row} less one");
            }
        }
    }
}
