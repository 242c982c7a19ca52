//! Limits and clocks: the numbers of `INFO`.

use pentarch_engine::search::{Clock, Limits};
use pentarch_protocol::gomocup::{Info, Setting};
use std::time::Duration;

/// `time_left` of a game without a clock.
const NO_CLOCK: i64 = 2_147_483_647;

/// A move "as fast as possible".
const AT_ONCE: Duration = Duration::from_millis(10);

/// What a manager allows for the moves of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameLimits {
    /// Time for each move; nothing means as fast as possible.
    pub turn: Option<Duration>,
    /// Time for the whole game.
    pub game: Option<Duration>,
    /// What is left of it.
    pub left: Option<Duration>,
    /// Time that each move adds.
    pub increment: Duration,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit for each move.
    pub nodes: Option<u64>,
}

/// A number that a setting cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("INFO {} {number}: expected {least} or more", .setting.name())]
pub struct SettingError {
    /// The setting.
    pub setting: Setting,
    /// The number.
    pub number: i64,
    /// The least one that it may have.
    pub least: u64,
}

impl SettingError {
    /// A setting's number, which must not be negative.
    pub(crate) fn natural(setting: Setting, number: i64) -> Result<u64, SettingError> {
        u64::try_from(number).map_err(|_| SettingError { setting, number, least: 0 })
    }
}

/// `INFO time_left`: what is left on a clock, if there is one.
pub fn time_left(clock: Option<Clock>) -> Info {
    Info::Number(Setting::TimeLeft, clock.map_or(NO_CLOCK, |clock| millis(clock.left)))
}

impl GameLimits {
    /// Takes a setting; those that limit nothing are left alone.
    pub fn set(&mut self, setting: Setting, number: i64) -> Result<(), SettingError> {
        let time = || SettingError::natural(setting, number).map(Duration::from_millis);
        // Managers send numbers below 1 for no limit.
        let count = u64::try_from(number).ok().filter(|&count| count > 0);
        match setting {
            Setting::TimeoutTurn => self.turn = Some(time()?),
            Setting::TimeoutMatch => {
                self.game = Some(time()?).filter(|time| !time.is_zero());
                self.left = self.game;
            }
            Setting::TimeLeft if number == NO_CLOCK => self.left = None,
            Setting::TimeLeft => {
                self.left = Some(Duration::from_millis(u64::try_from(number).unwrap_or(0)));
            }
            Setting::TimeIncrement => self.increment = time()?,
            Setting::MaxDepth => {
                self.depth = count.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
            }
            Setting::MaxNode => self.nodes = count,
            _ => {}
        }
        Ok(())
    }

    /// What a manager says of the limits before a game.
    pub fn infos(&self) -> Vec<Info> {
        let number = |setting, value: Option<i64>| value.map(|value| Info::Number(setting, value));
        let increment = Some(self.increment).filter(|time| !time.is_zero());
        let nodes = self.nodes.map(|nodes| i64::try_from(nodes).unwrap_or(i64::MAX));
        let infos = [
            number(Setting::TimeoutTurn, self.turn.map(millis)),
            number(Setting::TimeoutMatch, Some(self.game.map_or(0, millis))),
            number(Setting::TimeIncrement, increment.map(millis)),
            number(Setting::MaxDepth, self.depth.map(i64::from)),
            number(Setting::MaxNode, nodes),
        ];
        infos.into_iter().flatten().collect()
    }

    /// A new game begins with a full clock.
    pub fn restart(&mut self) {
        self.left = self.game;
    }

    /// Takes the time of a move off the clock, for managers that do not say what is left.
    pub fn spend(&mut self, time: Duration) {
        let left = self.left.map(|left| left.saturating_sub(time));
        self.left = left.map(|left| left.saturating_add(self.increment));
    }

    /// The limits of the next search, which are none where the manager says nothing.
    pub fn limits(&self) -> Limits {
        let clock =
            self.left.map(|left| Clock { left, increment: self.increment, moves_to_go: None });
        Limits {
            clock,
            move_time: self.turn.map(|turn| turn.max(AT_ONCE)),
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::default()
        }
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written() {
        let time = |millis| Some(Duration::from_millis(millis));
        let none = GameLimits::default();
        for limits in [
            none,
            GameLimits { turn: time(500), ..none },
            GameLimits { turn: time(0), depth: Some(7), ..none },
            GameLimits {
                game: time(9000),
                left: time(9000),
                increment: Duration::from_millis(20),
                ..none
            },
            GameLimits { nodes: Some(100_000), ..none },
        ] {
            let mut read = none;
            for info in limits.infos() {
                let Info::Number(setting, number) = info else { panic!("{info}") };
                read.set(setting, number).unwrap();
            }
            assert_eq!(read, limits);
        }
    }

    #[test]
    fn clocks_are_read_as_they_are_written() {
        for left in [None, Some(Duration::ZERO), Some(Duration::from_millis(1234))] {
            let clock = left.map(|left| Clock { left, increment: left, moves_to_go: None });
            let Info::Number(setting, number) = time_left(clock) else { panic!("no number") };
            let mut read = GameLimits { left: Some(Duration::MAX), ..GameLimits::default() };
            read.set(setting, number).unwrap();
            assert_eq!(read.left, left);
        }
    }
}
