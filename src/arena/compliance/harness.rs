//! What the compliance steps of all dialects share: the connection to the engine, the verdicts, and
//! the games in whose positions the engine is asked.

use crate::error::{ArenaError, PlayerError};
use crate::process::{Deadline, LaunchOptions, Process};
use crate::wait::{CancelToken, Timeouts};
use fastrand::Rng;
use pentarch_core::game::Move;
use pentarch_core::rules::{BoardRules, Ruleset};
use pentarch_engine::search::{Limits, Signal};
use pentarch_engine::{Engine, Game, Options};
use pentarch_protocol::Dialect;
use pentarch_protocol::ugi::Flavor;
use std::fmt;
use std::time::{Duration, Instant};

/// Which engine is tested, and how.
#[derive(Clone, Debug)]
pub struct ComplianceSettings {
    /// How the engine is started.
    pub launch: LaunchOptions,
    /// The dialect that it claims to speak.
    pub dialect: Dialect,
    /// The game to test with.
    pub rules: Ruleset,
    /// The time for a move.
    pub move_time: Duration,
    /// The maximum time for any other answer.
    pub patience: Duration,
    /// Only steps whose names contain this text are run; the empty text selects all.
    pub only: String,
}

/// The report on one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComplianceStep {
    /// What the engine is required to do.
    pub name: &'static str,
    /// Whether it does so.
    pub verdict: StepVerdict,
    /// The lines exchanged with the engine.
    pub exchange: Vec<TranscriptLine>,
}

/// The verdict on a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepVerdict {
    /// The engine conforms to the protocol.
    Right,
    /// The engine violates the protocol, with the reason.
    Wrong(String),
    /// The engine lacks an optional feature.
    Missing(String),
    /// The engine violated the protocol the first time and not when the step was repeated.
    Unstable(String),
}

/// Why a step did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepError {
    /// The engine violates the protocol but still answers.
    Wrong(String),
    /// The engine made an illegal move.
    Illegal(String),
    /// The engine lacks an optional feature.
    Missing(String),
    /// The engine crashed or does not answer.
    Lost(String),
    /// The engine exited as requested; the step passed and the engine must be started again.
    Exited,
}

/// The reason.
impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Wrong(why)
            | StepError::Illegal(why)
            | StepError::Missing(why)
            | StepError::Lost(why) => f.write_str(why),
            StepError::Exited => f.write_str("it exited"),
        }
    }
}

pub(crate) type StepResult = Result<(), StepError>;

