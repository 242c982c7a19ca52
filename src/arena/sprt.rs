//! The sequential probability ratio test, which decides when a match may stop.
//!
//! After every pair of games two hypotheses on the strength of the first engine are compared: H0,
//! `elo0`, and H1, `elo1`. The match may stop as soon as the logarithm of the likelihood ratio
//! (LLR) leaves the interval from ln(beta / (1 - alpha)) to ln((1 - beta) / alpha); H0 is then
//! wrongly rejected with probability alpha, H1 with probability beta (A. Wald, *Sequential Tests of
//! Statistical Hypotheses*, 1945).
//!
//! A hypothesis does not determine how often pairs are split or drawn. The generalized test (GSPRT)
//! takes the distribution of the five results of a pair that fits the counts best among those with
//! the supposed strength. With observed shares p of the values a these have the form p / (1 + x (a
//! - s)), with x such that the condition holds:
//!
//! - *Logistic* Elo, as in cutechess, fixes the mean score: M. Van den Bergh, *Maximum likelihood
//!   estimation for multinomial distributions with given expectation value*, proposition 1.1
//!   (<https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>).
//! - *Normalized* Elo, the default of fastchess, fixes how many standard deviations of a game the
//!   mean score is above a half; 800 / ln 10 points each: M. Van den Bergh, *A practical
//!   introduction to normalized Elo*, section 4.1
//!   (<https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>).
//!
//! Results not seen yet count as a thousandth of a pair, as in fishtest, so that no result has
//! probability zero.
//!
//! Pairs are added in the order of the schedule and the first crossing of a bound is final, so that
//! the decision depends only on the results of the games: not on their order of completion, on
//! interruptions, shards or clocks. Short games, which end first, are not preferred either.

use crate::schedule::Entrant;
use crate::score::ScoredGame;
use crate::statistics::{HeadToHead, expected_score};
use pentarch_protocol::nearest;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A test of two hypotheses: `elo0=E,elo1=E[,alpha=P][,beta=P][,model=logistic|normalized]`.
///
/// ```
/// use pentarch_arena::Sprt;
/// let test: Sprt = "elo0=0,elo1=20".parse().unwrap();
/// assert_eq!(test.to_string(), "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=logistic");
/// let (lower, upper) = test.bounds();
/// assert_eq!(format!("{lower:.2} {upper:.2}"), "-2.94 2.94");
/// assert_eq!("elo0=0 elo1=20".parse(), Ok(test));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// The scale of Elo differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Logistic Elo, a function of the mean score.
    #[default]
    Logistic,
    /// Normalized Elo, in units of the standard deviation of a game's score.
    Normalized,
}

/// Why a text is not a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// An unknown word, and a hint.
    #[error("unknown word `{0}`{1}; expected elo0=E,elo1=E[,alpha=P][,beta=P][,model=M]")]
    Unknown(String, String),
    /// A value that does not fit its word.
    #[error("`{0}`: expected {1}")]
    Value(String, &'static str),
    /// A hypothesis is missing.
    #[error("`{0}=` is missing")]
    Missing(&'static str),
    /// `elo0` is not less than `elo1`.
    #[error("elo0 must be less than elo1")]
    Order,
    /// `alpha` and `beta` are too large together.
    #[error("alpha and beta must be less than 1 together")]
    Errors,
}

/// A hypothesis that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// The strength of the first engine is `elo0`.
    H0,
    /// The strength of the first engine is `elo1`.
    H1,
}

/// The state of a test. An accepted hypothesis is final.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtState {
    test: Sprt,
    pairs: u32,
    llr: f64,
    accepted: Option<Hypothesis>,
}

/// The maximum Elo difference of a hypothesis: for larger ones the expected score rounds to 1.
const LARGEST_ELO: f64 = 2000.0;

const KEYS: [&str; 5] = ["elo0", "elo1", "alpha", "beta", "model"];

impl FromStr for Sprt {
    type Err = SprtError;

