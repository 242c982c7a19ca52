//! The steps of the questions of pente.org's server.

use crate::compliance::harness::{
    Check, DialectSteps, Finding, LEAVING, StepResult, Subject, Talk, opened_by, play_move, wrong,
};
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::sidecar::{Command, Response};
use pentarch_session::codec::sidecar as dialect;

/// The server.
pub(crate) struct Client {
    talk: Talk,
    subject: Subject,
}

/// The level that is asked for: the quickest.
const LEVEL: u32 = 1;

/// Moves before each question of a game.
const PLIES: [usize; 4] = [1, 2, 5, 12];

impl DialectSteps for Client {
    fn new(talk: Talk, subject: &Subject) -> Client {
        Client { talk, subject: subject.clone() }
    }

    fn talk(&mut self) -> &mut Talk {
        &mut self.talk
    }

    fn greet(&mut self) -> StepResult {
        Ok(())
    }

    fn has_words_for(rules: &Ruleset) -> Result<(), String> {
        let number = dialect::game_number(rules);
        number.map(drop).ok_or_else(|| format!("pente.org does not play {rules}"))
    }

    fn checks(_: &Subject) -> Vec<Check<Client>> {
        vec![
            ("opens the game", Client::opens),
            ("answers questions with legal moves", Client::answers),
            ("answers the same game again, and another one", Client::keeps_nothing),
            ("refuses what is no question and lives on", Client::refuses),
            ("leaves after `QUIT`", Client::quits),
            ("leaves at the end of input", Client::ends),
        ]
    }
}

impl Client {
    /// Asks about a game; the answer must be legal.
    fn ask(&mut self, game: &Game) -> StepResult {
        let Some(question) = dialect::question(game, LEVEL) else {
            return wrong("the site has no such game");
        };
        self.talk.say(Command::Move(question));
        let line = self.talk.hear()?;
        let Ok(Response::Move(number)) = Response::parse(&line) else {
            return wrong(format!("`{line}` instead of `OK` and a move"));
        };
        let moves = dialect::moves(game, number).or_else(|error| wrong(error.to_string()))?;
        let mut played = game.clone();
        moves.iter().try_for_each(|&mv| play_move(&mut played, mv))?;
        let incomplete = played.outcome().is_none() && played.to_move() == game.to_move();
        if incomplete { wrong(format!("`{line}` is not the whole turn")) } else { Ok(()) }
    }

    fn opened(&self, plies: usize) -> Game {
        opened_by(&self.subject.rules, plies, |_, mv| mv.cell().is_some())
    }

    fn opens(&mut self) -> StepResult {
        self.ask(&Game::new(self.subject.rules.clone()))
    }

    fn answers(&mut self) -> StepResult {
        PLIES.into_iter().try_for_each(|plies| self.ask(&self.opened(plies)))
    }

    fn keeps_nothing(&mut self) -> StepResult {
        [12, 1, 12, 2].into_iter().try_for_each(|plies| self.ask(&self.opened(plies)))
    }

    fn refuses(&mut self) -> StepResult {
        for line in ["STOP", "MOVE", "MOVE 1", "MOVE 1 1 1", "MOVE 1 1 1 361", "MOVE 1 1 2 180 x"] {
            self.talk.say(line);
            let answer = self.talk.hear()?;
            if !matches!(Response::parse(&answer), Ok(Response::Error(_))) {
                return wrong(format!("`{line}` gives `{answer}` instead of `ERR`"));
            }
        }
        self.ask(&self.opened(2))
    }

    fn quits(&mut self) -> StepResult {
        self.talk.say(Command::Quit);
        self.talk.ends_within(LEAVING, false)?;
        Err(Finding::Gone)
    }

    fn ends(&mut self) -> StepResult {
        self.talk.ends_within(LEAVING, true)?;
        Err(Finding::Gone)
    }
}
