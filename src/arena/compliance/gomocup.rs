//! The compliance steps of the Gomocup protocol.

use crate::compliance::harness::{
    ComplianceSettings, Connection, DialectSteps, EXIT_TIME, MAX_PLIES, NamedStep, StepError,
    StepResult, game_with_recapture, legal, millis, random_game_of, unsupported, valid, wrong,
};
use pentarch_core::board::Grid;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::gomocup::{Command, Info, InfoKey, Point, Response};
use pentarch_session::codec::gomocup::{
    Codec, board_commands, managed_board, rule_info, start_command, time_left_info,
};
use std::time::{Duration, Instant};

/// The manager's side of the protocol.
pub(crate) struct Client {
    connection: Connection,
    settings: ComplianceSettings,
    grid: Grid,
    codec: Codec,
    /// Whether the engine was sent `START` since it was started.
    is_greeted: bool,
}

/// The index of the step about captures, which only games with captures have.
const CAPTURES: usize = 6;

/// How much later than its limit a move may come.
const TOLERANCE: Duration = Duration::from_millis(300);

/// The pause between two games.
const BETWEEN_GAMES: Duration = Duration::from_millis(20);

impl DialectSteps for Client {
    fn new(connection: Connection, settings: &ComplianceSettings) -> Client {
        let mut settings = settings.clone();
        // Swap2 has a step of its own; the other steps play without an opening rule.
        if settings.rules.squares().is_some_and(|board| board.swap.is_some())
            && let Ok(rules) = settings.rules.with("free")
        {
            settings.rules = rules;
        }
        let grid = settings.rules.squares().map_or(Grid::square(15), |board| board.grid);
        Client { connection, settings, grid, codec: Codec::default(), is_greeted: false }
    }

    fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// Every step begins with `START`; if nobody answers it, no step can pass.
    fn greet(&mut self) -> StepResult {
        if self.is_greeted {
            return Ok(());
        }
        self.is_greeted = true;
        self.connection.send(start_command(self.grid));
        // Other errors are reported by the step about `START`.
        if let Err(StepError::Lost(why)) = self.read() {
            return Err(StepError::Lost(why));
        }
        self.connection.take_lines();
        Ok(())
    }

    fn check_rules(rules: &Ruleset) -> Result<(), String> {
        managed_board(rules).map(drop).map_err(|error| error.to_string())
    }

    fn steps(settings: &ComplianceSettings) -> Vec<NamedStep<Client>> {
        let mut steps: Vec<NamedStep<Client>> = vec![
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
            ("leaves when told", Client::quits),
            ("leaves at the end of its input", Client::exits_at_end_of_input),
        ];
        if settings.rules.squares().is_some_and(|board| board.capture.is_some()) {
            steps.insert(CAPTURES, ("takes over a board with captures", Client::captures));
        }
        steps
    }

    fn send_quit(&mut self) -> StepResult {
        self.new_game()?;
        self.connection.send(Command::End);
        Ok(())
    }

    fn prepare_end_of_input(&mut self) -> StepResult {
        self.new_game().map(drop)
    }
}

impl Client {
    /// The next response other than a message. A suggested move is accepted.
    fn read(&mut self) -> Result<Response, StepError> {
        loop {
            let line = self.connection.read()?;
            match valid(Response::parse(&line))? {
                Response::Message(_) | Response::Debug(_) => {}
                Response::Suggest(point) => self.connection.send(Command::Play(point)),
                response => return Ok(response),
            }
        }
    }

    fn inform(&mut self, info: Info) {
        self.connection.send(Command::Info(info));
    }

    /// Sends a command that must be answered by `OK`.
    fn must(&mut self, command: &Command) -> StepResult {
        self.connection.send(command);
        match self.read()? {
            Response::Ok => Ok(()),
            Response::Unknown(_) => unsupported(format!("it does not know `{command}`")),
            other => wrong(format!("`{command}` gives `{other}`, not `OK`")),
        }
    }

    /// Starts a game with the rules and a short time for each move.
    fn new_game(&mut self) -> Result<Game, StepError> {
        // Managers pause for a moment between two games.
        self.connection.read_for(BETWEEN_GAMES)?;
        self.must(&start_command(self.grid))?;
        self.inform(rule_info(&self.settings.rules));
        self.inform(Info::Number(InfoKey::TimeoutTurn, millis(self.settings.move_time)));
        self.inform(Info::Number(InfoKey::TimeoutMatch, 0));
        self.inform(time_left_info(None));
        Ok(Game::new(self.settings.rules.clone()))
    }

    /// Reads an answer that must be a single point.
    fn one_point(&mut self) -> Result<Point, StepError> {
        match self.read()? {
            Response::Moves(points) if points.len() == 1 => Ok(points[0]),
            other => wrong(format!("`{other}` instead of a point")),
        }
    }

