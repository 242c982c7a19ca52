//! Executes the commands of people and runs the searches of engines.

use super::commands::{PlayCommand, canonical_move, help_page, similar_command};
use super::game::{Forfeit, GameState, LoadedGame, LocalPlayer, parse_level};
use super::text;
use pentarch_arena::TimeControl;
use pentarch_core::game::{Cell, Move, MoveKind, Seat};
use pentarch_core::rules::SpecialStones;
use pentarch_engine::search::{Limits, Report, SearchResult};
use pentarch_engine::{Engine, EngineError, Game, Options, RunningSearch};
use pentarch_records::sanitize_line;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The settings of engines.
#[derive(Clone, Debug)]
pub(super) struct EngineSetup {
    /// The level of engines whose level is not given.
    pub level: u32,
    pub options: Options,
    /// The limits of moves in addition to the clocks.
    pub control: TimeControl,
}

impl EngineSetup {
    /// A level at which a beginner wins now and then.
    pub(super) const DEFAULT_LEVEL: u32 = 4;
}

/// A game and the state of its conversation with people.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent states")]
pub(super) struct GameController {
    pub state: GameState,
    setup: EngineSetup,
    /// The engines by seat. Those of people are not used.
    engines: Vec<Engine>,
    hint_engine: Engine,
    pub search: Option<BackgroundSearch>,
    pub question: Option<MoveQuestion>,
    /// The move of the last hint, until the next move.
    pub hint: Option<Move>,
    pub shows_threats: bool,
    /// The messages since the last command.
    pub messages: Vec<String>,
    /// A page of text to show: help, moves or rules.
    pub page: Option<Vec<String>>,
    /// Whether a command asked for the board.
    pub board_requested: bool,
    /// Whether engines wait, after an undo or a failure.
    pub is_paused: bool,
    pub has_quit: bool,
    /// Whether the front end is a screen with a cursor.
    pub has_screen: bool,
    turn_started: Instant,
    /// The file that the game was last saved to, or was loaded from as its only game.
    file: Option<PathBuf>,
}

/// How late the move of an engine may be, on a busy machine.
const ENGINE_MARGIN: Duration = Duration::from_millis(300);
/// The time of moves and hints that nothing else limits.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

impl GameController {
    pub(super) fn new(state: GameState, setup: EngineSetup) -> GameController {
        let hint_engine =
            Engine::new(Options { level: *Options::LEVEL.end(), ..setup.options.clone() });
        let mut controller = GameController {
            state,
            setup,
            engines: Vec::new(),
            hint_engine,
            search: None,
            question: None,
            hint: None,
            shows_threats: false,
            messages: Vec::new(),
            page: None,
            board_requested: false,
            is_paused: false,
            has_quit: false,
            has_screen: false,
            turn_started: Instant::now(),
            file: None,
        };
        controller.create_engines();
        controller.begin_turn();
        controller
    }

    pub(super) fn game(&self) -> &Game {
        self.state.game()
    }

    /// Adds a message. Control characters are escaped, since it may quote input or a file.
    fn message(&mut self, text: impl AsRef<str>) {
        self.messages.push(sanitize_line(text.as_ref()));
    }

    fn error(&mut self, error: &dyn std::fmt::Display) {
        self.message(text::sentence(&error.to_string()));
    }

    fn create_engines(&mut self) {
        let options = |player: &LocalPlayer| match player {
            LocalPlayer::Engine(level) => Options { level: *level, ..self.setup.options.clone() },
            LocalPlayer::Person(_) => self.setup.options.clone(),
        };
        self.engines = self.state.players().iter().map(options).map(Engine::new).collect();
    }

    fn begin_turn(&mut self) {
        self.search = None;
        self.hint = None;
        self.question = None;
        if self.waits_for_person() {
            self.question = MoveQuestion::color_choice(self.game());
        }
        self.turn_started = Instant::now();
    }

