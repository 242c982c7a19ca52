//! Errors: a player's fault ends a game, an error of the arena ends the run.

use crate::adjudication::AdjudicationResult;
use crate::time_control::FlagFall;
use pentarch_core::game::EndReason;
use pentarch_engine::EngineError;
use pentarch_records::RecordError;
use std::time::Duration;
use std::{fmt, io};

/// A violation by a player. It loses the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It played an illegal move. The text names the move and the reason.
    #[error("{0}")]
    IllegalMove(String),
    /// It gave no move although the game was in progress.
    #[error("no move in an open game")]
    NoMove,
    /// Its process exited.
    #[error("the engine died: {0}")]
    Crash(String),
    /// It did not answer in time.
    #[error("no answer to `{command}` within {} ms", .time.as_millis())]
    Hang {
        /// The command that it did not answer.
        command: String,
        /// How long the arena waited.
        time: Duration,
    },
    /// Its move came too late.
    #[error(transparent)]
    FlagFall(#[from] FlagFall),
    /// Its move came, but too late because it waited for a processor. It is not a fault of the player
    /// unless time is strict.
    #[error(
        "the machine was too busy: {fall}, and waited {} ms for a processor", .waited.as_millis()
    )]
    MachineBusy {
        /// The time of the move.
        fall: FlagFall,
        /// How long the player waited for a processor.
        waited: Duration,
    },
    /// The arena itself did not run while the player's clock ran, which is not a fault of the
    /// player.
    #[error("the arena was stopped for {} ms", .0.as_millis())]
    ArenaStopped(Duration),
    /// Its answer cannot be parsed.
    #[error("garbled answer `{}`", shorten(.0))]
    Garbled(String),
    /// It refused a command that it must obey.
    #[error("refused `{command}`: {}", shorten(.answer))]
    Refused { command: String, answer: String },
}

/// Quotes the last lines of an engine's standard error.
fn quoted_errors(errors: &[String]) -> String {
    let last = errors.iter().rev().take(3).rev();
    let lines: Vec<&str> = last.map(|line| line.trim_start_matches(['!', ' '])).collect();
    if lines.is_empty() { String::new() } else { format!(" (it wrote: {})", lines.join(" / ")) }
}

/// The first 100 characters of a text.
pub(crate) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(100).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Replaces control characters, which could mislead a terminal, and cuts the text to a width.
pub(crate) fn sanitize(name: &str, width: usize) -> String {
    let mut text: String =
        name.chars().map(|c| if c.is_control() { '?' } else { c }).take(width + 1).collect();
    if text.chars().count() > width {
        text.pop();
        text.pop();
        text.push('…');
    }
    text
}

impl Fault {
    /// The reason as records name it.
    pub const fn word(&self) -> &'static str {
        match self {
            Fault::IllegalMove(_) => "illegal-move",
            Fault::NoMove => "no-move-given",
            Fault::Crash(_) => "crash",
            Fault::Hang { .. } => "hang",
            Fault::FlagFall(_) => "time",
            Fault::MachineBusy { .. } => "machine-busy",
            Fault::ArenaStopped(_) => "arena-stopped",
            Fault::Garbled(_) => "garbled",
            Fault::Refused { .. } => "refused",
        }
    }

    /// The fault of a player whose move came late: `MachineBusy` if the move would have been in time
    /// without the wait for a processor. A move that did not come at all is never excused: an engine
    /// with spinning threads or endless output keeps the machine busy by itself.
    pub(crate) fn late(fall: FlagFall, margin: Duration, waited: Duration) -> Fault {
        let late = fall.time.saturating_sub(fall.limit + margin);
        if waited < late { Fault::FlagFall(fall) } else { Fault::MachineBusy { fall, waited } }
    }

    /// Whether the process must be killed.
    pub(crate) const fn is_fatal(&self) -> bool {
        matches!(
            self,
            Fault::Crash(_)
                | Fault::Hang { .. }
                | Fault::MachineBusy { .. }
                | Fault::ArenaStopped(_)
        )
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By the rules.
    Rules(EndReason),
    /// The loser resigned.
    Resigned,
    /// By a fault of the loser.
    Fault(Fault),
    /// By adjudication.
    Adjudicated(AdjudicationResult),
    /// By rules that only the engines know; all engines report the same end.
    Agreed,
    /// The engines report different states of a game whose rules only they know. The text quotes
    /// them.
    Disagreement(String),
}

