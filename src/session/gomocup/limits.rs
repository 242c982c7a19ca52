//! What a Gomocup manager allows: time, memory, threads, depth and nodes.

use crate::dialects::gomocup::{GameLimits, SettingError};
use pentarch_engine::search::Limits;
use pentarch_engine::{OptionRow, Options};
use pentarch_protocol::gomocup::Setting;
use std::time::Duration;

/// The settings that `INFO` has made, and the clock.
#[derive(Clone, Debug)]
pub(super) struct InfoSettings {
    /// The options that hold where the manager says nothing.
    base: Options,
    /// Those with what it has said.
    options: Options,
    /// The time for a move that nothing limits.
    move_time: Duration,
    limits: GameLimits,
    memory_mib: Option<usize>,
}

/// What the process needs besides the hash table, generously, in MiB.
const BESIDES_HASH: usize = 32;

impl InfoSettings {
    pub(super) fn new(base: Options, move_time: Duration) -> InfoSettings {
        let limits = GameLimits::default();
        InfoSettings { options: base.clone(), base, move_time, limits, memory_mib: None }
    }

    /// Takes a setting. One that cannot be kept becomes the nearest that can, and is told of.
    pub(super) fn set(&mut self, setting: Setting, number: i64) -> Option<String> {
        let Err(error) = self.try_set(setting, number) else { return None };
        let least = i64::try_from(error.least).unwrap_or(i64::MAX);
        let taken = self.try_set(setting, least).is_ok();
        Some(format!(
            "{error}{}",
            if taken { format!("; {least} is taken") } else { String::new() }
        ))
    }

    fn try_set(&mut self, setting: Setting, number: i64) -> Result<(), SettingError> {
        if setting == Setting::MaxMemory {
            self.memory_mib = memory(number)?;
        }
        self.limits.set(setting, number)?;
        self.set_option(setting, number)
    }

    /// Takes a setting that is an option of the engine.
    fn set_option(&mut self, setting: Setting, number: i64) -> Result<(), SettingError> {
        // Managers send numbers below 1 for no limit.
        let count = u64::try_from(number).unwrap_or(0);
        let (name, value) = match setting {
            Setting::HashSize => ("Hash", Some(count.div_ceil(1024)).filter(|&mib| mib > 0)),
            Setting::ThreadNum if number < 1 => {
                return Err(SettingError { setting, number, least: 1 });
            }
            Setting::ThreadNum => ("Threads", Some(count)),
            Setting::Strength => ("Level", Some(count / 10)),
            _ => return Ok(()),
        };
        if let Some(row) = OptionRow::find(name) {
            match value {
                Some(value) => row.set_clamped(&mut self.options, value),
                None => row.copy(&self.base, &mut self.options),
            }
        }
        Ok(())
    }

    /// A new game begins with a full clock.
    pub(super) fn restart(&mut self) {
        self.limits.restart();
    }

    /// Takes the time of a move off the clock, for managers that do not say what is left.
    pub(super) fn spend(&mut self, time: Duration) {
        self.limits.spend(time);
    }

    /// The limits of the next search.
    pub(super) fn limits(&self) -> Limits {
        let limits = self.limits.limits();
        if limits.is_bounded() {
            return limits;
        }
        Limits { move_time: Some(self.move_time), ..limits }
    }

    /// The engine's options under these settings.
    pub(super) fn options(&self) -> Options {
        let hash = self.options.hash;
        let most = self.memory_mib.map_or(hash, |mib| mib.saturating_sub(BESIDES_HASH));
        Options { hash: hash.min(most).max(*Options::HASH.start()), ..self.options.clone() }
    }
}

