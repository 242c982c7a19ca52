//! Wins in one, threats to win, and every answer to them.

use pentarch_core::board::{Bitboard, HEX_STEPS, bit, cells_of, lowest_cell, neighbors_of};
use pentarch_core::game::{Color, Position as _};
use pentarch_core::hexes::{Position, completions, group_of, in_atari};

/// The cells that complete a row of a color, empty or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Completions {
    /// Of a row that wins.
    pub wins: Bitboard,
    /// Of a row that loses, and none that wins.
    pub losses: Bitboard,
}

impl Completions {
    #[inline]
    pub(super) fn of(position: &Position, color: Color) -> Completions {
        let (stones, hexes) = (position.stones(color), position.hexes());
        let wins = completions(stones, hexes.line);
        let losses = hexes.losing_line.map_or(0, |length| completions(stones, length) & !wins);
        Completions { wins, losses }
    }
}

/// The cells where a color would win at once if it were to move.
#[inline]
pub(super) fn winning_cells(
    position: &Position,
    color: Color,
    completions: &Completions,
) -> Bitboard {
    let cells = completions.wins & position.empty();
    // Winning stones are legal under `must_block`, too: a player may always win instead.
    if cells == 0 || !position.hexes().surround {
        cells
    } else {
        position.legal_among(color, cells)
    }
}

/// The cells where the next color could win after the color to move.
#[inline]
pub(super) fn threats(position: &Position, next: Color, completions: &Completions) -> Bitboard {
    // The limit of plies may end the game before.
    if position.plies_left() < 2 { 0 } else { winning_cells(position, next, completions) }
}

/// Every cell where the color to move may prevent a win of the next color on some of `threats`.
///
/// A stone can only help if it occupies the cell, captures a stone, or takes the last liberty that the winning
/// stone would have.
pub(super) fn answers(position: &Position, threats: Bitboard, next: Color) -> Bitboard {
    let mover = position.color_to_move();
    let single = threats.is_power_of_two();
    if !position.hexes().surround {
        // One stone cannot occupy two cells, and there are no captures.
        return if single { threats } else { 0 };
    }
    let mut cells = threats | capturing_cells(position, mover);
    let stones = position.stones(next);
    for cell in cells_of(threats) {
        let group = group_of(stones, cell);
        let free = neighbors_of(group) & position.empty() & !bit(cell);
        if free.is_power_of_two() {
            cells |= free;
        }
    }
    position.legal_among(mover, cells & position.empty())
}

/// The empty cells where a stone of a color captures.
pub(super) fn capturing_cells(position: &Position, color: Color) -> Bitboard {
    if !position.hexes().surround {
        return 0;
    }
    let others = (0..3).map(Color).filter(|&other| other != color);
    others.fold(0, |cells, other| cells | in_atari(position.stones(other), position.empty()).1)
}

/// The empty cells where a stone of a color makes a row that lacks one more stone.
pub(super) fn building_cells(position: &Position, color: Color) -> Bitboard {
    let (own, empty, line) = (position.stones(color), position.empty(), position.hexes().line);
    let open = own | empty;
    let axis = |step: u32| {
        // The first cells of open windows, and the number of stones in each window in binary, a set for each digit.
        let (mut whole, mut ones, mut twos, mut fours) = (!0, 0, 0, 0);
        for n in 0..u32::from(line) {
            let stone = own >> (n * step);
            let carry = ones & stone;
            ones ^= stone;
            fours |= twos & carry;
            twos ^= carry;
            whole &= open >> (n * step);
        }
        let bits = |count: u8| {
            let pick = |set: Bitboard, bit: u8| if count >> bit & 1 != 0 { set } else { !set };
            pick(ones, 0) & pick(twos, 1) & pick(fours, 2)
        };
        let windows = whole & bits(line - 2);
        (0..u32::from(line)).fold(0, |cells, n| cells | windows << (n * step))
    };
    (axis(HEX_STEPS[0]) | axis(HEX_STEPS[1]) | axis(HEX_STEPS[2])) & empty
}