impl Termination {
    /// Whether the machine, and no player, is responsible for the end.
    pub(crate) const fn is_spoiled(&self) -> bool {
        matches!(self, Termination::Fault(Fault::MachineBusy { .. } | Fault::ArenaStopped(_)))
    }

    /// Details beyond the reason.
    pub fn detail(&self) -> Option<String> {
        match self {
            Termination::Rules(_) | Termination::Resigned | Termination::Agreed => None,
            Termination::Disagreement(text) => Some(text.clone()),
            Termination::Fault(fault) => Some(fault.to_string()),
            Termination::Adjudicated(verdict) => Some(verdict.to_string()),
        }
    }
}

/// The reason as records name it.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Rules(reason) => reason.fmt(f),
            Termination::Resigned => f.write_str("resigned"),
            Termination::Fault(fault) => f.write_str(fault.word()),
            Termination::Adjudicated(verdict) => f.write_str(verdict.word()),
            Termination::Agreed => f.write_str("engines-agree"),
            Termination::Disagreement(_) => f.write_str("engines-disagree"),
        }
    }
}

/// Why a run cannot begin or continue. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// An engine's process cannot be started.
    #[error("cannot start the engine `{command}`: {error}; check the command, its path and `dir=`")]
    Spawn {
        /// The command line.
        command: String,
        /// The error of the system.
        error: io::Error,
    },
    /// An engine that was just started does not complete the handshake of its protocol.
    #[error(
        "the engine `{command}` does not start as {dialect} asks: {fault}{}; run the command by \
         hand, or check `proto=` and `option.`", quoted_errors(.errors)
    )]
    Handshake {
        /// The command line.
        command: String,
        dialect: &'static str,
        fault: Fault,
        /// The last lines of its standard error.
        errors: Vec<String>,
    },
    /// A setting that does not fit an engine or the game.
    #[error("{0}")]
    Setup(String),
    /// The built-in engine cannot search.
    #[error("the built-in engine: {0}")]
    Engine(#[from] EngineError),
    /// A game cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The thread of a game cannot be started.
    #[error("cannot start a thread for a game: {0}; lower --concurrency")]
    Thread(#[source] io::Error),
    /// The caller failed to output a finished game.
    #[error("cannot print: {0}")]
    Output(#[source] io::Error),
    /// The run was canceled, by the user or because of an error in another thread; this one is not
    /// shown.
    #[error("stopped")]
    Canceled,
}

/// Why a player gave no answer.
#[derive(Debug)]
pub enum PlayerError {
    /// A fault of the player.
    Fault(Fault),
    /// An error of the arena.
    Arena(ArenaError),
}

impl PlayerError {
    /// The player's fault; an error of the arena is returned as `Err`.
    pub(crate) fn into_fault(self) -> Result<Fault, ArenaError> {
        match self {
            PlayerError::Fault(fault) => Ok(fault),
            PlayerError::Arena(error) => Err(error),
        }
    }
}

impl From<Fault> for PlayerError {
    fn from(fault: Fault) -> PlayerError {
        PlayerError::Fault(fault)
    }
}

impl From<String> for ArenaError {
    fn from(text: String) -> ArenaError {
        ArenaError::Setup(text)
    }
}

impl From<ArenaError> for PlayerError {
    fn from(error: ArenaError) -> PlayerError {
        PlayerError::Arena(error)
    }
}
