//! What the results of a match say about strength.
//!
//! Everything is seen from the first engine: a game is worth 1, 1/2 or 0 points to it, and the
//! score is the mean. Formulas:
//!
//! - Elo difference of a score s: -400 log10(1/s - 1) (A. Elo, *The Rating of Chessplayers*, 1978).
//! - Error bar: the score's standard error is the standard deviation of what was sampled, divided
//!   by the root of the sample's size; the 95 % interval of the score, 1.96 standard errors to
//!   either side, is mapped to Elo, and the bar is half of its width (cutechess `elo.cpp`).
//! - What is sampled are pairs of games from one opening with swapped seats, if every game belongs
//!   to a complete pair: five possible results of a pair, hence *pentanomial*. An opening that
//!   favors a seat makes the games of a pair depend on each other, which single games hide
//!   (M. Van den Bergh, *Normalized Elo*; fastchess `elo_pentanomial.cpp`).
//! - Normalized Elo: how many standard deviations of a game the score is above a half, times
//!   800 / ln 10; a game's deviation is that of a pair's mean score times the root of 2. Its error is
//!   1.96 / root(games) of the same unit (fastchess `elo_pentanomial.cpp`).
//! - LOS, the likelihood of superiority: the normal distribution's share below (s - 1/2) / error.

use crate::schedule::Entrant;
use crate::score::Score;
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_1_SQRT_2, LN_10, SQRT_2};

/// Games won, drawn and lost by the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

/// The results of a match so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// Results by the seat that the first engine had.
    by_seat: [Tally; 2],
    /// Complete pairs by twice the points that the first engine made in them.
    pairs: [u32; 5],
    /// The half points of pairs of which one game is finished.
    half_pairs: BTreeMap<(u32, u32), u32>,
    /// How games ended: the reason, and how many the first and the second engine won and how many
    /// were drawn.
    endings: BTreeMap<String, [u32; 3]>,
}

/// How much stronger the first engine is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The difference in Elo; infinite if one engine made all points.
    pub elo: f64,
    /// Half the width of the interval that holds the true difference with 95 % probability.
    pub error: f64,
    /// The difference in normalized Elo, in which draws and pairs that are split count for more.
    pub normalized: f64,
    /// Half the width of its interval of 95 %.
    pub normalized_error: f64,
    /// The probability that the first engine is the stronger one.
    pub superiority: f64,
    /// Whether the error was worked out from pairs of games.
    pub from_pairs: bool,
}

impl Tally {
    /// The number of games.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The mean of the points, none without games.
    pub fn score(self) -> Option<f64> {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        (self.games() > 0).then(|| points / f64::from(self.games()))
    }

    fn count(&mut self, half_points: u32) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

impl Standings {
    /// Counts a finished game of two engines, of which `first` is the one that counts as the first.
    pub fn count(&mut self, score: &Score, first: Entrant) {
        let (half_points, column) = match score.winner() {
            Some(winner) if winner == first => (2, 0),
            Some(_) => (0, 1),
            None => (1, 2),
        };
        let seat = usize::from(score.seats.first() != Some(&first));
        self.by_seat[seat].count(half_points);
        self.endings.entry(score.reason.clone()).or_default()[column] += 1;
        let pair = (score.encounter, score.set);
        match self.half_pairs.remove(&pair) {
            Some(other) => self.pairs[(half_points + other) as usize] += 1,
            None => drop(self.half_pairs.insert(pair, half_points)),
        }
    }

    /// All games.
    pub fn total(&self) -> Tally {
        let [a, b] = self.by_seat;
        Tally { wins: a.wins + b.wins, draws: a.draws + b.draws, losses: a.losses + b.losses }
    }

    /// The games that the first player won, lost and drew, whoever it was.
    pub fn first_player(&self) -> Tally {
        let [first, second] = self.by_seat;
        Tally {
            wins: first.wins + second.losses,
            draws: first.draws + second.draws,
            losses: first.losses + second.wins,
        }
    }

    /// The games in which the first engine had the first or the second seat.
    pub fn by_seat(&self) -> [Tally; 2] {
        self.by_seat
    }

    /// How many pairs gave the first engine 0, 1/2, 1, 1 1/2 and 2 points.
    pub fn pairs(&self) -> [u32; 5] {
        self.pairs
    }

    /// How games ended, and how many of them the first engine won, the second won, and drawn.
    pub fn endings(&self) -> &BTreeMap<String, [u32; 3]> {
        &self.endings
    }

