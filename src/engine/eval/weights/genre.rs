//! Which weights suit which games.

use pentarch_core::game::Color;
use pentarch_core::rules::SquareRules;
use std::fmt;
use std::str::FromStr;

/// Games of stones on squares that have weights in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Genre {
    /// Those in which captures win.
    Captures,
    /// Those that only lines win.
    Lines,
    /// Those that only lines win, with moves that one color is forbidden.
    Renju,
    /// Those of two stones a turn.
    DoubleTurns,
    /// Those of more than two colors.
    Many,
}

impl Genre {
    /// Every genre.
    pub const ALL: [Genre; 5] =
        [Genre::Captures, Genre::Lines, Genre::Renju, Genre::DoubleTurns, Genre::Many];

    /// The genre of a game.
    pub fn of(rules: &SquareRules) -> Genre {
        match () {
            () if rules.seating().seats > 2 => Genre::Many,
            () if rules.seating().double_turns => Genre::DoubleTurns,
            () if rules.capture().is_some_and(|capture| capture.goal.is_some()) => Genre::Captures,
            () if rules.renju_restricts(Color(0)) => Genre::Renju,
            () => Genre::Lines,
        }
    }

    /// How many ways to look at a position there are: with forbidden moves each color has its own.
    pub const fn views(self) -> usize {
        match self {
            Genre::Renju => 2,
            _ => 1,
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Genre::Captures => "captures",
            Genre::Lines => "lines",
            Genre::Renju => "renju",
            Genre::DoubleTurns => "double-turns",
            Genre::Many => "many",
        }
    }
}

impl fmt::Display for Genre {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Genre {
    type Err = String;

    fn from_str(word: &str) -> Result<Genre, String> {
        let found = Genre::ALL.into_iter().find(|genre| genre.name() == word);
        found.ok_or_else(|| {
            let words = Genre::ALL.map(Genre::name).join("`, `");
            format!("expected one of `{words}`, found `{word}`")
        })
    }
}
