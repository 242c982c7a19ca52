//! The steps of Gomocup's protocol.

mod steps;

use super::game::opened_by;
use super::millis;
use super::talk::Talk;
use super::{Check, Finding, StepResult, Subject, missing, wrong};
use pentarch_core::board::Grid;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::gomocup::{Command, Info, Point, Response, Setting};
use pentarch_session::dialects::gomocup::{
    Codec, check_for_manager, info, of_move_order, start, time_left,
};
use std::time::Duration;

/// A manager.
pub(super) struct Client {
    talk: Talk,
    subject: Subject,
    grid: Grid,
    codec: Codec,
    /// Whether it has been asked for a board since it was started.
    is_greeted: bool,
}

/// Where the step about captures stands, which only games with captures have.
const CAPTURES: usize = 6;

/// How much later than its limit an answer may come.
const TOLERANCE: Duration = Duration::from_millis(300);

/// The moment between two games.
const BETWEEN_GAMES: Duration = Duration::from_millis(20);

impl super::Client for Client {
    fn new(talk: Talk, subject: &Subject) -> Client {
        let mut subject = subject.clone();
        // Swap2 is a step of its own; after it the stones lie free.
        if subject.rules.squares().is_some_and(|board| board.swap.is_some())
            && let Ok(rules) = subject.rules.with("free")
        {
            subject.rules = rules;
        }
        let grid = subject.rules.squares().map_or(Grid::square(15), |board| board.grid);
        Client { talk, subject, grid, codec: Codec::default(), is_greeted: false }
    }

    fn talk(&mut self) -> &mut Talk {
        &mut self.talk
    }

    /// Every step begins with `START`; one that nobody answers need not be tried again.
    fn greet(&mut self) -> StepResult {
        if self.is_greeted {
            return Ok(());
        }
        self.is_greeted = true;
        self.talk.say(start(self.grid));
        // What else is not right with it is for its own step to say.
        if let Err(Finding::Lost(why)) = self.hear() {
            return Err(Finding::Lost(why));
        }
        self.talk.take_lines();
        Ok(())
    }

    fn has_words_for(rules: &Ruleset) -> Result<(), String> {
        check_for_manager(rules).map(drop).map_err(|error| error.to_string())
    }

    fn checks(subject: &Subject) -> Vec<Check<Client>> {
        let mut checks: Vec<Check<Client>> = vec![
            ("says who it is", Client::about),
            ("begins a game on a board", Client::start),
            ("never answers INFO", Client::info),
            ("opens the game", Client::begin),
            ("answers moves", Client::turns),
            ("takes over a board", Client::board),
            ("keeps the time for a move", Client::time),
            ("stops when told", Client::stop),
            ("begins again on the same board", Client::restart),
            ("knows boards that are no squares", Client::rectangle),
            ("takes moves back", Client::take_back),
            ("plays the opening swap2", Client::swap2),
            ("says UNKNOWN to what it does not know", Client::unknown),
            ("says ERROR to what cannot be", Client::errors),
            ("takes lines in any case that end in CR LF", Client::carriage_returns),
            ("plays a game against itself", Client::whole_game),
            ("leaves when told", Client::end),
            ("leaves at the end of its input", Client::end_of_input),
        ];
        if subject.rules.squares().is_some_and(|board| board.capture.is_some()) {
            checks.insert(CAPTURES, ("takes over a board with captures", Client::captures));
        }
        checks
    }
}

impl Client {
    /// The next response that is an answer: no message, and no suggestion, which is accepted.
    fn hear(&mut self) -> Result<Response, Finding> {
        loop {
            let line = self.talk.hear()?;
            match Response::parse(&line).map_err(|error| Finding::Wrong(error.to_string()))? {
                Response::Message(_) | Response::Debug(_) => {}
                Response::Suggest(point) => self.talk.say(Command::Play(point)),
                response => return Ok(response),
            }
        }
    }

    fn inform(&mut self, info: Info) {
        self.talk.say(Command::Info(info));
    }

    /// Sends a command that must be answered `OK`.
    fn must(&mut self, command: &Command) -> StepResult {
        self.talk.say(command);
        match self.hear()? {
            Response::Ok => Ok(()),
            Response::Unknown(_) => missing(format!("it does not know `{command}`")),
            other => wrong(format!("`{command}` gives `{other}`, not `OK`")),
        }
    }

    /// A new game, with the rules and little time for each move.
    fn new_game(&mut self) -> Result<Game, Finding> {
        // Managers give a brain a moment between two games.
        self.talk.listen(BETWEEN_GAMES)?;
        self.must(&start(self.grid))?;
        self.inform(info(&self.subject.rules));
        self.inform(Info::Number(Setting::TimeoutTurn, millis(self.subject.move_time)));
        self.inform(Info::Number(Setting::TimeoutMatch, 0));
        self.inform(time_left(None));
        Ok(Game::new(self.subject.rules.clone()))
    }

    /// The answer to a question: one point.
    fn one_point(&mut self) -> Result<Point, Finding> {
        match self.hear()? {
            Response::Moves(points) if points.len() == 1 => Ok(points[0]),
            other => wrong(format!("`{other}` instead of a point")),
        }
    }

    /// Asks for a move, which must be legal.
    fn answer(&mut self, game: &mut Game, question: &[Command]) -> Result<Point, Finding> {
        for command in question {
            self.talk.say(command);
        }
        let point = self.one_point()?;
        self.play(game, point)?;
        Ok(point)
    }

    /// Plays the engine's move, which must be legal.
    fn play(&self, game: &mut Game, point: Point) -> StepResult {
        let played = self.codec.play(game, point);
        played.map(|_| ()).map_err(|error| Finding::Wrong(error.to_string()))
    }

    /// The opponent's move: the first legal one.
    fn opponent(&self, game: &mut Game) -> Result<Command, Finding> {
        let legal = game.legal_moves();
        let Some(mv) = legal.first() else { return wrong("the game is over too soon") };
        let Some(point) = self.codec.point_of(game, *mv) else {
            return missing("this game has moves that are no points");
        };
        self.play(game, point)?;
        Ok(Command::Turn(point))
    }

    /// An open game with this number of stones and nothing else.
    fn opened(&self, plies: usize) -> Game {
        opened_by(&self.subject.rules, plies, |game, mv| self.codec.point_of(game, mv).is_some())
    }

    /// `BOARD` with the stones of a game, the last of which is the opponent's.
    fn list(&self, game: &Game) -> Vec<Command> {
        of_move_order(&self.codec.points(self.grid, &game.moves()))
    }
}