/// A step: its name and its conversation. All but the first run after the greeting.
pub(crate) type NamedStep<T> = (&'static str, fn(&mut T) -> StepResult);

pub(crate) fn wrong<T>(why: impl Into<String>) -> Result<T, StepError> {
    Err(StepError::Wrong(why.into()))
}

/// The value; an error is a violation of the protocol.
pub(crate) fn valid<T>(result: Result<T, impl fmt::Display>) -> Result<T, StepError> {
    result.map_err(|error| StepError::Wrong(error.to_string()))
}

/// The value; an error is that of an illegal move of the engine.
pub(crate) fn legal<T>(result: Result<T, impl fmt::Display>) -> Result<T, StepError> {
    result.map_err(|error| StepError::Illegal(error.to_string()))
}

pub(crate) fn unsupported<T>(what: impl Into<String>) -> Result<T, StepError> {
    Err(StepError::Missing(what.into()))
}

/// The steps of one dialect.
pub(crate) trait DialectSteps: Sized {
    /// Wraps the connection to an engine that was just started; nothing was sent yet.
    fn new(connection: Connection, settings: &ComplianceSettings) -> Self;

    fn connection(&mut self) -> &mut Connection;

    /// Does the handshake that all steps but the first require, unless it was done already.
    fn greet(&mut self) -> StepResult;

    /// Checks whether the dialect can express a game.
    fn check_rules(_: &Ruleset) -> Result<(), String> {
        Ok(())
    }

    /// The steps. The first is the greeting itself.
    fn steps(settings: &ComplianceSettings) -> Vec<NamedStep<Self>>;

    /// Asks the engine to exit.
    fn send_quit(&mut self) -> StepResult;

    /// Brings the engine into a state in which its input may be closed.
    fn prepare_end_of_input(&mut self) -> StepResult {
        Ok(())
    }

    /// Selects a game if the engine lists it; returns whether it does.
    fn select_listed(&mut self, _: &Ruleset) -> Result<bool, StepError> {
        unsupported("the protocol has no list of games")
    }

    /// Selects the game of the settings again.
    fn select_own(&mut self) -> StepResult {
        Ok(())
    }

    /// Sets up a position and asks for a move, which must be legal.
    fn move_in(&mut self, _: &Game) -> StepResult {
        unsupported("the protocol has no positions")
    }

    /// Plays the engine's moves, which must be legal.
    fn play_answer(&mut self, game: &mut Game, moves: &[Move]) -> StepResult {
        moves.iter().try_for_each(|&mv| legal(game.play_move(mv)))?;
        self.connection().has_moved |= !moves.is_empty();
        Ok(())
    }

    /// The step about the command that ends the engine.
    fn quits(&mut self) -> StepResult {
        self.send_quit()?;
        self.connection().expect_exit(false)
    }

    /// The step about the end of the input.
    fn exits_at_end_of_input(&mut self) -> StepResult {
        self.prepare_end_of_input()?;
        self.connection().expect_exit(true)
    }

    /// The step about the games of a row of [`SPECIAL`]: plays the first moves of those listed.
    fn plays_special<const ROW: usize>(&mut self) -> StepResult {
        let (_, names) = SPECIAL[ROW];
        let mut is_listed = false;
        for rules in names.iter().filter_map(|name| name.parse::<Ruleset>().ok()) {
            if !self.select_listed(&rules)? {
                continue;
            }
            is_listed = true;
            let games = SPECIAL_PLIES.map(|plies| random_game(&rules, plies));
            for game in games.into_iter().chain(game_with_recapture(&rules, |_, _| true)) {
                self.move_in(&game)?;
            }
        }
        let selected = self.select_own();
        if is_listed {
            selected
        } else {
            unsupported(format!("it lists none of {}", names.join(", ")))
        }
    }

    /// The steps of all rows of [`SPECIAL`].
    fn special_steps() -> [NamedStep<Self>; 3] {
        [
            (SPECIAL[0].0, Self::plays_special::<0>),
            (SPECIAL[1].0, Self::plays_special::<1>),
            (SPECIAL[2].0, Self::plays_special::<2>),
        ]
    }
}

/// Steps about games with special rules: the name of the step and games of the catalog. The step
/// plays those that the engine lists.
const SPECIAL: [(&str, &[&str]); 3] = [
    ("plays the swap openings it lists", &["d-pente", "swap2-pente"]),
    ("plays turns of several stones if it lists them", &["connect6"]),
    ("plays the captures it lists", &["pente", "pentalath"]),
];

/// The numbers of plies before the engine moves in such a game: after each choice, and within a
/// turn of several stones.
const SPECIAL_PLIES: [usize; 4] = [3, 4, 5, 6];

/// A game in progress is not continued beyond this number of plies.
pub(crate) const MAX_PLIES: usize = 60;

/// How long an engine may take to exit.
pub(crate) const EXIT_TIME: Duration = Duration::from_secs(1);

pub(crate) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Runs each step with an engine that was just started: late output of a step is not taken for an
/// answer to the next one, and no search continues. A step that fails is repeated.
pub(crate) fn run<C: DialectSteps>(
    settings: &ComplianceSettings,
    report: &mut dyn FnMut(&ComplianceStep),
) -> Result<(), ArenaError> {
    C::check_rules(&settings.rules).map_err(ArenaError::Setup)?;
    let steps = C::steps(settings).into_iter().enumerate();
    let mut steps = steps.filter(|(_, (name, _))| name.contains(&settings.only));
    let mut has_moved = false;
    while let Some((index, (name, step))) = steps.next() {
        let is_greeting = index == 0;
        let attempt = run_once::<C>(settings, is_greeting, step)?;
        has_moved |= attempt.has_moved;
        let exchange = attempt.exchange;
        let failed = match attempt.outcome {
            Ok(()) | Err(StepError::Exited) => {
                report(&ComplianceStep { name, verdict: StepVerdict::Right, exchange });
                continue;
            }
            Err(StepError::Missing(what)) => {
                report(&ComplianceStep { name, verdict: StepVerdict::Missing(what), exchange });
                continue;
            }
            Err(failed) => failed,
        };
        let again = run_once::<C>(settings, is_greeting, step)?;
        has_moved |= again.has_moved;
        let why = failed.to_string();
        let (verdict, ends) = match (&failed, again.outcome) {
            (_, Ok(()) | Err(StepError::Exited | StepError::Missing(_))) => {
                (StepVerdict::Unstable(format!("{why}; when repeated it is right")), false)
            }
            // No step is possible without the greeting.
            _ if attempt.is_unanswered && again.is_unanswered => {
                let left = steps.by_ref().count();
                (StepVerdict::Wrong(format!("{why}; {left} more steps are left out")), true)
            }
            (StepError::Illegal(_), Err(StepError::Illegal(_))) if !has_moved => {
                let left = steps.by_ref().count();
                let why = format!("{why}; it plays another game: {left} more steps are left out");
                (StepVerdict::Wrong(why), true)
            }
            _ => (StepVerdict::Wrong(why), false),
        };
        report(&ComplianceStep { name, verdict, exchange });
        if ends {
            return Ok(());
        }
    }
    Ok(())
}

/// A step that was run once.
struct StepAttempt {
    outcome: StepResult,
    exchange: Vec<TranscriptLine>,
    /// Whether the engine did not complete the greeting.
    is_unanswered: bool,
    /// Whether the engine made a legal move.
    has_moved: bool,
}

fn run_once<C: DialectSteps>(
    settings: &ComplianceSettings,
    is_greeting: bool,
    step: fn(&mut C) -> StepResult,
) -> Result<StepAttempt, ArenaError> {
    let mut client: C = start(settings)?;
    let greeting = if is_greeting { step(&mut client) } else { client.greet() };
    let is_unanswered = matches!(greeting, Err(StepError::Lost(_)));
    let outcome = if is_greeting { greeting } else { greeting.and_then(|()| step(&mut client)) };
    let connection = client.connection();
    if let Some(error) = connection.take_error() {
        return Err(error);
    }
    let (exchange, has_moved) = (connection.take_lines(), connection.has_moved);
    Ok(StepAttempt { outcome, exchange, is_unanswered, has_moved })
}

fn start<C: DialectSteps>(settings: &ComplianceSettings) -> Result<C, ArenaError> {
    let timeouts = Timeouts { response: settings.patience, ..Timeouts::default() };
    let farewell = settings.dialect.capabilities().quit_line;
    Ok(C::new(Connection::start(&settings.launch, farewell, timeouts)?, settings))
}

impl ComplianceSettings {
    /// UGI or UCI, for the two dialects of that family.
    pub(crate) fn flavor(&self) -> Flavor {
        if self.dialect == Dialect::Uci { Flavor::Uci } else { Flavor::Ugi }
    }
}

/// `right`, `wrong`, `missing` or `unstable` with the name of the step, the reason and the transcript.
impl fmt::Display for ComplianceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, reason) = match &self.verdict {
            StepVerdict::Right => return write!(f, "right    {}", self.name),
            StepVerdict::Wrong(reason) => ("wrong", reason),
            StepVerdict::Missing(reason) => ("missing", reason),
            StepVerdict::Unstable(reason) => ("unstable", reason),
        };
        write!(f, "{word:8} {}: {reason}", self.name)?;
        self.exchange.iter().try_for_each(|line| write!(f, "\n         {line}"))
    }
}

