//! A game's rules as plain data.

use super::{Capture, LineRule, Modifier, Opening, Spec, SpecError, Tiles};
use crate::board::Grid;
use crate::game::{Color, Seat, Side};
use std::fmt;
use std::str::FromStr;

/// The games that modifiers are applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// Pairs and fives on 19x19 (S1, S3, PO).
    Pente,
    /// Pairs and fives on 13x13 (S5).
    Ninuki,
    /// Five or more in a row on 15x15.
    Gomoku,
    /// Exactly five in a row on 15x15.
    GomokuStandard,
    /// Pentominoes in layers (S2).
    PentUp,
    /// Pent-Up counted from the lowest level (S2).
    PentUpMisere,
}

/// Which stones the first player has; the core only knows colours by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Palette {
    /// White begins, as in Pente.
    WhiteFirst,
    /// Black begins, as in Gomoku and Ninuki.
    BlackFirst,
}

/// Who sits at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seating {
    /// The number of seats, which is the number of colours.
    pub seats: u8,
}

/// The rules of a game: a record of components, made only from a [`Spec`], so that every value
/// is a game that makes sense.
///
/// ```
/// use pentarch::rules::Ruleset;
/// let rules: Ruleset = "Pente + Keryo + Pro".parse().unwrap();
/// assert_eq!(rules.to_string(), "pro-pente+keryo");
/// assert_eq!(rules.capture().unwrap().goal, Some(15));
/// let error = "gomoku+keryo".parse::<Ruleset>().unwrap_err();
/// assert_eq!(error.to_string(), "`keryo` makes no sense in `gomoku`, a game without captures");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    spec: Spec,
    grid: Grid,
    palette: Palette,
    seating: Seating,
    opening: Opening,
    line: LineRule,
    capture: Option<Capture>,
    max_plies: u32,
    tiles: Option<Tiles>,
}

/// The length at which any game is a draw, unless `max-plies` says otherwise (LUD).
const MAX_PLIES: u32 = 2500;

impl Base {
    /// Every base game.
    pub const ALL: [Base; 6] = [
        Base::Pente,
        Base::Ninuki,
        Base::Gomoku,
        Base::GomokuStandard,
        Base::PentUp,
        Base::PentUpMisere,
    ];

    /// The name of the base game in a [`Spec`].
    pub const fn name(self) -> &'static str {
        match self {
            Base::Pente => "pente",
            Base::Ninuki => "ninuki",
            Base::Gomoku => "gomoku",
            Base::GomokuStandard => "gomoku-standard",
            Base::PentUp => "pent-up",
            Base::PentUpMisere => "pent-up-misere",
        }
    }

    /// The rules without any modifier.
    fn rules(self) -> Ruleset {
        let pairs = Some(Capture { threes: false, goal: Some(10) });
        let pente = Ruleset {
            spec: Spec::base(self),
            grid: Grid::square(19),
            palette: Palette::WhiteFirst,
            seating: Seating { seats: 2 },
            opening: Opening::CENTRE,
            line: LineRule::new(5, false),
            capture: pairs,
            max_plies: MAX_PLIES,
            tiles: None,
        };
        let gomoku = Ruleset {
            grid: Grid::square(15),
            palette: Palette::BlackFirst,
            opening: Opening::FREE,
            capture: None,
            ..pente.clone()
        };
        let tiles = |misere| Ruleset {
            opening: Opening::FREE,
            capture: None,
            tiles: Some(Tiles { misere }),
            ..pente.clone()
        };
        match self {
            Base::PentUp => tiles(false),
            Base::PentUpMisere => tiles(true),
            Base::Pente => pente,
            Base::Ninuki => Ruleset {
                grid: Grid::square(13),
                palette: Palette::BlackFirst,
                opening: Opening::NINUKI,
                ..pente
            },
            Base::Gomoku => gomoku,
            Base::GomokuStandard => Ruleset { line: LineRule::new(5, true), ..gomoku },
        }
    }
}

impl Palette {
    /// The names of the colours in the order of play.
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Palette::WhiteFirst => &["White", "Black"],
            Palette::BlackFirst => &["Black", "White"],
        }
    }

    /// The letter of a colour in position texts and pictures.
    pub fn letter(self, color: Color) -> char {
        let name = self.names().get(color.index()).unwrap_or(&"?");
        name.chars().next().unwrap_or('?').to_ascii_lowercase()
    }

    /// The colour of that letter.
    pub fn color(self, letter: char) -> Option<Color> {
        let colors = (0..self.names().len() as u8).map(Color);
        colors.into_iter().find(|&color| self.letter(color) == letter.to_ascii_lowercase())
    }
}

impl Seating {
    /// The side that a seat belongs to.
    pub const fn side_of(self, seat: Seat) -> Side {
        Side(seat.0)
    }

