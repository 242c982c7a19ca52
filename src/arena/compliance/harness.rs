//! What the steps of all dialects share: the conversation with the engine, the verdicts, and the games that
//! it is asked about.

use crate::error::{ArenaError, Failure};
use crate::process::{Deadline, Launch, Process};
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

/// What is tested, and how.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The engine's command line.
    pub launch: Launch,
    /// What it is said to speak.
    pub dialect: Dialect,
    /// The game to ask for.
    pub rules: Ruleset,
    /// Time for a move.
    pub move_time: Duration,
    /// How long any answer may take.
    pub patience: Duration,
    /// Only the steps with this in their names, which is everywhere if empty.
    pub only: String,
}

/// A step with what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What the engine has to do.
    pub name: &'static str,
    /// Whether it does.
    pub verdict: Verdict,
    /// What was said.
    pub exchange: Vec<Line>,
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As the protocol wants it.
    Right,
    /// Not as the protocol wants it, and why.
    Wrong(String),
    /// Left out, as the protocol allows.
    Missing(String),
}

/// Why a step is not right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The engine does something wrong, and can be asked more.
    Wrong(String),
    /// The engine lacks something that is not asked of everybody.
    Missing(String),
    /// The engine has died or fallen silent.
    Lost(String),
    /// The engine has left, as it was asked to.
    Gone,
}

/// What a step comes to.
pub(crate) type StepResult = Result<(), Finding>;

/// A step: its name, and the conversation. All but the first begin after the greeting.
pub(crate) type Check<T> = (&'static str, fn(&mut T) -> StepResult);

pub(crate) fn wrong<T>(why: impl Into<String>) -> Result<T, Finding> {
    Err(Finding::Wrong(why.into()))
}

pub(crate) fn missing<T>(what: impl Into<String>) -> Result<T, Finding> {
    Err(Finding::Missing(what.into()))
}

/// How an engine is spoken to in a dialect.
pub(crate) trait DialectSteps: Sized {
    /// Begins a conversation with an engine that was just started; nothing is said yet.
    fn new(talk: Talk, subject: &Subject) -> Self;

    /// The conversation.
    fn talk(&mut self) -> &mut Talk;

    /// What an engine is sent before any step but the first, if it was not sent already.
    fn greet(&mut self) -> StepResult;

    /// Why a game cannot be asked for, if it cannot.
    fn has_words_for(_: &Ruleset) -> Result<(), String> {
        Ok(())
    }

    /// The steps. The first is the greeting itself.
    fn checks(subject: &Subject) -> Vec<Check<Self>>;
}

/// Games that ask more of an engine than stones in turn: a step's name, and the catalog's games, of
/// which those are played that the engine lists.
pub(crate) const SPECIAL: [(&str, &[&str]); 3] = [
    ("plays the swap openings it lists", &["d-pente", "swap2-pente"]),
    ("plays turns of several stones if it lists them", &["connect6"]),
    ("plays the captures it lists", &["pente", "pentalath"]),
];

/// Plies before the engine moves in such a game: after each choice, and in the middle of a turn.
pub(crate) const SPECIAL_PLIES: [usize; 4] = [3, 4, 5, 6];

/// Plies after which a game that goes on is long enough.
pub(crate) const LONGEST: usize = 60;

/// How long an engine may take to leave.
pub(crate) const LEAVING: Duration = Duration::from_secs(1);

pub(crate) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

pub(crate) fn run<C: DialectSteps>(
    subject: &Subject,
    report: &mut dyn FnMut(&Step),
) -> Result<(), ArenaError> {
    C::has_words_for(&subject.rules).map_err(ArenaError::Setup)?;
    let mut client: Option<C> = None;
    let checks = C::checks(subject).into_iter().enumerate();
    let mut checks = checks.filter(|(_, (name, _))| name.contains(&subject.only));
    while let Some((index, (name, step))) = checks.next() {
        let mut speaker = match client.take() {
            Some(client) => client,
            None => start(subject)?,
        };
        let greeting = if index == 0 { step(&mut speaker) } else { speaker.greet() };
        let unanswered = matches!(greeting, Err(Finding::Lost(_)));
        let outcome = match index {
            0 => greeting,
            _ => greeting.and_then(|()| step(&mut speaker)),
        };
        if let Some(error) = speaker.talk().take_error() {
            return Err(error);
        }
        let exchange = speaker.talk().take_lines();
        // What an engine that got a step wrong still says would be taken for the next answer.
        let ends = matches!(outcome, Err(Finding::Wrong(_) | Finding::Lost(_) | Finding::Gone));
        let verdict = match outcome {
            Ok(()) | Err(Finding::Gone) => Verdict::Right,
            Err(Finding::Missing(what)) => Verdict::Missing(what),
            Err(Finding::Lost(why)) if unanswered => Verdict::Wrong(format!(
                "{why}; {} more steps are left out",
                checks.by_ref().count()
            )),
            Err(Finding::Wrong(why) | Finding::Lost(why)) => Verdict::Wrong(why),
        };
        report(&Step { name, verdict, exchange });
        if unanswered {
            // Nothing that follows a greeting can be asked.
            return Ok(());
        }
        client = Some(speaker).filter(|_| !ends);
    }
    Ok(())
}

fn start<C: DialectSteps>(subject: &Subject) -> Result<C, ArenaError> {
    let timeouts = Timeouts { silence: subject.patience, ..Timeouts::default() };
    let farewell = subject.dialect.facts().farewell;
    Ok(C::new(Talk::start(&subject.launch, farewell, timeouts)?, subject))
}

impl Subject {
    /// UGI or UCI, where that is the question.
    pub(crate) fn flavor(&self) -> Flavor {
        if self.dialect == Dialect::Uci { Flavor::Uci } else { Flavor::Ugi }
    }
}

/// `right`, `wrong` or `missing` with the name of the step, the reason and the exchange.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, reason) = match &self.verdict {
            Verdict::Right => return write!(f, "right    {}", self.name),
            Verdict::Wrong(reason) => ("wrong  ", reason),
            Verdict::Missing(reason) => ("missing", reason),
        };
        write!(f, "{word}  {}: {reason}", self.name)?;
        self.exchange.iter().try_for_each(|line| write!(f, "\n         {line}"))
    }
}

