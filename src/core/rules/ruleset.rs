//! A game's rules as plain data, with the components of all games, games on hexagons and games of tiles.

use super::{Modifier, SquareBoardRules, VariantSpec, VariantSpecError};
use crate::board::{HexGrid, HexShape};
use crate::game::{Color, Seat, Side};
use std::fmt;
use std::str::FromStr;

/// The rules of a game on a board `B`: what all games have, and the rules of the board. They are
/// made only from a [`VariantSpec`], so that every value is a valid game.
///
/// [`Ruleset`] has any board. A family of games takes the rules of its own kind of board, such as
/// [`SquareRules`], so that it cannot be given those of another.
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

/// The board of a game with the rules that only games on such a board have.
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

/// A kind of board, or any board: what [`Ruleset::narrow`] can narrow rules to.
pub trait BoardKind: Clone + Into<BoardRules> {
    /// The name of such games in messages.
    const GAMES: &'static str;

    /// The board as one of this kind, `None` if it is of another kind.
    fn of(board: &BoardRules) -> Option<&Self>;
}

impl BoardKind for BoardRules {
    const GAMES: &'static str = "a game";

    fn of(board: &BoardRules) -> Option<&BoardRules> {
        Some(board)
    }
}

/// Implements [`BoardKind`] for the rules of a board.
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
    /// The text form of the rules.
    pub fn spec(&self) -> &VariantSpec {
        &self.spec
    }

    /// The names of the colors.
    pub fn color_names(&self) -> ColorNames {
        self.color_names
    }

    /// The seats, sides and turns.
    #[inline]
    pub fn seating(&self) -> Seating {
        self.seating
    }

    /// The number of plies after which the game is a draw.
    #[inline]
    pub fn max_plies(&self) -> u32 {
        self.max_plies
    }

    /// The rules of the board.
    #[inline]
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The same rules on another board.
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
    /// The rules as a [`Ruleset`].
    pub fn to_ruleset(&self) -> Ruleset {
        self.on(self.board.clone().into())
    }
}

impl Ruleset {
    /// The rules that a spec describes, or why its words do not combine.
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

    /// The rules as those of a game on this kind of board, `None` if it has another board.
    pub fn narrow<B: BoardKind>(&self) -> Option<Rules<B>> {
        B::of(&self.board).map(|board| self.on(board.clone()))
    }

    /// The rules of the board, `None` if the game is not on squares.
    pub fn squares(&self) -> Option<&SquareBoardRules> {
        SquareBoardRules::of(&self.board)
    }

    /// The rules of the board, `None` if the game is not on hexagons.
    pub fn hexes(&self) -> Option<&HexBoardRules> {
        HexBoardRules::of(&self.board)
    }

    /// The rules of the board, `None` if the game is not of tiles.
    pub fn tiles(&self) -> Option<&TileBoardRules> {
        TileBoardRules::of(&self.board)
    }

    /// The rules changed by one more modifier, such as `size=13`.
    pub fn with(&self, word: &str) -> Result<Ruleset, VariantSpecError> {
        self.spec.with(word).and_then(Ruleset::new)
    }

    /// Whether the two rulesets are equal except for their specs.
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

/// The seats of a game, the sides that they belong to, and the order of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seating {
    /// The number of seats and of colors.
    pub seats: u8,
    /// Whether the first and third seat are one side, the second and fourth the other.
    pub teams: bool,
    /// Whether each turn except the first has two stones.
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

    /// The color of a stone, given the number of stones placed before it.
    #[inline]
    pub const fn color(self, stones: u32) -> Color {
        let turn = if self.double_turns { stones.div_ceil(2) } else { stones };
        let seats = self.seats as u32;
        // Computed after every stone, and a division is slow.
        let place = if seats.is_power_of_two() { turn & (seats - 1) } else { turn % seats };
        Color(place as u8)
    }

    /// The seat that plays after `seat`.
    #[inline]
    pub const fn next(self, seat: Seat) -> Seat {
        if seat.0 + 1 == self.seats { Seat(0) } else { Seat(seat.0 + 1) }
    }
}

/// The names of the colors, in the order of play. Everywhere else colors are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorNames {
    /// White, Black, Red, Green, as in Pente.
    WhiteFirst,
    /// Black, White, Red, Green, as in Gomoku and Ninuki.
    BlackFirst,
}

