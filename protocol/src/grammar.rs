//! The smallest elements of all dialects, and the error they share.
//!
//! Input has passed [`clean`](crate::frame::clean), so the only blank is the
//! space.

use std::borrow::Cow;
use std::fmt;

use nom::bytes::complete::{tag, take_until, take_while, take_while1};
use nom::combinator::verify;
use nom::error::{ErrorKind, ParseError};
use nom::multi::many0;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

/// How much of a wrong word an error message repeats, in characters.
const SHOWN: usize = 40;

/// What a parser returns: the rest of the line and a value.
pub(crate) type Parsed<'a, T> = IResult<&'a str, T, Mismatch<'a>>;

/// What a parser wanted and where it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mismatch<'a> {
    /// A noun phrase: what would have been right.
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
    /// The wrong word, shortened; empty at the end of the line.
    pub(crate) fn found(&self) -> String {
        shortened(self.at.trim_start().split(' ').next().unwrap_or_default())
    }

    /// The error that stops all parsing with the wrong word at the start of `at`.
    pub(crate) fn stop(expected: impl Into<Cow<'static, str>>, at: &'a str) -> nom::Err<Self> {
        nom::Err::Failure(Self { expected: expected.into(), at })
    }

    /// The mismatch inside nom's error.
    pub(crate) fn from_nom(error: nom::Err<Self>) -> Self {
        match error {
            nom::Err::Error(mismatch) | nom::Err::Failure(mismatch) => mismatch,
            nom::Err::Incomplete(_) => Self { expected: Cow::Borrowed("more"), at: "" },
        }
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

/// One certain word.
pub(crate) fn keyword<'a>(
    wanted: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Mismatch<'a>> {
    verify(word, move |w: &str| w == wanted)
}

/// What stands between two marks.
pub(crate) fn enclosed<'a>(
    open: &'static str,
    close: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Mismatch<'a>> {
    delimited(tag(open), take_until(close), tag(close))
}

/// The end of the line.
pub(crate) fn end(input: &str) -> Parsed<'_, ()> {
    let rest = input.trim_start_matches(' ');
    if rest.is_empty() { Ok(("", ())) } else { Err(Mismatch::stop("the end of the line", rest)) }
}

/// The same parser, but where it does not match, all parsing stops with this
/// expectation.
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

/// `natural = digit , { digit } ;` what is too large becomes the maximum.
pub(crate) fn natural(text: &str) -> Option<u64> {
    let digit = |c: char| c.to_digit(10).map(u64::from);
    let more = |sum: u64, c: char| Some(sum.saturating_mul(10).saturating_add(digit(c)?));
    if text.is_empty() { None } else { text.chars().try_fold(0, more) }
}

/// `natural` in 32 bits.
pub(crate) fn natural32(text: &str) -> Option<u32> {
    natural(text).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// `integer = [ "-" ] , natural ;` what is out of range becomes the end of the range.
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

/// The text, or its beginning and three dots.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// How an error message names what stood at the wrong place.
pub(crate) fn quoted(found: &str) -> String {
    if found.is_empty() { "the end of the line".to_owned() } else { format!("`{found}`") }
}

/// Prints a text such that nothing in it can end the line: control characters
/// become blanks.
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

/// Prints a text in quotes, in which it has none: they would end it.
pub(crate) struct InQuotes<'a>(pub(crate) &'a str);

impl fmt::Display for InQuotes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", OneLine(&self.0.replace('"', "'")))
    }
}

/// Prints each word with a blank before it.
pub(crate) struct Words<'a>(pub(crate) &'a [String]);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|word| write!(f, " {}", OneLine(word)))
    }
}

/// Prints a label and a text, without a blank at the end where the text is empty.
pub(crate) fn labeled(f: &mut fmt::Formatter<'_>, label: &str, text: &str) -> fmt::Result {
    f.write_str(label)?;
    if text.is_empty() { Ok(()) } else { write!(f, " {}", OneLine(text)) }
}

#[cfg(test)]
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
}
