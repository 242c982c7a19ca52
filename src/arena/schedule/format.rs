//! The kinds of tournaments.

use pentarch_protocol::nearest;
use std::fmt;
use std::str::FromStr;

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