    /// Whether the game is open and a person is to move.
    pub(super) fn waits_for_person(&self) -> bool {
        self.state.end().is_none() && self.state.mover().is_person()
    }

    fn waits_for_engine(&self) -> bool {
        self.state.end().is_none() && !self.is_paused && !self.state.mover().is_person()
    }

    /// Whether a search runs or is about to start.
    pub(super) fn is_busy(&self) -> bool {
        self.search.is_some() || self.waits_for_engine()
    }

    /// Whether the display changes without input: a clock or a search runs.
    pub(super) fn is_running(&self) -> bool {
        let has_clock = self.state.clock().is_some() && self.state.end().is_none();
        self.is_busy() || has_clock
    }

    /// The time left on the clock of a seat, or `None` without clocks.
    pub(super) fn time_left(&self, seat: Seat) -> Option<Duration> {
        let left = self.state.timer(seat).limit()?;
        let runs = self.state.end().is_none() && self.game().to_move() == seat && !self.is_paused;
        Some(if runs { left.saturating_sub(self.turn_started.elapsed()) } else { left })
    }

    /// Checks the clock of a person and the search of an engine; waits up to `wait` for the end of a
    /// search. Returns whether the game has changed or there is a message.
    pub(super) fn tick(&mut self, wait: Duration) -> bool {
        let mover = self.game().to_move();
        if self.waits_for_person() && self.time_left(mover).is_some_and(|left| left.is_zero()) {
            let _ = self.state.forfeit(Forfeit::FlagFall(mover));
            self.begin_turn();
            return true;
        }
        if self.search.is_none() && self.waits_for_engine() {
            self.start_search(SearchPurpose::Move(mover));
        }
        let Some(search) = &mut self.search else { return false };
        let (purpose, status) = (search.purpose, search.poll(wait));
        match status {
            SearchStatus::Running => return false,
            SearchStatus::Finished(time, found) => {
                self.search = None;
                self.use_result(purpose, time, found);
            }
            SearchStatus::Failed => {
                self.search = None;
                self.is_paused = true;
                self.message("The engine has failed, which is a bug; `players` can replace it.");
            }
        }
        true
    }

    fn start_search(&mut self, purpose: SearchPurpose) {
        let TimeControl { move_time, nodes, depth, .. } = self.setup.control;
        let mut limits = Limits { depth, nodes, move_time, ..Limits::default() };
        let engine = match purpose {
            SearchPurpose::Move(seat) => {
                limits.clock = self.state.timer(seat).clock();
                &mut self.engines[seat.index()]
            }
            SearchPurpose::Hint => &mut self.hint_engine,
        };
        if !limits.is_bounded() {
            limits.move_time = Some(DEFAULT_MOVE_TIME);
        }
        match BackgroundSearch::start(engine, self.state.game(), limits, purpose) {
            Ok(search) => self.search = Some(search),
            Err(error) => {
                self.is_paused = true;
                self.message(error.to_string());
            }
        }
    }

    fn use_result(&mut self, purpose: SearchPurpose, time: Duration, found: SearchResult) {
        let Some(best) = found.best else { return };
        match purpose {
            SearchPurpose::Move(_) => self.play(best, time, ENGINE_MARGIN, Some(found.report)),
            SearchPurpose::Hint => {
                let score = found.report.score;
                let value = match score.mate() {
                    Some(plies) if plies < 0 => format!("loses in {} plies", -plies),
                    Some(plies) => format!("wins in {plies} plies"),
                    None => format!("{:.0} % to win", score.win_probability() * 100.0),
                };
                self.message(format!("Hint: {}, {value}.", self.game().move_text(best)));
                self.hint = Some(best);
            }
        }
    }

    fn play(&mut self, mv: Move, time: Duration, margin: Duration, report: Option<Report>) {
        match self.state.play(mv, time, margin, report) {
            Ok(()) => self.begin_turn(),
            Err(error) => self.error(&error),
        }
    }