/// A line of the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptLine {
    /// A line sent to the engine.
    Sent(String),
    /// A line written by the engine.
    Heard(String),
}

/// The connection to a running engine, with its transcript.
pub(crate) struct Connection {
    process: Process,
    lines: Vec<TranscriptLine>,
    timeouts: Timeouts,
    asked: String,
    error: Option<ArenaError>,
    /// Whether the engine made a legal move.
    pub(crate) has_moved: bool,
}

/// Lines of the transcript beyond this number are dropped: reports of a search can be long.
const MAX_TRANSCRIPT: usize = 400;

impl Connection {
    /// Starts the engine. `quit_command` asks it to exit.
    pub(crate) fn start(
        launch: &LaunchOptions,
        farewell: &'static str,
        timeouts: Timeouts,
    ) -> Result<Connection, ArenaError> {
        let label = launch.command_line();
        let process = Process::start(launch, &label, farewell, timeouts, CancelToken::default())?;
        Ok(Connection {
            process,
            lines: Vec::new(),
            timeouts,
            asked: "start".to_owned(),
            error: None,
            has_moved: false,
        })
    }

    pub(crate) fn send(&mut self, line: impl fmt::Display) {
        let line = line.to_string();
        self.process.send(&line);
        self.asked.clone_from(&line);
        self.keep(TranscriptLine::Sent(line));
    }

