//! Statistics of the games between two engines.
//!
//! Everything is seen from the first engine: a game is worth 1, 1/2 or 0 points, and the score is
//! the mean. Formulas:
//!
//! - Elo difference of a score s: -400 log10(1/s - 1) (A. Elo, *The Rating of Chessplayers*, 1978).
//! - Error bar: the standard error of the score is the standard deviation of the sample divided by
//!   the root of its size; the 95 % interval of the score, 1.96 standard errors to either side, is
//!   mapped to Elo, and the bar is half of its width (cutechess `elo.cpp`).
//! - The sample consists of pairs of games from one opening with swapped seats, if every game
//!   belongs to a complete pair: a pair has five possible results, hence *pentanomial*. An opening
//!   that favors a seat makes the games of a pair depend on each other, which single games hide (M.
//!   Van den Bergh, *Normalized Elo*; fastchess `elo_pentanomial.cpp`).
//! - Normalized Elo: how many standard deviations of a game the score is above a half, times 800 /
//!   ln 10; the deviation of a game is that of a pair's mean score times the root of 2. Its error
//!   is 1.96 / root(games) in the same unit (fastchess `elo_pentanomial.cpp`).
//! - LOS, the likelihood of superiority: the normal distribution's share below (s - 1/2) / error.

use crate::schedule::Entrant;
use crate::score::ScoredGame;
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_1_SQRT_2, LN_10, SQRT_2};

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct WinDrawLoss {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

/// The results of two engines against each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeadToHead {
    /// The results by the seat of the first engine.
    by_seat: [WinDrawLoss; 2],
    /// The number of complete pairs by twice the points of the first engine.
    pairs: [u32; 5],
    /// The half points of pairs with one finished game.
    half_pairs: BTreeMap<(u32, u32), u32>,
    /// The numbers of games won by the first engine, won by the second and drawn, by reason of the
    /// end.
    endings: BTreeMap<String, [u32; 3]>,
}

/// The estimated strength of the first engine relative to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// The Elo difference; infinite if one engine made all points.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
    /// The difference in normalized Elo.
    pub normalized_elo: f64,
    /// Half the width of its 95 % confidence interval.
    pub normalized_elo_error: f64,
    /// The likelihood of superiority: the probability that the first engine is the stronger one.
    pub los: f64,
    /// Whether the error is based on pairs of games.
    pub from_pairs: bool,
}

impl WinDrawLoss {
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The mean points of a game; `None` without games.
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

impl HeadToHead {
    /// Counts a finished game of two engines; `first` is the first of them.
    pub fn count(&mut self, score: &ScoredGame, first: Entrant) {
        let (half_points, column) = match score.winner() {
            Some(winner) if winner == first => (2, 0),
            Some(_) => (0, 1),
            None => (1, 2),
        };
        let seat = usize::from(score.seats.first() != Some(&first));
        self.by_seat[seat].count(half_points);
        self.endings.entry(score.reason.clone()).or_default()[column] += 1;
        let pair = (score.matchup, score.set);
        match self.half_pairs.remove(&pair) {
            Some(other) => self.pairs[(half_points + other) as usize] += 1,
            None => drop(self.half_pairs.insert(pair, half_points)),
        }
    }

    /// All games.
    pub fn total(&self) -> WinDrawLoss {
        let [a, b] = self.by_seat;
        WinDrawLoss { wins: a.wins + b.wins, draws: a.draws + b.draws, losses: a.losses + b.losses }
    }

    /// The games from the view of the player on the first seat.
    pub fn first_player(&self) -> WinDrawLoss {
        let [first, second] = self.by_seat;
        WinDrawLoss {
            wins: first.wins + second.losses,
            draws: first.draws + second.draws,
            losses: first.losses + second.wins,
        }
    }

    /// The games in which the first engine had the first seat, and those in which it had the
    /// second.
    pub fn by_seat(&self) -> [WinDrawLoss; 2] {
        self.by_seat
    }

    /// The numbers of pairs that gave the first engine 0, 1/2, 1, 1 1/2 and 2 points.
    pub fn pairs(&self) -> [u32; 5] {
        self.pairs
    }

    /// The numbers of games won by the first engine, won by the second and drawn, by reason of the
    /// end.
    pub fn endings(&self) -> &BTreeMap<String, [u32; 3]> {
        &self.endings
    }

