//! Graphics on the board of `GoGui`, and the entries of its analyze menu.

use std::borrow::Cow;
use std::fmt;

use super::{Color, Vertex};
use crate::input::clean;

/// One line of graphics.
///
/// ```
/// use pentarch_protocol::gtp::{Graphics, Vertex};
///
/// let line: Graphics = "LABEL K10 swap L9 keep".parse().unwrap();
/// assert_eq!(line.to_string(), "LABEL K10 swap L9 keep");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Graphics {
    /// Marks on points.
    Points(Mark, Vec<Vertex>),
    /// The background of points, by name or as `#rrggbb`.
    Color(String, Vec<Vertex>),
    /// A text on each point. `GoGui` cuts it at the edges of the point, and shows all of it under the
    /// mouse if it has more than three letters. An empty text removes a label.
    Label(Vec<(Vertex, String)>),
    /// A number from -1, white, to 1, black, on each point.
    Influence(Vec<(Vertex, f64)>),
    /// A variation, with move numbers.
    Variation(Vec<(Color, String)>),
    /// A text for the status bar.
    Text(String),
    /// Removes all graphics.
    Clear,
}

impl Graphics {
    /// Returns whether the line draws nothing.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Points(_, points) | Self::Color(_, points) => points.is_empty(),
            Self::Label(labels) => labels.is_empty(),
            Self::Influence(values) => values.is_empty(),
            Self::Variation(moves) => moves.is_empty(),
            Self::Text(text) => text.is_empty(),
            Self::Clear => false,
        }
    }
}

/// A mark on a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A small black stone.
    Black,
    /// A small white stone.
    White,
    /// A circle.
    Circle,
    /// A cross.
    Cross,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
}

impl Mark {
    const WORDS: [(&'static str, Mark); 6] = [
        ("BLACK", Mark::Black),
        ("WHITE", Mark::White),
        ("CIRCLE", Mark::Circle),
        ("MARK", Mark::Cross),
        ("SQUARE", Mark::Square),
        ("TRIANGLE", Mark::Triangle),
    ];
}

/// The text is not a line of graphics.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a line of graphics, found `{0}`")]
pub struct GraphicsError(String);

/// ```text
/// graphics  = mark , { vertex } | "COLOR" , word , { vertex } | "LABEL" , { vertex , label }
///           | "INFLUENCE" , { vertex , number } | "VAR" , { color , word } | "TEXT" , text | "CLEAR" ;
/// mark      = "BLACK" | "WHITE" | "CIRCLE" | "MARK" | "SQUARE" | "TRIANGLE" ;
/// label     = word | '"' , { character - '"' } , '"' ;
/// ```
impl std::str::FromStr for Graphics {
    type Err = GraphicsError;

    fn from_str(line: &str) -> Result<Self, GraphicsError> {
        let line = clean(line);
        let error = || GraphicsError(line.chars().take(40).collect());
        let (name, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let graphics = match name {
            "COLOR" => {
                let (color, points) = words.split_first().ok_or_else(error)?;
                vertices(points).map(|points| Self::Color((*color).to_owned(), points))
            }
            "LABEL" => {
                pairs(&arguments(rest), vertex, |word| Some(word.to_owned())).map(Self::Label)
            }
            "INFLUENCE" => pairs(&words, vertex, finite).map(Self::Influence),
            "VAR" => {
                let color = |word: &str| Color::parse(word).ok();
                pairs(&words, color, |word| Some(word.to_owned())).map(Self::Variation)
            }
            "TEXT" => Some(Self::Text(rest.split_whitespace().collect::<Vec<_>>().join(" "))),
            "CLEAR" if words.is_empty() => Some(Self::Clear),
            _ => {
                let known = Mark::WORDS.iter().find(|(word, _)| *word == name);
                let (_, mark) = known.ok_or_else(error)?;
                vertices(&words).map(|points| Self::Points(*mark, points))
            }
        };
        graphics.ok_or_else(error)
    }
}

/// Splits a line into words. A text in quotation marks is one word and may be empty.
fn arguments(line: &str) -> Vec<&str> {
    // Every other piece is between two marks.
    let pieces = line.split('"').enumerate();
    pieces
        .flat_map(|(number, piece)| match number % 2 {
            0 => piece.split_whitespace().collect(),
            _ => vec![piece],
        })
        .collect()
}

/// Returns a label as one word, in quotation marks if it has blanks or is empty. Quotation marks inside
/// become apostrophes.
fn quoted(label: &str) -> Cow<'_, str> {
    if label.is_empty() || label.contains(|c: char| c.is_whitespace() || c == '"') {
        Cow::Owned(format!("\"{}\"", label.replace('"', "'")))
    } else {
        Cow::Borrowed(label)
    }
}

fn vertex(word: &str) -> Option<Vertex> {
    Vertex::parse(word).ok()
}

fn vertices(words: &[&str]) -> Option<Vec<Vertex>> {
    words.iter().map(|word| vertex(word)).collect()
}

fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.is_finite())
}

fn pairs<A, B>(
    words: &[&str],
    first: impl Fn(&str) -> Option<A>,
    second: impl Fn(&str) -> Option<B>,
) -> Option<Vec<(A, B)>> {
    let chunks = words.chunks(2).map(|chunk| match chunk {
        [a, b] => Some((first(a)?, second(b)?)),
        _ => None,
    });
    chunks.collect()
}

impl fmt::Display for Graphics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(mark, points) => {
                let known = Mark::WORDS.iter().find(|(_, known)| known == mark);
                f.write_str(known.map_or("MARK", |(word, _)| word))?;
                points.iter().try_for_each(|point| write!(f, " {point}"))
            }
            Self::Color(color, points) => {
                write!(f, "COLOR {color}")?;
                points.iter().try_for_each(|point| write!(f, " {point}"))
            }
            Self::Label(labels) => {
                f.write_str("LABEL")?;
                labels.iter().try_for_each(|(point, text)| write!(f, " {point} {}", quoted(text)))
            }
            Self::Influence(values) => {
                f.write_str("INFLUENCE")?;
                values.iter().try_for_each(|(point, value)| write!(f, " {point} {value}"))
            }
            Self::Variation(moves) => {
                f.write_str("VAR")?;
                moves.iter().try_for_each(|(color, mv)| write!(f, " {} {mv}", color.lowercase()))
            }
            Self::Text(text) => write!(f, "TEXT {text}"),
            Self::Clear => f.write_str("CLEAR"),
        }
    }
}

/// An entry of the analyze menu.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MenuEntry {
    /// The type of the answer: `gfx`, `string`, `plist`, `none` and others.
    pub kind: String,
    /// The text in the menu, without `/`.
    pub label: String,
    /// The command; it may have placeholders such as `%c` and `%p`.
    pub command: String,
}

impl MenuEntry {
    /// `entry = kind , "/" , label , "/" , command ;`
    pub fn parse(line: &str) -> Option<Self> {
        let line = clean(line);
        let mut parts = line.trim().splitn(3, '/').map(|part| part.trim().to_owned());
        let (kind, label, command) = (parts.next()?, parts.next()?, parts.next()?);
        (!command.is_empty()).then_some(Self { kind, label, command })
    }
}

impl fmt::Display for MenuEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind, self.label, self.command)
    }
}
