//! What cells are worth, in words that are quick to add up.

use super::shapes::Urgency;

/// The values of a cell for the color that is to move and for the other, and its urgency, all in one
/// word: one look-up instead of three, and one sum instead of two.
///
/// The second value begins at bit 0, the first at [`Worth::FIRST`]; a second value below 0 borrows from
/// the first, as it does in a sum. What a sum carries out of the values is lost in the urgency, which is
/// not to be added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Worth(u64);

impl Worth {
    /// Room for sums of as many values of 16 bits as there are cells.
    const FIRST: u32 = 30;
    const URGENCY: u32 = 61;

    #[inline]
    pub(super) fn new([first, second]: [i16; 2], urgency: Urgency) -> Worth {
        let values = ((i64::from(first) << Worth::FIRST) + i64::from(second)) as u64;
        Worth(values & ((1 << Worth::URGENCY) - 1) | (urgency as u64) << Worth::URGENCY)
    }

    /// The number of the urgency.
    #[inline]
    pub(super) fn urgency(self) -> usize {
        (self.0 >> Worth::URGENCY) as usize
    }
}

/// The sum of worths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total(u64);

impl Total {
    /// Takes a worth off and adds another.
    #[inline]
    pub(super) fn exchange(&mut self, old: Worth, new: Worth) {
        self.0 = self.0.wrapping_add(new.0).wrapping_sub(old.0);
    }

    /// The sum of the values for the color that is to move, `role` 0, or for the other, 1.
    #[inline]
    pub(super) fn value(self, role: usize) -> i32 {
        let sign_extend = |word: u64, bits: u32| (word << (64 - bits)) as i64 >> (64 - bits);
        let second = sign_extend(self.0, Worth::FIRST);
        if role == 1 {
            return second as i32;
        }
        let first = self.0.wrapping_sub(second as u64) >> Worth::FIRST;
        sign_extend(first, Worth::URGENCY - Worth::FIRST) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use pentarch_core::game::Cell;

    #[test]
    fn totals_are_the_sums_of_values() {
        let mut rng = Rng::with_seed(3);
        for range in [-9..=9, i16::MIN..=i16::MIN, i16::MAX..=i16::MAX, i16::MIN..=i16::MAX] {
            let (mut total, mut sums) = (Total::default(), [0; 2]);
            let mut cells = [([0; 2], Worth::default()); Cell::LIMIT];
            for round in 0..3 * Cell::LIMIT {
                let (values, worth) = &mut cells[round % Cell::LIMIT];
                let new = [0; 2].map(|_| rng.i16(range.clone()));
                let urgency = Urgency::ABOVE_QUIET[round % Urgency::ABOVE_QUIET.len()];
                let changed = Worth::new(new, urgency);
                assert_eq!(changed.urgency(), urgency as usize);
                total.exchange(*worth, changed);
                for role in 0..2 {
                    sums[role] += i32::from(new[role]) - i32::from(values[role]);
                }
                (*values, *worth) = (new, changed);
                assert_eq!([0, 1].map(|role| total.value(role)), sums);
            }
        }
    }
}
