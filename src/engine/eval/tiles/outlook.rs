//! What the tiles that are left can still change.

use pentarch_core::game::{Color, Position as _, Side};
use pentarch_core::stacking::{Layers, Pentomino, Position};

/// The shapes of a set of bits.
pub(super) fn shapes(set: u16) -> impl Iterator<Item = Pentomino> {
    Pentomino::all().filter(move |shape| set >> shape.index() & 1 != 0)
}

/// How many tiles are still to be placed.
#[inline]
pub(super) fn plies_left(position: &Position) -> u32 {
    Position::TILES - position.ply()
}

/// Who wins when one tile is left, if anybody: it can only go to one level.
pub(super) fn last_tile(position: &Position) -> Option<Side> {
    let color = position.color_to_move();
    let level =
        shapes(position.shapes_left(color)).next().map(|shape| position.highest_level(shape));
    let mut counts = [*position.counts(Color(0)), *position.counts(Color(1))];
    if let Some(level) = level {
        counts[color.index() & 1][usize::from(level)] += 1;
    }
    position.scoring().leader(&counts)
}

/// Who is ahead in the end if all goes as well as can be imagined for one side: its tiles to the
/// best level, the other side's to the worst.
pub(super) fn best_case(position: &Position, side: Side) -> Option<Side> {
    let most = highest_possible(position);
    let (best, worst) = if position.scoring().misere { (1, most) } else { (most, 1) };
    let mut counts = [*position.counts(Color(0)), *position.counts(Color(1))];
    for (index, counts) in counts.iter_mut().enumerate() {
        let left = position.shapes_left(Color(index as u8)).count_ones() as u8;
        counts[if index == side.index() { best } else { worst }] += left;
    }
    position.scoring().leader(&counts)
}

/// A level that no tile can come above any more: each new level needs two tiles on the one below.
fn highest_possible(position: &Position) -> usize {
    let mut level = usize::from(position.top());
    let lying = |level: usize| position.counts(Color(0))[level] + position.counts(Color(1))[level];
    let mut needed = 2_u32.saturating_sub(u32::from(lying(level)));
    let mut left = plies_left(position);
    while left > needed && level < Layers::MAX_LEVEL {
        left -= needed;
        level += 1;
        needed = 2;
    }
    level
}
