//! The compliance steps of GTP.

use crate::compliance::harness::{
    ComplianceSettings, Connection, DialectSteps, MAX_PLIES, NamedStep, StepError, StepResult,
    finished_game, legal, play_move, random_game, unsupported, wrong,
};
use pentarch_core::game::{Move, Side};
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::gtp::{
    Color, Command, MoveInfo, Response, ResponseReader, RulesQuery, Vertex,
};
use pentarch_session::codec::gtp::{
    self, Codec, MoveError, VertexBoard, color, final_score, side_color,
};

/// The controller's side of GTP.
pub(crate) struct Client {
    connection: Connection,
    settings: ComplianceSettings,
    /// The game that is selected, and its board.
    rules: Ruleset,
    board: Option<VertexBoard>,
    /// The commands that the engine lists.
    known: Vec<String>,
    is_greeted: bool,
}

/// The commands that GTP version 2 requires of every engine that plays.
const REQUIRED: [&str; 11] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
];

impl DialectSteps for Client {
    fn new(connection: Connection, settings: &ComplianceSettings) -> Client {
        let board = VertexBoard::of(&Game::new(settings.rules.clone()));
        Client {
            connection,
            settings: settings.clone(),
            rules: settings.rules.clone(),
            board,
            known: Vec::new(),
            is_greeted: false,
        }
    }

    fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    fn greet(&mut self) -> StepResult {
        if self.is_greeted {
            return Ok(());
        }
        self.list()?;
        self.choose_game().or_else(|finding| match finding {
            StepError::Lost(_) => Err(finding),
            _ => Ok(()),
        })
    }

    fn steps(_: &ComplianceSettings) -> Vec<NamedStep<Client>> {
        let mut steps: Vec<NamedStep<Client>> = vec![
            ("lists its commands", Client::introduction),
            ("gives version 2, a name and a version", Client::names),
            ("says which commands it knows", Client::known_command),
            ("repeats numbers and passes over comments", Client::framing),
            ("can be told the game", Client::choose_game),
            ("takes the size of the board and komi", Client::board_size),
            ("answers genmove with a legal move", Client::moves),
            ("takes moves in any case of letters", Client::plays),
            ("refuses illegal moves and keeps the position", Client::illegal_moves),
            ("takes moves back", Client::undo),
            ("takes times", Client::times),
            ("refuses what it does not know", Client::bad_input),
            ("answers commands sent in one piece in order", Client::pipelined),
            ("sees the end of a game", Client::end_of_game),
            ("shows its rules to GoGui", Client::gogui_rules),
            ("analyses until the next line", Client::analysis),
        ];
        steps.extend(Client::special_steps());
        steps.extend::<[NamedStep<Client>; 3]>([
            ("plays a game against itself", Client::whole_game),
            ("leaves when told, with an answer", Client::quits),
            ("leaves at the end of its input", Client::exits_at_end_of_input),
        ]);
        steps
    }

    fn send_quit(&mut self) -> StepResult {
        self.must(&Command::Quit).map(drop)
    }

    fn select_listed(&mut self, rules: &Ruleset) -> Result<bool, StepError> {
        if !self.knows("list_games") || !self.knows("set_game") {
            return unsupported("no `list_games` and `set_game`");
        }
        let list = self.must(&Command::ListGames)?;
        let name = rules.to_string();
        if !list.lines().any(|line| line.trim() == name) {
            return Ok(false);
        }
        self.select(rules).map(|()| true)
    }

    fn select_own(&mut self) -> StepResult {
        self.select(&self.settings.rules.clone())
    }

    fn move_in(&mut self, game: &Game) -> StepResult {
        self.clear()?;
        let mut game = self.play(&game.moves())?;
        self.generate(&mut game)
    }
}

impl Client {
    /// Reads one response.
    fn read(&mut self) -> Result<Response, StepError> {
        let mut reader = ResponseReader::new();
        loop {
            let line = self.connection.raw_line()?;
            if let Some(response) = reader.push(&line) {
                return Ok(response);
            }
        }
    }

    fn ask(&mut self, request: &str) -> Result<Result<String, String>, StepError> {
        self.connection.send(request);
        Ok(self.read()?.result)
    }

    fn command(&mut self, command: &Command) -> Result<Result<String, String>, StepError> {
        self.ask(&command.request(None).to_string())
    }

