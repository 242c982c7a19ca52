//! What a line of text makes a host do.

use super::command::{self, Command};
use super::host::sentence;
use super::question::Question;
use super::sitter::parse_level;
use super::table::Fault;
use super::thought::Purpose;
use super::{Host, Sitter, Table, help, record};
use pentarch_engine::Game;
use std::path::Path;

impl Host {
    /// Does what a line says.
    pub(super) fn do_line(&mut self, line: &str) {
        self.notes.clear();
        self.page = None;
        self.wants_board = false;
        if line.trim().is_empty() {
            return self.go_on();
        }
        match command::parse(line) {
            Ok(command) => self.run(command),
            Err(usage) => self.note(sentence(&usage)),
        }
    }

    fn run(&mut self, command: Command) {
        match command {
            Command::Move(text) => self.move_text(&text),
            Command::Undo => self.undo(),
            Command::Redo => {
                if self.table.redo() == 0 {
                    return self.note("Nothing was taken back.");
                }
                self.begin_turn();
            }
            Command::Hint if self.table.end().is_some() => self.note("The game is over."),
            Command::Hint if self.table.mover().is_person() => self.start(Purpose::Hint),
            Command::Hint => self.note("It is not your turn."),
            Command::Threats => self.toggle_threats(),
            Command::Save(path, format) => self.save(Path::new(&path), format.as_deref()),
            Command::Load(path, number) => self.load(Path::new(&path), number),
            Command::New(spec) => self.new_game(spec.as_deref()),
            Command::Level(text) => self.set_level(&text),
            Command::Players(text) => {
                let sitters = Sitter::parse_all(&text, self.game().seats(), self.setup.level);
                match sitters {
                    Ok(sitters) => self.set_sitters(sitters),
                    Err(error) => self.note(sentence(&error)),
                }
            }
            Command::Switch => {
                let mut sitters = self.table.sitters().to_vec();
                sitters.rotate_right(1);
                self.set_sitters(sitters);
            }
            Command::Now if self.thought.is_some() => self.go_on(),
            Command::Now => self.note("No engine is thinking."),
            Command::Resign if !self.table.mover().is_person() => self.note("It is not your turn."),
            Command::Resign => match self.table.lose(Fault::Resigned(self.game().to_move())) {
                Ok(()) => self.begin_turn(),
                Err(error) => self.note(sentence(&error.to_string())),
            },
            Command::Board => self.wants_board = true,
            Command::Moves => self.page = Some(help::game_moves(&self.table)),
            Command::Rules => self.page = Some(help::rules(self.game())),
            Command::Help => self.page = Some(help::commands(self.game(), self.has_cursor)),
            Command::Quit => self.is_leaving = true,
        }
    }

    fn move_text(&mut self, text: &str) {
        let answer = self.question.as_ref().and_then(|open| open.answer(self.game(), text));
        if let Some(mv) = answer {
            return self.play_as_person(mv);
        }
        self.dismiss();
        match self.game().parse_move(&command::canonical(text)) {
            Ok(mv) => {
                let is_bare = text.chars().all(|c| c.is_ascii_alphanumeric());
                let asked = mv.cell().filter(|_| is_bare && !self.game().is_choice());
                let asked = asked.and_then(|cell| Question::at(self.game(), cell, false));
                match asked {
                    Some(question) if self.table.mover().is_person() => {
                        self.question = Some(question);
                    }
                    _ => self.play_as_person(mv),
                }
            }
            Err(error) => {
                self.note(sentence(&error.to_string()));
                if let Some(word) = command::meant(text) {
                    self.note(format!("Did you mean `{word}`? `help` lists the commands."));
                }
            }
        }
    }

    fn undo(&mut self) {
        match self.table.undo() {
            Some(_) => {
                self.begin_turn();
                self.is_paused = !self.table.mover().is_person();
            }
            None => self.note("There is no move of yours to take back."),
        }
    }

    fn toggle_threats(&mut self) {
        if self.game().placement().is_none() {
            return self.note("This game has no threes and fours to call.");
        }
        self.shows_threats = !self.shows_threats;
        self.note(match self.shows_threats {
            true if self.game().threats().is_empty() => "Threats are shown; there is none yet.",
            true => "Threats are shown.",
            false => "Threats are no longer shown.",
        });
    }

    fn set_sitters(&mut self, sitters: Vec<Sitter>) {
        self.table.set_sitters(sitters);
        self.seat_engines();
        self.begin_turn();
        self.is_paused = false;
        let names: Vec<_> = self.table.sitters().iter().map(Sitter::to_string).collect();
        self.note(format!("In the order of play: {}.", names.join("; ")));
    }

    fn set_level(&mut self, text: &str) {
        match parse_level(text) {
            Err(error) => self.note(sentence(&error)),
            Ok(level) => {
                self.setup.level = level;
                let set = |sitter: &Sitter| match sitter {
                    Sitter::Engine(_) => Sitter::Engine(level),
                    Sitter::Person(_) => sitter.clone(),
                };
                let sitters = self.table.sitters().iter().map(set).collect();
                self.set_sitters(sitters);
            }
        }
    }

    fn new_game(&mut self, spec: Option<&str>) {
        let rules = match spec.map(str::parse) {
            None => self.game().rules().clone(),
            Some(Ok(rules)) => rules,
            Some(Err(error)) => return self.note(sentence(&format!("{error}"))),
        };
        let table = self.table.anew(&Game::new(rules), self.setup.level);
        self.file = None;
        self.seat(table);
    }

    fn save(&mut self, path: &Path, format: Option<&str>) {
        match record::save(&self.table, path, format, self.file.as_deref()) {
            Ok(said) => {
                self.file = Some(path.to_owned());
                self.note(said);
            }
            Err(error) => self.note(sentence(&error)),
        }
    }

    fn load(&mut self, path: &Path, number: usize) {
        if let Err(error) = self.open(path, number, None) {
            self.note(sentence(&error));
        }
    }

    /// Goes on with a game of a file, with the players that it names unless others are given.
    pub(super) fn open(
        &mut self,
        path: &Path,
        number: usize,
        players: Option<&str>,
    ) -> Result<(), String> {
        let (recorded, game, count) = record::load(path, number, self.game().rules())?;
        let (seats, level) = (game.seats(), self.setup.level);
        let sitters = match players {
            Some(players) => Sitter::parse_all(players, seats, level)?,
            None => record::sitters(&recorded, seats, level),
        };
        let mut table = Table::new(&game, sitters, self.table.clock());
        let name = recorded.name.clone();
        table.record = Some(recorded);
        self.seat(table);
        self.file = (count == 1).then(|| path.to_owned());
        let of = if count > 1 { format!(", game {number} of {count}") } else { String::new() };
        self.note(format!("Loaded: {name}{of}."));
        let is_open = self.table.end().is_none();
        if is_open && self.table.sitters().iter().all(Sitter::is_person) {
            let engines = vec!["engine"; usize::from(seats) - 1].join(",");
            self.note(format!("`players you,{engines}` lets the engine play on."));
        }
        Ok(())
    }
}
