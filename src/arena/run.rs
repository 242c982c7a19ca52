//! Runs a tournament: several threads play its games, the calling thread counts the results.

use crate::engine_spec::EngineSpec;
use crate::error::sanitize;
use crate::error::{ArenaError, Fault, PlayerError};
use crate::live_view::LiveView;
use crate::pinning::Pinning;
use crate::player::{Decision, NewGame, Player, Turn};
use crate::referee::{Players, Referee};
use crate::rulebook::Rulebook;
use crate::schedule::{Entrant, GameSetup, GameStart, ScheduledGame, Shard};
use crate::scheduler::{NextGame, Scheduler};
use crate::score::ScoredGame;
use crate::sprt::{OrderedSprt, SprtState};
use crate::standings::TournamentResults;
use crate::tournament::{Tournament, number_duplicates};
use crate::wait::CancelToken;
use pentarch_records::{GameRecord, RecordFile, TournamentGame};
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

/// The options of a run.
#[derive(Debug, Default)]
pub struct RunOptions<'a> {
    /// The file to which finished games are appended.
    pub records: Option<&'a mut RecordFile>,
    /// The games that were played before.
    pub resume: ResumeState,
    /// The part of the tournament to play.
    pub shard: Option<Shard>,
    /// Cancels the run.
    pub cancel: CancelToken,
    /// The view of the games in progress.
    pub live_view: LiveView,
    /// Whether concurrent games are pinned to cores of their own even if the tournament does not
    /// ask for it.
    pub pin: bool,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// The results, including those of earlier runs.
    pub results: TournamentResults,
    /// The state of the sequential test, if there is one.
    pub sprt: Option<SprtState>,
    /// Whether the run was canceled before its last game.
    pub interrupted: bool,
}

/// A finished game, and the results after it.
#[derive(Clone, Copy, Debug)]
pub struct FinishedGame<'a> {
    /// The number of games of the tournament.
    pub games: u32,
    /// The game.
    pub record: &'a GameRecord,
    /// The results so far, including this game.
    pub results: &'a TournamentResults,
    /// The state of the sequential test, if there is one.
    pub sprt: Option<SprtState>,
}

/// The state shared by the threads of a run.
struct RunState<'a> {
    tournament: &'a Tournament,
    id: String,
    games: u32,
    shard: Option<String>,
    sides: Vec<u8>,
    names: Vec<String>,
    scheduler: Mutex<Scheduler>,
    /// Notified when a game has ended, which may allow the next ones.
    ended: Condvar,
    openings: Mutex<BTreeMap<(usize, u32), SharedOpening>>,
    records: Mutex<Option<&'a mut RecordFile>>,
    cancel: CancelToken,
    live_view: LiveView,
    pinning: Option<Pinning>,
}

/// An opening once it is found. The search for a balanced one blocks only the games that share it.
type SharedOpening = Arc<Mutex<Option<GameStart>>>;

/// The number of openings kept for the other games of their sets.
const CACHED_OPENINGS: usize = 1024;

/// A finished game, sent to the counting thread.
type FinishedRecord = (GameRecord, ScoredGame);

