//! Runs a match on several threads, each with its own pair of players.

use super::adjudication::Adjudication;
use super::builtin::{BuiltIn, Random};
use super::child::{ChildPlayer, controller};
use super::fault::ArenaError;
use super::opening::Openings;
use super::player::Player;
use super::points_table::PointsTable;
use super::referee::{Played, Players, Referee};
use super::report::Summary;
use super::schedule::{Entrant, Pairing, Schedule};
use super::spec::{EngineKind, EngineSpec};
use super::sprt::{Sprt, Trial};
use super::statistics::Standings;
use super::time::TimeControl;
use super::wait::{CancelToken, Timeouts};
use crate::records::{GameRecord, RecordFile};
use crate::rules::Ruleset;
use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};

/// A match of two engines, or in games of more seats of up to as many.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// What is played.
    pub rules: Ruleset,
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// How moves are limited, unless an engine has limits of its own.
    pub control: TimeControl,
    /// The number of games.
    pub games: u32,
    /// Ends the match before all games are played, as soon as it accepts a hypothesis.
    pub sprt: Option<Sprt>,
    /// Where games begin.
    pub openings: Openings,
    /// How many games are played at the same time.
    pub concurrency: usize,
    /// How patient the arena is.
    pub timeouts: Timeouts,
    /// Chooses the moves of random players.
    pub seed: u64,
    /// When games are ended early.
    pub adjudication: Adjudication,
}

/// A finished game, and how the match stands after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The number of games of the match.
    pub games: u32,
    /// Who won.
    pub winner: Option<Entrant>,
    /// The game.
    pub record: GameRecord,
    /// The results so far, this one included.
    pub standings: Standings,
    /// The points of each engine so far.
    pub points: PointsTable,
    /// What the test, if there is one, says to them.
    pub trial: Option<Trial>,
}

/// What the threads of a match share.
struct Shared<'a> {
    referee: Referee<'a>,
    schedule: Mutex<Schedule>,
    records: Mutex<Option<&'a mut RecordFile>>,
    cancel: CancelToken,
}

/// A finished game on its way to the one who counts.
type News = (Pairing, Played);

impl Match {
    /// Plays the match. Each finished game is written to `records`, then handed to `report`, in the
    /// order in which they end; an error of `report` ends the run.
    pub fn run(
        &self,
        records: Option<&mut RecordFile>,
        mut report: impl FnMut(&Progress) -> io::Result<()>,
    ) -> Result<Summary, ArenaError> {
        self.check()?;
        self.warn_of_crowd();
        let cancel = CancelToken::default();
        let workers = self.concurrency.clamp(1, self.games.max(1) as usize);
        let teams = self.start_players(workers, &cancel)?;
        let names = self.names(teams.first());
        let shared = Shared {
            referee: Referee { terms: self, names: names.clone() },
            schedule: Mutex::new(Schedule::new(
                self.rules.clone(),
                self.openings.clone(),
                self.engines.len() as u8,
                self.games,
            )),
            records: Mutex::new(records),
            cancel,
        };
        let mut trial = self.sprt.map(Trial::new);
        let mut points = PointsTable::default();
        let sides = self.rules.seating().sides();
        let standings = shared.run(teams, |pairing, played, standings| {
            let winner = played.winner().map(|seat| pairing.entrant(seat));
            points.count(&pairing, sides, played.result, played.fault);
            if self.is_duel() {
                standings.count(&pairing, winner, &played.record.reason);
            }
            if trial.as_mut().is_some_and(|trial| trial.weigh(standings.pairs()).is_some()) {
                lock(&shared.schedule).stop();
            }
            let (record, standings) = (played.record, standings.clone());
            let points = points.clone();
            report(&Progress { games: self.games, winner, record, standings, points, trial })
        })?;
        Ok(Summary { names, conditions: self.conditions(), standings, points, trial })
    }

