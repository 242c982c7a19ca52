//! Waits with a deadline that can be canceled.

use crate::procfs::own_activity;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The timeouts of the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// How much longer than its limit a move may take.
    pub margin: Duration,
    /// The timeout of any answer that no clock limits.
    pub response: Duration,
    /// How long to poll for an answer before sleeping. Polling uses the processor and saves the
    /// time of waking up; a match enables it if there are enough processors.
    pub spin_wait: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            margin: Duration::from_millis(50),
            response: Duration::from_mins(1),
            spin_wait: Duration::ZERO,
        }
    }
}

impl Timeouts {
    /// The grace period of a player whose time is over to end its search or to exit.
    pub(crate) fn grace(&self) -> Duration {
        self.response.min(Duration::from_secs(1))
    }

    /// How long to wait for a move with this limit.
    pub(crate) fn for_move(&self, limit: Option<Duration>) -> Duration {
        limit.map_or(self.response, |limit| limit + self.margin)
    }
}

/// The exit code of a run that was ended by a signal.
pub const EXIT_INTERRUPTED: i32 = 130;

/// A flag that cancels a run; every wait checks it regularly.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

/// Why a wait ended without a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitError {
    /// The deadline has passed.
    Deadline,
    /// The sender has ended.
    Closed,
    /// The run is canceled.
    Canceled,
}

/// The interval at which waits check a [`CancelToken`].
pub(crate) const CANCEL_POLL: Duration = Duration::from_millis(100);

/// Measures for how long the own thread was stopped: by a signal, with its container, or with a
/// virtual machine. It sleeps for at most [`CANCEL_POLL`] between two updates; if more time has passed
/// in which it neither ran nor waited for a processor, it was stopped.
#[derive(Debug)]
pub(crate) struct StopDetector {
    last_update: Instant,
    /// How long the thread had run and waited for a processor, if it was measured.
    active: Option<Duration>,
    stopped: Duration,
}

/// Shorter stops are not detected, because a sleep may take a little longer than requested.
const MIN_STOP: Duration = Duration::from_millis(50);

/// [`MIN_STOP`] if the activity of the thread is unknown.
const MIN_STOP_IF_UNKNOWN: Duration = Duration::from_millis(400);

impl StopDetector {
    pub(crate) fn new() -> StopDetector {
        StopDetector { last_update: Instant::now(), active: None, stopped: Duration::ZERO }
    }

    /// Continues the measurement after time that was not slept.
    pub(crate) fn resume(&mut self) {
        self.last_update = Instant::now();
    }

    /// Prepares for a sleep that may be long.
    pub(crate) fn before_sleep(&mut self) {
        if self.active.is_none() {
            self.active = own_activity();
        }
    }

    /// Updates the measurement by the time since the last update. Returns the total time for which
    /// the thread was stopped.
    pub(crate) fn update(&mut self) -> Duration {
        let last = std::mem::replace(&mut self.last_update, Instant::now());
        let oversleep = (self.last_update - last).saturating_sub(CANCEL_POLL);
        if oversleep > MIN_STOP {
            let now = own_activity();
            let (active, shortest) = match (self.active, now) {
                (Some(before), Some(now)) => (now.saturating_sub(before), MIN_STOP),
                _ => (Duration::ZERO, MIN_STOP_IF_UNKNOWN),
            };
            let stopped = oversleep.saturating_sub(active);
            if stopped > shortest {
                self.stopped += stopped;
            }
            self.active = now;
        }
        self.stopped
    }

    /// The total time for which the thread was stopped.
    pub(crate) fn stopped(&self) -> Duration {
        self.stopped
    }
}

impl CancelToken {
    /// A token that is canceled by Ctrl-C and by the signals that ask a process to end. The second
    /// of them ends the program at once with exit code 130.
    pub fn of_signals() -> io::Result<CancelToken> {
        let (token, seen) = (CancelToken::default(), Arc::<AtomicBool>::default());
        #[cfg(unix)]
        let signals = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
        #[cfg(not(unix))]
        let signals = [SIGINT, SIGTERM];
        for signal in signals {
            flag::register(signal, seen.clone())?;
            // The order matters: on the first signal the token is not canceled yet.
            flag::register_conditional_shutdown(signal, EXIT_INTERRUPTED, token.0.clone())?;
            flag::register(signal, token.0.clone())?;
        }
        // A signal that came between two registrations.
        if seen.load(Ordering::Relaxed) {
            token.cancel();
        }
        Ok(token)
    }

    /// Cancels the run.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_canceled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The next message, if it arrives before the deadline, which is postponed by the time for which
    /// the thread was stopped.
    pub(crate) fn receive<T>(
        &self,
        messages: &Receiver<T>,
        deadline: Instant,
        stops: &mut StopDetector,
    ) -> Result<T, WaitError> {
        stops.resume();
        loop {
            if self.is_canceled() {
                return Err(WaitError::Canceled);
            }
            let left = (deadline + stops.stopped()).saturating_duration_since(Instant::now());
            stops.before_sleep();
            let received = messages.recv_timeout(left.min(CANCEL_POLL));
            stops.update();
            match received {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Disconnected) => return Err(WaitError::Closed),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(WaitError::Deadline);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