    /// Reads the next line that is not empty.
    pub(crate) fn read(&mut self) -> Result<String, StepError> {
        loop {
            let line = self.raw_line()?;
            if !line.trim().is_empty() {
                return Ok(line);
            }
        }
    }

    /// Reads the next line.
    pub(crate) fn raw_line(&mut self) -> Result<String, StepError> {
        match self.process.read(&self.asked, Deadline::after(self.timeouts.response)) {
            Ok((_, line)) => {
                self.keep(TranscriptLine::Heard(line.clone()));
                Ok(line)
            }
            Err(PlayerError::Fault(fault)) => Err(StepError::Lost(fault.to_string())),
            Err(PlayerError::Arena(error)) => Err(self.fail(error)),
        }
    }

    /// Reads all lines of a period, in which the engine may be silent.
    pub(crate) fn read_for(&mut self, time: Duration) -> Result<Vec<String>, StepError> {
        let until = Instant::now() + time;
        let mut heard = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(heard);
            }
            match self.process.read(&self.asked, Deadline::after(left)) {
                Ok((_, line)) => {
                    self.keep(TranscriptLine::Heard(line.clone()));
                    heard.push(line);
                }
                Err(PlayerError::Fault(fault)) if fault.word() == "hang" => return Ok(heard),
                Err(PlayerError::Fault(fault)) => return Err(StepError::Lost(fault.to_string())),
                Err(PlayerError::Arena(error)) => return Err(self.fail(error)),
            }
        }
    }

    /// Requires the process to exit, after its input was closed if `close` is set. Never returns
    /// `Ok`, because the engine must be started again.
    fn expect_exit(&mut self, close: bool) -> StepResult {
        if close {
            self.process.close_input();
        }
        if self.process.exit_within(EXIT_TIME).is_some() {
            return Err(StepError::Exited);
        }
        Err(StepError::Lost(format!("it still runs after {} ms", EXIT_TIME.as_millis())))
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.process.is_running()
    }

    /// Returns the arena's own error, if one occurred.
    pub(crate) fn take_error(&mut self) -> Option<ArenaError> {
        self.error.take()
    }

    /// The transcript since the last call.
    pub(crate) fn take_lines(&mut self) -> Vec<TranscriptLine> {
        std::mem::take(&mut self.lines)
    }

    /// Keeps an error of the arena, which ends the test after the step.
    fn fail(&mut self, error: ArenaError) -> StepError {
        let lost = StepError::Lost(error.to_string());
        self.error = Some(error);
        lost
    }

    fn keep(&mut self, line: TranscriptLine) {
        if self.lines.len() < MAX_TRANSCRIPT {
            self.lines.push(line);
        }
    }
}

