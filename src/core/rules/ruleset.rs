//! A game's rules as plain data, and the components that all families or small families have.

use super::{Modifier, SquareBoardRules, VariantSpec, VariantSpecError};
use crate::board::{HexGrid, HexShape};
use crate::game::{Color, Seat, Side};
use std::fmt;
use std::str::FromStr;

/// The rules of a game on a board `B`: what all games have, and the rules of that board. They are
/// made only from a [`VariantSpec`], so that every value is a game that makes sense.
///
/// [`Ruleset`] has any board. A family of games takes the rules of its own kind of board, such as
/// [`SquareRules`], and so can never be handed those of another.
///
/// ```
/// use pentarch_core::rules::{Ruleset, SquareRules};
/// let rules: SquareRules = "Pente + Keryo + Pro".parse().unwrap();
/// assert_eq!(rules.to_string(), "pro-pente+keryo");
/// assert_eq!(rules.capture().unwrap().goal, Some(15));
/// let error = "gomoku+keryo".parse::<Ruleset>().unwrap_err();
/// assert_eq!(error.to_string(), "`keryo` makes no sense in `gomoku`, a game without captures");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules<B> {
    pub(super) spec: VariantSpec,
    pub(super) color_names: ColorNames,
    pub(super) seating: Seating,
    pub(super) max_plies: u32,
    pub(super) board: B,
}

/// What a game is played on, with the rules that only such games have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoardRules {
    /// Stones on the points of a rectangle.
    Squares(SquareBoardRules),
    /// Stones on hexagons.
    Hexes(HexBoardRules),
    /// Tiles in layers on a table without edges.
    Tiles(TileBoardRules),
}

/// The rules of any game.
pub type Ruleset = Rules<BoardRules>;
/// The rules of a game on squares.
pub type SquareRules = Rules<SquareBoardRules>;
/// The rules of a game on hexagons.
pub type HexRules = Rules<HexBoardRules>;
/// The rules of a game of tiles.
pub type TileRules = Rules<TileBoardRules>;

/// A kind of board, or any: what the rules of a game may be narrowed to.
pub trait BoardKind: Clone + Into<BoardRules> {
    /// What the games are called in messages.
    const GAMES: &'static str;

    /// The board as one of this kind, if it is one.
    fn of(board: &BoardRules) -> Option<&Self>;
}

impl BoardKind for BoardRules {
    const GAMES: &'static str = "a game";

    fn of(board: &BoardRules) -> Option<&BoardRules> {
        Some(board)
    }
}

/// Makes a type one of the kinds of boards.
macro_rules! kind_of_board {
    ($rules:ident, $kind:ident, $games:literal) => {
        impl From<$rules> for BoardRules {
            fn from(board: $rules) -> BoardRules {
                BoardRules::$kind(board)
            }
        }

        impl BoardKind for $rules {
            const GAMES: &'static str = $games;

            fn of(board: &BoardRules) -> Option<&$rules> {
                if let BoardRules::$kind(board) = board { Some(board) } else { None }
            }
        }
    };
}

kind_of_board!(SquareBoardRules, Squares, "a game on squares");
kind_of_board!(HexBoardRules, Hexes, "a game on hexagons");
kind_of_board!(TileBoardRules, Tiles, "a game of tiles");

impl<B> Rules<B> {
    /// The canonical text form of the rules.
    pub fn spec(&self) -> &VariantSpec {
        &self.spec
    }

    /// The colors' names.
    pub fn color_names(&self) -> ColorNames {
        self.color_names
    }

    /// Who sits at the board.
    #[inline]
    pub fn seating(&self) -> Seating {
        self.seating
    }

    /// The number of plies at which the game is a draw.
    #[inline]
    pub fn max_plies(&self) -> u32 {
        self.max_plies
    }

    /// The board and its rules.
    #[inline]
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The same rules with what is known of their board.
    pub fn on<C>(&self, board: C) -> Rules<C> {
        Rules {
            spec: self.spec.clone(),
            color_names: self.color_names,
            seating: self.seating,
            max_plies: self.max_plies,
            board,
        }
    }
}

