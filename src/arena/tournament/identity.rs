//! Whether games on record are of this tournament.

use super::Tournament;
use crate::adjudication::Adjudication;
use crate::balance::Balance;
use crate::opening::Openings;
use crate::process::{Launch, Restart};
use crate::rulebook::Rulebook;
use crate::runner::Match;
use crate::schedule::{First, Format};
use crate::spec::{EngineKind, EngineSpec};
use pentarch_core::rules::Ruleset;
use pentarch_engine::{Game, Options};
use pentarch_records::GameRecord;
use std::fmt::{self, Write as _};

impl Tournament {
    /// A fingerprint of all that the games depend on, in hexadecimal digits. What may change between two runs
    /// is left out: how many games are played at a time, how patient the arena is, a sequential test,
    /// and how many rounds there are, because more of them only come after those that were played; a
    /// Swiss alone pairs with an eye on the rounds that are left.
    pub fn id(&self) -> String {
        format!("{:016x}", fnv1a(&self.terms().0))
    }

    fn terms(&self) -> Terms {
        let mut all = Terms::default();
        all.add("format", self.format);
        all.add_unless("rounds", if self.format == Format::Swiss { self.rounds } else { 0 }, &0);
        all.add_if("loser begins", self.first == First::Loser);
        for event in &self.events {
            let games = if self.format == Format::Pair { 0 } else { event.terms.games };
            all.add("variant", &event.terms.rules);
            all.add("format", event.format);
            all.add_unless("games", games, &0);
            event.terms.list(&mut all);
        }
        all
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

/// What games depend on, one a line. What is as usual is left out, so that a setting that is new to the
/// program changes nothing in a tournament that does without it.
#[derive(Debug, Default)]
struct Terms(String);

impl Terms {
    fn add(&mut self, key: &str, value: impl fmt::Display) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.0, "{key}: {value}");
    }

    fn add_unless<T: fmt::Display + PartialEq>(&mut self, key: &str, value: T, usual: &T) {
        if value != *usual {
            self.add(key, value);
        }
    }

    fn add_some(&mut self, key: &str, value: Option<impl fmt::Display>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    fn add_if(&mut self, key: &str, holds: bool) {
        if holds {
            self.add(key, "yes");
        }
    }
}

impl Match {
    /// Lists what its games depend on, except for their rules and their number.
    fn list(&self, all: &mut Terms) {
        all.add("control", self.control);
        all.add("seed", self.seed);
        match &self.rules {
            Rulebook::Ours(rules) => self.openings.list(rules, all),
            Rulebook::Engines(game) => {
                all.add("referee", "engines");
                for opening in &game.openings {
                    let position = opening.position.as_deref().unwrap_or_default();
                    all.add("opening", format!("{position} {}", opening.moves.join(" ")));
                }
            }
        }
        let Adjudication { resign, draw, max_plies, proven, strict_time } = self.adjudication;
        all.add_some("resign", resign);
        all.add_some("draw", draw);
        all.add_some("max plies", max_plies);
        all.add_some("proven", proven);
        all.add_if("strict time", strict_time);
        for engine in &self.engines {
            engine.list(all);
        }
    }
}

impl Openings {
    fn list(&self, rules: &Ruleset, all: &mut Terms) {
        match self {
            Openings::List(list) => {
                for opening in list {
                    let position = opening.position.as_deref().unwrap_or_default();
                    let game = opening.start(rules).unwrap_or_else(|_| Game::new(rules.clone()));
                    let moves = opening.moves.iter().map(|&mv| game.move_text(mv));
                    let moves: Vec<String> = moves.collect();
                    all.add("opening", format!("{position} {}", moves.join(" ")));
                }
            }
            Openings::Random { plies, seed } => all.add("random", format!("{plies} {seed}")),
            Openings::Balanced { plies, seed, balance: Balance { window, nodes } } => {
                all.add("balanced", format!("{plies} {seed} {window} {nodes}"));
            }
        }
    }
}

impl EngineSpec {
    fn list(&self, all: &mut Terms) {
        all.add("engine", self.name.as_deref().unwrap_or_default());
        all.add_some("control", self.control);
        all.add_if("ponder", self.ponder);
        match &self.kind {
            EngineKind::BuiltIn(options) => {
                let usual = Options::default();
                for row in Options::rows() {
                    all.add_unless(row.name, row.get(options), &row.get(&usual));
                }
            }
            EngineKind::Random(seed) => {
                all.add("random", seed.map_or("any".into(), |n| n.to_string()));
            }
            EngineKind::Child { launch, dialect, options } => {
                let Launch { directory, environment, restart, .. } = launch;
                all.add(dialect.name(), launch.text());
                all.add_some("dir", directory.as_ref().map(|path| path.display()));
                for (name, value) in environment.iter().chain(options) {
                    all.add(name, value);
                }
                all.add_unless("restart", restart.word(), &Restart::default().word());
            }
        }
    }
}

/// The hash FNV-1a of 64 bits (G. Fowler, L. C. Noll, P. Vo), which is the same on every machine.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
