//! What each step of GTP says and wants to hear.

use super::super::game::{finished, opened, play_move, refilled};
use super::super::{Finding, StepResult, missing, wrong};
use super::super::{LEAVING, LONGEST, SPECIAL_PLIES};
use super::{Client, REQUIRED, move_text, play_command, read};
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::gtp::{Color, Command, MoveInfo, Rules, Vertex};
use pentarch_session::dialects::gtp::{self, Board, color};
use std::time::Duration;

impl Client {
    pub(super) fn introduction(&mut self) -> StepResult {
        self.list()?;
        let absent: Vec<_> = REQUIRED.into_iter().filter(|command| !self.knows(command)).collect();
        if absent.is_empty() { Ok(()) } else { wrong(format!("not listed: {}", absent.join(", "))) }
    }

    pub(super) fn names(&mut self) -> StepResult {
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

    pub(super) fn known_command(&mut self) -> StepResult {
        for (command, expected) in [("genmove", "true"), ("no_such_command", "false")] {
            let answer = self.must(&Command::KnownCommand(command.to_owned()))?;
            if answer.trim() != expected {
                return wrong(format!("`known_command {command}` gives `{answer}`"));
            }
        }
        Ok(())
    }

    pub(super) fn framing(&mut self) -> StepResult {
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

    pub(super) fn choose_game(&mut self) -> StepResult {
        if !self.knows("set_game") {
            return missing("no `set_game`: the game must be set on its command line");
        }
        self.must(&gtp::set_game(&self.subject.rules)).map(|_| ())
    }

    pub(super) fn board_size(&mut self) -> StepResult {
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

    pub(super) fn moves(&mut self) -> StepResult {
        self.clear()?;
        let mut game = self.play(&[])?;
        (0..3).try_for_each(|_| self.generate(&mut game))
    }

    pub(super) fn plays(&mut self) -> StepResult {
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

    pub(super) fn illegal_moves(&mut self) -> StepResult {
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

    pub(super) fn undo(&mut self) -> StepResult {
        if !self.knows("undo") {
            return missing("no `undo`");
        }
        self.clear()?;
        let opened = opened(&self.subject.rules, 3);
        let mut game = self.play(&opened.moves())?;
        self.take_back(&mut game)?;
        self.take_back(&mut game)
    }

    pub(super) fn times(&mut self) -> StepResult {
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

    pub(super) fn gogui_rules(&mut self) -> StepResult {
        let Some(board) = self.board.filter(|_| self.knows("gogui-rules_legal_moves")) else {
            return missing("no `gogui-rules_legal_moves`");
        };
        self.clear()?;
        let opened = opened(&self.subject.rules, 2);
        let game = self.play(&opened.moves())?;
        let side = self.must(&Command::Rules(Rules::SideToMove))?;
        if Color::parse(side.trim()) != Ok(color(game.to_move())) {
            return wrong(format!("`{side}` is not to move"));
        }
        let listed = self.must(&Command::Rules(Rules::LegalMoves))?;
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
        let listed = self.must(&Command::Rules(Rules::LegalMoves))?;
        if listed.trim().is_empty() { Ok(()) } else { wrong("moves after the end of the game") }
    }

    pub(super) fn analysis(&mut self) -> StepResult {
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
    pub(super) fn special(&mut self, names: &[&str]) -> StepResult {
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
        self.board = Board::of(&Game::new(rules.clone()));
        self.subject.rules = rules.clone();
    }

    pub(super) fn bad_input(&mut self) -> StepResult {
        for line in ["no_such_command", "play", "genmove", "boardsize many"] {
            if self.ask(line)?.is_ok() {
                return wrong(format!("it takes `{line}`"));
            }
        }
        let long = format!("name {}", "x".repeat(5000));
        self.ask(&long).map(|_| ())
    }

    pub(super) fn pipelined(&mut self) -> StepResult {
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

    pub(super) fn end_of_game(&mut self) -> StepResult {
        self.clear()?;
        let end = finished(&self.subject.rules)?;
        let game = self.play(&end.moves())?;
        self.agrees(&game)
    }

    pub(super) fn whole_game(&mut self) -> StepResult {
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

    pub(super) fn quit(&mut self) -> StepResult {
        self.must(&Command::Quit)?;
        self.talk.ends_within(LEAVING, false)?;
        Err(Finding::Gone)
    }

    pub(super) fn end_of_input(&mut self) -> StepResult {
        self.talk.ends_within(LEAVING.max(Duration::from_secs(1)), true)?;
        Err(Finding::Gone)
    }
}