    /// Plays a move of a person.
    pub(super) fn play_move_of_person(&mut self, mv: Move) {
        if self.state.end().is_none() && !self.state.mover().is_person() {
            return self.message(if self.is_paused {
                "The engines are paused; an empty line resumes them."
            } else {
                "It is the engine's turn; `now` makes it move at once."
            });
        }
        self.play(mv, self.turn_started.elapsed(), Duration::ZERO, None);
    }

    /// Plays at a cell, or asks what to place if there are several choices and no plain stone.
    pub(super) fn play_at(&mut self, cell: Cell) {
        self.question = MoveQuestion::at(self.game(), cell, false);
        if self.question.is_none() {
            let moves = legal_moves_at(self.game(), cell);
            self.play_move_of_person(moves.first().copied().unwrap_or(Move::stone(cell)));
        }
    }

    /// Asks what to place at a cell, including plain stones.
    pub(super) fn ask_at(&mut self, cell: Cell) {
        self.question = MoveQuestion::at(self.game(), cell, true);
        if self.question.is_none() {
            self.message(match legal_moves_at(self.game(), cell).len() {
                0 => "Nothing can be placed there.",
                _ => "Only a plain stone can be placed there.",
            });
        }
    }

    /// Closes a question that is not required.
    pub(super) fn dismiss_question(&mut self) {
        self.question = self.question.take().filter(|question| question.is_required);
    }

    /// Stops the running search, or resumes paused engines.
    pub(super) fn stop_or_resume(&mut self) {
        match &self.search {
            Some(search) => search.thinking.stop(),
            None if self.is_paused => {
                self.is_paused = false;
                self.turn_started = Instant::now();
            }
            None => (),
        }
    }

    fn set_state(&mut self, state: GameState) {
        self.search = None;
        self.state = state;
        self.is_paused = false;
        self.create_engines();
        self.begin_turn();
    }

    /// Executes a line.
    pub(super) fn execute_line(&mut self, line: &str) {
        self.messages.clear();
        self.page = None;
        self.board_requested = false;
        if line.trim().is_empty() {
            return self.stop_or_resume();
        }
        match PlayCommand::parse(line) {
            Ok(command) => self.execute(command),
            Err(usage) => self.error(&usage),
        }
    }

    fn execute(&mut self, command: PlayCommand) {
        match command {
            PlayCommand::Move(text) => self.execute_move(&text),
            PlayCommand::Undo if self.state.undo() => {
                self.begin_turn();
                self.is_paused = !self.state.mover().is_person();
            }
            PlayCommand::Undo => self.message("There is no move of yours to take back."),
            PlayCommand::Redo if self.state.redo() > 0 => self.begin_turn(),
            PlayCommand::Redo => self.message("Nothing was taken back."),
            PlayCommand::Hint if self.state.end().is_some() => self.message("The game is over."),
            PlayCommand::Hint if self.state.mover().is_person() => {
                self.start_search(SearchPurpose::Hint);
            }
            PlayCommand::Hint => self.message("It is not your turn."),
            PlayCommand::Threats => self.toggle_threats(),
            PlayCommand::Save(path, format) => {
                let path = Path::new(&path);
                match self.state.save(path, format.as_deref(), self.file.as_deref()) {
                    Ok(message) => {
                        self.file = Some(path.to_owned());
                        self.message(message);
                    }
                    Err(error) => self.error(&error),
                }
            }
            PlayCommand::Load(path, number) => {
                if let Err(error) = self.load(Path::new(&path), number, None) {
                    self.error(&error);
                }
            }
            PlayCommand::New(spec) => {
                let rules = match spec.as_deref().map(str::parse) {
                    None => self.game().rules().clone(),
                    Some(Ok(rules)) => rules,
                    Some(Err(error)) => return self.error(&error),
                };
                let state = self.state.restarted(&Game::new(rules), self.setup.level);
                self.file = None;
                self.set_state(state);
            }
            PlayCommand::Level(text) => match parse_level(&text) {
                Ok(level) => self.set_level(level),
                Err(error) => self.error(&error),
            },
            PlayCommand::Players(text) => {
                let seats = self.game().seats();
                match LocalPlayer::parse_list(&text, seats, self.setup.level) {
                    Ok(players) => self.set_players(players),
                    Err(error) => self.error(&error),
                }
            }
            PlayCommand::Switch => {
                let mut players = self.state.players().to_vec();
                players.rotate_right(1);
                self.set_players(players);
            }
            PlayCommand::Now if self.search.is_some() => self.stop_or_resume(),
            PlayCommand::Now => self.message("No engine is thinking."),
            PlayCommand::Resign if !self.state.mover().is_person() => {
                self.message("It is not your turn.");
            }
            PlayCommand::Resign => {
                match self.state.forfeit(Forfeit::Resignation(self.game().to_move())) {
                    Ok(()) => self.begin_turn(),
                    Err(error) => self.error(&error),
                }
            }
            PlayCommand::Board => self.board_requested = true,
            PlayCommand::Moves => self.page = Some(text::move_list(&self.state)),
            PlayCommand::Rules => self.page = Some(text::rules_page(self.game())),
            PlayCommand::Help => self.page = Some(help_page(self.game(), self.has_screen)),
            PlayCommand::Quit => self.has_quit = true,
        }
    }

