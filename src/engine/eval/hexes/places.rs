//! Where the numbers of [`HexWeights`](super::HexWeights) stand: tuples that are alike share one.

use super::tuples::{CONTENTS, Contents, RING, RINGS, SPAN};

/// The numbers of values that belong to no tuple, after those that do.
pub(super) const VALUE_TERMS: [&str; 3] = ["tempo", "takeable", "losable"];
/// The place of a move in a span takes so many bits.
pub(super) const PLACE_BITS: u32 = 3;
/// Moves in a span: its contents, then the place of the move.
pub(super) const MOVES: usize = (RINGS as usize) << PLACE_BITS;
/// Moves in the middle of a ring: the contents around it.
pub(super) const MOVES_IN_RINGS: usize = 1 << (2 * (RING - 1));
/// The most stones that a move takes for its order; more count as so many.
pub(super) const MOST_TAKEN: usize = 5;

/// Where a number of values stands.
pub(super) struct HexValue;

impl HexValue {
    pub(super) const TEMPO: u16 = CONTENTS as u16;
    pub(super) const TAKEABLE: u16 = HexValue::TEMPO + 1;
    pub(super) const LOSABLE: u16 = HexValue::TEMPO + 2;

    /// Of a tuple with those contents, in the view of the color to move.
    pub(super) fn of(contents: Contents) -> u16 {
        match contents.checked_sub(RINGS) {
            None => contents.min(reversed(contents)),
            Some(ring) => RINGS + turned(ring),
        }
    }
}

/// Where a number of the order of moves stands.
pub(super) struct HexOrder;

impl HexOrder {
    pub(super) const SAVES: u16 = (MOVES + MOVES_IN_RINGS + MOST_TAKEN) as u16;

    /// Of a move on an empty cell at a place of a tuple with those contents.
    pub(super) fn of(contents: Contents, place: u8) -> u16 {
        let there = match contents.checked_sub(RINGS) {
            None => {
                let back = HexOrder::index(reversed(contents), SPAN as u8 - 1 - place);
                HexOrder::index(contents, place).min(back)
            }
            Some(ring) => HexOrder::index(RINGS + turned(ring), 0),
        };
        there as u16
    }

    /// The same with nothing taken for alike: in the middle of a ring after all others.
    #[inline]
    pub(super) fn index(contents: Contents, place: u8) -> usize {
        match contents.checked_sub(RINGS) {
            None => usize::from(contents) << PLACE_BITS | usize::from(place),
            Some(ring) => MOVES + usize::from(ring >> 2),
        }
    }

    /// Of a move that takes so many stones, one at least.
    pub(super) fn takes(stones: usize) -> u16 {
        (MOVES + MOVES_IN_RINGS + stones.clamp(1, MOST_TAKEN) - 1) as u16
    }
}

/// A span from its other end.
fn reversed(span: Contents) -> Contents {
    (0..SPAN).fold(0, |all, place| all << 2 | (span >> (2 * place) & 3))
}

/// The least of the ways to turn a ring and to look at it in a mirror.
fn turned(ring: Contents) -> Contents {
    const AROUND: u32 = RING as u32 - 1;
    let (middle, around) = (ring & 3, ring >> 2);
    let digit = |n: u32| around >> (2 * (n % AROUND)) & 3;
    let read = |by: u32, back: bool| {
        (0..AROUND).fold(0, |all, n| {
            let n = if back { by + AROUND - n } else { by + n };
            all << 2 | digit(n)
        })
    };
    let ways = (0..AROUND).flat_map(|by| [read(by, false), read(by, true)]);
    ways.min().unwrap_or(around) << 2 | middle
}

/// Contents in the view of the other color.
pub(super) fn swapped(contents: Contents) -> Contents {
    let (rings, cells) = if contents < RINGS { (0, contents) } else { (RINGS, contents - RINGS) };
    rings + ((cells & 0x5555) << 1 | (cells >> 1 & 0x5555))
}
