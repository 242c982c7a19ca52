//! Where to look for moves when nothing is urgent: near the stones.

use super::pattern_map::PatternMap;
use super::shapes::Shape;
use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, Move, MoveList, Position as _};
use pentarch_core::placement::Position;

/// Adds the center, from which most lines go out, or every legal move if it is taken.
pub(super) fn push_first_stone(position: &Position, moves: &mut MoveList) {
    let center = Move::stone(position.grid().center());
    if position.is_legal(center) {
        moves.push(center);
    } else {
        position.legal_moves(moves);
    }
}

/// Adds stones on the empty cells within two king's steps of a stone.
pub(super) fn push_near_stones(position: &Position, moves: &mut MoveList) {
    for_each_near_stones(position, |cell| moves.push(Move::stone(cell)));
}

/// Calls `visit` with every empty cell within two king's steps of a stone, in order: rows of bits are
/// spread sideways, then upwards and downwards.
#[inline]
pub(super) fn for_each_near_stones(position: &Position, mut visit: impl FnMut(Cell)) {
    let grid = position.grid();
    let rows = usize::from(grid.rows());
    let all = (1u32 << grid.columns()) - 1;
    let mut taken = [0u32; Grid::MAX as usize + 4];
    let mut spread = [0u32; Grid::MAX as usize + 4];
    for row in 0..rows {
        let bits = position.board().occupied_row(row as u8);
        taken[row + 2] = bits;
        spread[row + 2] = bits | bits << 1 | bits << 2 | bits >> 1 | bits >> 2;
    }
    for row in 0..rows {
        let near = spread[row..row + 5].iter().fold(0, |bits, other| bits | other);
        let mut free = near & !taken[row + 2] & all;
        while free != 0 {
            visit(grid.at(free.trailing_zeros() as u8, row as u8));
            free &= free - 1;
        }
    }
}

/// Adds the legal moves near the stones while an opening limits where they may go: none is more than
/// two king's steps farther from them than the nearest. Before the first stone they are all near.
pub(super) fn push_nearest_legal(position: &Position, moves: &mut MoveList) {
    let grid = position.grid();
    let is_taken = |&cell: &Cell| position.board().content(cell).color().is_some();
    let stones: Vec<Cell> = grid.iter().filter(is_taken).collect();
    let distance = |mv: &Move| {
        let nearest = |cell| stones.iter().map(|&stone| grid.chebyshev(stone, cell)).min();
        mv.cell().and_then(nearest).unwrap_or(0)
    };
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let nearest = legal.iter().map(distance).min().unwrap_or(0);
    moves.extend(legal.into_iter().filter(|mv| distance(mv) <= nearest + 2));
}

/// Whether a move of the side to move may depend on one that it made before
/// ([`ThreatGenerator::depends_on`](crate::search::ThreatGenerator::depends_on)): it captures, or both
/// could be part of one winning line as far as their distance goes.
pub(super) fn depends_on<const N: usize>(
    position: &Position,
    patterns: &PatternMap<N>,
    mv: Move,
    earlier: Move,
) -> bool {
    let mover = position.color_to_move();
    let length = position.rules().line_of(mover).length();
    let captures = |cell| patterns.at(mover, cell).captured_stones() > 0;
    let aligned = |(a, b)| position.grid().is_aligned(a, b, length - 1);
    mv.cell().is_some_and(captures) || mv.cell().zip(earlier.cell()).is_none_or(aligned)
}

/// Whether a threat of the side to move may lead to another
/// ([`ThreatGenerator::threat_moves`](crate::search::ThreatGenerator::threat_moves)): besides the line of the
/// threat it lies on one with a stone with which it can grow to an open three. That a search with little to
/// spend should follow only such fours is read in Rapfi. Where there are captures all threats may: to leave
/// some out lost games there.
pub(super) fn continues_vcf<const N: usize>(
    position: &Position,
    patterns: &PatternMap<N>,
    mv: Move,
) -> bool {
    let Some(cell) = mv.cell() else { return true };
    if position.rules().capture().is_some() {
        return true;
    }
    patterns.at(position.color_to_move(), cell).lines_with(Shape::OpenTwo) > 1
}
