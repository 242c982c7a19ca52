//! The state of a session in any dialect: the game, the engine and the running job.

use super::Event;
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, SearchResult};
use pentarch_engine::{Engine, EngineError, Game, Options, RunningSearch};
use pentarch_protocol::gomocup::Coordinates;
use std::cell::Cell;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The settings of a session from the command line.
#[derive(Clone, Debug)]
pub struct SessionConfig {
    /// The initial game.
    pub rules: Ruleset,
    /// Whether the user chose that game; otherwise managers of Gomocup expect gomoku.
    pub explicit_game: bool,
    /// The engine's options.
    pub options: Options,
    /// The time for a move without a clock.
    pub move_time: Duration,
    /// Whether extended move texts are sent to a client of GTP from the start.
    pub extended_moves: bool,
    /// The order of a point's numbers in Gomocup's protocol.
    pub coordinates: Coordinates,
    /// The engine as which GTP sessions identify themselves, if another one is required.
    pub present_as: Option<PresentAs>,
    /// Whether UGI and UCI list the search parameters among the options.
    pub tunable: bool,
}

/// An engine that some programs for Go require before they use `lz-analyze` or `kata-analyze`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresentAs {
    /// `KataGo`.
    Katago,
    /// Leela Zero.
    Leela,
}

impl PresentAs {
    /// Returns the word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            PresentAs::Katago => "katago",
            PresentAs::Leela => "leela",
        }
    }

    /// Returns the engine's answer to `name`.
    pub const fn name(self) -> &'static str {
        match self {
            PresentAs::Katago => "KataGo",
            PresentAs::Leela => "Leela Zero",
        }
    }

    /// Returns the answer to `version`: one all of whose commands are supported.
    pub const fn version(self) -> &'static str {
        match self {
            PresentAs::Katago => "1.15.3",
            PresentAs::Leela => "0.17",
        }
    }
}

impl FromStr for PresentAs {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<PresentAs, &'static str> {
        let all = [PresentAs::Katago, PresentAs::Leela];
        let known = all.into_iter().find(|engine| text.eq_ignore_ascii_case(engine.word()));
        known.ok_or("expected `katago` or `leela`")
    }
}

/// The result of a job.
#[derive(Debug)]
pub(super) enum JobResult {
    /// A search ended.
    Search(SearchResult),
    /// A perft ended, with the nodes of each depth from 1 that was completed before a stop.
    Perft(Vec<u64>),
    /// A wait for the client ended.
    Wait,
}

/// A job that runs on another thread.
enum Job {
    Search {
        thinking: RunningSearch,
        bounded: bool,
        pondering: bool,
    },
    Perft {
        stop: Arc<AtomicBool>,
        _thread: JoinHandle<()>,
    },
    /// There is nothing to search, but the client wants no answer before it sends `stop`, or
    /// `ponderhit` after `go ponder`.
    Wait {
        ended: Cell<bool>,
        pondering: bool,
    },
}

pub(super) struct SessionState {
    pub game: Game,
    pub engine: Engine,
    /// The start of a game of the current rules. A copy is cheaper than a new game.
    start: Game,
    job: Option<Job>,
    events: Sender<Event>,
}

impl SessionState {
    pub(super) fn new(config: SessionConfig, events: Sender<Event>) -> SessionState {
        let start = Game::new(config.rules);
        SessionState {
            game: start.clone(),
            engine: Engine::new(config.options),
            start,
            job: None,
            events,
        }
    }

    /// Returns the start of a game of the current rules.
    pub(super) fn start(&self) -> &Game {
        &self.start
    }

    /// Changes the rules, resets the game to its start and clears the transposition table.
    pub(super) fn set_rules(&mut self, rules: Ruleset) {
        self.start = Game::new(rules);
        self.restart();
    }

    /// Resets the game to its start and clears the transposition table.
    pub(super) fn restart(&mut self) {
        self.engine.clear();
        self.game = self.start.clone();
    }

