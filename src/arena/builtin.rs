//! Players within this process: our engine, and a player that moves at random.

use super::fault::{ArenaError, Failure, Fault};
use super::player::{Action, Decision, NewGame, Player, Turn};
use super::processor_waits::ProcessorWaits;
use super::time::FlagFall;
use super::wait::{CancelToken, Missed, Timeouts};
use crate::engine::{Engine, Options};
use crate::search::Limits;
use fastrand::Rng;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Our own engine.
#[derive(Debug)]
pub(super) struct BuiltIn {
    name: String,
    engine: Engine,
    timeouts: Timeouts,
    cancel: CancelToken,
}

impl BuiltIn {
    pub(super) fn new(
        name: String,
        options: Options,
        timeouts: Timeouts,
        cancel: CancelToken,
    ) -> BuiltIn {
        BuiltIn { name, engine: Engine::new(options), timeouts, cancel }
    }
}

impl Player for BuiltIn {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, new: &NewGame<'_>) -> Result<(), Failure> {
        // Tables are made by the first search, which should not cost time of the first move.
        let limits = Limits::nodes(1);
        let first = self.engine.think(new.game, limits, false, |_, _| (), |_, _| ());
        first.map_err(ArenaError::from)?.join();
        self.engine.clear();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, Failure> {
        let (done, answer) = mpsc::channel();
        let asked = Instant::now();
        let limits = turn.timer().limits();
        let thinking = self
            .engine
            .think(
                turn.game,
                limits,
                false,
                |_, _| (),
                move |_, found| {
                    let _ = done.send((Instant::now(), found.clone()));
                },
            )
            .map_err(ArenaError::from)?;
        let limit = turn.timer().limit();
        let wait = self.timeouts.for_move(limit);
        let process = [std::process::id()];
        let before = limit.map(|_| ProcessorWaits::of_processes(&process));
        let mut answered = self.cancel.receive(&answer, asked + wait);
        if answered == Err(Missed::Deadline) {
            thinking.stop();
            answered = self.cancel.receive(&answer, Instant::now() + self.timeouts.grace());
        }
        let (time, decided) = match answered {
            Ok((at, found)) => {
                let time = at.duration_since(asked);
                let action = Action::Move(found.best.ok_or(Fault::NoMove)?);
                (time, Ok(Decision { action, time, report: Some(found.report) }))
            }
            Err(Missed::Deadline) => {
                let time = asked.elapsed();
                (time, Err(Fault::Hang { command: "search".to_owned(), time }))
            }
            Err(Missed::Closed) => {
                return Err(Fault::Crash("its search panicked".to_owned()).into());
            }
            Err(Missed::Canceled) => return Err(ArenaError::Canceled.into()),
        };
        if let Some(limit) = limit.filter(|&limit| time > limit + self.timeouts.margin) {
            let now = ProcessorWaits::of_processes(&process);
            let waited = before.map_or(Duration::ZERO, |before| now.since(&before));
            let fall = FlagFall { time, limit };
            let fault = decided.err().unwrap_or(Fault::FlagFall(fall));
            return Err(fault.or_busy(fall, self.timeouts.margin, waited).into());
        }
        Ok(decided?)
    }
}

/// A player whose every legal move is equally likely. The same seed and game number give the same
/// moves.
#[derive(Debug)]
pub(super) struct Random {
    name: String,
    seed: u64,
    rng: Rng,
}

impl Random {
    pub(super) fn new(name: String, seed: u64) -> Random {
        Random { name, seed, rng: Rng::with_seed(seed) }
    }
}

impl Player for Random {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, new: &NewGame<'_>) -> Result<(), Failure> {
        self.rng = Rng::with_seed(self.seed ^ (u64::from(new.number) << 32));
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, Failure> {
        let asked = Instant::now();
        let moves = turn.game.legal_moves();
        let best = self.rng.choice(&moves).ok_or(Fault::NoMove)?;
        Ok(Decision { action: Action::Move(*best), time: asked.elapsed(), report: None })
    }
}
