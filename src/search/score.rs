//! What a position is worth, and what is known of such a value.

use std::fmt;
use std::ops::Neg;

/// The worth of a position to the side to move, in hundredths of a plain stone's worth, or a
/// win or loss in a number of plies.
///
/// ```
/// use pentarch::search::Score;
/// let win = Score::win_in(3);
/// assert_eq!(win.mate(), Some(3));
/// assert_eq!((-win).mate(), Some(-3));
/// assert!(Score::win_in(1) > win && win > Score::points(20_000));
/// assert_eq!(Score::points(1_000_000).mate(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

/// A win now; a win in `n` plies is worth `n` less.
const MATE: i16 = 32_000;
/// Values beyond this are wins: no search follows a line as long as the difference.
const LEAST_MATE: i16 = 25_000;

impl Score {
    /// The value of a drawn game.
    pub const DRAW: Score = Score(0);
    /// More than any value.
    pub const INFINITE: Score = Score(i16::MAX);

    /// A value short of a win; larger ones are cut.
    pub fn points(value: i32) -> Score {
        Score(value.clamp(-20_000, 20_000) as i16)
    }

    /// A win after `plies` more plies.
    pub const fn win_in(plies: u32) -> Score {
        let most = (MATE - LEAST_MATE) as u32;
        Score(MATE - if plies < most { plies } else { most } as i16)
    }

    /// A loss after `plies` more plies.
    pub fn loss_in(plies: u32) -> Score {
        -Score::win_in(plies)
    }

    /// The value with so many points more; wins and losses stay what they are.
    #[must_use]
    pub fn plus(self, points: i32) -> Score {
        if self.is_win() || self.is_loss() { self } else { Score::points(self.value() + points) }
    }

    /// The value as a plain number.
    pub const fn value(self) -> i32 {
        self.0 as i32
    }

    /// The number of plies to the end if the game is decided, negative for a loss.
    pub fn mate(self) -> Option<i32> {
        match self.0 {
            v if v >= LEAST_MATE => Some(i32::from(MATE - v)),
            v if v <= -LEAST_MATE => Some(-i32::from(MATE + v)),
            _ => None,
        }
    }

    /// Whether this is a win for the side to move.
    pub const fn is_win(self) -> bool {
        self.0 >= LEAST_MATE
    }

    /// Whether this is a loss for the side to move.
    pub const fn is_loss(self) -> bool {
        self.0 <= -LEAST_MATE
    }

    /// The least value greater than this one.
    pub const fn next(self) -> Score {
        Score(self.0.saturating_add(1))
    }

    /// A value that counts from the root, as one that counts from a node `ply` plies below it:
    /// what a table may hold, since the node may be reached by ways of other lengths.
    pub fn at_node(self, ply: u32) -> Score {
        self.shift(ply as i32)
    }

    /// The inverse of [`Score::at_node`].
    pub fn at_root(self, ply: u32) -> Score {
        self.shift(-(ply as i32))
    }

    fn shift(self, plies: i32) -> Score {
        let shifted = |by: i32| Score((i32::from(self.0) + by).clamp(-32_000, 32_000) as i16);
        match self {
            _ if self.is_win() => shifted(plies),
            _ if self.is_loss() => shifted(-plies),
            _ => self,
        }
    }

    /// The bits for a table entry.
    pub const fn bits(self) -> u16 {
        self.0 as u16
    }

    /// The value with those bits.
    pub const fn from_bits(bits: u16) -> Score {
        Score(bits as i16)
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some(plies) => write!(f, "mate {plies}"),
            None => write!(f, "{}", self.0),
        }
    }
}

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value.
    Exact,
    /// The true value is this or more.
    Lower,
    /// The true value is this or less.
    Upper,
}

/// The values that matter to a node: greater than `alpha` and less than `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Values up to this one change nothing.
    pub alpha: Score,
    /// Values from this one on are too good to be allowed.
    pub beta: Score,
}

impl Window {
    /// Every value.
    pub const FULL: Window = Window { alpha: Score(-i16::MAX), beta: Score::INFINITE };

    /// The window that only tells whether a value exceeds `alpha`.
    pub const fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha.next() }
    }

    /// The part of the window in which values between the ends of `range` can lie. It is empty if
    /// they can change nothing; `alpha` is then a value that stands for all of them.
    pub fn within(self, range: Window) -> Window {
        if range.beta <= self.alpha {
            Window { alpha: range.beta, beta: range.beta }
        } else if range.alpha >= self.beta {
            Window { alpha: range.alpha, beta: range.alpha }
        } else {
            Window { alpha: self.alpha.max(range.alpha), beta: self.beta.min(range.beta) }
        }
    }

    /// Whether there is no value strictly inside.
    pub fn is_null(self) -> bool {
        self.alpha.next() >= self.beta
    }

    /// What a value found with this window says.
    pub fn bound(self, score: Score) -> Bound {
        match score {
            _ if score >= self.beta => Bound::Lower,
            _ if score <= self.alpha => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

/// The window of the other side.
impl Neg for Window {
    type Output = Window;

    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_keeps_its_distance_through_the_table() {
        for plies in [1, 7, 200] {
            let at_root = Score::win_in(plies + 5);
            assert_eq!(at_root.at_node(5), Score::win_in(plies));
            assert_eq!(at_root.at_node(5).at_root(5), at_root);
            assert_eq!((-at_root).at_node(5), Score::loss_in(plies));
        }
        assert_eq!(Score::points(120).at_node(9), Score::points(120));
    }

    #[test]
    fn bits_keep_the_sign() {
        for score in [Score::loss_in(3), Score::points(-7), Score::DRAW, Score::win_in(9)] {
            assert_eq!(Score::from_bits(score.bits()), score);
        }
    }
}
