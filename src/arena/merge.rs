//! Parts of a tournament joined into one standing.

use crate::schedule::{Entrant, Format};
use crate::score::Score;
use crate::sprt::{Sprt, Trial};
use crate::standings::Standing;
use pentarch_core::rules::Ruleset;
use pentarch_records::{GameRecord, TournamentGame};
use std::collections::{BTreeMap, BTreeSet};

/// The games of several record files, which say themselves what tournament they are of.
#[derive(Clone, Debug, Default)]
pub struct Union {
    /// What the first game says of the tournament.
    place: Option<TournamentGame>,
    /// The most games that any says the tournament has; rounds may have been added.
    planned: u32,
    scores: BTreeMap<u32, Score>,
    names: BTreeMap<Entrant, String>,
    /// The sides of each variant by its number from 1.
    sides: BTreeMap<u32, u8>,
    shards: BTreeSet<String>,
}

/// More variants than any tournament has.
const MOST_VARIANTS: u32 = 10_000;

/// The number of sides of a game.
fn sides(rules: &str) -> Result<u8, String> {
    let parsed: Result<Ruleset, _> = rules.parse();
    parsed.map(|rules| rules.seating().sides()).map_err(|error| format!("`{rules}`: {error}"))
}

impl Union {
    /// Takes a game in; the reason if it does not belong to the others.
    pub fn note(&mut self, record: &GameRecord) -> Result<(), String> {
        let number = record.game;
        let Some(place) = &record.tournament else {
            return Err(format!("game {number} belongs to no tournament"));
        };
        let first = self.place.get_or_insert_with(|| place.clone());
        if first.id != place.id {
            return Err(format!(
                "game {number} is of another tournament ({}) than the first game ({})",
                place.id, first.id
            ));
        }
        let score = self.score(record, place)?;
        for (&entrant, name) in score.seats.iter().zip(&record.players) {
            let known = self.names.entry(entrant).or_insert_with(|| name.clone());
            if known != name {
                return Err(format!("game {number} has `{name}` where another has `{known}`"));
            }
        }
        if self.scores.contains_key(&number) {
            return Err(format!("game {number} is there twice"));
        }
        self.planned = self.planned.max(place.games);
        self.shards.extend(place.shard.clone());
        self.scores.insert(number, score);
        Ok(())
    }

    fn score(&mut self, record: &GameRecord, place: &TournamentGame) -> Result<Score, String> {
        if place.variant > MOST_VARIANTS {
            return Err(format!("game {} has variant {}", record.game, place.variant));
        }
        let known = self.sides.get(&place.variant).copied();
        let sides = match (known, &record.referee) {
            (Some(known), _) => known,
            // Games that only their engines know have two sides.
            (None, Some(_)) => 2,
            (None, None) => sides(&record.rules)?,
        };
        self.sides.insert(place.variant, sides);
        let by_variant = vec![sides; place.variant as usize];
        Score::of_record(record, &by_variant)
            .ok_or_else(|| format!("game {} has seats that no tournament has", record.game))
    }

    /// Whether no game was taken in.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The number of games of the tournament, as far as its games say.
    pub fn planned(&self) -> u32 {
        self.planned
    }

    /// The games that are missing, as ranges of numbers.
    pub fn missing(&self) -> Vec<(u32, u32)> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for number in (1..=self.planned).filter(|number| !self.scores.contains_key(number)) {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        ranges
    }

    /// The parts that the games come from.
    pub fn shards(&self) -> impl Iterator<Item = &str> {
        self.shards.iter().map(String::as_str)
    }

    /// The standing of all games.
    pub fn standing(&self) -> Standing {
        let count = self.names.keys().map(|entrant| entrant.index() + 1).max().unwrap_or(0);
        let unknown = |number: usize| format!("engine {}", number + 1);
        let name = |number: usize| {
            let entrant = Entrant(number as u8);
            self.names.get(&entrant).cloned().unwrap_or_else(|| unknown(number))
        };
        let format = self.place.as_ref().and_then(|place| place.format.parse().ok());
        let names = (0..count).map(name).collect();
        let mut standing = Standing::new(names, format.unwrap_or(Format::Pair));
        self.scores.values().for_each(|score| standing.count(score));
        standing
    }

    /// What a sequential test says to all pairs of games.
    pub fn trial(&self, test: Sprt) -> Trial {
        let mut trial = Trial::new(test);
        trial.weigh(self.standing().duel().pairs());
        trial
    }

    /// The games in the order of their numbers.
    pub fn scores(&self) -> impl Iterator<Item = &Score> {
        self.scores.values()
    }
}
