//! What the colors of a game are called.

use crate::game::Color;

/// Which stones the first player has; the core only knows colors by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Palette {
    /// White begins, as in Pente; a third and a fourth color are Red and Green.
    WhiteFirst,
    /// Black begins, as in Gomoku and Ninuki.
    BlackFirst,
}

impl Palette {
    /// The names of the two colors of a game for two, in the order of play.
    pub const fn names(self) -> &'static [&'static str] {
        self.all_names().split_at(2).0
    }

    /// The names of the colors in the order of play.
    pub const fn all_names(self) -> &'static [&'static str] {
        match self {
            Palette::WhiteFirst => &["White", "Black", "Red", "Green"],
            Palette::BlackFirst => &["Black", "White", "Red", "Green"],
        }
    }

    /// The name of what lies on a cell: a color's stone, or a stone of no color.
    pub fn name(self, color: Color) -> &'static str {
        match color {
            Color::NEUTRAL => "Neutral",
            Color::POWER => "Power",
            color => self.all_names().get(color.index()).unwrap_or(&"?"),
        }
    }

    /// The letter of a color, or of a stone of no color, in position texts and pictures.
    pub fn letter(self, color: Color) -> char {
        self.name(color).chars().next().unwrap_or('?').to_ascii_lowercase()
    }

    /// The letters of the colors in a game of that many, in the order of play.
    pub fn letters(self, colors: u8) -> Vec<char> {
        (0..colors).map(|color| self.letter(Color(color))).collect()
    }

    /// The color of that letter in a game for two.
    pub fn color(self, letter: char) -> Option<Color> {
        self.stone(letter).filter(|color| color.index() < self.names().len())
    }

    /// The color, or the stone of no color, of that letter.
    pub fn stone(self, letter: char) -> Option<Color> {
        let known = (0..self.all_names().len() as u8).map(Color);
        let mut known = known.chain([Color::NEUTRAL, Color::POWER]);
        known.find(|&color| self.letter(color) == letter.to_ascii_lowercase())
    }
}