    /// Plays a typed move, or answers the open question.
    fn execute_move(&mut self, text: &str) {
        let answer = self.question.as_ref().and_then(|open| open.answer(self.game(), text));
        if let Some(mv) = answer {
            return self.play_move_of_person(mv);
        }
        self.dismiss_question();
        match self.game().parse_move(&canonical_move(text)) {
            Ok(mv) => {
                // The name of a point alone may leave a choice, such as the sign of a capture.
                let is_point = text.chars().all(|c| c.is_ascii_alphanumeric());
                let cell = mv.cell().filter(|_| is_point && !self.game().is_choice());
                let question = cell.and_then(|cell| MoveQuestion::at(self.game(), cell, false));
                match question {
                    Some(question) if self.state.mover().is_person() => {
                        self.question = Some(question);
                    }
                    _ => self.play_move_of_person(mv),
                }
            }
            Err(error) => {
                self.error(&error);
                if let Some(word) = similar_command(text) {
                    self.message(format!("Did you mean `{word}`? `help` lists the commands."));
                }
            }
        }
    }

    fn toggle_threats(&mut self) {
        if self.game().placement().is_none() {
            return self.message("Threes and fours are shown only in games on squares.");
        }
        self.shows_threats = !self.shows_threats;
        self.message(match self.shows_threats {
            true if self.game().threats().is_empty() => "Threats are shown; there is none yet.",
            true => "Threats are shown.",
            false => "Threats are hidden.",
        });
    }

    fn set_players(&mut self, players: Vec<LocalPlayer>) {
        self.state.set_players(players);
        self.create_engines();
        self.begin_turn();
        self.is_paused = false;
        let names: Vec<_> = self.state.players().iter().map(LocalPlayer::to_string).collect();
        self.message(format!("In the order of play: {}.", names.join("; ")));
    }

    fn set_level(&mut self, level: u32) {
        self.setup.level = level;
        let player = |player: &LocalPlayer| match player {
            LocalPlayer::Engine(_) => LocalPlayer::Engine(level),
            LocalPlayer::Person(_) => player.clone(),
        };
        let players = self.state.players().iter().map(player).collect();
        self.set_players(players);
    }

