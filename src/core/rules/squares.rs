//! The rules of games of stones on squares: the Pente family, Ninuki, Gomoku and its relatives.

use super::{
    CaptureRule, FourBan, LineRule, Modifier, OpeningRule, OpeningStage, Seating, SquareRules,
    SwapRule, VariantSpec, VariantSpecError,
};
use crate::board::Grid;
use crate::game::{Cell, Color};
use std::fmt;

/// The rules of a game of stones on squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SquareBoardRules {
    /// The board.
    pub grid: Grid,
    /// Limits on the first stones.
    pub opening: OpeningRule,
    /// The swap opening, `None` in games without one.
    pub swap: Option<SwapRule>,
    /// The runs that win.
    pub line: LineRule,
    /// What is captured, `None` in games without captures.
    pub capture: Option<CaptureRule>,
    /// The points that are forbidden because of what a stone there would make.
    pub forbidden: Option<ForbiddenRule>,
    /// How a reply may break a five, `None` if a five wins at once.
    pub breakable_fives: Option<BreakableFives>,
    /// Whether only runs of exactly five of which no stone can be captured win. After each move this is
    /// tested on the whole board for both colors (PBM).
    pub perfect_fives: bool,
    /// The special stones of each player.
    pub stones: SpecialStones,
    /// What [`SquareBoardRules::derive`] computes from the other fields.
    pub(super) derived: Derived,
}

/// Values that the move pipeline needs at every ply, computed once per ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Derived {
    tier: RuleTier,
    limited_stones: u32,
}

/// How much of the move pipeline a ruleset needs. The order is that of growing cost: a tier has all
/// that the tiers before it have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleTier {
    /// Each ply places a plain stone, captures and looks for a line. Nothing but the opening rule
    /// limits where it goes.
    Plain,
    /// [`RuleTier::Plain`] after a swap opening.
    SwapOpening,
    /// [`RuleTier::SwapOpening`] with the points that Renju forbids to Black.
    Renju,
    /// Any other rules.
    Full,
}

impl SquareBoardRules {
    /// The rules of Pente (S1, S3, PO), from which those of the other games are derived.
    pub(super) const PENTE: SquareBoardRules = SquareBoardRules {
        grid: Grid::square(19),
        opening: OpeningRule::CENTER,
        swap: None,
        line: LineRule::new(5, false),
        capture: Some(CaptureRule { longer: None, goal: Some(10), signs: false, poof: false }),
        forbidden: None,
        breakable_fives: None,
        perfect_fives: false,
        stones: SpecialStones { neutral: 0, bombs: 0, power: None },
        derived: Derived { tier: RuleTier::Full, limited_stones: 0 },
    };

    /// Refuses boards that are too small for the opening, the line or the diamonds.
    pub(super) fn check(&self, spec: &VariantSpec) -> Result<(), VariantSpecError> {
        let size = || Modifier::Size(self.grid).to_string();
        for &modifier in spec.modifiers() {
            if self.grid.shorter_side() < modifier.least_size() {
                return Err(VariantSpecError::Clash(modifier.to_string(), size()));
            }
        }
        let length = self.line.length();
        if length > self.grid.columns().max(self.grid.rows()) {
            let line = match self.capture {
                Some(_) => Modifier::Goal(length),
                None => Modifier::Line(length),
            };
            return Err(VariantSpecError::Clash(line.to_string(), size()));
        }
        match self.stones.power {
            Some((_, diamonds)) if !diamonds.fit(self.grid) => {
                Err(VariantSpecError::Clash(Modifier::Diamonds(diamonds).to_string(), size()))
            }
            _ => Ok(()),
        }
    }

    /// Computes the derived values; called once all other fields are set.
    pub(super) fn derive(&mut self, seating: Seating) {
        let tier = match self.forbidden {
            _ if !self.has_plain_moves(seating) => RuleTier::Full,
            Some(_) => RuleTier::Renju,
            None if self.swap.is_some() => RuleTier::SwapOpening,
            None => RuleTier::Plain,
        };
        let limited_stones = self.opening.limited_stones(seating.seats);
        self.derived = Derived { tier, limited_stones };
    }

    /// Whether a move only places a stone, captures and looks for a line, and at most the forbidden points of
    /// Renju limit where it goes.
    fn has_plain_moves(&self, seating: Seating) -> bool {
        let marked = self.capture.is_some_and(|capture| capture.signs || capture.poof);
        let special = self.stones != SpecialStones::default();
        let closed = self.forbidden.is_some_and(|forbidden| forbidden != ForbiddenRule::Renju);
        let judged = closed || self.breakable_fives.is_some() || self.perfect_fives;
        let turns = seating.seats > 2 || seating.double_turns;
        !marked && !special && !judged && !turns && !self.line.is_caro()
    }
}

impl SquareRules {
    /// How much of the move pipeline the rules need.
    #[inline]
    pub fn tier(&self) -> RuleTier {
        self.board.derived.tier
    }

    /// Whether Renju forbids points to a color.
    #[inline]
    pub fn renju_restricts(&self, color: Color) -> bool {
        self.board.forbidden == Some(ForbiddenRule::Renju) && color == Color(0)
    }

    /// Whether a stone can open a four of its color elsewhere on the board only by a capture. If not, stones
    /// that leave no four of their own may be forbidden where fours are.
    pub fn only_captures_open_fours(&self) -> bool {
        self.breakable_fives().is_none()
            && self.stones().bombs == 0
            && self.seating().seats == 2
            && self.capture().is_some_and(|capture| !capture.poof)
    }

