//! Who plays whom, on which seat, from which opening.
//!
//! A tournament is a row of [`Encounter`]s: engines that meet in one variant for some games. An
//! encounter is a row of [`Fixture`]s, of which as many in a row as there are engines in it share an
//! opening, each with the engines one seat further: a *set*, with two engines a pair. A [`Draw`] says
//! who meets whom, and [`Desk`] hands out the games in order. All of it depends on the plan and, in a
//! Swiss or a knockout, on the results alone, so that a run that is broken off goes on as if nothing
//! had happened.

use crate::opening::Opening;
use crate::rulebook::ForeignOpening;
use pentarch_core::game::Seat;
use pentarch_protocol::nearest;
use std::fmt;
use std::str::FromStr;

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

/// How a meeting of two engines in a round has ended, over all variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchScore {
    /// The round, from 1.
    pub round: u32,
    /// The engine that had the first seat first, and the other one.
    pub members: [Entrant; 2],
    /// Half points of each.
    pub half_points: [u32; 2],
    /// Games that each won from a later seat than the other's.
    pub wins_as_second: [u32; 2],
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

/// How engines are brought together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// All engines at one board, game after game.
    #[default]
    Pair,
    /// Everybody meets everybody.
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
    /// Everybody meets everybody, engine after engine: the second the first, the third both of them, and
    /// so on, so that a new engine at the end of the list meets all those before it.
    Pyramid,
    /// Rounds of pairs with equal points who have not met.
    Swiss,
    /// Who loses is out; seeded in the order in which the engines are named.
    Knockout,
    /// Every group of as many engines as there are seats, in all orders of seats.
    Seats,
}

/// The formats by name.
const NAMES: [(&str, Format); 7] = [
    ("pair", Format::Pair),
    ("round-robin", Format::RoundRobin),
    ("gauntlet", Format::Gauntlet),
    ("pyramid", Format::Pyramid),
    ("swiss", Format::Swiss),
    ("knockout", Format::Knockout),
    ("seats", Format::Seats),
];

impl Format {
    /// Whether who meets whom depends on the results so far.
    pub const fn follows_results(self) -> bool {
        matches!(self, Format::Swiss | Format::Knockout)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, format)| format == self).map_or("", |(name, _)| *name);
        f.write_str(name)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        if let Some((_, format)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(*format);
        }
        let names = NAMES.map(|(name, _)| name);
        let hint =
            nearest(text, names).map_or(String::new(), |near| format!(", did you mean `{near}`?"));
        Err(format!("expected one of {}{hint}", names.join(", ")))
    }
}

/// Who begins the next game of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum First {
    /// They take turns.
    #[default]
    Alternate,
    /// The loser of the last game, as in Pente's sets (rules of 1983); after a draw they take turns.
    Loser,
}

impl FromStr for First {
    type Err = String;

    fn from_str(text: &str) -> Result<First, String> {
        match text {
            "alternate" => Ok(First::Alternate),
            "loser" => Ok(First::Loser),
            _ => Err("expected `alternate` or `loser`".to_owned()),
        }
    }
}

/// A part of a tournament: every `of`th set of games, so that the games of a pair stay together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// Which part, from 1.
    pub number: u32,
    /// How many parts there are.
    pub of: u32,
}

impl Shard {
    /// Whether a set of games, counted from 0 over the whole tournament, is played here.
    pub const fn holds(self, set: u32) -> bool {
        set % self.of == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    /// `shard = natural , "/" , natural ;`, the first from 1 to the second.
    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let shard = parts.and_then(|(number, of)| {
            Some(Shard { number: number.trim().parse().ok()?, of: of.trim().parse().ok()? })
        });
        let good = shard.filter(|shard| (1..=shard.of).contains(&shard.number));
        good.ok_or_else(|| "expected K/N such as 2/4, with K from 1 to N".to_owned())
    }
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
