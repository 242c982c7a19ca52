//! The part of a position's key that is not on the board, with what only some rulesets have.

use super::Extra;
use crate::game::{CAP_IN_SIGHT, mix};
use crate::placement::pipeline::State;

/// Odd factors for words that are scrambled together.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];

impl State {
    /// All of the state as a number, for the key: the `counts` that a goal depends on, how much of the opening
    /// is over and how many plies are left to the cap are the caller's.
    ///
    /// It is asked for twice a ply, so the words of what can differ are scrambled together instead of one after
    /// the other. Odd factors keep them apart until then.
    #[inline]
    pub(in crate::placement) fn variant_key(
        &self,
        counts: [u16; 4],
        opened: u32,
        plies_left: u32,
    ) -> u64 {
        let Extra { stage, swapped, neutral, special, five, first, .. } = self.extra;
        let counts = counts.into_iter().rev().fold(0, |all, count| all << 16 | u64::from(count));
        let placed =
            u64::from(u32::from_le_bytes(neutral)) << 32 | u64::from(u32::from_le_bytes(special));
        let five = five.map_or(0, |five| u64::from(five.maker.0) << 2 | u64::from(five.left));
        let turn = u64::from(self.color.0) | u64::from(self.seat.0) << 4 | (stage as u64) << 8;
        let rest = turn
            | u64::from(swapped) << 12
            | five << 16
            | u64::from(opened) << 24
            | u64::from(plies_left.min(CAP_IN_SIGHT)) << 32
            | first.map_or(0, |cell| u64::from(cell.0) + 1) << 48;
        mix(counts ^ placed.wrapping_mul(FACTORS[0]) ^ rest.wrapping_mul(FACTORS[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cell, Color, Seat};
    use crate::placement::variant::Answered;
    use crate::rules::Stage;
    use std::collections::BTreeSet;

    #[test]
    fn whatever_differs_in_states_their_keys_tell_it() {
        let start = State::start(&"pente-plus".parse().unwrap());
        let five = |maker, left| Some(Answered { maker: Color(maker), left });
        let others: [fn(&mut State); 13] = [
            |_| (),
            |state| state.color = Color(1),
            |state| state.seat = Seat(1),
            |state| state.extra.stage = Stage::More,
            |state| state.extra.swapped = true,
            |state| state.extra.neutral[0] = 1,
            |state| state.extra.neutral[3] = 1,
            |state| state.extra.special[0] = 1,
            |state| state.extra.special[0] = 2,
            |state| state.extra.special[1] = 1,
            |state| state.extra.special[3] = 1,
            |state| state.extra.first = Some(Cell(0)),
            |state| state.extra.first = Some(Cell(624)),
        ];
        let mut states: Vec<_> = others.into_iter().map(|change| changed(start, change)).collect();
        for five in [five(0, 1), five(0, 2), five(1, 1), five(3, 3)] {
            states.push(changed(start, |state| state.extra.five = five));
        }
        let left = [0, 1, CAP_IN_SIGHT - 1, CAP_IN_SIGHT];
        let counts = [[0; 4], [2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2]];
        let mut keys = BTreeSet::new();
        for (state, counts) in states.iter().flat_map(|state| counts.map(|counts| (state, counts)))
        {
            let key = |opened| left.map(|left| state.variant_key(counts, opened, left));
            keys.extend([0, 1, 8].into_iter().flat_map(key));
        }
        assert_eq!(keys.len(), states.len() * counts.len() * 3 * left.len());
        assert_eq!(
            start.variant_key([0; 4], 0, CAP_IN_SIGHT),
            start.variant_key([0; 4], 0, CAP_IN_SIGHT + 1)
        );
    }

    fn changed(mut state: State, change: impl FnOnce(&mut State)) -> State {
        change(&mut state);
        state
    }
}