    /// Sends a command that must succeed.
    fn must(&mut self, command: &Command) -> Result<String, StepError> {
        match self.command(command)? {
            Ok(answer) => Ok(answer),
            Err(error) => wrong(format!("it refuses `{}`: {error}", command.request(None))),
        }
    }

    fn knows(&self, command: &str) -> bool {
        self.known.iter().any(|known| known == command)
    }

    fn list(&mut self) -> StepResult {
        let list = self.must(&Command::ListCommands)?;
        self.known = list.split_whitespace().map(str::to_owned).collect();
        self.is_greeted = true;
        Ok(())
    }

    /// Selects a game.
    fn select(&mut self, rules: &Ruleset) -> StepResult {
        self.board = VertexBoard::of(&Game::new(rules.clone()));
        self.rules = rules.clone();
        self.choose_game()
    }

    /// Sets up an empty board.
    fn clear(&mut self) -> StepResult {
        if let Some(board) = self.board {
            self.must(&board.boardsize())?;
        }
        self.must(&Command::ClearBoard)?;
        if self.knows("time_settings") {
            let byo_yomi_s = self.settings.move_time.as_secs().max(1) as u32;
            self.must(&Command::TimeSettings { main_s: 0, byo_yomi_s, stones: 1 })?;
        }
        Ok(())
    }

    /// Plays moves from the start of the game.
    fn play(&mut self, moves: &[Move]) -> Result<Game, StepError> {
        let mut game = Game::new(self.rules.clone());
        for &mv in moves {
            self.must(&play_command(&game, mv))?;
            play_move(&mut game, mv)?;
        }
        Ok(game)
    }

    /// Asks for a move, which must be legal, and plays it.
    fn generate(&mut self, game: &mut Game) -> StepResult {
        let answer = self.must(&Command::GenMove(color(game.to_move())))?;
        let moves = read(game, &answer)?;
        self.play_answer(game, &moves)
    }

    /// Checks that the engine sees the end of a game as the rules do: the loser resigns, all others
    /// pass, and `final_score` names the winner.
    fn agrees(&mut self, game: &Game) -> StepResult {
        let Some(outcome) = game.outcome() else { return Ok(()) };
        if game.seats() == 2 {
            let loser = outcome.winner.map(|side| side_color(Side(1 - side.0)));
            for color in [Color::Black, Color::White] {
                let answer = self.must(&Command::GenMove(color))?.trim().to_ascii_lowercase();
                let expected = if loser == Some(color) { "resign" } else { "pass" };
                if answer != expected {
                    return wrong(format!(
                        "after the end {color} answers `{answer}`, not `{expected}`"
                    ));
                }
            }
        }
        if !self.knows("final_score") {
            return unsupported("no `final_score`");
        }
        let score = self.must(&Command::FinalScore)?;
        // The margin does not matter.
        let expected = final_score(outcome).trim_end_matches('1');
        if score.trim().starts_with(expected) {
            return Ok(());
        }
        wrong(format!("final_score is `{score}`, not `{expected}`"))
    }
}

/// Moves are sent in the extended notation, which is unambiguous.
const CODEC: Codec = Codec { extended: true };

/// The text of a move with vertices.
fn move_text(game: &Game, mv: Move) -> String {
    CODEC.move_text(game, mv).unwrap_or_default()
}

/// The command that plays a move for the seat to move.
fn play_command(game: &Game, mv: Move) -> Command {
    Command::Play { color: color(game.to_move()), vertex: move_text(game, mv) }
}

/// Reads the moves that an answer names.
fn read(game: &Game, answer: &str) -> Result<Vec<Move>, StepError> {
    CODEC.parse_move(game, answer.trim()).or_else(|error| match error {
        MoveError::Vertex(_) => wrong(format!("`{answer}` is no vertex")),
        error => legal(Err(format!("`{answer}`: {error}"))),
    })
}

impl Client {
    fn introduction(&mut self) -> StepResult {
        self.list()?;
        let absent: Vec<_> = REQUIRED.into_iter().filter(|command| !self.knows(command)).collect();
        if absent.is_empty() { Ok(()) } else { wrong(format!("not listed: {}", absent.join(", "))) }
    }

    fn names(&mut self) -> StepResult {
        let version = self.must(&Command::ProtocolVersion)?;
        if version.trim() != "2" {
            return wrong(format!("protocol_version is `{version}`"));
        }
        for command in [Command::Name, Command::Version] {
            if self.must(&command)?.trim().is_empty() {
                return unsupported(format!("`{}` answers nothing", command.request(None)));
            }
        }
        Ok(())
    }