    /// The engines by number.
    fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.engines.len() as u8).map(Entrant)
    }

    /// Whether two engines play with all seats theirs by side, so that strength can be compared.
    fn is_duel(&self) -> bool {
        self.engines.len() == 2 && self.rules.seating().sides() == 2
    }

    /// What is played and how, in a few words.
    fn conditions(&self) -> String {
        let mut controls: Vec<String> =
            self.entrants().map(|entrant| self.control_of(entrant).to_string()).collect();
        controls.dedup();
        let control = controls.join(" against ");
        format!("{}, {control}, {}", self.rules, self.openings)
    }

    /// Refuses what cannot be played.
    fn check(&self) -> Result<(), ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        let (engines, seats) = (self.engines.len(), usize::from(self.rules.seating().seats));
        if !(2..=seats).contains(&engines) || self.rules.seating().teams && engines == 3 {
            return setup(format!(
                "{engines} engines cannot share the {seats} seats of `{}`",
                self.rules
            ));
        }
        if self.sprt.is_some() && !self.is_duel() {
            return setup("--sprt compares two engines in a game of two sides".into());
        }
        if self.rules.seating().sides() > 2 && self.adjudication.needs_two_sides() {
            return setup("in a game of more than two sides only --max-plies ends games".into());
        }
        for entrant in self.entrants() {
            let spec = &self.engines[entrant.index()];
            if self.control_of(entrant).is_unbounded() {
                return setup(
                    "nothing limits the moves; give --tc, --movetime, --nodes or --depth".into(),
                );
            }
            if let EngineKind::Child { launch, dialect, options } = &spec.kind {
                let controller = controller(*dialect, &self.rules, options)?;
                if self.openings.have_positions() && !controller.knows_positions() {
                    return setup(format!(
                        "`{}` speaks {}, which has no word for the positions in the openings; use \
                         openings of moves",
                        launch.text(),
                        controller.name()
                    ));
                }
            }
        }
        Ok(())
    }

    /// Warns if more threads search at a time than the machine has processors: engines would wait for
    /// each other, and lose on time.
    fn warn_of_crowd(&self) {
        let threads = self.engines.iter().map(EngineSpec::threads).max().unwrap_or(1);
        let processors = thread::available_parallelism().map_or(usize::MAX, usize::from);
        let concurrency = self.concurrency.min(self.games as usize);
        if concurrency.saturating_mul(threads) > processors {
            log::warn!(
                "{concurrency} games at a time with {threads} threads each are more than the \
                 {processors} processors of this machine; lower --concurrency or Threads"
            );
        }
    }

    /// How an engine's moves are limited.
    pub(super) fn control_of(&self, entrant: Entrant) -> TimeControl {
        self.engines[entrant.index()].control.unwrap_or(self.control)
    }

    /// Starts a pair of players for each thread, all at once.
    fn start_players(
        &self,
        workers: usize,
        cancel: &CancelToken,
    ) -> Result<Vec<Players>, ArenaError> {
        thread::scope(|scope| {
            let start = || {
                let started: Result<Players, ArenaError> =
                    self.entrants().map(|entrant| self.start(entrant, cancel)).collect();
                if started.is_err() {
                    cancel.cancel();
                }
                started
            };
            let starting: Result<Vec<ScopedJoinHandle<'_, _>>, io::Error> =
                (0..workers).map(|_| thread::Builder::new().spawn_scoped(scope, start)).collect();
            let starting = starting.map_err(ArenaError::Thread)?;
            let (teams, mut errors): (Vec<_>, Vec<_>) =
                starting.into_iter().map(join).partition(Result::is_ok);
            errors.sort_by_key(|error| matches!(error, Err(ArenaError::Canceled)));
            errors.into_iter().chain(teams).collect()
        })
    }

    fn start(&self, entrant: Entrant, cancel: &CancelToken) -> Result<Box<dyn Player>, ArenaError> {
        let spec = &self.engines[entrant.index()];
        let fallback = match &spec.kind {
            EngineKind::BuiltIn(_) => "pentarch".to_owned(),
            EngineKind::Random(_) => "random".to_owned(),
            EngineKind::Child { launch, .. } => launch.text(),
        };
        let label = spec.name.clone().unwrap_or(fallback);
        let (timeouts, cancel) = (self.timeouts, cancel.clone());
        Ok(match &spec.kind {
            EngineKind::BuiltIn(options) => {
                Box::new(BuiltIn::new(label, options.clone(), timeouts, cancel))
            }
            EngineKind::Random(seed) => Box::new(Random::new(
                label,
                seed.unwrap_or(self.seed.wrapping_add(u64::from(entrant.0))),
            )),
            EngineKind::Child { launch, dialect, options } => {
                let program = (launch, label.as_str());
                let rules = &self.rules;
                Box::new(ChildPlayer::of_dialect(
                    *dialect, rules, options, program, timeouts, cancel,
                )?)
            }
        })
    }

    /// The names of the engines, numbered where they are equal.
    fn names(&self, players: Option<&Players>) -> Vec<String> {
        let name = |entrant: Entrant| {
            let own = players.map(|players| players[entrant.index()].name().to_owned());
            self.engines[entrant.index()].name.clone().or(own).unwrap_or_default()
        };
        let names: Vec<String> = self.entrants().map(name).collect();
        let doubled = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
        let numbered = names.iter().zip(1..).map(|(name, number)| {
            if doubled(name) { format!("{name}-{number}") } else { name.clone() }
        });
        numbered.collect()
    }
}

