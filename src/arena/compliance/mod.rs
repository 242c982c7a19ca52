//! Whether an engine keeps to its protocol, step by step.
//!
//! [`check`] drives any engine through the steps of a dialect. Each is a short conversation of its
//! own that begins at a known state, and after one that fails the engine is started again, so that
//! one failure says nothing about the next. What the protocol leaves to the engine and is not there is
//! [`Verdict::Missing`], what it gets wrong [`Verdict::Wrong`]. Moves and results are held to the
//! rules of the game that was asked for.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod game;
mod gomocup;
mod gtp;
mod sidecar;
mod talk;
mod ugi;

pub use talk::Line;

use crate::{ArenaError, Launch, Timeouts};
use pentarch_core::rules::Ruleset;
use pentarch_protocol::Dialect;
use pentarch_protocol::ugi::Flavor;
use std::fmt;
use std::time::Duration;
use talk::Talk;

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
enum Finding {
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
type StepResult = Result<(), Finding>;

/// A step: its name, and the conversation. All but the first begin after the greeting.
type Check<T> = (&'static str, fn(&mut T) -> StepResult);

fn wrong<T>(why: impl Into<String>) -> Result<T, Finding> {
    Err(Finding::Wrong(why.into()))
}

fn missing<T>(what: impl Into<String>) -> Result<T, Finding> {
    Err(Finding::Missing(what.into()))
}

/// How an engine is spoken to in a dialect.
trait Client: Sized {
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
const SPECIAL: [(&str, &[&str]); 3] = [
    ("plays the swap openings it lists", &["d-pente", "swap2-pente"]),
    ("plays turns of several stones if it lists them", &["connect6"]),
    ("plays the captures it lists", &["pente", "pentalath"]),
];

/// Plies before the engine moves in such a game: after each choice, and in the middle of a turn.
const SPECIAL_PLIES: [usize; 4] = [3, 4, 5, 6];

/// Plies after which a game that goes on is long enough.
const LONGEST: usize = 60;

/// How long an engine may take to leave.
const LEAVING: Duration = Duration::from_secs(1);

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Drives an engine through its dialect and hands over each step as soon as it is done.
///
/// # Errors
/// The engine cannot be started, or the dialect has no words for the game or no steps.
pub fn check(subject: &Subject, mut report: impl FnMut(&Step)) -> Result<(), ArenaError> {
    let known = RUNNERS.iter().find(|(dialect, _)| *dialect == subject.dialect);
    let (_, run) = known.ok_or_else(|| {
        ArenaError::Setup(format!("there are no steps for proto={} yet", subject.dialect))
    })?;
    run(subject, &mut report)
}

/// Drives an engine through the steps of a dialect.
type Runner = fn(&Subject, &mut dyn FnMut(&Step)) -> Result<(), ArenaError>;

/// The dialects that have steps.
const RUNNERS: [(Dialect, Runner); 5] = [
    (Dialect::Ugi, run::<ugi::Client>),
    (Dialect::Uci, run::<ugi::Client>),
    (Dialect::Gtp, run::<gtp::Client>),
    (Dialect::Gomocup, run::<gomocup::Client>),
    (Dialect::Sidecar, run::<sidecar::Client>),
];

fn run<C: Client>(subject: &Subject, report: &mut dyn FnMut(&Step)) -> Result<(), ArenaError> {
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

fn start<C: Client>(subject: &Subject) -> Result<C, ArenaError> {
    let timeouts = Timeouts { silence: subject.patience, ..Timeouts::default() };
    let farewell = subject.dialect.facts().farewell;
    Ok(C::new(Talk::start(&subject.launch, farewell, timeouts)?, subject))
}

impl Subject {
    /// UGI or UCI, where that is the question.
    fn flavor(&self) -> Flavor {
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
