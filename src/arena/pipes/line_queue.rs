//! Lines of an engine on their way to the game that reads them, bounded in bytes.

use super::super::wait::{CancelToken, Missed, SLICE};
use super::CAPACITY;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a line costs beside its text, so that empty lines are bounded as well.
const OVERHEAD: usize = 64;

/// A queue between the thread that reads an engine's output and the game. An engine that writes more
/// than [`CAPACITY`] has to wait.
///
/// A deadline is compared with the time at which a line came, so that neither an engine that never
/// stops writing nor a game that is slow to read can move it.
#[derive(Debug, Default)]
pub(super) struct LineQueue {
    state: Mutex<State>,
    filled: Condvar,
    emptied: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<(Instant, String)>,
    bytes: usize,
    /// No line will come any more.
    ended: bool,
    /// No line will be read any more.
    abandoned: bool,
}

impl LineQueue {
    /// Adds a line, as soon as there is room. False if nobody will read it.
    pub(super) fn push(&self, at: Instant, line: String) -> bool {
        let size = line.len() + OVERHEAD;
        let mut state = self.lock();
        while !state.abandoned && state.bytes > 0 && state.bytes + size > CAPACITY {
            state = self.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.abandoned {
            return false;
        }
        state.bytes += size;
        state.lines.push_back((at, line));
        drop(state);
        self.filled.notify_one();
        true
    }

    /// Says that no line will come any more.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.filled.notify_one();
    }

    /// Says that no line will be read any more.
    pub(super) fn abandon(&self) {
        let mut state = self.lock();
        state.abandoned = true;
        state.clear();
        drop(state);
        self.emptied.notify_one();
    }

    /// Forgets the lines that wait.
    pub(super) fn clear(&self) {
        self.lock().clear();
        self.emptied.notify_one();
    }

    /// The next line that came before the deadline, and when.
    pub(super) fn pop(
        &self,
        deadline: Instant,
        cancel: &CancelToken,
    ) -> Result<(Instant, String), Missed> {
        let mut state = self.lock();
        loop {
            if cancel.is_canceled() {
                return Err(Missed::Canceled);
            }
            if state.lines.front().is_some_and(|&(at, _)| at > deadline) {
                return Err(Missed::Deadline);
            }
            if let Some((at, line)) = state.lines.pop_front() {
                state.bytes -= line.len() + OVERHEAD;
                drop(state);
                self.emptied.notify_one();
                return Ok((at, line));
            }
            if state.ended || state.abandoned {
                return Err(Missed::Closed);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return Err(Missed::Deadline);
            }
            let waited = self.filled.wait_timeout(state, left.min(SLICE));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn clear(&mut self) {
        self.lines.clear();
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn what_waits_is_bounded_in_bytes() {
        let queue = Arc::new(LineQueue::default());
        let writer = {
            let queue = queue.clone();
            thread::spawn(move || {
                let line = "x".repeat(CAPACITY / 3);
                (0..9).take_while(|_| queue.push(Instant::now(), line.clone())).count()
            })
        };
        thread::sleep(Duration::from_millis(50));
        assert!((1..=3).contains(&queue.lock().lines.len()));
        let far = Instant::now() + Duration::from_secs(20);
        for _ in 0..4 {
            assert!(queue.pop(far, &CancelToken::default()).is_ok());
        }
        queue.abandon();
        assert!(writer.join().unwrap() < 9, "who abandons the queue frees its writer");
        // A line that is longer than the whole queue has room in an empty one.
        let queue = LineQueue::default();
        assert!(queue.push(Instant::now(), "x".repeat(2 * CAPACITY)));
    }

    #[test]
    fn a_deadline_holds_however_full_the_queue_is() {
        let queue = LineQueue::default();
        let start = Instant::now();
        let deadline = start + Duration::from_millis(10);
        for late in [0, 20, 30] {
            queue.push(start + Duration::from_millis(late), late.to_string());
        }
        let token = CancelToken::default();
        assert_eq!(queue.pop(deadline, &token).unwrap().1, "0");
        assert_eq!(queue.pop(deadline, &token), Err(Missed::Deadline));
        let extended = start + Duration::from_millis(25);
        assert_eq!(queue.pop(extended, &token).unwrap().1, "20");
        queue.end();
        assert_eq!(queue.pop(extended, &token), Err(Missed::Deadline));
        queue.clear();
        assert_eq!(queue.pop(extended, &token), Err(Missed::Closed));
        token.cancel();
        assert_eq!(queue.pop(extended, &token), Err(Missed::Canceled));
    }
}
