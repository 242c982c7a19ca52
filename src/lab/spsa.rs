//! Simultaneous perturbation stochastic approximation: all values are moved a little at once, to one
//! side and to the other, and go to where games say that it is better (J. C. Spall, IEEE Transactions
//! on Automatic Control 37, 1992).
//!
//! Steps shrink as in Spall's guide (IEEE Transactions on Aerospace and Electronic Systems 34, 1998), and
//! are given by where they end, as fishtest and `OpenBench` do: `c_end` is how far a value is moved in
//! the last pair of games, `rate` what part of that it then goes for a pair that is half won. Whole numbers are
//! rounded up or down at random, as `OpenBench` rounds them, so that small moves count on the average.

use super::tunable::{LEAST_MOVE, Tunable};
use fastrand::Rng;
use serde::{Deserialize, Serialize};

/// How steps shrink.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gains {
    /// What part of `c_end` a value goes in the end for each point by which a pair of games is won.
    pub rate: f64,
    /// How fast steps shrink.
    pub alpha: f64,
    /// How fast moves to try shrink.
    pub gamma: f64,
    /// What part of all pairs the first steps are held back by.
    pub stability: f64,
}

impl Default for Gains {
    /// Spall's exponents, and what fishtest uses beside them.
    fn default() -> Gains {
        Gains { rate: 0.002, alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }
}

/// What a pair of games tries: two players, whose values are moved in opposite directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The values of the first player.
    pub plus: Vec<i64>,
    /// The values of the second.
    pub minus: Vec<i64>,
    /// Whether a value of the first player was moved up.
    up: Vec<bool>,
}

/// The values under way.
#[derive(Clone, Debug)]
pub struct Spsa {
    tunables: Vec<Tunable>,
    gains: Gains,
    pairs: u32,
    seed: u64,
    values: Vec<f64>,
}

impl Spsa {
    /// Begins where the numbers begin; the steps are for that many pairs of games in all.
    pub fn new(tunables: Vec<Tunable>, gains: Gains, pairs: u32, seed: u64) -> Spsa {
        let values = tunables.iter().map(|tunable| tunable.start as f64).collect();
        Spsa { tunables, gains, pairs, seed, values }
    }

    /// The values now.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values now as an engine takes them.
    pub fn rounded(&self) -> Vec<i64> {
        self.values.iter().map(|value| value.round() as i64).collect()
    }

    /// How far a value is moved to either side in a pair of games, counted from 0.
    fn reach(&self, tunable: &Tunable, pair: u32) -> f64 {
        let left = f64::from(self.pairs.max(1)) / f64::from(pair + 1);
        (tunable.c_end * libm::pow(left, self.gains.gamma)).max(LEAST_MOVE)
    }

    /// How far a value goes for a point by which that pair is won.
    fn step(&self, tunable: &Tunable, pair: u32) -> f64 {
        let Gains { rate, alpha, stability, .. } = self.gains;
        let all = f64::from(self.pairs.max(1));
        let held = stability * all;
        let left = (held + all) / (held + f64::from(pair + 1));
        let gain = rate * tunable.c_end * tunable.c_end * libm::pow(left, alpha);
        gain / self.reach(tunable, pair)
    }

    /// What to try in a pair of games, counted from 0: the same for the same values, seed and number.
    pub fn attempt(&self, pair: u32) -> Attempt {
        let mut rng = Rng::with_seed(self.seed.rotate_left(32) ^ u64::from(pair));
        let mut attempt = Attempt { plus: Vec::new(), minus: Vec::new(), up: Vec::new() };
        for (tunable, value) in self.tunables.iter().zip(&self.values) {
            let (up, dice) = (rng.bool(), rng.f64());
            let reach = self.reach(tunable, pair) * if up { 1.0 } else { -1.0 };
            let whole =
                |value: f64| ((value + dice).floor() as i64).clamp(tunable.min, tunable.max);
            attempt.plus.push(whole(value + reach));
            attempt.minus.push(whole(value - reach));
            attempt.up.push(up);
        }
        attempt
    }

