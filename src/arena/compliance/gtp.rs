//! The steps of GTP.

use crate::compliance::harness::{
    Check, DialectSteps, Finding, LEAVING, LONGEST, SPECIAL, SPECIAL_PLIES, StepResult, Subject,
    Talk, finished, missing, opened, play_move, refilled, wrong,
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
use std::time::Duration;

/// A controller.
pub(crate) struct Client {
    talk: Talk,
    subject: Subject,
    board: Option<VertexBoard>,
    /// The commands that the engine lists.
    known: Vec<String>,
    is_greeted: bool,
}

/// What version 2 wants of every engine that plays.
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
    fn new(talk: Talk, subject: &Subject) -> Client {
        let board = VertexBoard::of(&Game::new(subject.rules.clone()));
        Client { talk, subject: subject.clone(), board, known: Vec::new(), is_greeted: false }
    }

    fn talk(&mut self) -> &mut Talk {
        &mut self.talk
    }

    fn greet(&mut self) -> StepResult {
        if self.is_greeted {
            return Ok(());
        }
        self.list()?;
        self.choose_game().or_else(|finding| match finding {
            Finding::Lost(_) => Err(finding),
            _ => Ok(()),
        })
    }

    fn checks(_: &Subject) -> Vec<Check<Client>> {
        vec![
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
            (SPECIAL[0].0, |client| client.special(SPECIAL[0].1)),
            (SPECIAL[1].0, |client| client.special(SPECIAL[1].1)),
            (SPECIAL[2].0, |client| client.special(SPECIAL[2].1)),
            ("plays a game against itself", Client::whole_game),
            ("leaves when told, with an answer", Client::quit),
            ("leaves at the end of its input", Client::end_of_input),
        ]
    }
}

impl Client {
    /// Reads one response.
    fn hear(&mut self) -> Result<Response, Finding> {
        let mut reader = ResponseReader::new();
        loop {
            let line = self.talk.raw_line(self.subject.patience)?;
            if let Some(response) = reader.push(&line) {
                return Ok(response);
            }
        }
    }

    fn ask(&mut self, request: &str) -> Result<Result<String, String>, Finding> {
        self.talk.say(request);
        Ok(self.hear()?.result)
    }

    fn command(&mut self, command: &Command) -> Result<Result<String, String>, Finding> {
        self.ask(&command.request(None).to_string())
    }

    /// Sends a command that must succeed.
    fn must(&mut self, command: &Command) -> Result<String, Finding> {
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

    /// An empty board.
    fn clear(&mut self) -> StepResult {
        if let Some(board) = self.board {
            self.must(&board.boardsize())?;
        }
        self.must(&Command::ClearBoard)?;
        if self.knows("time_settings") {
            let byo_yomi_s = self.subject.move_time.as_secs().max(1) as u32;
            self.must(&Command::TimeSettings { main_s: 0, byo_yomi_s, stones: 1 })?;
        }
        Ok(())
    }

    /// Plays moves from the start of the game on.
    fn play(&mut self, moves: &[Move]) -> Result<Game, Finding> {
        let mut game = Game::new(self.subject.rules.clone());
        for &mv in moves {
            self.must(&play_command(&game, mv))?;
            play_move(&mut game, mv)?;
        }
        Ok(game)
    }

    /// Asks for a move, which must be legal, and plays it.
    fn generate(&mut self, game: &mut Game) -> StepResult {
        let answer = self.must(&Command::GenMove(color(game.to_move())))?;
        read(game, &answer)?.into_iter().try_for_each(|mv| play_move(game, mv))
    }

    /// Whether the engine sees the end of a game as the rules do: who has lost resigns, all others
    /// pass, and the score says who has won.
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
            return missing("no `final_score`");
        }
        let score = self.must(&Command::FinalScore)?;
        // The margin is no matter.
        let expected = final_score(outcome).trim_end_matches('1');
        if score.trim().starts_with(expected) {
            return Ok(());
        }
        wrong(format!("final_score is `{score}`, not `{expected}`"))
    }
}

/// Moves are sent in extended texts, which leave nothing open.
const CODEC: Codec = Codec { extended: true };

/// The text of a move with vertices.
fn move_text(game: &Game, mv: Move) -> String {
    CODEC.move_text(game, mv).unwrap_or_default()
}

/// The command that plays a move of the seat to move.
fn play_command(game: &Game, mv: Move) -> Command {
    Command::Play { color: color(game.to_move()), vertex: move_text(game, mv) }
}

/// The moves that an answer stands for.
fn read(game: &Game, answer: &str) -> Result<Vec<Move>, Finding> {
    CODEC.parse_move(game, answer.trim()).or_else(|error| match error {
        MoveError::Vertex(_) => wrong(format!("`{answer}` is no vertex")),
        error => wrong(format!("`{answer}`: {error}")),
    })
}