/// A winning cell of the color to move, if there is one.
#[inline]
pub(super) fn winning_cell(position: &Position, completions: &Completions) -> Option<Bitboard> {
    let cells = winning_cells(position, position.color_to_move(), completions);
    (cells != 0).then(|| bit(lowest_cell(cells)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use pentarch_core::game::{Move, MoveList};

    /// Calls `look` with every position of random games that is not over.
    fn at_every_ply(specs: &[&str], mut look: impl FnMut(&mut Position)) {
        for (spec, seed) in specs.iter().flat_map(|spec| (0..12).map(move |seed| (spec, seed))) {
            let mut rng = Rng::with_seed(seed);
            let mut position = Position::new(spec.parse().unwrap());
            let mut moves = MoveList::new();
            while position.outcome().is_none() {
                look(&mut position);
                moves.clear();
                position.legal_moves(&mut moves);
                position.play(moves[rng.usize(..moves.len())]);
            }
        }
    }

    fn legal(position: &Position) -> MoveList {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        moves
    }

    /// The cells where the color to move wins at once, found by playing every move.
    fn wins(position: &mut Position) -> Bitboard {
        let mover = position.side_of(position.to_move());
        let mut cells = 0;
        for mv in legal(position) {
            position.play(mv);
            let won = position.outcome().is_some_and(|outcome| outcome.winner == Some(mover));
            position.undo();
            cells |= mv.cell().filter(|_| won).map_or(0, bit);
        }
        cells
    }

    const SPECS: [&str; 5] = [
        "pentalath",
        "pentalath+side=5+line=4",
        "pentalath-hex+side=4",
        "yavalath",
        "pentalath+side=4+line=3",
    ];

    #[test]
    fn winning_cells_are_those_that_win() {
        let mut found = 0;
        at_every_ply(&SPECS, |position| {
            let color = position.color_to_move();
            let cells = winning_cells(position, color, &Completions::of(position, color));
            // In these games no move wins by a losing row of the other color.
            assert_eq!(cells, wins(position), "{}", position.text());
            found += cells.count_ones();
        });
        assert!(found > 100, "{found}");
    }

    #[test]
    fn no_other_move_answers_a_threat() {
        let (mut threatened, mut refuted) = (0, 0);
        at_every_ply(&SPECS, |position| {
            let next = position.next_color();
            let threats = winning_cells(position, next, &Completions::of(position, next));
            if threats == 0 || wins(position) != 0 {
                return;
            }
            threatened += 1;
            let cells = answers(position, threats, next);
            for mv in legal(position) {
                position.play(mv);
                let saved = position.outcome().is_none_or(|outcome| outcome.winner.is_none())
                    && wins(position) == 0;
                position.undo();
                let listed = mv.cell().is_some_and(|cell| cells & bit(cell) != 0);
                assert!(!saved || listed, "{} {}", position.text(), position.move_text(mv));
                refuted += u32::from(!listed);
            }
        });
        assert!(threatened > 100 && refuted > 1000, "{threatened} {refuted}");
    }

    #[test]
    fn building_cells_leave_a_row_to_complete() {
        at_every_ply(&SPECS, |position| {
            let color = position.color_to_move();
            let before = completions(position.stones(color), position.hexes().line);
            let cells = building_cells(position, color);
            for cell in cells_of(position.empty()) {
                let stones = position.stones(color) | bit(cell);
                let free = position.empty() & !bit(cell);
                let new = completions(stones, position.hexes().line) & free & !before;
                assert!(new == 0 || cells & bit(cell) != 0, "{}", position.text());
            }
        });
    }

    #[test]
    fn capturing_cells_are_those_that_take() {
        let mut found = 0;
        at_every_ply(&["pentalath", "pentalath-3"], |position| {
            let cells = capturing_cells(position, position.color_to_move());
            for mv in legal(position).iter().filter_map(|mv: &Move| mv.cell()) {
                let takes = position.captured_by(position.color_to_move(), mv) != 0;
                assert_eq!(takes, cells & bit(mv) != 0);
                found += u32::from(takes);
            }
        });
        assert!(found > 20, "{found}");
    }
}