impl<B: BoardKind> Rules<B> {
    /// The rules as those of any game.
    pub fn to_ruleset(&self) -> Ruleset {
        self.on(self.board.clone().into())
    }
}

impl Ruleset {
    /// The rules that a spec describes, or what is wrong with the combination.
    pub fn new(spec: VariantSpec) -> Result<Ruleset, VariantSpecError> {
        super::modifier::check_pairs(&spec)?;
        let mut rules = spec.base_game().rules();
        for &modifier in spec.modifiers() {
            rules.apply(modifier, &spec)?;
        }
        match &mut rules.board {
            BoardRules::Squares(squares) => {
                squares.check(&spec)?;
                squares.derive(rules.seating);
            }
            BoardRules::Hexes(hexes) => hexes.check()?,
            BoardRules::Tiles(_) => (),
        }
        rules.spec = spec;
        Ok(rules)
    }

    /// The rules as those of a game on a kind of board, if they are.
    pub fn narrow<B: BoardKind>(&self) -> Option<Rules<B>> {
        B::of(&self.board).map(|board| self.on(board.clone()))
    }

    /// The rules of a game on squares, if this is one.
    pub fn squares(&self) -> Option<&SquareBoardRules> {
        SquareBoardRules::of(&self.board)
    }

    /// The rules of a game on hexagons, if this is one.
    pub fn hexes(&self) -> Option<&HexBoardRules> {
        HexBoardRules::of(&self.board)
    }

    /// The rules of a game of tiles, if this is one.
    pub fn tiles(&self) -> Option<&TileBoardRules> {
        TileBoardRules::of(&self.board)
    }

    /// The rules changed by one more word, such as `size=13`.
    pub fn with(&self, word: &str) -> Result<Ruleset, VariantSpecError> {
        self.spec.with(word).and_then(Ruleset::new)
    }

    /// Whether the two rulesets are the same game, however they are written.
    pub(super) fn plays_like(&self, other: &Ruleset) -> bool {
        Ruleset { spec: other.spec.clone(), ..self.clone() } == *other
    }
}

impl<B: BoardKind> FromStr for Rules<B> {
    type Err = VariantSpecError;

    fn from_str(text: &str) -> Result<Rules<B>, VariantSpecError> {
        let rules = text.parse::<VariantSpec>().and_then(Ruleset::new)?;
        rules.narrow().ok_or_else(|| VariantSpecError::WrongBoard(rules.to_string(), B::GAMES))
    }
}

impl<B> fmt::Display for Rules<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
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
        let seats = self.seats as u32;
        // Asked after every stone, and a division takes long.
        let place = if seats.is_power_of_two() { turn & (seats - 1) } else { turn % seats };
        Color(place as u8)
    }

    /// The seat that plays after `seat`.
    #[inline]
    pub const fn next(self, seat: Seat) -> Seat {
        if seat.0 + 1 == self.seats { Seat(0) } else { Seat(seat.0 + 1) }
    }
}

/// Which stones the first player has; the core only knows colors by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorNames {
    /// White begins, as in Pente; a third and a fourth color are Red and Green.
    WhiteFirst,
    /// Black begins, as in Gomoku and Ninuki.
    BlackFirst,
}

