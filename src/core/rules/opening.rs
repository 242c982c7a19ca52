//! Opening rules: limits on the first stones, and swap openings.

use crate::board::Grid;
use crate::game::{Cell, Color, Seat};

/// Where the first stones of player 1 may go. A limit binds the point, whatever is put there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpeningRule {
    /// Whether the first stone goes to the center (S1, S3), or anywhere.
    pub center_first: bool,
    /// The limit on player 1's second stone, if there is one.
    pub second: Option<SecondStoneLimit>,
}

/// The distance that player 1's second stone keeps, in king's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SecondStoneLimit {
    /// The least distance.
    pub distance: u8,
    /// Measured from the center, or from player 1's first stone wherever it is (S5).
    pub from_center: bool,
    /// The G rule (PO): the points of the center's row and column at distance 3 and 4 are closed
    /// as well.
    pub closes_axes: bool,
}

/// Why the opening does not allow a stone on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningViolation {
    /// The first stone goes to the center.
    #[error("the first stone goes to the center")]
    NotCenter,
    /// The limit of a player's second stone.
    #[error("this stone must keep a distance of {distance} or more from {}", anchor_name(*.from_center))]
    TooClose {
        /// The least distance allowed, in king's steps.
        distance: u8,
        /// Measured from the center, or else from the player's own first stone.
        from_center: bool,
    },
    /// One of the further points that the G opening closes.
    #[error("the G opening closes this point on the center's row or column")]
    ClosedByG,
}

fn anchor_name(from_center: bool) -> &'static str {
    if from_center { "the center" } else { "the player's own first stone" }
}

impl OpeningRule {
    /// The first stone anywhere (S3).
    pub const FREE: OpeningRule = OpeningRule { center_first: false, second: None };
    /// The first stone at the center, nothing more (S1).
    pub const CENTER: OpeningRule = OpeningRule { center_first: true, second: None };
    /// The tournament rule: player 1's second stone outside the central 5x5 (S1, S3, PO).
    pub const PRO: OpeningRule = OpeningRule::pro(3, false);
    /// The tournament rule with distance four (AP, BGA).
    pub const LONG_PRO: OpeningRule = OpeningRule::pro(4, false);
    /// The tournament rule with eight more points closed (PO).
    pub const G: OpeningRule = OpeningRule::pro(3, true);
    /// Player 1's second stone at a distance from their own first one (S5).
    pub const NINUKI: OpeningRule = OpeningRule {
        center_first: false,
        second: Some(SecondStoneLimit { distance: 3, from_center: false, closes_axes: false }),
    };

    const fn pro(distance: u8, closes_axes: bool) -> OpeningRule {
        let second = SecondStoneLimit { distance, from_center: true, closes_axes };
        OpeningRule { center_first: true, second: Some(second) }
    }

    /// The stones, counted from 0, that may be limited all lie before this number, in a game of
    /// that many seats.
    pub fn limited_stones(self, seats: u8) -> u32 {
        match (self.second, self.center_first) {
            (Some(_), _) => u32::from(seats) + 1,
            (None, true) => 1,
            (None, false) => 0,
        }
    }

    /// Whether a limit is measured from where the first stone went, wherever that was.
    pub fn measures_from_first(self) -> bool {
        self.second.is_some_and(|second| !second.from_center)
    }

    /// The one cell where stone number `stone` (from 0) must go, if it is known without looking.
    pub fn only_cell(self, grid: Grid, stone: u32) -> Option<Cell> {
        (stone == 0 && self.center_first).then(|| grid.center())
    }

    /// Whether stone number `stone` (from 0) may go to `cell`. `first` gives where player 1's first
    /// stone lies; it is asked only if that matters.
    pub fn check(
        self,
        grid: Grid,
        seats: u8,
        stone: u32,
        first: impl FnOnce() -> Option<Cell>,
        cell: Cell,
    ) -> Result<(), OpeningViolation> {
        if self.only_cell(grid, stone).is_some_and(|only| cell != only) {
            return Err(OpeningViolation::NotCenter);
        }
        match self.second {
            Some(second) if stone == u32::from(seats) => second.check(grid, first, cell),
            _ => Ok(()),
        }
    }
}

impl SecondStoneLimit {
    fn check(
        self,
        grid: Grid,
        first: impl FnOnce() -> Option<Cell>,
        cell: Cell,
    ) -> Result<(), OpeningViolation> {
        let anchor = if self.from_center { Some(grid.center()) } else { first() };
        let Some(anchor) = anchor else { return Ok(()) };
        let distance = grid.chebyshev(anchor, cell);
        if distance < self.distance {
            return Err(OpeningViolation::TooClose {
                distance: self.distance,
                from_center: self.from_center,
            });
        }
        let on_axis =
            grid.column(anchor) == grid.column(cell) || grid.row(anchor) == grid.row(cell);
        if self.closes_axes && on_axis && distance <= 4 {
            return Err(OpeningViolation::ClosedByG);
        }
        Ok(())
    }
}

/// A swap opening. Each of its stones and choices is a ply of the seat that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SwapRule {
    /// One stone, then player 2 chooses; the second color moves next (PBM, AP).
    Swap1,
    /// Three stones, then player 2 chooses, or places two more and lets player 1 choose (S3, PO,
    /// AP, BGA).
    Swap2,
    /// Three stones, then player 2 chooses (BGA).
    Swap3,
    /// Four stones, then player 2 chooses: D-Pente (S3, PO).
    DPente,
}

/// How far a swap opening has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpeningStage {
    /// Ordinary play.
    #[default]
    Play,
    /// Player 1 places the first stones.
    First,
    /// Player 2 chooses.
    Choice,
    /// Player 2 places two more.
    More,
    /// Player 1 chooses.
    LastChoice,
}

impl OpeningStage {
    /// Every stage, by the letter that position texts show it with.
    pub const LETTERS: [(char, OpeningStage); 4] = [
        ('f', OpeningStage::First),
        ('c', OpeningStage::Choice),
        ('m', OpeningStage::More),
        ('l', OpeningStage::LastChoice),
    ];

    /// Whether a color is to be chosen.
    pub const fn is_choice(self) -> bool {
        matches!(self, OpeningStage::Choice | OpeningStage::LastChoice)
    }

    /// Whether a stone of the opening is to be placed.
    pub const fn is_placing(self) -> bool {
        matches!(self, OpeningStage::First | OpeningStage::More)
    }

    /// The seat that places or chooses, if the stage decides it.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            OpeningStage::Play => None,
            OpeningStage::First | OpeningStage::LastChoice => Some(Seat(0)),
            OpeningStage::Choice | OpeningStage::More => Some(Seat(1)),
        }
    }
}

impl SwapRule {
    /// The number of stones that player 1 places.
    pub const fn first_stones(self) -> u32 {
        match self {
            SwapRule::Swap1 => 1,
            SwapRule::Swap2 | SwapRule::Swap3 => 3,
            SwapRule::DPente => 4,
        }
    }

    /// Whether player 2 may ask for two more stones.
    pub const fn has_more(self) -> bool {
        matches!(self, SwapRule::Swap2)
    }

    /// The stage once that number of stones has been placed during `stage`.
    pub const fn after_stone(self, stage: OpeningStage, stones: u32) -> OpeningStage {
        match stage {
            OpeningStage::First if stones >= self.first_stones() => OpeningStage::Choice,
            OpeningStage::More if stones >= self.first_stones() + 2 => OpeningStage::LastChoice,
            stage => stage,
        }
    }

    /// The color of a stone: the two take turns, whoever places them.
    pub const fn color(stones: u32) -> Color {
        Color((stones & 1) as u8)
    }
}
