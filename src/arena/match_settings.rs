//! The settings of a match, and how its engines are started.

use crate::adjudication::Adjudication;
use crate::builtin::{BuiltInPlayer, RandomPlayer};
use crate::child::ChildPlayer;
use crate::controller;
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

/// The settings of games between two engines, or between more engines in games of more seats.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The game, and who knows its rules.
    pub rules: Rulebook,
    pub engines: Vec<EngineSpec>,
    /// The time control of engines without one of their own.
    pub control: TimeControl,
    pub games: u32,
    /// Ends the match as soon as the test accepts a hypothesis.
    pub sprt: Option<Sprt>,
    pub openings: Openings,
    /// How many games are played at the same time.
    pub concurrency: usize,
    pub timeouts: Timeouts,
    /// The seed of the random players.
    pub seed: u64,
    pub adjudication: Adjudication,
}

/// How long to poll for an answer before the thread sleeps: about the time that falling asleep and
/// waking up take, including the exit from an idle state of the processor.
const SPIN_TIME: Duration = Duration::from_micros(50);

/// The number of available processors, if the system reports it.
fn processors() -> Option<usize> {
    thread::available_parallelism().ok().map(usize::from)
}

impl Match {
    /// Whether both games of a pair, or games from the same opening, are identical: the engines are
    /// deterministic, and they are equal or there are more games than openings.
    pub fn repeats_games(&self) -> bool {
        let fixed = |entrant: Entrant| {
            let control = self.time_control_of(entrant);
            let timed = control.clock.is_some() || control.move_time.is_some();
            matches!(&self.engines[entrant.index()].kind, EngineKind::BuiltIn(options)
                if options.threads == 1 && !timed && !self.engines[entrant.index()].ponder)
        };
        let mut kinds = self
            .entrants()
            .map(|entrant| (&self.engines[entrant.index()].kind, self.time_control_of(entrant)));
        let first = kinds.next();
        let equal = kinds.all(|kind| Some(kind) == first);
        let sets = self.games.div_ceil(self.engines.len().max(1) as u32);
        let openings = match &self.rules {
            Rulebook::BuiltIn(_) => self.openings.count(),
            Rulebook::Engines(game) => Some(game.openings.len().max(1) as u32),
        };
        let used_up = openings.is_some_and(|count| sets > count);
        self.entrants().all(fixed) && self.games > 1 && (equal || used_up)
    }

    fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.engines.len() as u8).map(Entrant)
    }

    /// The game, the time controls and the openings in a few words.
    pub fn conditions(&self) -> String {
        let mut controls: Vec<String> =
            self.entrants().map(|entrant| self.time_control_of(entrant).to_string()).collect();
        controls.dedup();
        let control = controls.join(" against ");
        let openings = match &self.rules {
            Rulebook::BuiltIn(_) => self.openings.to_string(),
            Rulebook::Engines(game) => game.described_openings(),
        };
        format!("{}, {control}, {openings}", self.rules)
    }

    /// Rejects settings that cannot be played.
    pub(crate) fn check(&self, is_head_to_head: bool) -> Result<(), ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        if self.sprt.is_some() && !is_head_to_head {
            return setup("--sprt compares two engines in a game of two sides".into());
        }
        if self.rules.sides() > 2 && self.adjudication.needs_two_sides() {
            return setup("in a game of more than two sides only --max-plies ends games".into());
        }
        for entrant in self.entrants() {
            let spec = &self.engines[entrant.index()];
            if self.time_control_of(entrant).is_unbounded() {
                return setup(
                    "the moves have no limit; set --tc, --movetime, --nodes or --depth".into(),
                );
            }
            if self.rules.built_in().is_none() {
                self.check_foreign(spec)?;
            }
            if let EngineKind::Child { launch, dialect, options } = &spec.kind {
                controller::for_dialect(&self.rules, spec.protocol_settings(*dialect, options))?;
                if self.openings.have_positions() && !dialect.capabilities().has_positions {
                    return setup(format!(
                        "`{}` speaks {}, which has no word for the positions in the openings; use \
                         openings of moves",
                        launch.command_line(),
                        dialect.title()
                    ));
                }
            }
        }
        Ok(())
    }

    /// Rejects an engine that cannot be asked for the rules.
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
            let text = "only games with built-in rules can be adjudicated by proof";
            return Err(ArenaError::Setup(text.into()));
        }
        Ok(())
    }

    /// Logs a warning if more threads search at a time than there are processors: engines would
    /// wait for each other and lose on time.
    pub(crate) fn warn_if_oversubscribed(&self, games: u32) {
        let (threads, processors) = (self.threads(), processors().unwrap_or(usize::MAX));
        let concurrency = self.concurrency.min(games as usize);
        if concurrency.saturating_mul(threads) > processors {
            log::warn!(
                "{concurrency} games at a time with {threads} threads each are more than the \
                 {processors} processors of this machine; lower --concurrency or Threads"
            );
        }
    }

    /// The maximum number of search threads of an engine.
    fn threads(&self) -> usize {
        self.engines.iter().map(EngineSpec::threads).max().unwrap_or(1)
    }

    /// How long to poll for answers: not at all if that takes a processor from an engine.
    fn spin_wait(&self) -> Duration {
        let crowded = processors()
            .is_none_or(|number| self.concurrency.saturating_mul(self.threads()) > number);
        let ponders = self.engines.iter().any(|engine| engine.ponder);
        if crowded || ponders { Duration::ZERO } else { SPIN_TIME }
    }

    /// The time control of an engine.
    pub(crate) fn time_control_of(&self, entrant: Entrant) -> TimeControl {
        self.engines[entrant.index()].control.unwrap_or(self.control)
    }

    /// How much longer than its limit a move of an engine may take.
    pub(crate) fn margin_of(&self, entrant: Entrant) -> Duration {
        self.engines[entrant.index()].margin.unwrap_or(self.timeouts.margin)
    }

    /// Starts an engine.
    pub(crate) fn start(
        &self,
        entrant: Entrant,
        cancel: &CancelToken,
    ) -> Result<Box<dyn Player>, ArenaError> {
        let spec = &self.engines[entrant.index()];
        let label = spec.label();
        let margin = self.margin_of(entrant);
        let timeouts = Timeouts { margin, spin_wait: self.spin_wait(), ..self.timeouts };
        let cancel = cancel.clone();
        Ok(match &spec.kind {
            EngineKind::BuiltIn(options) => {
                Box::new(BuiltInPlayer::new(label, options.clone(), spec.ponder, timeouts, cancel))
            }
            EngineKind::Random(seed) => Box::new(RandomPlayer::new(
                label,
                seed.unwrap_or(self.seed.wrapping_add(u64::from(entrant.0))),
            )),
            EngineKind::Child { launch, dialect, options } => {
                let program = (launch, label.as_str());
                let rules = &self.rules;
                Box::new(ChildPlayer::start(
                    rules,
                    spec.protocol_settings(*dialect, options),
                    program,
                    timeouts,
                    cancel,
                )?)
            }
        })
    }
}
