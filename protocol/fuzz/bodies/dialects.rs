//! Parses any line in every dialect: nothing panics, and a parsed line is printed so that it parses as the
//! same value.

#[path = "gtp.rs"]
mod gtp_lines;

use pentarch_protocol::input::LineReader;
use pentarch_protocol::ugi::Flavor;
use pentarch_protocol::{Dialect, SyntaxError, gomocup, gtp, sidecar, ugi};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// The parsers and printers of both sides of a dialect.
pub(crate) struct DialectParsers {
    pub(crate) dialect: Dialect,
    /// Returns the names of the commands.
    pub(crate) names: fn() -> Vec<&'static str>,
    /// Parses and prints a command, or returns the error.
    pub(crate) command: fn(&str) -> Result<String, String>,
    /// Parses and prints a response, or returns the error.
    pub(crate) response: fn(&str) -> Result<String, String>,
    /// Returns the response of an engine to a line that is not a command, with the error.
    pub(crate) refusal: fn(&str, &str) -> String,
}

/// All dialects.
pub(crate) const PARSERS: [DialectParsers; 5] = [
    line_parsers::<ugi::Command, ugi::Response>(
        Dialect::Ugi,
        || ugi::Command::names().collect(),
        |_, error| format!("info string error: {error}"),
    ),
    DialectParsers {
        dialect: Dialect::Uci,
        names: || vec!["uci", "ucinewgame"],
        command: |line| {
            let uci = Flavor::Uci;
            round_trip_with(line, |line| uci.command(line), |command| uci.command_text(command))
        },
        response: |line| {
            let uci = Flavor::Uci;
            round_trip_with(line, |line| uci.response(line), |response| uci.response_text(response))
        },
        refusal: |_, error| format!("info string error: {error}"),
    },
    DialectParsers {
        dialect: Dialect::Gtp,
        names: || gtp::Command::names().collect(),
        command: gtp_lines::command,
        response: gtp_lines::response,
        refusal: gtp_lines::refusal,
    },
    line_parsers::<gomocup::Command, gomocup::Response>(
        Dialect::Gomocup,
        || gomocup::Command::names().collect(),
        |_, error| {
            let is_unknown = error.starts_with("unknown");
            format!("{} {error}", if is_unknown { "UNKNOWN" } else { "ERROR" })
        },
    ),
    line_parsers::<sidecar::Command, sidecar::Response>(
        Dialect::Sidecar,
        || sidecar::Command::names().collect(),
        |_, error| format!("ERR {error}"),
    ),
];

/// Returns the parsers of a dialect in which every command and every response is one line.
const fn line_parsers<C: LineType, R: LineType>(
    dialect: Dialect,
    names: fn() -> Vec<&'static str>,
    refusal: fn(&str, &str) -> String,
) -> DialectParsers {
    DialectParsers { dialect, names, command: round_trip::<C>, response: round_trip::<R>, refusal }
}

/// The type of a command or a response.
trait LineType: FromStr<Err = SyntaxError> + Display + Debug + PartialEq {}

impl<T: FromStr<Err = SyntaxError> + Display + Debug + PartialEq> LineType for T {}

impl DialectParsers {
    /// Parses any bytes as lines of both sides.
    pub(crate) fn stream(&self, bytes: &[u8]) {
        let mut lines = LineReader::new(bytes);
        let mut texts = Vec::new();
        while let Some(line) = lines.read().expect("bytes in memory can be read") {
            let Ok(line) = line else { continue };
            self.line(&line);
            texts.push(line);
        }
        if self.dialect == Dialect::Gtp {
            gtp_lines::answers(&texts);
        }
    }

    /// Parses a line of either side. Returns the length of the printed texts.
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

/// Parses and prints a line, and checks that the result parses as the same value.
fn round_trip<T: LineType>(line: &str) -> Result<String, String> {
    round_trip_with(line, str::parse::<T>, T::to_string)
}

/// Does the same as [`round_trip`], with other functions.
fn round_trip_with<T: Debug + PartialEq>(
    line: &str,
    read: impl Fn(&str) -> Result<T, SyntaxError>,
    print: impl Fn(&T) -> String,
) -> Result<String, String> {
    let value = read(line).map_err(|error| error.to_string())?;
    let printed = print(&value);
    assert_eq!(read(&printed), Ok(value), "{printed}");
    Ok(printed)
}
