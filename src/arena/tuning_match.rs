//! Matches for tuning: two players of one engine whose options change from game to game.

use crate::controller;
use crate::engine_spec::EngineKind;
use crate::error::{ArenaError, Fault, PlayerError};
use crate::live_view::LiveView;
use crate::match_settings::Match;
use crate::opening::Opening;
use crate::process::Process;
use crate::referee::{Players, Referee};
use crate::schedule::{Entrant, GameSetup, GameStart};
use crate::tournament::Tournament;
use crate::wait::CancelToken;
use pentarch_core::game::Side;
use pentarch_protocol::ugi::{Flavor, OptionDecl};
use pentarch_records::{GameRecord, GameResult};
use pentarch_session::codec::ugi::Codec;
use std::fmt;

/// The two running players.
pub struct TuningMatch<'a> {
    settings: &'a Match,
    players: Players,
}

impl fmt::Debug for TuningMatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TuningMatch").field("settings", self.settings).finish_non_exhaustive()
    }
}

impl<'a> TuningMatch<'a> {
    /// Starts both engines of a match.
    pub fn start(settings: &'a Match, cancel: &CancelToken) -> Result<TuningMatch<'a>, ArenaError> {
        let players = Entrant::BOTH.map(|entrant| settings.start(entrant, cancel));
        Ok(TuningMatch { settings, players: players.into_iter().collect::<Result<_, _>>()? })
    }

    /// Sets options of a player between two games.
    pub fn set_options(
        &mut self,
        entrant: Entrant,
        options: &[(String, String)],
    ) -> Result<(), ArenaError> {
        let player = &mut self.players[entrant.index()];
        match player.set_options(options) {
            // It is started again for the next game, with these options.
            Ok(()) | Err(PlayerError::Fault(Fault::Crash(_))) => Ok(()),
            Err(PlayerError::Fault(fault)) => {
                Err(ArenaError::Setup(format!("the engine `{}`: {fault}", player.name())))
            }
            Err(PlayerError::Arena(error)) => Err(error),
        }
    }

    /// Plays a game; `first` has the first seat.
    pub fn play(
        &mut self,
        number: u32,
        first: Entrant,
        opening: Opening,
    ) -> Result<GameRecord, ArenaError> {
        let names = self.players.iter().map(|player| player.name().to_owned()).collect();
        let both = [first, first.other()].into_iter().cycle();
        let seats = both.take(self.settings.rules.seats().into()).collect();
        let pairing = GameSetup { number, seats, start: GameStart::BuiltIn(opening) };
        let referee = Referee { settings: self.settings, names, live_view: LiveView::default() };
        Ok(referee.play(&pairing, &mut self.players)?.record)
    }
}

/// The points of the player on the first seat.
pub fn first_seat_points(record: &GameRecord) -> f64 {
    match record.result {
        GameResult::Win(Side(0)) => 1.0,
        GameResult::Win(_) => 0.0,
        GameResult::Draw => 0.5,
    }
}

impl Match {
    /// Checks that the match can be used for tuning, and returns the options that the engine
    /// declares; those of the built-in engine include the search parameters.
    pub fn declared_options(&self, cancel: &CancelToken) -> Result<Vec<OptionDecl>, ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        Tournament::of_match(self.clone()).check(None)?;
        let (Some(rules), [spec, _]) = (self.rules.built_in(), self.engines.as_slice()) else {
            return setup("tuning needs a game with built-in rules".to_owned());
        };
        if self.rules.sides() != 2 {
            return setup(format!("`{}` has more than two sides", self.rules));
        }
        match &spec.kind {
            EngineKind::BuiltIn(options) => {
                Ok(Codec(Flavor::Ugi).declarations(rules, options, true))
            }
            EngineKind::Child { launch, dialect, options } => {
                let mut controller = controller::for_dialect(
                    &self.rules,
                    spec.protocol_settings(*dialect, options),
                )?;
                let (timeouts, cancel) = (self.timeouts, cancel.clone());
                let mut process = Process::start(
                    launch,
                    &spec.label(),
                    dialect.capabilities().quit_line,
                    timeouts,
                    cancel,
                )?;
                controller.declared_options(&mut process).map_err(|failure| match failure {
                    PlayerError::Arena(error) => error,
                    PlayerError::Fault(fault) => {
                        let (command, dialect) = (launch.command_line(), dialect.title());
                        ArenaError::Handshake { command, dialect, fault, errors: Vec::new() }
                    }
                })
            }
            EngineKind::Random(_) => {
                setup("a player that moves at random has nothing to tune".to_owned())
            }
        }
    }
}
