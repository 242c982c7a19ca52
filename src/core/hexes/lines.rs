//! Rows of stones, on the whole board at once.

use crate::board::{Bitboard, HEX_STEPS};

/// Whether `length` or more stones of a set stand in a row.
#[inline]
pub fn has_line(stones: Bitboard, length: u8) -> bool {
    HEX_STEPS.iter().any(|&step| {
        // After n rounds a bit marks the upper end of a row of n + 1.
        let pairs = stones & stones << step;
        let row = match length {
            2 => pairs,
            3 => pairs & stones << (2 * step),
            4 => pairs & pairs << (2 * step),
            5 => pairs & pairs << (2 * step) & stones << (4 * step),
            _ => pairs & pairs << (2 * step) & pairs << (4 * step),
        };
        row != 0
    })
}

/// The cells, empty or not and perhaps on no board, that together with stones of a set would stand
/// in a row of `length` or more.
#[inline]
pub fn completions(stones: Bitboard, length: u8) -> Bitboard {
    let axis = |step: u32| {
        let (below, above) = (arms(stones, |set| set << step), arms(stones, |set| set >> step));
        let needed = usize::from(length.clamp(2, 6)) - 1;
        (0..=needed).fold(0, |cells, n| cells | below[n] & above[needed - n])
    };
    axis(HEX_STEPS[0]) | axis(HEX_STEPS[1]) | axis(HEX_STEPS[2])
}

/// The cells beside which at least n stones stand in a row on one side, for n from 0 to 5.
#[inline]
fn arms(stones: Bitboard, shift: impl Fn(Bitboard) -> Bitboard) -> [Bitboard; 6] {
    let mut arms = [!0; 6];
    for n in 1..arms.len() {
        arms[n] = shift(stones & arms[n - 1]);
    }
    arms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{HexGrid, HexShape, bit, each};
    use fastrand::Rng;

    /// The longest row through a cell, counted step by step.
    fn longest(grid: HexGrid, stones: Bitboard, cell: crate::game::Cell) -> u8 {
        let count = |by: i16| {
            let mut length = 0;
            let mut at = cell.0 as i16 + by;
            // Numbers past the set wrap around.
            while (0..128).contains(&at)
                && grid.all() & stones & bit(crate::game::Cell(at as u16)) != 0
            {
                length += 1;
                at += by;
            }
            length
        };
        let rows = HEX_STEPS.map(|step| 1 + count(step as i16) + count(-(step as i16)));
        rows.into_iter().max().unwrap()
    }

    #[test]
    fn shifts_find_what_counting_finds() {
        let mut rng = Rng::with_seed(1);
        for round in 0..3000 {
            let shape = [HexShape::HalfHexagon, HexShape::Hexagon][round % 2];
            let grid = HexGrid::new(shape, 3 + rng.u8(..3)).unwrap();
            let mut stones = grid.all() & rng.u128(..);
            if round % 3 > 0 {
                stones |= grid.all() & rng.u128(..);
            }
            for length in 3..=6 {
                let line = each(stones).any(|cell| longest(grid, stones, cell) >= length);
                assert_eq!(has_line(stones, length), line, "{length}");
                let free = grid.all() & !stones;
                let found = completions(stones, length) & free;
                let wanted = each(free).filter(|&cell| longest(grid, stones, cell) >= length);
                assert_eq!(each(found).collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{length}");
            }
        }
    }
}
