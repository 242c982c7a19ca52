//! Players in this process: the built-in engine and a player that moves at random.

use crate::error::{ArenaError, Fault, PlayerError};
use crate::player::{Action, Decision, NewGame, Player, Turn};
use crate::procfs::SchedulingDelays;
use crate::time_control::FlagFall;
use crate::wait::{CancelToken, StopDetector, Timeouts, WaitError};
use fastrand::Rng;
use pentarch_core::game::Move;
use pentarch_engine::search::{Limits, SearchResult};
use pentarch_engine::{Engine, Game, Options, RunningSearch};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// The built-in engine as a player.
#[derive(Debug)]
pub(crate) struct BuiltInPlayer {
    name: String,
    engine: Engine,
    /// Whether it ponders.
    ponders: bool,
    /// The ponder search in progress.
    pondering: Option<PendingSearch>,
    timeouts: Timeouts,
    cancel: CancelToken,
}

/// A search in progress and the channel on which its result arrives.
#[derive(Debug)]
struct PendingSearch {
    thinking: RunningSearch,
    answer: Receiver<(Instant, SearchResult)>,
    /// The position text and the moves of the searched game.
    position: (String, Vec<Move>),
}

impl BuiltInPlayer {
    pub(crate) fn new(
        name: String,
        options: Options,
        ponders: bool,
        timeouts: Timeouts,
        cancel: CancelToken,
    ) -> BuiltInPlayer {
        let engine = Engine::new(options);
        BuiltInPlayer { name, engine, ponders, pondering: None, timeouts, cancel }
    }

    fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        ponder: bool,
    ) -> Result<PendingSearch, ArenaError> {
        let (done, answer) = mpsc::channel();
        let report = move |_: &Game, found: &SearchResult| {
            let _ = done.send((Instant::now(), found.clone()));
        };
        let thinking = self.engine.start_search(game, limits, ponder, |_, _| (), report)?;
        Ok(PendingSearch { thinking, answer, position: (game.text(), game.moves()) })
    }

    /// The search for this turn: the ponder search if it has this position, otherwise a new one.
    fn search_of(&mut self, turn: &Turn<'_>) -> Result<PendingSearch, ArenaError> {
        // Dropping any other search stops it.
        if let Some(search) = self.pondering.take()
            && search.position == (turn.game.text(), turn.game.moves())
        {
            search.thinking.signal().hit();
            return Ok(search);
        }
        self.search(turn.game, turn.timer().limits(), false)
    }

    /// Starts a ponder search of the position after the own move and the expected reply.
    fn ponder(&mut self, turn: &Turn<'_>, time: Duration, pv: &[Move]) -> Result<(), ArenaError> {
        let &[mv, reply, ..] = pv else { return Ok(()) };
        let (mut game, mut timer) = (turn.game.clone(), turn.timer().clone());
        let replies = game.play_move(mv).is_ok() && game.to_move() != turn.seat();
        if !replies || game.play_move(reply).is_err() || game.outcome().is_some() {
            return Ok(());
        }
        if game.to_move() == turn.seat() && timer.spend(time, self.timeouts.margin).is_ok() {
            self.pondering = Some(self.search(&game, timer.limits(), true)?);
        }
        Ok(())
    }
}

impl Player for BuiltInPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, new: &NewGame<'_>) -> Result<(), PlayerError> {
        // The first search allocates the tables, which must not cost time of the first move.
        let limits = Limits::nodes(1);
        let first = self.engine.start_search(new.game, limits, false, |_, _| (), |_, _| ());
        first.map_err(ArenaError::from)?.join();
        self.engine.clear();
        Ok(())
    }

    fn end_game(&mut self) {
        self.pondering = None;
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), PlayerError> {
        let mut all = self.engine.options().clone();
        for (name, value) in options {
            all.set(name, value).map_err(|error| ArenaError::Setup(error.to_string()))?;
        }
        self.engine.set_options(all);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, PlayerError> {
        let asked = Instant::now();
        let PendingSearch { thinking, answer, .. } = self.search_of(turn)?;
        let limit = turn.timer().limit();
        let wait = self.timeouts.for_move(limit);
        let process = [std::process::id()];
        let before = limit.map(|_| SchedulingDelays::of_processes(&process));
        let mut stops = StopDetector::new();
        let mut answered = self.cancel.receive(&answer, asked + wait, &mut stops);
        if answered == Err(WaitError::Deadline) {
            thinking.stop();
            let deadline = asked + wait + self.timeouts.grace();
            answered = self.cancel.receive(&answer, deadline, &mut stops);
        }
        if limit.is_some() && !stops.stopped().is_zero() {
            return Err(Fault::ArenaStopped(stops.stopped()).into());
        }
        let decision = match answered {
            Ok((at, found)) => {
                // A ponder search may have finished before the turn began.
                let time = at.saturating_duration_since(asked);
                if self.ponders {
                    drop(thinking);
                    self.ponder(turn, time, &found.report.pv)?;
                }
                let action = Action::Move(found.best.ok_or(Fault::NoMove)?);
                Decision { action, time, report: Some(found.report) }
            }
            Err(WaitError::Deadline) => {
                let (command, time) = ("search".to_owned(), asked.elapsed());
                return Err(Fault::Hang { command, time }.into());
            }
            Err(WaitError::Closed) => {
                return Err(Fault::Crash("the search panicked".to_owned()).into());
            }
            Err(WaitError::Canceled) => return Err(ArenaError::Canceled.into()),
        };
        let (time, margin) = (decision.time, self.timeouts.margin);
        if let Some(limit) = limit.filter(|&limit| time > limit + margin) {
            let now = SchedulingDelays::of_processes(&process);
            // The other threads of this process play other games: their waits are no fault of this
            // search, and neither are the waits for them.
            let waited = before.map_or(Duration::ZERO, |before| now.since(&before, u32::MAX));
            return Err(Fault::late(FlagFall { time, limit }, margin, waited).into());
        }
        Ok(decision)
    }
}

/// Plays each legal move with equal probability. The same seed and game number give the same moves.
#[derive(Debug)]
pub(crate) struct RandomPlayer {
    name: String,
    seed: u64,
    rng: Rng,
}

impl RandomPlayer {
    pub(crate) fn new(name: String, seed: u64) -> RandomPlayer {
        RandomPlayer { name, seed, rng: Rng::with_seed(seed) }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, new: &NewGame<'_>) -> Result<(), PlayerError> {
        self.rng = Rng::with_seed(self.seed ^ (u64::from(new.number) << 32));
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, PlayerError> {
        let asked = Instant::now();
        let moves = turn.game.legal_moves();
        let best = self.rng.choice(&moves).ok_or(Fault::NoMove)?;
        Ok(Decision { action: Action::Move(*best), time: asked.elapsed(), report: None })
    }
}
