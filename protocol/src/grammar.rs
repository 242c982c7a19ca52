//! The grammar mechanism of all dialects: small parsers, and the macro [`grammar!`], which declares
//! an enum together with the texts of its variants.
//!
//! The input of a parser has passed [`clean`], so the only blank is the space.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use nom::bytes::complete::{tag, take_until, take_while, take_while1};
use nom::combinator::{map_opt, rest, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::many0;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

use crate::input::clean;
use crate::nearest;

/// How much of a wrong word an error message repeats, in characters.
const MAX_QUOTED: usize = 40;

/// Why a line is neither a command nor a response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// The line has no word in it.
    #[error("empty line, expected a command")]
    Empty,
    /// The first word is not a command.
    #[error("unknown command `{word}`{}", .nearest.as_ref().map(|word| format!(", did you mean `{word}`?")).unwrap_or_default())]
    Unknown {
        /// The word, shortened.
        word: String,
        /// The command it may be a typo of.
        nearest: Option<String>,
    },
    /// The first word is known, but something after it is wrong.
    #[error("malformed `{command}`: expected {expected}, found {}", quoted(.found))]
    Malformed {
        /// The first word of the line.
        command: String,
        /// What would have been right, a noun phrase.
        expected: String,
        /// The wrong word, shortened; empty at the end of the line.
        found: String,
    },
}

/// What a parser returns: the rest of the line and a value.
pub(crate) type Parsed<'a, T> = IResult<&'a str, T, Mismatch<'a>>;

/// What a parser expected and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mismatch<'a> {
    /// What would have been right, a noun phrase.
    pub(crate) expected: Cow<'static, str>,
    /// The line from the wrong word on.
    pub(crate) at: &'a str,
}

impl<'a> ParseError<&'a str> for Mismatch<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        Self { expected: Cow::Borrowed("something else"), at }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a> Mismatch<'a> {
    /// The error that stops all parsing, with the wrong word at the start of `at`.
    pub(crate) fn stop(expected: impl Into<Cow<'static, str>>, at: &'a str) -> nom::Err<Self> {
        nom::Err::Failure(Self { expected: expected.into(), at })
    }

    /// The error for a line that starts with `command` and goes wrong later.
    pub(crate) fn in_command(error: nom::Err<Self>, command: &str) -> SyntaxError {
        let mismatch = match error {
            nom::Err::Error(mismatch) | nom::Err::Failure(mismatch) => mismatch,
            nom::Err::Incomplete(_) => Self { expected: Cow::Borrowed("more"), at: "" },
        };
        SyntaxError::Malformed {
            command: command.to_owned(),
            found: shortened(mismatch.at.trim_start().split(' ').next().unwrap_or_default()),
            expected: mismatch.expected.into_owned(),
        }
    }
}

