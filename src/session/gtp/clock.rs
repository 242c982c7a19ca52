//! The clocks of a GTP controller, kept by the engine as well: some controllers announce the
//! settings once and never say what is left.

use crate::search::{Clock, Limits};
use pentarch_protocol::gtp::{Color, KataTime};
use std::time::Duration;

/// What `time_settings` set, and what is left of it for each color.
#[derive(Clone, Debug)]
pub(super) struct GtpClock {
    settings: Option<Settings>,
    black: Option<Left>,
    white: Option<Left>,
    /// For a move when no clock runs.
    move_time: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    main: Duration,
    increment: Duration,
    period: Duration,
    stones: u32,
    /// The most that a clock may show.
    cap: Option<Duration>,
    /// The most that a move may take.
    move_cap: Option<Duration>,
}

/// What is left: of the main time when `stones` is 0, else of a period for so many moves.
#[derive(Clone, Copy, Debug)]
struct Left {
    time: Duration,
    stones: u32,
}

impl GtpClock {
    pub(super) fn new(move_time: Duration) -> GtpClock {
        GtpClock { settings: None, black: None, white: None, move_time }
    }

    /// `time_settings`, in seconds. A period without stones means no limit at all.
    pub(super) fn set(&mut self, main: u32, period: u32, stones: u32) {
        let seconds = |n: u32| 1000 * u64::from(n);
        let unlimited = period > 0 && stones == 0;
        let settings = Settings::new(seconds(main), 0, seconds(period), stones);
        self.settings = (!unlimited).then_some(settings);
        self.restart();
    }

    /// `kata-time_settings`. Periods that each move may use up are periods of one move.
    pub(super) fn set_kata(&mut self, settings: KataTime) {
        self.settings = match settings {
            KataTime::None => None,
            KataTime::Absolute { main } => Some(Settings::new(main, 0, 0, 0)),
            KataTime::ByoYomi { main, period, .. } => Some(Settings::new(main, 0, period, 1)),
            KataTime::Canadian { main, period, stones } => {
                Some(Settings::new(main, 0, period, stones))
            }
            KataTime::Fischer { main, increment } => Some(Settings::new(main, increment, 0, 0)),
            KataTime::FischerCapped { main, increment, cap, move_cap } => Some(Settings {
                cap: cap.map(Duration::from_millis),
                move_cap: move_cap.map(Duration::from_millis),
                ..Settings::new(main, increment, 0, 0)
            }),
        };
        self.restart();
    }

    /// `time_left`, as the controller's clock has it.
    pub(super) fn set_left(&mut self, color: Color, milliseconds: i64, stones: u32) {
        let time = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
        *self.left_mut(color) = Some(Left { time, stones });
    }

    /// A new game: full clocks.
    pub(super) fn restart(&mut self) {
        let full = self.settings.map(|settings| {
            let main = Left { time: settings.main, stones: 0 };
            if settings.main.is_zero() && settings.stones > 0 {
                settings.first_period()
            } else {
                main
            }
        });
        (self.black, self.white) = (full, full);
    }

    /// The limits for the next move of a color.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let left = match color {
            Color::Black => self.black,
            Color::White => self.white,
        };
        let Some(left) = left else { return Limits::move_time(self.move_time) };
        let moves_to_go = (left.stones > 0).then_some(left.stones);
        let increment = self.settings.map_or(Duration::ZERO, |settings| settings.increment);
        let clock = Clock { left: left.time, increment, moves_to_go };
        let move_time = self.settings.and_then(|settings| settings.move_cap);
        Limits { clock: Some(clock), move_time, ..Limits::default() }
    }

    /// Takes the time of a move off a clock; when the main time is used up the periods begin.
    pub(super) fn spend(&mut self, color: Color, time: Duration) {
        let settings = self.settings;
        let Some(left) = self.left_mut(color) else { return };
        let was_main = left.stones == 0;
        let overdrawn = time > left.time;
        left.time = left.time.saturating_sub(time);
        let increment = settings.map_or(Duration::ZERO, |settings| settings.increment);
        left.time = left.time.saturating_add(increment);
        if let Some(cap) = settings.and_then(|settings| settings.cap) {
            left.time = left.time.min(cap);
        }
        left.stones = left.stones.saturating_sub(1);
        let ended = if was_main { overdrawn } else { left.stones == 0 };
        if let Some(settings) = settings.filter(|settings| ended && settings.stones > 0) {
            *left = settings.first_period();
        }
    }

    fn left_mut(&mut self, color: Color) -> &mut Option<Left> {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }
}

