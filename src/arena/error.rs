//! What may go wrong: a player's fault ends a game, our own ends the run.

use crate::adjudication::Verdict;
use crate::time_control::FlagFall;
use pentarch_core::game::EndReason;
use pentarch_engine::EngineError;
use pentarch_records::RecordError;
use std::time::Duration;
use std::{fmt, io};

/// Something that a player did wrong. It loses the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It played what the rules do not allow. The text names the move and the reason.
    #[error("{0}")]
    IllegalMove(String),
    /// It gave no move although the game was open.
    #[error("no move in an open game")]
    NoMove,
    /// Its process ended in the middle of something.
    #[error("the engine died: {0}")]
    Crash(String),
    /// It was silent for too long.
    #[error("no answer to `{command}` within {} ms", .time.as_millis())]
    Hang {
        /// What it was asked.
        command: String,
        /// How long the arena waited.
        time: Duration,
    },
    /// It moved, but too late.
    #[error(transparent)]
    FlagFall(#[from] FlagFall),
    /// It moved too late, or not at all, because it had to wait for a processor: no fault of its own
    /// unless time is strict.
    #[error(
        "the machine was too busy: {fall}, and waited {} ms for a processor", .waited.as_millis()
    )]
    MachineBusy {
        /// What the move took.
        fall: FlagFall,
        /// How much of it the player could not run.
        waited: Duration,
        /// The fault that it is where time is strict.
        otherwise: Box<Fault>,
    },
    /// Its answer means nothing.
    #[error("garbled answer `{}`", shorten(.0))]
    Garbled(String),
    /// It refused a command that it must obey.
    #[error("refused `{command}`: {}", shorten(.answer))]
    Refused {
        /// The command.
        command: String,
        /// What it answered.
        answer: String,
    },
}

/// The beginning of a text that may be very long.
pub(crate) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(100).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A name that a terminal cannot be misled by, cut to the width of a column.
pub(crate) fn plain(name: &str, width: usize) -> String {
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
    /// The fault in one word, as records have it.
    pub const fn word(&self) -> &'static str {
        match self {
            Fault::IllegalMove(_) => "illegal-move",
            Fault::NoMove => "no-move-given",
            Fault::Crash(_) => "crash",
            Fault::Hang { .. } => "hang",
            Fault::FlagFall(_) => "time",
            Fault::MachineBusy { .. } => "machine-busy",
            Fault::Garbled(_) => "garbled",
            Fault::Refused { .. } => "refused",
        }
    }

    /// The fault of a player who was late, one of the machine if it had not been late without its wait
    /// for a processor.
    pub(crate) fn or_busy(self, fall: FlagFall, margin: Duration, waited: Duration) -> Fault {
        let late = fall.time.saturating_sub(fall.limit + margin);
        if waited < late {
            return self;
        }
        Fault::MachineBusy { fall, waited, otherwise: Box::new(self) }
    }

    /// Whether the player can no longer be spoken to.
    pub(crate) const fn is_fatal(&self) -> bool {
        matches!(self, Fault::Crash(_) | Fault::Hang { .. } | Fault::MachineBusy { .. })
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules(EndReason),
    /// The loser gave up.
    Resigned,
    /// The loser did something wrong.
    Fault(Fault),
    /// By the arena, early.
    Adjudicated(Verdict),
    /// By the rules that only the engines know; all of them say so.
    Agreed,
    /// The engines do not agree on rules that only they know. The text has what each says.
    Disagreement(String),
}

impl Ending {
    /// Whether the machine spoiled the game.
    pub(crate) const fn is_no_fault_of_players(&self) -> bool {
        matches!(self, Ending::Fault(Fault::MachineBusy { .. }))
    }

    /// What there is to say beyond the word.
    pub fn detail(&self) -> Option<String> {
        match self {
            Ending::Rules(_) | Ending::Resigned | Ending::Agreed => None,
            Ending::Disagreement(text) => Some(text.clone()),
            Ending::Fault(fault) => Some(fault.to_string()),
            Ending::Adjudicated(verdict) => Some(verdict.to_string()),
        }
    }
}

/// One word, as records have it.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Rules(reason) => reason.fmt(f),
            Ending::Resigned => f.write_str("resigned"),
            Ending::Fault(fault) => f.write_str(fault.word()),
            Ending::Adjudicated(verdict) => f.write_str(verdict.word()),
            Ending::Agreed => f.write_str("engines-agree"),
            Ending::Disagreement(_) => f.write_str("engines-disagree"),
        }
    }
}

/// Why a match cannot begin or go on. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// An engine's process cannot be started.
    #[error("cannot start the engine `{command}`: {error}; check the command, its path and `dir=`")]
    Spawn {
        /// The command line.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// An engine that was just started does not do what its protocol asks for.
    #[error(
        "the engine `{command}` does not start as {dialect} asks: {fault}; run the command by \
         hand, or check `proto=` and `option.`"
    )]
    Handshake {
        /// The command line.
        command: String,
        /// The protocol.
        dialect: &'static str,
        /// What it did.
        fault: Fault,
    },
    /// A setting that does not fit an engine or the game.
    #[error("{0}")]
    Setup(String),
    /// The built-in engine cannot think.
    #[error("the built-in engine: {0}")]
    Engine(#[from] EngineError),
    /// A game cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// No thread for a game.
    #[error("cannot start a thread for a game: {0}; lower --concurrency")]
    Thread(#[source] io::Error),
    /// The caller could not take a finished game.
    #[error("cannot print: {0}")]
    Output(#[source] io::Error),
    /// Another game's error ends the run; this one is never shown.
    #[error("stopped")]
    Canceled,
}

/// Why a player gave no move.
#[derive(Debug)]
pub enum Failure {
    /// The player's fault.
    Fault(Fault),
    /// Ours.
    Ours(ArenaError),
}

impl Failure {
    /// The player's fault; an error if it is ours.
    pub(crate) fn fault(self) -> Result<Fault, ArenaError> {
        match self {
            Failure::Fault(fault) => Ok(fault),
            Failure::Ours(error) => Err(error),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

impl From<String> for ArenaError {
    fn from(text: String) -> ArenaError {
        ArenaError::Setup(text)
    }
}

impl From<ArenaError> for Failure {
    fn from(error: ArenaError) -> Failure {
        Failure::Ours(error)
    }
}
