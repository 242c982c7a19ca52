//! Who plays whom, on which seat, from which opening.
//!
//! A tournament is a row of [`Encounter`]s: engines that meet in one variant for some games. An
//! encounter is a row of [`Fixture`]s, of which as many in a row as there are engines in it share an
//! opening, each with the engines one seat further: a *set*, with two engines a pair. A [`Draw`] says
//! who meets whom, and [`Desk`] hands out the games in order. All of it depends on the plan and, in a
//! Swiss or a knockout, on the results alone, so that a run that is broken off goes on as if nothing
//! had happened.

mod desk;
mod draw;
mod format;
mod knockout;
mod swiss;

pub(super) use desk::{Desk, Next};
pub use draw::{Draw, DrawnEvent, MatchScore};
pub use format::{First, Format, Shard};

use super::opening::Opening;
use super::rulebook::ForeignOpening;
use pentarch_core::game::Seat;

/// One of the engines of a tournament, numbered from 0 in the order in which they were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entrant(pub u8);

impl Entrant {
    /// Both engines of a match of two.
    pub const BOTH: [Entrant; 2] = [Entrant(0), Entrant(1)];

    /// The number of the engine as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other engine of two.
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
    pub start: Start,
}

/// Where a game begins, by rules of ours or by those of the engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// In a position that we know.
    Ours(Opening),
    /// In one that only the engines know.
    Engines(ForeignOpening),
}

impl Pairing {
    /// The engine on a seat.
    pub fn entrant(&self, seat: Seat) -> Entrant {
        self.seats[seat.index() % self.seats.len().max(1)]
    }
}

/// Some engines that meet in one variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Its number in the tournament, from 1.
    pub number: u32,
    /// The round that it belongs to, from 1.
    pub round: u32,
    /// The variant, as an index.
    pub event: usize,
    /// The seats of the variant.
    pub seats: u8,
    /// Who meets; the first has the first seat in the first game.
    pub members: Vec<Entrant>,
    /// How many games they play.
    pub games: u32,
    /// The number of their first game.
    pub first_game: u32,
    /// The number of sets of games in all encounters before.
    pub first_set: u32,
}

/// A game of an encounter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the tournament, from 1.
    pub number: u32,
    /// The round that it belongs to, from 1.
    pub round: u32,
    /// The number of its encounter, from 1.
    pub encounter: u32,
    /// The variant, as an index.
    pub event: usize,
    /// The set of games with the same opening that it belongs to, from 0 within the encounter.
    pub set: u32,
    /// Who sits on each seat.
    pub seats: Vec<Entrant>,
    /// The number of its opening, from 0.
    pub opening: u32,
}

impl Encounter {
    /// How many games share an opening, with each member on each seat once.
    pub fn set_size(&self) -> u32 {
        self.members.len().max(1) as u32
    }

    /// How many sets of games there are.
    pub fn sets(&self) -> u32 {
        self.games.div_ceil(self.set_size())
    }

    /// All games.
    pub fn fixtures(&self) -> impl Iterator<Item = Fixture> {
        (0..self.games).map(|game| self.fixture(game))
    }

    /// A game of the encounter, counted from 0. Every set of games has the members in another
    /// order, until all orders that are no rotations of each other were used.
    pub fn fixture(&self, game: u32) -> Fixture {
        let (size, set) = (self.set_size(), game / self.set_size());
        let order = arranged(&self.members, set);
        let seat = |seat: u8| order[((u32::from(seat) + game) % size) as usize];
        Fixture {
            number: self.first_game + game,
            round: self.round,
            encounter: self.number,
            event: self.event,
            set,
            seats: (0..self.seats).map(seat).collect(),
            opening: (self.round - 1) * self.sets() + set,
        }
    }
}

/// The members in the `number`th of the orders that begin with the first of them.
fn arranged(members: &[Entrant], number: u32) -> Vec<Entrant> {
    let Some((&first, rest)) = members.split_first() else { return Vec::new() };
    let (mut rest, mut number) = (rest.to_vec(), number as usize);
    let mut order = vec![first];
    while !rest.is_empty() {
        order.push(rest.remove(number % rest.len()));
        number /= rest.len() + 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn seats_take_every_order_once() {
        let members: Vec<Entrant> = (0..4).map(Entrant).collect();
        let encounter = Encounter {
            number: 1,
            round: 1,
            event: 0,
            seats: 4,
            members,
            games: 24,
            first_game: 1,
            first_set: 0,
        };
        let seats: HashSet<_> = (0..24).map(|game| encounter.fixture(game).seats).collect();
        assert_eq!(seats.len(), 24, "all orders of four");
        for set in 0..6 {
            let firsts: HashSet<_> =
                (0..4).map(|game| encounter.fixture(set * 4 + game).seats[0]).collect();
            assert_eq!(firsts.len(), 4, "everybody begins once from an opening");
        }
    }
}
