//! Rows, and groups of connected stones with their liberties, for the whole board at once (S4).

use crate::board::{Bitboard, HEX_STEPS, bit, lowest_cell, neighbors, neighbors_of};
use crate::game::Cell;

/// Whether a set has a row of `length` or more stones.
#[inline]
pub fn has_line(stones: Bitboard, length: u8) -> bool {
    HEX_STEPS.iter().any(|&step| {
        // A bit marks the upper end of a row.
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

/// The cells that complete a row of `length` or more with stones of a set. They may be occupied or on no
/// board.
#[inline]
pub fn completions(stones: Bitboard, length: u8) -> Bitboard {
    let axis = |step: u32| {
        let (below, above) = (arms(stones, |set| set << step), arms(stones, |set| set >> step));
        let needed = usize::from(length.clamp(2, 6)) - 1;
        (0..=needed).fold(0, |cells, n| cells | below[n] & above[needed - n])
    };
    axis(HEX_STEPS[0]) | axis(HEX_STEPS[1]) | axis(HEX_STEPS[2])
}

/// For n from 0 to 5, the cells with a row of at least n stones next to them on one side.
#[inline]
fn arms(stones: Bitboard, shift: impl Fn(Bitboard) -> Bitboard) -> [Bitboard; 6] {
    let mut arms = [!0; 6];
    for n in 1..arms.len() {
        arms[n] = shift(stones & arms[n - 1]);
    }
    arms
}

/// The stones of a set that are connected with one of its cells.
#[inline]
pub fn group_of(stones: Bitboard, cell: Cell) -> Bitboard {
    let mut group = bit(cell);
    loop {
        let more = (group | neighbors_of(group)) & stones | bit(cell);
        if more == group {
            return group;
        }
        group = more;
    }
}

/// The stones of all groups of `stones` that include a stone of `seeds` and have no liberty among the
/// `empty` cells.
#[inline]
pub fn surrounded(stones: Bitboard, seeds: Bitboard, empty: Bitboard) -> Bitboard {
    let mut rest = seeds & stones;
    let mut dead = 0;
    while rest != 0 {
        let (group, alive) = flood(stones, lowest_cell(rest), empty);
        if !alive {
            dead |= group;
        }
        // The rest of a living group is found alive again.
        rest &= !group;
    }
    dead
}

/// Whether the group of a stone has a liberty, with the group, or with as much of it as was needed to find
/// a liberty.
#[inline]
fn flood(stones: Bitboard, cell: Cell, empty: Bitboard) -> (Bitboard, bool) {
    let mut group = bit(cell);
    let mut around = neighbors(cell);
    loop {
        if around & empty != 0 {
            return (group, true);
        }
        let more = group | around & stones;
        if more == group {
            return (group, false);
        }
        group = more;
        around = neighbors_of(group);
    }
}

/// Whether a stone on an empty cell and its group would have a liberty without captures.
#[inline]
pub(crate) fn has_liberty(own: Bitboard, cell: Cell, empty: Bitboard) -> bool {
    let rest = empty & !bit(cell);
    neighbors(cell) & rest != 0 || flood(own | bit(cell), cell, rest).1
}

/// The stones of all groups with a single liberty, and these liberties.
pub fn in_atari(stones: Bitboard, empty: Bitboard) -> (Bitboard, Bitboard) {
    // A group with a stone that has two liberties of its own is safe. Almost all groups are.
    let mut safe = stones & with_two_neighbors_in(empty);
    loop {
        let more = (safe | neighbors_of(safe)) & stones;
        if more == safe {
            break;
        }
        safe = more;
    }
    let mut rest = stones & !safe;
    let (mut weak, mut liberties) = (0, 0);
    while rest != 0 {
        let group = group_of(rest, lowest_cell(rest));
        let free = neighbors_of(group) & empty;
        if free.is_power_of_two() {
            weak |= group;
            liberties |= free;
        }
        rest &= !group;
    }
    (weak, liberties)
}

/// The cells with at least two neighbors in a set.
#[inline]
fn with_two_neighbors_in(set: Bitboard) -> Bitboard {
    let across = set | set << 1;
    let back = set | set >> 1;
    let (up, down) = (across << 14, back >> 14);
    let both_up = (set & set << 1) << 14;
    let both_down = (set & set >> 1) >> 14;
    let (left, right) = (set << 1, set >> 1);
    let along = left | right;
    left & right | both_up | both_down | up & down | along & (up | down)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{HexGrid, HexShape, cells_of};
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
                let line = cells_of(stones).any(|cell| longest(grid, stones, cell) >= length);
                assert_eq!(has_line(stones, length), line, "{length}");
                let free = grid.all() & !stones;
                let found = completions(stones, length) & free;
                let wanted = cells_of(free).filter(|&cell| longest(grid, stones, cell) >= length);
                assert_eq!(
                    cells_of(found).collect::<Vec<_>>(),
                    wanted.collect::<Vec<_>>(),
                    "{length}"
                );
            }
        }
    }

    #[test]
    fn groups_in_danger_are_those_with_one_liberty() {
        let mut rng = Rng::with_seed(5);
        let mut found = 0;
        for _ in 0..3000 {
            let grid = HexGrid::new(HexShape::HalfHexagon, 7).unwrap();
            let stones = grid.all() & rng.u128(..);
            let empty = grid.all() & !stones & rng.u128(..) & (rng.u128(..) | rng.u128(..));
            let liberties = |cell| neighbors_of(group_of(stones, cell)) & empty;
            let one = |cell: &Cell| liberties(*cell).is_power_of_two();
            let (weak, free) = in_atari(stones, empty);
            assert_eq!(
                cells_of(weak).collect::<Vec<_>>(),
                cells_of(stones).filter(one).collect::<Vec<_>>()
            );
            let wanted = cells_of(weak).fold(0, |set, cell| set | liberties(cell));
            assert_eq!(free, wanted);
            let none =
                cells_of(stones).filter(|&cell| liberties(cell) == 0).fold(0, |s, c| s | bit(c));
            assert_eq!(surrounded(stones, stones, empty), none);
            found += weak.count_ones();
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn counting_neighbors() {
        let grid = HexGrid::new(HexShape::HalfHexagon, 7).unwrap();
        let mut rng = Rng::with_seed(2);
        for _ in 0..1000 {
            let set = grid.all() & rng.u128(..) & rng.u128(..);
            let twice = grid.iter().filter(|&c| (neighbors(c) & set).count_ones() >= 2);
            let found = cells_of(with_two_neighbors_in(set) & grid.all());
            assert_eq!(found.collect::<Vec<_>>(), twice.collect::<Vec<_>>());
        }
    }
}