    /// Replaces the game, which may have other rules.
    pub(super) fn set_game(&mut self, game: Game) {
        if game.rules() != self.start.rules() {
            self.set_rules(game.rules().clone());
        }
        self.game = game;
    }

    /// Returns whether a job is running.
    pub(super) fn has_job(&self) -> bool {
        self.job.is_some()
    }

    /// Starts a search for a number of best moves, regardless of the option `MultiPV`.
    pub(super) fn start_multi_pv(&mut self, limits: Limits, moves: u32) -> Result<(), EngineError> {
        let options = self.engine.options().clone();
        self.engine.set_options(Options { multi_pv: moves, ..options.clone() });
        let result = self.start_search(limits, false);
        self.engine.set_options(options);
        result
    }

    /// Starts a search of the game. Its reports and result become events.
    pub(super) fn start_search(&mut self, limits: Limits, ponder: bool) -> Result<(), EngineError> {
        let bounded = limits.is_bounded();
        let (reports, results) = (self.events.clone(), self.events.clone());
        let thinking = self.engine.start_search(
            &self.game,
            limits,
            ponder,
            move |_, report| {
                let _ = reports.send(Event::Report(Box::new(report.clone())));
            },
            move |_, found| {
                let _ = results.send(Event::JobEnded(JobResult::Search(found.clone())));
            },
        )?;
        self.job = Some(Job::Search { thinking, bounded, pondering: ponder });
        Ok(())
    }

    /// Starts a perft up to a depth. Its result becomes an event.
    pub(super) fn start_perft(&mut self, depth: u32) -> Result<(), EngineError> {
        let stop = Arc::new(AtomicBool::new(false));
        let (thread_stop, results) = (Arc::clone(&stop), self.events.clone());
        let mut game = self.game.clone();
        let count = move || {
            let counts = (1..=depth).map_while(|depth| game.perft(depth, &thread_stop)).collect();
            let _ = results.send(Event::JobEnded(JobResult::Perft(counts)));
        };
        let thread = thread::Builder::new().name("perft".to_owned()).spawn(count);
        let thread = thread.map_err(|error| EngineError::Threads(error.to_string()))?;
        self.job = Some(Job::Perft { stop, _thread: thread });
        Ok(())
    }

    /// Starts a wait for `stop`, or with `pondering` also for [`SessionState::ponder_hit`].
    pub(super) fn start_wait(&mut self, pondering: bool) {
        self.job = Some(Job::Wait { ended: Cell::new(false), pondering });
    }

    /// Stops the job as soon as possible. Its result still becomes an event.
    pub(super) fn stop(&self) {
        match &self.job {
            Some(Job::Search { thinking, .. }) => thinking.stop(),
            Some(Job::Perft { stop, .. }) => stop.store(true, Ordering::Relaxed),
            Some(Job::Wait { ended, .. }) if !ended.replace(true) => {
                let _ = self.events.send(Event::JobEnded(JobResult::Wait));
            }
            Some(Job::Wait { .. }) | None => (),
        }
    }

    /// Stops the job if it is a search without limits, a pondering one or a wait.
    pub(super) fn stop_unless_bounded(&self) {
        let is_bounded = match &self.job {
            Some(Job::Search { bounded, pondering, .. }) => *bounded && !pondering,
            Some(Job::Wait { .. }) => false,
            Some(Job::Perft { .. }) | None => true,
        };
        if !is_bounded {
            self.stop();
        }
    }

    /// Turns a pondering search into a normal one: the expected move was played.
    pub(super) fn ponder_hit(&mut self) {
        if let Some(Job::Search { thinking, pondering, .. }) = &mut self.job {
            thinking.signal().hit();
            *pondering = false;
        } else if let Some(Job::Wait { pondering: true, .. }) = &self.job {
            self.stop();
        }
    }

    /// Removes the job, which has ended.
    pub(super) fn clear_job(&mut self) {
        self.job = None;
    }
}
