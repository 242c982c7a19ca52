//! Merges parts of a tournament.

use crate::schedule::{Entrant, TournamentFormat};
use crate::score::ScoredGame;
use crate::sprt::{OrderedSprt, Sprt, SprtState};
use crate::standings::TournamentResults;
use pentarch_core::rules::Ruleset;
use pentarch_records::{GameRecord, TournamentGame};
use std::collections::{BTreeMap, BTreeSet};

/// The games of several record files of one tournament. The records identify the tournament.
#[derive(Clone, Debug, Default)]
pub struct MergedResults {
    /// The tournament according to the first game.
    place: Option<TournamentGame>,
    /// The maximum number of games that a record names; rounds may have been added.
    planned: u32,
    scores: BTreeMap<u32, ScoredGame>,
    names: BTreeMap<Entrant, String>,
    /// The number of sides by variant, from 1.
    sides: BTreeMap<u32, u8>,
    shards: BTreeSet<String>,
}

/// A limit against corrupt records.
const MOST_VARIANTS: u32 = 10_000;

/// The number of sides of a game.
fn sides(rules: &str) -> Result<u8, String> {
    let parsed: Result<Ruleset, _> = rules.parse();
    parsed.map(|rules| rules.seating().sides()).map_err(|error| format!("`{rules}`: {error}"))
}

impl MergedResults {
    /// Adds a game. It is an error if the game does not belong to the tournament or was added
    /// before.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), String> {
        let number = record.game;
        let Some(place) = &record.tournament else {
            return Err(format!("game {number} belongs to no tournament"));
        };
        let first = self.place.get_or_insert_with(|| place.clone());
        if first.id != place.id {
            return Err(format!(
                "game {number} belongs to another tournament ({}) than the first game ({})",
                place.id, first.id
            ));
        }
        record.check_result()?;
        let score = self.score(record, place)?;
        for (&entrant, name) in score.seats.iter().zip(&record.players) {
            let known = self.names.entry(entrant).or_insert_with(|| name.clone());
            if known != name {
                return Err(format!("game {number} has `{name}` where another has `{known}`"));
            }
        }
        if self.scores.contains_key(&number) {
            return Err(format!("game {number} was recorded twice"));
        }
        self.planned = self.planned.max(place.games);
        self.shards.extend(place.shard.clone());
        self.scores.insert(number, score);
        Ok(())
    }

    fn score(&mut self, record: &GameRecord, place: &TournamentGame) -> Result<ScoredGame, String> {
        if place.variant > MOST_VARIANTS {
            return Err(format!("game {} has variant {}", record.game, place.variant));
        }
        let known = self.sides.get(&place.variant).copied();
        let sides = match (known, &record.referee) {
            (Some(known), _) => known,
            // Games refereed by the engines have two sides.
            (None, Some(_)) => 2,
            (None, None) => sides(&record.rules)?,
        };
        self.sides.insert(place.variant, sides);
        let by_variant = vec![sides; place.variant as usize];
        ScoredGame::of_record(record, &by_variant)
            .ok_or_else(|| format!("game {} has impossible seats", record.game))
    }

    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The number of games of the tournament, according to its records.
    pub fn planned(&self) -> u32 {
        self.planned
    }

    /// The missing games as ranges of numbers.
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

    /// The shards that the games come from.
    pub fn shards(&self) -> impl Iterator<Item = &str> {
        self.shards.iter().map(String::as_str)
    }

    /// The results of all games.
    pub fn results(&self) -> TournamentResults {
        let count = self.names.keys().map(|entrant| entrant.index() + 1).max().unwrap_or(0);
        let unknown = |number: usize| format!("engine {}", number + 1);
        let name = |number: usize| {
            let entrant = Entrant(number as u8);
            self.names.get(&entrant).cloned().unwrap_or_else(|| unknown(number))
        };
        let format = self.place.as_ref().and_then(|place| place.format.parse().ok());
        let names = (0..count).map(name).collect();
        let mut results = TournamentResults::new(names, format.unwrap_or(TournamentFormat::Pair));
        self.scores.values().for_each(|score| results.count(score));
        results
    }

    /// The state of a sequential test, and the number of the missing game that later games wait
    /// for.
    pub fn sprt(&self, test: Sprt) -> (SprtState, Option<u32>) {
        let mut sprt = OrderedSprt::new(test);
        for score in self.scores.values() {
            sprt.add(score);
        }
        (sprt.state(), sprt.missing())
    }

    /// The games by number.
    pub fn scores(&self) -> impl Iterator<Item = &ScoredGame> {
        self.scores.values()
    }
}
