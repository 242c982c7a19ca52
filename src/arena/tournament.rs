//! Tournaments as values: the engines, the games and their settings.

use crate::adjudication::Adjudication;
use crate::engine_spec::{EngineKind, EngineSpec};
use crate::error::ArenaError;
use crate::match_settings::Match;
use crate::opening::{BalanceCriterion, Openings};
use crate::pairing::{PairingGenerator, PairingVariant};
use crate::process::{LaunchOptions, RestartPolicy};
use crate::rulebook::Rulebook;
use crate::schedule::{Entrant, FirstMove, Shard, TournamentFormat};
use crate::sprt::Sprt;
use pentarch_core::rules::Ruleset;
use pentarch_engine::{Game, Options};
use pentarch_records::GameRecord;
use std::fmt::{self, Write as _};

/// A tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    pub format: TournamentFormat,
    /// The number of cycles; in a Swiss the number of rounds.
    pub rounds: u32,
    /// Who has the first seat in the next game of a matchup.
    pub first: FirstMove,
    /// The variants; the engines are the same in all.
    pub variants: Vec<TournamentVariant>,
    /// Whether concurrent games are pinned to cores of their own.
    pub pin: bool,
}

/// A variant of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentVariant {
    /// The format of the tournament, or `Seats` for a board with more seats.
    pub format: TournamentFormat,
    /// The settings of its games; the number of games is that of a matchup.
    pub settings: Match,
}

impl Tournament {
    /// A match as a tournament: its engines meet once.
    pub fn of_match(settings: Match) -> Tournament {
        let variants = vec![TournamentVariant { format: TournamentFormat::Pair, settings }];
        let first = FirstMove::default();
        Tournament { format: TournamentFormat::Pair, rounds: 1, first, variants, pin: false }
    }

    /// The engines.
    pub fn engines(&self) -> &[EngineSpec] {
        self.variants.first().map_or(&[], |variant| variant.settings.engines.as_slice())
    }

    /// The engines by number.
    pub fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.engines().len() as u8).map(Entrant)
    }

    pub fn sprt(&self) -> Option<Sprt> {
        self.variants.first().and_then(|variant| variant.settings.sprt)
    }

    /// The names of the engines before they were asked.
    pub fn labels(&self) -> Vec<String> {
        number_duplicates(&self.engines().iter().map(EngineSpec::label).collect::<Vec<_>>())
    }

    /// The generator of its pairings.
    pub fn pairings(&self) -> PairingGenerator {
        let variant = |variant: &TournamentVariant| PairingVariant {
            format: variant.format,
            games: variant.settings.games,
            seats: variant.settings.rules.seats(),
        };
        PairingGenerator {
            format: self.format,
            entrants: self.engines().len() as u8,
            rounds: self.rounds,
            variants: self.variants.iter().map(variant).collect(),
        }
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.pairings().games()
    }

    /// The number of sides of each variant.
    pub(crate) fn sides(&self) -> Vec<u8> {
        self.variants.iter().map(|variant| variant.settings.rules.sides()).collect()
    }

    /// Whether two engines play with a side each, so that their strengths can be compared.
    pub(crate) fn is_head_to_head(&self) -> bool {
        let two_sides = |variant: &TournamentVariant| variant.settings.rules.sides() == 2;
        self.engines().len() == 2 && self.variants.iter().all(two_sides)
    }

    /// Rejects what cannot be played.
    pub fn check(&self, shard: Option<Shard>) -> Result<(), ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        if self.variants.is_empty() {
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
        if shard.is_some() && self.first == FirstMove::Loser {
            return setup(
                "--shard cannot split a tournament in which the loser begins: who begins depends on the \
                 game before"
                    .into(),
            );
        }
        if shard.is_some() && self.variants.iter().any(|variant| variant.settings.sprt.is_some()) {
            log::warn!("shards do not stop by themselves: `merge --sprt` tests all of them");
        }
        for variant in &self.variants {
            self.check_variant(variant)?;
        }
        Ok(())
    }

    fn check_variant(&self, variant: &TournamentVariant) -> Result<(), ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        let settings = &variant.settings;
        let rules = &settings.rules;
        let (engines, seats) = (settings.engines.len(), usize::from(rules.seats()));
        let teams = rules.has_teams();
        let fits = match variant.format {
            TournamentFormat::Pair => (2..=seats).contains(&engines) && !(teams && engines == 3),
            TournamentFormat::Seats => engines >= 2 && !(teams && engines == 3),
            _ if rules.sides() > 2 => {
                return setup(format!(
                    "a {} has two engines at a board and `{rules}` has {} sides; play it with the \
                     format `seats`",
                    variant.format,
                    rules.sides()
                ));
            }
            _ => engines >= 2,
        };
        if !fits {
            return setup(format!("{engines} engines cannot share the {seats} seats of `{rules}`"));
        }
        if self.first == FirstMove::Loser
            && (variant.format == TournamentFormat::Seats || rules.sides() > 2)
        {
            return setup("the loser begins only where two engines meet".into());
        }
        if self.first == FirstMove::Loser && settings.sprt.is_some() {
            return setup(
                "a sequential test needs pairs of games with swapped seats, which there are none of if the \
                 loser begins"
                    .into(),
            );
        }
        settings.check(self.is_head_to_head())
    }
}

impl Tournament {
    /// A fingerprint of everything that the games depend on, in hexadecimal. It excludes what may
    /// change between runs: concurrency, timeouts, the sequential test, and the number of rounds,
    /// because additional rounds only follow those played; a Swiss pairs with regard to the
    /// remaining rounds and is the exception.
    pub fn id(&self) -> String {
        format!("{:016x}", fnv1a(&self.fingerprint().0))
    }

