//! Text in pieces of one style each: the same lines are written with colors and without.

use anstyle::{Ansi256Color, Style};
use std::fmt::Write as _;

/// What a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Letters of ASCII, no colors.
    Plain,
    /// Lines and discs in 256 colors.
    Colored,
}

/// A line of text, perhaps with a cursor in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    pieces: Vec<(Style, String)>,
    /// The column where the cursor is, from 0.
    cursor: Option<usize>,
}

impl Spans {
    /// A line of one style.
    pub fn styled(style: Style, text: impl Into<String>) -> Spans {
        Spans { pieces: vec![(style, text.into())], cursor: None }
    }

    /// A line without style.
    pub fn plain(text: impl Into<String>) -> Spans {
        Spans::styled(Style::new(), text)
    }

    /// Adds a piece at the end.
    pub fn push(&mut self, style: Style, text: impl Into<String>) {
        self.pieces.push((style, text.into()));
    }

    /// The columns that it takes; every character takes one.
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// What is pushed next is under the cursor.
    pub(super) fn mark_cursor(&mut self) {
        self.cursor = Some(self.width());
    }

    /// The column where the cursor is, if it is in this line.
    pub fn cursor(&self) -> Option<usize> {
        self.cursor
    }

    /// Some columns of the line, those that it lacks as blanks.
    pub fn crop(&self, from: usize, width: usize) -> Spans {
        let mut cropped = Spans::default();
        let mut at = 0;
        for (style, text) in &self.pieces {
            let count = text.chars().count();
            let skipped = from.saturating_sub(at);
            let room = width - cropped.width();
            if skipped < count && room > 0 {
                cropped.push(*style, text.chars().skip(skipped).take(room).collect::<String>());
            }
            at += count;
        }
        cropped.push(Style::new(), " ".repeat(width - cropped.width()));
        cropped.cursor = self.cursor.and_then(|at| at.checked_sub(from)).filter(|&at| at < width);
        cropped
    }

    /// Adds another line at the end of this one.
    pub fn append(&mut self, other: Spans) {
        let width = self.width();
        self.cursor = self.cursor.or(other.cursor.map(|at| at + width));
        self.pieces.extend(other.pieces);
    }

    /// Writes the line, without blanks at its end that nobody sees.
    pub(super) fn write(&self, look: Look, out: &mut String) {
        match look {
            Look::Plain => {
                let text: String = self.pieces.iter().map(|(_, text)| text.as_str()).collect();
                let _ = writeln!(out, "{}", text.trim_end());
            }
            Look::Colored => {
                let _ = writeln!(out, "{}", self.text(look));
            }
        }
    }

    /// The line without a line break.
    pub fn text(&self, look: Look) -> String {
        let mut out = String::new();
        for (style, text) in &self.pieces {
            let _ = match look {
                Look::Plain => write!(out, "{text}"),
                Look::Colored => write!(out, "{style}{text}{style:#}"),
            };
        }
        out
    }
}

/// A style of colors of the palette of 256.
pub(super) fn colors(ink: u8, ground: u8) -> Style {
    let color = |number| Some(Ansi256Color(number).into());
    Style::new().fg_color(color(ink)).bg_color(color(ground))
}

/// A style of an ink alone.
pub fn ink(number: u8) -> Style {
    Style::new().fg_color(Some(Ansi256Color(number).into()))
}

// Numbers of the palette of 256 colors.
pub(super) const BLACK: u8 = 16;
pub(super) const WHITE: u8 = 231;
pub(super) const WOOD: u8 = 180;
pub(super) const GRAIN: u8 = 94;
pub(super) const RED: u8 = 130;
pub(super) const GREEN: u8 = 23;
pub const GRAY: u8 = 243;
pub(super) const BLUE: u8 = 25;
pub(super) const SKY: u8 = 117;
pub(super) const GOLD: u8 = 136;
/// Read on black and on white.
pub const AZURE: u8 = 32;
pub(super) const PINK: u8 = 217;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line_keep_styles_and_the_cursor() {
        let mut line = Spans::plain("abc");
        line.mark_cursor();
        line.push(ink(RED), "def");
        assert_eq!((line.width(), line.cursor()), (6, Some(3)));
        let part = line.crop(2, 3);
        assert_eq!((part.text(Look::Plain).as_str(), part.cursor()), ("cde", Some(1)));
        assert_eq!(line.crop(4, 5).text(Look::Plain), "ef   ");
        assert_eq!(line.crop(4, 5).cursor(), None);
        let mut joined = Spans::plain("x");
        joined.append(part);
        assert_eq!((joined.text(Look::Plain).as_str(), joined.cursor()), ("xcde", Some(2)));
        assert!(joined.text(Look::Colored).contains("\u{1b}[38;5;130mde\u{1b}[0m"));
    }
}
