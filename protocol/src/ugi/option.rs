//! Options that an engine declares: `option name N type T ...`.

use std::fmt;

use nom::Parser;

use crate::grammar::{Mismatch, OneLine, Parsed, expect, integer, keyword, word, words_until};

/// An option with its kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OptionDecl {
    /// The name; it may contain blanks, but not the word `type`.
    pub name: String,
    /// What values the option takes.
    pub kind: OptionKind,
}

/// The values that an option takes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum OptionKind {
    /// `check`: true or false.
    Check {
        /// The value unless set.
        default: bool,
    },
    /// `spin`: a whole number in a range.
    Spin {
        /// The value unless set.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// `combo`: one of several words. Blanks are allowed, the words `default`
    /// and `var` are not.
    Combo {
        /// The value unless set.
        default: String,
        /// All values, in the order in which a client shows them.
        choices: Vec<String>,
    },
    /// `button`: no value, setting it does something.
    Button,
    /// `string`: any text.
    Text {
        /// The value unless set.
        default: String,
    },
}

/// `option = "name" , word , { word } , "type" , kind ;`
pub(super) fn option(input: &str) -> Parsed<'_, OptionDecl> {
    let (input, _) = expect("the word `name`", keyword("name")).parse(input)?;
    let (rest, name) = words_until(|word| word == "type").parse(input)?;
    if name.is_empty() {
        return Err(Mismatch::stop("the name of an option", input));
    }
    let (rest, _) = expect("the word `type`", keyword("type")).parse(rest)?;
    let (rest, kind) = kind(rest)?;
    Ok((rest, OptionDecl { name: name.join(" "), kind }))
}

/// `kind = "check" , attributes | "spin" , attributes | "combo" , attributes
///       | "button" | "string" , attributes ;`
fn kind(input: &str) -> Parsed<'_, OptionKind> {
    const KINDS: &str = "`check`, `spin`, `combo`, `button` or `string`";
    let (rest, name) = expect(KINDS, word).parse(input)?;
    if name == "button" {
        return Ok((rest, OptionKind::Button));
    }
    if name == "string" {
        return Ok(("", OptionKind::Text { default: text_default(rest) }));
    }
    let (end, attributes) = attributes(rest)?;
    let number = |key: &'static str| {
        let value = attributes.value(key).and_then(integer);
        value.ok_or_else(|| Mismatch::stop(format!("a number as `{key}`"), rest))
    };
    let kind = match name {
        "check" => OptionKind::Check { default: attributes.value("default") == Some("true") },
        "spin" => OptionKind::Spin {
            default: number("default")?,
            min: number("min")?,
            max: number("max")?,
        },
        "combo" => OptionKind::Combo {
            default: attributes.value("default").unwrap_or_default().to_owned(),
            choices: attributes.values("var").map(str::to_owned).collect(),
        },
        _ => return Err(Mismatch::stop(KINDS, input)),
    };
    Ok((end, kind))
}

/// `text-default = [ "default" , { word } ] ;` to the end of the line.
fn text_default(input: &str) -> String {
    let text = keyword("default").parse(input).map_or("", |(text, _)| text.trim_matches(' '));
    if text == EMPTY { String::new() } else { text.to_owned() }
}

/// `attributes = { ( "default" | "min" | "max" | "var" ) , { word } } ;`
///
/// A value ends at the next of these keywords.
fn attributes(input: &str) -> Parsed<'_, Attributes> {
    let keyword = |word: &str| matches!(word, "default" | "min" | "max" | "var");
    let mut pairs = Vec::new();
    let (mut rest, _) = words_until(keyword).parse(input)?;
    while let Ok((after, key)) = word(rest) {
        let (after, value) = words_until(keyword).parse(after)?;
        let value = value.join(" ");
        pairs.push((key.to_owned(), if value == EMPTY { String::new() } else { value }));
        rest = after;
    }
    Ok((rest, Attributes(pairs)))
}

/// How an empty value is written.
const EMPTY: &str = "<empty>";

/// The keywords and values after the type of an option.
struct Attributes(Vec<(String, String)>);

impl Attributes {
    /// All values of a keyword.
    fn values(&self, key: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// The first value of a keyword.
    fn value(&self, key: &str) -> Option<&str> {
        self.values(key).next()
    }
}

impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", OneLine(&self.name), self.kind)
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { default } => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Self::Combo { default, choices } => {
                write!(f, "combo default {}", text(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", text(choice)))
            }
            Self::Button => f.write_str("button"),
            Self::Text { default } => write!(f, "string default {}", text(default)),
        }
    }
}

/// A value as it is printed.
fn text(value: &str) -> OneLine<'_> {
    OneLine(if value.is_empty() { EMPTY } else { value })
}
