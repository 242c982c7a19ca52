//! A match: the terms of its games, and how its engines are started.

use crate::adjudication::Adjudication;
use crate::builtin::{BuiltIn, Random};
use crate::child::{ChildPlayer, controller};
use crate::engine_spec::{EngineKind, EngineSpec};
use crate::error::ArenaError;
use crate::opening::Openings;
use crate::player::Player;
use crate::rulebook::Rulebook;
use crate::schedule::Entrant;
use crate::sprt::Sprt;
use crate::time_control::TimeControl;
use crate::wait::{CancelToken, Timeouts};
use pentarch_protocol::Dialect;
use std::thread;
use std::time::Duration;

/// A match of two engines, or in games of more seats of up to as many.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// What is played, and who knows its rules.
    pub rules: Rulebook,
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// How moves are limited, unless an engine has limits of its own.
    pub control: TimeControl,
    /// The number of games.
    pub games: u32,
    /// Ends the match before all games are played, as soon as it accepts a hypothesis.
    pub sprt: Option<Sprt>,
    /// Where games begin.
    pub openings: Openings,
    /// How many games are played at the same time.
    pub concurrency: usize,
    /// How patient the arena is.
    pub timeouts: Timeouts,
    /// Chooses the moves of random players.
    pub seed: u64,
    /// When games are ended early.
    pub adjudication: Adjudication,
}

/// How long an answer is looked for that may be there at once: no longer than it takes to sleep and to be
/// woken, even where the processor has to leave a state of rest.
const LOOKOUT: Duration = Duration::from_micros(50);

/// How many threads can run at a time, where the system tells.
fn processors() -> Option<usize> {
    thread::available_parallelism().ok().map(usize::from)
}

impl Match {
    /// Whether games of a pair from one opening are the same game, because equal engines without a clock
    /// or chance change seats, or because more games than openings are played by such engines.
    pub fn repeats_itself(&self) -> bool {
        let fixed = |entrant: Entrant| {
            let control = self.control_of(entrant);
            let timed = control.clock.is_some() || control.move_time.is_some();
            matches!(&self.engines[entrant.index()].kind, EngineKind::BuiltIn(options)
                if options.threads == 1 && !timed && !self.engines[entrant.index()].ponder)
        };
        let mut kinds = self
            .entrants()
            .map(|entrant| (&self.engines[entrant.index()].kind, self.control_of(entrant)));
        let first = kinds.next();
        let equal = kinds.all(|kind| Some(kind) == first);
        let sets = self.games.div_ceil(self.engines.len().max(1) as u32);
        let openings = match &self.rules {
            Rulebook::Ours(_) => self.openings.count(),
            Rulebook::Engines(game) => Some(game.openings.len().max(1) as u32),
        };
        let used_up = openings.is_some_and(|count| sets > count);
        self.entrants().all(fixed) && self.games > 1 && (equal || used_up)
    }