impl Tournament {
    /// Plays the remaining games. Each finished game is appended to the records, then passed to
    /// `report`, in order of completion; an error of `report` ends the run.
    pub fn run(
        &self,
        options: RunOptions<'_>,
        mut report: impl FnMut(&FinishedGame<'_>) -> io::Result<()>,
    ) -> Result<RunResult, ArenaError> {
        self.check(options.shard)?;
        if let Some(variant) = self.variants.first() {
            variant.settings.warn_if_oversubscribed(self.games());
        }
        let RunOptions { records, resume, shard, cancel, live_view, pin } = options;
        let pinning = (pin || self.pin)
            .then(|| Pinning::new(self.workers(), self.cores_a_game()))
            .transpose()?;
        let mut scheduler = Scheduler::new(self.pairings(), self.first, shard);
        scheduler.resume(resume.scores()).map_err(|number| {
            format!("game {number} on record does not fit the schedule of the tournament")
        })?;
        let mut sprt = self.resumed_sprt(&resume, shard);
        if sprt.as_ref().is_some_and(|sprt| sprt.state().accepted().is_some()) {
            scheduler.stop();
        }
        if scheduler.clone().next() == NextGame::Over {
            // No engine is started.
            let mut results = TournamentResults::new(resume.names(self.labels()), self.format);
            resume.scores().for_each(|score| results.count(score));
            let sprt = sprt.map(|sprt| sprt.state());
            return Ok(RunResult { results, sprt, interrupted: false });
        }
        let (pool, names) = EnginePool::of_all(self, &cancel, pinning.as_ref())?;
        resume.check_names(&names)?;
        let mut results = TournamentResults::new(names.clone(), self.format);
        resume.scores().for_each(|score| results.count(score));
        let games = self.games();
        let state = RunState {
            tournament: self,
            id: self.id(),
            games,
            shard: shard.map(|shard| shard.to_string()),
            sides: self.sides(),
            names,
            scheduler: Mutex::new(scheduler),
            ended: Condvar::new(),
            openings: Mutex::default(),
            records: Mutex::new(records),
            cancel,
            live_view,
            pinning,
        };
        let result = state.run(pool, |record, score| {
            results.count(&score);
            let sprt = sprt.as_mut().map(|sprt| sprt.add(&score));
            if sprt.is_some_and(|sprt| sprt.accepted().is_some()) {
                lock(&state.scheduler).stop();
            }
            report(&FinishedGame { games, record: &record, results: &results, sprt })
        });
        let interrupted = match result {
            Ok(()) => false,
            Err(ArenaError::Canceled) => true,
            Err(error) => return Err(error),
        };
        Ok(RunResult { results, sprt: sprt.map(|sprt| sprt.state()), interrupted })
    }

    /// The sequential test after the games on record. A shard has none, because it does not know
    /// the games of the others.
    fn resumed_sprt(&self, resume: &ResumeState, shard: Option<Shard>) -> Option<OrderedSprt> {
        let is_whole = shard.is_none_or(|shard| shard.of == 1);
        let mut sprt = self.sprt().filter(|_| is_whole).map(OrderedSprt::new)?;
        for score in resume.scores() {
            sprt.add(score);
        }
        Some(sprt)
    }

    /// The number of cores a game needs: those of one engine, or of all if some ponder.
    fn cores_a_game(&self) -> usize {
        let threads = self.engines().iter().map(EngineSpec::threads).max().unwrap_or(1);
        let ponders = self.engines().iter().any(|engine| engine.ponder);
        let seats =
            self.variants.iter().map(|variant| variant.settings.rules.seats()).max().unwrap_or(2);
        if ponders { threads * usize::from(seats) } else { threads }
    }

    /// The number of concurrent games.
    fn workers(&self) -> usize {
        let most = self.games().max(1) as usize;
        self.variants.first().map_or(1, |variant| variant.settings.concurrency).clamp(1, most)
    }
}

impl RunState<'_> {
    /// Plays with one thread for each pool until no game is left; passes every finished game to
    /// `count`.
    fn run(
        &self,
        first_pool: EnginePool,
        mut count: impl FnMut(GameRecord, ScoredGame) -> io::Result<()>,
    ) -> Result<(), ArenaError> {
        let others = (1..self.tournament.workers()).map(|_| first_pool.empty());
        let pools: Vec<EnginePool> = others.collect();
        thread::scope(|scope| {
            let (send, finished) = mpsc::channel();
            let mut workers = Vec::new();
            let mut result = Ok(());
            for (pool, slot) in [first_pool].into_iter().chain(pools).zip(0..) {
                let send = send.clone();
                let thread = thread::Builder::new().name(format!("game thread {}", slot + 1));
                match thread.spawn_scoped(scope, move || self.work(pool, slot, &send)) {
                    Ok(worker) => workers.push(worker),
                    Err(error) => {
                        self.cancel.cancel();
                        result = Err(ArenaError::Thread(error));
                    }
                }
            }
            drop(send);
            for (record, score) in finished {
                if let Err(error) = count(record, score) {
                    self.cancel.cancel();
                    result = result.and(Err(ArenaError::Output(error)));
                    break;
                }
            }
            for worker in workers {
                match (join(worker), &result) {
                    (Err(error), Ok(()) | Err(ArenaError::Canceled)) => result = Err(error),
                    (Ok(()), _) | (Err(_), Err(_)) => {}
                }
            }
            result
        })
    }

