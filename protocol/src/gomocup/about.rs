//! Who the brain is: `name="X", version="Y", ...`.

use std::fmt;

use nom::Parser;
use nom::bytes::complete::{tag, take_while1};
use nom::combinator::verify;
use nom::multi::separated_list1;
use nom::sequence::{delimited, preceded, separated_pair, terminated};

use super::point::comma;
use crate::grammar::{InQuotes, OneLine, Parsed, blanks, enclosed, end};

/// The answer to `ABOUT`: keys, among them `name`, `version`, `author`, `country`, `www` and
/// `email`, with their values, in the order given. There is at least one, and a key begins with a
/// letter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct About(pub Vec<(String, String)>);

impl About {
    /// `about = field , { "," , field } ;` to the end of the line.
    pub fn parse(line: &str) -> Option<Self> {
        let fields = separated_list1(comma, field);
        terminated(fields, end).parse(line).ok().map(|(_, fields)| Self(fields))
    }

    /// The value of a key, in either case.
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str())
    }
}

/// `field = key , "=" , '"' , text , '"' ;`
fn field(input: &str) -> Parsed<'_, (String, String)> {
    let word = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    let key = preceded(blanks, verify(word, |key: &str| key.starts_with(char::is_alphabetic)));
    let equals = delimited(blanks, tag("="), blanks);
    let value = enclosed("\"", "\"");
    separated_pair(key.map(str::to_owned), equals, value.map(str::to_owned)).parse(input)
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (key, value)) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            write!(f, "{}={}", OneLine(key), InQuotes(value))?;
        }
        Ok(())
    }
}