/// A line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The client sent it.
    Sent(String),
    /// The engine wrote it.
    Heard(String),
}

/// A conversation with a running engine.
pub(crate) struct Talk {
    process: Process,
    lines: Vec<Line>,
    timeouts: Timeouts,
    asked: String,
    error: Option<ArenaError>,
}

/// Lines of an exchange beyond this number are not kept: reports of a search can be long.
const KEPT: usize = 400;

impl Talk {
    /// Starts the engine, which leaves when it is sent the farewell.
    pub(crate) fn start(
        launch: &Launch,
        farewell: &'static str,
        timeouts: Timeouts,
    ) -> Result<Talk, ArenaError> {
        let label = launch.text();
        let process = Process::start(launch, &label, farewell, timeouts, CancelToken::default())?;
        Ok(Talk { process, lines: Vec::new(), timeouts, asked: "start".to_owned(), error: None })
    }

    /// Sends a line.
    pub(crate) fn say(&mut self, line: impl fmt::Display) {
        let line = line.to_string();
        self.process.send(&line);
        self.asked.clone_from(&line);
        self.keep(Line::Sent(line));
    }

    /// The next line that is not empty.
    pub(crate) fn hear(&mut self) -> Result<String, Finding> {
        self.hear_within(self.timeouts.silence)
    }

    /// The next line that is not empty, if it comes soon enough.
    pub(crate) fn hear_within(&mut self, time: Duration) -> Result<String, Finding> {
        loop {
            let line = self.raw_line(time)?;
            if !line.trim().is_empty() {
                return Ok(line);
            }
        }
    }