impl Client {
    pub(crate) fn introduction(&mut self) -> StepResult {
        self.list()?;
        let absent: Vec<_> = REQUIRED.into_iter().filter(|command| !self.knows(command)).collect();
        if absent.is_empty() { Ok(()) } else { wrong(format!("not listed: {}", absent.join(", "))) }
    }

    pub(crate) fn names(&mut self) -> StepResult {
        let version = self.must(&Command::ProtocolVersion)?;
        if version.trim() != "2" {
            return wrong(format!("protocol_version is `{version}`"));
        }
        for command in [Command::Name, Command::Version] {
            if self.must(&command)?.trim().is_empty() {
                return missing(format!("`{}` answers nothing", command.request(None)));
            }
        }
        Ok(())
    }

    pub(crate) fn known_command(&mut self) -> StepResult {
        for (command, expected) in [("genmove", "true"), ("no_such_command", "false")] {
            let answer = self.must(&Command::KnownCommand(command.to_owned()))?;
            if answer.trim() != expected {
                return wrong(format!("`known_command {command}` gives `{answer}`"));
            }
        }
        Ok(())
    }

    pub(crate) fn framing(&mut self) -> StepResult {
        for line in ["# a comment", "", "  ", "17 name # the name", "\tname\r"] {
            self.talk.say(line);
        }
        for id in [Some(17), None] {
            let response = self.hear()?;
            if response.id != id {
                return wrong(format!("the number {id:?} was sent, {:?} came back", response.id));
            }
            if let Err(error) = response.result {
                return wrong(format!("it refuses `name`: {error}"));
            }
        }
        Ok(())
    }

    pub(crate) fn choose_game(&mut self) -> StepResult {
        if !self.knows("set_game") {
            return missing("no `set_game`: the game must be set on its command line");
        }
        self.must(&gtp::set_game(&self.subject.rules)).map(|_| ())
    }

