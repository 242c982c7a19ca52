//! What the contents of tuples are worth: by fitted weights, or by the stones in windows of as many cells
//! in a row as win.

use super::places::{HexOrder, HexValue, MOST_TAKEN, PLACE_BITS, swapped};
use super::tuples::{CONTENTS, Contents, RING, RINGS, SPAN};
use super::weights::HexWeights;
use crate::eval::scale::Scale;
use pentarch_core::game::Color;
use pentarch_core::rules::HexBoardRules;

/// What tuples are worth by their contents, and what counts beside them.
#[derive(Clone, Debug)]
pub(super) struct Worth {
    /// By contents: what a tuple is worth to each color - when it is to move, if weights are fitted.
    value: Vec<[i16; 3]>,
    /// For each color by contents and place, as [`HexOrder::index`] counts: the ordering score of a stone
    /// there.
    order: [Vec<i16>; 3],
    pub terms: Terms,
    pub scale: Scale,
    /// Whether values are whole in the view of the color to move.
    pub fitted: bool,
}

/// What a position and a move are worth beside tuples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Being to move.
    pub tempo: i32,
    /// Each stone that the side to move could take.
    pub takeable: i32,
    /// Each that it could lose.
    pub losable: i32,
    /// The order of a move by the stones that it takes.
    pub takes: [i32; MOST_TAKEN + 1],
    /// That of one that saves some.
    pub saves: i32,
}

impl Terms {
    /// Chosen by matches of `pentalath` at 5000 nodes a move, 300 games a step; smaller values of stones
    /// in danger are weaker, larger ones no better.
    const CHOSEN: Terms = Terms {
        tempo: 12,
        takeable: 80,
        losable: -50,
        takes: [0, 120, 180, 240, 300, 360],
        saves: 60,
    };
}

/// The value of a window by its stones of one color, with none of others: chosen by matches
/// of the engine against itself, 200 games at 2000 nodes a move.
const FIVES: [i16; 7] = [0, 4, 14, 42, 110, 0, 0];
const FOURS: [i16; 7] = [0, 5, 16, 40, 0, 0, 0];
const OTHERS: [i16; 7] = [0, 5, 15, 40, 90, 120, 0];
/// The ordering score of a move for each point of what it gains in windows.
const ORDER: i16 = 4;

impl Worth {
    /// By fitted weights.
    pub(super) fn of_weights(weights: &HexWeights) -> Worth {
        let value = |place: u16| weights.values()[usize::from(place)];
        let order = |place: u16| weights.ordering()[usize::from(place)];
        let mut takes = [0; MOST_TAKEN + 1];
        for (stones, takes) in takes.iter_mut().enumerate().skip(1) {
            *takes = order(HexOrder::takes(stones)).into();
        }
        let terms = Terms {
            tempo: value(HexValue::TEMPO).into(),
            takeable: value(HexValue::TAKEABLE).into(),
            losable: value(HexValue::LOSABLE).into(),
            takes,
            saves: order(HexOrder::SAVES).into(),
        };
        let pair = |[own, other]: [i16; 2]| [own, other, 0];
        let views = |contents: Contents| [contents, swapped(contents)];
        let in_view = |view: fn(Contents) -> Contents| -> Vec<i16> {
            moves().map(|(contents, place)| order(HexOrder::of(view(contents), place))).collect()
        };
        Worth {
            value: (0..CONTENTS as Contents)
                .map(|contents| pair(views(contents).map(|contents| value(HexValue::of(contents)))))
                .collect(),
            order: [in_view(|contents| contents), in_view(swapped), Vec::new()],
            terms,
            scale: Scale::FITTED_HEXES,
            fitted: true,
        }
    }

    /// By the number of stones in windows.
    pub(super) fn of_windows(hexes: HexBoardRules) -> Worth {
        let values = match hexes.line {
            5 => FIVES,
            4 => FOURS,
            _ => OTHERS,
        };
        let of = |contents: Contents, worth: fn(&[i16; 7], [usize; 3]) -> i16| {
            let [a, b, c] = stones(contents, hexes.line);
            [worth(&values, [a, b, c]), worth(&values, [b, c, a]), worth(&values, [c, a, b])]
        };
        let all = 0..1 << (2 * hexes.line);
        let order = |color: usize| {
            let gains = all.clone().map(|contents| ORDER * of(contents, gain)[color]);
            gains.flat_map(|order| [order; 1 << PLACE_BITS]).collect()
        };
        Worth {
            order: [0, 1, 2].map(order),
            value: all.map(|contents| of(contents, value)).collect(),
            terms: Terms::CHOSEN,
            scale: Scale::of_hexes(hexes),
            fitted: false,
        }
    }

    /// What a tuple of those contents is worth to each color.
    #[inline]
    pub(super) fn value(&self, contents: Contents) -> [i16; 3] {
        self.value.get(usize::from(contents)).copied().unwrap_or_default()
    }

    /// The part of the ordering score of a stone of a color that a tuple gives which it is placed in.
    #[inline]
    pub(super) fn order(&self, color: Color, contents: Contents, place: u8) -> i32 {
        let scores = &self.order[color.index() % 3];
        scores.get(HexOrder::index(contents, place)).map_or(0, |&score| score.into())
    }
}

/// All moves in spans and rings in the order of [`HexOrder::index`]; those at places that no span has are
/// at its last one.
fn moves() -> impl Iterator<Item = (Contents, u8)> {
    let places = 0..1 << PLACE_BITS;
    let in_spans = (0..RINGS).flat_map(move |contents| {
        places.clone().map(move |n: u8| (contents, n.min(SPAN as u8 - 1)))
    });
    let in_rings = (0..1 << (2 * (RING - 1))).map(|around: Contents| (RINGS + (around << 2), 0));
    in_spans.chain(in_rings)
}

/// The stones of each color in a window of so many cells.
fn stones(contents: Contents, cells: u8) -> [usize; 3] {
    let mut stones = [0; 3];
    for place in 0..cells {
        if let Some(color) = usize::from(contents >> (2 * place) & 3).checked_sub(1) {
            stones[color] += 1;
        }
    }
    stones
}

/// What the first color's stones are worth, alone in a window.
fn value(values: &[i16; 7], [own, a, b]: [usize; 3]) -> i16 {
    if a + b == 0 { values[own.min(6)] } else { 0 }
}

/// What one stone more of the first color is worth there: a longer row of one's own, or rows of others
/// that are cut.
fn gain(values: &[i16; 7], [own, a, b]: [usize; 3]) -> i16 {
    match (own, a.min(b)) {
        _ if a + b == 0 => {
            values[(own + 1).min(6)].max(values[own.min(6)]) - values[own.min(6)] + 1
        }
        (0, 0) => values[(a + b).min(6)],
        _ => 0,
    }
}