    /// Goes towards the better of what was tried in some pairs of games: each with its number, and the
    /// points by which its first player won it, -2 to 2.
    pub fn learn(&mut self, pairs: &[(u32, Attempt, f64)]) {
        for (index, tunable) in self.tunables.iter().enumerate() {
            let moves = pairs.iter().map(|(pair, attempt, won)| {
                let towards = if attempt.up[index] { 1.0 } else { -1.0 };
                self.step(tunable, *pair) * towards * won
            });
            let value = self.values[index] + moves.sum::<f64>();
            self.values[index] = value.clamp(tunable.min as f64, tunable.max as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunable(start: i64, c_end: f64) -> Tunable {
        Tunable { name: "a".to_owned(), start, min: 0, max: 1000, c_end }
    }

    /// Points of a pair of games between two players whose strength falls off with the square of the
    /// distance from the best values; most of the result is chance.
    fn noisy_pair(attempt: &Attempt, best: &[f64], rng: &mut Rng) -> f64 {
        let elo = |values: &[i64]| -> f64 {
            values.iter().zip(best).map(|(&v, b)| -((v as f64 - b) / 10.0).powi(2)).sum()
        };
        let ahead = elo(&attempt.plus) - elo(&attempt.minus);
        let wins = 1.0 / (1.0 + 10f64.powf(-ahead / 400.0));
        (0..2).map(|_| if rng.f64() < wins { 1.0 } else { -1.0 }).sum()
    }

    #[test]
    fn a_noisy_quadratic_is_climbed() {
        let best = [300.0, 620.0, 450.0];
        let pairs = 20_000;
        for seed in 1..=5 {
            let tunables = [(200, 30.0), (500, 20.0), (450, 25.0)];
            let tunables = tunables.map(|(start, c_end)| tunable(start, c_end)).to_vec();
            let mut spsa = Spsa::new(tunables, Gains::default(), pairs, seed);
            let mut rng = Rng::with_seed(seed);
            for pair in 0..pairs {
                let attempt = spsa.attempt(pair);
                let won = noisy_pair(&attempt, &best, &mut rng);
                spsa.learn(&[(pair, attempt, won)]);
            }
            for (value, best) in spsa.values().iter().zip(best) {
                assert!((value - best).abs() < 25.0, "seed {seed}: {:?}", spsa.values());
            }
        }
    }

    #[test]
    fn the_last_pair_moves_by_c_end_and_learns_by_the_rate() {
        let mut spsa = Spsa::new(vec![tunable(500, 12.0)], Gains::default(), 1000, 1);
        let attempt = spsa.attempt(999);
        let apart = attempt.plus[0] - attempt.minus[0];
        assert_eq!(apart.abs(), 24);
        spsa.learn(&[(999, attempt, -2.0)]);
        let gone = spsa.values()[0] - 500.0;
        let expected = -2.0 * 0.002 * 12.0 * (apart.signum() as f64);
        assert!((gone - expected).abs() < 1e-9, "{gone} {expected}");
        // Earlier ones try more and learn more.
        let first = spsa.attempt(0);
        assert!((first.plus[0] - first.minus[0]).abs() > 24);
        assert!(spsa.step(&spsa.tunables[0], 0) > spsa.step(&spsa.tunables[0], 999));
    }

    #[test]
    fn values_stay_in_their_range() {
        let narrow = Tunable { min: 498, max: 501, ..tunable(500, 12.0) };
        let mut spsa = Spsa::new(vec![narrow], Gains { rate: 5.0, ..Gains::default() }, 100, 1);
        for pair in 0..100 {
            let attempt = spsa.attempt(pair);
            let tried = [attempt.plus[0], attempt.minus[0]];
            assert!(tried.iter().all(|value| (498..=501).contains(value)), "{tried:?}");
            spsa.learn(&[(pair, attempt, if pair % 3 == 0 { 2.0 } else { -2.0 })]);
            assert!((498.0..=501.0).contains(&spsa.values()[0]));
        }
    }

    #[test]
    fn small_moves_count_on_the_average() {
        let spsa = Spsa::new(vec![tunable(5, 0.5)], Gains::default(), 1, 1);
        let apart = |seed| {
            let attempt = Spsa { seed, ..spsa.clone() }.attempt(0);
            (attempt.plus[0] - attempt.minus[0]).abs()
        };
        assert!((0..100).all(|seed| apart(seed) == 1));
    }
}
