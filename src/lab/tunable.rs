//! The numbers that are tuned: options of an engine, as a user asks for them and as the engine has them.

use pentarch_protocol::nearest;
use pentarch_protocol::ugi::{OptionDecl, OptionKind};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A whole number to tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tunable {
    /// The name of the option.
    pub name: String,
    /// Where it begins.
    pub start: i64,
    /// The least value that is tried.
    pub min: i64,
    /// The greatest.
    pub max: i64,
    /// How far it is moved to either side in the last pair of games.
    pub c_end: f64,
}

/// A number as a user asks for it: `NAME`, or `NAME=START,MIN,MAX,C_END`.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    name: String,
    numbers: Option<([i64; 3], f64)>,
}

/// Why a number cannot be tuned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TunableError {
    /// The text asks for nothing.
    #[error("`{0}`: expected NAME or NAME=START,MIN,MAX,C_END, such as RfpMargin=120,40,250,15")]
    Text(String),
    /// The numbers do not fit each other, or the engine.
    #[error("`{name}`: {reason}")]
    Numbers {
        /// The name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The engine has no such option.
    #[error("the engine has no option `{0}`, {1}")]
    Unknown(String, String),
    /// The option is not a number.
    #[error("the option `{0}` is no whole number (`spin`), which alone can be tuned")]
    NoNumber(String),
    /// It is asked for more than once.
    #[error("`{0}` is given twice")]
    Twice(String),
}

/// A whole number cannot be moved by less.
pub(super) const LEAST_MOVE: f64 = 0.5;
/// What part of its range a number is moved by if nobody says it.
const PART: f64 = 1.0 / 20.0;

impl FromStr for Request {
    type Err = TunableError;

    fn from_str(text: &str) -> Result<Request, TunableError> {
        let wrong = || TunableError::Text(text.to_owned());
        let (name, numbers) = match text.split_once('=') {
            None => (text, None),
            Some((name, list)) => {
                let words: Vec<&str> = list.split(',').map(str::trim).collect();
                let [start, min, max, c_end] = words[..] else { return Err(wrong()) };
                let number = |word: &str| word.parse::<i64>().map_err(|_| wrong());
                let whole = [number(start)?, number(min)?, number(max)?];
                (name, Some((whole, c_end.parse().map_err(|_| wrong())?)))
            }
        };
        let name = name.trim().to_owned();
        if name.is_empty() { Err(wrong()) } else { Ok(Request { name, numbers }) }
    }
}

impl Request {
    /// The number among the options that an engine declares.
    fn among(&self, declared: &[OptionDecl]) -> Result<Tunable, TunableError> {
        let known = declared.iter().find(|option| option.name.eq_ignore_ascii_case(&self.name));
        let Some(option) = known else {
            let names = declared.iter().map(|option| option.name.as_str());
            let hint = match nearest(&self.name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "or does not say so".to_owned(),
            };
            return Err(TunableError::Unknown(self.name.clone(), hint));
        };
        let name = option.name.clone();
        let OptionKind::Spin { default, min: least, max: most } = option.kind else {
            return Err(TunableError::NoNumber(name));
        };
        let usual = || ([default, least, most], (((most - least) as f64) * PART).max(LEAST_MOVE));
        let ([start, min, max], c_end) = self.numbers.unwrap_or_else(usual);
        let wrong = |reason| Err(TunableError::Numbers { name: name.clone(), reason });
        if min < least || max > most {
            return wrong(format!("the engine takes {least} to {most}, not {min} to {max}"));
        }
        if min >= max {
            return wrong(format!("MIN {min} is not less than MAX {max}"));
        }
        if !(min..=max).contains(&start) {
            return wrong(format!("START {start} is not within {min} to {max}"));
        }
        let half = (max - min) as f64 / 2.0;
        if !(LEAST_MOVE..=half).contains(&c_end) {
            return wrong(format!(
                "C_END {c_end} is not within {LEAST_MOVE} and half the range, {half}"
            ));
        }
        Ok(Tunable { name, start, min, max, c_end })
    }
}

impl Tunable {
    /// Numbers among the options that an engine declares.
    pub fn all(
        requests: &[Request],
        declared: &[OptionDecl],
    ) -> Result<Vec<Tunable>, TunableError> {
        let mut all: Vec<Tunable> = Vec::new();
        for request in requests {
            let tunable = request.among(declared)?;
            if all.iter().any(|known| known.name == tunable.name) {
                return Err(TunableError::Twice(tunable.name));
            }
            all.push(tunable);
        }
        Ok(all)
    }
}
