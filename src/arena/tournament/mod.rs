//! A tournament as a value: what is to be played, and by whom.

mod course;
mod file;
mod identity;
mod ledger;
mod toml;
mod union;
mod watch;

pub use self::toml::FileError;
pub use course::{Course, Ended};
pub use file::Overrides;
pub use ledger::Ledger;
pub use union::Union;
pub use watch::{Watch, WatchedGame};

use super::fault::ArenaError;
use super::runner::Match;
use super::schedule::{Draw, DrawnEvent, Entrant, First, Format, Shard};
use super::spec::EngineSpec;
use super::sprt::Sprt;
use super::team::numbered;

/// What is to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// How the engines are brought together.
    pub format: Format,
    /// How often everybody meets everybody, in a Swiss the number of rounds.
    pub rounds: u32,
    /// Who begins the next game of an encounter.
    pub first: First,
    /// What is played; the engines and their number are the same in all.
    pub events: Vec<Event>,
    /// Whether each of the games that are played at the same time has cores of its own.
    pub pin: bool,
}

/// A variant of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// How the engines are brought together in it: as in the tournament, or at one board of many seats.
    pub format: Format,
    /// What is played, how long, by whom; its games are those of one encounter.
    pub terms: Match,
}

impl Tournament {
    /// A match: its engines meet once.
    pub fn of_match(terms: Match) -> Tournament {
        let events = vec![Event { format: Format::Pair, terms }];
        let first = First::default();
        Tournament { format: Format::Pair, rounds: 1, first, events, pin: false }
    }

    /// The engines.
    pub fn engines(&self) -> &[EngineSpec] {
        self.events.first().map_or(&[], |event| event.terms.engines.as_slice())
    }

    /// The engines by number.
    pub fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.engines().len() as u8).map(Entrant)
    }

    /// The sequential test, if there is one.
    pub fn sprt(&self) -> Option<Sprt> {
        self.events.first().and_then(|event| event.terms.sprt)
    }

    /// What the engines are called before they were asked.
    pub fn labels(&self) -> Vec<String> {
        numbered(&self.engines().iter().map(EngineSpec::label).collect::<Vec<_>>())
    }

    /// What a draw has to know.
    pub fn draw(&self) -> Draw {
        let event = |event: &Event| DrawnEvent {
            format: event.format,
            games: event.terms.games,
            seats: event.terms.rules.seats(),
        };
        Draw {
            format: self.format,
            entrants: self.engines().len() as u8,
            rounds: self.rounds,
            events: self.events.iter().map(event).collect(),
        }
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.draw().games()
    }

    /// The number of sides of each variant.
    pub(super) fn sides(&self) -> Vec<u8> {
        self.events.iter().map(|event| event.terms.rules.sides()).collect()
    }

    /// Whether two engines play one variant with all seats theirs by side, so that strength can be compared.
    pub(super) fn is_duel(&self) -> bool {
        let two_sides = |event: &Event| event.terms.rules.sides() == 2;
        self.engines().len() == 2 && self.events.iter().all(two_sides)
    }

    /// Refuses what cannot be played.
    pub fn check(&self, shard: Option<Shard>) -> Result<(), ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        if self.events.is_empty() {
            return setup("no variant to play".into());
        }
        let count = self.engines().len();
        if count > usize::from(u8::MAX) {
            return setup(format!("{count} engines are too many; at most 255 can play"));
        }
        if shard.is_some() && self.format.follows_results() {
            return setup(format!(
                "--shard cannot split a {}: who meets whom depends on the results of all games of \
                 the round before",
                self.format
            ));
        }
        if shard.is_some() && self.first == First::Loser {
            return setup(
                "--shard cannot split a tournament in which the loser begins: who begins depends on the \
                 game before"
                    .into(),
            );
        }
        if shard.is_some() && self.events.iter().any(|event| event.terms.sprt.is_some()) {
            log::warn!(
                "no part of a tournament stops by itself: `merge --sprt` decides on all parts"
            );
        }
        for event in &self.events {
            self.check_event(event)?;
        }
        Ok(())
    }

    fn check_event(&self, event: &Event) -> Result<(), ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        let terms = &event.terms;
        let rules = &terms.rules;
        let (engines, seats) = (terms.engines.len(), usize::from(rules.seats()));
        let teams = rules.has_teams();
        let fits = match event.format {
            Format::Pair => (2..=seats).contains(&engines) && !(teams && engines == 3),
            Format::Seats => engines >= 2 && !(teams && engines == 3),
            _ if rules.sides() > 2 => {
                return setup(format!(
                    "a {} has two engines at a board and `{rules}` has {} sides; play it with the \
                     format `seats`",
                    event.format,
                    rules.sides()
                ));
            }
            _ => engines >= 2,
        };
        if !fits {
            return setup(format!("{engines} engines cannot share the {seats} seats of `{rules}`"));
        }
        if self.first == First::Loser && (event.format == Format::Seats || rules.sides() > 2) {
            return setup("the loser begins only where two engines meet".into());
        }
        terms.check(self.is_duel())
    }
}
