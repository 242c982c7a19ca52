//! Opening rules: limits on the first stones, and swap openings.

use crate::board::Grid;
use crate::game::{Cell, Color, Seat};

/// The points to which the first stones of player 1 may go. Limits apply to special stones, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpeningRule {
    /// Whether the first stone must go to the center (S1, S3).
    pub center_first: bool,
    /// The limit of player 1's second stone, `None` if it may go anywhere.
    pub second: Option<SecondStoneLimit>,
}

/// The least distance of player 1's second stone from an anchor, in king's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SecondStoneLimit {
    /// The least distance.
    pub distance: u8,
    /// Whether the anchor is the center. Otherwise it is player 1's first stone (S5).
    pub from_center: bool,
    /// Whether the points of the center's row and column at distance 3 and 4 are closed, too, as in the G
    /// opening (PO).
    pub closes_axes: bool,
}

/// Why the opening does not allow a stone on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningViolation {
    /// A first stone outside the center.
    #[error("the first stone goes to the center")]
    NotCenter,
    /// A second stone too close to the anchor.
    #[error("this stone must keep a distance of {distance} or more from {}", anchor_name(*.from_center))]
    TooClose {
        /// The least distance allowed, in king's steps.
        distance: u8,
        /// Whether the anchor is the center. Otherwise it is the player's own first stone.
        from_center: bool,
    },
    /// One of the points that only the G opening closes.
    #[error("the G opening closes this point on the center's row or column")]
    ClosedByG,
}

fn anchor_name(from_center: bool) -> &'static str {
    if from_center { "the center" } else { "the player's own first stone" }
}

impl OpeningRule {
    /// The first stone anywhere (S3).
    pub const FREE: OpeningRule = OpeningRule { center_first: false, second: None };
    /// The first stone at the center, no other limit (S1).
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

    /// The number of first stones among which some may be limited, in a game of `seats` seats.
    pub fn limited_stones(self, seats: u8) -> u32 {
        match (self.second, self.center_first) {
            (Some(_), _) => u32::from(seats) + 1,
            (None, true) => 1,
            (None, false) => 0,
        }
    }

    /// Whether a distance is measured from the first stone instead of the center.
    pub(crate) fn measures_from_first(self) -> bool {
        self.second.is_some_and(|second| !second.from_center)
    }

    /// The only cell that stone number `stone` (from 0) may go to, `None` if there are several.
    pub fn only_cell(self, grid: Grid, stone: u32) -> Option<Cell> {
        (stone == 0 && self.center_first).then(|| grid.center())
    }

    /// Whether stone number `stone` (from 0) may go to `cell`, and if not, why. `first` returns the cell of
    /// player 1's first stone; it is called only if that matters.
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

/// A swap opening: who places the first stones, and who chooses a color. Each stone and choice is a ply.
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

/// The stage of a swap opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpeningStage {
    /// Ordinary play, after a swap opening or without one.
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
    /// Whether the seat to move chooses a color.
    pub const fn is_choice(self) -> bool {
        matches!(self, OpeningStage::Choice | OpeningStage::LastChoice)
    }

    /// Whether the seat to move places a stone of the opening.
    pub const fn is_placing(self) -> bool {
        matches!(self, OpeningStage::First | OpeningStage::More)
    }

    /// The seat that places or chooses, `None` in ordinary play.
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
    pub(crate) const fn has_more(self) -> bool {
        matches!(self, SwapRule::Swap2)
    }

    /// The stage after `stage` once the board has had `stones` stones.
    pub(crate) const fn after_stone(self, stage: OpeningStage, stones: u32) -> OpeningStage {
        match stage {
            OpeningStage::First if stones >= self.first_stones() => OpeningStage::Choice,
            OpeningStage::More if stones >= self.first_stones() + 2 => OpeningStage::LastChoice,
            stage => stage,
        }
    }

    /// The color of a stone, given the number of stones before it. Colors alternate, whoever places them.
    pub const fn color(stones: u32) -> Color {
        Color((stones & 1) as u8)
    }
}
