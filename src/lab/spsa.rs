//! Simultaneous perturbation stochastic approximation (J. C. Spall, IEEE Transactions on Automatic
//! Control 37, 1992): all values are perturbed at once, in both directions, and move towards the better
//! side.
//!
//! Step sizes follow Spall's guide (IEEE Transactions on Aerospace and Electronic Systems 34, 1998) and
//! are given by their final values, as in fishtest and `OpenBench`: `c_end` is the perturbation in the
//! last pair of games, `rate` the learning rate there as a share of `c_end`. Values are rounded up or down
//! at random, as in `OpenBench`, so that small perturbations have an effect on average.

use fastrand::Rng;
use pentarch_protocol::nearest;
use pentarch_protocol::ugi::{OptionDecl, OptionKind};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A whole-number option to tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tunable {
    /// The name of the option.
    pub name: String,
    /// The initial value.
    pub start: i64,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
    /// The perturbation in the last pair of games.
    pub c_end: f64,
}

/// A tunable as a user specifies it: `NAME`, or `NAME=START,MIN,MAX,C_END`.
#[derive(Clone, Debug, PartialEq)]
pub struct TunableSpec {
    name: String,
    range: Option<TunableRange>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct TunableRange {
    start: i64,
    min: i64,
    max: i64,
    c_end: f64,
}

/// Why an option cannot be tuned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TunableError {
    /// The text is malformed.
    #[error("`{0}`: expected NAME or NAME=START,MIN,MAX,C_END, such as RfpMargin=120,40,250,15")]
    Text(String),
    /// The numbers contradict each other or the range of the option.
    #[error("`{name}`: {reason}")]
    Range {
        /// The name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The engine does not declare the option.
    #[error("the engine has no option `{0}`{1}")]
    Unknown(String, String),
    /// The option is not a whole number.
    #[error("the option `{0}` is no whole number (`spin`); only those can be tuned")]
    NoNumber(String),
    /// The option is specified more than once.
    #[error("`{0}` is given twice")]
    Duplicate(String),
}

/// The least perturbation of a whole number.
const MIN_PERTURBATION: f64 = 0.5;
/// The default of `c_end` as a share of the range.
const DEFAULT_C_END: f64 = 1.0 / 20.0;

impl FromStr for TunableSpec {
    type Err = TunableError;

    fn from_str(text: &str) -> Result<TunableSpec, TunableError> {
        let malformed = || TunableError::Text(text.to_owned());
        let (name, range) = match text.split_once('=') {
            None => (text, None),
            Some((name, list)) => {
                let words: Vec<&str> = list.split(',').map(str::trim).collect();
                let [start, min, max, c_end] = words[..] else { return Err(malformed()) };
                let number = |word: &str| word.parse::<i64>().map_err(|_| malformed());
                let (start, min, max) = (number(start)?, number(min)?, number(max)?);
                let c_end = c_end.parse().map_err(|_| malformed())?;
                (name, Some(TunableRange { start, min, max, c_end }))
            }
        };
        let name = name.trim().to_owned();
        if name.is_empty() { Err(malformed()) } else { Ok(TunableSpec { name, range }) }
    }
}

impl TunableSpec {
    /// Finds the option among those that an engine declares and checks the range.
    fn resolve(&self, declared: &[OptionDecl]) -> Result<Tunable, TunableError> {
        let known = declared.iter().find(|option| option.name.eq_ignore_ascii_case(&self.name));
        let Some(option) = known else {
            let names = declared.iter().map(|option| option.name.as_str());
            let hint = match nearest(&self.name, names) {
                Some(near) => format!(", did you mean `{near}`?"),
                None => ", or does not declare it".to_owned(),
            };
            return Err(TunableError::Unknown(self.name.clone(), hint));
        };
        let name = option.name.clone();
        let OptionKind::Spin { default, min: least, max: most } = option.kind else {
            return Err(TunableError::NoNumber(name));
        };
        let default_range = || {
            let c_end = ((most - least) as f64 * DEFAULT_C_END).max(MIN_PERTURBATION);
            TunableRange { start: default, min: least, max: most, c_end }
        };
        let TunableRange { start, min, max, c_end } = self.range.unwrap_or_else(default_range);
        let refuse = |reason| Err(TunableError::Range { name: name.clone(), reason });
        if min < least || max > most {
            return refuse(format!("the engine takes {least} to {most}, not {min} to {max}"));
        }
        if min >= max {
            return refuse(format!("MIN {min} is not less than MAX {max}"));
        }
        if !(min..=max).contains(&start) {
            return refuse(format!("START {start} is not within {min} to {max}"));
        }
        let half = (max - min) as f64 / 2.0;
        if !(MIN_PERTURBATION..=half).contains(&c_end) {
            return refuse(format!(
                "C_END {c_end} is not within {MIN_PERTURBATION} and half the range, {half}"
            ));
        }
        Ok(Tunable { name, start, min, max, c_end })
    }
}

impl Tunable {
    /// Resolves specifications against the options that an engine declares.
    pub fn resolve_all(
        specs: &[TunableSpec],
        declared: &[OptionDecl],
    ) -> Result<Vec<Tunable>, TunableError> {
        let mut all: Vec<Tunable> = Vec::new();
        for spec in specs {
            let tunable = spec.resolve(declared)?;
            if all.iter().any(|known| known.name == tunable.name) {
                return Err(TunableError::Duplicate(tunable.name));
            }
            all.push(tunable);
        }
        Ok(all)
    }
}

/// How perturbations and steps shrink over a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpsaSchedule {
    /// The final learning rate: the step for each point by which a pair of games is won, as a share of
    /// `c_end`.
    pub rate: f64,
    /// The exponent by which steps shrink.
    pub alpha: f64,
    /// The exponent by which perturbations shrink.
    pub gamma: f64,
    /// Spall's stability constant A, as a share of all pairs.
    pub stability: f64,
}