    fn known_command(&mut self) -> StepResult {
        for (command, expected) in [("genmove", "true"), ("no_such_command", "false")] {
            let answer = self.must(&Command::KnownCommand(command.to_owned()))?;
            if answer.trim() != expected {
                return wrong(format!("`known_command {command}` gives `{answer}`"));
            }
        }
        Ok(())
    }

    fn framing(&mut self) -> StepResult {
        for line in ["# a comment", "", "  ", "17 name # the name", "\tname\r"] {
            self.connection.send(line);
        }
        for id in [Some(17), None] {
            let response = self.read()?;
            if response.id != id {
                return wrong(format!("the number {id:?} was sent, {:?} came back", response.id));
            }
            if let Err(error) = response.result {
                return wrong(format!("it refuses `name`: {error}"));
            }
        }
        Ok(())
    }

    fn choose_game(&mut self) -> StepResult {
        if !self.knows("set_game") {
            return unsupported("no `set_game`: the game must be set on its command line");
        }
        self.must(&gtp::set_game(&self.rules)).map(|_| ())
    }

    fn board_size(&mut self) -> StepResult {
        self.clear()?;
        self.must(&Command::Komi("6.5".to_owned()))?;
        let huge = Command::BoardSize { columns: 1000, rows: 1000 };
        match self.command(&huge)? {
            Err(error) if error.starts_with("unacceptable size") => self.clear(),
            Err(error) => {
                wrong(format!("a board of 1000 gives `{error}`, not `unacceptable size`"))
            }
            Ok(_) => wrong("it takes a board of 1000"),
        }
    }

    fn moves(&mut self) -> StepResult {
        self.clear()?;
        let mut game = self.play(&[])?;
        (0..3).try_for_each(|_| self.generate(&mut game))
    }

    fn plays(&mut self) -> StepResult {
        self.clear()?;
        let random_game = random_game(&self.rules, 2);
        let mut game = Game::new(self.rules.clone());
        for mv in random_game.moves() {
            let color = if color(game.to_move()) == Color::Black { "Black" } else { "WHITE" };
            let line = format!("play {color} {}", move_text(&game, mv).to_lowercase());
            if let Err(error) = self.ask(&line)? {
                return wrong(format!("it refuses `{line}`: {error}"));
            }
            play_move(&mut game, mv)?;
        }
        self.generate(&mut game)
    }

    fn illegal_moves(&mut self) -> StepResult {
        self.clear()?;
        let moves = random_game(&self.rules, 2).moves();
        let mut game = self.play(&moves)?;
        let Some(&first) = moves.first() else {
            return unsupported("this game has no second move");
        };
        let repeated = format!("play {} {}", color(game.to_move()), move_text(&game, first));
        for line in [repeated.as_str(), "play b Z99", "play purple A1"] {
            match self.ask(line)? {
                Ok(_) => return wrong(format!("it takes `{line}`")),
                Err(error) if line == repeated && !error.starts_with("illegal move") => {
                    return wrong(format!("`{line}` gives `{error}`, not `illegal move`"));
                }
                Err(_) => {}
            }
        }
        self.generate(&mut game)?;
        // The engine's own move is the last, unless its answer consisted of two moves.
        if self.knows("undo") && game.moves().len() == moves.len() + 1 {
            game.undo();
            self.must(&Command::Undo)?;
            return self.take_back(&mut game);
        }
        Ok(())
    }

    /// Takes the last move back and plays it again.
    fn take_back(&mut self, game: &mut Game) -> StepResult {
        let Some(mv) = game.undo() else {
            return unsupported("this game has no move to take back");
        };
        self.must(&Command::Undo)?;
        self.must(&play_command(game, mv))?;
        play_move(game, mv)
    }

    fn undo(&mut self) -> StepResult {
        if !self.knows("undo") {
            return unsupported("no `undo`");
        }
        self.clear()?;
        let random_game = random_game(&self.rules, 3);
        let mut game = self.play(&random_game.moves())?;
        self.take_back(&mut game)?;
        self.take_back(&mut game)
    }

