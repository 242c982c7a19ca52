//! Tables of lines, for dialects in which every command and every response is a line of its own.
//!
//! A row of [`lines!`] is all that there is to say about a line: the variant of the enum with its
//! documentation, the name with which the line begins, and the parser of what follows. The enum, its
//! parser, its printer and its list of names are made of the rows, so that they cannot disagree.

use std::fmt::{self, Write as _};

use nom::Parser;
use nom::combinator::{map_opt, rest};
use nom::sequence::terminated;

use crate::SyntaxError;
use crate::frame::clean;
use crate::grammar::{Mismatch, OneLine, Parsed, end, expect, natural32, word};

/// Makes the enum of the lines that one side of a conversation writes.
///
/// After `=` stand the names of a line, the first of which is printed. After `=>` stands the parser
/// of the variant's value, or of what that is made [`From`], to the end of the line. The printer of a
/// value is its [`Display`]; where it prints nothing there is no blank after the name either. A row
/// without names stands for whole lines: it is passed over where its parser returns
/// [`nom::Err::Error`].
///
/// ```text
/// lines! {
///     /// A line from the client.
///     pub enum Command {
///         /// `quit`, or `exit`: end the process.
///         Quit = "quit" | "exit",
///         /// `perft N`: count the leaves of the game tree at this depth.
///         Perft(u32) = "perft" => number("a depth"),
///         /// `x,y`: a stone.
///         Stone(Point) => point,
///     }
/// }
/// ```
///
/// [`Display`]: std::fmt::Display
macro_rules! lines {
    (
        $(#[$about:meta])*
        pub enum $lines:ident {$(
            $(#[$doc:meta])*
            $variant:ident $(($value:ty))? $(= $($name:literal)|+)? $(=> $parser:expr)?
        ),+ $(,)?}
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $lines {
            $($(#[$doc])* $variant $(($value))?),+
        }

        impl $lines {
            const ROWS: &[$crate::lines::Row<Self>] = &[$($crate::lines::Row {
                variant: stringify!($variant),
                names: &[$($($name),+)?],
                read: |input| $crate::lines::reader!(Self::$variant, input $(, $parser)?),
            }),+];

            /// Reads a line; case does not matter in names.
            pub fn parse(line: &str) -> Result<Self, $crate::SyntaxError> {
                $crate::lines::read(Self::ROWS, line)
            }

            /// The names with which lines begin.
            pub fn names() -> impl Iterator<Item = &'static str> {
                Self::ROWS.iter().flat_map(|row| row.names).copied()
            }
        }

        impl std::str::FromStr for $lines {
            type Err = $crate::SyntaxError;

            fn from_str(line: &str) -> Result<Self, Self::Err> {
                Self::parse(line)
            }
        }

        impl std::fmt::Display for $lines {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {$(
                    Self::$variant $(($crate::lines::printed!(value, $value)))? => {
                        let names: &[&str] = &[$($($name),+)?];
                        $crate::lines::write(f, names, $crate::lines::printed!($(value, $value)?))
                    }
                ),+}
            }
        }
    };
}

/// How a row reads its value, if it has one.
macro_rules! reader {
    ($variant:expr, $input:ident) => {
        nom::Parser::parse(&mut nom::combinator::success($variant), $input)
    };
    ($variant:expr, $input:ident, $parser:expr) => {
        $crate::lines::read_value($parser, $variant, $input)
    };
}

/// What a row prints after the name: its value if it has one.
macro_rules! printed {
    () => {
        &""
    };
    ($value:ident, $kind:ty) => {
        $value
    };
}

pub(crate) use {lines, printed, reader};

/// A row of a table, as far as lines are read by it.
pub(crate) struct Row<T> {
    /// What errors call a line without a name.
    pub(crate) variant: &'static str,
    /// With which words the line begins.
    pub(crate) names: &'static [&'static str],
    /// Reads what follows, or the whole line if it has no name.
    pub(crate) read: for<'a> fn(&'a str) -> Parsed<'a, T>,
}