    /// `sprt = { key , "=" , value , [ "," | " " ] } ;`
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let (mut elo, mut errors, mut model) = ([None; 2], [0.05; 2], EloModel::default());
        let blank = |letter: char| letter == ',' || letter.is_whitespace();
        for word in text.split(blank).filter(|word| !word.is_empty()) {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match key {
                "elo0" => elo[0] = Some(read_elo(word, value)?),
                "elo1" => elo[1] = Some(read_elo(word, value)?),
                "alpha" => errors[0] = read_probability(word, value)?,
                "beta" => errors[1] = read_probability(word, value)?,
                "model" => model = EloModel::read(word, value)?,
                _ => return Err(unknown(key)),
            }
        }
        let [elo0, elo1] = elo;
        let elo0 = elo0.ok_or(SprtError::Missing("elo0"))?;
        let elo1 = elo1.ok_or(SprtError::Missing("elo1"))?;
        let [alpha, beta] = errors;
        if elo0 >= elo1 {
            return Err(SprtError::Order);
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::Errors);
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }
}

fn unknown(key: &str) -> SprtError {
    let hint =
        nearest(key, KEYS).map_or(String::new(), |near| format!(", did you mean `{near}=`?"));
    SprtError::Unknown(key.chars().take(40).collect(), hint)
}

fn read_elo(word: &str, value: &str) -> Result<f64, SprtError> {
    let elo = value.parse().ok().filter(|elo: &f64| elo.abs() <= LARGEST_ELO);
    elo.ok_or_else(|| SprtError::Value(word.to_owned(), "Elo from -2000 to 2000"))
}

fn read_probability(word: &str, value: &str) -> Result<f64, SprtError> {
    let probability = value.parse().ok().filter(|&p: &f64| p > 0.0 && p < 1.0);
    probability.ok_or_else(|| SprtError::Value(word.to_owned(), "a probability between 0 and 1"))
}

impl EloModel {
    fn read(word: &str, value: &str) -> Result<EloModel, SprtError> {
        match value {
            "logistic" => Ok(EloModel::Logistic),
            "normalized" => Ok(EloModel::Normalized),
            _ => Err(SprtError::Value(word.to_owned(), "`logistic` or `normalized`")),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        let model = match model {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        };
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}

impl Sprt {
    /// The LLRs at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the likelihood ratio of H1 to H0, given how many pairs gave the first
    /// engine 0, 1/2, 1, 1 1/2 and 2 points.
    pub fn llr(&self, pairs: [u32; 5]) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { 1e-3 } else { f64::from(count) });
        let sum: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / sum);
        let fit = |elo: f64| match self.model {
            EloModel::Logistic => fit_mean(&shares, expected_score(elo)),
            // The standard deviation of a pair's mean score is that of a game divided by the root
            // of 2.
            EloModel::Normalized => fit_deviations(
                &shares,
                elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2,
            ),
        };
        let [fit0, fit1] = [self.elo0, self.elo1].map(fit);
        (0..5).map(|at| counts[at] * (fit1[at] / fit0[at]).ln()).sum()
    }
}

/// The mean score of a game in the five kinds of pairs.
const VALUES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The most likely distribution with this mean.
fn fit_mean(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    tilt(shares, &VALUES.map(|value| value - mean))
}

