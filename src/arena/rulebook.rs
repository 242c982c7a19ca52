//! What is played, and who knows its rules.

use pentarch_core::rules::{Ruleset, VariantSpecError};
use std::path::Path;
use std::str::FromStr;
use std::{fmt, fs};

/// A game, refereed by our own rules or by the engines themselves.
#[derive(Clone, Debug, PartialEq)]
pub enum Rulebook {
    /// Our rules decide.
    Ours(Ruleset),
    /// What both engines say holds.
    Engines(ForeignGame),
}

/// A game of two players whose rules only the engines know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignGame {
    /// What the engines call it.
    pub name: String,
    /// Where games begin, in turn; none is at the start.
    pub openings: Vec<ForeignOpening>,
}

/// Where a game begins whose rules only the engines know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignOpening {
    /// The position text, unless it is the start of the game.
    pub position: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
}

/// A text that cannot be the name of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the name of a game, up to 100 letters in a line, found `{0}`")]
pub struct NoName(String);

/// Why a file of openings of a foreign game cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ForeignOpeningsError {
    /// It cannot be read.
    #[error("cannot read the openings {0}: {1}")]
    Read(String, #[source] std::io::Error),
    /// Nothing is in it.
    #[error("no opening in {0}; expected moves in a line, or `position TEXT [moves ...]`")]
    Empty(String),
}

impl Rulebook {
    /// The number of seats.
    pub fn seats(&self) -> u8 {
        self.ours().map_or(2, |rules| rules.seating().seats)
    }

    /// The number of sides.
    pub fn sides(&self) -> u8 {
        self.ours().map_or(2, |rules| rules.seating().sides())
    }

    /// Whether seats win together.
    pub fn has_teams(&self) -> bool {
        self.ours().is_some_and(|rules| rules.seating().teams)
    }

    /// Our rules, if they decide.
    pub fn ours(&self) -> Option<&Ruleset> {
        match self {
            Rulebook::Ours(rules) => Some(rules),
            Rulebook::Engines(_) => None,
        }
    }
}

impl ForeignGame {
    /// A game of that name that begins at its start.
    pub fn new(name: &str) -> Result<ForeignGame, NoName> {
        let name = name.trim();
        let fits = !name.is_empty() && name.len() <= 100 && !name.chars().any(char::is_control);
        if !fits {
            return Err(NoName(crate::error::shorten(name)));
        }
        Ok(ForeignGame { name: name.to_owned(), openings: Vec::new() })
    }

    /// With the openings of a file, one a line: moves between blanks, or `position TEXT [moves ...]`. Empty
    /// lines and those that begin with `#` do not count.
    pub fn read_openings(self, path: &Path) -> Result<ForeignGame, ForeignOpeningsError> {
        let name = path.display().to_string();
        let text = fs::read_to_string(path)
            .map_err(|error| ForeignOpeningsError::Read(name.clone(), error))?;
        let lines = text.lines().map(str::trim);
        let openings: Vec<ForeignOpening> = lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(ForeignOpening::of_line)
            .collect();
        if openings.is_empty() {
            return Err(ForeignOpeningsError::Empty(name));
        }
        Ok(ForeignGame { openings, ..self })
    }

    /// Where games begin, in a few words.
    pub(crate) fn described_openings(&self) -> String {
        match self.openings.len() {
            0 => "no opening".to_owned(),
            count => format!("{count} openings"),
        }
    }

    /// The opening of that number, from 0.
    pub fn opening(&self, number: u32) -> ForeignOpening {
        let count = self.openings.len().max(1);
        self.openings.get(number as usize % count).cloned().unwrap_or_default()
    }
}

impl ForeignOpening {
    fn of_line(line: &str) -> ForeignOpening {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let Some(rest) = line.strip_prefix("position ") else {
            return ForeignOpening { position: None, moves: words(line) };
        };
        let (position, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
        ForeignOpening { position: Some(position.trim().to_owned()), moves: words(moves) }
    }
}

impl From<Ruleset> for Rulebook {
    fn from(rules: Ruleset) -> Rulebook {
        Rulebook::Ours(rules)
    }
}

/// A game that our rules decide.
impl FromStr for Rulebook {
    type Err = VariantSpecError;

    fn from_str(text: &str) -> Result<Rulebook, VariantSpecError> {
        text.parse().map(Rulebook::Ours)
    }
}

impl fmt::Display for Rulebook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rulebook::Ours(rules) => rules.fmt(f),
            Rulebook::Engines(game) => f.write_str(&game.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_of_a_foreign_game() {
        let read = |line: &str| ForeignOpening::of_line(line);
        let opening = |position: Option<&str>, moves: &[&str]| ForeignOpening {
            position: position.map(str::to_owned),
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
        };
        assert_eq!(read("e2e4 e7e5"), opening(None, &["e2e4", "e7e5"]));
        assert_eq!(read("position 3/3/3 x"), opening(Some("3/3/3 x"), &[]));
        assert_eq!(read("position 3/3/3 x moves a1  b2"), opening(Some("3/3/3 x"), &["a1", "b2"]));
        for name in ["", "  ", "a\nb", &"x".repeat(101)] {
            assert!(ForeignGame::new(name).is_err(), "{name}");
        }
        let mut game = ForeignGame::new(" nim ").unwrap();
        assert_eq!((game.name.as_str(), game.opening(7)), ("nim", ForeignOpening::default()));
        game.openings = vec![read("1"), read("2")];
        assert_eq!(game.opening(3).moves, ["2"]);
    }
}