/// The line that one of these rows stands for. What is wrong after a name is an error, unless a row
/// below takes the line as a whole.
pub(crate) fn read<T>(rows: &[Row<T>], line: &str) -> Result<T, SyntaxError> {
    let line = clean(line);
    let (after, first) = word(&line).unwrap_or_default();
    let mut mistake = None;
    for row in rows {
        let name = row.names.iter().find(|name| name.eq_ignore_ascii_case(first));
        let input = match name {
            Some(_) => after,
            None if row.names.is_empty() => &line,
            None => continue,
        };
        match terminated(row.read, end).parse(input) {
            Ok((_, value)) => return Ok(value),
            Err(nom::Err::Error(_)) if name.is_none() => {}
            Err(error) => {
                let label =
                    name.map_or_else(|| row.variant.to_ascii_lowercase(), |&name| name.into());
                mistake.get_or_insert_with(|| SyntaxError::malformed(&label, error));
            }
        }
    }
    let names = rows.iter().flat_map(|row| row.names).copied();
    Err(match mistake {
        Some(mistake) => mistake,
        None if first.is_empty() => SyntaxError::Empty,
        None => SyntaxError::unknown(first, names),
    })
}

/// The variant with the value that a parser reads.
pub(crate) fn read_value<'a, P, V, T>(
    mut parser: P,
    variant: fn(V) -> T,
    input: &'a str,
) -> Parsed<'a, T>
where
    P: Parser<&'a str, Error = Mismatch<'a>, Output: Into<V>>,
{
    parser.parse(input).map(|(rest, value)| (rest, variant(value.into())))
}

/// Prints a line: its name, if it has one, and what follows.
pub(crate) fn write(
    f: &mut fmt::Formatter<'_>,
    names: &[&str],
    value: &dyn fmt::Display,
) -> fmt::Result {
    if let Some(name) = names.first() {
        f.write_str(name)?;
    }
    write!(Tail { needs_blank: !names.is_empty(), f }, "{value}")
}

/// What follows a name: a blank before it if it is not empty, and nothing in it that ends the line.
struct Tail<'a, 'f> {
    needs_blank: bool,
    f: &'a mut fmt::Formatter<'f>,
}

impl fmt::Write for Tail<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !text.is_empty() && std::mem::take(&mut self.needs_blank) {
            self.f.write_str(" ")?;
        }
        write!(self.f, "{}", OneLine(text))
    }
}

/// A whole number.
pub(crate) fn number<'a>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = u32, Error = Mismatch<'a>> {
    expect(expected, map_opt(word, natural32))
}

/// All that follows, without blanks around it; it may be empty.
pub(crate) fn text(input: &str) -> Parsed<'_, &str> {
    rest.map(|text: &str| text.trim_matches(' ')).parse(input)
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "a table makes enums that are public")]
mod tests {
    use super::*;
    use nom::bytes::complete::tag;

    lines! {
        /// Lines to try.
        pub enum Said {
            /// Two names.
            Stop = "stop" | "HALT",
            /// A number.
            Count(u32) = "count" => number("a count"),
            /// Words.
            Note(String) = "note" => text,
            /// No name.
            Mark(String) => tag("!"),
        }
    }

    lines! {
        /// Lines of which any is one.
        pub enum Any {
            /// A number.
            Count(u32) = "count" => number("a count"),
            /// The others.
            Other(String) => text,
        }
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        for (line, said) in [
            ("stop", Said::Stop),
            ("count 7", Said::Count(7)),
            ("note", Said::Note(String::new())),
            ("note to all", Said::Note("to all".to_owned())),
            ("!", Said::Mark("!".to_owned())),
        ] {
            assert_eq!(said.to_string(), line);
            assert_eq!(Said::parse(line), Ok(said));
        }
        assert_eq!(Said::parse(" Halt\r"), Ok(Said::Stop));
        assert_eq!(Said::Note("a\nb\n".to_owned()).to_string(), "note a b ");
        assert_eq!(Said::names().collect::<Vec<_>>(), ["stop", "HALT", "count", "note"]);
    }

    #[test]
    fn what_is_wrong_has_a_name() {
        for (line, told) in [
            ("", "empty line, expected a command"),
            ("coun 7", "unknown command `coun`, did you mean `count`?"),
            ("count", "malformed `count`: expected a count, found the end of the line"),
            ("STOP now", "malformed `stop`: expected the end of the line, found `now`"),
            ("! now", "malformed `mark`: expected the end of the line, found `now`"),
        ] {
            assert_eq!(Said::parse(line).map_err(|error| error.to_string()), Err(told.to_owned()));
        }
    }

    #[test]
    fn a_row_for_any_line_takes_what_is_wrong_elsewhere() {
        assert_eq!(Any::parse("count 7"), Ok(Any::Count(7)));
        assert_eq!(Any::names().collect::<Vec<_>>(), ["count"]);
        for line in ["", "count", "count x", "counts 7"] {
            assert_eq!(Any::parse(line), Ok(Any::Other(line.to_owned())));
        }
    }
}
