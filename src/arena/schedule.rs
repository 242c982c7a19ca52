//! Who plays whom, on which seat, from which opening.

use super::opening::{Opening, OpeningError, Openings};
use crate::game::Seat;
use crate::rules::Ruleset;
use std::sync::{Arc, Mutex, PoisonError};

/// One of the engines of a match, numbered from 0 in the order in which they were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entrant(pub u8);

impl Entrant {
    /// Both engines of a match of two.
    pub const BOTH: [Entrant; 2] = [Entrant(0), Entrant(1)];

    /// The number of the engine as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other engine.
    pub const fn other(self) -> Entrant {
        Entrant(1 - self.0 % 2)
    }
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the game, from 1.
    pub number: u32,
    /// Who sits on each seat.
    pub seats: Vec<Entrant>,
    /// Where the game begins.
    pub opening: Opening,
}

impl Pairing {
    /// The engine on a seat.
    pub fn entrant(&self, seat: Seat) -> Entrant {
        self.seats[seat.index() % self.seats.len().max(1)]
    }

    /// The number of the pair of games that this one belongs to, from 0.
    pub fn pair(&self) -> u32 {
        (self.number - 1) / 2
    }
}

/// A game that is next in the schedule. Its opening is found by the thread that plays it, so that
/// a search for it holds up the other game of the pair and no other.
#[derive(Debug)]
pub(super) struct Slot {
    number: u32,
    /// The number of the opening, from 0.
    round: u32,
    seats: Vec<Entrant>,
    source: Arc<Source>,
    /// The opening of the pair once it is found.
    opening: Arc<Mutex<Option<Opening>>>,
}

/// What openings are made from.
#[derive(Debug)]
struct Source {
    rules: Ruleset,
    openings: Openings,
}

impl Slot {
    /// The game with its opening.
    pub(super) fn pairing(self) -> Result<Pairing, OpeningError> {
        let Slot { number, round, seats, .. } = self;
        let mut found = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let opening = if let Some(opening) = &*found {
            opening.clone()
        } else {
            let Source { rules, openings } = &*self.source;
            found.insert(openings.get(round, rules)?).clone()
        };
        Ok(Pairing { number, seats, opening })
    }
}

/// A match: as many games in a row as there are engines have the same opening, and each of them has
/// the engines one seat further. With more seats than engines each has several.
#[derive(Clone, Debug)]
pub struct Schedule {
    source: Arc<Source>,
    engines: u8,
    games: u32,
    next: u32,
    /// The opening of the last pair that began.
    opening: Arc<Mutex<Option<Opening>>>,
}

impl Schedule {
    /// A match of that number of games.
    pub fn new(rules: Ruleset, openings: Openings, engines: u8, games: u32) -> Schedule {
        let source = Arc::new(Source { rules, openings });
        Schedule { source, engines: engines.max(1), games, next: 1, opening: Arc::default() }
    }

    /// Ends the match early: a round that has begun is finished, no other one begins.
    pub fn stop(&mut self) {
        let round = u32::from(self.engines);
        self.games = self.games.min((self.next - 1).next_multiple_of(round));
    }
}

impl Schedule {
    /// The next game, in no time.
    pub(super) fn next_slot(&mut self) -> Option<Slot> {
        let number = self.next;
        if number > self.games {
            return None;
        }
        self.next += 1;
        let (engines, seats) = (u32::from(self.engines), self.source.rules.seating().seats);
        let shift = (number - 1) % engines;
        let entrant = |seat: u8| Entrant(((u32::from(seat) + shift) % engines) as u8);
        let seats = (0..seats).map(entrant).collect();
        if shift == 0 {
            self.opening = Arc::default();
        }
        let (source, opening) = (Arc::clone(&self.source), Arc::clone(&self.opening));
        Some(Slot { number, round: (number - 1) / engines, seats, source, opening })
    }
}

impl Iterator for Schedule {
    type Item = Result<Pairing, OpeningError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_slot().map(Slot::pairing)
    }
}
