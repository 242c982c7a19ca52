//! What a Gomocup manager allows: time, memory, threads, depth and nodes.

use crate::engine::Options;
use crate::search::{Clock, Limits};
use pentarch_protocol::gomocup::Setting;
use std::time::Duration;

/// The settings that `INFO` has made, and the clock.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The options that hold where the manager says nothing.
    base: Options,
    /// The time for a move that nothing limits.
    move_time: Duration,
    turn: Option<Duration>,
    game: Option<Duration>,
    left: Option<Duration>,
    increment: Duration,
    depth: Option<u32>,
    nodes: Option<u64>,
    memory_mib: Option<usize>,
    hash_mib: Option<usize>,
    threads: Option<usize>,
    level: Option<u32>,
}

/// `time_left` of a game without a clock.
const NO_CLOCK: i64 = 2_147_483_647;

/// A move "as fast as possible".
const AT_ONCE: Duration = Duration::from_millis(10);

/// What the process needs besides the hash table, generously, in MiB.
const BESIDES_HASH: usize = 32;

impl Settings {
    pub(super) fn new(base: Options, move_time: Duration) -> Settings {
        Settings {
            base,
            move_time,
            turn: None,
            game: None,
            left: None,
            increment: Duration::ZERO,
            depth: None,
            nodes: None,
            memory_mib: None,
            hash_mib: None,
            threads: None,
            level: None,
        }
    }

    /// Takes a setting, or says why it cannot be kept.
    pub(super) fn set(&mut self, setting: Setting, number: i64) -> Result<(), String> {
        let natural = || natural(setting, number);
        let some = |number: u64| Some(number).filter(|&number| number > 0);
        match setting {
            Setting::TimeoutTurn => self.turn = Some(Duration::from_millis(natural()?)),
            Setting::TimeoutMatch => {
                self.game = some(natural()?).map(Duration::from_millis);
                self.left = self.game;
            }
            Setting::TimeLeft if number == NO_CLOCK => self.left = None,
            Setting::TimeLeft => {
                self.left = Some(Duration::from_millis(u64::try_from(number).unwrap_or(0)));
            }
            Setting::TimeIncrement => self.increment = Duration::from_millis(natural()?),
            Setting::MaxMemory => self.memory_mib = memory(natural()?)?,
            // Managers send numbers below 1 for no limit.
            Setting::MaxDepth => {
                let depth = number.clamp(0, i64::from(u32::MAX)) as u32;
                self.depth = Some(depth).filter(|&depth| depth > 0);
            }
            Setting::MaxNode => self.nodes = some(u64::try_from(number).unwrap_or(0)),
            Setting::HashSize => {
                let mib = some(u64::try_from(number).unwrap_or(0)).map(|kib| kib.div_ceil(1024));
                self.hash_mib = mib.map(|mib| clamped(mib, Options::HASH));
            }
            Setting::ThreadNum if number < 1 => {
                return Err(format!("INFO thread_num {number}: expected 1 or more"));
            }
            Setting::ThreadNum => self.threads = Some(clamped(natural()?, Options::THREADS)),
            Setting::Strength => self.level = Some((number.clamp(0, 100) / 10).max(1) as u32),
            Setting::Rule | Setting::ShowDetail => {}
        }
        Ok(())
    }

    /// A new game begins with a full clock.
    pub(super) fn restart(&mut self) {
        self.left = self.game;
    }

    /// Takes the time of a move off the clock, for managers that do not tell what is left.
    pub(super) fn spend(&mut self, time: Duration) {
        let left = self.left.map(|left| left.saturating_sub(time));
        self.left = left.map(|left| left.saturating_add(self.increment));
    }

    /// The limits of the next search.
    pub(super) fn limits(&self) -> Limits {
        let clock =
            self.left.map(|left| Clock { left, increment: self.increment, moves_to_go: None });
        let limits = Limits {
            clock,
            move_time: self.turn.map(|turn| turn.max(AT_ONCE)),
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::default()
        };
        if limits.is_bounded() {
            return limits;
        }
        Limits { move_time: Some(self.move_time), ..limits }
    }

    /// The engine's options under these settings.
    pub(super) fn options(&self) -> Options {
        let hash = self.hash_mib.unwrap_or(self.base.hash);
        let most = self.memory_mib.map_or(hash, |mib| mib.saturating_sub(BESIDES_HASH));
        Options {
            hash: hash.min(most).max(*Options::HASH.start()),
            threads: self.threads.unwrap_or(self.base.threads),
            level: self.level.unwrap_or(self.base.level),
            ..self.base
        }
    }
}

fn natural(setting: Setting, number: i64) -> Result<u64, String> {
    u64::try_from(number)
        .map_err(|_| format!("INFO {} {number}: expected 0 or more", setting.name()))
}

/// The largest whole number of MiB; none for no limit.
fn memory(bytes: u64) -> Result<Option<usize>, String> {
    let mib = usize::try_from(bytes >> 20).unwrap_or(usize::MAX);
    match bytes {
        0 => Ok(None),
        _ if mib <= BESIDES_HASH => {
            let needed = (BESIDES_HASH + 1) << 20;
            Err(format!("INFO max_memory {bytes}: this engine needs {needed} bytes"))
        }
        _ => Ok(Some(mib)),
    }
}

fn clamped(number: u64, range: std::ops::RangeInclusive<usize>) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX).clamp(*range.start(), *range.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(Setting, i64)]) -> Settings {
        let mut settings = Settings::new(Options::default(), Duration::from_secs(1));
        for &(setting, number) in pairs {
            settings.set(setting, number).unwrap();
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
            (&[(TimeoutTurn, 500), (TimeLeft, NO_CLOCK)], (Some(500), None)),
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
    fn what_cannot_be_kept() {
        use Setting::{MaxMemory, ThreadNum, TimeoutMatch, TimeoutTurn};
        for (setting, number, told) in [
            (TimeoutTurn, -1, "timeout_turn -1"),
            (TimeoutMatch, i64::MIN, "timeout_match"),
            (MaxMemory, 1_000_000, "needs 34603008"),
            (MaxMemory, -5, "max_memory -5"),
            (ThreadNum, 0, "1 or more"),
        ] {
            let mut settings = settings(&[]);
            let error = settings.set(setting, number).unwrap_err();
            assert!(error.contains(told), "{error}");
            assert_eq!(millis(&settings.limits()), (Some(1000), None));
        }
    }
}