/// Declares an enum and the grammar of its texts.
///
/// Each variant is a rule: after `=` its keywords, of which the first is printed, and after `=>` the
/// parser of its value, or of the tuple of its fields, from there to the end of the text. A value is
/// printed by its [`Display`](fmt::Display) or by the function after the second `=>`; where that
/// prints nothing, no blank follows the keyword.
///
/// A rule with `in` has a list of keywords that its parser reads and its printer writes. A rule without
/// keywords applies to any line; if its parser returns [`nom::Err::Error`], the next rule is tried.
///
/// ```text
/// grammar! {
///     ignore_case: true;
///     /// A line from the client.
///     pub enum Command {
///         /// `quit`, or `exit`: end the process.
///         Quit = "quit" | "exit",
///         /// `perft N`: count the leaves of the game tree at this depth.
///         Perft(u32) = "perft" => number("a depth"),
///         /// `size W H`: the size of the board.
///         Size { width: u32, height: u32 } = "size" => size => size_text,
///         /// `x,y`: a stone.
///         Stone(Point) => point,
///     }
/// }
/// ```
macro_rules! grammar {
    (
        ignore_case: $ignore_case:literal;
        $(#[$about:meta])*
        pub enum $name:ident {$(
            $(#[$doc:meta])*
            $variant:ident
                $(($value:ty))?
                $({$($(#[$field_doc:meta])* $field:ident: $field_type:ty),+ $(,)?})?
                $(= $($keyword:literal)|+)?
                $(in $keywords:expr)?
                $(=> $parser:expr $(=> $printer:expr)?)?
        ),+ $(,)?}
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {$(
            $(#[$doc])*
            $variant $(($value))? $({$($(#[$field_doc])* $field: $field_type),+})?
        ),+}

        impl $name {
            pub(crate) const GRAMMAR: $crate::grammar::Grammar<Self> = $crate::grammar::Grammar {
                ignore_case: $ignore_case,
                rules: &[$($crate::grammar::Rule {
                    label: stringify!($variant),
                    keywords: $crate::grammar::keywords!($($($keyword)+)? $(in $keywords)?),
                    takes_keyword: $crate::grammar::takes_keyword!($(in $keywords)?),
                    read: |input| $crate::grammar::read_rule!(
                        input, $variant $(($value))? $({$($field)+})? $($parser)?
                    ),
                }),+],
            };

            /// The keywords of the rules, without those after `in`.
            #[allow(dead_code, reason = "for grammars that are a part of another")]
            pub(crate) const KEYWORDS: &[&'static str] = &[$($($($keyword,)+)?)+];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {$(
                    Self::$variant
                        $(($crate::grammar::bind!(value $value)))?
                        $({$($field),+})? =>
                    {
                        let keywords: &[&str] = &[$($($keyword),+)?];
                        $crate::grammar::write_rule(f, keywords, $crate::grammar::printed!(
                            $(value $value)? $({$($field)+})? $($(=> $printer)?)?
                        ))
                    }
                ),+}
            }
        }
    };
}

/// The keywords of a rule.
macro_rules! keywords {
    (in $keywords:expr) => {
        $keywords
    };
    ($($keyword:literal)*) => {
        &[$($keyword),*]
    };
}

/// Whether the parser of a rule reads the keyword too.
macro_rules! takes_keyword {
    () => {
        false
    };
    (in $keywords:expr) => {
        true
    };
}

/// Reads what follows the keyword of a rule.
macro_rules! read_rule {
    ($input:ident, $variant:ident) => {
        Ok(($input, Self::$variant))
    };
    ($input:ident, $variant:ident ($value:ty) $parser:expr) => {
        $crate::grammar::read_value($parser, Self::$variant, $input)
    };
    ($input:ident, $variant:ident {$field:ident} $parser:expr) => {
        $crate::grammar::read_value($parser, |$field| Self::$variant { $field }, $input)
    };
    ($input:ident, $variant:ident {$($field:ident)+} $parser:expr) => {
        $crate::grammar::read_value($parser, |($($field),+)| Self::$variant { $($field),+ }, $input)
    };
}

/// The pattern of a rule's value.
macro_rules! bind {
    ($name:ident $value:ty) => {
        $name
    };
}

/// What a rule prints after its keyword.
macro_rules! printed {
    () => {
        &""
    };
    ($name:ident $value:ty) => {
        $name
    };
    ($name:ident $value:ty => $printer:expr) => {
        &$printer($name)
    };
    ({$($field:ident)+} => $printer:expr) => {
        &$printer($($field),+)
    };
}

/// Gives a grammar's enum the parser of a whole line.
macro_rules! parse_lines {
    ($($name:ident)+) => {$(
        impl $name {
            /// Parses a line.
            ///
            /// # Errors
            /// The line is not in the grammar.
            pub fn parse(line: &str) -> Result<Self, $crate::SyntaxError> {
                Self::GRAMMAR.parse(line, |keyword| keyword)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::SyntaxError;

            fn from_str(line: &str) -> Result<Self, Self::Err> {
                Self::parse(line)
            }
        }
    )+};
}

pub(crate) use {bind, grammar, keywords, parse_lines, printed, read_rule, takes_keyword};

/// The texts of an enum: an ordered list of rules.
pub(crate) struct Grammar<T: 'static> {
    pub(crate) ignore_case: bool,
    pub(crate) rules: &'static [Rule<T>],
}

/// The texts of one variant.
pub(crate) struct Rule<T> {
    /// What errors call the rule if it has no keyword: the name of the variant.
    pub(crate) label: &'static str,
    /// How its texts begin. A rule without keywords applies to any text.
    pub(crate) keywords: &'static [&'static str],
    /// Whether the input of `read` begins with the keyword.
    pub(crate) takes_keyword: bool,
    pub(crate) read: for<'a> fn(&'a str) -> Parsed<'a, T>,
}

impl<T> Grammar<T> {
    /// Returns the keywords of all rules.
    pub(crate) fn keywords(&self) -> impl Iterator<Item = &'static str> + use<T> {
        self.rules.iter().flat_map(|rule| rule.keywords).copied()
    }

    /// Parses a whole line, with the keywords as `spell` spells them. What is wrong after a keyword is
    /// an error, unless a rule without keywords accepts the line.
    pub(crate) fn parse(
        &self,
        line: &str,
        spell: impl Fn(&'static str) -> &'static str,
    ) -> Result<T, SyntaxError> {
        let line = clean(line);
        let mut first_error = None;
        for rule in self.rules {
            let Some((keyword, input)) = self.select(rule, &line, &spell) else { continue };
            match terminated(rule.read, end).parse(input) {
                Ok((_, value)) => return Ok(value),
                Err(nom::Err::Error(_)) if rule.keywords.is_empty() => {}
                Err(error) => {
                    let label =
                        keyword.map_or_else(|| rule.label.to_ascii_lowercase(), str::to_owned);
                    first_error.get_or_insert_with(|| Mismatch::in_command(error, &label));
                }
            }
        }
        Err(first_error.unwrap_or_else(|| match word(&line) {
            Ok((_, first)) => {
                let nearest = nearest(first, self.keywords().map(&spell)).map(str::to_owned);
                SyntaxError::Unknown { word: shortened(first), nearest }
            }
            Err(_) => SyntaxError::Empty,
        }))
    }

    /// Reads the value whose keyword is next in the input; [`nom::Err::Error`] if there is none.
    pub(crate) fn read<'a>(&self, input: &'a str) -> Parsed<'a, T> {
        for rule in self.rules {
            if let Some((_, input)) = self.select(rule, input, |keyword| keyword) {
                return (rule.read)(input);
            }
        }
        Err(nom::Err::Error(Mismatch { expected: Cow::Borrowed("a keyword"), at: input }))
    }

    /// Returns the keyword of the rule that a text begins with, none for a rule without keywords, and
    /// the input of the rule's parser.
    fn select<'a>(
        &self,
        rule: &Rule<T>,
        text: &'a str,
        spell: impl Fn(&'static str) -> &'static str,
    ) -> Option<(Option<&'static str>, &'a str)> {
        if rule.keywords.is_empty() {
            return Some((None, text));
        }
        let (after, first) = word(text).ok()?;
        let keyword = rule.keywords.iter().map(|keyword| spell(keyword)).find(|keyword| {
            if self.ignore_case { first.eq_ignore_ascii_case(keyword) } else { first == *keyword }
        })?;
        Some((Some(keyword), if rule.takes_keyword { text } else { after }))
    }
}

/// Reads a value with a parser and makes a variant of it.
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

/// Prints the first of the keywords, if there is one, and a value.
pub(crate) fn write_rule(
    f: &mut fmt::Formatter<'_>,
    keywords: &[&str],
    value: &dyn fmt::Display,
) -> fmt::Result {
    if let Some(keyword) = keywords.first() {
        f.write_str(keyword)?;
    }
    write!(ValueWriter { needs_blank: !keywords.is_empty(), f }, "{value}")
}

/// Prints a blank before a value that is not empty, and replaces what would end the line.
struct ValueWriter<'a, 'f> {
    needs_blank: bool,
    f: &'a mut fmt::Formatter<'f>,
}

impl fmt::Write for ValueWriter<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !text.is_empty() && std::mem::take(&mut self.needs_blank) {
            self.f.write_str(" ")?;
        }
        write!(self.f, "{}", OneLine(text))
    }
}

/// `word = { " " } , character , { character } ;` where a character is not a blank.
pub(crate) fn word(input: &str) -> Parsed<'_, &str> {
    preceded(blanks, take_while1(|c| c != ' ')).parse(input)
}

/// `blanks = { " " } ;`
pub(crate) fn blanks(input: &str) -> Parsed<'_, &str> {
    take_while(|c| c == ' ').parse(input)
}

/// `words = { word } ;` up to the first word for which `stop` holds.
pub(crate) fn words_until<'a>(
    stop: impl Fn(&str) -> bool,
) -> impl Parser<&'a str, Output = Vec<String>, Error = Mismatch<'a>> {
    many0(verify(word, move |w: &str| !stop(w)).map(str::to_owned))
}