    fn fingerprint(&self) -> Fingerprint {
        let mut all = Fingerprint::default();
        all.add("format", self.format);
        all.add_unless(
            "rounds",
            if self.format == TournamentFormat::Swiss { self.rounds } else { 0 },
            &0,
        );
        all.add_if("loser begins", self.first == FirstMove::Loser);
        for variant in &self.variants {
            let games =
                if self.format == TournamentFormat::Pair { 0 } else { variant.settings.games };
            all.add("variant", &variant.settings.rules);
            all.add("format", variant.format);
            all.add_unless("games", games, &0);
            variant.settings.list(&mut all);
        }
        all
    }

    /// Rejects a game on record that does not belong to this tournament.
    pub(crate) fn check_record(&self, record: &GameRecord) -> Result<(), String> {
        let number = record.game;
        let Some(place) = &record.tournament else {
            return Err(format!("game {number} belongs to no tournament"));
        };
        if place.id == self.id() {
            return Ok(());
        }
        Err(format!(
            "game {number} belongs to another tournament: {}",
            self.describe_difference(record)
        ))
    }

    /// How a game of another tournament differs.
    fn describe_difference(&self, record: &GameRecord) -> String {
        let place = record.tournament.as_ref();
        if place.is_some_and(|place| place.format != self.format.to_string()) {
            let format = place.map_or("", |place| &place.format);
            return format!("its format is {format} and now it is {}", self.format);
        }
        let variants: Vec<String> =
            self.variants.iter().map(|variant| variant.settings.rules.to_string()).collect();
        if !variants.contains(&record.rules) {
            return format!("it is {} and now {} is played", record.rules, variants.join(", "));
        }
        let controls: Vec<String> = self
            .entrants()
            .filter_map(|entrant| {
                Some(self.variants.first()?.settings.time_control_of(entrant).to_string())
            })
            .collect();
        if let Some(control) = record.time_controls.iter().find(|text| !controls.contains(text)) {
            return format!("a move had the limit {control} and now has {}", controls.join(" or "));
        }
        "an engine, an option, the openings, the seed or the number of games of an encounter has changed"
            .to_owned()
    }
}

/// The names; equal ones get their number appended.
pub(crate) fn number_duplicates(names: &[String]) -> Vec<String> {
    let doubled = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let number_duplicates = names.iter().zip(1..).map(|(name, number)| {
        if doubled(name) { format!("{name}-{number}") } else { name.clone() }
    });
    number_duplicates.collect()
}

/// What games depend on, one setting a line. Default values are omitted, so that a new setting does
/// not change the fingerprints of tournaments without it.
#[derive(Debug, Default)]
struct Fingerprint(String);

impl Fingerprint {
    fn add(&mut self, key: &str, value: impl fmt::Display) {
        // Writing to a string cannot fail.
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
    fn list(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add("control", self.control);
        fingerprint.add("seed", self.seed);
        match &self.rules {
            Rulebook::BuiltIn(rules) => self.openings.list(rules, fingerprint),
            Rulebook::Engines(game) => {
                fingerprint.add("referee", "engines");
                for opening in &game.openings {
                    let position = opening.position.as_deref().unwrap_or_default();
                    fingerprint.add("opening", format!("{position} {}", opening.moves.join(" ")));
                }
            }
        }
        let Adjudication { resign, draw, max_plies, proven, strict_time } = self.adjudication;
        fingerprint.add_some("resign", resign);
        fingerprint.add_some("draw", draw);
        fingerprint.add_some("max plies", max_plies);
        fingerprint.add_some("proven", proven);
        fingerprint.add_if("strict time", strict_time);
        for engine in &self.engines {
            engine.list(fingerprint);
        }
    }
}

impl Openings {
    fn list(&self, rules: &Ruleset, fingerprint: &mut Fingerprint) {
        match self {
            Openings::List(list) => {
                for opening in list {
                    let position = opening.position.as_deref().unwrap_or_default();
                    let game = opening.start(rules).unwrap_or_else(|_| Game::new(rules.clone()));
                    let moves = opening.moves.iter().map(|&mv| game.move_text(mv));
                    let moves: Vec<String> = moves.collect();
                    fingerprint.add("opening", format!("{position} {}", moves.join(" ")));
                }
            }
            Openings::Random { plies, seed } => {
                fingerprint.add("random", format!("{plies} {seed}"));
            }
            Openings::Balanced { plies, seed, balance: BalanceCriterion { window, nodes } } => {
                fingerprint.add("balanced", format!("{plies} {seed} {window} {nodes}"));
            }
        }
    }
}

impl EngineSpec {
    fn list(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add("engine", self.name.as_deref().unwrap_or_default());
        fingerprint.add_some("control", self.control);
        fingerprint.add_if("ponder", self.ponder);
        match &self.kind {
            EngineKind::BuiltIn(options) => {
                let usual = Options::default();
                for row in Options::rows() {
                    fingerprint.add_unless(row.name, row.get(options), &row.get(&usual));
                }
            }
            EngineKind::Random(seed) => {
                fingerprint.add("random", seed.map_or("any".into(), |n| n.to_string()));
            }
            EngineKind::Child { launch, dialect, options } => {
                let LaunchOptions { directory, environment, restart, .. } = launch;
                fingerprint.add(dialect.name(), launch.command_line());
                fingerprint.add_some("dir", directory.as_ref().map(|path| path.display()));
                for (name, value) in environment.iter().chain(options) {
                    fingerprint.add(name, value);
                }
                fingerprint.add_unless("restart", restart.word(), &RestartPolicy::default().word());
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
