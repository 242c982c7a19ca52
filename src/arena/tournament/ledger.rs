//! The games of a tournament that are on record.

use super::Tournament;
use crate::schedule::Entrant;
use crate::score::Score;
use pentarch_records::GameRecord;
use std::collections::BTreeMap;

/// What was played before, in the order of the games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    scores: BTreeMap<u32, Score>,
    names: BTreeMap<Entrant, String>,
}

impl Ledger {
    /// Notes a game on record; the reason if it is not one of this tournament or was there already.
    pub fn note(&mut self, tournament: &Tournament, record: &GameRecord) -> Result<(), String> {
        tournament.recognize(record)?;
        let number = record.game;
        let score = Score::of_record(record, &tournament.sides())
            .ok_or_else(|| format!("game {number} has seats that the tournament has not"))?;
        for (&entrant, name) in score.seats.iter().zip(&record.players) {
            let known = self.names.entry(entrant).or_insert_with(|| name.clone());
            if known != name {
                return Err(format!(
                    "game {number} was played by {name}, who is called {known} in another game"
                ));
            }
        }
        if self.scores.insert(number, score).is_some() {
            return Err(format!("game {number} is there twice"));
        }
        Ok(())
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether nothing was played before.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The games in the order of their numbers.
    pub(super) fn scores(&self) -> impl Iterator<Item = &Score> {
        self.scores.values()
    }

    /// What the engines are called in these games; `labels` are for those who have not played.
    pub(super) fn names(&self, labels: Vec<String>) -> Vec<String> {
        let name = |(label, entrant)| self.names.get(&entrant).cloned().unwrap_or(label);
        labels.into_iter().zip((0..).map(Entrant)).map(name).collect()
    }

    /// Refuses to go on with engines of other names.
    pub(super) fn check_names(&self, names: &[String]) -> Result<(), String> {
        for (entrant, known) in &self.names {
            match names.get(entrant.index()) {
                Some(name) if name == known => {}
                name => {
                    return Err(format!(
                        "engine {} is `{known}` in the games on record and `{}` now; name another record \
                         file",
                        entrant.0 + 1,
                        name.map_or("none", String::as_str)
                    ));
                }
            }
        }
        Ok(())
    }
}
