//! What every dialect makes of any line: nothing panics, and what is understood is printed such that
//! it is understood in the same way.

#[path = "gtp.rs"]
mod gtp_lines;

use pentarch_protocol::frame::{Line, LineReader};
use pentarch_protocol::ugi::Flavor;
use pentarch_protocol::{Dialect, SyntaxError, gomocup, gtp, sidecar, ugi};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// A dialect as an engine reads it and as a client does.
pub(crate) struct Spoken {
    pub(crate) dialect: Dialect,
    /// The names of its commands.
    pub(crate) names: fn() -> Vec<&'static str>,
    /// A command as it is printed, or why it is none.
    pub(crate) command: fn(&str) -> Result<String, String>,
    /// A response as it is printed, or why it is none.
    pub(crate) response: fn(&str) -> Result<String, String>,
    /// How an engine says that a line is no command, and why.
    pub(crate) refusal: fn(&str, &str) -> String,
}

/// All dialects.
pub(crate) const SPOKEN: [Spoken; 5] = [
    of_lines::<ugi::Command, ugi::Response>(
        Dialect::Ugi,
        || ugi::Command::names().collect(),
        |_, error| format!("info string error: {error}"),
    ),
    Spoken {
        dialect: Dialect::Uci,
        names: || vec!["uci", "ucinewgame"],
        command: |line| {
            let uci = Flavor::Uci;
            same(line, |line| uci.command(line), |command| uci.write(command).to_string())
        },
        response: |line| {
            let uci = Flavor::Uci;
            same(line, |line| uci.response(line), |response| uci.write(response).to_string())
        },
        refusal: |_, error| format!("info string error: {error}"),
    },
    Spoken {
        dialect: Dialect::Gtp,
        names: || gtp::Command::names().collect(),
        command: gtp_lines::command,
        response: gtp_lines::response,
        refusal: gtp_lines::refusal,
    },
    of_lines::<gomocup::Command, gomocup::Response>(
        Dialect::Gomocup,
        || gomocup::Command::names().collect(),
        |_, error| {
            let is_unknown = error.starts_with("unknown");
            format!("{} {error}", if is_unknown { "UNKNOWN" } else { "ERROR" })
        },
    ),
    of_lines::<sidecar::Command, sidecar::Response>(
        Dialect::Sidecar,
        || sidecar::Command::names().collect(),
        |_, error| format!("ERR {error}"),
    ),
];

/// A dialect in which every command and every response is a line.
const fn of_lines<C: Said, R: Said>(
    dialect: Dialect,
    names: fn() -> Vec<&'static str>,
    refusal: fn(&str, &str) -> String,
) -> Spoken {
    Spoken { dialect, names, command: again::<C>, response: again::<R>, refusal }
}

/// What such a line is.
trait Said: FromStr<Err = SyntaxError> + Display + Debug + PartialEq {}

impl<T: FromStr<Err = SyntaxError> + Display + Debug + PartialEq> Said for T {}

impl Spoken {
    /// Reads any bytes as lines of both sides.
    pub(crate) fn stream(&self, bytes: &[u8]) {
        let mut lines = LineReader::new(bytes);
        let mut texts = Vec::new();
        while let Some(line) = lines.read().expect("bytes in memory can be read") {
            let Line::Text(line) = line else { continue };
            self.line(&line);
            texts.push(line);
        }
        if self.dialect == Dialect::Gtp {
            gtp_lines::answers(&texts);
        }
    }

    /// Reads a line of either side. Returns the lengths of what is printed.
    pub(crate) fn line(&self, line: &str) -> usize {
        let read = [(self.command)(line), (self.response)(line)];
        let lengths = read.map(|read| match read {
            Ok(printed) => printed.len(),
            Err(error) => {
                assert!(error.len() < 1000 + line.len(), "{error}");
                error.len()
            }
        });
        lengths.iter().sum()
    }
}

/// A line as it is printed; it is read again as the same value.
fn again<T: Said>(line: &str) -> Result<String, String> {
    same(line, str::parse::<T>, T::to_string)
}

/// [`again`] of what is read and printed in these ways.
fn same<T: Debug + PartialEq>(
    line: &str,
    read: impl Fn(&str) -> Result<T, SyntaxError>,
    print: impl Fn(&T) -> String,
) -> Result<String, String> {
    let value = read(line).map_err(|error| error.to_string())?;
    let printed = print(&value);
    assert_eq!(read(&printed), Ok(value), "{printed}");
    Ok(printed)
}