    fn times(&mut self) -> StepResult {
        if !self.knows("time_settings") || !self.knows("time_left") {
            return unsupported("no `time_settings` and `time_left`");
        }
        self.clear()?;
        self.must(&Command::TimeSettings { main_s: 60, byo_yomi_s: 0, stones: 0 })?;
        let left = Command::TimeLeft { color: Color::Black, milliseconds: 3_000, stones: 0 };
        self.must(&left)?;
        let mut game = self.play(&[])?;
        self.generate(&mut game)
    }

    fn gogui_rules(&mut self) -> StepResult {
        let Some(board) = self.board.filter(|_| self.knows("gogui-rules_legal_moves")) else {
            return unsupported("no `gogui-rules_legal_moves`");
        };
        self.clear()?;
        let random_game = random_game(&self.rules, 2);
        let game = self.play(&random_game.moves())?;
        let side = self.must(&Command::Rules(RulesQuery::SideToMove))?;
        if Color::parse(side.trim()) != Ok(color(game.to_move())) {
            return wrong(format!("`{side}` is not to move"));
        }
        let listed = self.must(&Command::Rules(RulesQuery::LegalMoves))?;
        let mut listed: Vec<_> = listed.split_whitespace().map(Vertex::parse).collect();
        let cells = game.legal_moves();
        let cells = cells.iter().filter_map(|mv| mv.cell());
        let mut expected: Vec<_> = cells.map(|cell| Ok(board.vertex(cell))).collect();
        let by_name = |vertex: &Result<Vertex, _>| vertex.as_ref().map(Vertex::to_string).ok();
        listed.sort_by_key(by_name);
        expected.sort_by_key(by_name);
        expected.dedup();
        if listed != expected {
            return wrong("these are not the legal moves");
        }
        self.clear()?;
        let end = finished_game(&self.rules)?;
        self.play(&end.moves())?;
        let listed = self.must(&Command::Rules(RulesQuery::LegalMoves))?;
        if listed.trim().is_empty() { Ok(()) } else { wrong("moves after the end of the game") }
    }

    fn analysis(&mut self) -> StepResult {
        if !self.knows("lz-analyze") {
            return unsupported("no `lz-analyze`");
        }
        self.clear()?;
        let random_game = random_game(&self.rules, 2);
        let game = self.play(&random_game.moves())?;
        self.connection.send(format!("5 lz-analyze {} 10", color(game.to_move())));
        let opening = self.connection.read()?;
        if opening.trim_end() != "=5" {
            return wrong(format!("`{opening}` does not begin an analysis"));
        }
        let line = self.connection.read()?;
        let infos = MoveInfo::parse_line(&line);
        let Some(best) = infos.first() else { return wrong(format!("`{line}` names no move")) };
        let mut ahead = game.clone();
        let moves = read(&game, &best.mv)?;
        self.play_answer(&mut ahead, &moves)?;
        self.connection.send("6 name");
        while !self.connection.raw_line()?.trim().is_empty() {}
        let response = self.read()?;
        if response.id == Some(6) { Ok(()) } else { wrong("the next line is not answered") }
    }
    fn bad_input(&mut self) -> StepResult {
        for line in ["no_such_command", "play", "genmove", "boardsize many"] {
            if self.ask(line)?.is_ok() {
                return wrong(format!("it takes `{line}`"));
            }
        }
        let long = format!("name {}", "x".repeat(5000));
        self.ask(&long).map(|_| ())
    }

    fn pipelined(&mut self) -> StepResult {
        self.clear()?;
        let lines = "1 name\n2 version\n3 no_such_command\n4 protocol_version";
        self.connection.send(lines);
        for id in 1..=4 {
            let response = self.read()?;
            if response.id != Some(id) {
                return wrong(format!("number {id} was due, {:?} came", response.id));
            }
        }
        Ok(())
    }

    fn end_of_game(&mut self) -> StepResult {
        self.clear()?;
        let end = finished_game(&self.rules)?;
        let game = self.play(&end.moves())?;
        self.agrees(&game)
    }

    fn whole_game(&mut self) -> StepResult {
        self.clear()?;
        if self.knows("kata-time_settings") {
            let period = (self.settings.move_time / 5).as_secs_f64();
            self.ask(&format!("kata-time_settings byoyomi 0 {period} 1")).map(|_| ())?;
        }
        let mut game = self.play(&[])?;
        while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
            self.generate(&mut game)?;
        }
        self.agrees(&game)
    }
}
