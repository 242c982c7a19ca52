//! Scores, bounds and windows.

use std::fmt;
use std::ops::Neg;

/// The score of a position for the side to move: points, or a win or loss in a number of plies.
///
/// All games, searchers and dialects use one scale, on which [`Score::SCALE`] points are odds of e to 1: see
/// [`Score::win_probability`].
///
/// ```
/// use pentarch_engine::search::Score;
/// let win = Score::win_in(3);
/// assert_eq!(win.mate(), Some(3));
/// assert_eq!((-win).mate(), Some(-3));
/// assert!(Score::win_in(1) > win && win > Score::points(20_000));
/// assert_eq!(Score::points(1_000_000).mate(), None);
/// assert_eq!(Score::DRAW.win_probability(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

/// The score of a win in 0 plies. A win in `n` plies scores `n` less.
const MATE: i16 = 32_000;
/// The least score of a win. No search reaches a ply as great as the difference.
const MIN_MATE: i16 = 25_000;

impl Score {
    /// The score of a draw.
    pub const DRAW: Score = Score(0);
    /// More than any score.
    pub const INFINITE: Score = Score(i16::MAX);
    /// The points that multiply the odds of winning by e.
    pub const SCALE: f64 = 400.0;

    /// A score in points, clamped to the range between a loss and a win.
    pub fn points(value: i32) -> Score {
        Score(value.clamp(-20_000, 20_000) as i16)
    }

    /// The score for a probability to win, a draw being half a win. The probability is clamped to 0.001 to 0.999,
    /// because an estimate is no proof.
    pub fn from_win_probability(probability: f64) -> Score {
        let probability = probability.clamp(0.001, 0.999);
        Score::points((Score::SCALE * (probability / (1.0 - probability)).ln()).round() as i32)
    }

    /// The probability that the side to move wins, a draw being half a win: a logistic function of the points. Exactly 1
    /// for a proved win and 0 for a proved loss.
    pub fn win_probability(self) -> f64 {
        match self {
            _ if self.is_win() => 1.0,
            _ if self.is_loss() => 0.0,
            _ => 1.0 / (1.0 + (-f64::from(self.0) / Score::SCALE).exp()),
        }
    }

    /// A win after `plies` more plies.
    pub const fn win_in(plies: u32) -> Score {
        let most = (MATE - MIN_MATE) as u32;
        Score(MATE - if plies < most { plies } else { most } as i16)
    }

    /// A loss after `plies` more plies.
    pub fn loss_in(plies: u32) -> Score {
        -Score::win_in(plies)
    }

    /// The score plus some points. Wins and losses do not change.
    #[must_use]
    pub fn plus(self, points: i32) -> Score {
        if self.is_win() || self.is_loss() { self } else { Score::points(self.value() + points) }
    }

    /// The score of a loss that is not proved, because a move that was not searched may be better: above a loss, below
    /// every evaluation, and higher for longer losses. Other scores do not change.
    #[must_use]
    pub fn unproven(self) -> Score {
        match self.mate() {
            Some(plies) if plies < 0 => {
                Score::points(-20_000 + (-plies).min(i32::from(MIN_MATE) - 20_001))
            }
            _ => self,
        }
    }

    /// The score as a number.
    pub const fn value(self) -> i32 {
        self.0 as i32
    }

    /// The plies to a win, or minus the plies to a loss. `None` for other scores.
    pub fn mate(self) -> Option<i32> {
        match self.0 {
            v if v >= MIN_MATE => Some(i32::from(MATE - v)),
            v if v <= -MIN_MATE => Some(-i32::from(MATE + v)),
            _ => None,
        }
    }

    /// Whether this is a win for the side to move.
    pub const fn is_win(self) -> bool {
        self.0 >= MIN_MATE
    }

    /// Whether this is a loss for the side to move.
    pub const fn is_loss(self) -> bool {
        self.0 <= -MIN_MATE
    }

    /// The least score greater than this one.
    pub const fn next(self) -> Score {
        Score(self.0.saturating_add(1))
    }

    /// Converts a mate distance from the root to one from a node at `ply`, for the table: the node may be reached at
    /// other plies.
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

    /// The score with these bits.
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

/// The relation of a score to the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score.
    Exact,
    /// The true score is this or higher.
    Lower,
    /// The true score is this or lower.
    Upper,
}

/// An alpha-beta window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The greatest score that does not matter (fail low).
    pub alpha: Score,
    /// The least score that causes a cutoff (fail high).
    pub beta: Score,
}

impl Window {
    /// The window of all scores.
    pub const FULL: Window = Window { alpha: Score(-i16::MAX), beta: Score::INFINITE };

    /// The null window above `alpha`.
    pub const fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha.next() }
    }

    /// The intersection of the window with a range of possible scores. It is empty if no possible score lies inside;
    /// `alpha` is then a bound of the score.
    pub fn within(self, range: Window) -> Window {
        if range.beta <= self.alpha {
            Window { alpha: range.beta, beta: range.beta }
        } else if range.alpha >= self.beta {
            Window { alpha: range.alpha, beta: range.alpha }
        } else {
            Window { alpha: self.alpha.max(range.alpha), beta: self.beta.min(range.beta) }
        }
    }

    /// Whether no score lies strictly inside.
    pub fn is_null(self) -> bool {
        self.alpha.next() >= self.beta
    }

    /// The bound of a score that was searched with this window.
    pub fn bound(self, score: Score) -> Bound {
        match score {
            _ if score >= self.beta => Bound::Lower,
            _ if score <= self.alpha => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    /// Whether a score with a bound settles the window: it is exact, a lower bound from beta on, or an upper bound up to
    /// alpha.
    pub fn is_settled_by(self, score: Score, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        }
    }
}

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
    fn points_and_probabilities_are_two_ways_to_say_one_thing() {
        assert!((Score::points(400).win_probability() - 0.731_059).abs() < 1e-6);
        assert!((Score::points(-400).win_probability() - 0.268_941).abs() < 1e-6);
        assert!(Score::win_in(3).win_probability() > 0.999_999);
        assert!(Score::loss_in(2).win_probability() < 1e-6);
        for points in [-2700, -277, -1, 0, 5, 400, 1999] {
            let score = Score::points(points);
            assert_eq!(Score::from_win_probability(score.win_probability()), score);
        }
        assert_eq!(Score::from_win_probability(1.0), Score::points(2763));
        assert_eq!(Score::from_win_probability(0.0), -Score::from_win_probability(1.0));
    }

    #[test]
    fn bits_keep_the_sign() {
        for score in [Score::loss_in(3), Score::points(-7), Score::DRAW, Score::win_in(9)] {
            assert_eq!(Score::from_bits(score.bits()), score);
        }
    }
}
