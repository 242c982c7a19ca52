//! The schedule: who plays whom, on which seat, from which opening.
//!
//! A tournament is a sequence of [`Matchup`]s: engines that meet in one variant for a number of
//! games. Consecutive games of a matchup share an opening, as many as there are engines in it, each
//! with the engines one seat further; they form a *set*, with two engines a pair. The
//! `PairingGenerator` decides who meets whom, and the `Scheduler` hands out the games in order.
//! Everything depends only on the settings and, in a Swiss or a knockout, on the results, so that
//! an interrupted run continues as if it had not been interrupted.

use crate::opening::Opening;
use crate::rulebook::ForeignOpening;
use pentarch_core::game::Seat;
use pentarch_protocol::nearest;
use std::fmt;
use std::str::FromStr;

/// An engine of a tournament, by its number from 0 in the order in which they were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entrant(pub u8);

impl Entrant {
    /// Both engines of a match of two.
    pub const BOTH: [Entrant; 2] = [Entrant(0), Entrant(1)];

    /// The number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other engine of two.
    pub const fn other(self) -> Entrant {
        Entrant(1 - self.0 % 2)
    }
}

/// A game that is ready to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSetup {
    /// The number of the game, from 1.
    pub number: u32,
    /// The engine on each seat.
    pub seats: Vec<Entrant>,
    /// Where the game begins.
    pub start: GameStart,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameStart {
    /// At an opening under the built-in rules.
    BuiltIn(Opening),
    /// At an opening that only the engines know.
    Foreign(ForeignOpening),
}

impl GameSetup {
    /// The engine on a seat.
    pub fn entrant(&self, seat: Seat) -> Entrant {
        self.seats[seat.index() % self.seats.len().max(1)]
    }
}

/// Engines that meet in one variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matchup {
    /// Its number in the tournament, from 1.
    pub number: u32,
    /// The round that it belongs to, from 1.
    pub round: u32,
    /// The variant, as an index.
    pub variant: usize,
    /// The number of seats of the variant.
    pub seats: u8,
    /// The engines; the first has the first seat in the first game.
    pub members: Vec<Entrant>,
    /// The number of games.
    pub games: u32,
    /// The number of the first game.
    pub first_game: u32,
    /// The number of sets of games in all earlier matchups.
    pub first_set: u32,
}

/// A game of a matchup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its number in the tournament, from 1.
    pub number: u32,
    /// The round that it belongs to, from 1.
    pub round: u32,
    /// The number of its matchup, from 1.
    pub matchup: u32,
    /// The variant, as an index.
    pub variant: usize,
    /// The set of games with the same opening, from 0 within the matchup.
    pub set: u32,
    /// The engine on each seat.
    pub seats: Vec<Entrant>,
    /// The number of its opening, from 0.
    pub opening: u32,
}

/// The score of a meeting of two engines in a round, over all variants.
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

impl Matchup {
    /// The number of games that share an opening, with each member on each seat once.
    pub fn set_size(&self) -> u32 {
        self.members.len().max(1) as u32
    }

    /// The number of sets of games.
    pub fn sets(&self) -> u32 {
        self.games.div_ceil(self.set_size())
    }

    /// All games.
    pub fn games(&self) -> impl Iterator<Item = ScheduledGame> {
        (0..self.games).map(|game| self.game(game))
    }

    /// A game of the matchup, from 0. Each set uses another order of the members, until all orders
    /// up to rotation were used.
    pub fn game(&self, game: u32) -> ScheduledGame {
        let (size, set) = (self.set_size(), game / self.set_size());
        let order = arranged(&self.members, set);
        let seat = |seat: u8| order[((u32::from(seat) + game) % size) as usize];
        ScheduledGame {
            number: self.first_game + game,
            round: self.round,
            matchup: self.number,
            variant: self.variant,
            set,
            seats: (0..self.seats).map(seat).collect(),
            opening: (self.round - 1) * self.sets() + set,
        }
    }
}

/// The `number`th of the orders of the members that begin with the first.
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

/// How pairings are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TournamentFormat {
    /// All engines at one board, game after game.
    #[default]
    Pair,
    /// Every engine meets every other one.
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
    /// Every engine meets every other one in the order of the list: the second the first, the third
    /// both of them, and so on, so that a new engine at the end of the list meets all those before
    /// it.
    Pyramid,
    /// In each round, engines with equal points that have not met.
    Swiss,
    /// The loser of a meeting is out. Engines are seeded in the order in which they are named.
    Knockout,
    /// Every group of as many engines as there are seats, in all orders of seats.
    Seats,
}

/// The formats by name.
const NAMES: [(&str, TournamentFormat); 7] = [
    ("pair", TournamentFormat::Pair),
    ("round-robin", TournamentFormat::RoundRobin),
    ("gauntlet", TournamentFormat::Gauntlet),
    ("pyramid", TournamentFormat::Pyramid),
    ("swiss", TournamentFormat::Swiss),
    ("knockout", TournamentFormat::Knockout),
    ("seats", TournamentFormat::Seats),
];

impl TournamentFormat {
    /// Whether pairings depend on earlier results.
    pub const fn follows_results(self) -> bool {
        matches!(self, TournamentFormat::Swiss | TournamentFormat::Knockout)
    }
}

impl fmt::Display for TournamentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, format)| format == self).map_or("", |(name, _)| *name);
        f.write_str(name)
    }
}

impl FromStr for TournamentFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<TournamentFormat, String> {
        if let Some((_, format)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(*format);
        }
        let names = NAMES.map(|(name, _)| name);
        let hint =
            nearest(text, names).map_or(String::new(), |near| format!(", did you mean `{near}`?"));
        Err(format!("expected one of {}{hint}", names.join(", ")))
    }
}

/// Who has the first seat in the next game of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstMove {
    /// The engines alternate.
    #[default]
    Alternate,
    /// The loser of the last game, as in sets of Pente (rules of 1983); after a draw they
    /// alternate.
    Loser,
}

impl FromStr for FirstMove {
    type Err = String;

    fn from_str(text: &str) -> Result<FirstMove, String> {
        match text {
            "alternate" => Ok(FirstMove::Alternate),
            "loser" => Ok(FirstMove::Loser),
            _ => Err("expected `alternate` or `loser`".to_owned()),
        }
    }
}

/// A part of a tournament: every `of`th set of games, so that the games of a pair stay together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// The number of the part, from 1.
    pub number: u32,
    /// The number of parts.
    pub of: u32,
}

impl Shard {
    /// Whether a set of games, from 0 over the whole tournament, belongs to this part.
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
        let matchup = Matchup {
            number: 1,
            round: 1,
            variant: 0,
            seats: 4,
            members,
            games: 24,
            first_game: 1,
            first_set: 0,
        };
        let seats: HashSet<_> = (0..24).map(|game| matchup.game(game).seats).collect();
        assert_eq!(seats.len(), 24, "all orders of four");
        for set in 0..6 {
            let firsts: HashSet<_> =
                (0..4).map(|game| matchup.game(set * 4 + game).seats[0]).collect();
            assert_eq!(firsts.len(), 4, "everybody begins once from an opening");
        }
    }
}
