//! The steps of Gomocup's protocol.

use crate::compliance::harness::{
    Check, DialectSteps, Finding, LEAVING, LONGEST, StepResult, Subject, Talk, millis, missing,
    opened_by, refilled, wrong,
};
use pentarch_core::board::Grid;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::gomocup::{Command, Info, InfoKey, Point, Response};
use pentarch_session::codec::gomocup::{
    Codec, board_commands, managed_board, rule_info, start_command, time_left_info,
};
use std::time::{Duration, Instant};

/// A manager.
pub(crate) struct Client {
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

impl DialectSteps for Client {
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
        self.talk.say(start_command(self.grid));
        // What else is not right with it is for its own step to say.
        if let Err(Finding::Lost(why)) = self.hear() {
            return Err(Finding::Lost(why));
        }
        self.talk.take_lines();
        Ok(())
    }

    fn has_words_for(rules: &Ruleset) -> Result<(), String> {
        managed_board(rules).map(drop).map_err(|error| error.to_string())
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
        self.must(&start_command(self.grid))?;
        self.inform(rule_info(&self.subject.rules));
        self.inform(Info::Number(InfoKey::TimeoutTurn, millis(self.subject.move_time)));
        self.inform(Info::Number(InfoKey::TimeoutMatch, 0));
        self.inform(time_left_info(None));
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
        board_commands(&self.codec.points(self.grid, &game.moves()))
    }
}

impl Client {
    pub(crate) fn about(&mut self) -> StepResult {
        self.talk.say(Command::About);
        let answer = match self.hear() {
            Err(Finding::Lost(_)) if self.talk.is_running() => {
                return missing("no answer to `ABOUT`");
            }
            answer => answer?,
        };
        match answer {
            Response::About(about) if about.get("name").is_some_and(|name| !name.is_empty()) => {
                Ok(())
            }
            Response::About(_) => wrong("no `name`"),
            Response::Text(_) => missing("a text instead of `name=\"...\"`, as old brains have it"),
            other => wrong(format!("`{other}` instead of `name=\"...\"`")),
        }
    }

    pub(crate) fn start(&mut self) -> StepResult {
        self.new_game().map(|_| ())
    }

    pub(crate) fn info(&mut self) -> StepResult {
        self.new_game()?;
        for line in ["INFO game_type 1", "INFO max_memory 83886080", "INFO no_such_key 7"] {
            self.talk.say(line);
        }
        match self.talk.listen(Duration::from_millis(300))?.first() {
            Some(line) => wrong(format!("`{line}` answers an INFO")),
            None => Ok(()),
        }
    }

    pub(crate) fn begin(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        self.answer(&mut game, &[Command::Begin]).map(|_| ())
    }

    pub(crate) fn turns(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        for _ in 0..2 {
            let turn = self.opponent(&mut game)?;
            self.answer(&mut game, &[turn])?;
        }
        Ok(())
    }

    pub(crate) fn board(&mut self) -> StepResult {
        for plies in [1, 4] {
            self.new_game()?;
            let mut game = self.opened(plies);
            let board = self.list(&game);
            self.answer(&mut game, &board)?;
            let turn = self.opponent(&mut game)?;
            self.answer(&mut game, &[turn])?;
        }
        Ok(())
    }

    pub(crate) fn captures(&mut self) -> StepResult {
        let is_point = |game: &Game, mv| self.codec.point_of(game, mv).is_some();
        let Some(mut game) = refilled(&self.subject.rules, is_point) else {
            return missing("no game with captures could be found to ask about");
        };
        self.new_game()?;
        let board = self.list(&game);
        self.answer(&mut game, &board).map(|_| ())
    }

    pub(crate) fn time(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let asked = Instant::now();
        let turn = self.opponent(&mut game)?;
        self.answer(&mut game, &[turn])?;
        let (taken, limit) = (asked.elapsed(), self.subject.move_time);
        if taken <= limit + TOLERANCE {
            return Ok(());
        }
        wrong(format!("{} ms for a move, {} were allowed", taken.as_millis(), limit.as_millis()))
    }

    pub(crate) fn stop(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let long = millis(self.subject.patience.saturating_mul(100));
        self.inform(Info::Number(InfoKey::TimeoutTurn, long));
        let turn = self.opponent(&mut game)?;
        self.talk.say(&turn);
        let early = self.talk.listen(Duration::from_millis(300))?;
        let moved = |line: &&String| matches!(Response::parse(line), Ok(Response::Moves(_)));
        if let Some(line) = early.iter().find(moved) {
            return missing(format!("it does not use its time: `{line}`"));
        }
        let asked = Instant::now();
        self.answer(&mut game, &[Command::Stop]).map(|_| ())?;
        if asked.elapsed() <= LEAVING { Ok(()) } else { missing("it moves late after YXSTOP") }
    }

    pub(crate) fn restart(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        self.answer(&mut game, &[Command::Begin])?;
        self.must(&Command::Restart)?;
        let mut game = Game::new(self.subject.rules.clone());
        self.answer(&mut game, &[Command::Begin]).map(|_| ())
    }

