//! Statistics of the games between two engines.
//!
//! Everything is seen from the first engine: a game is worth 1, 1/2 or 0 points, and the score is
//! the mean. Formulas:
//!
//! - Elo difference of a score s: -400 log10(1/s - 1) (A. Elo, *The Rating of Chessplayers*, 1978).
//! - Error bar: the standard error of the score is the standard deviation of the sample divided by
//!   the root of its size; the 95 % interval of the score, 1.96 standard errors to either side, is
//!   mapped to Elo, and the bar is half of its width (cutechess `elo.cpp`). It is infinite if all
//!   samples are equal, because nothing is known about their variance.
//! - The sample consists of the complete pairs of games from one opening with swapped seats: a pair
//!   has five possible results, hence *pentanomial*. Unfinished pairs do not count, as in fastchess;
//!   only without any complete pair single games are the sample. An opening that favors a seat makes
//!   the games of a pair depend on each other, which single games hide (M. Van den Bergh,
//!   *Normalized Elo*; fastchess `elo_pentanomial.cpp`).
//! - Normalized Elo: how many standard deviations of a game the score is above a half, times 800 /
//!   ln 10; the deviation of a game is that of a pair's mean score times the root of 2. Its error
//!   is 1.96 / root(games) in the same unit (fastchess `elo_pentanomial.cpp`).
//! - LOS, the likelihood of superiority: the normal distribution's share below (s - 1/2) / error.

use crate::schedule::Entrant;
use crate::score::ScoredGame;
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_1_SQRT_2, LN_10};

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
        let from_pairs = self.pairs.iter().any(|&count| count > 0);
        let (score, variance, samples) = if from_pairs {
            mean_and_variance(&self.pairs)?
        } else {
            mean_and_variance(&[total.losses, total.draws, total.wins])?
        };
        let games_a_sample = if from_pairs { 2.0 } else { 1.0 };
        // Equal samples do not show how much they vary.
        let known = variance > 0.0;
        let error = if known { (variance / samples).sqrt() } else { f64::INFINITY };
        let reach = Z_95 * error;
        let width = elo(score + reach) - elo(score - reach);
        let (unit, lead) = (800.0 / LN_10, score - 0.5);
        let deviation = (variance * games_a_sample).sqrt();
        Some(EloEstimate {
            elo: elo(score),
            error: if width.is_nan() { f64::INFINITY } else { width / 2.0 },
            normalized_elo: if lead.abs() < f64::EPSILON { 0.0 } else { lead / deviation * unit },
            normalized_elo_error: if known {
                Z_95 * unit / (samples * games_a_sample).sqrt()
            } else {
                f64::INFINITY
            },
            los: superiority(total, lead, error),
            from_pairs,
        })
    }
}

