//! A tournament as a value: what is to be played, and by whom.

use crate::adjudication::Adjudication;
use crate::engine_spec::{EngineKind, EngineSpec};
use crate::error::ArenaError;
use crate::match_settings::Match;
use crate::opening::{Balance, Openings};
use crate::pairing::{Draw, DrawnEvent};
use crate::process::{Launch, Restart};
use crate::rulebook::Rulebook;
use crate::schedule::{Entrant, First, Format, Shard};
use crate::sprt::Sprt;
use pentarch_core::rules::Ruleset;
use pentarch_engine::{Game, Options};
use pentarch_records::GameRecord;
use std::fmt::{self, Write as _};

/// What is to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// How the engines are brought together.
    pub format: Format,
    /// How often everybody meets everybody, in a Swiss the number of rounds.
    pub rounds: u32,
    /// Who begins the next game of an encounter.
    pub first: First,
    /// What is played; the engines and their number are the same in all.
    pub events: Vec<Event>,
    /// Whether each of the games that are played at the same time has cores of its own.
    pub pin: bool,
}

/// A variant of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// How the engines are brought together in it: as in the tournament, or at one board of many seats.
    pub format: Format,
    /// What is played, how long, by whom; its games are those of one encounter.
    pub terms: Match,
}

impl Tournament {
    /// A match: its engines meet once.
    pub fn of_match(terms: Match) -> Tournament {
        let events = vec![Event { format: Format::Pair, terms }];
        let first = First::default();
        Tournament { format: Format::Pair, rounds: 1, first, events, pin: false }
    }

    /// The engines.
    pub fn engines(&self) -> &[EngineSpec] {
        self.events.first().map_or(&[], |event| event.terms.engines.as_slice())
    }

    /// The engines by number.
    pub fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.engines().len() as u8).map(Entrant)
    }

    /// The sequential test, if there is one.
    pub fn sprt(&self) -> Option<Sprt> {
        self.events.first().and_then(|event| event.terms.sprt)
    }

    /// What the engines are called before they were asked.
    pub fn labels(&self) -> Vec<String> {
        numbered(&self.engines().iter().map(EngineSpec::label).collect::<Vec<_>>())
    }

    /// What a draw has to know.
    pub fn draw(&self) -> Draw {
        let event = |event: &Event| DrawnEvent {
            format: event.format,
            games: event.terms.games,
            seats: event.terms.rules.seats(),
        };
        Draw {
            format: self.format,
            entrants: self.engines().len() as u8,
            rounds: self.rounds,
            events: self.events.iter().map(event).collect(),
        }
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.draw().games()
    }

    /// The number of sides of each variant.
    pub(crate) fn sides(&self) -> Vec<u8> {
        self.events.iter().map(|event| event.terms.rules.sides()).collect()
    }

    /// Whether two engines play one variant with all seats theirs by side, so that strength can be compared.
    pub(crate) fn is_duel(&self) -> bool {
        let two_sides = |event: &Event| event.terms.rules.sides() == 2;
        self.engines().len() == 2 && self.events.iter().all(two_sides)
    }

    /// Refuses what cannot be played.
    pub fn check(&self, shard: Option<Shard>) -> Result<(), ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        if self.events.is_empty() {
            return setup("no variant to play".into());
        }
        let count = self.engines().len();
        if count > usize::from(u8::MAX) {
            return setup(format!("{count} engines are too many; at most 255 can play"));
        }
        if shard.is_some() && self.format.follows_results() {
            return setup(format!(
                "--shard cannot split a {}: who meets whom depends on the results of all games of \
                 the round before",
                self.format
            ));
        }
        if shard.is_some() && self.first == First::Loser {
            return setup(
                "--shard cannot split a tournament in which the loser begins: who begins depends on the \
                 game before"
                    .into(),
            );
        }
        if shard.is_some() && self.events.iter().any(|event| event.terms.sprt.is_some()) {
            log::warn!(
                "no part of a tournament stops by itself: `merge --sprt` decides on all parts"
            );
        }
        for event in &self.events {
            self.check_event(event)?;
        }
        Ok(())
    }

    fn check_event(&self, event: &Event) -> Result<(), ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        let terms = &event.terms;
        let rules = &terms.rules;
        let (engines, seats) = (terms.engines.len(), usize::from(rules.seats()));
        let teams = rules.has_teams();
        let fits = match event.format {
            Format::Pair => (2..=seats).contains(&engines) && !(teams && engines == 3),
            Format::Seats => engines >= 2 && !(teams && engines == 3),
            _ if rules.sides() > 2 => {
                return setup(format!(
                    "a {} has two engines at a board and `{rules}` has {} sides; play it with the \
                     format `seats`",
                    event.format,
                    rules.sides()
                ));
            }
            _ => engines >= 2,
        };
        if !fits {
            return setup(format!("{engines} engines cannot share the {seats} seats of `{rules}`"));
        }
        if self.first == First::Loser && (event.format == Format::Seats || rules.sides() > 2) {
            return setup("the loser begins only where two engines meet".into());
        }
        terms.check(self.is_duel())
    }
}

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
    pub(crate) fn recognize(&self, record: &GameRecord) -> Result<(), String> {
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

/// The names, numbered where they are equal.
pub(crate) fn numbered(names: &[String]) -> Vec<String> {
    let doubled = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let numbered = names.iter().zip(1..).map(|(name, number)| {
        if doubled(name) { format!("{name}-{number}") } else { name.clone() }
    });
    numbered.collect()
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