    /// The engines by number.
    fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.engines.len() as u8).map(Entrant)
    }

    /// What is played and how, in a few words.
    pub fn conditions(&self) -> String {
        let mut controls: Vec<String> =
            self.entrants().map(|entrant| self.control_of(entrant).to_string()).collect();
        controls.dedup();
        let control = controls.join(" against ");
        let openings = match &self.rules {
            Rulebook::Ours(_) => self.openings.to_string(),
            Rulebook::Engines(game) => game.described_openings(),
        };
        format!("{}, {control}, {openings}", self.rules)
    }

    /// Refuses what cannot be played.
    pub(crate) fn check(&self, is_duel: bool) -> Result<(), ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        if self.sprt.is_some() && !is_duel {
            return setup("--sprt compares two engines in a game of two sides".into());
        }
        if self.rules.sides() > 2 && self.adjudication.needs_two_sides() {
            return setup("in a game of more than two sides only --max-plies ends games".into());
        }
        for entrant in self.entrants() {
            let spec = &self.engines[entrant.index()];
            if self.control_of(entrant).is_unbounded() {
                return setup(
                    "nothing limits the moves; give --tc, --movetime, --nodes or --depth".into(),
                );
            }
            if self.rules.ours().is_none() {
                self.check_foreign(spec)?;
            }
            if let EngineKind::Child { launch, dialect, options } = &spec.kind {
                controller(&self.rules, spec.conversation(*dialect, options))?;
                if self.openings.have_positions() && !dialect.facts().has_positions {
                    return setup(format!(
                        "`{}` speaks {}, which has no word for the positions in the openings; use \
                         openings of moves",
                        launch.text(),
                        dialect.title()
                    ));
                }
            }
        }
        Ok(())
    }

    /// Refuses an engine that cannot be asked for the rules.
    fn check_foreign(&self, spec: &EngineSpec) -> Result<(), ArenaError> {
        let speaks_ugi = matches!(&spec.kind, EngineKind::Child { dialect: Dialect::Ugi, .. });
        if !speaks_ugi {
            return Err(ArenaError::Setup(format!(
                "`{}` cannot be asked for the rules of `{}`: with the engines as referee every engine \
                 is a command over UGI",
                spec.label(),
                self.rules
            )));
        }
        if spec.ponder {
            let text = "an engine that referees is asked between its moves and cannot ponder";
            return Err(ArenaError::Setup(text.into()));
        }
        if self.adjudication.proven.is_some() {
            let text = "only a game whose rules are ours can be adjudicated by proof";
            return Err(ArenaError::Setup(text.into()));
        }
        Ok(())
    }

    /// Warns if more threads search at a time than the machine has processors: engines would wait for
    /// each other, and lose on time.
    pub(crate) fn warn_of_crowd(&self, games: u32) {
        let (threads, processors) = (self.threads(), processors().unwrap_or(usize::MAX));
        let concurrency = self.concurrency.min(games as usize);
        if concurrency.saturating_mul(threads) > processors {
            log::warn!(
                "{concurrency} games at a time with {threads} threads each are more than the \
                 {processors} processors of this machine; lower --concurrency or Threads"
            );
        }
    }

    /// The most threads that one engine searches with.
    fn threads(&self) -> usize {
        self.engines.iter().map(EngineSpec::threads).max().unwrap_or(1)
    }

    /// How long answers are looked for before sleeping: not at all where that would take a processor from
    /// an engine that thinks.
    fn lookout(&self) -> Duration {
        let crowded = processors()
            .is_none_or(|number| self.concurrency.saturating_mul(self.threads()) > number);
        let ponders = self.engines.iter().any(|engine| engine.ponder);
        if crowded || ponders { Duration::ZERO } else { LOOKOUT }
    }

    /// How an engine's moves are limited.
    pub(crate) fn control_of(&self, entrant: Entrant) -> TimeControl {
        self.engines[entrant.index()].control.unwrap_or(self.control)
    }

    /// Starts an engine.
    pub(crate) fn start(
        &self,
        entrant: Entrant,
        cancel: &CancelToken,
    ) -> Result<Box<dyn Player>, ArenaError> {
        let spec = &self.engines[entrant.index()];
        let label = spec.label();
        let timeouts = Timeouts { lookout: self.lookout(), ..self.timeouts };
        let cancel = cancel.clone();
        Ok(match &spec.kind {
            EngineKind::BuiltIn(options) => {
                Box::new(BuiltIn::new(label, options.clone(), spec.ponder, timeouts, cancel))
            }
            EngineKind::Random(seed) => Box::new(Random::new(
                label,
                seed.unwrap_or(self.seed.wrapping_add(u64::from(entrant.0))),
            )),
            EngineKind::Child { launch, dialect, options } => {
                let program = (launch, label.as_str());
                let rules = &self.rules;
                Box::new(ChildPlayer::start(
                    rules,
                    spec.conversation(*dialect, options),
                    program,
                    timeouts,
                    cancel,
                )?)
            }
        })
    }
}
