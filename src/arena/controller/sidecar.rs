//! The controller of players that speak the protocol of pente.org's server.
//!
//! A question contains the whole game and no time limit: the level, `option.level=1` to `8`,
//! determines how long a player thinks.

use crate::controller::Controller;
use crate::error::{ArenaError, Fault, PlayerError};
use crate::player::{Action, Decision, NewGame, Turn};
use crate::process::Process;
use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_protocol::sidecar::{Command, Response};
use pentarch_session::codec::sidecar as dialect;
use std::collections::VecDeque;

/// The strongest level.
const LEVEL: u32 = 8;

#[derive(Clone, Debug)]
pub(crate) struct Sidecar {
    level: u32,
    /// The second stone of a turn.
    pending: VecDeque<Move>,
}

impl Sidecar {
    pub(crate) fn new(
        rules: &Ruleset,
        options: &[(String, String)],
    ) -> Result<Sidecar, ArenaError> {
        let wrong = |reason: String| ArenaError::Setup(reason);
        dialect::game_number(rules)
            .ok_or_else(|| wrong(format!("pente.org does not play {rules}")))?;
        let mut level = LEVEL;
        for (name, value) in options {
            if !name.eq_ignore_ascii_case("level") {
                return Err(wrong(format!(
                    "option `{name}`: the only option of pente.org's players is `level`"
                )));
            }
            let known = value.parse().ok().filter(|&number| dialect::level(number).is_ok());
            level = known.ok_or_else(|| {
                wrong(format!("option `level`: expected 1 to 8, found `{value}`"))
            })?;
        }
        Ok(Sidecar { level, pending: VecDeque::new() })
    }
}

impl Controller for Sidecar {
    fn handshake(&mut self, _: &mut Process) -> Result<Option<String>, PlayerError> {
        Ok(None)
    }

    fn new_game(&mut self, process: &mut Process, _: &NewGame<'_>) -> Result<(), PlayerError> {
        process.discard_pending();
        self.pending.clear();
        Ok(())
    }

    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, PlayerError> {
        if let Some(mv) = self.pending.pop_front() {
            return Ok(Decision::prepared(mv));
        }
        process.discard_pending();
        let question = dialect::question(turn.game, self.level);
        let unknown = || {
            PlayerError::Arena(ArenaError::Setup("pente.org does not play this game".to_owned()))
        };
        let question = Command::Move(question.ok_or_else(unknown)?);
        let (limit, stop) = (turn.timer().limit(), None::<Command>);
        let (time, number) = process.ask_for_line([&question], limit, stop, |line| {
            // The protocol has no other lines.
            match Response::parse(line) {
                Ok(Response::Move(number)) => Ok(Some(number)),
                Ok(Response::Error(answer)) => {
                    Err(Fault::Refused { command: question.to_string(), answer })
                }
                Err(_) => Err(Fault::Garbled(line.to_owned())),
            }
        })?;
        let illegal = |error| Fault::IllegalMove(format!("`{number}`: {error}"));
        self.pending = dialect::moves(turn.game, number).map_err(illegal)?.into();
        let first = self.pending.pop_front();
        let action = Action::Move(first.ok_or_else(|| Fault::Garbled(number.to_string()))?);
        Ok(Decision { action, time, report: None })
    }
}
