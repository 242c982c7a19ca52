//! Text in pieces of one style each: the same lines are written with colors and without.

use anstyle::{Ansi256Color, Style};
use std::fmt::Write as _;

/// What a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Letters of ASCII, no colors.
    Plain,
    /// Lines and discs in 256 colors.
    Colored,
}

/// A line of text.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans(Vec<(Style, String)>);

impl Spans {
    pub(super) fn push(&mut self, style: Style, text: impl Into<String>) {
        self.0.push((style, text.into()));
    }

    /// Writes the line, without blanks at its end that nobody sees.
    pub(super) fn write(&self, look: Look, out: &mut String) {
        if look == Look::Plain {
            let text: String = self.0.iter().map(|(_, text)| text.as_str()).collect();
            let _ = writeln!(out, "{}", text.trim_end());
            return;
        }
        for (style, text) in &self.0 {
            let _ = write!(out, "{style}{text}{style:#}");
        }
        out.push('\n');
    }
}

/// A style of colors of the palette of 256.
pub(super) fn colors(ink: u8, ground: u8) -> Style {
    let color = |number| Some(Ansi256Color(number).into());
    Style::new().fg_color(color(ink)).bg_color(color(ground))
}

/// A style of an ink alone.
pub(super) fn ink(number: u8) -> Style {
    Style::new().fg_color(Some(Ansi256Color(number).into()))
}

// Numbers of the palette of 256 colors.
pub(super) const BLACK: u8 = 16;
pub(super) const WHITE: u8 = 231;
pub(super) const WOOD: u8 = 180;
pub(super) const GRAIN: u8 = 94;
pub(super) const RED: u8 = 130;
pub(super) const GREEN: u8 = 23;
pub(super) const GRAY: u8 = 243;
pub(super) const BLUE: u8 = 25;
pub(super) const SKY: u8 = 117;
pub(super) const GOLD: u8 = 136;
