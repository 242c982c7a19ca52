//! Players within this process: our engine, and a player that moves at random.

use crate::error::{ArenaError, Failure, Fault};
use crate::player::{Action, Decision, NewGame, Player, Turn};
use crate::procfs::ProcessorWaits;
use crate::time_control::FlagFall;
use crate::wait::{CancelToken, Missed, Timeouts};
use fastrand::Rng;
use pentarch_core::game::Move;
use pentarch_engine::search::{Limits, SearchResult};
use pentarch_engine::{Engine, Game, Options, Thinking};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Our own engine.
#[derive(Debug)]
pub(crate) struct BuiltIn {
    name: String,
    engine: Engine,
    /// Whether it thinks in its opponents' time.
    ponders: bool,
    /// The search that runs in an opponent's time.
    pondering: Option<Search>,
    timeouts: Timeouts,
    cancel: CancelToken,
}

/// A search under way, and where its answer comes.
#[derive(Debug)]
struct Search {
    thinking: Thinking,
    answer: Receiver<(Instant, SearchResult)>,
    /// The position text and the moves of its game.
    position: (String, Vec<Move>),
}

impl BuiltIn {
    pub(crate) fn new(
        name: String,
        options: Options,
        ponders: bool,
        timeouts: Timeouts,
        cancel: CancelToken,
    ) -> BuiltIn {
        let engine = Engine::new(options);
        BuiltIn { name, engine, ponders, pondering: None, timeouts, cancel }
    }

    fn search(&mut self, game: &Game, limits: Limits, ponder: bool) -> Result<Search, ArenaError> {
        let (done, answer) = mpsc::channel();
        let report = move |_: &Game, found: &SearchResult| {
            let _ = done.send((Instant::now(), found.clone()));
        };
        let thinking = self.engine.think(game, limits, ponder, |_, _| (), report)?;
        Ok(Search { thinking, answer, position: (game.text(), game.moves()) })
    }

    /// The search of this turn: the one that was begun in the opponent's time, if it is of this position.
    fn search_of(&mut self, turn: &Turn<'_>) -> Result<Search, ArenaError> {
        // Any other is ended when it is dropped here.
        if let Some(search) = self.pondering.take()
            && search.position == (turn.game.text(), turn.game.moves())
        {
            search.thinking.signal().hit();
            return Ok(search);
        }
        self.search(turn.game, turn.timer().limits(), false)
    }

    /// Thinks about the position after its move and the reply that it expects.
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

    fn end_game(&mut self) {
        self.pondering = None;
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Failure> {
        let mut all = self.engine.options().clone();
        for (name, value) in options {
            all.set(name, value).map_err(|error| ArenaError::Setup(error.to_string()))?;
        }
        self.engine.set_options(all);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Decision, Failure> {
        let asked = Instant::now();
        let Search { thinking, answer, .. } = self.search_of(turn)?;
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
                // One that ponders may have found its move before it was asked.
                let time = at.saturating_duration_since(asked);
                if self.ponders {
                    drop(thinking);
                    self.ponder(turn, time, &found.report.pv)?;
                }
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
pub(crate) struct Random {
    name: String,
    seed: u64,
    rng: Rng,
}

impl Random {
    pub(crate) fn new(name: String, seed: u64) -> Random {
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