impl ColorNames {
    /// The names of the first two colors.
    pub const fn names(self) -> &'static [&'static str] {
        self.all_names().split_at(2).0
    }

    /// The names of all four colors.
    pub const fn all_names(self) -> &'static [&'static str] {
        match self {
            ColorNames::WhiteFirst => &["White", "Black", "Red", "Green"],
            ColorNames::BlackFirst => &["Black", "White", "Red", "Green"],
        }
    }

    /// The name of a color, or of neutral or power stones.
    pub fn name(self, color: Color) -> &'static str {
        match color {
            Color::NEUTRAL => "Neutral",
            Color::POWER => "Power",
            color => self.all_names().get(color.index()).unwrap_or(&"?"),
        }
    }

    /// The letter of a color, or of neutral or power stones, in position texts and pictures.
    pub fn letter(self, color: Color) -> char {
        self.name(color).chars().next().unwrap_or('?').to_ascii_lowercase()
    }

    /// The letters of the first `colors` colors.
    pub fn letters(self, colors: u8) -> Vec<char> {
        (0..colors).map(|color| self.letter(Color(color))).collect()
    }

    /// The color with this letter in a game of two colors. Case is ignored.
    pub fn color(self, letter: char) -> Option<Color> {
        self.stone(letter).filter(|color| color.index() < self.names().len())
    }

    /// The color, or neutral or power stones, with this letter. Case is ignored.
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
    /// Whether groups without liberties are captured and suicide is forbidden, as in Pentalath (S4).
    pub surround: bool,
    /// The length of a winning row. Longer rows win, too.
    pub line: u8,
    /// The length of a row that loses unless there is a winning row, as in Yavalath (S4).
    pub losing_line: Option<u8>,
    /// Whether a player must prevent the next player from winning at once, unless they win themselves, as in
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

    /// Pentalath on a trapezium of 70 cells (S4).
    pub(super) const PENTALATH: HexBoardRules = HexBoardRules::pentalath(HexShape::HalfHexagon, 7);
    /// Pentalath on a hexagon of 61 cells (S4).
    pub(super) const PENTALATH_HEX: HexBoardRules = HexBoardRules::pentalath(HexShape::Hexagon, 5);
    /// Yavalath: four in a row win, three lose (S4).
    pub(super) const YAVALATH: HexBoardRules = HexBoardRules {
        surround: false,
        line: 4,
        losing_line: Some(3),
        ..HexBoardRules::PENTALATH_HEX
    };
    /// Yavalath for three, with the duty to block (S4).
    pub(super) const YAVALATH_3: HexBoardRules =
        HexBoardRules { must_block: true, ..HexBoardRules::YAVALATH };

    /// The rules changed by a modifier, or why it does not apply.
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

    /// Refuses boards too small for the rows that end the game.
    pub(super) fn check(self) -> Result<(), VariantSpecError> {
        if self.shortest_line() <= self.grid.longest_row() {
            return Ok(());
        }
        let words = [Modifier::Line(self.line), Modifier::Side(self.grid.side())];
        let [line, side] = words.map(|word| word.to_string());
        Err(VariantSpecError::Clash(line, side))
    }

    /// The length of the shortest row that ends the game or eliminates a player.
    pub(crate) fn shortest_line(self) -> u8 {
        self.losing_line.unwrap_or(self.line)
    }
}

/// The rules of a game of tiles: how the tiles of Pent-Up are compared at the end (S2). Its moves are the
/// same in all variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileBoardRules {
    /// Whether most tiles on the lowest level win, ties broken upward. Otherwise most tiles on the highest
    /// level win, ties broken downward.
    pub misere: bool,
}

impl TileBoardRules {
    /// The side that is ahead, `None` if all levels are equal (S2). `counts` has the tiles of each color on
    /// each level; level 1 has index 1.
    #[inline]
    pub fn leader(self, counts: &[[u8; 13]; 2]) -> Option<Side> {
        let differs = |&level: &usize| counts[0][level] != counts[1][level];
        let mut levels = 1..counts[0].len();
        let decisive = if self.misere { levels.find(differs) } else { levels.rfind(differs) };
        decisive.map(|level| Side(u8::from(counts[0][level] < counts[1][level])))
    }
}