    /// The number of first stones among which the opening may limit some.
    #[inline]
    pub fn limited_stones(&self) -> u32 {
        self.board.derived.limited_stones
    }

    /// The stage in which a game begins.
    pub(crate) fn first_stage(&self) -> OpeningStage {
        if self.swap().is_some() { OpeningStage::First } else { OpeningStage::Play }
    }

    /// The runs that win for a color. In Renju the colors differ.
    pub fn line_of(&self, color: Color) -> LineRule {
        match self.forbidden() {
            Some(ForbiddenRule::Renju) => self.line().with_exact(color == Color(0)),
            _ => self.line(),
        }
    }

    /// [`SquareBoardRules::grid`].
    #[inline]
    pub fn grid(&self) -> Grid {
        self.board.grid
    }

    /// [`SquareBoardRules::opening`].
    #[inline]
    pub fn opening(&self) -> OpeningRule {
        self.board.opening
    }

    /// [`SquareBoardRules::swap`].
    #[inline]
    pub fn swap(&self) -> Option<SwapRule> {
        self.board.swap
    }

    /// [`SquareBoardRules::line`].
    #[inline]
    pub fn line(&self) -> LineRule {
        self.board.line
    }

    /// [`SquareBoardRules::capture`].
    #[inline]
    pub fn capture(&self) -> Option<CaptureRule> {
        self.board.capture
    }

    /// [`SquareBoardRules::forbidden`].
    pub fn forbidden(&self) -> Option<ForbiddenRule> {
        self.board.forbidden
    }

    /// How a reply may break a five, `None` if a five wins at once.
    pub fn breakable_fives(&self) -> Option<BreakableFives> {
        self.board.breakable_fives
    }

    /// [`SquareBoardRules::perfect_fives`].
    pub fn has_perfect_fives(&self) -> bool {
        self.board.perfect_fives
    }

    /// [`SquareBoardRules::stones`].
    pub fn stones(&self) -> SpecialStones {
        self.board.stones
    }
}

/// Whether a five wins before the opponents have replied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BreakableFives {
    /// A five wins unless the next move of the opponent breaks it or wins (S3).
    ByAnyReply,
    /// A five wins at once unless each such run has a stone that the opponent can capture. A five that
    /// remains after the reply has won (PO, AP, BGA).
    OnlyByCapture,
}

/// The points that a ruleset forbids because of what a stone there would make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForbiddenRule {
    /// Points that leave fours, for both colors.
    Fours(FourBan),
    /// Overlines, double fours and double threes of the first color; a three counts only if the
    /// point that makes its open four is itself allowed (Renju International Federation).
    Renju,
    /// Double threes of both colors, without recursion (PBM).
    DoubleThree,
}

/// The special stones of each player, none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpecialStones {
    /// The number of neutral stones, which block and belong to nobody (S3).
    pub neutral: u8,
    /// The number of bombs: own stones that remove the stones around them (S3).
    pub bombs: u8,
    /// The number of power stones, which may serve as any color (S1), and the points for the bonus stones
    /// that follow them.
    pub power: Option<(u8, Diamonds)>,
}

/// The points on which bonus stones may be placed, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diamonds {
    /// Column and row from 0. Only the first `count` points are valid.
    points: [(u8, u8); Diamonds::MAX],
    count: u8,
}

impl Diamonds {
    /// The greatest number of points.
    pub const MAX: usize = 16;

    /// The twelve points of the 19x19 board: the corners of the square of the tournament rule (S1), and
    /// eight points further out that no source shows.
    pub const STANDARD: Diamonds = Diamonds::standard();

    const fn standard() -> Diamonds {
        let mut points = [(0, 0); Diamonds::MAX];
        let known = [
            (3, 3),
            (9, 3),
            (15, 3),
            (6, 6),
            (12, 6),
            (3, 9),
            (15, 9),
            (6, 12),
            (12, 12),
            (3, 15),
            (9, 15),
            (15, 15),
        ];
        let mut index = 0;
        while index < known.len() {
            points[index] = known[index];
            index += 1;
        }
        Diamonds { points, count: known.len() as u8 }
    }

    /// Reads points with commas, each a column letter and a row number. Their order and repetitions are
    /// ignored. `None` if a point is malformed or there are too many.
    pub(super) fn parse(text: &str) -> Option<Diamonds> {
        let largest = Grid::square(Grid::MAX);
        let cells: Option<Vec<Cell>> = text.split(',').map(|p| largest.parse(p).ok()).collect();
        let mut cells = cells?;
        cells.sort_unstable();
        cells.dedup();
        let mut diamonds = Diamonds { points: [(0, 0); Diamonds::MAX], count: cells.len() as u8 };
        for (index, cell) in cells.into_iter().enumerate() {
            *diamonds.points.get_mut(index)? = (largest.column(cell), largest.row(cell));
        }
        Some(diamonds)
    }

    fn points(&self) -> &[(u8, u8)] {
        &self.points[..usize::from(self.count)]
    }

    /// The points that lie on a grid, as cells.
    pub fn cells(self, grid: Grid) -> impl Iterator<Item = Cell> {
        let points = self.points.into_iter().take(self.count.into());
        points.filter_map(move |(column, row)| grid.get(column.into(), row.into()))
    }

    /// Whether every point lies on a grid.
    pub(super) fn fit(&self, grid: Grid) -> bool {
        self.cells(grid).count() == usize::from(self.count)
    }
}

impl fmt::Display for Diamonds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, &(column, row)) in self.points().iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{}{}", char::from(b'a' + column), row + 1)?;
        }
        Ok(())
    }
}
