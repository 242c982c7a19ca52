//! Rotations and reflections of small boards.

use super::board::SmallBoard;
use super::rules::SmallRules;

impl SmallRules {
    /// The least image of a board under the symmetries of its grid, or the board itself while an
    /// opening may limit where stones go.
    #[inline]
    pub(super) fn canonical(&self, board: &SmallBoard) -> SmallBoard {
        if board.placed() < self.limited_stones() {
            return *board;
        }
        SmallBoard { stones: self.least_image(board.stones), ..*board }
    }

    /// The least image of stones.
    #[inline]
    pub(super) fn least_image(&self, set_up: [u64; 2]) -> [u64; 2] {
        let (columns, rows) = (u32::from(self.grid().columns()), u32::from(self.grid().rows()));
        let mut least = set_up;
        let transpositions = if columns == rows { 2 } else { 1 };
        for turned in 0..transpositions {
            let mut stones = set_up;
            if turned == 1 {
                stones = stones.map(transpose);
            }
            for _ in 0..2 {
                let mirrored = stones.map(|set| mirror(set) >> (8 - columns));
                least = least.min(stones).min(mirrored);
                stones = stones.map(|set| set.swap_bytes() >> (8 * (8 - rows)));
            }
        }
        least
    }
}

/// Each row of eight bits reversed.
const fn mirror(set: u64) -> u64 {
    const PAIRS: u64 = 0x5555_5555_5555_5555;
    const FOURS: u64 = 0x3333_3333_3333_3333;
    const EIGHTS: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let set = (set >> 1 & PAIRS) | (set & PAIRS) << 1;
    let set = (set >> 2 & FOURS) | (set & FOURS) << 2;
    (set >> 4 & EIGHTS) | (set & EIGHTS) << 4
}

/// Rows and columns of eight by eight bits exchanged.
const fn transpose(set: u64) -> u64 {
    let fours = 0x0f0f_0f0f_0000_0000 & (set ^ set << 28);
    let set = set ^ fours ^ fours >> 28;
    let pairs = 0x3333_0000_3333_0000 & (set ^ set << 14);
    let set = set ^ pairs ^ pairs >> 14;
    let singles = 0x5500_5500_5500_5500 & (set ^ set << 7);
    set ^ singles ^ singles >> 7
}