    /// Asks for a move, which must be legal, and plays it in `game`.
    fn answer(&mut self, game: &mut Game, question: &[Command]) -> Result<Point, StepError> {
        for command in question {
            self.connection.send(command);
        }
        let point = self.one_point()?;
        self.play(game, point)?;
        self.connection.has_moved = true;
        Ok(point)
    }

    /// Plays the engine's move, which must be legal.
    fn play(&self, game: &mut Game, point: Point) -> StepResult {
        legal(self.codec.play(game, point)).map(drop)
    }

    /// The opponent's move: the first legal one.
    fn opponent(&self, game: &mut Game) -> Result<Command, StepError> {
        let legal = game.legal_moves();
        let Some(mv) = legal.first() else { return wrong("the game is over too soon") };
        let Some(point) = self.codec.point_of(game, *mv) else {
            return unsupported("this game has moves that are no points");
        };
        self.play(game, point)?;
        Ok(Command::Turn(point))
    }

    /// A game in progress with this number of stones and no other moves.
    fn random_game(&self, plies: usize) -> Game {
        random_game_of(&self.settings.rules, plies, |game, mv| {
            self.codec.point_of(game, mv).is_some()
        })
    }

    /// `BOARD` with the stones of a game; the last stone is the opponent's.
    fn list(&self, game: &Game) -> Vec<Command> {
        board_commands(&self.codec.points(self.grid, &game.moves()))
    }
}

impl Client {
    fn about(&mut self) -> StepResult {
        self.connection.send(Command::About);
        let answer = match self.read() {
            Err(StepError::Lost(_)) if self.connection.is_running() => {
                return unsupported("no answer to `ABOUT`");
            }
            answer => answer?,
        };
        match answer {
            Response::About(about) if about.get("name").is_some_and(|name| !name.is_empty()) => {
                Ok(())
            }
            Response::About(_) => wrong("no `name`"),
            Response::Text(_) => {
                unsupported("a text instead of `name=\"...\"`, as old brains have it")
            }
            other => wrong(format!("`{other}` instead of `name=\"...\"`")),
        }
    }

    fn start(&mut self) -> StepResult {
        self.new_game().map(|_| ())
    }

    fn info(&mut self) -> StepResult {
        self.new_game()?;
        for line in ["INFO game_type 1", "INFO max_memory 83886080", "INFO no_such_key 7"] {
            self.connection.send(line);
        }
        match self.connection.read_for(Duration::from_millis(300))?.first() {
            Some(line) => wrong(format!("`{line}` answers an INFO")),
            None => Ok(()),
        }
    }

    fn begin(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        self.answer(&mut game, &[Command::Begin]).map(|_| ())
    }

    fn turns(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        for _ in 0..2 {
            let turn = self.opponent(&mut game)?;
            self.answer(&mut game, &[turn])?;
        }
        Ok(())
    }

    fn board(&mut self) -> StepResult {
        for plies in [1, 4] {
            self.new_game()?;
            let mut game = self.random_game(plies);
            let board = self.list(&game);
            self.answer(&mut game, &board)?;
            let turn = self.opponent(&mut game)?;
            self.answer(&mut game, &[turn])?;
        }
        Ok(())
    }

    fn captures(&mut self) -> StepResult {
        let is_point = |game: &Game, mv| self.codec.point_of(game, mv).is_some();
        let Some(mut game) = game_with_recapture(&self.settings.rules, is_point) else {
            return unsupported("no game with captures could be found to ask about");
        };
        self.new_game()?;
        let board = self.list(&game);
        self.answer(&mut game, &board).map(|_| ())
    }

    fn time(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let asked = Instant::now();
        let turn = self.opponent(&mut game)?;
        self.answer(&mut game, &[turn])?;
        let (taken, limit) = (asked.elapsed(), self.settings.move_time);
        if taken <= limit + TOLERANCE {
            return Ok(());
        }
        wrong(format!("{} ms for a move, {} were allowed", taken.as_millis(), limit.as_millis()))
    }

    fn stop(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let long = millis(self.settings.patience.saturating_mul(100));
        self.inform(Info::Number(InfoKey::TimeoutTurn, long));
        let turn = self.opponent(&mut game)?;
        self.connection.send(&turn);
        let early = self.connection.read_for(Duration::from_millis(300))?;
        let moved = |line: &&String| matches!(Response::parse(line), Ok(Response::Moves(_)));
        if let Some(line) = early.iter().find(moved) {
            return unsupported(format!("it does not use its time: `{line}`"));
        }
        let asked = Instant::now();
        self.answer(&mut game, &[Command::Stop]).map(|_| ())?;
        if asked.elapsed() <= EXIT_TIME {
            Ok(())
        } else {
            unsupported("it moves late after YXSTOP")
        }
    }

