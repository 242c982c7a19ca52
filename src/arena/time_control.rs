//! Time controls, and the clocks that the arena keeps.

use pentarch_engine::search::{Clock, Limits};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limits of a player's moves. All limits that are set apply.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeControl {
    /// A clock for the whole game.
    pub clock: Option<ClockControl>,
    /// The time for each move.
    pub move_time: Option<Duration>,
    /// The nodes for each move.
    pub nodes: Option<u64>,
    /// The search depth in plies.
    pub depth: Option<u32>,
}

/// A clock: `[MOVES/]TIME[+INCREMENT]` or `TIME+PERIODSxSECONDS`, times in seconds.
///
/// ```
/// use pentarch_arena::ClockControl;
/// let control: ClockControl = "40/60+0.6".parse().unwrap();
/// assert_eq!((control.moves, control.time.as_secs()), (Some(40), 60));
/// assert_eq!(control.to_string(), "40/60+0.6");
/// assert_eq!("10+0.10".parse::<ClockControl>().unwrap().to_string(), "10+0.1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockControl {
    /// The number of moves after which the time is added again.
    pub moves: Option<u32>,
    /// The initial time.
    pub time: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// The overtime after the main time.
    pub byo_yomi: Option<ByoYomi>,
}

/// Periods of overtime. A move within the current period leaves it whole; a longer one uses it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByoYomi {
    /// The number of periods.
    pub periods: u32,
    /// The length of a period.
    pub length: Duration,
}

/// Why a text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// The text is not a clock.
    #[error(
        "`{0}` is no clock, expected [MOVES/]SECONDS[+INCREMENT] such as `10+0.1` or `40/60`, or byo-yomi such as `60+3x10`"
    )]
    Clock(String),
    /// The text is not a time.
    #[error("`{0}` is no time, expected seconds such as `0.5`")]
    Seconds(String),
}

/// Reads a time in seconds with optional decimals, greater than zero and less than a year.
pub fn parse_seconds(text: &str) -> Result<Duration, TimeError> {
    let time = seconds(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| TimeError::Seconds(text.chars().take(40).collect()))
}

/// Reads a time that may be zero. The limit of a year prevents overflow of sums.
fn seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = text.parse::<f64>().ok().filter(|_| plain)?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    Some(time).filter(|&time| time < Duration::from_hours(365 * 24))
}

impl FromStr for ClockControl {
    type Err = TimeError;

    /// `clock = [ natural , "/" ] , seconds , [ "+" , seconds ] | seconds , "+" , natural , "x" , seconds ;`
    fn from_str(text: &str) -> Result<ClockControl, TimeError> {
        let wrong = || TimeError::Clock(text.chars().take(40).collect());
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = moves.parse().ok().filter(|&moves: &u32| moves > 0);
                (Some(moves.ok_or_else(wrong)?), rest)
            }
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = parse_seconds(time).map_err(|_| wrong())?;
        if let Some((periods, length)) = increment.split_once('x') {
            let periods = periods.parse().ok().filter(|periods| (1..=1000).contains(periods));
            let byo_yomi = periods.zip(parse_seconds(length).ok()).filter(|_| moves.is_none());
            let (periods, length) = byo_yomi.ok_or_else(wrong)?;
            let byo_yomi = Some(ByoYomi { periods, length });
            return Ok(ClockControl { moves, time, increment: Duration::ZERO, byo_yomi });
        }
        let increment = seconds(increment).ok_or_else(wrong)?;
        Ok(ClockControl { moves, time, increment, byo_yomi: None })
    }
}

impl fmt::Display for ClockControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if let Some(ByoYomi { periods, length }) = self.byo_yomi {
            return write!(f, "+{periods}x{}", length.as_secs_f64());
        }
        if self.increment.is_zero() {
            return Ok(());
        }
        write!(f, "+{}", self.increment.as_secs_f64())
    }
}

impl TimeControl {
    /// Whether no limit is set, so that a search would never end.
    pub fn is_unbounded(&self) -> bool {
        *self == TimeControl::default()
    }
}

