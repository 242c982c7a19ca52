//! What a session works with, whatever the dialect: the game, the engine, and the job under way.

use super::Event;
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, SearchResult};
use pentarch_engine::{Engine, EngineError, Game, Options, RunningSearch};
use pentarch_protocol::gomocup::Coordinates;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What the command line asks of a session.
#[derive(Clone, Debug)]
pub struct Preferences {
    /// The game to start with.
    pub rules: Ruleset,
    /// Whether the user named that game; else Gomocup's managers expect gomoku.
    pub names_game: bool,
    /// The engine's options.
    pub options: Options,
    /// Time for a move when no clock is known.
    pub move_time: Duration,
    /// Whether a client of GTP is sent moves that are more than a vertex from the start.
    pub extended_moves: bool,
    /// How points are written in Gomocup.
    pub coordinates: Coordinates,
    /// Which other engine a client of GTP is told of, if it insists on one.
    pub present_as: Option<PresentAs>,
    /// Whether UGI and UCI list the numbers of the search among the options.
    pub tunable: bool,
}

/// An engine that some programs for Go insist on before they use `lz-analyze` or `kata-analyze`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresentAs {
    /// `KataGo`.
    Katago,
    /// Leela Zero.
    Leela,
}

impl PresentAs {
    /// The word on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            PresentAs::Katago => "katago",
            PresentAs::Leela => "leela",
        }
    }

    /// What that engine answers to `name`.
    pub const fn name(self) -> &'static str {
        match self {
            PresentAs::Katago => "KataGo",
            PresentAs::Leela => "Leela Zero",
        }
    }

    /// What it answers to `version`: one whose commands are all there.
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
    /// A perft ended: nodes for each depth from 1, as many as were counted before a stop.
    Perft(Vec<u64>),
}

/// A job on a thread of its own.
enum Job {
    Search { thinking: RunningSearch, bounded: bool, pondering: bool },
    Perft { stop: Arc<AtomicBool>, _thread: JoinHandle<()> },
}

pub(super) struct SessionState {
    pub game: Game,
    pub engine: Engine,
    /// The start of a game of the current rules; copying it is cheaper than making it.
    start: Game,
    job: Option<Job>,
    events: Sender<Event>,
}

impl SessionState {
    pub(super) fn new(preferences: Preferences, events: Sender<Event>) -> SessionState {
        let start = Game::new(preferences.rules);
        SessionState {
            game: start.clone(),
            engine: Engine::new(preferences.options),
            start,
            job: None,
            events,
        }
    }

    /// The start of a game of the current rules.
    pub(super) fn start(&self) -> &Game {
        &self.start
    }

    /// Changes the rules; the game becomes their start. What was found by other rules is forgotten.
    pub(super) fn set_rules(&mut self, rules: Ruleset) {
        self.start = Game::new(rules);
        self.restart();
    }

    /// Goes back to the start of a game; what earlier searches found is forgotten.
    pub(super) fn restart(&mut self) {
        self.engine.clear();
        self.game = self.start.clone();
    }

    /// Makes a game the session's, of other rules perhaps.
    pub(super) fn set_game(&mut self, game: Game) {
        if game.rules() != self.start.rules() {
            self.set_rules(game.rules().clone());
        }
        self.game = game;
    }

    /// Whether a job is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// [`SessionState::think`] about a number of the best moves, whatever the options say.
    pub(super) fn think_of_many(&mut self, limits: Limits, moves: u32) -> Result<(), EngineError> {
        let options = self.engine.options().clone();
        self.engine.set_options(Options { multi_pv: moves, ..options.clone() });
        let begun = self.think(limits, false);
        self.engine.set_options(options);
        begun
    }

    /// Starts a search of the game. Reports and the result come as events.
    pub(super) fn think(&mut self, limits: Limits, ponder: bool) -> Result<(), EngineError> {
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

    /// Starts to count move sequences up to a depth.
    pub(super) fn perft(&mut self, depth: u32) -> Result<(), EngineError> {
        let stop = Arc::new(AtomicBool::new(false));
        let (theirs, results) = (Arc::clone(&stop), self.events.clone());
        let mut game = self.game.clone();
        let count = move || {
            let counts = (1..=depth).map_while(|depth| game.perft(depth, &theirs)).collect();
            let _ = results.send(Event::JobEnded(JobResult::Perft(counts)));
        };
        let thread = thread::Builder::new().name("perft".to_owned()).spawn(count);
        let thread = thread.map_err(|error| EngineError::Threads(error.to_string()))?;
        self.job = Some(Job::Perft { stop, _thread: thread });
        Ok(())
    }

    /// Ends the job as soon as possible; its result still comes.
    pub(super) fn stop(&self) {
        match &self.job {
            Some(Job::Search { thinking, .. }) => thinking.stop(),
            Some(Job::Perft { stop, .. }) => stop.store(true, Ordering::Relaxed),
            None => (),
        }
    }

    /// Lets a job with an end in sight go on, stops any other.
    pub(super) fn stop_unless_bounded(&self) {
        if let Some(Job::Search { bounded, pondering, .. }) = &self.job
            && (!bounded || *pondering)
        {
            self.stop();
        }
    }

    /// The move that a pondering search expects was played.
    pub(super) fn ponder_hit(&mut self) {
        if let Some(Job::Search { thinking, pondering, .. }) = &mut self.job {
            thinking.signal().hit();
            *pondering = false;
        }
    }

    /// Forgets a job whose result came.
    pub(super) fn clear_job(&mut self) {
        self.job = None;
    }
}
