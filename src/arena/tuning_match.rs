//! Two players of one engine that differ in options, which change from game to game.

use crate::child::controller;
use crate::engine_spec::EngineKind;
use crate::error::{ArenaError, Failure, Fault};
use crate::live_view::Watch;
use crate::match_settings::Match;
use crate::opening::Opening;
use crate::process::Process;
use crate::referee::{Players, Referee};
use crate::schedule::{Entrant, Pairing, Start};
use crate::tournament::Tournament;
use crate::wait::CancelToken;
use pentarch_core::game::Side;
use pentarch_protocol::ugi::{Flavor, OptionDecl};
use pentarch_records::{GameRecord, GameResult};
use pentarch_session::codec::ugi::Codec;
use std::fmt;

/// Two running players of a match, kept from game to game.
pub struct Rivals<'a> {
    terms: &'a Match,
    players: Players,
}

impl fmt::Debug for Rivals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rivals").field("terms", self.terms).finish_non_exhaustive()
    }
}

impl<'a> Rivals<'a> {
    /// Starts both engines of a match.
    pub fn start(terms: &'a Match, cancel: &CancelToken) -> Result<Rivals<'a>, ArenaError> {
        let players = Entrant::BOTH.map(|entrant| terms.start(entrant, cancel));
        Ok(Rivals { terms, players: players.into_iter().collect::<Result<_, _>>()? })
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
            Ok(()) | Err(Failure::Fault(Fault::Crash(_))) => Ok(()),
            Err(Failure::Fault(fault)) => {
                Err(ArenaError::Setup(format!("the engine `{}`: {fault}", player.name())))
            }
            Err(Failure::Ours(error)) => Err(error),
        }
    }

    /// Plays a game, the first seat to `first`. Whatever a player does wrong loses it.
    pub fn play(
        &mut self,
        number: u32,
        first: Entrant,
        opening: Opening,
    ) -> Result<GameRecord, ArenaError> {
        let names = self.players.iter().map(|player| player.name().to_owned()).collect();
        let both = [first, first.other()].into_iter().cycle();
        let seats = both.take(self.terms.rules.seats().into()).collect();
        let pairing = Pairing { number, seats, start: Start::Ours(opening) };
        let referee = Referee { terms: self.terms, names, watch: Watch::default() };
        Ok(referee.play(&pairing, &mut self.players)?.record)
    }
}

/// The points of the player who had the first seat.
pub fn points_of_first(record: &GameRecord) -> f64 {
    match record.result {
        GameResult::Win(Side(0)) => 1.0,
        GameResult::Win(_) => 0.0,
        GameResult::Draw => 0.5,
    }
}

impl Match {
    /// Refuses what two players of one engine cannot play, and reads the options that the engine
    /// declares: the numbers of the search too where it is the one of this program.
    pub fn declared_options(&self, cancel: &CancelToken) -> Result<Vec<OptionDecl>, ArenaError> {
        let setup = |text: String| Err(ArenaError::Setup(text));
        Tournament::of_match(self.clone()).check(None)?;
        let (Some(rules), [spec, _]) = (self.rules.ours(), self.engines.as_slice()) else {
            return setup("two players of one engine play a game whose rules are ours".to_owned());
        };
        if self.rules.sides() != 2 {
            return setup(format!("`{}` has more than two sides", self.rules));
        }
        match &spec.kind {
            EngineKind::BuiltIn(options) => {
                Ok(Codec(Flavor::Ugi).declarations(rules, options, true))
            }
            EngineKind::Child { launch, dialect, options } => {
                let mut controller = controller(&self.rules, spec.conversation(*dialect, options))?;
                let (timeouts, cancel) = (self.timeouts, cancel.clone());
                let mut process = Process::start(
                    launch,
                    &spec.label(),
                    dialect.capabilities().quit_line,
                    timeouts,
                    cancel,
                )?;
                controller.declared_options(&mut process).map_err(|failure| match failure {
                    Failure::Ours(error) => error,
                    Failure::Fault(fault) => {
                        let (command, dialect) = (launch.text(), dialect.title());
                        ArenaError::Handshake { command, dialect, fault }
                    }
                })
            }
            EngineKind::Random(_) => {
                setup("a player that moves at random has nothing to tune".to_owned())
            }
        }
    }
}
