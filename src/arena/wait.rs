//! Waiting with a deadline, in a way that the end of the run cuts short.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How patient the arena is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// How much a move may take beyond its limit.
    pub margin: Duration,
    /// How long any answer may take that no clock limits.
    pub silence: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { margin: Duration::from_millis(50), silence: Duration::from_mins(1) }
    }
}

impl Timeouts {
    /// How long a player whose time is over may take to end its search, or to leave.
    pub(super) fn grace(&self) -> Duration {
        self.silence.min(Duration::from_secs(1))
    }

    /// How long to wait for a move with that limit.
    pub(super) fn for_move(&self, limit: Option<Duration>) -> Duration {
        limit.map_or(self.silence, |limit| limit + self.margin)
    }
}

/// Raised when the run must end early; every wait sees it soon.
#[derive(Clone, Debug, Default)]
pub(crate) struct CancelToken(Arc<AtomicBool>);

/// Why a wait ended without a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missed {
    /// The deadline has come.
    Deadline,
    /// No sender is left.
    Closed,
    /// The run must end.
    Canceled,
}

/// How long a wait may overlook a [`CancelToken`].
const SLICE: Duration = Duration::from_millis(100);

impl CancelToken {
    pub(super) fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_canceled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The next message, if it comes before the deadline.
    pub(super) fn receive<T>(
        &self,
        messages: &Receiver<T>,
        deadline: Instant,
    ) -> Result<T, Missed> {
        loop {
            if self.is_canceled() {
                return Err(Missed::Canceled);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match messages.recv_timeout(left.min(SLICE)) {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Disconnected) => return Err(Missed::Closed),
                Err(RecvTimeoutError::Timeout) if left <= SLICE => return Err(Missed::Deadline),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