    /// The next line.
    pub(crate) fn raw_line(&mut self, time: Duration) -> Result<String, Finding> {
        match self.process.read(&self.asked, Deadline::after(time)) {
            Ok((_, line)) => {
                self.keep(Line::Heard(line.clone()));
                Ok(line)
            }
            Err(Failure::Fault(fault)) => Err(Finding::Lost(fault.to_string())),
            Err(Failure::Ours(error)) => Err(self.fail(error)),
        }
    }

    /// All that comes within a time, during which the engine need not say anything.
    pub(crate) fn listen(&mut self, time: Duration) -> Result<Vec<String>, Finding> {
        let until = Instant::now() + time;
        let mut heard = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(heard);
            }
            match self.process.read(&self.asked, Deadline::after(left)) {
                Ok((_, line)) => {
                    self.keep(Line::Heard(line.clone()));
                    heard.push(line);
                }
                Err(Failure::Fault(fault)) if fault.word() == "hang" => return Ok(heard),
                Err(Failure::Fault(fault)) => return Err(Finding::Lost(fault.to_string())),
                Err(Failure::Ours(error)) => return Err(self.fail(error)),
            }
        }
    }

    /// Whether the process ends within a time, its input closed before if asked for.
    pub(crate) fn ends_within(&mut self, time: Duration, closed: bool) -> Result<(), Finding> {
        if closed {
            self.process.close_input();
        }
        match self.process.exit_within(time) {
            Some(_) => Ok(()),
            None => Err(Finding::Lost(format!("it still runs after {} ms", time.as_millis()))),
        }
    }

    /// Whether the engine is still there.
    pub(crate) fn is_running(&mut self) -> bool {
        self.process.is_running()
    }

    /// What kept the engine from being started, if something did.
    pub(crate) fn take_error(&mut self) -> Option<ArenaError> {
        self.error.take()
    }

    /// The exchange since the last call.
    pub(crate) fn take_lines(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }

    /// Keeps our own error for the end of the step.
    fn fail(&mut self, error: ArenaError) -> Finding {
        let finding = Finding::Lost(error.to_string());
        self.error = Some(error);
        finding
    }

    fn keep(&mut self, line: Line) {
        if self.lines.len() < KEPT {
            self.lines.push(line);
        }
    }
}

/// `> line` or `< line`, long lines cut.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Sent(line) => write!(f, "> {line:.200}"),
            Line::Heard(line) => write!(f, "< {line:.200}"),
        }
    }
}

/// Nodes for a move of the side that is to win.
const NODES: u64 = 100;

/// An open game with this number of plies, or one less where that would end it.
pub(crate) fn opened(rules: &Ruleset, plies: usize) -> Game {
    opened_by(rules, plies, |_, _| true)
}

/// [`opened`] with moves of one kind alone.
pub(crate) fn opened_by(
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

/// A finished game that the first player wins against one that moves at random, or no one wins.
pub(crate) fn finished(rules: &Ruleset) -> Result<Game, Finding> {
    let mut game = Game::new(rules.clone());
    let mut rng = Rng::with_seed(2);
    let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
    while game.outcome().is_none() {
        let chosen = if game.side_of(game.to_move()).index() == 0 {
            let limits = Limits::nodes(NODES);
            let found = engine.think_here(&game, limits, &Signal::new(), |_| ());
            found.ok().and_then(|found| found.best)
        } else {
            rng.choice(&game.legal_moves()).copied()
        };
        let Some(mv) = chosen else { return wrong("no game could be played out to ask about") };
        game.play_move(mv).map_err(|error| Finding::Wrong(error.to_string()))?;
    }
    Ok(game)
}

/// Games in which a stone may be taken before one is given up.
const ATTEMPTS: u64 = 10;

/// An open game whose last stone stands where one was taken before. None where nothing is taken.
pub(crate) fn refilled(rules: &Ruleset, suits: impl Fn(&Game, Move) -> bool) -> Option<Game> {
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

/// Plays the engine's move, which must be legal.
pub(crate) fn play_move(game: &mut Game, mv: Move) -> StepResult {
    game.play_move(mv).or_else(|error| wrong(error.to_string()))
}