/// `10+0.1`, `movetime 0.1`, `nodes 1000`, or several of them.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = [
            self.clock.map(|clock| clock.to_string()),
            self.move_time.map(|time| format!("movetime {}", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        f.write_str(&bounds.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// A player's clock during a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Timer {
    control: TimeControl,
    left: Duration,
    moves_to_go: Option<u32>,
    /// The remaining periods of byo-yomi.
    periods: u32,
}

impl Timer {
    /// The clock at the start of a game.
    pub fn new(control: TimeControl) -> Timer {
        let moves_to_go = control.clock.and_then(|clock| clock.moves);
        Timer {
            control,
            left: control.clock.map_or(Duration::ZERO, |clock| clock.time),
            moves_to_go,
            periods: control.clock.and_then(|clock| clock.byo_yomi).map_or(0, |byo| byo.periods),
        }
    }

    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// The time after which the flag falls, if any.
    pub fn limit(&self) -> Option<Duration> {
        let left = self.control.clock.map(|clock| {
            let overtime = clock.byo_yomi.map(|byo_yomi| byo_yomi.length * self.periods);
            self.left + overtime.unwrap_or_default()
        });
        [left, self.control.move_time].into_iter().flatten().min()
    }

    /// The time on the clock, if there is one. Byo-yomi is expressed in terms that every engine
    /// understands: one period in addition to the main time, and after it one period for each move,
    /// so that no period is lost.
    pub fn clock(&self) -> Option<Clock> {
        self.control.clock.map(|clock| match clock.byo_yomi {
            None => {
                Clock { left: self.left, increment: clock.increment, moves_to_go: self.moves_to_go }
            }
            Some(ByoYomi { length, .. }) => Clock {
                left: self.left + length,
                increment: Duration::ZERO,
                moves_to_go: self.left.is_zero().then_some(1),
            },
        })
    }

    /// The main time left and the remaining periods of byo-yomi, if there are periods, for protocols that
    /// can express them.
    pub fn byo_yomi(&self) -> Option<(Duration, ByoYomi)> {
        let byo_yomi = self.control.clock?.byo_yomi?;
        Some((self.left, ByoYomi { periods: self.periods, ..byo_yomi }))
    }

    /// The limits of the next search.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.control.depth,
            nodes: self.control.nodes,
            move_time: self.control.move_time,
            clock: self.clock(),
            ..Limits::default()
        }
    }

    /// Charges the time of a move and adds what the move earned. It is an error if the move took
    /// longer than the limit and `margin`.
    pub fn spend(&mut self, time: Duration, margin: Duration) -> Result<(), FlagFall> {
        if let Some(limit) = self.limit()
            && time > limit + margin
        {
            return Err(FlagFall { time, limit });
        }
        let Some(clock) = self.control.clock else { return Ok(()) };
        if let Some(ByoYomi { length, .. }) = clock.byo_yomi {
            let over = time.saturating_sub(self.left);
            let used = (over.as_nanos() / length.as_nanos().max(1)) as u32;
            self.periods = self.periods.saturating_sub(used).max(1);
        }
        self.left = self.left.saturating_sub(time) + clock.increment;
        if let (Some(to_go), Some(moves)) = (&mut self.moves_to_go, clock.moves) {
            *to_go -= 1;
            if *to_go == 0 {
                *to_go = moves;
                self.left += clock.time;
            }
        }
        Ok(())
    }
}

/// A move that came after its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move took {} ms, the clock had {} ms", .time.as_millis(), .limit.as_millis())]
pub struct FlagFall {
    /// The time of the move.
    pub time: Duration,
    /// The limit.
    pub limit: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn timer(clock: &str) -> Timer {
        Timer::new(TimeControl { clock: Some(clock.parse().unwrap()), ..TimeControl::default() })
    }

    #[test]
    fn clocks_are_read_and_printed() {
        for text in ["10", "10+0.1", "40/60+0.6", "0.05", "1/1", "60+3x10", "1+1x0.5"] {
            assert_eq!(text.parse::<ClockControl>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "0",
            "+1",
            "0/5",
            "-1",
            "1e3",
            "inf",
            "NaN",
            "1+",
            "a",
            "1/2/3",
            "99999999999",
            "1+0x1",
            "1+2x",
            "2/1+2x1",
            "1+x1",
        ] {
            assert!(text.parse::<ClockControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn moves_cost_time_and_earn_the_increment() {
        let mut timer = timer("1+0.2");
        assert_eq!(timer.spend(ms(300), ms(50)), Ok(()));
        assert_eq!(timer.limit(), Some(ms(900)));
        assert_eq!(timer.spend(ms(950), ms(50)), Ok(()), "within the margin");
        assert_eq!(timer.limit(), Some(ms(200)));
        let fall = timer.spend(ms(251), ms(50)).unwrap_err();
        assert_eq!(fall, FlagFall { time: ms(251), limit: ms(200) });
        assert_eq!(fall.to_string(), "the move took 251 ms, the clock had 200 ms");
    }

    #[test]
    fn periods_of_byo_yomi_are_used_up_by_long_moves_only() {
        let mut timer = timer("1+3x0.2");
        assert_eq!(timer.limit(), Some(ms(1600)));
        timer.spend(ms(900), ms(0)).unwrap();
        assert_eq!(timer.clock().unwrap().left, ms(300), "the rest and a period");
        timer.spend(ms(250), ms(0)).unwrap();
        assert_eq!(timer.limit(), Some(ms(600)), "all three are left");
        let clock = timer.clock().unwrap();
        assert_eq!((clock.left, clock.moves_to_go), (ms(200), Some(1)));
        timer.spend(ms(199), ms(0)).unwrap();
        assert_eq!(timer.limit(), Some(ms(600)));
        timer.spend(ms(401), ms(0)).unwrap();
        assert_eq!(timer.limit(), Some(ms(200)), "two are gone");
        timer.spend(ms(220), ms(50)).unwrap();
        assert_eq!(timer.limit(), Some(ms(200)), "the last one stays");
        assert!(timer.spend(ms(251), ms(50)).is_err());
    }

    #[test]
    fn time_is_added_after_a_number_of_moves() {
        let mut timer = timer("2/1");
        let mut seen = Vec::new();
        for _ in 0..4 {
            let clock = timer.clock().unwrap();
            seen.push((clock.left.as_millis(), clock.moves_to_go.unwrap()));
            timer.spend(ms(100), ms(0)).unwrap();
        }
        assert_eq!(seen, [(1000, 2), (900, 1), (1800, 2), (1700, 1)]);
    }

    #[test]
    fn the_nearer_of_two_limits_counts() {
        let clock = Some("1".parse().unwrap());
        let control = TimeControl { clock, move_time: Some(ms(400)), ..TimeControl::default() };
        let mut timer = Timer::new(control);
        assert_eq!(timer.limit(), Some(ms(400)));
        timer.spend(ms(400), ms(0)).unwrap();
        timer.spend(ms(400), ms(0)).unwrap();
        assert_eq!(timer.limit(), Some(ms(200)));
        let nodes = TimeControl { nodes: Some(5), ..TimeControl::default() };
        assert_eq!(Timer::new(nodes).limit(), None);
        assert_eq!(Timer::new(nodes).spend(ms(1_000_000), ms(0)), Ok(()));
    }
}