    fn restart(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        self.answer(&mut game, &[Command::Begin])?;
        self.must(&Command::Restart)?;
        let mut game = Game::new(self.settings.rules.clone());
        self.answer(&mut game, &[Command::Begin]).map(|_| ())
    }

    fn rectangle(&mut self) -> StepResult {
        // The engine knows the game from here on; some games are played on squares only.
        self.new_game()?;
        self.connection.send(Command::RectStart { columns: 12, rows: 10 });
        match self.read()? {
            Response::Ok => Ok(()),
            Response::Error(why) | Response::Unknown(why) => unsupported(why),
            other => wrong(format!("`{other}` instead of `OK`, `ERROR` or `UNKNOWN`")),
        }
    }

    fn take_back(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let turn = self.opponent(&mut game)?;
        let own = self.answer(&mut game, std::slice::from_ref(&turn))?;
        self.must(&Command::TakeBack(own))?;
        let Command::Turn(opponents) = turn else { return Ok(()) };
        self.must(&Command::TakeBack(opponents))?;
        let mut game = Game::new(self.settings.rules.clone());
        let turn = self.opponent(&mut game)?;
        self.answer(&mut game, &[turn]).map(|_| ())
    }

    fn swap2(&mut self) -> StepResult {
        let Ok(opening) = self.settings.rules.with("swap2") else {
            return unsupported("this game has no swap2");
        };
        let stones = [(7, 7), (8, 8), (7, 9), (3, 3), (11, 4)];
        for count in [0, 3, 5] {
            self.new_game()?;
            self.connection.send(Command::Swap2Board);
            let placed = stones.iter().take(count);
            placed.for_each(|&(x, y)| self.connection.send(Point::new(x, y)));
            self.connection.send(Command::Done);
            let points = match self.read()? {
                Response::Unknown(_) => return unsupported("it does not know `SWAP2BOARD`"),
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

    fn unknown(&mut self) -> StepResult {
        self.connection.send("NOSUCHCOMMAND 1,1");
        match self.read()? {
            Response::Unknown(_) => self.start(),
            Response::Error(_) => unsupported("it says ERROR instead"),
            other => wrong(format!("`{other}` instead of `UNKNOWN`")),
        }
    }

    fn errors(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let turn = self.opponent(&mut game)?;
        let own = self.answer(&mut game, std::slice::from_ref(&turn))?;
        for command in [turn, Command::Turn(Point::new(99, 99))] {
            self.connection.send(&command);
            match self.read()? {
                Response::Error(_) => {}
                other => return wrong(format!("`{command}` gives `{other}`, not `ERROR`")),
            }
        }
        let turn = self.opponent(&mut game)?;
        let second = self.answer(&mut game, std::slice::from_ref(&turn))?;
        if let Command::Turn(theirs) = turn {
            self.position_is_kept(&[second, theirs, own])?;
        }
        self.connection.send(Command::Start { columns: 1000, rows: 1000 });
        match self.read()? {
            Response::Error(_) => Ok(()),
            other => wrong(format!("a board of 1000 gives `{other}`, not `ERROR`")),
        }
    }

    /// Takes stones back, the last one first, if the engine supports it.
    fn position_is_kept(&mut self, stones: &[Point]) -> StepResult {
        for &stone in stones {
            match self.must(&Command::TakeBack(stone)) {
                Err(StepError::Missing(_)) => return Ok(()),
                Err(StepError::Wrong(why)) => {
                    return wrong(format!("what it refused has changed the position: {why}"));
                }
                other => other?,
            }
        }
        Ok(())
    }

    fn carriage_returns(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let start = start_command(self.grid).to_string().to_lowercase();
        self.connection.send(format!("{start}\r"));
        match self.read()? {
            Response::Ok => {}
            other => return wrong(format!("`{start}` gives `{other}`, not `OK`")),
        }
        self.connection.send("begin\r");
        self.answer(&mut game, &[]).map(|_| ())
    }

    fn whole_game(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let quick = millis(self.settings.move_time / 5);
        self.inform(Info::Number(InfoKey::TimeoutTurn, quick));
        while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
            let is_first = game.moves().is_empty();
            let question = if is_first { vec![Command::Begin] } else { self.list(&game) };
            self.answer(&mut game, &question)?;
            self.must(&Command::Restart).or_else(|finding| match finding {
                StepError::Missing(_) => self.must(&start_command(self.grid)),
                finding => Err(finding),
            })?;
        }
        Ok(())
    }
}
