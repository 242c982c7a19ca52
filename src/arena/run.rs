//! The course of a tournament: several threads play its games, one counts them.

use crate::engine_spec::EngineSpec;
use crate::error::plain;
use crate::error::{ArenaError, Failure, Fault};
use crate::live_view::Watch;
use crate::pinning::Pinning;
use crate::player::{Decision, NewGame, Player, Turn};
use crate::referee::{Players, Referee};
use crate::rulebook::Rulebook;
use crate::schedule::{Entrant, Fixture, Pairing, Shard, Start};
use crate::scheduler::{Desk, Next};
use crate::score::Score;
use crate::sprt::Trial;
use crate::standings::Standing;
use crate::tournament::{Tournament, numbered};
use crate::wait::CancelToken;
use pentarch_records::{GameRecord, RecordFile, TournamentGame};
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

/// How a tournament is played this time.
#[derive(Debug, Default)]
pub struct Course<'a> {
    /// Where finished games go.
    pub records: Option<&'a mut RecordFile>,
    /// The games that were played before.
    pub ledger: Ledger,
    /// The part of the tournament that is played.
    pub shard: Option<Shard>,
    /// Ends the run early.
    pub cancel: CancelToken,
    /// Shows the games under way.
    pub watch: Watch,
    /// Whether each of the games that are played at the same time has cores of its own, even if the
    /// tournament does not ask for it.
    pub pin: bool,
}

/// How a run has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// The results, those of earlier runs included.
    pub standing: Standing,
    /// The test, if there was one.
    pub trial: Option<Trial>,
    /// Whether it was ended from outside before its last game.
    pub interrupted: bool,
}

/// A finished game, and how the tournament stands after it.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The number of games of the tournament.
    pub games: u32,
    /// The game.
    pub record: &'a GameRecord,
    /// The results so far, this one included.
    pub standing: &'a Standing,
    /// What the test, if there is one, says to them.
    pub trial: Option<Trial>,
}

/// What the threads of a run share.
struct Shared<'a> {
    tournament: &'a Tournament,
    id: String,
    games: u32,
    shard: Option<String>,
    sides: Vec<u8>,
    names: Vec<String>,
    desk: Mutex<Desk>,
    /// Told when a game has ended, which may bring the next ones.
    ended: Condvar,
    openings: Mutex<BTreeMap<(usize, u32), Found>>,
    records: Mutex<Option<&'a mut RecordFile>>,
    cancel: CancelToken,
    watch: Watch,
    pinning: Option<Pinning>,
}

/// An opening once it is found. Balanced ones take a search, which holds up the games that share it and
/// no others.
type Found = Arc<Mutex<Option<Start>>>;

/// How many openings are kept for the other games of their sets.
const OPENINGS_KEPT: usize = 1024;

/// A finished game on its way to the one who counts.
type News = (GameRecord, Score);

