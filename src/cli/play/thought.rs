//! The engine's thinking beside the conversation.

use pentarch_core::game::Seat;
use pentarch_engine::search::{Limits, Report, SearchResult};
use pentarch_engine::{Engine, EngineError, Game, Thinking};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The move of the seat to move.
    Move(Seat),
    /// Advice for a person.
    Hint,
}

/// A search under way.
#[derive(Debug)]
pub(super) struct Thought {
    pub purpose: Purpose,
    thinking: Thinking,
    messages: Receiver<Message>,
    started: Instant,
    /// The last report.
    pub report: Option<Report>,
}

#[derive(Debug)]
enum Message {
    Report(Report),
    Done(Instant, SearchResult),
}

/// What a look at a search finds.
#[derive(Debug)]
pub(super) enum Look {
    /// It goes on.
    Waiting,
    /// It has come to an end after that time.
    Done(Duration, SearchResult),
    /// It died, which is a defect of the engine.
    Died,
}

impl Thought {
    pub(super) fn new(
        engine: &mut Engine,
        game: &Game,
        limits: Limits,
        purpose: Purpose,
    ) -> Result<Thought, EngineError> {
        let (sender, messages) = mpsc::channel();
        let reports = sender.clone();
        let started = Instant::now();
        let thinking = engine.think(
            game,
            limits,
            false,
            // Nobody listens any more to a search that was given up.
            move |_, report| drop(reports.send(Message::Report(report.clone()))),
            move |_, found| drop(sender.send(Message::Done(Instant::now(), found.clone()))),
        )?;
        Ok(Thought { purpose, thinking, messages, started, report: None })
    }

    /// How long it has lasted.
    pub(super) fn time(&self) -> Duration {
        self.started.elapsed()
    }

    /// Ends it; the best move so far is its result.
    pub(super) fn stop(&self) {
        self.thinking.stop();
    }

    /// Takes in what it has said, and waits that long for its end.
    pub(super) fn look(&mut self, wait: Duration) -> Look {
        let deadline = Instant::now() + wait;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = match self.messages.try_recv() {
                Err(TryRecvError::Empty) => self.messages.recv_timeout(left),
                Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
                Ok(message) => Ok(message),
            };
            match message {
                Ok(Message::Report(report)) => self.report = Some(report),
                Ok(Message::Done(at, found)) => {
                    return Look::Done(at.duration_since(self.started), found);
                }
                Err(RecvTimeoutError::Timeout) => return Look::Waiting,
                Err(RecvTimeoutError::Disconnected) => return Look::Died,
            }
        }
    }
}
