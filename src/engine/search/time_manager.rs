//! How long to think.

use super::{Clock, Limits, Signal};
use std::time::{Duration, Instant};

/// The time that a search may and should take.
#[derive(Clone, Copy, Debug)]
pub struct TimeManager {
    start: Instant,
    /// After this no new iteration begins.
    soft: Option<Duration>,
    /// After this the search ends wherever it is.
    hard: Option<Duration>,
}

/// The least that is kept back from every limit for the way of the answer to the arena.
const OVERHEAD: Duration = Duration::from_millis(8);

/// The most. Between them it is a fiftieth of the limit: some managers grant nothing beyond it, and a busy
/// machine may keep a process waiting for longer than the least.
const MOST_OVERHEAD: Duration = Duration::from_millis(50);

/// The number of our own moves that a game is assumed to last. Rated games of Pente average 15 moves a
/// side, the longest tenth 25.
const MOVES_LEFT: u32 = 20;

/// Longer times are cut to this, so that no sum of them overflows.
const LONGEST: Duration = Duration::from_hours(10 * 365 * 24);

impl TimeManager {
    /// The time that the limits give, from the moment the signal was made.
    pub fn new(limits: &Limits, signal: &Signal) -> TimeManager {
        let (mut soft, mut hard) = (None, None);
        if let Some(clock) = limits.clock {
            let (aim, most) = share(clock);
            (soft, hard) = (Some(aim), Some(most));
        }
        if let Some(time) = limits.move_time {
            let time = less_overhead(time);
            hard = Some(hard.map_or(time, |most: Duration| most.min(time)));
        }
        TimeManager { start: signal.started(), soft, hard }
    }

    /// Time since the start of the search.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end.
    pub fn is_out_of_time(&self, signal: &Signal) -> bool {
        self.hard.is_some_and(|hard| self.own_time(signal).is_some_and(|time| time >= hard))
    }

    /// Whether another iteration, which takes longer than all before it, is worth its start.
    pub fn allows_iteration(&self, signal: &Signal) -> bool {
        let Some(soft) = self.soft else { return true };
        self.own_time(signal).is_none_or(|time| time < soft)
    }

    /// Time since our clock started, or none while pondering.
    fn own_time(&self, signal: &Signal) -> Option<Duration> {
        if signal.is_pondering() {
            return None;
        }
        Some(signal.hit_at().unwrap_or(self.start).elapsed())
    }
}

/// What to aim for and what never to exceed.
fn share(clock: Clock) -> (Duration, Duration) {
    let left = less_overhead(clock.left.min(LONGEST));
    let moves = clock.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
    let even = left / moves + clock.increment.min(LONGEST).mul_f64(0.8);
    let most = if moves == 1 { left.mul_f64(0.9) } else { left.mul_f64(0.4) };
    let hard = (even * 3).min(most).max(Duration::from_millis(1));
    (even.mul_f64(0.6).min(hard), hard)
}

fn less_overhead(time: Duration) -> Duration {
    time.saturating_sub((time / 50).clamp(OVERHEAD, MOST_OVERHEAD).min(time / 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let increment = Duration::from_millis(increment);
        share(Clock { left: Duration::from_millis(left), increment, moves_to_go })
    }

    #[test]
    fn no_clock_is_ever_overdrawn() {
        for left in [1, 5, 10, 50, 1000, 60_000, u64::MAX] {
            for increment in [0, 10, 5000, u64::MAX] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let (soft, hard) = clock(left, increment, moves);
                    assert!(hard <= Duration::from_millis(left.max(1)), "{left} {increment}");
                    assert!(soft <= hard);
                }
            }
        }
    }

    /// A manager that grants nothing beyond its limit waits for the answer as long as this at least.
    #[test]
    fn some_of_every_limit_is_kept_back() {
        for (limit, kept) in [(4, 1), (10, 2), (100, 8), (1000, 20), (5000, 50), (60_000, 50)] {
            let limit = Duration::from_millis(limit);
            let back = limit.saturating_sub(less_overhead(limit));
            assert_eq!(back.as_millis(), kept, "{limit:?}");
        }
    }

    #[test]
    fn more_time_and_fewer_moves_mean_longer_thought() {
        assert!(clock(10_000, 0, None) > clock(5_000, 0, None));
        assert!(clock(10_000, 100, None) > clock(10_000, 0, None));
        assert!(clock(10_000, 0, Some(2)) > clock(10_000, 0, Some(20)));
    }
}
