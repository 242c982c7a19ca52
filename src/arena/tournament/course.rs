//! The course of a tournament: several threads play its games, one counts them.

use super::{Ledger, Tournament, Watch};
use crate::fault::ArenaError;
use crate::pinning::Pinning;
use crate::referee::Referee;
use crate::rulebook::Rulebook;
use crate::runner::Progress;
use crate::schedule::{Desk, Entrant, Fixture, Next, Pairing, Shard, Start};
use crate::score::Score;
use crate::spec::EngineSpec;
use crate::sprt::Trial;
use crate::standing::Standing;
use crate::table::plain;
use crate::team::Team;
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