    pub(crate) fn board_size(&mut self) -> StepResult {
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

    pub(crate) fn moves(&mut self) -> StepResult {
        self.clear()?;
        let mut game = self.play(&[])?;
        (0..3).try_for_each(|_| self.generate(&mut game))
    }

    pub(crate) fn plays(&mut self) -> StepResult {
        self.clear()?;
        let opened = opened(&self.subject.rules, 2);
        let mut game = Game::new(self.subject.rules.clone());
        for mv in opened.moves() {
            let color = if color(game.to_move()) == Color::Black { "Black" } else { "WHITE" };
            let line = format!("play {color} {}", move_text(&game, mv).to_lowercase());
            if let Err(error) = self.ask(&line)? {
                return wrong(format!("it refuses `{line}`: {error}"));
            }
            play_move(&mut game, mv)?;
        }
        self.generate(&mut game)
    }

    pub(crate) fn illegal_moves(&mut self) -> StepResult {
        self.clear()?;
        let moves = opened(&self.subject.rules, 2).moves();
        let mut game = self.play(&moves)?;
        let Some(&first) = moves.first() else { return missing("this game has no second move") };
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
        // The engine's own move is the last, unless it has answered for two.
        if self.knows("undo") && game.moves().len() == moves.len() + 1 {
            game.undo();
            self.must(&Command::Undo)?;
            return self.take_back(&mut game);
        }
        Ok(())
    }

    /// Takes the last move back and plays it again.
    fn take_back(&mut self, game: &mut Game) -> StepResult {
        let Some(mv) = game.undo() else { return missing("this game has no move to take back") };
        self.must(&Command::Undo)?;
        self.must(&play_command(game, mv))?;
        play_move(game, mv)
    }

    pub(crate) fn undo(&mut self) -> StepResult {
        if !self.knows("undo") {
            return missing("no `undo`");
        }
        self.clear()?;
        let opened = opened(&self.subject.rules, 3);
        let mut game = self.play(&opened.moves())?;
        self.take_back(&mut game)?;
        self.take_back(&mut game)
    }

    pub(crate) fn times(&mut self) -> StepResult {
        if !self.knows("time_settings") || !self.knows("time_left") {
            return missing("no `time_settings` and `time_left`");
        }
        self.clear()?;
        self.must(&Command::TimeSettings { main_s: 60, byo_yomi_s: 0, stones: 0 })?;
        let left = Command::TimeLeft { color: Color::Black, milliseconds: 3_000, stones: 0 };
        self.must(&left)?;
        let mut game = self.play(&[])?;
        self.generate(&mut game)
    }

    pub(crate) fn gogui_rules(&mut self) -> StepResult {
        let Some(board) = self.board.filter(|_| self.knows("gogui-rules_legal_moves")) else {
            return missing("no `gogui-rules_legal_moves`");
        };
        self.clear()?;
        let opened = opened(&self.subject.rules, 2);
        let game = self.play(&opened.moves())?;
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
        let end = finished(&self.subject.rules)?;
        self.play(&end.moves())?;
        let listed = self.must(&Command::Rules(RulesQuery::LegalMoves))?;
        if listed.trim().is_empty() { Ok(()) } else { wrong("moves after the end of the game") }
    }

    pub(crate) fn analysis(&mut self) -> StepResult {
        if !self.knows("lz-analyze") {
            return missing("no `lz-analyze`");
        }
        self.clear()?;
        let opened = opened(&self.subject.rules, 2);
        let game = self.play(&opened.moves())?;
        self.talk.say(format!("5 lz-analyze {} 10", color(game.to_move())));
        let opening = self.talk.hear()?;
        if opening.trim_end() != "=5" {
            return wrong(format!("`{opening}` does not begin an analysis"));
        }
        let line = self.talk.hear()?;
        let infos = MoveInfo::parse_line(&line);
        let Some(best) = infos.first() else { return wrong(format!("`{line}` names no move")) };
        let mut ahead = game.clone();
        read(&game, &best.mv)?.into_iter().try_for_each(|mv| play_move(&mut ahead, mv))?;
        self.talk.say("6 name");
        while !self.talk.raw_line(self.subject.patience)?.trim().is_empty() {}
        let response = self.hear()?;
        if response.id == Some(6) { Ok(()) } else { wrong("the next line is not answered") }
    }

    /// Plays the first moves of those games that the engine lists.
    pub(crate) fn special(&mut self, names: &[&str]) -> StepResult {
        if !self.knows("list_games") || !self.knows("set_game") {
            return missing("no `list_games` and `set_game`");
        }
        let list = self.must(&Command::ListGames)?;
        let listed = |name: &&&str| list.lines().any(|line| line.trim() == **name);
        let listed: Vec<_> = names.iter().filter(listed).collect();
        if listed.is_empty() {
            return missing(format!("it lists none of {}", names.join(", ")));
        }
        let subject = self.subject.clone();
        for rules in listed.into_iter().filter_map(|name| name.parse::<Ruleset>().ok()) {
            self.set_rules(&rules);
            self.choose_game()?;
            let refilled = refilled(&rules, |_, _| true);
            let opened = SPECIAL_PLIES.map(|plies| opened(&rules, plies));
            for opened in opened.into_iter().chain(refilled) {
                self.clear()?;
                let mut game = self.play(&opened.moves())?;
                self.generate(&mut game)?;
            }
        }
        self.set_rules(&subject.rules);
        self.choose_game()
    }

    fn set_rules(&mut self, rules: &Ruleset) {
        self.board = VertexBoard::of(&Game::new(rules.clone()));
        self.subject.rules = rules.clone();
    }

    pub(crate) fn bad_input(&mut self) -> StepResult {
        for line in ["no_such_command", "play", "genmove", "boardsize many"] {
            if self.ask(line)?.is_ok() {
                return wrong(format!("it takes `{line}`"));
            }
        }
        let long = format!("name {}", "x".repeat(5000));
        self.ask(&long).map(|_| ())
    }

    pub(crate) fn pipelined(&mut self) -> StepResult {
        self.clear()?;
        let lines = "1 name\n2 version\n3 no_such_command\n4 protocol_version";
        self.talk.say(lines);
        for id in 1..=4 {
            let response = self.hear()?;
            if response.id != Some(id) {
                return wrong(format!("number {id} was due, {:?} came", response.id));
            }
        }
        Ok(())
    }

    pub(crate) fn end_of_game(&mut self) -> StepResult {
        self.clear()?;
        let end = finished(&self.subject.rules)?;
        let game = self.play(&end.moves())?;
        self.agrees(&game)
    }

    pub(crate) fn whole_game(&mut self) -> StepResult {
        self.clear()?;
        if self.knows("kata-time_settings") {
            let period = (self.subject.move_time / 5).as_secs_f64();
            self.ask(&format!("kata-time_settings byoyomi 0 {period} 1")).map(|_| ())?;
        }
        let mut game = self.play(&[])?;
        while game.outcome().is_none() && game.moves().len() < LONGEST {
            self.generate(&mut game)?;
        }
        self.agrees(&game)
    }

    pub(crate) fn quit(&mut self) -> StepResult {
        self.must(&Command::Quit)?;
        self.talk.ends_within(LEAVING, false)?;
        Err(Finding::Gone)
    }

    pub(crate) fn end_of_input(&mut self) -> StepResult {
        self.talk.ends_within(LEAVING.max(Duration::from_secs(1)), true)?;
        Err(Finding::Gone)
    }
}
