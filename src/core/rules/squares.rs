//! The rules of games of stones on squares: the Pente family, Ninuki, Gomoku and its relatives.

use super::{
    Capture, LineRule, Modifier, Opening, Seating, Spec, SpecError, SquareRules, Stage, Swap,
};
use crate::board::Grid;
use crate::game::{Cell, Color};
use std::fmt;

/// The rules of a game on squares, a record of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Squares {
    /// The board.
    pub grid: Grid,
    /// Limits on the first stones.
    pub opening: Opening,
    /// The swap opening, if there is one.
    pub swap: Option<Swap>,
    /// Which runs win.
    pub line: LineRule,
    /// What is captured, if anything.
    pub capture: Option<Capture>,
    /// What moves are forbidden for what they make.
    pub forbidden: Option<Forbidden>,
    /// Whether and how a five can be answered.
    pub boat: Option<Boat>,
    /// Whether only runs of exactly five of which no stone can be captured win, on the whole board
    /// and for either color (PBM).
    pub perfect_fives: bool,
    /// Stones other than plain ones.
    pub stones: SpecialStones,
    /// What follows from the rest and is asked at every ply.
    pub(super) prepared: Prepared,
}

/// What [`Squares::prepare`] works out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Prepared {
    plain: bool,
    plays_plainly: bool,
    plays_lines: bool,
    limited_stones: u32,
}

impl Squares {
    /// The rules of Pente (S1, S3, PO), from which those of the other games are made.
    pub(super) const PENTE: Squares = Squares {
        grid: Grid::square(19),
        opening: Opening::CENTER,
        swap: None,
        line: LineRule::new(5, false),
        capture: Some(Capture { longer: None, goal: Some(10), signs: false, poof: false }),
        forbidden: None,
        boat: None,
        perfect_fives: false,
        stones: SpecialStones { neutral: 0, bombs: 0, power: None },
        prepared: Prepared {
            plain: false,
            plays_plainly: false,
            plays_lines: false,
            limited_stones: 0,
        },
    };

    /// Refuses boards that are too small for the opening, the line or the diamonds.
    pub(super) fn check(&self, spec: &Spec) -> Result<(), SpecError> {
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

    /// Works out what is asked at every ply.
    pub(super) fn prepare(&mut self, seating: Seating) {
        let plays_lines = self.is_as_plain_as_pente(seating);
        let plays_plainly = plays_lines && self.forbidden.is_none();
        self.prepared = Prepared {
            plain: plays_plainly && self.swap.is_none(),
            plays_plainly,
            plays_lines,
            limited_stones: self.opening.limited_stones(seating.seats),
        };
    }

    /// Whether a move is nothing but placing a stone, captures and the look for a line, and at most
    /// the forbidden points of Renju limit where it goes.
    fn is_as_plain_as_pente(&self, seating: Seating) -> bool {
        let marked = self.capture.is_some_and(|capture| capture.signs || capture.poof);
        let special = self.stones != SpecialStones::default();
        let closed = self.forbidden.is_some_and(|forbidden| forbidden != Forbidden::Renju);
        let judged = closed || self.boat.is_some() || self.perfect_fives;
        let turns = seating.seats > 2 || seating.double_turns;
        !marked && !special && !judged && !turns && !self.line.is_caro()
    }
}

impl SquareRules {
    /// Whether a move is nothing but placing a stone, captures and the look for a line, so that the
    /// short pipeline plays it.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.board.prepared.plain
    }

    /// [`SquareRules::is_plain`], once a swap opening is over.
    #[inline]
    pub fn plays_plainly(&self) -> bool {
        self.board.prepared.plays_plainly
    }

    /// [`SquareRules::plays_plainly`], but for the points that Renju forbids Black.
    #[inline]
    pub fn plays_lines(&self) -> bool {
        self.board.prepared.plays_lines
    }

    /// Whether points are forbidden to a color as in Renju.
    #[inline]
    pub fn forbids(&self, color: Color) -> bool {
        self.board.forbidden == Some(Forbidden::Renju) && color == Color(0)
    }

    /// Whether fours are only opened by stones that capture. Where they are forbidden, other stones leave no
    /// four then but their own.
    pub fn opens_by_captures_alone(&self) -> bool {
        self.boat().is_none()
            && self.stones().bombs == 0
            && self.seating().seats == 2
            && self.capture().is_some_and(|capture| !capture.poof)
    }

    /// The stones, counted from 0, that the opening may limit all lie before this number.
    #[inline]
    pub fn limited_stones(&self) -> u32 {
        self.board.prepared.limited_stones
    }

    /// The stage that a game begins in.
    pub fn first_stage(&self) -> Stage {
        if self.swap().is_some() { Stage::First } else { Stage::Play }
    }

    /// The runs that win for a color; in Renju they differ.
    pub fn line_of(&self, color: Color) -> LineRule {
        match self.forbidden() {
            Some(Forbidden::Renju) => self.line().with_exact(color == Color(0)),
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
    pub fn opening(&self) -> Opening {
        self.board.opening
    }

    /// The swap opening, if there is one.
    #[inline]
    pub fn swap(&self) -> Option<Swap> {
        self.board.swap
    }

    /// Which runs win.
    #[inline]
    pub fn line(&self) -> LineRule {
        self.board.line
    }

    /// What is captured, if anything.
    #[inline]
    pub fn capture(&self) -> Option<Capture> {
        self.board.capture
    }

    /// What moves are forbidden for what they make.
    pub fn forbidden(&self) -> Option<Forbidden> {
        self.board.forbidden
    }

    /// Whether and how a five can be answered.
    pub fn boat(&self) -> Option<Boat> {
        self.board.boat
    }

    /// [`Squares::perfect_fives`].
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
pub enum Boat {
    /// Whoever makes five has won unless the opponent's next move breaks it or wins (S3).
    AnyReply,
    /// A five wins at once unless each such run has a stone that the opponent can capture; after
    /// the reply a five that stands has won (PO, AP, BGA).
    Strict,
}

/// What `anti` makes of fours that can become five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OpenFours {
    /// A move is illegal if after the removals a line of the mover has an open four: two empty
    /// points that would each complete a winning run, the two runs sharing a stone (S3, MOK).
    Forbidden,
    /// One such point is enough (S3's second clause read literally).
    AnyFourForbidden,
}

/// The points that a ruleset closes because of what a stone there would make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// Fours that can become five, for both colors.
    Fours(OpenFours),
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
    points: [(u8, u8); Diamonds::MOST],
    count: u8,
}

impl Diamonds {
    /// The greatest number of points.
    pub const MOST: usize = 16;

    /// The twelve points of the 19x19 board: the corners of the square of the tournament rule (S1),
    /// and eight further out, of which no picture survives.
    pub const STANDARD: Diamonds = Diamonds::standard();

    const fn standard() -> Diamonds {
        let mut points = [(0, 0); Diamonds::MOST];
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
        let mut diamonds = Diamonds { points: [(0, 0); Diamonds::MOST], count: cells.len() as u8 };
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
