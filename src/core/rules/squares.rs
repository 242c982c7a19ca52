//! The rules of games of stones on squares: the Pente family, Ninuki, Gomoku and its relatives.

use super::{
    CaptureRule, LineRule, Modifier, OpeningRule, OpeningStage, Seating, SquareRules, SwapRule,
    VariantSpec, VariantSpecError,
};
use crate::board::Grid;
use crate::game::{Cell, Color};
use std::fmt;

/// The rules of a game on squares, a record of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SquareBoardRules {
    /// The board.
    pub grid: Grid,
    /// Limits on the first stones.
    pub opening: OpeningRule,
    /// The swap opening, if there is one.
    pub swap: Option<SwapRule>,
    /// Which runs win.
    pub line: LineRule,
    /// What is captured, if anything.
    pub capture: Option<CaptureRule>,
    /// What moves are forbidden for what they make.
    pub forbidden: Option<ForbiddenRule>,
    /// Whether and how a five can be answered.
    pub breakable_fives: Option<BreakableFives>,
    /// Whether only runs of exactly five of which no stone can be captured win, on the whole board
    /// and for either color (PBM).
    pub perfect_fives: bool,
    /// Stones other than plain ones.
    pub stones: SpecialStones,
    /// What [`SquareBoardRules::derive`] computes from the other fields.
    pub(super) derived: Derived,
}

/// Values that the move pipeline asks for at every ply, computed once per ruleset.
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
    /// The rules of Pente (S1, S3, PO), from which those of the other games are made.
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

    /// Whether a move is nothing but placing a stone, captures and the look for a line, and at most
    /// the forbidden points of Renju limit where it goes.
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

    /// Whether points are forbidden to a color as in Renju.
    #[inline]
    pub fn renju_restricts(&self, color: Color) -> bool {
        self.board.forbidden == Some(ForbiddenRule::Renju) && color == Color(0)
    }

    /// Whether fours are only opened by stones that capture. Where they are forbidden, other stones leave no
    /// four then but their own.
    pub fn only_captures_open_fours(&self) -> bool {
        self.breakable_fives().is_none()
            && self.stones().bombs == 0
            && self.seating().seats == 2
            && self.capture().is_some_and(|capture| !capture.poof)
    }

    /// The stones, counted from 0, that the opening may limit all lie before this number.
    #[inline]
    pub fn limited_stones(&self) -> u32 {
        self.board.derived.limited_stones
    }

    /// The stage that a game begins in.
    pub fn first_stage(&self) -> OpeningStage {
        if self.swap().is_some() { OpeningStage::First } else { OpeningStage::Play }
    }

    /// The runs that win for a color; in Renju they differ.
    pub fn line_of(&self, color: Color) -> LineRule {
        match self.forbidden() {
            Some(ForbiddenRule::Renju) => self.line().with_exact(color == Color(0)),
            _ => self.line(),
        }
    }

    /// The board.
    #[inline]
    pub fn grid(&self) -> Grid {
        self.board.grid
    }

    /// Limits on the first stones.
    #[inline]
    pub fn opening(&self) -> OpeningRule {
        self.board.opening
    }

    /// The swap opening, if there is one.
    #[inline]
    pub fn swap(&self) -> Option<SwapRule> {
        self.board.swap
    }

    /// Which runs win.
    #[inline]
    pub fn line(&self) -> LineRule {
        self.board.line
    }

    /// What is captured, if anything.
    #[inline]
    pub fn capture(&self) -> Option<CaptureRule> {
        self.board.capture
    }

    /// What moves are forbidden for what they make.
    pub fn forbidden(&self) -> Option<ForbiddenRule> {
        self.board.forbidden
    }

    /// Whether and how a five can be answered.
    pub fn breakable_fives(&self) -> Option<BreakableFives> {
        self.board.breakable_fives
    }

    /// [`SquareBoardRules::perfect_fives`].
    pub fn has_perfect_fives(&self) -> bool {
        self.board.perfect_fives
    }

    /// Stones other than plain ones.
    pub fn stones(&self) -> SpecialStones {
        self.board.stones
    }
}

/// What a five is worth before the opponent has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BreakableFives {
    /// Whoever makes five has won unless the opponent's next move breaks it or wins (S3).
    ByAnyReply,
    /// A five wins at once unless each such run has a stone that the opponent can capture; after
    /// the reply a five that stands has won (PO, AP, BGA).
    OnlyByCapture,
}

/// What `anti` makes of fours that can become five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FourBan {
    /// A move is illegal if after the removals a line of the mover has an open four: two empty
    /// points that would each complete a winning run, the two runs sharing a stone (S3, MOK).
    OpenFours,
    /// One such point is enough (S3's second clause read literally).
    AllFours,
}

/// The points that a ruleset closes because of what a stone there would make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForbiddenRule {
    /// Fours that can become five, for both colors.
    Fours(FourBan),
    /// Overlines, double fours and double threes of the first color; a three counts only if the
    /// point that makes its open four is itself allowed (Renju International Federation).
    Renju,
    /// Double threes of both colors, without recursion (PBM).
    DoubleThree,
}

/// How many special stones a player has, none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpecialStones {
    /// Neutral stones: they block and belong to nobody (S3).
    pub neutral: u8,
    /// Bombs: an own stone that clears its eight neighbors (S3).
    pub bombs: u8,
    /// Power stones, which may serve as any color (S1), and the points for the bonus stones that
    /// follow them.
    pub power: Option<(u8, Diamonds)>,
}

/// The points on which bonus stones may be placed, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diamonds {
    /// Column and row from 0; only the first `count` are meant.
    points: [(u8, u8); Diamonds::MAX],
    count: u8,
}

impl Diamonds {
    /// The greatest number of points.
    pub const MAX: usize = 16;

    /// The twelve points of the 19x19 board: the corners of the square of the tournament rule (S1),
    /// and eight further out, of which no picture survives.
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

    /// Reads points with commas, each a column letter and a row number; their order and repetitions
    /// mean nothing.
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

    /// The points as cells of a grid, those that lie on it.
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