impl Default for SpsaSchedule {
    /// Spall's exponents and the other defaults of fishtest.
    fn default() -> SpsaSchedule {
        SpsaSchedule { rate: 0.002, alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }
}

/// The values of the two players of a pair of games, perturbed in opposite directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Perturbation {
    /// The values of the first player.
    pub plus: Vec<i64>,
    /// The values of the second player.
    pub minus: Vec<i64>,
    /// Whether the value of the first player is perturbed upwards.
    up: Vec<bool>,
}

/// The state of an optimization.
#[derive(Clone, Debug)]
pub(super) struct Spsa {
    tunables: Vec<Tunable>,
    schedule: SpsaSchedule,
    pairs: u32,
    seed: u64,
    values: Vec<f64>,
}

impl Spsa {
    /// Starts at the initial values. The schedule is for `pairs` pairs of games in total.
    pub(super) fn new(
        tunables: Vec<Tunable>,
        schedule: SpsaSchedule,
        pairs: u32,
        seed: u64,
    ) -> Spsa {
        let values = tunables.iter().map(|tunable| tunable.start as f64).collect();
        Spsa { tunables, schedule, pairs, seed, values }
    }

    /// The current values.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The size of the perturbation in a pair of games, counted from 0.
    fn perturbation_size(&self, tunable: &Tunable, pair: u32) -> f64 {
        let left = f64::from(self.pairs.max(1)) / f64::from(pair + 1);
        (tunable.c_end * libm::pow(left, self.schedule.gamma)).max(MIN_PERTURBATION)
    }

    /// The step for each point by which a pair of games is won.
    fn step(&self, tunable: &Tunable, pair: u32) -> f64 {
        let SpsaSchedule { rate, alpha, stability, .. } = self.schedule;
        let all = f64::from(self.pairs.max(1));
        let offset = stability * all;
        let left = (offset + all) / (offset + f64::from(pair + 1));
        let gain = rate * tunable.c_end * tunable.c_end * libm::pow(left, alpha);
        gain / self.perturbation_size(tunable, pair)
    }

    /// The perturbation of a pair of games, counted from 0. Depends on the values, the seed and the
    /// number only.
    pub(super) fn perturbation(&self, pair: u32) -> Perturbation {
        let mut rng = Rng::with_seed(self.seed.rotate_left(32) ^ u64::from(pair));
        let mut perturbation = Perturbation { plus: Vec::new(), minus: Vec::new(), up: Vec::new() };
        for (tunable, value) in self.tunables.iter().zip(&self.values) {
            let (up, dither) = (rng.bool(), rng.f64());
            let size = self.perturbation_size(tunable, pair) * if up { 1.0 } else { -1.0 };
            let rounded =
                |value: f64| ((value + dither).floor() as i64).clamp(tunable.min, tunable.max);
            perturbation.plus.push(rounded(value + size));
            perturbation.minus.push(rounded(value - size));
            perturbation.up.push(up);
        }
        perturbation
    }