/// `> line` or `< line`, long lines cut.
impl fmt::Display for TranscriptLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranscriptLine::Sent(line) => write!(f, "> {line:.200}"),
            TranscriptLine::Heard(line) => write!(f, "< {line:.200}"),
        }
    }
}

/// The nodes for a move of the side that is to win.
const NODES: u64 = 100;

/// A game in progress with this number of random plies, or fewer if the last one ends it.
pub(crate) fn random_game(rules: &Ruleset, plies: usize) -> Game {
    random_game_of(rules, plies, |_, _| true)
}

/// [`random_game`] with moves for which `suits` is true.
pub(crate) fn random_game_of(
    rules: &Ruleset,
    plies: usize,
    suits: impl Fn(&Game, Move) -> bool,
) -> Game {
    let mut game = Game::new(rules.clone());
    let mut rng = Rng::with_seed(1);
    for _ in 0..plies {
        let mut moves = game.legal_moves();
        moves.retain(|&mv| suits(&game, mv));
        let Some(mv) = rng.choice(moves) else { break };
        if game.play_move(mv).is_err() {
            break;
        }
        if game.outcome().is_some() {
            game.undo();
            break;
        }
    }
    game
}

/// A finished game of the built-in engine, which has the first seat, against random moves.
pub(crate) fn finished_game(rules: &Ruleset) -> Result<Game, StepError> {
    let mut game = Game::new(rules.clone());
    let mut rng = Rng::with_seed(2);
    let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
    while game.outcome().is_none() {
        let chosen = if game.side_of(game.to_move()).index() == 0 {
            let limits = Limits::nodes(NODES);
            let found = engine.search(&game, limits, &Signal::new(), |_| ());
            found.ok().and_then(|found| found.best)
        } else {
            rng.choice(&game.legal_moves()).copied()
        };
        let Some(mv) = chosen else { return wrong("the built-in engine found no move") };
        play_move(&mut game, mv)?;
    }
    Ok(game)
}

/// How many games are tried to find one with a capture.
const ATTEMPTS: u64 = 10;

/// A game in progress whose last stone is on a point from which a stone was captured. `None` if the
/// game has no captures.
pub(crate) fn game_with_recapture(
    rules: &Ruleset,
    suits: impl Fn(&Game, Move) -> bool,
) -> Option<Game> {
    let takes = match rules.board() {
        BoardRules::Squares(board) => board.capture.is_some(),
        BoardRules::Hexes(board) => board.surround,
        BoardRules::Tiles(_) => false,
    };
    if !takes {
        return None;
    }
    (0..ATTEMPTS).find_map(|seed| {
        let mut game = Game::new(rules.clone());
        let mut rng = Rng::with_seed(seed);
        while game.outcome().is_none() {
            let mut moves = game.legal_moves();
            moves.retain(|&mv| suits(&game, mv));
            let played = game.moves();
            let is_again = |mv: &&Move| mv.cell().is_some() && played.contains(mv);
            let again = moves.iter().find(is_again).copied();
            let is_last = again.is_some();
            let mv = again.or_else(|| rng.choice(moves))?;
            game.play_move(mv).ok()?;
            if is_last && game.outcome().is_none() {
                return Some(game);
            }
        }
        None
    })
}

/// Plays a move that is known to be legal.
pub(crate) fn play_move(game: &mut Game, mv: Move) -> StepResult {
    valid(game.play_move(mv))
}
