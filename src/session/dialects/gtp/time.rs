//! Clocks: `time_settings`, `kata-time_settings`, `time_left`.

use pentarch_protocol::gtp::{Color, Command, KataTime};
use std::time::Duration;

/// A clock as GTP sets it up: a main time, then periods in which some number of moves is to be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSettings {
    /// The time before the first period.
    pub main: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// The length of a period.
    pub period: Duration,
    /// The moves to make in a period; 0 if there is none.
    pub stones: u32,
    /// The most that the clock may show.
    pub cap: Option<Duration>,
    /// The most that a move may take.
    pub move_cap: Option<Duration>,
}

impl TimeSettings {
    /// What a command sets, none for no limit. Other commands set nothing, an outer none.
    pub fn read(command: &Command) -> Option<Option<TimeSettings>> {
        match *command {
            Command::TimeSettings { main_s, byo_yomi_s, stones } => {
                let millis = |seconds: u32| 1000 * u64::from(seconds);
                // A period without stones means no limit at all.
                let unlimited = byo_yomi_s > 0 && stones == 0;
                let settings = TimeSettings::new(millis(main_s), 0, millis(byo_yomi_s), stones);
                Some((!unlimited).then_some(settings))
            }
            Command::KgsTimeSettings(kata) | Command::KataTimeSettings(kata) => {
                Some(TimeSettings::of_kata(kata))
            }
            _ => None,
        }
    }

    /// `KataGo`'s extension. Periods that each move may use up are periods of one move.
    fn of_kata(settings: KataTime) -> Option<TimeSettings> {
        Some(match settings {
            KataTime::None => return None,
            KataTime::Absolute { main } => TimeSettings::new(main, 0, 0, 0),
            KataTime::ByoYomi { main, period, .. } => TimeSettings::new(main, 0, period, 1),
            KataTime::Canadian { main, period, stones } => {
                TimeSettings::new(main, 0, period, stones)
            }
            KataTime::Fischer { main, increment } => TimeSettings::new(main, increment, 0, 0),
            KataTime::FischerCapped { main, increment, cap, move_cap } => TimeSettings {
                cap: cap.map(Duration::from_millis),
                move_cap: move_cap.map(Duration::from_millis),
                ..TimeSettings::new(main, increment, 0, 0)
            },
        })
    }

    /// Times in milliseconds.
    fn new(main: u64, increment: u64, period: u64, stones: u32) -> TimeSettings {
        let time = Duration::from_millis;
        let (main, increment, period) = (time(main), time(increment), time(period));
        TimeSettings { main, increment, period, stones, cap: None, move_cap: None }
    }

    /// The command for engines that know `KataGo`'s extension, which takes decimals and increments.
    pub fn kata(self) -> Command {
        let (main, period) = (millis(self.main), millis(self.period));
        let increment = millis(self.increment);
        Command::KataTimeSettings(match self.stones {
            0 if self.cap.is_some() || self.move_cap.is_some() => {
                let (cap, move_cap) = (self.cap.map(millis), self.move_cap.map(millis));
                KataTime::FischerCapped { main, increment, cap, move_cap }
            }
            0 => KataTime::Fischer { main, increment },
            1 => KataTime::ByoYomi { main, period, periods: 1 },
            stones => KataTime::Canadian { main, period, stones },
        })
    }

    /// The command for all other engines: in whole seconds, rounded up, and without increments.
    pub fn plain(self) -> Command {
        let main_s = if self.main.is_zero() { 0 } else { whole_seconds(self.main) };
        let byo_yomi_s = if self.stones == 0 { 0 } else { whole_seconds(self.period) };
        Command::TimeSettings { main_s, byo_yomi_s, stones: self.stones }
    }
}

/// What a clock shows: the rest of the main time, or of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// The rest.
    pub time: Duration,
    /// The moves to make in it; 0 in the main time.
    pub stones: u32,
}

impl TimeLeft {
    /// The color whose clock a command sets, and what it shows. A flag that has fallen leaves no
    /// time, but no less.
    pub fn read(command: &Command) -> Option<(Color, TimeLeft)> {
        let &Command::TimeLeft { color, milliseconds, stones } = command else { return None };
        let time = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
        Some((color, TimeLeft { time, stones }))
    }

    /// The command for engines that understand decimals.
    pub fn exact(self, color: Color) -> Command {
        let milliseconds = i64::try_from(millis(self.time)).unwrap_or(i64::MAX);
        Command::TimeLeft { color, milliseconds, stones: self.stones }
    }

    /// The command for all other engines: in whole seconds, rounded down.
    pub fn plain(self, color: Color) -> Command {
        TimeLeft { time: Duration::from_secs(self.time.as_secs()), ..self }.exact(color)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// At least one: `time_settings 0 0 0` would mean something else.
fn whole_seconds(time: Duration) -> u32 {
    (time.as_secs_f64().ceil() as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_are_written() {
        let main = TimeSettings::new(90_500, 0, 0, 0);
        let settings = [
            main,
            TimeSettings { increment: Duration::from_millis(100), ..main },
            TimeSettings { cap: Some(Duration::from_secs(100)), ..main },
            TimeSettings { move_cap: Some(Duration::from_secs(9)), ..main },
            TimeSettings::new(0, 0, 1_500, 1),
            TimeSettings::new(10_000, 0, 59_500, 40),
        ];
        for settings in settings {
            assert_eq!(TimeSettings::read(&settings.kata()), Some(Some(settings)));
        }
        for settings in [(90, 0, 0), (0, 5, 1), (600, 30, 25)] {
            let (main, period, stones) = settings;
            let settings = TimeSettings::new(1000 * main, 0, 1000 * period, stones);
            assert_eq!(TimeSettings::read(&settings.plain()), Some(Some(settings)));
        }
        assert_eq!(TimeSettings::read(&Command::KataTimeSettings(KataTime::None)), Some(None));
        assert_eq!(TimeSettings::read(&Command::Name), None);
    }

    #[test]
    fn whole_seconds_are_never_too_few_at_the_start_nor_too_many_later() {
        let settings = TimeSettings::new(200, 0, 59_001, 3).plain();
        let expected = Command::TimeSettings { main_s: 1, byo_yomi_s: 60, stones: 3 };
        assert_eq!(settings, expected);
        let left = TimeLeft { time: Duration::from_millis(1_999), stones: 2 };
        let rounded = TimeLeft { time: Duration::from_secs(1), ..left };
        assert_eq!(TimeLeft::read(&left.plain(Color::White)), Some((Color::White, rounded)));
        assert_eq!(TimeLeft::read(&left.exact(Color::Black)), Some((Color::Black, left)));
    }
}
