//! A game's rules as plain data.

use super::{
    Boat, Capture, Forbidden, Hexes, LineRule, Modifier, Opening, Spec, SpecError, SpecialStones,
    Stage, Swap, Tiles,
};
use crate::board::Grid;
use crate::game::{Color, Seat, Side};
use std::fmt;
use std::str::FromStr;

/// Which stones the first player has; the core only knows colors by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Palette {
    /// White begins, as in Pente; a third and a fourth color are Red and Green.
    WhiteFirst,
    /// Black begins, as in Gomoku and Ninuki.
    BlackFirst,
}

/// Who sits at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seating {
    /// The number of seats, which is the number of colors.
    pub seats: u8,
    /// Whether the first and the third seat are one side, the second and the fourth the other.
    pub teams: bool,
    /// Whether each turn but the first has two stones.
    pub double_turns: bool,
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
    pub(super) spec: Spec,
    pub(super) grid: Grid,
    pub(super) palette: Palette,
    pub(super) seating: Seating,
    pub(super) opening: Opening,
    pub(super) swap: Option<Swap>,
    pub(super) line: LineRule,
    pub(super) capture: Option<Capture>,
    pub(super) forbidden: Option<Forbidden>,
    pub(super) boat: Option<Boat>,
    pub(super) perfect_fives: bool,
    pub(super) stones: SpecialStones,
    pub(super) max_plies: u32,
    pub(super) tiles: Option<Tiles>,
    pub(super) hexes: Option<Hexes>,
    /// Whether the short pipeline is enough, and whether it is once a swap opening is over; follows
    /// from the rest.
    pub(super) plain: bool,
    pub(super) plays_plainly: bool,
    /// What the opening says of this many seats, asked at every ply.
    pub(super) limited_stones: u32,
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

impl Seating {
    /// The side that a seat belongs to.
    #[inline]
    pub const fn side_of(self, seat: Seat) -> Side {
        if self.teams { Side(seat.0 & 1) } else { Side(seat.0) }
    }

    /// The number of sides.
    pub const fn sides(self) -> u8 {
        if self.teams { 2 } else { self.seats }
    }

    /// The color of a stone, by the number of stones placed before it.
    #[inline]
    pub const fn color(self, stones: u32) -> Color {
        let turn = if self.double_turns { stones.div_ceil(2) } else { stones };
        Color((turn % self.seats as u32) as u8)
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
        super::combine::check_pairs(&spec)?;
        let mut rules = spec.base_game().rules();
        for &modifier in spec.modifiers() {
            rules.apply(modifier, &spec)?;
        }
        rules.check_size(&spec)?;
        if let Some(hexes) = rules.hexes {
            hexes.check()?;
        }
        rules.plays_plainly = rules.is_as_plain_as_pente();
        rules.plain = rules.plays_plainly && rules.swap.is_none();
        rules.limited_stones = rules.opening.limited_stones(rules.seating.seats);
        rules.spec = spec;
        Ok(rules)
    }

    /// Refuses boards that are too small for the opening, the line or the diamonds.
    fn check_size(&self, spec: &Spec) -> Result<(), SpecError> {
        let size = || Modifier::Size(self.grid).to_string();
        for &modifier in spec.modifiers() {
            if self.grid.shorter_side() < modifier.least_size() {
                return Err(SpecError::Clash(modifier.to_string(), size()));
            }
        }
        let length = self.line.length();
        if length > self.grid.columns().max(self.grid.rows()) {
            let line = match self.capture {
                Some(_) => Modifier::Goal(length),
                None => Modifier::Line(length),
            };
            return Err(SpecError::Clash(line.to_string(), size()));
        }
        match self.stones.power {
            Some((_, diamonds)) if !diamonds.fit(self.grid) => {
                Err(SpecError::Clash(Modifier::Diamonds(diamonds).to_string(), size()))
            }
            _ => Ok(()),
        }
    }

    /// Whether a move is nothing but placing a stone, captures and the look for a line.
    fn is_as_plain_as_pente(&self) -> bool {
        let marked = self.capture.is_some_and(|capture| capture.signs || capture.poof);
        let special = self.stones != SpecialStones::default();
        let judged = self.forbidden.is_some() || self.boat.is_some() || self.perfect_fives;
        let turns = self.seating.seats > 2 || self.seating.double_turns;
        !marked && !special && !judged && !turns && !self.line.is_caro()
    }

    /// Applies a word to a game on hexagons, or says what is in its way.
    pub(super) fn apply_to_hexes(
        &mut self,
        modifier: Modifier,
        hexes: Hexes,
    ) -> Result<(), &'static str> {
        if let Modifier::MaxPlies(plies) = modifier {
            self.max_plies = plies;
            return Ok(());
        }
        let hexes = hexes.with(modifier, self.seating.seats)?;
        self.line = self.line.with_length(hexes.line);
        self.hexes = Some(hexes);
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

    /// Whether a move is nothing but placing a stone, captures and the look for a line, so that the
    /// short pipeline plays it.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// [`Ruleset::is_plain`], once a swap opening is over.
    #[inline]
    pub fn plays_plainly(&self) -> bool {
        self.plays_plainly
    }

    /// The stones, counted from 0, that the opening may limit all lie before this number.
    #[inline]
    pub fn limited_stones(&self) -> u32 {
        self.limited_stones
    }

    /// The swap opening, if there is one.
    pub fn swap(&self) -> Option<Swap> {
        self.swap
    }

    /// The stage that a game begins in.
    pub fn first_stage(&self) -> Stage {
        if self.swap.is_some() { Stage::First } else { Stage::Play }
    }

    /// What moves are forbidden for what they make.
    pub fn forbidden(&self) -> Option<Forbidden> {
        self.forbidden
    }

    /// Whether and how a five can be answered.
    pub fn boat(&self) -> Option<Boat> {
        self.boat
    }

    /// Whether only runs of exactly five of which no stone can be captured win, on the whole board
    /// and for either color (PBM).
    pub fn has_perfect_fives(&self) -> bool {
        self.perfect_fives
    }

    /// Stones other than plain ones.
    pub fn stones(&self) -> SpecialStones {
        self.stones
    }

    /// The runs that win for a color; in Renju they differ.
    pub fn line_of(&self, color: Color) -> LineRule {
        match self.forbidden {
            Some(Forbidden::Renju) => self.line.with_exact(color == Color(0)),
            _ => self.line,
        }
    }

    /// The rules of a game on hexagons. Such a game has no squares and no brackets: grid, opening
    /// and capture are then those of a game that is not played.
    pub fn hexes(&self) -> Option<Hexes> {
        self.hexes
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The colors' names.
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
