//! Openings (rules, section 2): limits as plain data for each word, and the stages of swaps.

use super::board::Point;

/// What an opening asks of player 1; nobody else is limited.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// The first stone goes to the center.
    pub first_at_center: bool,
    /// The least Chebyshev distance of the second stone from the first; 0 is no limit.
    pub second_distance: i32,
    /// Distances at which the second stone may not be on the row or column of the first.
    pub second_off_axes: &'static [i32],
    /// The smallest board side on which the opening makes sense.
    pub smallest_side: i32,
    /// How many stones player 1 places, in the colors' turn, before player 2 chooses; 0: no swap.
    pub stage_stones: usize,
    /// Whether player 2 may place two more stones and leave the choice to player 1.
    pub more: bool,
}

/// `free`: player 1 anywhere (S3).
pub const FREE: Opening = Opening {
    first_at_center: false,
    second_distance: 0,
    second_off_axes: &[],
    smallest_side: 1,
    stage_stones: 0,
    more: false,
};

/// No opening word: player 1 at the center, nothing more (S1).
pub const CENTER: Opening = Opening { first_at_center: true, ..FREE };

/// `pro`: player 1 at the center, the second stone at distance 3 or more (S1, S3, PO).
const PRO: Opening = Opening { second_distance: 3, smallest_side: 7, ..CENTER };

/// `long-pro`: as `pro` with distance 4 or more (AP, BGA).
const LONG_PRO: Opening = Opening { second_distance: 4, smallest_side: 9, ..CENTER };

/// `g`: `pro`, and not on the center's row or column at distance 3 or 4 (PO).
const G: Opening = Opening { second_off_axes: &[3, 4], smallest_side: 9, ..PRO };

/// Ninuki: Black anywhere, the second stone at distance 3 or more from the first (S5).
pub const NINUKI: Opening = Opening { second_distance: 3, ..FREE };

/// `swap`: four stones, then player 2 picks a color (S3, PO).
const SWAP: Opening = Opening { stage_stones: 4, ..FREE };

/// `swap1`: one stone, then player 2 picks a color (PBM, AP).
const SWAP1: Opening = Opening { stage_stones: 1, ..FREE };

/// `swap2`: three stones, then player 2 picks a color or places two more (S3, PO, AP, BGA).
const SWAP2: Opening = Opening { stage_stones: 3, more: true, ..FREE };

/// `swap3`: three stones, then player 2 picks a color (BGA).
const SWAP3: Opening = Opening { stage_stones: 3, ..FREE };

/// The opening that a word names, if it names one.
pub fn named(word: &str) -> Option<Opening> {
    match word {
        "free" => Some(FREE),
        "pro" => Some(PRO),
        "long-pro" => Some(LONG_PRO),
        "g" => Some(G),
        "swap" => Some(SWAP),
        "swap1" => Some(SWAP1),
        "swap2" => Some(SWAP2),
        "swap3" => Some(SWAP3),
        _ => None,
    }
}

impl Opening {
    /// Whether player 1 may put the first stone on a point.
    pub fn allows_first(self, point: Point, center: Point) -> Result<(), String> {
        if self.first_at_center && point != center {
            return Err("the first stone goes to the center".to_owned());
        }
        Ok(())
    }

    /// Whether player 1 may put the second stone on a point. A distance from the center is one
    /// from the point of the first stone, which is then the center.
    pub fn allows_second(self, point: Point, first: Point) -> Result<(), String> {
        let across = (point.0 - first.0).abs();
        let up = (point.1 - first.1).abs();
        let distance = across.max(up);
        if distance < self.second_distance {
            return Err("the second stone is too close to the first".to_owned());
        }
        let on_axis = across == 0 || up == 0;
        if on_axis && self.second_off_axes.contains(&distance) {
            return Err("the second stone is forbidden on this row or column".to_owned());
        }
        Ok(())
    }
}

/// Where a swap opening stands; the colors take turns all the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A seat places that many more stones, of both colors.
    Placing { seat: usize, left: usize },
    /// A seat chooses its color, or (`more`) to place two more stones.
    Choosing { seat: usize, more: bool },
    /// Every seat plays its own color.
    Over,
}

impl Stage {
    /// Where a game begins.
    pub fn start(opening: Opening) -> Stage {
        match opening.stage_stones {
            0 => Stage::Over,
            left => Stage::Placing { seat: 0, left },
        }
    }

    /// After a stone; who placed the last one leaves the choice to the other seat.
    pub fn after_stone(self, opening: Opening) -> Stage {
        match self {
            Stage::Placing { seat, left: 1 } => {
                Stage::Choosing { seat: 1 - seat, more: opening.more && seat == 0 }
            }
            Stage::Placing { seat, left } => Stage::Placing { seat, left: left - 1 },
            other => other,
        }
    }
}
