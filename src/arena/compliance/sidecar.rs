//! The compliance steps of the protocol of pente.org's players.

use crate::compliance::harness::{
    ComplianceSettings, Connection, DialectSteps, NamedStep, StepResult, legal, random_game_of,
    wrong,
};
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::sidecar::{Command, Response};
use pentarch_session::codec::sidecar as dialect;

/// The server's side of the protocol.
pub(crate) struct Client {
    connection: Connection,
    settings: ComplianceSettings,
}

/// The level to ask for: the quickest.
const LEVEL: u32 = 1;

/// The numbers of moves before the questions.
const PLIES: [usize; 4] = [1, 2, 5, 12];

impl DialectSteps for Client {
    fn new(connection: Connection, settings: &ComplianceSettings) -> Client {
        Client { connection, settings: settings.clone() }
    }

    fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    fn greet(&mut self) -> StepResult {
        Ok(())
    }

    fn check_rules(rules: &Ruleset) -> Result<(), String> {
        let number = dialect::game_number(rules);
        number.map(drop).ok_or_else(|| format!("pente.org does not play {rules}"))
    }

    fn steps(_: &ComplianceSettings) -> Vec<NamedStep<Client>> {
        vec![
            ("opens the game", Client::opens),
            ("answers questions with legal moves", Client::answers),
            ("answers the same game again, and another one", Client::keeps_nothing),
            ("refuses what is no question and lives on", Client::refuses),
            ("leaves after `QUIT`", Client::quits),
            ("leaves at the end of input", Client::exits_at_end_of_input),
        ]
    }

    fn send_quit(&mut self) -> StepResult {
        self.connection.send(Command::Quit);
        Ok(())
    }
}

impl Client {
    /// Asks for a move in a game; the answer must be legal.
    fn ask(&mut self, game: &Game) -> StepResult {
        let Some(question) = dialect::question(game, LEVEL) else {
            return wrong("pente.org does not play this game");
        };
        self.connection.send(Command::Move(question));
        let line = self.connection.read()?;
        let Ok(Response::Move(number)) = Response::parse(&line) else {
            return wrong(format!("`{line}` instead of `OK` and a move"));
        };
        let moves = legal(dialect::moves(game, number))?;
        let mut played = game.clone();
        self.play_answer(&mut played, &moves)?;
        let incomplete = played.outcome().is_none() && played.to_move() == game.to_move();
        if incomplete { wrong(format!("`{line}` is not the whole turn")) } else { Ok(()) }
    }

    fn random_game(&self, plies: usize) -> Game {
        random_game_of(&self.settings.rules, plies, |_, mv| mv.cell().is_some())
    }

    fn opens(&mut self) -> StepResult {
        self.ask(&Game::new(self.settings.rules.clone()))
    }

    fn answers(&mut self) -> StepResult {
        PLIES.into_iter().try_for_each(|plies| self.ask(&self.random_game(plies)))
    }

    fn keeps_nothing(&mut self) -> StepResult {
        [12, 1, 12, 2].into_iter().try_for_each(|plies| self.ask(&self.random_game(plies)))
    }

    fn refuses(&mut self) -> StepResult {
        for line in ["STOP", "MOVE", "MOVE 1", "MOVE 1 1 1", "MOVE 1 1 1 361", "MOVE 1 1 2 180 x"] {
            self.connection.send(line);
            let answer = self.connection.read()?;
            if !matches!(Response::parse(&answer), Ok(Response::Error(_))) {
                return wrong(format!("`{line}` gives `{answer}` instead of `ERR`"));
            }
        }
        self.ask(&self.random_game(2))
    }
}