    /// Moves the values by the results of some pairs of games: the number of each pair, its perturbation,
    /// and the points by which its first player won it, -2 to 2.
    pub(super) fn update(&mut self, pairs: &[(u32, Perturbation, f64)]) {
        for (index, tunable) in self.tunables.iter().enumerate() {
            let moves = pairs.iter().map(|(pair, perturbation, won)| {
                let direction = if perturbation.up[index] { 1.0 } else { -1.0 };
                self.step(tunable, *pair) * direction * won
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

    /// The points of a pair of games between players whose strength decreases with the squared distance
    /// from the best values; most of the result is noise.
    fn noisy_pair(perturbation: &Perturbation, best: &[f64], rng: &mut Rng) -> f64 {
        let elo = |values: &[i64]| -> f64 {
            values.iter().zip(best).map(|(&v, b)| -((v as f64 - b) / 10.0).powi(2)).sum()
        };
        let ahead = elo(&perturbation.plus) - elo(&perturbation.minus);
        let wins = 1.0 / (1.0 + 10f64.powf(-ahead / 400.0));
        (0..2).map(|_| if rng.f64() < wins { 1.0 } else { -1.0 }).sum()
    }

    #[test]
    fn the_maximum_of_a_noisy_quadratic_is_found() {
        let best = [300.0, 620.0, 450.0];
        let pairs = 20_000;
        for seed in 1..=5 {
            let tunables = [(200, 30.0), (500, 20.0), (450, 25.0)];
            let tunables = tunables.map(|(start, c_end)| tunable(start, c_end)).to_vec();
            let mut spsa = Spsa::new(tunables, SpsaSchedule::default(), pairs, seed);
            let mut rng = Rng::with_seed(seed);
            for pair in 0..pairs {
                let perturbation = spsa.perturbation(pair);
                let won = noisy_pair(&perturbation, &best, &mut rng);
                spsa.update(&[(pair, perturbation, won)]);
            }
            for (value, best) in spsa.values().iter().zip(best) {
                assert!((value - best).abs() < 25.0, "seed {seed}: {:?}", spsa.values());
            }
        }
    }

    #[test]
    fn the_last_pair_is_perturbed_by_c_end_and_moves_by_the_rate() {
        let mut spsa = Spsa::new(vec![tunable(500, 12.0)], SpsaSchedule::default(), 1000, 1);
        let perturbation = spsa.perturbation(999);
        let apart = perturbation.plus[0] - perturbation.minus[0];
        assert_eq!(apart.abs(), 24);
        spsa.update(&[(999, perturbation, -2.0)]);
        let moved = spsa.values()[0] - 500.0;
        let expected = -2.0 * 0.002 * 12.0 * (apart.signum() as f64);
        assert!((moved - expected).abs() < 1e-9, "{moved} {expected}");
        // Earlier pairs are perturbed more and move more.
        let first = spsa.perturbation(0);
        assert!((first.plus[0] - first.minus[0]).abs() > 24);
        assert!(spsa.step(&spsa.tunables[0], 0) > spsa.step(&spsa.tunables[0], 999));
    }

    #[test]
    fn values_stay_in_their_range() {
        let narrow = Tunable { min: 498, max: 501, ..tunable(500, 12.0) };
        let schedule = SpsaSchedule { rate: 5.0, ..SpsaSchedule::default() };
        let mut spsa = Spsa::new(vec![narrow], schedule, 100, 1);
        for pair in 0..100 {
            let perturbation = spsa.perturbation(pair);
            let tried = [perturbation.plus[0], perturbation.minus[0]];
            assert!(tried.iter().all(|value| (498..=501).contains(value)), "{tried:?}");
            spsa.update(&[(pair, perturbation, if pair % 3 == 0 { 2.0 } else { -2.0 })]);
            assert!((498.0..=501.0).contains(&spsa.values()[0]));
        }
    }

    #[test]
    fn perturbations_below_one_have_an_effect_on_average() {
        let spsa = Spsa::new(vec![tunable(5, 0.5)], SpsaSchedule::default(), 1, 1);
        let apart = |seed| {
            let perturbation = Spsa { seed, ..spsa.clone() }.perturbation(0);
            (perturbation.plus[0] - perturbation.minus[0]).abs()
        };
        assert!((0..100).all(|seed| apart(seed) == 1));
    }
}