    pub(crate) fn rectangle(&mut self) -> StepResult {
        self.talk.say(Command::RectStart { columns: 12, rows: 10 });
        match self.hear()? {
            Response::Ok => Ok(()),
            Response::Error(why) | Response::Unknown(why) => missing(why),
            other => wrong(format!("`{other}` instead of `OK`, `ERROR` or `UNKNOWN`")),
        }
    }

    pub(crate) fn take_back(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let turn = self.opponent(&mut game)?;
        let own = self.answer(&mut game, std::slice::from_ref(&turn))?;
        self.must(&Command::TakeBack(own))?;
        let Command::Turn(opponents) = turn else { return Ok(()) };
        self.must(&Command::TakeBack(opponents))?;
        let mut game = Game::new(self.subject.rules.clone());
        let turn = self.opponent(&mut game)?;
        self.answer(&mut game, &[turn]).map(|_| ())
    }

    pub(crate) fn swap2(&mut self) -> StepResult {
        let Ok(opening) = self.subject.rules.with("swap2") else {
            return missing("this game has no swap2");
        };
        let stones = [(7, 7), (8, 8), (7, 9), (3, 3), (11, 4)];
        for count in [0, 3, 5] {
            self.new_game()?;
            self.talk.say(Command::Swap2Board);
            let placed = stones.iter().take(count);
            placed.for_each(|&(x, y)| self.talk.say(Point::new(x, y)));
            self.talk.say(Command::Done);
            let points = match self.hear()? {
                Response::Unknown(_) => return missing("it does not know `SWAP2BOARD`"),
                Response::Swap if count > 0 => continue,
                Response::Moves(points) => points,
                other => return wrong(format!("`{other}` with {count} stones")),
            };
            let allowed: &[usize] = match count {
                0 => &[3],
                3 => &[1, 2],
                _ => &[1],
            };
            if !allowed.contains(&points.len()) {
                return wrong(format!("{} points with {count} stones", points.len()));
            }
            let mut game = Game::new(opening.clone());
            let placed = stones.iter().take(count).map(|&(x, y)| Point::new(x, y));
            let three = placed.chain(points).take(3);
            for point in three {
                self.play(&mut game, point)?;
            }
        }
        Ok(())
    }

    pub(crate) fn unknown(&mut self) -> StepResult {
        self.talk.say("NOSUCHCOMMAND 1,1");
        match self.hear()? {
            Response::Unknown(_) => self.start(),
            Response::Error(_) => missing("it says ERROR instead"),
            other => wrong(format!("`{other}` instead of `UNKNOWN`")),
        }
    }

    pub(crate) fn errors(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let turn = self.opponent(&mut game)?;
        let own = self.answer(&mut game, std::slice::from_ref(&turn))?;
        for command in [turn, Command::Turn(Point::new(99, 99))] {
            self.talk.say(&command);
            match self.hear()? {
                Response::Error(_) => {}
                other => return wrong(format!("`{command}` gives `{other}`, not `ERROR`")),
            }
        }
        let turn = self.opponent(&mut game)?;
        let second = self.answer(&mut game, std::slice::from_ref(&turn))?;
        if let Command::Turn(theirs) = turn {
            self.position_is_kept(&[second, theirs, own])?;
        }
        self.talk.say(Command::Start { columns: 1000, rows: 1000 });
        match self.hear()? {
            Response::Error(_) => Ok(()),
            other => wrong(format!("a board of 1000 gives `{other}`, not `ERROR`")),
        }
    }

    /// Takes stones back, the last one first, by those engines that can.
    fn position_is_kept(&mut self, stones: &[Point]) -> StepResult {
        for &stone in stones {
            match self.must(&Command::TakeBack(stone)) {
                Err(Finding::Missing(_)) => return Ok(()),
                Err(Finding::Wrong(why)) => {
                    return wrong(format!("what it refused has changed the position: {why}"));
                }
                other => other?,
            }
        }
        Ok(())
    }

    pub(crate) fn carriage_returns(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let start = start_command(self.grid).to_string().to_lowercase();
        self.talk.say(format!("{start}\r"));
        match self.hear()? {
            Response::Ok => {}
            other => return wrong(format!("`{start}` gives `{other}`, not `OK`")),
        }
        self.talk.say("begin\r");
        self.answer(&mut game, &[]).map(|_| ())
    }

    pub(crate) fn whole_game(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let quick = millis(self.subject.move_time / 5);
        self.inform(Info::Number(InfoKey::TimeoutTurn, quick));
        while game.outcome().is_none() && game.moves().len() < LONGEST {
            let is_first = game.moves().is_empty();
            let question = if is_first { vec![Command::Begin] } else { self.list(&game) };
            self.answer(&mut game, &question)?;
            self.must(&Command::Restart).or_else(|finding| match finding {
                Finding::Missing(_) => self.must(&start_command(self.grid)),
                finding => Err(finding),
            })?;
        }
        Ok(())
    }

    pub(crate) fn end(&mut self) -> StepResult {
        self.new_game()?;
        self.talk.say(Command::End);
        self.talk.ends_within(LEAVING, false)?;
        Err(Finding::Gone)
    }

    pub(crate) fn end_of_input(&mut self) -> StepResult {
        self.new_game()?;
        self.talk.ends_within(LEAVING, true)?;
        Err(Finding::Gone)
    }
}