    /// Continues a game of a file, with the recorded players unless others are given.
    pub(super) fn load(
        &mut self,
        path: &Path,
        number: usize,
        players: Option<&str>,
    ) -> Result<(), String> {
        let LoadedGame { state, name, games } =
            LoadedGame::read(path, number, &self.state, players, self.setup.level)?;
        self.set_state(state);
        self.file = (games == 1).then(|| path.to_owned());
        let of = if games > 1 { format!(", game {number} of {games}") } else { String::new() };
        self.message(format!("Loaded: {name}{of}."));
        let all_people = self.state.players().iter().all(LocalPlayer::is_person);
        if self.state.end().is_none() && all_people {
            let engines = vec!["engine"; usize::from(self.game().seats()) - 1].join(",");
            self.message(format!("`players you,{engines}` lets the engine play on."));
        }
        Ok(())
    }
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchPurpose {
    /// The move of a seat.
    Move(Seat),
    /// A hint for a person.
    Hint,
}

/// A search on a thread of its engine.
#[derive(Debug)]
pub(super) struct BackgroundSearch {
    pub purpose: SearchPurpose,
    thinking: RunningSearch,
    events: Receiver<SearchEvent>,
    pub started: Instant,
    /// The last report.
    pub report: Option<Report>,
}

#[derive(Debug)]
enum SearchEvent {
    Report(Report),
    Finished(Instant, SearchResult),
}

#[derive(Debug)]
enum SearchStatus {
    Running,
    /// The time that the search took, and its result.
    Finished(Duration, SearchResult),
    /// The search ended without a result: a bug of the engine.
    Failed,
}

impl BackgroundSearch {
    fn start(
        engine: &mut Engine,
        game: &Game,
        limits: Limits,
        purpose: SearchPurpose,
    ) -> Result<BackgroundSearch, EngineError> {
        let (sender, events) = mpsc::channel();
        let reports = sender.clone();
        let started = Instant::now();
        let thinking = engine.start_search(
            game,
            limits,
            false,
            // The receiver is gone if the search was abandoned.
            move |_, report| drop(reports.send(SearchEvent::Report(report.clone()))),
            move |_, found| {
                drop(sender.send(SearchEvent::Finished(Instant::now(), found.clone())));
            },
        )?;
        Ok(BackgroundSearch { purpose, thinking, events, started, report: None })
    }

    /// Receives reports, and waits up to `wait` for the result.
    fn poll(&mut self, wait: Duration) -> SearchStatus {
        let deadline = Instant::now() + wait;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(SearchEvent::Report(report)) => self.report = Some(report),
                Ok(SearchEvent::Finished(at, found)) => {
                    return SearchStatus::Finished(at.duration_since(self.started), found);
                }
                Err(RecvTimeoutError::Timeout) => return SearchStatus::Running,
                Err(RecvTimeoutError::Disconnected) => return SearchStatus::Failed,
            }
        }
    }
}

/// A question whose options are moves: a color choice, or what to place at a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MoveQuestion {
    pub prompt: String,
    /// The moves and their descriptions.
    pub options: Vec<(Move, String)>,
    /// Whether the game cannot continue without an answer.
    pub is_required: bool,
}

impl MoveQuestion {
    /// The question of a swap opening, if a color must be chosen now.
    fn color_choice(game: &Game) -> Option<MoveQuestion> {
        if !game.is_choice() || game.outcome().is_some() {
            return None;
        }
        let options = game.legal_moves().into_iter().map(|mv| (mv, text::choice(game, mv)));
        let options: Vec<_> = options.collect();
        Some(MoveQuestion { prompt: "Choose a color:".to_owned(), options, is_required: true })
    }

    /// Asks what to place at a cell. `None` if there are fewer than two moves, or if a plain stone is
    /// among them and `all` is false.
    fn at(game: &Game, cell: Cell, all: bool) -> Option<MoveQuestion> {
        let moves = legal_moves_at(game, cell);
        let has_plain = moves.iter().any(|mv| matches!(mv.kind(), MoveKind::Stone(_)));
        if moves.len() < 2 || has_plain && !all {
            return None;
        }
        let text = format!("What do you place on {}?", game.cell_text(cell));
        let options = moves.into_iter().map(|mv| (mv, text::placement(game, mv))).collect();
        Some(MoveQuestion { prompt: text, options, is_required: false })
    }