/// The largest whole number of MiB; none for no limit.
fn memory(bytes: i64) -> Result<Option<usize>, SettingError> {
    let mib = usize::try_from(bytes >> 20).unwrap_or(0);
    let needed = BESIDES_HASH + 1;
    match bytes {
        0 => Ok(None),
        _ if mib < needed => Err(SettingError {
            setting: Setting::MaxMemory,
            number: bytes,
            least: (needed << 20) as u64,
        }),
        _ => Ok(Some(mib)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(Setting, i64)]) -> InfoSettings {
        let mut settings = InfoSettings::new(Options::default(), Duration::from_secs(1));
        for &(setting, number) in pairs {
            assert_eq!(settings.set(setting, number), None);
        }
        settings
    }

    fn millis(limits: &Limits) -> (Option<u128>, Option<u128>) {
        let clock = limits.clock.map(|clock| clock.left.as_millis());
        (limits.move_time.map(|time| time.as_millis()), clock)
    }

    #[test]
    fn times() {
        use Setting::{MaxDepth, MaxNode, TimeLeft, TimeoutMatch, TimeoutTurn};
        for (pairs, expected) in [
            (&[][..], (Some(1000), None)),
            (&[(TimeoutTurn, 500)], (Some(500), None)),
            (&[(TimeoutTurn, 0)], (Some(10), None)),
            (&[(TimeoutMatch, 0)], (Some(1000), None)),
            (&[(TimeoutMatch, 9000)], (None, Some(9000))),
            (&[(TimeoutMatch, 9000), (TimeLeft, 7000)], (None, Some(7000))),
            (&[(TimeoutTurn, 500), (TimeLeft, 2_147_483_647)], (Some(500), None)),
            (&[(TimeoutTurn, 500), (TimeLeft, -20)], (Some(500), Some(0))),
            (&[(TimeLeft, i64::MIN)], (None, Some(0))),
            (&[(MaxDepth, 3)], (None, None)),
            (&[(MaxDepth, 225), (MaxNode, -1)], (Some(1000), None)),
            (&[(MaxDepth, i64::MAX)], (Some(1000), None)),
            (&[(MaxNode, 10_000)], (None, None)),
        ] {
            let settings = settings(pairs);
            assert_eq!(millis(&settings.limits()), expected, "{pairs:?}");
            assert!(settings.limits().is_bounded());
        }
        let huge = settings(&[(TimeoutTurn, i64::MAX), (TimeoutMatch, i64::MAX)]);
        assert!(huge.limits().is_bounded());
    }

    #[test]
    fn the_clock_runs_and_starts_again() {
        let mut settings =
            settings(&[(Setting::TimeoutMatch, 5000), (Setting::TimeIncrement, 100)]);
        settings.spend(Duration::from_secs(2));
        assert_eq!(millis(&settings.limits()), (None, Some(3100)));
        settings.restart();
        assert_eq!(millis(&settings.limits()), (None, Some(5000)));
    }

    #[test]
    fn memory_and_threads() {
        use Setting::{HashSize, MaxMemory, Strength, ThreadNum};
        let mib = 1 << 20;
        for (pairs, hash, threads, level) in [
            (&[][..], 64, 1, 10),
            (&[(MaxMemory, 367_001_600)], 64, 1, 10),
            (&[(MaxMemory, 48 * mib)], 16, 1, 10),
            (&[(MaxMemory, 33 * mib)], 1, 1, 10),
            (&[(MaxMemory, 0), (HashSize, 2048)], 2, 1, 10),
            (&[(HashSize, 1 << 20), (MaxMemory, 100 * mib)], 68, 1, 10),
            (&[(HashSize, 0), (ThreadNum, 4), (Strength, 35)], 64, 4, 3),
            (&[(ThreadNum, i64::MAX), (Strength, -1)], 64, 256, 1),
        ] {
            let options = settings(pairs).options();
            assert_eq!((options.hash, options.threads, options.level), (hash, threads, level));
        }
    }

    #[test]
    fn what_cannot_be_kept_becomes_the_nearest() {
        use Setting::{MaxMemory, ThreadNum, TimeoutMatch, TimeoutTurn};
        for (setting, number, message, time, hash) in [
            (TimeoutTurn, -1, "timeout_turn -1: expected 0 or more; 0 is taken", 10, 64),
            (TimeoutMatch, i64::MIN, "timeout_match", 1000, 64),
            (MaxMemory, 1_000_000, "34603008 or more; 34603008 is taken", 1000, 1),
            (MaxMemory, -5, "max_memory -5", 1000, 1),
            (ThreadNum, 0, "1 or more; 1 is taken", 1000, 64),
            (ThreadNum, -1, "thread_num -1", 1000, 64),
        ] {
            let mut settings = settings(&[(ThreadNum, 3)]);
            let told = settings.set(setting, number).unwrap();
            assert!(told.contains(message), "{told}");
            assert_eq!(millis(&settings.limits()), (Some(time), None));
            let threads = if setting == ThreadNum { 1 } else { 3 };
            assert_eq!((settings.options().hash, settings.options().threads), (hash, threads));
        }
    }
}