impl Settings {
    /// Times in milliseconds.
    fn new(main: u64, increment: u64, period: u64, stones: u32) -> Settings {
        let time = Duration::from_millis;
        let (main, increment, period) = (time(main), time(increment), time(period));
        Settings { main, increment, period, stones, cap: None, move_cap: None }
    }

    fn first_period(self) -> Left {
        Left { time: self.period, stones: self.stones }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(clock: &GtpClock) -> (u64, Option<u32>) {
        let clock = clock.limits(Color::Black).clock.unwrap();
        (clock.left.as_secs(), clock.moves_to_go)
    }

    #[test]
    fn main_time_runs_into_periods_that_start_again() {
        let mut clock = GtpClock::new(Duration::from_secs(1));
        clock.set(10, 30, 2);
        assert_eq!(left(&clock), (10, None));
        clock.spend(Color::Black, Duration::from_secs(4));
        assert_eq!(left(&clock), (6, None));
        clock.spend(Color::Black, Duration::from_secs(9));
        assert_eq!(left(&clock), (30, Some(2)));
        clock.spend(Color::Black, Duration::from_secs(9));
        assert_eq!(left(&clock), (21, Some(1)));
        clock.spend(Color::Black, Duration::from_secs(9));
        assert_eq!(left(&clock), (30, Some(2)));
        clock.restart();
        assert_eq!(left(&clock), (10, None));
    }

    #[test]
    fn without_settings_each_move_has_its_time() {
        let mut clock = GtpClock::new(Duration::from_secs(3));
        assert_eq!(clock.limits(Color::Black).move_time, Some(Duration::from_secs(3)));
        clock.set(0, 5, 1);
        assert_eq!(left(&clock), (5, Some(1)));
        clock.set(0, 5, 0);
        assert_eq!(clock.limits(Color::Black).move_time, Some(Duration::from_secs(3)));
    }

    #[test]
    fn increments_are_added_and_tenths_count() {
        let mut clock = GtpClock::new(Duration::from_secs(1));
        clock.set_kata(KataTime::Fischer { main: 2_500, increment: 100 });
        clock.spend(Color::Black, Duration::from_millis(600));
        let left = clock.limits(Color::Black).clock.unwrap();
        assert_eq!(left.left, Duration::from_secs(2));
        assert_eq!(left.increment, Duration::from_millis(100));
        clock.set_kata(KataTime::ByoYomi { main: 0, period: 250, periods: 1 });
        clock.spend(Color::Black, Duration::from_millis(200));
        let left = clock.limits(Color::Black).clock.unwrap();
        assert_eq!((left.left, left.moves_to_go), (Duration::from_millis(250), Some(1)));
    }

    #[test]
    fn a_capped_clock_and_a_capped_move() {
        let mut clock = GtpClock::new(Duration::from_secs(1));
        let (cap, move_cap) = (Some(12_000), Some(2_000));
        clock.set_kata(KataTime::FischerCapped { main: 10_000, increment: 9_000, cap, move_cap });
        assert_eq!(clock.limits(Color::Black).move_time, Some(Duration::from_secs(2)));
        clock.spend(Color::Black, Duration::from_secs(1));
        assert_eq!(left(&clock), (12, None));
    }

    #[test]
    fn the_controller_knows_better() {
        let mut clock = GtpClock::new(Duration::from_secs(1));
        clock.set_left(Color::Black, 7_900, 0);
        assert_eq!(left(&clock), (7, None));
        clock.set_left(Color::Black, -3_000, 4);
        assert_eq!(left(&clock), (0, Some(4)));
    }
}