    /// The move of an option, by its number or its move text.
    fn answer(&self, game: &Game, text: &str) -> Option<Move> {
        let by_number = text.parse().ok().and_then(|n: usize| self.options.get(n.checked_sub(1)?));
        let is_named = |(mv, _): &&(Move, String)| game.move_text(*mv).eq_ignore_ascii_case(text);
        by_number.or_else(|| self.options.iter().find(is_named)).map(|&(mv, _)| mv)
    }
}

fn legal_moves_at(game: &Game, cell: Cell) -> Vec<Move> {
    let mut moves = game.legal_moves();
    moves.retain(|mv| mv.cell() == Some(cell));
    moves
}

/// The words of the special stones that can be placed now.
pub(super) fn special_stones(game: &Game) -> Vec<&'static str> {
    let stones = game.rules().squares().map(|board| board.stones).unwrap_or_default();
    if stones == SpecialStones::default() || game.is_choice() {
        return Vec::new();
    }
    let mut found: [bool; 3] = [false; 3];
    for mv in game.legal_moves() {
        match mv.kind() {
            MoveKind::Neutral(_) => found[0] = true,
            MoveKind::Bomb(_) => found[1] = true,
            MoveKind::Power(..) => found[2] = true,
            _ => (),
        }
    }
    let names = ["neutral", "bomb", "power"];
    names.into_iter().zip(found).filter_map(|(name, found)| found.then_some(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(spec: &str, moves: &str) -> Game {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        game
    }

    fn cell(game: &Game, label: &str) -> Cell {
        game.grid().unwrap().parse(label).unwrap()
    }

    #[test]
    fn signs_are_asked_for_and_plain_stones_are_not() {
        let signs = game("plus-minus-pente", "j10 i10 k10 l10+ i12 i11");
        assert_eq!(MoveQuestion::at(&signs, cell(&signs, "a2"), false), None);
        let question = MoveQuestion::at(&signs, cell(&signs, "i9"), false).unwrap();
        let texts: Vec<_> = question.options.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "i9+: captured stones are then White 2, Black 2",
                "i9-: captured stones are then White 0, Black 0"
            ]
        );
        assert_eq!(question.answer(&signs, "1"), Some(question.options[0].0));
        assert_eq!(question.answer(&signs, "I9-"), Some(question.options[1].0));
        assert_eq!((question.answer(&signs, "3"), question.answer(&signs, "0")), (None, None));
    }

    #[test]
    fn special_stones_are_options_if_all_are_asked_for() {
        let bombs = game("atomic-pente", "j10 k10");
        let cell = cell(&bombs, "c3");
        assert_eq!(MoveQuestion::at(&bombs, cell, false), None);
        let question = MoveQuestion::at(&bombs, cell, true).unwrap();
        assert!(question.options[1].1.contains("bomb"), "{question:?}");
        assert_eq!(special_stones(&bombs), ["bomb"]);
        assert!(special_stones(&game("pente", "j10")).is_empty());
    }

    #[test]
    fn color_choices_are_described() {
        let swap = game("d-pente", "j10 k10 a1 a2");
        let question = MoveQuestion::color_choice(&swap).unwrap();
        assert!(question.is_required && question.options.len() == 2);
        let (_, text) = &question.options[0];
        assert_eq!(text, "swap: player 2 plays White from now on, player 1 Black");
        assert_eq!(MoveQuestion::color_choice(&game("d-pente", "j10")), None);
        let hexes = game("pentalath+swap1", "a1");
        assert_eq!(MoveQuestion::color_choice(&hexes).unwrap().options.len(), 2);
    }
}