impl ColorNames {
    /// The names of the two colors of a game for two, in the order of play.
    pub const fn names(self) -> &'static [&'static str] {
        self.all_names().split_at(2).0
    }

    /// The names of the colors in the order of play.
    pub const fn all_names(self) -> &'static [&'static str] {
        match self {
            ColorNames::WhiteFirst => &["White", "Black", "Red", "Green"],
            ColorNames::BlackFirst => &["Black", "White", "Red", "Green"],
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

/// The rules of a game on hexagons (S4, LUD).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HexBoardRules {
    /// The board.
    pub grid: HexGrid,
    /// Whether groups without liberty are taken off the board, and suicide is forbidden, as in
    /// Pentalath (S4).
    pub surround: bool,
    /// That many or more in a row win.
    pub line: u8,
    /// That many in a row, without a winning row, lose, as in Yavalath (S4).
    pub losing_line: Option<u8>,
    /// Whether a player must keep the next one from winning at once, unless they win themselves:
    /// Yavalath for three (S4).
    pub must_block: bool,
    /// Whether player 2 chooses a color after seeing the first stone (PBM, AP).
    pub swap1: bool,
}

impl HexBoardRules {
    const fn pentalath(shape: HexShape, side: u8) -> HexBoardRules {
        HexBoardRules {
            grid: HexGrid::of(shape, side),
            surround: true,
            line: 5,
            losing_line: None,
            must_block: false,
            swap1: false,
        }
    }

    /// The trapezium of 70 cells (S4).
    pub(super) const PENTALATH: HexBoardRules = HexBoardRules::pentalath(HexShape::HalfHexagon, 7);
    /// Pentalath on the board of 61 cells (S4).
    pub(super) const PENTALATH_HEX: HexBoardRules = HexBoardRules::pentalath(HexShape::Hexagon, 5);
    /// Four wins, three loses (S4).
    pub(super) const YAVALATH: HexBoardRules = HexBoardRules {
        surround: false,
        line: 4,
        losing_line: Some(3),
        ..HexBoardRules::PENTALATH_HEX
    };
    /// Yavalath in which nobody may let the next player win (S4).
    pub(super) const YAVALATH_3: HexBoardRules =
        HexBoardRules { must_block: true, ..HexBoardRules::YAVALATH };

    /// The rules changed by a word, or what is in its way.
    pub(super) fn with(self, modifier: Modifier, seats: u8) -> Result<HexBoardRules, &'static str> {
        match modifier {
            Modifier::Swap1 if seats > 2 => Err(", a game for three"),
            Modifier::Swap1 => Ok(HexBoardRules { swap1: true, ..self }),
            Modifier::Side(side) => match HexGrid::new(self.grid.shape(), side) {
                Some(grid) => Ok(HexBoardRules { grid, ..self }),
                None => Err(", whose hexagon has sides of 2 to 5"),
            },
            Modifier::Line(_) if self.losing_line.is_some() => {
                Err(", where four win and three lose")
            }
            Modifier::Line(line) => Ok(HexBoardRules { line, ..self }),
            _ => Err(", a game on hexagons"),
        }
    }

    /// Refuses boards on which no row of stones could end the game.
    pub(super) fn check(self) -> Result<(), VariantSpecError> {
        if self.shortest_line() <= self.grid.longest_row() {
            return Ok(());
        }
        let words = [Modifier::Line(self.line), Modifier::Side(self.grid.side())];
        let [line, side] = words.map(|word| word.to_string());
        Err(VariantSpecError::Clash(line, side))
    }

    /// The shortest row of stones that ends a game or puts a player out of it.
    pub fn shortest_line(self) -> u8 {
        self.losing_line.unwrap_or(self.line)
    }
}

/// How the tiles of Pent-Up are counted in the end (S2); its moves are the same in all variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileBoardRules {
    /// Most tiles on the lowest level win, ties go upwards; else most on the highest, downwards.
    pub misere: bool,
}

impl TileBoardRules {
    /// Who is ahead by the tiles of each color on each level, counted from level 1 at index
    /// 1; nobody if all levels are equal (S2).
    #[inline]
    pub fn leader(self, counts: &[[u8; 13]; 2]) -> Option<Side> {
        let differs = |&level: &usize| counts[0][level] != counts[1][level];
        let mut levels = 1..counts[0].len();
        let decisive = if self.misere { levels.find(differs) } else { levels.rfind(differs) };
        decisive.map(|level| Side(u8::from(counts[0][level] < counts[1][level])))
    }
}