/// The 97.5 % quantile of the standard normal distribution, which bounds the 95 % interval.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// The mean, the variance and the number of samples, given the counts of equally spaced scores from
/// 0 to 1. `None` without samples.
fn mean_and_variance(counts: &[u32]) -> Option<(f64, f64, f64)> {
    let most = counts.len().saturating_sub(1).max(1) as f64;
    let samples = f64::from(counts.iter().sum::<u32>());
    let average = |value: &dyn Fn(f64) -> f64| {
        let weighed = (0..counts.len()).map(|at| f64::from(counts[at]) * value(at as f64 / most));
        weighed.sum::<f64>() / samples
    };
    let mean = average(&|score| score);
    (samples > 0.0).then(|| (mean, average(&|score| (score - mean).powi(2)), samples))
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
fn superiority(total: WinDrawLoss, lead: f64, error: f64) -> f64 {
    if error.is_finite() {
        return normal(lead / error);
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
    use std::f64::consts::SQRT_2;

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
            ("wwwwwwddddwlwwlwwdwl", 168.402_125_10, 138.407_915_81, 0.998_722_74, true),
            // A game whose pair is not finished does not count.
            ("wwwwwwddddwlwwlwwdwlw", 168.402_125_10, 138.407_915_81, 0.998_722_74, true),
            ("wlwwddlldw", 34.860_070_29, 235.663_630_54, 0.631_979_22, true),
            ("wwwwwwwwwwwwwwwwwwww", INF, INF, 0.999_996_13, true),
            ("w", INF, INF, 0.841_344_75, false),
            ("wl", 0.0, INF, 0.5, true),
            ("dddd", 0.0, INF, 0.5, true),
            ("wlwlwl", 0.0, INF, 0.5, true),
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
        assert!(close(found.normalized_elo_error, Z_95 * unit / 10f64.sqrt(), 1e-9), "{found:?}");
        let odd = played("w").elo_estimate().unwrap();
        assert!(odd.normalized_elo.is_infinite() && odd.normalized_elo_error.is_infinite());
    }

    /// The counts of pairs with 0, 1/2, 1, 1 1/2 and 2 points, and what fastchess (commit 74deac2) prints
    /// for them: Elo and normalized Elo with their errors, LOS in percent, and the LLR of elo0=0,
    /// elo1=10 in the logistic and of elo0=-2, elo1=3 in the normalized model.
    const FASTCHESS: &str = "
        3 0 0 0 3: -0.00 381.84 0.00 196.58 50.00 -0.00 -0.00
        1 0 2 1 1: 34.86 235.66 37.04 215.34 63.20 0.03 0.01
        7 9 8 2 6: -49.18 86.24 -50.26 85.12 12.36 -0.28 -0.13
        5 0 2 19 9: 141.32 86.65 152.34 81.39 99.99 0.60 0.34
        0 16 16 4 6: -0.00 54.21 0.00 74.30 50.00 -0.06 -0.00
        3 16 19 6 2: -45.58 47.25 -69.72 71.00 2.71 -0.76 -0.25
        4 10 13 14 1: -8.27 54.18 -11.44 74.30 38.14 -0.18 -0.04
        7 9 5 11 2: -41.06 75.94 -45.82 82.58 13.84 -0.33 -0.13
        4 7 6 0 4: -58.45 104.26 -61.97 105.07 12.38 -0.22 -0.10
        0 0 1 13 9: 284.16 75.59 591.11 100.40 100.00 0.65 0.38
        9 1 7 8 2: -45.29 94.11 -46.26 92.67 16.39 -0.25 -0.11
        6 15 13 4 6: -43.66 63.75 -50.83 72.59 8.50 -0.43 -0.18
        9 12 15 4 9: -28.43 65.93 -30.15 68.79 19.51 -0.29 -0.12
        8 10 19 2 0: -110.48 52.65 -174.63 77.10 0.00 -1.14 -0.44
        0 362 380 371 175: 48.74 9.85 67.31 13.42 100.00 19.06 7.39
        170 382 311 0 124: -85.09 13.36 -101.62 15.33 0.00 -15.67 -7.19
        41 42 109 250 171: 139.70 18.21 165.99 19.45 100.00 12.66 6.60
        153 3 49 131 123: 25.78 26.19 22.25 22.48 97.38 1.15 0.82
        91 221 312 158 48: -31.27 12.47 -42.16 16.71 0.00 -8.75 -2.89
        0 27 327 202 145: 119.76 12.22 192.85 18.19 100.00 19.88 8.19
        110 246 204 201 84: -19.96 14.08 -23.55 16.56 0.27 -4.80 -1.67
        77 95 104 18 19: -110.72 23.42 -137.85 27.22 0.00 -6.62 -3.00
        152 101 32 0 151: -41.23 28.50 -33.76 23.06 0.21 -2.17 -1.22
        187 271 258 376 177: 11.64 12.31 12.80 13.52 96.83 1.68 1.29
        0 159 175 321 134: 97.13 13.04 134.52 17.14 100.00 22.26 8.36
        112 144 296 152 173: 25.80 14.70 28.65 16.26 99.97 3.70 2.04
        69 325 192 295 39: -17.01 11.99 -22.57 15.87 0.27 -5.89 -1.76
        157 2 174 370 10: 18.05 15.39 21.19 18.03 98.94 2.01 1.18
        106 274 74 196 119: -11.75 16.40 -12.46 17.36 7.98 -2.38 -0.82
        0 11723 13262 0 3850: -24.28 1.93 -35.71 2.84 0.00 -250.80 -79.98
        5408 10244 5811 7343 9883: 27.22 2.47 27.09 2.45 100.00 141.25 85.24
        3040 15168 17510 18328 1836: 2.34 1.40 3.40 2.04 99.95 -52.23 13.39
        9704 11619 13198 5952 8357: -29.82 2.09 -31.27 2.18 0.00 -300.47 -126.71
        6638 13066 4716 1003 1294: -157.99 2.53 -210.36 2.95 0.00 -648.39 -323.38
        0 9167 9262 18715 2482: 64.35 1.60 99.35 2.42 100.00 885.47 315.36
        9526 13044 16687 12315 3015: -43.99 1.70 -53.86 2.06 0.00 -655.64 -243.96
        2193 3131 12628 0 3413: -5.62 2.55 -7.27 3.29 0.00 -61.47 -13.68
        6197 12630 1995 6256 3655: -65.53 2.67 -69.08 2.75 0.00 -362.30 -168.24
        1010 5664 18930 15219 5808: 72.37 1.53 108.55 2.23 100.00 972.87 373.51
        0 4848 1035 16712 1102: 106.33 2.09 169.16 3.13 100.00 671.93 261.93
        1811 3002 11371 12886 9034: 114.94 2.08 146.42 2.47 100.00 802.87 379.40
        8167 11939 11114 9375 303: -79.03 1.90 -102.49 2.38 0.00 -956.46 -346.77
        8572 10114 3738 9773 156: -94.47 2.42 -109.74 2.68 0.00 -748.12 -297.05
        3458 18519 9295 0 563: -139.73 1.59 -264.28 2.70 0.00 -867.51 -387.45";

    fn of_pairs(pairs: [u32; 5]) -> EloEstimate {
        HeadToHead { pairs, ..HeadToHead::default() }.elo_estimate().unwrap()
    }

    #[test]
    fn estimates_are_those_of_fastchess() {
        const INF: f64 = f64::INFINITY;
        let tests = ["elo0=0,elo1=10", "elo0=-2,elo1=3,model=normalized"];
        let tests = tests.map(|text| text.parse::<crate::sprt::Sprt>().unwrap());
        let rows: Vec<&str> = FASTCHESS.lines().filter(|line| !line.is_empty()).collect();
        assert!(rows.len() > 40);
        for row in rows {
            let (pairs, printed) = row.split_once(':').unwrap();
            let pairs: Vec<u32> = pairs.split_whitespace().map(|n| n.parse().unwrap()).collect();
            let pairs: [u32; 5] = pairs.try_into().unwrap();
            let found = of_pairs(pairs);
            let [logistic, normalized] = tests.map(|test| test.llr(pairs));
            let (elo, nelo) = (found.elo, found.normalized_elo);
            let errors = (found.error, found.normalized_elo_error, found.los * 100.0);
            let numbers = [elo, errors.0, nelo, errors.1, errors.2, logistic, normalized];
            for (at, (number, printed)) in
                numbers.iter().zip(printed.split_whitespace()).enumerate()
            {
                let expected: f64 = printed.parse().unwrap();
                // fastchess ends its search for the likeliest distribution early, which shows in an
                // LLR far beyond the bounds of a test.
                let relative = if at < 5 { 0.0 } else { 1e-3 };
                let within = 0.0055 + expected.abs() * relative;
                assert!((number - expected).abs() < within, "{row}: {number} {printed}");
            }
        }
        // Where fastchess prints NaN or an error of 0.
        for (pairs, expected) in [
            ([0, 0, 0, 0, 20], [INF, INF, INF, INF]),
            ([20, 0, 0, 0, 0], [-INF, INF, -INF, INF]),
            ([0, 0, 7, 0, 0], [0.0, INF, 0.0, INF]),
            ([0, 1, 0, 0, 0], [-190.848_5, INF, -INF, INF]),
            ([0, 0, 0, 1, 1], [338.039_2, INF, 737.022_2, 340.480_6]),
        ] {
            let found = of_pairs(pairs);
            let (elo, nelo) = (found.elo, found.normalized_elo);
            let numbers = [elo, found.error, nelo, found.normalized_elo_error];
            for (number, expected) in numbers.into_iter().zip(expected) {
                assert!(close(number, expected, 0.001), "{pairs:?}: {found:?}");
            }
        }
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