/// `words = { word } ;` to the end of the line.
pub(crate) fn words(input: &str) -> Parsed<'_, Vec<String>> {
    words_until(|_| false).parse(input)
}

/// A given word.
pub(crate) fn keyword<'a>(
    wanted: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Mismatch<'a>> {
    verify(word, move |w: &str| w == wanted)
}

/// The text between two marks.
pub(crate) fn enclosed<'a>(
    open: &'static str,
    close: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Mismatch<'a>> {
    delimited(tag(open), take_until(close), tag(close))
}

/// The rest of the line without the blanks around it; it may be empty.
pub(crate) fn text(input: &str) -> Parsed<'_, &str> {
    rest.map(|text: &str| text.trim_matches(' ')).parse(input)
}

/// A whole line, unless its first word is one of those: the last rule of a grammar in which any line is
/// valid, except for malformed ones with these keywords.
pub(crate) fn other_line<'a>(
    is_reserved: impl Fn(&str) -> bool,
) -> impl Parser<&'a str, Output = &'a str, Error = Mismatch<'a>> {
    verify(rest, move |line: &str| !word(line).is_ok_and(|(_, first)| is_reserved(first)))
}

/// The end of the line.
pub(crate) fn end(input: &str) -> Parsed<'_, ()> {
    let rest = input.trim_start_matches(' ');
    if rest.is_empty() { Ok(("", ())) } else { Err(Mismatch::stop("the end of the line", rest)) }
}