    /// Plays games until none is left. An error cancels all threads.
    fn work(
        &self,
        mut pool: EnginePool,
        slot: usize,
        finished: &Sender<FinishedRecord>,
    ) -> Result<(), ArenaError> {
        let pinned = self.pinning.as_ref().map_or(Ok(()), |pinning| pinning.pin(slot));
        let worked = pinned.and_then(|()| self.play_games(&mut pool, finished));
        if worked.is_err() {
            self.cancel.cancel();
        }
        worked
    }

    fn play_games(
        &self,
        pool: &mut EnginePool,
        finished: &Sender<FinishedRecord>,
    ) -> Result<(), ArenaError> {
        while let Some(scheduled) = self.next()? {
            let pairing = self.pairing(&scheduled)?;
            if self.cancel.is_canceled() {
                return Err(ArenaError::Canceled);
            }
            let settings = &self.tournament.variants[scheduled.variant].settings;
            let (names, live_view) = (self.names.clone(), self.live_view.clone());
            let referee = Referee { settings, names, live_view };
            let players = pool.seat(scheduled.variant, &scheduled.seats)?;
            self.live_view.begin(scheduled.number, self.announced(&scheduled));
            let played = referee.play(&pairing, players);
            self.live_view.end(scheduled.number);
            let mut record = played?.record;
            record.tournament = Some(self.place(&scheduled));
            let score = ScoredGame::of_record(&record, &self.sides).ok_or_else(|| {
                format!("game {} has no place in the tournament", scheduled.number)
            })?;
            if let Some(records) = lock(&self.records).as_mut() {
                records.append(&record)?;
            }
            lock(&self.scheduler).finish(&score);
            self.ended.notify_all();
            // The receiver is gone only after the run.
            let _ = finished.send((record, score));
        }
        Ok(())
    }