impl Tournament {
    /// Plays what was not played before. Each finished game is written to the records, then handed to
    /// `report`, in the order in which they end; an error of `report` ends the run.
    pub fn run(
        &self,
        course: Course<'_>,
        mut report: impl FnMut(&Progress<'_>) -> io::Result<()>,
    ) -> Result<Ended, ArenaError> {
        self.check(course.shard)?;
        if let Some(event) = self.events.first() {
            event.terms.warn_of_crowd(self.games());
        }
        let Course { records, ledger, shard, cancel, watch, pin } = course;
        let pinning = (pin || self.pin)
            .then(|| Pinning::new(self.workers(), self.cores_a_game()))
            .transpose()?;
        let mut desk = Desk::new(self.draw(), self.first, shard);
        desk.resume(ledger.scores()).map_err(|number| {
            format!("game {number} on record cannot be where the tournament has it")
        })?;
        if let Some(ended) = self.over(desk.clone(), &ledger) {
            return Ok(ended);
        }
        let (team, names) = Team::of_all(self, &cancel, pinning.as_ref())?;
        ledger.check_names(&names)?;
        let mut standing = Standing::new(names.clone(), self.format);
        ledger.scores().for_each(|score| standing.count(score));
        let mut trial = self.events[0].terms.sprt.map(Trial::new);
        let mut weigh = |standing: &Standing| {
            let trial = trial.as_mut()?;
            trial.weigh(standing.duel().pairs());
            Some(*trial)
        };
        let decided = |trial: Option<Trial>| trial.is_some_and(|trial| trial.accepted().is_some());
        if decided(weigh(&standing)) {
            desk.stop();
        }
        let games = self.games();
        let shared = Shared {
            tournament: self,
            id: self.id(),
            games,
            shard: shard.map(|shard| shard.to_string()),
            sides: self.sides(),
            names,
            desk: Mutex::new(desk),
            ended: Condvar::new(),
            openings: Mutex::default(),
            records: Mutex::new(records),
            cancel,
            watch,
            pinning,
        };
        let result = shared.run(team, |record, score| {
            standing.count(&score);
            let trial = weigh(&standing);
            if decided(trial) {
                lock(&shared.desk).stop();
            }
            report(&Progress { games, record: &record, standing: &standing, trial })
        });
        let interrupted = match result {
            Ok(()) => false,
            Err(ArenaError::Canceled) => true,
            Err(error) => return Err(error),
        };
        let trial = weigh(&standing);
        Ok(Ended { standing, trial, interrupted })
    }

    /// How it has ended, if no game is left to play: then no engine has to be started.
    fn over(&self, mut desk: Desk, ledger: &Ledger) -> Option<Ended> {
        let mut standing = Standing::new(ledger.names(self.labels()), self.format);
        ledger.scores().for_each(|score| standing.count(score));
        let mut trial = self.events[0].terms.sprt.map(Trial::new);
        if let Some(trial) = &mut trial {
            trial.weigh(standing.duel().pairs());
            if trial.accepted().is_some() {
                desk.stop();
            }
        }
        (desk.next() == Next::Over).then_some(Ended { standing, trial, interrupted: false })
    }

    /// How many cores a game needs: those of one engine, or of all where some think in the time of others.
    fn cores_a_game(&self) -> usize {
        let threads = self.engines().iter().map(EngineSpec::threads).max().unwrap_or(1);
        let ponders = self.engines().iter().any(|engine| engine.ponder);
        let seats = self.events.iter().map(|event| event.terms.rules.seats()).max().unwrap_or(2);
        if ponders { threads * usize::from(seats) } else { threads }
    }

    /// How many games are played at the same time.
    fn workers(&self) -> usize {
        let most = self.games().max(1) as usize;
        self.events.first().map_or(1, |event| event.terms.concurrency).clamp(1, most)
    }
}

impl Shared<'_> {
    /// Lets each team play until no game is left, and hands every finished game to `count`.
    fn run(
        &self,
        first_team: Team,
        mut count: impl FnMut(GameRecord, Score) -> io::Result<()>,
    ) -> Result<(), ArenaError> {
        let others = (1..self.tournament.workers()).map(|_| first_team.empty());
        let teams: Vec<Team> = others.collect();
        thread::scope(|scope| {
            let (send, news) = mpsc::channel();
            let mut workers = Vec::new();
            let mut result = Ok(());
            for (team, slot) in [first_team].into_iter().chain(teams).zip(0..) {
                let send = send.clone();
                let thread = thread::Builder::new().name(format!("game thread {}", slot + 1));
                match thread.spawn_scoped(scope, move || self.work(team, slot, &send)) {
                    Ok(worker) => workers.push(worker),
                    Err(error) => {
                        self.cancel.cancel();
                        result = Err(ArenaError::Thread(error));
                    }
                }
            }
            drop(send);
            for (record, score) in news {
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

    /// Plays games until none is left. An error stops all threads.
    fn work(&self, mut team: Team, slot: usize, news: &Sender<News>) -> Result<(), ArenaError> {
        let pinned = self.pinning.as_ref().map_or(Ok(()), |pinning| pinning.pin(slot));
        let worked = pinned.and_then(|()| self.play_games(&mut team, news));
        if worked.is_err() {
            self.cancel.cancel();
        }
        worked
    }

    fn play_games(&self, team: &mut Team, news: &Sender<News>) -> Result<(), ArenaError> {
        while let Some(fixture) = self.next()? {
            let pairing = self.pairing(&fixture)?;
            if self.cancel.is_canceled() {
                return Err(ArenaError::Canceled);
            }
            let terms = &self.tournament.events[fixture.event].terms;
            let (names, watch) = (self.names.clone(), self.watch.clone());
            let referee = Referee { terms, names, watch };
            let players = team.seat(fixture.event, &fixture.seats)?;
            self.watch.begin(fixture.number, self.announced(&fixture));
            let played = referee.play(&pairing, players);
            self.watch.end(fixture.number);
            let mut record = played?.record;
            record.tournament = Some(self.place(&fixture));
            let score = Score::of_record(&record, &self.sides)
                .ok_or_else(|| format!("game {} has no place in the tournament", fixture.number))?;
            if let Some(records) = lock(&self.records).as_mut() {
                records.append(&record)?;
            }
            lock(&self.desk).finish(&score);
            self.ended.notify_all();
            // The receiver is gone only when the run is over.
            let _ = news.send((record, score));
        }
        Ok(())
    }

    /// The next game, after those on whose results it depends.
    fn next(&self) -> Result<Option<Fixture>, ArenaError> {
        let mut desk = lock(&self.desk);
        loop {
            if self.cancel.is_canceled() {
                return Err(ArenaError::Canceled);
            }
            match desk.next() {
                Next::Play(fixture) => return Ok(Some(fixture)),
                Next::Over => return Ok(None),
                Next::Wait => {
                    let waited = self.ended.wait_timeout(desk, Duration::from_millis(100));
                    desk = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// The game with its opening.
    fn pairing(&self, fixture: &Fixture) -> Result<Pairing, ArenaError> {
        let key = (fixture.event, fixture.opening);
        let found = {
            let mut openings = lock(&self.openings);
            let found = Arc::clone(openings.entry(key).or_default());
            while openings.len() > OPENINGS_KEPT {
                openings.pop_first();
            }
            found
        };
        let mut found = lock(&found);
        let start = if let Some(start) = &*found {
            start.clone()
        } else {
            found.insert(self.opening(fixture)?).clone()
        };
        Ok(Pairing { number: fixture.number, seats: fixture.seats.clone(), start })
    }

    fn opening(&self, fixture: &Fixture) -> Result<Start, ArenaError> {
        let terms = &self.tournament.events[fixture.event].terms;
        match &terms.rules {
            Rulebook::Ours(rules) => {
                let opening = terms.openings.get(fixture.opening, rules);
                Ok(Start::Ours(opening.map_err(|error| error.to_string())?))
            }
            Rulebook::Engines(game) => Ok(Start::Engines(game.opening(fixture.opening))),
        }
    }

    /// A game under way in a line.
    fn announced(&self, fixture: &Fixture) -> String {
        let names: Vec<&str> =
            fixture.seats.iter().map(|entrant| self.names[entrant.index()].as_str()).collect();
        let rules = &self.tournament.events[fixture.event].terms.rules;
        let (number, round) = (fixture.number, fixture.round);
        plain(&format!("game {number}, round {round}, {rules}: {}", names.join(" v ")), 96)
    }

    /// What the record says of the tournament.
    fn place(&self, fixture: &Fixture) -> TournamentGame {
        TournamentGame {
            id: self.id.clone(),
            format: self.tournament.format.to_string(),
            games: self.games,
            round: fixture.round,
            encounter: fixture.encounter,
            set: fixture.set + 1,
            variant: fixture.event as u32 + 1,
            entrants: fixture.seats.iter().map(|&Entrant(number)| number + 1).collect(),
            shard: self.shard.clone(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread's result; a panic goes on here.
fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Players that are running, by entrant.
pub(crate) struct Team<'a> {
    tournament: &'a Tournament,
    cancel: CancelToken,
    /// The variant that they were started for.
    event: usize,
    /// By entrant; an absent one where nobody is needed.
    players: Players,
    /// Which of them are running.
    running: Vec<bool>,
}

impl<'a> Team<'a> {
    /// Starts all engines at once, so that one that does not start ends the run before it begins, and asks
    /// them for their names. Equal ones are numbered.
    pub(crate) fn of_all(
        tournament: &'a Tournament,
        cancel: &CancelToken,
        pinning: Option<&Pinning>,
    ) -> Result<(Team<'a>, Vec<String>), ArenaError> {
        let mut team = Team::absent(tournament, cancel);
        let started: Result<Vec<_>, ArenaError> = thread::scope(|scope| {
            let starting: Result<Vec<_>, _> = tournament
                .entrants()
                .map(|entrant| {
                    let start = move || {
                        // They belong to the first slot of games.
                        let pinned = pinning.map_or(Ok(()), |pinning| pinning.pin(0));
                        let terms = &tournament.events[0].terms;
                        let started = pinned.and_then(|()| terms.start(entrant, cancel));
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
        let names = numbered(&names.collect::<Vec<_>>());
        // Of many engines most would only wait for their first game.
        if started.len() <= KEPT {
            team.running = vec![true; started.len()];
            team.players = started;
        }
        Ok((team, names))
    }

    /// A team of which nobody runs.
    fn absent(tournament: &'a Tournament, cancel: &CancelToken) -> Team<'a> {
        let players = tournament.entrants().map(|_| absent(None)).collect();
        let running = tournament.entrants().map(|_| false).collect();
        Team { tournament, cancel: cancel.clone(), event: 0, players, running }
    }

    /// Another team for the same tournament, of which nobody runs.
    pub(crate) fn empty(&self) -> Team<'a> {
        Team::absent(self.tournament, &self.cancel)
    }

    /// The players for a game on these seats. One that does not start now, although it did when the
    /// run began, loses its game.
    pub(crate) fn seat(
        &mut self,
        event: usize,
        seats: &[Entrant],
    ) -> Result<&mut Players, ArenaError> {
        let many = self.running.iter().filter(|&&running| running).count() > KEPT;
        for index in 0..self.players.len() {
            let needed = seats.contains(&Entrant(index as u8));
            if self.running[index] && (event != self.event || many && !needed) {
                self.players[index] = absent(None);
                self.running[index] = false;
            }
        }
        self.event = event;
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
        match self.tournament.events[self.event].terms.start(entrant, &self.cancel) {
            Ok(player) => Ok((player, true)),
            Err(ArenaError::Handshake { fault, .. }) => Ok((absent(Some(fault)), false)),
            Err(error) => Err(error),
        }
    }
}

/// How many players a thread keeps running.
const KEPT: usize = 4;

/// One who is not there, with the reason why it does not play.
struct Absent(Option<Fault>);

fn absent(fault: Option<Fault>) -> Box<dyn Player> {
    Box::new(Absent(fault))
}

impl Absent {
    fn fault(&self) -> Failure {
        let unknown = || Fault::Crash("it was not started".to_owned());
        self.0.clone().unwrap_or_else(unknown).into()
    }
}

impl Player for Absent {
    fn name(&self) -> &'static str {
        "absent"
    }

    fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), Failure> {
        Err(self.fault())
    }

    fn choose(&mut self, _: &Turn<'_>) -> Result<Decision, Failure> {
        Err(self.fault())
    }
}

/// What was played before, in the order of the games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    scores: BTreeMap<u32, Score>,
    names: BTreeMap<Entrant, String>,
}

impl Ledger {
    /// Notes a game on record; the reason if it is not one of this tournament or was there already.
    pub fn note(&mut self, tournament: &Tournament, record: &GameRecord) -> Result<(), String> {
        tournament.recognize(record)?;
        let number = record.game;
        let score = Score::of_record(record, &tournament.sides())
            .ok_or_else(|| format!("game {number} has seats that the tournament has not"))?;
        for (&entrant, name) in score.seats.iter().zip(&record.players) {
            let known = self.names.entry(entrant).or_insert_with(|| name.clone());
            if known != name {
                return Err(format!(
                    "game {number} was played by {name}, who is called {known} in another game"
                ));
            }
        }
        if self.scores.insert(number, score).is_some() {
            return Err(format!("game {number} is there twice"));
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

    /// The games in the order of their numbers.
    pub(crate) fn scores(&self) -> impl Iterator<Item = &Score> {
        self.scores.values()
    }

    /// What the engines are called in these games; `labels` are for those who have not played.
    pub(crate) fn names(&self, labels: Vec<String>) -> Vec<String> {
        let name = |(label, entrant)| self.names.get(&entrant).cloned().unwrap_or(label);
        labels.into_iter().zip((0..).map(Entrant)).map(name).collect()
    }

    /// Refuses to go on with engines of other names.
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
