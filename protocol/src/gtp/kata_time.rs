//! `KataGo`'s time settings: decimals, increments and byo-yomi periods.

use super::SyntaxError;
use super::arguments::Arguments;

/// The argument of `kata-time_settings`. Times are in milliseconds here, in seconds with decimals
/// on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KataTime {
    /// No limit.
    None,
    /// A main time and nothing more.
    Absolute {
        /// The time for the game.
        main: u64,
    },
    /// A main time, then periods that each move may use up.
    ByoYomi {
        /// The time before the first period.
        main: u64,
        /// The length of a period.
        period: u64,
        /// How many there are.
        periods: u32,
    },
    /// A main time, then a number of moves in each period.
    Canadian {
        /// The time before the first period.
        main: u64,
        /// The length of a period.
        period: u64,
        /// The moves to make in it.
        stones: u32,
    },
    /// A main time and more with each move.
    Fischer {
        /// The time at the start.
        main: u64,
        /// What each move adds.
        increment: u64,
    },
    /// The same with a limit on the clock and on each move.
    FischerCapped {
        /// The time at the start.
        main: u64,
        /// What each move adds.
        increment: u64,
        /// The most that the clock may show, if it is limited.
        cap: Option<u64>,
        /// The most that a move may take, if it is limited.
        move_cap: Option<u64>,
    },
}

impl KataTime {
    /// The names of the kinds, as `kata-list_time_settings` gives them.
    pub const KINDS: [&'static str; 6] =
        ["none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"];

    /// The kinds that `kgs-time_settings` knows.
    pub const KGS_KINDS: [&'static str; 4] = ["none", "absolute", "byoyomi", "canadian"];

    /// `kata-time = "none" | "absolute" , time | "byoyomi" , time , time , natural
    ///            | "canadian" , time , time , natural | "fischer" , time , time
    ///            | "fischer-capped" , time , time , cap , cap ;`
    /// as far as `kinds` has them.
    pub(super) fn parse(args: &mut Arguments<'_>, kinds: &[&str]) -> Result<Self, SyntaxError> {
        let expected = format!("one of `{}`", kinds.join("`, `"));
        let kind = args.word(&expected)?;
        if !kinds.contains(&kind) {
            return Err(SyntaxError::expected(&expected, kind));
        }
        Ok(match kind {
            "none" => Self::None,
            "absolute" => Self::Absolute { main: time(args)? },
            "byoyomi" => Self::ByoYomi {
                main: time(args)?,
                period: time(args)?,
                periods: args.number("a number of periods")?,
            },
            "canadian" => Self::Canadian {
                main: time(args)?,
                period: time(args)?,
                stones: args.number("a number of stones")?,
            },
            "fischer" => Self::Fischer { main: time(args)?, increment: time(args)? },
            _ => Self::FischerCapped {
                main: time(args)?,
                increment: time(args)?,
                cap: cap(args)?,
                move_cap: cap(args)?,
            },
        })
    }

    /// The words after the command's name.
    pub(super) fn words(self) -> Vec<String> {
        let time = |ms: u64| seconds_text(i64::try_from(ms).unwrap_or(i64::MAX));
        match self {
            Self::None => vec!["none".to_owned()],
            Self::Absolute { main } => vec!["absolute".to_owned(), time(main)],
            Self::ByoYomi { main, period, periods } => {
                vec!["byoyomi".to_owned(), time(main), time(period), periods.to_string()]
            }
            Self::Canadian { main, period, stones } => {
                vec!["canadian".to_owned(), time(main), time(period), stones.to_string()]
            }
            Self::Fischer { main, increment } => {
                vec!["fischer".to_owned(), time(main), time(increment)]
            }
            Self::FischerCapped { main, increment, cap, move_cap } => {
                let limit = |ms: Option<u64>| ms.map_or("-1".to_owned(), time);
                let kind = "fischer-capped".to_owned();
                vec![kind, time(main), time(increment), limit(cap), limit(move_cap)]
            }
        }
    }
}

/// `time = natural , [ "." , natural ] ;` in seconds.
fn time(args: &mut Arguments<'_>) -> Result<u64, SyntaxError> {
    const EXPECTED: &str = "a time in seconds, not negative";
    let word = args.word(EXPECTED)?;
    let time = milliseconds(word).and_then(|ms| u64::try_from(ms).ok());
    time.ok_or_else(|| SyntaxError::expected(EXPECTED, word))
}

/// `cap = time | "-" , natural , [ "." , natural ] ;` where anything negative is no limit.
fn cap(args: &mut Arguments<'_>) -> Result<Option<u64>, SyntaxError> {
    const EXPECTED: &str = "a time in seconds, or -1";
    let word = args.word(EXPECTED)?;
    let time = milliseconds(word).ok_or_else(|| SyntaxError::expected(EXPECTED, word))?;
    Ok(u64::try_from(time).ok())
}

/// Seconds with decimals as milliseconds, if they are a number of at most 64 bits.
pub(super) fn milliseconds(text: &str) -> Option<i64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    let seconds = text.parse::<f64>().ok().filter(|seconds| plain && seconds.abs() < 9.3e18)?;
    Some((seconds * 1000.0).round() as i64)
}

/// Milliseconds as seconds, with no more decimals than are needed.
pub(super) fn seconds_text(milliseconds: i64) -> String {
    let sign = if milliseconds < 0 { "-" } else { "" };
    let (whole, rest) = (milliseconds.unsigned_abs() / 1000, milliseconds.unsigned_abs() % 1000);
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{rest:03}").trim_end_matches('0').to_owned()
}
