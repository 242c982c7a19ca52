//! Whether games on record are of this tournament.

use super::{Event, Tournament};
use crate::arena::fault::ArenaError;
use crate::arena::runner::Match;
use crate::arena::schedule::{First, Format};
use crate::arena::wait::Timeouts;
use crate::records::GameRecord;

impl Tournament {
    /// A fingerprint of all that the games depend on, in hexadecimal digits. What may change between two runs
    /// is left out: how many games are played at a time, how patient the arena is, a sequential test,
    /// and how many rounds there are, because more of them only come after those that were played; a
    /// Swiss alone pairs with an eye on the rounds that are left.
    pub fn id(&self) -> String {
        let event = |event: &Event| {
            let terms = Match {
                games: if self.format == Format::Pair { 0 } else { event.terms.games },
                sprt: None,
                concurrency: 0,
                timeouts: Timeouts::default(),
                ..event.terms.clone()
            };
            format!("{} {terms:?}", event.format)
        };
        let events: Vec<String> = self.events.iter().map(event).collect();
        let first = if self.first == First::Loser { "loser" } else { "alternate" };
        let rounds = if self.format == Format::Swiss { self.rounds } else { 0 };
        let all = format!("{} {rounds} {first} {}", self.format, events.join("\n"));
        format!("{:016x}", fnv1a(&all))
    }

    /// Refuses a game on record that is not of this tournament.
    pub(super) fn recognize(&self, record: &GameRecord) -> Result<(), String> {
        let number = record.game;
        let Some(place) = &record.tournament else {
            return Err(format!("game {number} belongs to no tournament"));
        };
        if place.id == self.id() {
            return Ok(());
        }
        Err(format!("game {number} is of another tournament: {}", self.difference(record)))
    }

    /// What a game of another tournament has that this one has not.
    fn difference(&self, record: &GameRecord) -> String {
        let place = record.tournament.as_ref();
        if place.is_some_and(|place| place.format != self.format.to_string()) {
            let format = place.map_or("", |place| &place.format);
            return format!("its format is {format} and now it is {}", self.format);
        }
        let variants: Vec<String> =
            self.events.iter().map(|event| event.terms.rules.to_string()).collect();
        if !variants.contains(&record.rules) {
            return format!("it is {} and now {} is played", record.rules, variants.join(", "));
        }
        let controls: Vec<String> = self
            .entrants()
            .filter_map(|entrant| Some(self.events.first()?.terms.control_of(entrant).to_string()))
            .collect();
        if let Some(control) = record.time_controls.iter().find(|text| !controls.contains(text)) {
            return format!("a move had the limit {control} and now has {}", controls.join(" or "));
        }
        "an engine, an option, the openings, the seed or the number of games of an encounter has changed"
            .to_owned()
    }
}

impl From<String> for ArenaError {
    fn from(text: String) -> ArenaError {
        ArenaError::Setup(text)
    }
}

/// The hash FNV-1a of 64 bits (G. Fowler, L. C. Noll, P. Vo), which is the same on every machine.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
