//! Limits of a search: what bounds it, the signal that stops it, and the time that it may use.

use pentarch_core::game::Move;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The limits of a search. Every limit that is set applies. Without any the search runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The greatest depth in plies.
    pub depth: Option<u32>,
    /// The most nodes. With one thread the search is then deterministic.
    pub nodes: Option<u64>,
    /// The search ends as soon as it finds a win within this number of plies.
    pub mate: Option<u32>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The search runs until it is stopped, even if nothing is left to search.
    pub infinite: bool,
    /// The root moves to search. All moves if empty.
    pub search_moves: Vec<Move>,
}

/// The state of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The time added with each move.
    pub increment: Duration,
    /// The moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// Limits with a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Limits with a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Limits with a time for the move.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// The greatest depth of any search.
    pub const MAX_DEPTH: u32 = 200;

    /// Whether the search ends by itself. A depth limit from [`Limits::MAX_DEPTH`] on does not count.
    pub fn is_bounded(&self) -> bool {
        let timed = self.move_time.is_some() || self.clock.is_some();
        let reached = |plies: Option<u32>| plies.is_some_and(|plies| plies < Limits::MAX_DEPTH);
        let counted = reached(self.depth) || reached(self.mate) || self.nodes.is_some();
        !self.infinite && (timed || counted)
    }
}

/// Stops a search from another thread, or tells it that the opponent played the pondered move.
#[derive(Debug)]
pub struct Signal {
    started: Instant,
    stopped: AtomicBool,
    pondering: AtomicBool,
    ponder_hit: OnceLock<Instant>,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Default for Signal {
    fn default() -> Signal {
        Signal::new()
    }
}

impl Signal {
    /// A signal for a search on the engine's own time.
    pub fn new() -> Signal {
        Signal {
            started: Instant::now(),
            stopped: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            ponder_hit: OnceLock::new(),
            lock: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// A signal for pondering: the time limits apply from [`Signal::hit`] on.
    pub fn pondering() -> Signal {
        Signal { pondering: AtomicBool::new(true), ..Signal::new() }
    }

    /// The time of creation, which is when the search was requested.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.wake();
    }

    /// Ends pondering, so that the time limits apply.
    pub fn hit(&self) {
        if self.is_pondering() {
            // The time is set first, because readers check `pondering` first.
            let _ = self.ponder_hit.set(Instant::now());
            self.pondering.store(false, Ordering::Release);
            self.wake();
        }
    }

    /// Whether the search must stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the search is pondering.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// The time of [`Signal::hit`], if it was called.
    pub fn hit_at(&self) -> Option<Instant> {
        self.ponder_hit.get().copied()
    }

    /// Waits until pondering ends or the search is stopped; with `even_on_own_time` until it is stopped.
    pub fn wait(&self, even_on_own_time: bool) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (even_on_own_time || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn wake(&self) {
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

/// Decides how long a search takes.
#[derive(Clone, Copy, Debug)]
pub struct TimeManager {
    start: Instant,
    /// The time after which no iteration starts.
    soft: Option<Duration>,
    /// The time after which the search is aborted.
    hard: Option<Duration>,
}

/// The least time reserved from each limit for the transmission of the move.
const MIN_OVERHEAD: Duration = Duration::from_millis(8);

/// The greatest time reserved. In between it is a fiftieth of the limit, because some arenas have no tolerance and a
/// busy machine may delay a process for longer than the minimum.
const MAX_OVERHEAD: Duration = Duration::from_millis(50);

/// The expected number of moves left to a side. Rated games of Pente average 15 moves a side, the longest tenth 25.
const EXPECTED_MOVES: u32 = 20;

/// The greatest time, so that no sum overflows.
const MAX_TIME: Duration = Duration::from_hours(10 * 365 * 24);

impl TimeManager {
    /// The time that the limits allow from the creation of the signal on.
    pub fn new(limits: &Limits, signal: &Signal) -> TimeManager {
        let (mut soft, mut hard) = (None, None);
        if let Some(clock) = limits.clock {
            let (aim, limit) = allot(clock);
            (soft, hard) = (Some(aim), Some(limit));
        }
        if let Some(time) = limits.move_time {
            let time = less_overhead(time);
            hard = Some(hard.map_or(time, |most: Duration| most.min(time)));
        }
        TimeManager { start: signal.started(), soft, hard }
    }

    /// The time since the start of the search.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end.
    pub fn is_out_of_time(&self, signal: &Signal) -> bool {
        self.hard.is_some_and(|hard| self.own_time(signal).is_some_and(|time| time >= hard))
    }

    /// Whether another iteration may start.
    pub fn allows_iteration(&self, signal: &Signal) -> bool {
        let Some(soft) = self.soft else { return true };
        self.own_time(signal).is_none_or(|time| time < soft)
    }

    /// The time on the engine's own clock. `None` while pondering.
    fn own_time(&self, signal: &Signal) -> Option<Duration> {
        if signal.is_pondering() {
            return None;
        }
        Some(signal.hit_at().unwrap_or(self.start).elapsed())
    }
}

/// The time to aim for and the time never to exceed.
fn allot(clock: Clock) -> (Duration, Duration) {
    let left = less_overhead(clock.left.min(MAX_TIME));
    let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
    let even = left / moves + clock.increment.min(MAX_TIME).mul_f64(0.8);
    let most = if moves == 1 { left.mul_f64(0.9) } else { left.mul_f64(0.4) };
    let hard = (even * 3).min(most).max(Duration::from_millis(1));
    (even.mul_f64(0.6).min(hard), hard)
}

fn less_overhead(time: Duration) -> Duration {
    time.saturating_sub((time / 50).clamp(MIN_OVERHEAD, MAX_OVERHEAD).min(time / 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let increment = Duration::from_millis(increment);
        allot(Clock { left: Duration::from_millis(left), increment, moves_to_go })
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

    /// The time for the transmission of the move, for an arena without tolerance.
    #[test]
    fn a_part_of_every_limit_is_reserved() {
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