impl Shared<'_> {
    /// Lets each team play until no game is left, and hands every finished game to `count`.
    fn run(
        &self,
        teams: Vec<Players>,
        mut count: impl FnMut(Pairing, Played, &mut Standings) -> io::Result<()>,
    ) -> Result<Standings, ArenaError> {
        thread::scope(|scope| {
            let (send, news) = mpsc::channel();
            let mut workers = Vec::new();
            let mut result = Ok(());
            for (team, number) in teams.into_iter().zip(1..) {
                let send = send.clone();
                let thread = thread::Builder::new().name(format!("game thread {number}"));
                match thread.spawn_scoped(scope, move || self.work(team, &send)) {
                    Ok(worker) => workers.push(worker),
                    Err(error) => {
                        self.cancel.cancel();
                        result = Err(ArenaError::Thread(error));
                    }
                }
            }
            drop(send);
            let mut standings = Standings::default();
            for (pairing, played) in news {
                if let Err(error) = count(pairing, played, &mut standings) {
                    self.cancel.cancel();
                    result = result.and(Err(ArenaError::Output(error)));
                    break;
                }
            }
            for worker in workers {
                match (join(worker), &result) {
                    (Ok(()) | Err(ArenaError::Canceled), _) | (Err(_), Err(_)) => {}
                    (Err(error), Ok(())) => result = Err(error),
                }
            }
            result.map(|()| standings)
        })
    }

    /// Plays games until none is left. An error stops all threads.
    fn work(&self, mut players: Players, news: &Sender<News>) -> Result<(), ArenaError> {
        let worked = self.play_games(&mut players, news);
        if worked.is_err() {
            self.cancel.cancel();
        }
        worked
    }

    fn play_games(&self, players: &mut Players, news: &Sender<News>) -> Result<(), ArenaError> {
        // Written out, because `while let` would hold the lock during the game.
        loop {
            let next = lock(&self.schedule).next_slot();
            let Some(slot) = next else { return Ok(()) };
            let pairing = slot.pairing().map_err(|error| ArenaError::Setup(error.to_string()))?;
            if self.cancel.is_canceled() {
                return Err(ArenaError::Canceled);
            }
            let played = self.referee.play(&pairing, players)?;
            if let Some(records) = lock(&self.records).as_mut() {
                records.append(&played.record)?;
            }
            // The receiver is gone only when the run is over.
            let _ = news.send((pairing, played));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread's result; a panic goes on here.
fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