    /// The seat that plays after `seat`.
    #[inline]
    pub const fn next(self, seat: Seat) -> Seat {
        if seat.0 + 1 == self.seats { Seat(0) } else { Seat(seat.0 + 1) }
    }
}

impl Ruleset {
    /// The rules that a spec describes, or what is wrong with the combination.
    pub fn new(spec: Spec) -> Result<Ruleset, SpecError> {
        let mut rules = spec.base_game().rules();
        for &modifier in spec.modifiers() {
            rules.apply(modifier, &spec)?;
        }
        for &modifier in spec.modifiers() {
            if rules.grid.shorter_side() < modifier.least_size() {
                let size = Modifier::Size(rules.grid);
                return Err(SpecError::Clash(modifier.to_string(), size.to_string()));
            }
        }
        let longest = rules.grid.columns().max(rules.grid.rows());
        if rules.line.length() > longest {
            let line = match rules.capture {
                Some(_) => Modifier::Goal(rules.line.length()),
                None => Modifier::Line(rules.line.length()),
            };
            let size = Modifier::Size(rules.grid);
            return Err(SpecError::Clash(line.to_string(), size.to_string()));
        }
        rules.spec = spec;
        Ok(rules)
    }

    fn apply(&mut self, modifier: Modifier, spec: &Spec) -> Result<(), SpecError> {
        let refuse = |why| Err(SpecError::not_for(modifier, spec, why));
        if self.tiles.is_some() {
            return refuse(", a game of tiles: a table without edges, 24 tiles to place");
        }
        match modifier {
            Modifier::Free => self.opening = Opening::FREE,
            Modifier::Pro => self.opening = Opening::PRO,
            Modifier::LongPro => self.opening = Opening::LONG_PRO,
            Modifier::G => self.opening = Opening::G,
            Modifier::Keryo | Modifier::FiveOnly | Modifier::Goal(_) if self.capture.is_none() => {
                let hint = ", a game without captures";
                let line = ", a game without captures; `line=K` sets the length";
                return refuse(if let Modifier::Goal(_) = modifier { line } else { hint });
            }
            Modifier::Keryo => {
                self.capture = Some(Capture { threes: true, goal: Some(15) });
            }
            Modifier::FiveOnly => {
                self.capture = self.capture.map(|capture| Capture { goal: None, ..capture });
                if self.opening == Opening::CENTRE
                    && !spec.modifiers().iter().any(|m| m.is_opening())
                {
                    self.opening = Opening::FREE;
                }
            }
            Modifier::Goal(length) => {
                self.line = self.line.with_length(length);
                let scale = |capture: Capture| {
                    let group = if capture.threes { 3 } else { 2 };
                    let goal = capture.goal.map(|_| group * u16::from(length));
                    Capture { goal, ..capture }
                };
                self.capture = self.capture.map(scale);
            }
            Modifier::Line(_) if self.capture.is_some() => {
                return refuse(", a game with captures; `goal=N` sets both goals");
            }
            Modifier::Line(length) => self.line = self.line.with_length(length),
            Modifier::Size(grid) => {
                let small = grid.shorter_side() < 5 || grid.columns() != grid.rows();
                if small && self.capture.is_some() {
                    return refuse(", which is played on squares of 5 to 25");
                }
                self.grid = grid;
            }
            Modifier::MaxPlies(plies) => self.max_plies = plies,
        }
        Ok(())
    }

    /// The rules changed by one more word, such as `size=13`.
    pub fn with(&self, word: &str) -> Result<Ruleset, SpecError> {
        self.spec.with(word).and_then(Ruleset::new)
    }

    /// Whether the two rulesets are the same game, however they are written.
    pub(super) fn plays_like(&self, other: &Ruleset) -> bool {
        Ruleset { spec: other.spec.clone(), ..self.clone() } == *other
    }

    /// The canonical text form of the rules.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// How tiles are counted in a game of tiles. Such a game has no board, no lines and no
    /// captures: grid, opening, line and ply cap are then those of a game that is not played.
    pub fn tiles(&self) -> Option<Tiles> {
        self.tiles
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The colours' names.
    pub fn palette(&self) -> Palette {
        self.palette
    }

    /// Who sits at the board.
    pub fn seating(&self) -> Seating {
        self.seating
    }

    /// Limits on the first stones.
    pub fn opening(&self) -> Opening {
        self.opening
    }

    /// Which runs win.
    pub fn line(&self) -> LineRule {
        self.line
    }

    /// What is captured, if anything.
    pub fn capture(&self) -> Option<Capture> {
        self.capture
    }

    /// The number of plies at which the game is a draw.
    pub fn max_plies(&self) -> u32 {
        self.max_plies
    }
}

impl FromStr for Ruleset {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Ruleset, SpecError> {
        text.parse::<Spec>().and_then(Ruleset::new)
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
}
