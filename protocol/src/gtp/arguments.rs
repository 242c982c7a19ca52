//! The words after the name of a command, taken one by one.

use std::str::FromStr;

use super::{Color, SyntaxError};

/// What is left of a request's words.
pub(super) struct Arguments<'a>(std::slice::Iter<'a, String>);

impl<'a> Arguments<'a> {
    pub(super) fn new(words: &'a [String]) -> Self {
        Self(words.iter())
    }

    /// Any word; `expected` says what it should have been where there is none.
    pub(super) fn word(&mut self, expected: &str) -> Result<&'a str, SyntaxError> {
        self.next().ok_or_else(|| SyntaxError::expected(expected, ""))
    }

    /// A number that fits its type; a plus sign is not part of the grammar.
    pub(super) fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, SyntaxError> {
        let word = self.word(expected)?;
        let number = word.parse().ok().filter(|_| !word.starts_with('+'));
        number.ok_or_else(|| SyntaxError::expected(expected, word))
    }

    /// A color.
    pub(super) fn color(&mut self) -> Result<Color, SyntaxError> {
        Color::parse(self.word("a color, `b` or `w`")?)
    }

    /// All words that are left, at least one, with a blank between them.
    pub(super) fn text(&mut self, expected: &str) -> Result<String, SyntaxError> {
        let first = self.word(expected)?.to_owned();
        Ok(self.fold(first, |text, word| text + " " + word))
    }

    /// The next word, which stays where it is.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.0.as_slice().first().map(String::as_str)
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.0.as_slice().is_empty()
    }

    /// Fails unless nothing is left.
    pub(super) fn end(&self) -> Result<(), SyntaxError> {
        match self.0.as_slice().first() {
            Some(word) => Err(SyntaxError::expected("the end of the line", word)),
            None => Ok(()),
        }
    }
}

impl<'a> Iterator for Arguments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.0.next().map(String::as_str)
    }
}
