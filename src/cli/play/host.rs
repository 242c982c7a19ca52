//! Who runs the game: does what people ask for, and lets engines think when it is their turn.

use super::question::{self, Question};
use super::table::Fault;
use super::thought::{Look, Purpose, Thought};
use super::{Sitter, Table, words};
use pentarch_arena::TimeControl;
use pentarch_core::game::{Cell, Move, Seat};
use pentarch_engine::search::{Limits, SearchResult};
use pentarch_engine::{Engine, Game, Options};
use pentarch_records::sanitize_line;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How engines play.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// The level of engines that name none.
    pub level: u32,
    /// The other options.
    pub options: Options,
    /// What limits engines besides the clock of the game.
    pub control: TimeControl,
}

impl Setup {
    /// The level unless one is asked for: a beginner wins now and then.
    pub(crate) const USUAL_LEVEL: u32 = 4;
}

/// A game, and all that goes on around it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is so or not, whatever the others say")]
pub(crate) struct Host {
    pub(super) table: Table,
    pub(super) setup: Setup,
    /// By seat.
    engines: Vec<Engine>,
    adviser: Engine,
    pub(super) thought: Option<Thought>,
    pub(super) question: Option<Question>,
    /// What the engine would play.
    pub(super) advice: Option<Move>,
    pub(super) shows_threats: bool,
    /// What is to be said since the last line.
    pub(super) notes: Vec<String>,
    /// A longer text to be read.
    pub(super) page: Option<Vec<String>>,
    /// Whether the board was asked for.
    pub(super) wants_board: bool,
    /// Whether engines wait for a word.
    pub(super) is_paused: bool,
    pub(super) is_leaving: bool,
    pub(super) has_cursor: bool,
    turn_began: Instant,
    /// The file that the game was last saved to, or came from if it has one game.
    pub(super) file: Option<PathBuf>,
}

/// How late the engine's move may be, on a busy machine.
const MARGIN: Duration = Duration::from_millis(300);
/// How long the engine thinks where nothing limits it, and about advice.
const USUAL_TIME: Duration = Duration::from_secs(1);

impl Host {
    pub(crate) fn new(table: Table, setup: Setup) -> Host {
        let adviser =
            Engine::new(Options { level: *Options::LEVEL.end(), ..setup.options.clone() });
        let mut host = Host {
            table,
            setup,
            engines: Vec::new(),
            adviser,
            thought: None,
            question: None,
            advice: None,
            shows_threats: false,
            notes: Vec::new(),
            page: None,
            wants_board: false,
            is_paused: false,
            is_leaving: false,
            has_cursor: false,
            turn_began: Instant::now(),
            file: None,
        };
        host.seat_engines();
        host.begin_turn();
        host
    }

    pub(super) fn game(&self) -> &Game {
        self.table.game()
    }

    /// Says something with the next picture.
    pub(super) fn note(&mut self, text: impl AsRef<str>) {
        // It may quote what somebody typed or what a file says.
        self.notes.push(sanitize_line(text.as_ref()));
    }

    pub(super) fn seat_engines(&mut self) {
        let options = |sitter: &Sitter| match sitter {
            Sitter::Engine(level) => Options { level: *level, ..self.setup.options.clone() },
            Sitter::Person(_) => self.setup.options.clone(),
        };
        self.engines = self.table.sitters().iter().map(options).map(Engine::new).collect();
    }

    /// What each turn begins with.
    pub(super) fn begin_turn(&mut self) {
        self.thought = None;
        self.advice = None;
        self.question = None;
        if self.table.mover().is_person() && self.table.end().is_none() {
            self.question = Question::of_colors(self.game());
        }
        self.turn_began = Instant::now();
    }

    /// Whether an engine thinks or is about to.
    pub(super) fn is_busy(&self) -> bool {
        self.thought.is_some() || self.waits_for_engine()
    }

    /// Whether the picture changes by itself: a clock runs or an engine thinks.
    pub(super) fn is_running(&self) -> bool {
        let has_clock = self.table.clock().is_some() && self.table.end().is_none();
        self.is_busy() || has_clock
    }

    fn waits_for_engine(&self) -> bool {
        self.table.end().is_none() && !self.is_paused && !self.table.mover().is_person()
    }

    /// What is left on the clock of a seat, if there are clocks.
    pub(super) fn left(&self, seat: Seat) -> Option<Duration> {
        let left = self.table.timer(seat).limit()?;
        let runs = self.table.end().is_none() && self.game().to_move() == seat && !self.is_paused;
        Some(if runs { left.saturating_sub(self.turn_began.elapsed()) } else { left })
    }