/// The same parser, but a mismatch stops all parsing with this expectation.
pub(crate) fn expect<'a, O>(
    expected: impl Into<Cow<'static, str>>,
    mut parser: impl Parser<&'a str, Output = O, Error = Mismatch<'a>>,
) -> impl Parser<&'a str, Output = O, Error = Mismatch<'a>> {
    let expected = expected.into();
    move |input: &'a str| {
        parser.parse(input).map_err(|error| match error {
            nom::Err::Failure(inner) => nom::Err::Failure(inner),
            _ => Mismatch::stop(expected.clone(), input),
        })
    }
}

/// A whole number; one that does not fit 32 bits becomes the maximum.
pub(crate) fn number<'a>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = u32, Error = Mismatch<'a>> {
    expect(expected, map_opt(word, natural32))
}

/// A word that [`exact`] reads.
pub(crate) fn exact_number<'a, T: FromStr>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = T, Error = Mismatch<'a>> {
    expect(expected, map_opt(word, exact))
}

/// A number that fits its type, without a plus sign.
pub(crate) fn exact<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// `natural = digit , { digit } ;` one that does not fit 64 bits becomes the maximum.
pub(crate) fn natural(text: &str) -> Option<u64> {
    let digit = |c: char| c.to_digit(10).map(u64::from);
    let more = |sum: u64, c: char| Some(sum.saturating_mul(10).saturating_add(digit(c)?));
    if text.is_empty() { None } else { text.chars().try_fold(0, more) }
}

/// `natural` in 32 bits.
pub(crate) fn natural32(text: &str) -> Option<u32> {
    natural(text).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// `integer = [ "-" ] , natural ;` one that is out of range becomes the end of the range.
pub(crate) fn integer(text: &str) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(digits) => natural(digits).map(|n| 0_i64.saturating_sub_unsigned(n)),
        None => natural(text).map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
    }
}

/// `integer` in 32 bits.
pub(crate) fn integer32(text: &str) -> Option<i32> {
    let clamped = integer(text)?.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    i32::try_from(clamped).ok()
}

/// Returns the text, or its beginning and three dots.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Returns the wrong word of an error message in quotation marks.
pub(crate) fn quoted(found: &str) -> String {
    if found.is_empty() { "the end of the line".to_owned() } else { format!("`{found}`") }
}

/// Prints a text with blanks instead of control characters, so that nothing in it ends the line.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, piece) in self.0.split(char::is_control).enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(piece)?;
        }
        Ok(())
    }
}

/// Prints a text in quotation marks, and those inside it as apostrophes.
pub(crate) struct InQuotes<'a>(pub(crate) &'a str);

impl fmt::Display for InQuotes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", OneLine(&self.0.replace('"', "'")))
    }
}

