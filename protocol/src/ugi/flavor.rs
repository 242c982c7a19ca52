//! UGI and UCI: one conversation, two sets of words.

use std::fmt;

use super::{Command, Response, SyntaxError};

/// Which of the two a line belongs to.
///
/// UCI has `uci`, `uciok` and `ucinewgame`, the clocks `wtime`, `btime`, `winc` and `binc` for the
/// first two seats, and `bestmove (none)`. All else is the same; what the numbers of `mate` count,
/// plies in UGI and moves in UCI, is for the engine to know.
///
/// ```
/// use pentarch_protocol::ugi::{Command, Flavor};
///
/// let command = Flavor::Uci.command("ucinewgame").unwrap();
/// assert_eq!(command, Command::UgiNewGame);
/// assert_eq!(Flavor::Uci.write(&command).to_string(), "ucinewgame");
/// assert_eq!(Flavor::Ugi.write(&command).to_string(), "uginewgame");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flavor {
    /// The Universal Game Interface.
    Ugi,
    /// The Universal Chess Interface.
    Uci,
}

/// A command or a response as a flavour prints it.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a, T> {
    flavor: Flavor,
    value: &'a T,
}

impl Flavor {
    /// Reads a client's line.
    pub fn command(self, line: &str) -> Result<Command, SyntaxError> {
        Command::parse_as(self, line)
    }

    /// Reads an engine's line.
    pub fn response(self, line: &str) -> Result<Response, SyntaxError> {
        Response::parse_as(self, line)
    }

    /// A [`Command`] or a [`Response`], to be printed.
    pub fn write<T>(self, value: &T) -> Written<'_, T> {
        Written { flavor: self, value }
    }

    /// This flavour's word for one of UGI.
    pub(super) fn spell(self, word: &'static str) -> &'static str {
        match (self, word) {
            (Self::Uci, "ugi") => "uci",
            (Self::Uci, "ugiok") => "uciok",
            (Self::Uci, "uginewgame") => "ucinewgame",
            (Self::Uci, "none") => "(none)",
            _ => word,
        }
    }

    /// How the clocks of the seats begin.
    pub(super) fn players(self) -> [&'static str; 4] {
        match self {
            Self::Ugi => ["p1", "p2", "p3", "p4"],
            Self::Uci => ["w", "b", "p3", "p4"],
        }
    }
}

impl fmt::Display for Written<'_, Command> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.write(self.flavor, f)
    }
}

impl fmt::Display for Written<'_, Response> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.write(self.flavor, f)
    }
}