    /// What the results say about strength, none without games.
    pub fn strength(&self) -> Option<Strength> {
        let total = self.total();
        let score = total.score()?;
        let from_pairs = self.half_pairs.is_empty();
        let error = if from_pairs {
            standard_error(&self.pairs, score)
        } else {
            standard_error(&[total.losses, total.draws, total.wins], score)
        };
        let reach = 1.96 * error;
        let width = elo(score + reach) - elo(score - reach);
        let games = f64::from(total.games());
        let samples = if from_pairs { games / 2.0 } else { games };
        // A game's deviation, from the error of the mean of all samples.
        let deviation = error * samples.sqrt() * if from_pairs { SQRT_2 } else { 1.0 };
        let (unit, lead) = (800.0 / LN_10, score - 0.5);
        Some(Strength {
            normalized: if lead.abs() < f64::EPSILON { 0.0 } else { lead / deviation * unit },
            normalized_error: 1.96 * unit / games.sqrt(),
            elo: elo(score),
            error: if width.is_nan() { f64::INFINITY } else { width / 2.0 },
            superiority: superiority(total, score, error),
            from_pairs,
        })
    }
}

/// The standard error of a mean score, given how often each of the equally spaced scores from 0 to
/// 1 was seen. A sample of one says nothing about it.
fn standard_error(counts: &[u32], mean: f64) -> f64 {
    let most = counts.len().saturating_sub(1).max(1) as f64;
    let sum: u32 = counts.iter().sum();
    if sum < 2 {
        return f64::INFINITY;
    }
    let squares = counts.iter().enumerate().map(|(index, &count)| {
        let deviation = index as f64 / most - mean;
        f64::from(count) * deviation * deviation
    });
    (squares.sum::<f64>() / f64::from(sum).powi(2)).sqrt()
}

/// The difference in Elo at which that score is expected.
fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The score that an engine that much stronger is expected to make.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Where the samples show no error, the wins and losses alone decide, as in R.
/// Coulom's formula for LOS.
fn superiority(total: Tally, score: f64, error: f64) -> f64 {
    if error > 0.0 && error.is_finite() {
        return normal((score - 0.5) / error);
    }
    let (wins, losses) = (f64::from(total.wins), f64::from(total.losses));
    if wins + losses > 0.0 { normal((wins - losses) / (wins + losses).sqrt()) } else { 0.5 }
}

/// The share of the standard normal distribution below `x`.
fn normal(x: f64) -> f64 {
    libm::erfc(-x * FRAC_1_SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::game::Side;
    use pentarch_records::GameResult;

    /// Counts games in the order of the schedule; a letter a game, as the first engine sees it.
    fn standings(results: &str) -> Standings {
        let mut standings = Standings::default();
        for (number, letter) in (1..).zip(results.chars()) {
            let seats = Entrant::BOTH.map(|e| if number % 2 == 1 { e } else { e.other() });
            let seat = |entrant| GameResult::Win(Side(u8::from(seats[0] != entrant)));
            let result = match letter {
                'w' => seat(Entrant(0)),
                'l' => seat(Entrant(1)),
                _ => GameResult::Draw,
            };
            let score = Score {
                number,
                set: (number - 1) / 2,
                reason: "line".to_owned(),
                ..Score::new(&seats, 2, result)
            };
            standings.count(&score, Entrant(0));
        }
        standings
    }

    fn close(a: f64, b: f64, within: f64) -> bool {
        a.to_bits() == b.to_bits() || (a - b).abs() <= within
    }

    /// The expected numbers were worked out apart from this code, with Python's `math` module.
    #[test]
    fn strength_of_known_results() {
        const INF: f64 = f64::INFINITY;
        for (results, elo, error, superiority, from_pairs) in [
            ("wwwwwwddddwlwwlwwdwl", 168.402_125_10, 138.410_951_80, 0.998_722_74, true),
            ("wwwwwwddddwlwwlwwdwlw", 179.987_603_47, 157.074_205_77, 0.998_572_82, false),
            ("wlwwddlldw", 34.860_070_29, 235.669_511_32, 0.631_979_22, true),
            ("wwwwwwwwwwwwwwwwwwww", INF, INF, 0.999_996_13, true),
            ("w", INF, INF, 0.841_344_75, false),
            ("wl", 0.0, INF, 0.5, true),
            ("dddd", 0.0, 0.0, 0.5, true),
            ("ll", -INF, INF, 0.078_649_60, true),
        ] {
            let found = standings(results).strength().unwrap();
            assert!(close(found.elo, elo, 1e-6), "{results}: {found:?}");
            assert!(close(found.error, error, 1e-6), "{results}: {found:?}");
            assert!(close(found.superiority, superiority, 1e-6), "{results}: {found:?}");
            assert_eq!(found.from_pairs, from_pairs, "{results}");
        }
        assert_eq!(Standings::default().strength(), None);
    }

    /// A share p of won pairs, the others lost, has a score of p and a pair's deviation of
    /// root(p (1 - p)), so that p = 0.8 is 0.3 / (0.4 root 2) deviations of a game above a half.
    #[test]
    fn normalized_elo_worked_out_by_hand() {
        let found = standings("wwwwwwwwll").strength().unwrap();
        let unit = 800.0 / LN_10;
        assert!(close(found.normalized, 0.3 / (0.4 * SQRT_2) * unit, 1e-9), "{found:?}");
        assert!(close(found.normalized_error, 1.96 * unit / 10f64.sqrt(), 1e-9), "{found:?}");
        let odd = standings("wwwlw").strength().unwrap();
        assert!(close(odd.normalized, 0.3 / 0.4 * unit, 1e-9), "{odd:?}");
    }

    #[test]
    fn pairs_and_seats_are_told_apart() {
        let found = standings("wlwwddlldw");
        assert_eq!(found.pairs(), [1, 0, 2, 1, 1]);
        assert_eq!(found.total(), Tally { wins: 4, draws: 3, losses: 3 });
        let [first, second] = found.by_seat();
        assert_eq!(first, Tally { wins: 2, draws: 2, losses: 1 });
        assert_eq!(second, Tally { wins: 2, draws: 1, losses: 2 });
        assert_eq!(found.first_player(), Tally { wins: 4, draws: 3, losses: 3 });
        assert_eq!(standings("wllw").first_player(), Tally { wins: 2, draws: 0, losses: 2 });
        assert_eq!(found.endings()["line"], [4, 3, 3]);
    }
}