/// Prints values with blanks between them.
pub(crate) fn joined<T: fmt::Display>(values: &[T]) -> String {
    let mut text = String::new();
    for (index, value) in values.iter().enumerate() {
        let _ = write!(text, "{}{value}", if index > 0 { " " } else { "" });
    }
    text
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro makes public enums")]
mod tests {
    use super::*;

    #[test]
    fn numbers_saturate() {
        let huge = "9".repeat(1000);
        assert_eq!(natural(&huge), Some(u64::MAX));
        assert_eq!(natural32(&huge), Some(u32::MAX));
        assert_eq!(integer(&huge), Some(i64::MAX));
        assert_eq!(integer(&format!("-{huge}")), Some(i64::MIN));
        assert_eq!(integer32(&format!("-{huge}")), Some(i32::MIN));
        assert_eq!(integer("-9223372036854775808"), Some(i64::MIN));
        for wrong in ["", "-", "--1", "+1", "1.5", "0x1", "1_0", "\u{664}"] {
            assert_eq!(integer(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn long_words_are_cut_between_characters() {
        assert_eq!(shortened(&"\u{e9}".repeat(40)), "\u{e9}".repeat(40));
        assert_eq!(shortened(&"\u{e9}".repeat(41)), format!("{}...", "\u{e9}".repeat(40)));
    }

    grammar! {
        ignore_case: true;
        /// A line of each kind of rule.
        pub enum Sample {
            /// Two keywords.
            Stop = "stop" | "HALT",
            /// A value.
            Count(u32) = "count" => number("a count"),
            /// Two fields.
            Size {
                /// The first.
                width: u32,
                /// The second.
                height: u32,
            } = "size" => (number("a width"), number("a height")) => size_text,
            /// A value that may be empty.
            Note(String) = "note" => text,
            /// Keywords of another grammar.
            Tool(Tool) in Tool::KEYWORDS => |input| Tool::GRAMMAR.read(input),
            /// No keyword.
            Mark(String) => tag("!"),
        }
    }

    fn size_text(width: &u32, height: &u32) -> String {
        format!("{width} {height}")
    }

    grammar! {
        ignore_case: true;
        /// A grammar inside another.
        pub enum Tool {
            /// A keyword alone.
            Pen = "pen",
            /// A keyword and a value.
            Ink(String) = "ink" => text,
        }
    }

    grammar! {
        ignore_case: false;
        /// A grammar of which any line is a part.
        pub enum Any {
            /// A value.
            Count(u32) = "count" => number("a count"),
            /// A value that must be right.
            Limit(u32) = "limit" => number("a limit"),
            /// All other lines.
            Other(String) => other_line(|first| first == "limit"),
        }
    }

    parse_lines!(Sample Any);

    #[test]
    fn parser_and_printer_are_inverses() {
        for (line, value) in [
            ("stop", Sample::Stop),
            ("count 7", Sample::Count(7)),
            ("size 7 8", Sample::Size { width: 7, height: 8 }),
            ("note", Sample::Note(String::new())),
            ("note to all", Sample::Note("to all".to_owned())),
            ("pen", Sample::Tool(Tool::Pen)),
            ("ink of gall", Sample::Tool(Tool::Ink("of gall".to_owned()))),
            ("!", Sample::Mark("!".to_owned())),
        ] {
            assert_eq!(value.to_string(), line);
            assert_eq!(Sample::parse(line), Ok(value));
        }
        assert_eq!(Sample::parse(" Halt\r"), Ok(Sample::Stop));
        assert_eq!(Sample::Note("a\nb\n".to_owned()).to_string(), "note a b ");
        let keywords = ["stop", "HALT", "count", "size", "note", "pen", "ink"];
        assert_eq!(Sample::GRAMMAR.keywords().collect::<Vec<_>>(), keywords);
    }

    #[test]
    fn errors_name_the_keyword_or_the_rule() {
        for (line, message) in [
            ("", "empty line, expected a command"),
            ("coun 7", "unknown command `coun`, did you mean `count`?"),
            ("count", "malformed `count`: expected a count, found the end of the line"),
            ("size 7 x", "malformed `size`: expected a height, found `x`"),
            ("STOP now", "malformed `stop`: expected the end of the line, found `now`"),
            ("pen pal", "malformed `pen`: expected the end of the line, found `pal`"),
            ("! now", "malformed `mark`: expected the end of the line, found `now`"),
        ] {
            let error = Sample::parse(line).map_err(|error| error.to_string());
            assert_eq!(error, Err(message.to_owned()));
        }
    }

    #[test]
    fn a_rule_for_any_line_accepts_what_other_rules_refuse() {
        assert_eq!(Any::parse("count 7"), Ok(Any::Count(7)));
        for line in ["", "count", "count x", "counts 7", "COUNT 7"] {
            assert_eq!(Any::parse(line), Ok(Any::Other(line.to_owned())));
        }
        let message = "malformed `limit`: expected a limit, found `x`";
        assert_eq!(Any::parse("limit x").map_err(|error| error.to_string()), Err(message.into()));
    }
}
