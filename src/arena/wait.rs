//! Waiting with a deadline, in a way that the end of the run cuts short.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
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
    /// How long an answer is looked for before one sleeps until it comes. This costs that much of a
    /// processor and saves being woken; a match sets it where there are processors enough.
    pub lookout: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            margin: Duration::from_millis(50),
            silence: Duration::from_mins(1),
            lookout: Duration::ZERO,
        }
    }
}

impl Timeouts {
    /// How long a player whose time is over may take to end its search, or to leave.
    pub(crate) fn grace(&self) -> Duration {
        self.silence.min(Duration::from_secs(1))
    }

    /// How long to wait for a move with that limit.
    pub(crate) fn for_move(&self, limit: Option<Duration>) -> Duration {
        limit.map_or(self.silence, |limit| limit + self.margin)
    }
}

/// The exit code of a run that a signal has ended.
pub const INTERRUPTED: i32 = 130;

/// Raised when the run must end early; every wait sees it soon.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

/// Why a wait ended without a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missed {
    /// The deadline has come.
    Deadline,
    /// No sender is left.
    Closed,
    /// The run must end.
    Canceled,
}

/// How long a wait may overlook a [`CancelToken`].
pub(crate) const SLICE: Duration = Duration::from_millis(100);

impl CancelToken {
    /// A token that the terminal's Ctrl-C and the signals that ask a process to leave raise. The
    /// second of them ends the program at once, with exit code 130.
    pub fn of_signals() -> io::Result<CancelToken> {
        let token = CancelToken::default();
        #[cfg(unix)]
        let signals = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
        #[cfg(not(unix))]
        let signals = [SIGINT, SIGTERM];
        for signal in signals {
            // In this order: the first signal finds the token lowered and raises it.
            flag::register_conditional_shutdown(signal, INTERRUPTED, token.0.clone())?;
            flag::register(signal, token.0.clone())?;
        }
        Ok(token)
    }

    /// Ends the run early.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run must end.
    pub fn is_canceled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The next message, if it comes before the deadline.
    pub(crate) fn receive<T>(
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
