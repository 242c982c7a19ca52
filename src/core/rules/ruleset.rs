//! A game's rules as plain data.

use super::{Hexes, Palette, Seating, Spec, SpecError, Squares, Tiles};
use std::fmt;
use std::str::FromStr;

/// The rules of a game on a board `B`: what all games have, and the rules of that board. They are
/// made only from a [`Spec`], so that every value is a game that makes sense.
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
    pub(super) spec: Spec,
    pub(super) palette: Palette,
    pub(super) seating: Seating,
    pub(super) max_plies: u32,
    pub(super) board: B,
}

/// What a game is played on, with the rules that only such games have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// Stones on the points of a rectangle.
    Squares(Squares),
    /// Stones on hexagons.
    Hexes(Hexes),
    /// Tiles in layers on a table without edges.
    Tiles(Tiles),
}

/// The rules of any game.
pub type Ruleset = Rules<Board>;
/// The rules of a game on squares.
pub type SquareRules = Rules<Squares>;
/// The rules of a game on hexagons.
pub type HexRules = Rules<Hexes>;
/// The rules of a game of tiles.
pub type TileRules = Rules<Tiles>;

/// A kind of board, or any: what the rules of a game may be narrowed to.
pub trait BoardKind: Clone + Into<Board> {
    /// What the games are called in messages.
    const GAMES: &'static str;

    /// The board as one of this kind, if it is one.
    fn of(board: &Board) -> Option<&Self>;
}

impl BoardKind for Board {
    const GAMES: &'static str = "a game";

    fn of(board: &Board) -> Option<&Board> {
        Some(board)
    }
}

/// Makes a type one of the kinds of boards.
macro_rules! kind_of_board {
    ($kind:ident, $games:literal) => {
        impl From<$kind> for Board {
            fn from(board: $kind) -> Board {
                Board::$kind(board)
            }
        }

        impl BoardKind for $kind {
            const GAMES: &'static str = $games;

            fn of(board: &Board) -> Option<&$kind> {
                if let Board::$kind(board) = board { Some(board) } else { None }
            }
        }
    };
}

kind_of_board!(Squares, "a game on squares");
kind_of_board!(Hexes, "a game on hexagons");
kind_of_board!(Tiles, "a game of tiles");

impl<B> Rules<B> {
    /// The canonical text form of the rules.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The colors' names.
    pub fn palette(&self) -> Palette {
        self.palette
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
            palette: self.palette,
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
    pub fn new(spec: Spec) -> Result<Ruleset, SpecError> {
        super::combine::check_pairs(&spec)?;
        let mut rules = spec.base_game().rules();
        for &modifier in spec.modifiers() {
            rules.apply(modifier, &spec)?;
        }
        match &mut rules.board {
            Board::Squares(squares) => {
                squares.check(&spec)?;
                squares.prepare(rules.seating);
            }
            Board::Hexes(hexes) => hexes.check()?,
            Board::Tiles(_) => (),
        }
        rules.spec = spec;
        Ok(rules)
    }

    /// The rules as those of a game on a kind of board, if they are.
    pub fn narrow<B: BoardKind>(&self) -> Option<Rules<B>> {
        B::of(&self.board).map(|board| self.on(board.clone()))
    }

    /// The rules of a game on squares, if this is one.
    pub fn squares(&self) -> Option<&Squares> {
        Squares::of(&self.board)
    }

    /// The rules of a game on hexagons, if this is one.
    pub fn hexes(&self) -> Option<&Hexes> {
        Hexes::of(&self.board)
    }

    /// The rules of a game of tiles, if this is one.
    pub fn tiles(&self) -> Option<&Tiles> {
        Tiles::of(&self.board)
    }

    /// The rules changed by one more word, such as `size=13`.
    pub fn with(&self, word: &str) -> Result<Ruleset, SpecError> {
        self.spec.with(word).and_then(Ruleset::new)
    }

    /// Whether the two rulesets are the same game, however they are written.
    pub(super) fn plays_like(&self, other: &Ruleset) -> bool {
        Ruleset { spec: other.spec.clone(), ..self.clone() } == *other
    }
}

impl<B: BoardKind> FromStr for Rules<B> {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Rules<B>, SpecError> {
        let rules = text.parse::<Spec>().and_then(Ruleset::new)?;
        rules.narrow().ok_or_else(|| SpecError::Board(rules.to_string(), B::GAMES))
    }
}

impl<B> fmt::Display for Rules<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
}