/// The most likely distribution whose mean is this number of its standard deviations above a half.
/// Each iteration fixes the mean and deviation of the last one where the condition is not linear in
/// them.
fn fit_deviations(shares: &[f64; 5], deviations: f64) -> [f64; 5] {
    let mut fit = [0.2; 5];
    for _ in 0..20 {
        let mean: f64 = (0..5).map(|at| fit[at] * VALUES[at]).sum();
        let variance: f64 = (0..5).map(|at| fit[at] * (VALUES[at] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let conditions = VALUES.map(|value| {
            let square = ((mean - value) / deviation).powi(2);
            value - 0.5 - deviations * deviation * (1.0 + square) / 2.0
        });
        let last = fit;
        fit = tilt(shares, &conditions);
        if (0..5).all(|at| (fit[at] - last[at]).abs() < 1e-9) {
            break;
        }
    }
    fit
}

/// The most likely distribution in which the conditions are 0 on average: the shares divided by 1 +
/// x times the condition. The average falls with x, from infinity to minus infinity over the values
/// for which no share is negative. Conditions of one sign cannot be met; the shares are returned
/// unchanged.
fn tilt(shares: &[f64; 5], conditions: &[f64; 5]) -> [f64; 5] {
    let least = conditions.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = conditions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || greatest <= 0.0 {
        return *shares;
    }
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let tilted = |x: f64| std::array::from_fn(|at| shares[at] / (1.0 + x * conditions[at]));
    for _ in 0..100 {
        let x = f64::midpoint(low, high);
        let fit: [f64; 5] = tilted(x);
        let average: f64 = (0..5).map(|at| fit[at] * conditions[at]).sum();
        if average > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    tilted(f64::midpoint(low, high))
}

impl SprtState {
    pub fn new(test: Sprt) -> SprtState {
        SprtState { test, pairs: 0, llr: 0.0, accepted: None }
    }

    /// Updates the test by the pairs so far, unless a hypothesis is accepted. Returns the accepted
    /// hypothesis.
    pub fn update(&mut self, pairs: [u32; 5]) -> Option<Hypothesis> {
        if self.accepted.is_none() {
            self.pairs = pairs.iter().sum();
            self.llr = self.test.llr(pairs);
            let (lower, upper) = self.test.bounds();
            self.accepted = match self.llr {
                llr if llr <= lower => Some(Hypothesis::H0),
                llr if llr >= upper => Some(Hypothesis::H1),
                _ => None,
            };
        }
        self.accepted
    }

    pub fn test(&self) -> Sprt {
        self.test
    }

    /// The number of pairs considered.
    pub fn pairs(&self) -> u32 {
        self.pairs
    }

    /// The last LLR; once a hypothesis is accepted, the one that decided.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// The accepted hypothesis.
    pub fn accepted(&self) -> Option<Hypothesis> {
        self.accepted
    }
}

/// A test in the order of the schedule: a game waits until all games with lower numbers are
/// finished.
#[derive(Clone, Debug)]
pub(crate) struct OrderedSprt {
    state: SprtState,
    results: HeadToHead,
    /// The number of the next game of the test.
    next: u32,
    /// The games that wait for it.
    waiting: BTreeMap<u32, ScoredGame>,
}

impl OrderedSprt {
    pub(crate) fn new(test: Sprt) -> OrderedSprt {
        OrderedSprt {
            state: SprtState::new(test),
            results: HeadToHead::default(),
            next: 1,
            waiting: BTreeMap::new(),
        }
    }

    /// Adds a finished game. Returns the state of the test.
    pub(crate) fn add(&mut self, game: &ScoredGame) -> SprtState {
        self.waiting.insert(game.number, game.clone());
        while let Some(game) = self.waiting.remove(&self.next) {
            self.next += 1;
            let both = game.seats.iter().all(|seat| Entrant::BOTH.contains(seat));
            if game.sides == 2 && both && !game.is_spoiled {
                self.results.count(&game, Entrant(0));
                self.state.update(self.results.pairs());
            }
        }
        self.state
    }

    pub(crate) fn state(&self) -> SprtState {
        self.state
    }

    /// The number of the game that others wait for.
    pub(crate) fn missing(&self) -> Option<u32> {
        (!self.waiting.is_empty()).then_some(self.next)
    }
}

/// The LLR and its bounds, such as `LLR 0.52 (-2.94, 2.94)`.
impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lower, upper) = self.test.bounds();
        write!(f, "LLR {:.2} ({lower:.2}, {upper:.2})", self.llr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    /// The expected values of fastchess's tests (`app/tests/sprt_test.cpp`), to two decimals.
    #[test]
    fn ratios_are_those_of_fastchess() {
        for (test, pairs, expected) in [
            ("elo0=0,elo1=2,model=normalized", [365, 16_618, 36_229, 16_974, 390], 2.25),
            ("elo0=-1.75,elo1=0.25,model=normalized", [127, 4883, 10_712, 5150, 104], 3.01),
            ("elo0=0.5,elo1=2.5", [223, 9863, 21_279, 10_037, 246], -3.07),
            ("elo0=0,elo1=2", [871, 26_175, 55_983, 26_678, 821], -4.98),
        ] {
            let llr = sprt(test).llr(pairs);
            assert!((llr - expected).abs() < 0.02, "{test}: {llr}");
        }
    }

    /// If only two results occur, the mean determines their distribution: with elo1=0 and
    /// elo0=-400, won pairs have probability 1/2 or 1/11, so that the LLR of seven won and three
    /// lost pairs is 7 ln(11/2) + 3 ln(11/20).
    #[test]
    fn ratios_worked_out_by_hand() {
        let llr = sprt("elo0=-400,elo1=0").llr([3, 0, 0, 0, 7]);
        let expected = 7.0 * 5.5f64.ln() + 3.0 * 0.55f64.ln();
        assert!((llr - expected).abs() < 0.02, "{llr} {expected}");
        assert!(sprt("elo0=0,elo1=20").llr([0; 5]).abs() < 1e-12);

        // A share p of won pairs is t deviations above 1/2 if p = 1/2 + t / (2 sqrt(1 + t t)).
        let t = 50.0 * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
        let won = 0.5 + t / (2.0 * (1.0 + t * t).sqrt());
        let llr = sprt("elo0=0,elo1=50,model=normalized").llr([0, 0, 0, 0, 104]);
        assert!((llr - 104.0 * (won / 0.5).ln()).abs() < 0.02, "{llr}");
        let (lower, upper) = sprt("elo0=0,elo1=1,alpha=0.1,beta=0.2").bounds();
        assert!((lower - (0.2f64 / 0.9).ln()).abs() < 1e-12);
        assert!((upper - 8f64.ln()).abs() < 1e-12);
    }

    /// Exchanging the engines and mirroring the hypotheses inverts the ratio.
    #[test]
    fn engines_that_change_places_change_the_sign() {
        for model in ["logistic", "normalized"] {
            let test =
                |elo0: i32, elo1: i32| sprt(&format!("elo0={elo0},elo1={elo1},model={model}"));
            let pairs = [4, 1, 20, 0, 13];
            let mirrored = [13, 0, 20, 1, 4];
            let (a, b) = (test(-5, 30).llr(pairs), test(-30, 5).llr(mirrored));
            assert!((a + b).abs() < 1e-6 && a > 0.5, "{model}: {a} {b}");
        }
    }

    /// The share of simulated matches that accept H1.
    fn accepted(test: Sprt, shares: [f64; 5], rng: &mut Rng) -> f64 {
        const MATCHES: u32 = 1000;
        let mut accepted = 0;
        for _ in 0..MATCHES {
            let (mut state, mut pairs) = (SprtState::new(test), [0; 5]);
            let verdict = loop {
                let mut left = rng.f64();
                let found = shares.iter().position(|share| {
                    left -= share;
                    left < 0.0
                });
                pairs[found.unwrap_or(4)] += 1;
                if let Some(verdict) = state.update(pairs) {
                    break verdict;
                }
            };
            accepted += u32::from(verdict == Hypothesis::H1);
        }
        f64::from(accepted) / f64::from(MATCHES)
    }

    /// Simulates pairs of which most are split, as in real matches. The errors are about as
    /// frequent as alpha and beta allow: of 1000 matches 100 fail, with a standard deviation of
    /// 9.5, or fewer because the last pair oversteps the bound.
    #[test]
    fn errors_are_as_frequent_as_allowed() {
        let mut rng = Rng::with_seed(1);
        let split = [0.17, 0.01, 0.64, 0.01, 0.17];
        for model in ["logistic", "normalized"] {
            let test = sprt(&format!("elo0=0,elo1=60,alpha=0.1,beta=0.1,model={model}"));
            let truth = |elo: f64| match test.model {
                EloModel::Logistic => fit_mean(&split, expected_score(elo)),
                EloModel::Normalized => fit_deviations(
                    &split,
                    elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2,
                ),
            };
            let (under0, under1) =
                (accepted(test, truth(0.0), &mut rng), accepted(test, truth(60.0), &mut rng));
            assert!((0.05..0.13).contains(&under0), "{model}: H1 accepted in {under0} under H0");
            assert!((0.87..0.95).contains(&under1), "{model}: H1 accepted in {under1} under H1");
        }
    }

    #[test]
    fn an_accepted_hypothesis_stands() {
        let mut state = SprtState::new(sprt("elo0=0,elo1=100"));
        assert_eq!(state.update([1, 0, 2, 0, 1]), None);
        assert_eq!(state.update([1, 0, 2, 0, 50]), Some(Hypothesis::H1));
        let llr = state.llr();
        assert_eq!(state.update([100, 0, 2, 0, 50]), Some(Hypothesis::H1));
        assert_eq!((state.llr().to_bits(), state.pairs()), (llr.to_bits(), 53));
        assert_eq!(state.update([0; 5]), Some(Hypothesis::H1));
        assert_eq!(
            SprtState::new(sprt("elo0=0,elo1=100")).update([50, 0, 0, 0, 1]),
            Some(Hypothesis::H0)
        );
    }

    /// The decision depends on the results only: games may finish in any order, and those after
    /// the decision do not reopen it.
    #[test]
    fn the_order_of_completion_does_not_matter() {
        use pentarch_core::game::Side;
        use pentarch_records::GameResult;
        let mut rng = Rng::with_seed(66);
        let test = sprt("elo0=0,elo1=100,alpha=0.2,beta=0.2");
        let mut accepted = [0; 3];
        for _ in 0..200 {
            let mut games: Vec<ScoredGame> = (1..=200)
                .map(|number| {
                    let seats = Entrant::BOTH.map(|e| if number % 2 == 1 { e } else { e.other() });
                    let winner = Side(u8::from(rng.bool()));
                    let game = ScoredGame::new(&seats, 2, GameResult::Win(winner));
                    ScoredGame { number, set: (number - 1) / 2, ..game }
                })
                .collect();
            let replay = |games: &[ScoredGame]| {
                let mut sprt = OrderedSprt::new(test);
                for game in games {
                    sprt.add(game);
                }
                sprt
            };
            let unbroken = replay(&games).state();
            let decided_at = 2 * unbroken.pairs() as usize;
            assert_eq!(replay(&games[..decided_at]).state(), unbroken, "it stays decided");
            // At most eight games are in progress at a time.
            games.chunks_mut(8).for_each(|chunk| rng.shuffle(chunk));
            assert_eq!(replay(&games).state(), unbroken);
            rng.shuffle(&mut games);
            assert_eq!(replay(&games).state(), unbroken);
            accepted[unbroken.accepted().map_or(2, |hypothesis| hypothesis as usize)] += 1;
            let first = games.iter().position(|game| game.number == 1).unwrap();
            assert_eq!(replay(&games[..first]).missing(), (first > 0).then_some(1));
        }
        assert!(accepted[0] > 20 && accepted[1] > 5, "{accepted:?}");
    }

    #[test]
    fn tests_are_read_and_refused() {
        let test = "elo0=-3.5,elo1=0,alpha=0.01,beta=0.1,model=normalized";
        assert_eq!(sprt(test).to_string(), test);
        for (text, message) in [
            ("", "`elo0=` is missing"),
            ("elo0=1", "`elo1=` is missing"),
            ("elo0=20,elo1=20", "elo0 must be less"),
            ("elo0=nan,elo1=20", "`elo0=nan`: expected Elo"),
            ("elo0=0,elo1=inf", "`elo1=inf`: expected Elo"),
            ("elo0=0,elo1=5,alpha=0", "`alpha=0`: expected a probability"),
            ("elo0=0,elo1=5,alpha=0.6,beta=0.5", "less than 1 together"),
            ("elo0=0,elo1=5,model=bayesian", "expected `logistic` or `normalized`"),
            ("elo0=0,elo2=5", "did you mean `elo0=`?"),
            ("[0,5]", "unknown word `[0`"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
