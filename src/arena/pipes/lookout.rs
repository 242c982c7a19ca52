//! Looking for an answer before sleeping until it comes.
//!
//! Whoever sleeps must be woken, which takes longer than an engine of few rules needs for its move. So an
//! answer is looked for again and again for a very short time, as libraries that pass messages do. Between
//! two looks the processor is offered to others, to the engine above all. One who thinks longer is soon
//! not looked for any more.

use std::time::{Duration, Instant};

/// The most answers that are waited for asleep before it is tried again.
const LONGEST_REST: u32 = 256;

/// Decides for which answers one looks.
#[derive(Debug)]
pub(super) struct Lookout {
    /// How long; zero means never.
    time: Duration,
    /// For how many answers it is not tried.
    rest: u32,
    /// For how many more after the next one in vain.
    next_rest: u32,
}

impl Lookout {
    pub(super) const fn new(time: Duration) -> Lookout {
        Lookout { time, rest: 0, next_rest: 1 }
    }

    /// Whether the next answer is looked for.
    pub(super) fn is_due(&mut self) -> bool {
        let is_due = !self.time.is_zero() && self.rest == 0;
        self.rest = self.rest.saturating_sub(1);
        is_due
    }

    /// The answer was there.
    pub(super) fn found(&mut self) {
        self.next_rest = 1;
    }

    /// Whether to look once more for an answer that was asked for then, after others had the processor.
    pub(super) fn goes_on(&mut self, start: Instant) -> bool {
        // Where somebody else needs it for long, this takes as long, and was in vain.
        std::thread::yield_now();
        let goes_on = start.elapsed() < self.time;
        if !goes_on {
            self.rest = self.next_rest;
            self.next_rest = (2 * self.next_rest).min(LONGEST_REST);
        }
        goes_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of so many answers are looked for, if those that are `quick` are there at once.
    fn looked_for(time: Duration, answers: u32, quick: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut lookout = Lookout::new(time);
        let look = |&answer: &u32| {
            let is_due = lookout.is_due();
            if is_due && quick(answer) {
                lookout.found();
            } else if is_due {
                let start = Instant::now();
                while lookout.goes_on(start) {}
                assert!(start.elapsed() >= time);
            }
            is_due
        };
        (1..=answers).filter(look).collect()
    }

    #[test]
    fn one_who_thinks_long_is_seldom_looked_for() {
        let time = Duration::from_micros(1);
        assert_eq!(looked_for(time, 50, |_| false), [1, 3, 6, 11, 20, 37]);
        assert_eq!(looked_for(time, 10_000, |_| false).len(), 10 + 36);
        assert_eq!(looked_for(time, 9, |answer| answer > 5), [1, 3, 6, 7, 8, 9]);
        assert!(looked_for(Duration::ZERO, 9, |_| true).is_empty());
    }
}