    /// Waits for the next game.
    fn next(&self) -> Result<Option<ScheduledGame>, ArenaError> {
        let mut scheduler = lock(&self.scheduler);
        loop {
            if self.cancel.is_canceled() {
                return Err(ArenaError::Canceled);
            }
            match scheduler.next() {
                NextGame::Play(scheduled) => return Ok(Some(scheduled)),
                NextGame::Over => return Ok(None),
                NextGame::Wait => {
                    let waited = self.ended.wait_timeout(scheduler, Duration::from_millis(100));
                    scheduler = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// The game with its opening.
    fn pairing(&self, scheduled: &ScheduledGame) -> Result<GameSetup, ArenaError> {
        let key = (scheduled.variant, scheduled.opening);
        let found = {
            let mut openings = lock(&self.openings);
            let found = Arc::clone(openings.entry(key).or_default());
            while openings.len() > CACHED_OPENINGS {
                openings.pop_first();
            }
            found
        };
        let mut found = lock(&found);
        let start = if let Some(start) = &*found {
            start.clone()
        } else {
            found.insert(self.opening(scheduled)?).clone()
        };
        Ok(GameSetup { number: scheduled.number, seats: scheduled.seats.clone(), start })
    }

    fn opening(&self, scheduled: &ScheduledGame) -> Result<GameStart, ArenaError> {
        let settings = &self.tournament.variants[scheduled.variant].settings;
        match &settings.rules {
            Rulebook::BuiltIn(rules) => {
                let opening = settings.openings.get(scheduled.opening, rules);
                Ok(GameStart::BuiltIn(opening.map_err(|error| error.to_string())?))
            }
            Rulebook::Engines(game) => Ok(GameStart::Foreign(game.opening(scheduled.opening))),
        }
    }

    /// The description of a game in progress.
    fn announced(&self, scheduled: &ScheduledGame) -> String {
        let names: Vec<&str> =
            scheduled.seats.iter().map(|entrant| self.names[entrant.index()].as_str()).collect();
        let rules = &self.tournament.variants[scheduled.variant].settings.rules;
        let (number, round) = (scheduled.number, scheduled.round);
        sanitize(&format!("game {number}, round {round}, {rules}: {}", names.join(" v ")), 96)
    }

    /// The place of a game in the tournament, for its record.
    fn place(&self, scheduled: &ScheduledGame) -> TournamentGame {
        TournamentGame {
            id: self.id.clone(),
            format: self.tournament.format.to_string(),
            games: self.games,
            round: scheduled.round,
            encounter: scheduled.matchup,
            set: scheduled.set + 1,
            variant: scheduled.variant as u32 + 1,
            entrants: scheduled.seats.iter().map(|&Entrant(number)| number + 1).collect(),
            shard: self.shard.clone(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of a thread; propagates a panic.
fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The players of one thread, by entrant. They are started when they are needed.
pub(crate) struct EnginePool<'a> {
    tournament: &'a Tournament,
    cancel: CancelToken,
    /// The variant that they were started for.
    variant: usize,
    /// By entrant; a [`FailedPlayer`] for those that do not run.
    players: Players,
    running: Vec<bool>,
}

impl<'a> EnginePool<'a> {
    /// Starts all engines in parallel, so that one that fails to start ends the run before it
    /// begins, and asks them for their names. Equal names are numbered.
    pub(crate) fn of_all(
        tournament: &'a Tournament,
        cancel: &CancelToken,
        pinning: Option<&Pinning>,
    ) -> Result<(EnginePool<'a>, Vec<String>), ArenaError> {
        let mut pool = EnginePool::absent(tournament, cancel);
        let started: Result<Vec<_>, ArenaError> = thread::scope(|scope| {
            let starting: Result<Vec<_>, _> = tournament
                .entrants()
                .map(|entrant| {
                    let start = move || {
                        // They belong to the first slot of games.
                        let pinned = pinning.map_or(Ok(()), |pinning| pinning.pin(0));
                        let settings = &tournament.variants[0].settings;
                        let started = pinned.and_then(|()| settings.start(entrant, cancel));
                        if started.is_err() {
                            cancel.cancel();
                        }
                        started
                    };
                    thread::Builder::new().spawn_scoped(scope, start)
                })
                .collect();
            let starting = starting.map_err(ArenaError::Thread)?;
            let join = |thread: ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let (players, mut errors): (Vec<_>, Vec<_>) =
                starting.into_iter().map(join).partition(Result::is_ok);
            errors.sort_by_key(|error| matches!(error, Err(ArenaError::Canceled)));
            errors.into_iter().chain(players).collect()
        });
        let started = started?;
        let names = started
            .iter()
            .zip(tournament.engines())
            .map(|(player, spec)| spec.name.clone().unwrap_or_else(|| player.name().to_owned()));
        let names = number_duplicates(&names.collect::<Vec<_>>());
        // Of many engines, most would only wait for their first game.
        if started.len() <= MAX_RUNNING {
            pool.running = vec![true; started.len()];
            pool.players = started;
        }
        Ok((pool, names))
    }

    /// A pool without running engines.
    fn absent(tournament: &'a Tournament, cancel: &CancelToken) -> EnginePool<'a> {
        let players = tournament.entrants().map(|_| absent(None)).collect();
        let running = tournament.entrants().map(|_| false).collect();
        EnginePool { tournament, cancel: cancel.clone(), variant: 0, players, running }
    }

    /// Another pool for the same tournament, without running engines.
    pub(crate) fn empty(&self) -> EnginePool<'a> {
        EnginePool::absent(self.tournament, &self.cancel)
    }

    /// The players for a game. An engine that fails to start now loses the game.
    pub(crate) fn seat(
        &mut self,
        variant: usize,
        seats: &[Entrant],
    ) -> Result<&mut Players, ArenaError> {
        let many = self.running.iter().filter(|&&running| running).count() > MAX_RUNNING;
        for index in 0..self.players.len() {
            let needed = seats.contains(&Entrant(index as u8));
            if self.running[index] && (variant != self.variant || many && !needed) {
                self.players[index] = absent(None);
                self.running[index] = false;
            }
        }
        self.variant = variant;
        for &entrant in seats {
            if !self.running[entrant.index()] {
                let (player, running) = self.start(entrant)?;
                self.players[entrant.index()] = player;
                self.running[entrant.index()] = running;
            }
        }
        Ok(&mut self.players)
    }

    fn start(&self, entrant: Entrant) -> Result<(Box<dyn Player>, bool), ArenaError> {
        match self.tournament.variants[self.variant].settings.start(entrant, &self.cancel) {
            Ok(player) => Ok((player, true)),
            Err(ArenaError::Handshake { fault, .. }) => Ok((absent(Some(fault)), false)),
            Err(error) => Err(error),
        }
    }
}

/// The maximum number of engines that a thread keeps running.
const MAX_RUNNING: usize = 4;

/// The place of an engine that does not run, with its fault.
struct FailedPlayer(Option<Fault>);

fn absent(fault: Option<Fault>) -> Box<dyn Player> {
    Box::new(FailedPlayer(fault))
}

impl FailedPlayer {
    fn fault(&self) -> PlayerError {
        let unknown = || Fault::Crash("it was not started".to_owned());
        self.0.clone().unwrap_or_else(unknown).into()
    }
}

impl Player for FailedPlayer {
    fn name(&self) -> &'static str {
        "absent"
    }

    fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), PlayerError> {
        Err(self.fault())
    }

    fn choose(&mut self, _: &Turn<'_>) -> Result<Decision, PlayerError> {
        Err(self.fault())
    }
}

/// The games that were played before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResumeState {
    scores: BTreeMap<u32, ScoredGame>,
    names: BTreeMap<Entrant, String>,
}

impl ResumeState {
    /// Adds a game on record. It is an error if it is not a game of this tournament or was added
    /// before.
    pub fn add(&mut self, tournament: &Tournament, record: &GameRecord) -> Result<(), String> {
        tournament.check_record(record)?;
        record.check_result()?;
        let number = record.game;
        let score = ScoredGame::of_record(record, &tournament.sides())
            .ok_or_else(|| format!("game {number} has impossible seats"))?;
        for (&entrant, name) in score.seats.iter().zip(&record.players) {
            let known = self.names.entry(entrant).or_insert_with(|| name.clone());
            if known != name {
                return Err(format!(
                    "game {number} was played by {name}, who is called {known} in another game"
                ));
            }
        }
        if self.scores.insert(number, score).is_some() {
            return Err(format!("game {number} was recorded twice"));
        }
        Ok(())
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether nothing was played before.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    pub(crate) fn scores(&self) -> impl Iterator<Item = &ScoredGame> {
        self.scores.values()
    }

    /// The names of the engines in these games; `labels` are the names of those that have not
    /// played.
    pub(crate) fn names(&self, labels: Vec<String>) -> Vec<String> {
        let name = |(label, entrant)| self.names.get(&entrant).cloned().unwrap_or(label);
        labels.into_iter().zip((0..).map(Entrant)).map(name).collect()
    }

    /// Rejects engines with other names.
    pub(crate) fn check_names(&self, names: &[String]) -> Result<(), String> {
        for (entrant, known) in &self.names {
            match names.get(entrant.index()) {
                Some(name) if name == known => {}
                name => {
                    return Err(format!(
                        "engine {} is `{known}` in the games on record and `{}` now; name another record \
                         file",
                        entrant.0 + 1,
                        name.map_or("none", String::as_str)
                    ));
                }
            }
        }
        Ok(())
    }
}
