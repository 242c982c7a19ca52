//! Who plays whom, on which seat, from which opening.

use super::opening::{Opening, OpeningError, Openings};
use crate::game::Seat;
use crate::rules::Ruleset;

/// One of the two engines of a match, numbered from 0 in the order in which they were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entrant(pub u8);

impl Entrant {
    /// Both engines of a match.
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
    pub seats: [Entrant; 2],
    /// Where the game begins.
    pub opening: Opening,
}

impl Pairing {
    /// The engine on a seat.
    pub fn entrant(&self, seat: Seat) -> Entrant {
        self.seats[seat.index() % 2]
    }

    /// The number of the pair of games that this one belongs to, from 0.
    pub fn pair(&self) -> u32 {
        (self.number - 1) / 2
    }
}

/// A match of two engines: games 2k - 1 and 2k have the same opening and swapped seats.
#[derive(Clone, Debug)]
pub struct Schedule {
    rules: Ruleset,
    openings: Openings,
    games: u32,
    next: u32,
}

impl Schedule {
    /// A match of so many games.
    pub fn new(rules: Ruleset, openings: Openings, games: u32) -> Schedule {
        Schedule { rules, openings, games, next: 1 }
    }

    /// Ends the match early: a pair that has begun is finished, no other one begins.
    pub fn stop(&mut self) {
        let begun = self.next - 1;
        self.games = self.games.min(begun + begun % 2);
    }
}

impl Iterator for Schedule {
    type Item = Result<Pairing, OpeningError>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.next;
        if number > self.games {
            return None;
        }
        self.next += 1;
        let [first, second] = Entrant::BOTH;
        let seats = if number % 2 == 1 { [first, second] } else { [second, first] };
        let opening = self.openings.get((number - 1) / 2, &self.rules);
        Some(opening.map(|opening| Pairing { number, seats, opening }))
    }
}
