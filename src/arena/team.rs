//! The players of one thread: those of the game that it plays, started when they are needed.

use super::fault::{ArenaError, Failure, Fault};
use super::pinning::Pinning;
use super::player::{Decision, NewGame, Player, Turn};
use super::referee::Players;
use super::schedule::Entrant;
use super::tournament::Tournament;
use super::wait::CancelToken;
use std::thread::{self, ScopedJoinHandle};

/// Players that are running, by entrant.
pub(super) struct Team<'a> {
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
    pub(super) fn of_all(
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
    pub(super) fn empty(&self) -> Team<'a> {
        Team::absent(self.tournament, &self.cancel)
    }

    /// The players for a game on these seats. One that does not start now, although it did when the
    /// run began, loses its game.
    pub(super) fn seat(
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

/// The names, numbered where they are equal.
pub(super) fn numbered(names: &[String]) -> Vec<String> {
    let doubled = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let numbered = names.iter().zip(1..).map(|(name, number)| {
        if doubled(name) { format!("{name}-{number}") } else { name.clone() }
    });
    numbered.collect()
}

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