    /// Looks after clocks and engines, for as long as `wait` if one thinks. Whether the game has
    /// changed, or something is to be said.
    pub(super) fn tick(&mut self, wait: Duration) -> bool {
        let mover = self.game().to_move();
        if self.table.end().is_none()
            && self.table.mover().is_person()
            && self.left(mover).is_some_and(|left| left.is_zero())
        {
            let _ = self.table.lose(Fault::FlagFall(mover));
            self.begin_turn();
            return true;
        }
        if self.thought.is_none() && self.waits_for_engine() {
            self.start(Purpose::Move(mover));
        }
        let Some(thought) = &mut self.thought else { return false };
        match thought.look(wait) {
            Look::Waiting => false,
            Look::Done(time, found) => {
                let purpose = thought.purpose;
                self.thought = None;
                self.take(purpose, time, found);
                true
            }
            Look::Died => {
                self.thought = None;
                self.is_paused = true;
                self.note(
                    "The engine has failed, which is a defect of it; `players` can replace it.",
                );
                true
            }
        }
    }

    pub(super) fn start(&mut self, purpose: Purpose) {
        let TimeControl { move_time, nodes, depth, .. } = self.setup.control;
        let (engine, limits) = match purpose {
            Purpose::Move(seat) => {
                let clock = self.table.timer(seat).clock();
                let limits = Limits { depth, nodes, move_time, clock, ..Limits::default() };
                (&mut self.engines[seat.index()], limits)
            }
            Purpose::Hint => {
                (&mut self.adviser, Limits { depth, nodes, move_time, ..Limits::default() })
            }
        };
        let limits = if limits.is_bounded() {
            limits
        } else {
            Limits { move_time: Some(USUAL_TIME), ..limits }
        };
        match Thought::new(engine, self.table.game(), limits, purpose) {
            Ok(thought) => self.thought = Some(thought),
            Err(error) => {
                self.is_paused = true;
                self.note(error.to_string());
            }
        }
    }

    fn take(&mut self, purpose: Purpose, time: Duration, found: SearchResult) {
        let Some(best) = found.best else { return };
        match purpose {
            Purpose::Move(_) => self.play(best, time, MARGIN, Some(found)),
            Purpose::Hint => {
                let score = found.report.score;
                let value = match score.mate() {
                    Some(plies) if plies < 0 => format!("loses in {} plies", -plies),
                    Some(plies) => format!("wins in {plies} plies"),
                    None => format!("{:.0} % to win", score.win_probability() * 100.0),
                };
                self.note(format!("Hint: {}, {value}.", self.game().move_text(best)));
                self.advice = Some(best);
            }
        }
    }

    fn play(&mut self, mv: Move, time: Duration, margin: Duration, found: Option<SearchResult>) {
        match self.table.play(mv, time, margin, found.map(|found| found.report)) {
            Ok(()) => self.begin_turn(),
            Err(error) => self.note(sentence(&error.to_string())),
        }
    }

    /// A move of the person whose turn it is.
    pub(super) fn play_as_person(&mut self, mv: Move) {
        if self.table.end().is_none() && !self.table.mover().is_person() {
            return self.note(if self.is_paused {
                "The engines wait; an empty line lets them go on."
            } else {
                "It is the engine's turn; `now` makes it move at once."
            });
        }
        self.play(mv, self.turn_began.elapsed(), Duration::ZERO, None);
    }

    /// Asks what is to go on a cell, if there is a choice.
    pub(super) fn ask_at(&mut self, cell: Cell) {
        self.question = Question::at(self.game(), cell, true);
        if self.question.is_none() {
            self.note(match question::legal_at(self.game(), cell).len() {
                0 => "Nothing can be placed there.",
                _ => "Only a plain stone can be placed there.",
            });
        }
    }

    /// What somebody points at: a stone, or a question where several can be placed.
    pub(super) fn point_at(&mut self, cell: Cell) {
        self.question = Question::at(self.game(), cell, false);
        if self.question.is_none() {
            let moves = question::legal_at(self.game(), cell);
            self.play_as_person(moves.first().copied().unwrap_or(Move::stone(cell)));
        }
    }

    /// Closes a question that need not be answered.
    pub(super) fn dismiss(&mut self) {
        self.question = self.question.take().filter(|question| question.is_due);
    }

    /// Lets a waiting engine go on, or ends the thinking of one.
    pub(super) fn go_on(&mut self) {
        match &self.thought {
            Some(thought) => thought.stop(),
            None if self.is_paused => {
                self.is_paused = false;
                self.turn_began = Instant::now();
            }
            None => (),
        }
    }

    /// Goes over to another table.
    pub(super) fn seat(&mut self, table: Table) {
        self.thought = None;
        self.table = table;
        self.is_paused = false;
        self.seat_engines();
        self.begin_turn();
    }
}

/// A sentence from the text of an error.
pub(super) fn sentence(text: &str) -> String {
    let mut text = words::capital(text);
    if !text.ends_with(['.', '?', '!', ':', '`']) {
        text.push('.');
    }
    text
}