    /// The estimated strength; `None` without games.
    pub fn elo_estimate(&self) -> Option<EloEstimate> {
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
        // The standard deviation of a game, from the standard error of the mean.
        let deviation = error * samples.sqrt() * if from_pairs { SQRT_2 } else { 1.0 };
        let (unit, lead) = (800.0 / LN_10, score - 0.5);
        Some(EloEstimate {
            normalized_elo: if lead.abs() < f64::EPSILON { 0.0 } else { lead / deviation * unit },
            normalized_elo_error: 1.96 * unit / games.sqrt(),
            elo: elo(score),
            error: if width.is_nan() { f64::INFINITY } else { width / 2.0 },
            los: superiority(total, score, error),
            from_pairs,
        })
    }
}

/// The standard error of a mean score, given the counts of equally spaced scores from 0 to 1.
/// Infinite for fewer than two samples.
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

/// The Elo difference at which this score is expected.
fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The expected score at an Elo difference.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The likelihood of superiority. If the sample has no variance, wins and losses alone decide (R.
/// Coulom's formula).
fn superiority(total: WinDrawLoss, score: f64, error: f64) -> f64 {
    if error > 0.0 && error.is_finite() {
        return normal((score - 0.5) / error);
    }
    let (wins, losses) = (f64::from(total.wins), f64::from(total.losses));
    if wins + losses > 0.0 { normal((wins - losses) / (wins + losses).sqrt()) } else { 0.5 }
}

/// The cumulative distribution function of the standard normal distribution.
fn normal(x: f64) -> f64 {
    libm::erfc(-x * FRAC_1_SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::game::Side;
    use pentarch_records::GameResult;

    /// Counts games in the order of the schedule; a letter a game, from the view of the first
    /// engine.
    fn played(letters: &str) -> HeadToHead {
        let mut results = HeadToHead::default();
        for (number, letter) in (1..).zip(letters.chars()) {
            let seats = Entrant::BOTH.map(|e| if number % 2 == 1 { e } else { e.other() });
            let seat = |entrant| GameResult::Win(Side(u8::from(seats[0] != entrant)));
            let result = match letter {
                'w' => seat(Entrant(0)),
                'l' => seat(Entrant(1)),
                _ => GameResult::Draw,
            };
            let score = ScoredGame {
                number,
                set: (number - 1) / 2,
                reason: "line".to_owned(),
                ..ScoredGame::new(&seats, 2, result)
            };
            results.count(&score, Entrant(0));
        }
        results
    }

    fn close(a: f64, b: f64, within: f64) -> bool {
        a.to_bits() == b.to_bits() || (a - b).abs() <= within
    }

    /// The expected numbers were computed independently with Python's `math` module.
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
            let found = played(results).elo_estimate().unwrap();
            assert!(close(found.elo, elo, 1e-6), "{results}: {found:?}");
            assert!(close(found.error, error, 1e-6), "{results}: {found:?}");
            assert!(close(found.los, superiority, 1e-6), "{results}: {found:?}");
            assert_eq!(found.from_pairs, from_pairs, "{results}");
        }
        assert_eq!(HeadToHead::default().elo_estimate(), None);
    }

    /// With a share p of won pairs, the others lost, the score is p and the deviation of a pair
    /// root(p (1 - p)); p = 0.8 is 0.3 / (0.4 root 2) deviations of a game above a half.
    #[test]
    fn normalized_elo_worked_out_by_hand() {
        let found = played("wwwwwwwwll").elo_estimate().unwrap();
        let unit = 800.0 / LN_10;
        assert!(close(found.normalized_elo, 0.3 / (0.4 * SQRT_2) * unit, 1e-9), "{found:?}");
        assert!(close(found.normalized_elo_error, 1.96 * unit / 10f64.sqrt(), 1e-9), "{found:?}");
        let odd = played("wwwlw").elo_estimate().unwrap();
        assert!(close(odd.normalized_elo, 0.3 / 0.4 * unit, 1e-9), "{odd:?}");
    }

    #[test]
    fn pairs_and_seats_are_told_apart() {
        let found = played("wlwwddlldw");
        assert_eq!(found.pairs(), [1, 0, 2, 1, 1]);
        assert_eq!(found.total(), WinDrawLoss { wins: 4, draws: 3, losses: 3 });
        let [first, second] = found.by_seat();
        assert_eq!(first, WinDrawLoss { wins: 2, draws: 2, losses: 1 });
        assert_eq!(second, WinDrawLoss { wins: 2, draws: 1, losses: 2 });
        assert_eq!(found.first_player(), WinDrawLoss { wins: 4, draws: 3, losses: 3 });
        assert_eq!(played("wllw").first_player(), WinDrawLoss { wins: 2, draws: 0, losses: 2 });
        assert_eq!(found.endings()["line"], [4, 3, 3]);
    }
}
