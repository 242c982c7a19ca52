//! The clocks of a GTP controller. The engine keeps them too, because some controllers send the settings
//! once and never the time left.

use crate::codec::gtp::{TimeLeft, TimeSettings};
use pentarch_engine::search::{Clock, Limits};
use pentarch_protocol::gtp::{Color, Command};
use std::time::Duration;

/// The settings of the controller, and the time left of each color.
#[derive(Clone, Debug)]
pub(super) struct GtpClock {
    settings: Option<TimeSettings>,
    black: Option<TimeLeft>,
    white: Option<TimeLeft>,
    /// The time for a move without a clock.
    pub(super) move_time: Duration,
}

impl GtpClock {
    pub(super) fn new(move_time: Duration) -> GtpClock {
        GtpClock { settings: None, black: None, white: None, move_time }
    }

    /// Executes a command that sets a clock. Settings reset the clocks of both colors.
    pub(super) fn set(&mut self, command: &Command) {
        if let Some(settings) = TimeSettings::from_command(command) {
            self.settings = settings;
            self.restart();
        } else if let Some((color, mut left)) = TimeLeft::from_command(command) {
            // In byo-yomi of several periods the number is that of the periods left, as KGS has it.
            if self.settings.is_some_and(|settings| settings.periods > 1) {
                left.stones = left.stones.min(1);
            }
            *self.left_mut(color) = Some(left);
        }
    }

    /// Resets the clocks for a new game.
    pub(super) fn restart(&mut self) {
        let full = self.settings.map(|settings| {
            if settings.main.is_zero() && settings.stones > 0 {
                first_period(settings)
            } else {
                TimeLeft { time: settings.main, stones: 0 }
            }
        });
        (self.black, self.white) = (full, full);
    }

    /// Returns the limits for the next move of a color.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let left = match color {
            Color::Black => self.black,
            Color::White => self.white,
        };
        let Some(left) = left else { return Limits::move_time(self.move_time) };
        let moves_to_go = (left.stones > 0).then_some(left.stones);
        let settings = self.settings.unwrap_or_default();
        let mut clock = Clock { left: left.time, increment: settings.increment, moves_to_go };
        if left.stones == 0 && settings.stones > 0 {
            // A move that uses up the main time has the share of a move of the first period too, and each
            // later move has as much.
            let share = settings.period / settings.stones;
            clock.left = clock.left.saturating_add(share);
            clock.increment = clock.increment.saturating_add(share);
        }
        let move_time = self.settings.and_then(|settings| settings.move_cap);
        Limits { clock: Some(clock), move_time, ..Limits::default() }
    }

    /// Subtracts the time of a move from a clock. The periods begin when the main time is used up.
    pub(super) fn spend(&mut self, color: Color, time: Duration) {
        let settings = self.settings;
        let Some(left) = self.left_mut(color) else { return };
        let was_main = left.stones == 0;
        let exceeded = time > left.time;
        left.time = left.time.saturating_sub(time);
        let increment = settings.map_or(Duration::ZERO, |settings| settings.increment);
        left.time = left.time.saturating_add(increment);
        if let Some(cap) = settings.and_then(|settings| settings.cap) {
            left.time = left.time.min(cap);
        }
        left.stones = left.stones.saturating_sub(1);
        let ended = if was_main { exceeded } else { left.stones == 0 };
        if let Some(settings) = settings.filter(|settings| ended && settings.stones > 0) {
            *left = first_period(settings);
        }
    }

    fn left_mut(&mut self, color: Color) -> &mut Option<TimeLeft> {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }
}

const fn first_period(settings: TimeSettings) -> TimeLeft {
    TimeLeft { time: settings.period, stones: settings.stones }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_protocol::gtp::{KataTime, Request};

    fn settings(main_s: u32, byo_yomi_s: u32, stones: u32) -> Command {
        Command::TimeSettings { main_s, byo_yomi_s, stones }
    }

    fn left_black(milliseconds: i64, stones: u32) -> Command {
        Command::TimeLeft { color: Color::Black, milliseconds, stones }
    }

    fn left(clock: &GtpClock) -> (u64, Option<u32>) {
        let left = clock.black.unwrap();
        (left.time.as_secs(), (left.stones > 0).then_some(left.stones))
    }

    #[test]
    fn main_time_runs_into_periods_that_start_again() {
        let mut clock = GtpClock::new(Duration::from_secs(1));
        clock.set(&settings(10, 30, 2));
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
        clock.set(&settings(0, 5, 1));
        assert_eq!(left(&clock), (5, Some(1)));
        clock.set(&settings(0, 5, 0));
        assert_eq!(clock.limits(Color::Black).move_time, Some(Duration::from_secs(3)));
    }

    #[test]
    fn increments_are_added_and_tenths_count() {
        let mut clock = GtpClock::new(Duration::from_secs(1));
        clock.set(&Command::KataTimeSettings(KataTime::Fischer { main: 2_500, increment: 100 }));
        clock.spend(Color::Black, Duration::from_millis(600));
        let left = clock.limits(Color::Black).clock.unwrap();
        assert_eq!(left.left, Duration::from_secs(2));
        assert_eq!(left.increment, Duration::from_millis(100));
        clock.set(&Command::KataTimeSettings(KataTime::ByoYomi {
            main: 0,
            period: 250,
            periods: 1,
        }));
        clock.spend(Color::Black, Duration::from_millis(200));
        let left = clock.limits(Color::Black).clock.unwrap();
        assert_eq!((left.left, left.moves_to_go), (Duration::from_millis(250), Some(1)));
    }

    #[test]
    fn a_capped_clock_and_a_capped_move() {
        let mut clock = GtpClock::new(Duration::from_secs(1));
        let (cap, move_cap) = (Some(12_000), Some(2_000));
        clock.set(&Command::KataTimeSettings(KataTime::FischerCapped {
            main: 10_000,
            increment: 9_000,
            cap,
            move_cap,
        }));
        assert_eq!(clock.limits(Color::Black).move_time, Some(Duration::from_secs(2)));
        clock.spend(Color::Black, Duration::from_secs(1));
        assert_eq!(left(&clock), (12, None));
    }

    #[test]
    fn clocks_of_the_specification() {
        crate::clock_table::check(pentarch_protocol::Dialect::Gtp, |lines| {
            let mut clock = GtpClock::new(Duration::from_secs(1));
            for line in lines {
                clock.set(&Command::parse(&Request::parse(line).unwrap()).unwrap());
            }
            clock.limits(Color::Black)
        });
    }

    #[test]
    fn byo_yomi_counts_periods() {
        let mut clock = GtpClock::new(Duration::from_secs(1));
        let (main, period, periods) = (60_000, 30_000, 5);
        let byo_yomi = KataTime::ByoYomi { main, period, periods };
        clock.set(&Command::KgsTimeSettings(byo_yomi));
        clock.set(&left_black(30_000, 5));
        assert_eq!(left(&clock), (30, Some(1)));
        clock.spend(Color::Black, Duration::from_secs(20));
        assert_eq!(left(&clock), (30, Some(1)));
        clock.set(&settings(60, 30, 5));
        clock.set(&left_black(30_000, 5));
        assert_eq!(left(&clock), (30, Some(5)));
    }

    #[test]
    fn time_left_overrides_the_clock() {
        let mut clock = GtpClock::new(Duration::from_secs(1));
        clock.set(&left_black(7_900, 0));
        assert_eq!(left(&clock), (7, None));
        clock.set(&left_black(-3_000, 4));
        assert_eq!(left(&clock), (0, Some(4)));
    }
}
