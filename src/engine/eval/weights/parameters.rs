//! Weights as flat lists of numbers, which a fit works on.

use super::{Urgency, Weights};
use std::sync::LazyLock;

/// The number of ways in which four lines can have shapes, whatever their order.
pub(in crate::eval) const CLASSES: usize = 330;

/// The shapes of each class, in falling order, and the class of four shapes of three bits each.
static TABLE: LazyLock<(Vec<[u8; 4]>, Vec<u16>)> = LazyLock::new(|| {
    let (mut digits, mut classes) = (Vec::new(), vec![0; 1 << 12]);
    for index in 0..1usize << 12 {
        let shapes = [9, 6, 3, 0].map(|shift| (index >> shift & 7) as u8);
        if shapes.is_sorted_by(|a, b| a >= b) {
            for order in orders_of(shapes) {
                classes[order] = digits.len() as u16;
            }
            digits.push(shapes);
        }
    }
    (digits, classes)
});

/// The shapes of a class, in falling order.
pub(super) fn class_digits(class: usize) -> [u8; 4] {
    TABLE.0[class]
}

/// The class of four shapes of three bits each.
pub(in crate::eval) fn class_of(shapes: usize) -> usize {
    usize::from(TABLE.1[shapes & 0xfff])
}

/// The four shapes, three bits each, in every order; some come more than once.
pub(super) fn orders_of(shapes: [u8; 4]) -> impl Iterator<Item = usize> {
    let places = (0..256usize).map(|order| [0, 2, 4, 6].map(|shift| order >> shift & 3));
    let all =
        |places: &[usize; 4]| places.iter().fold(0, |seen, place| seen | 1 << place) == 0b1111;
    places.filter(all).map(move |places| {
        let directions = places.iter().enumerate();
        directions.fold(0, |index, (direction, &place)| {
            index | usize::from(shapes[place]) << (3 * direction)
        })
    })
}

/// Where the weights of values stand. Roles are 0 for the color to move and 1 for the other.
pub(in crate::eval) struct ValuePlace;

impl ValuePlace {
    pub(in crate::eval) const COUNT: usize = ValuePlace::VULNERABLE + 2;
    const THREATS: usize = 2 * CLASSES;
    const POINTS: usize = ValuePlace::THREATS + 4 * Urgency::COUNT * Urgency::COUNT;
    const COUNTS: usize = ValuePlace::POINTS + 20;
    const CAPTURE_THREAT: usize = ValuePlace::COUNTS + 20;
    const VULNERABLE: usize = ValuePlace::CAPTURE_THREAT + 2;

    pub(in crate::eval) fn cell(shapes: usize, role: usize) -> usize {
        2 * class_of(shapes) + role
    }

    pub(in crate::eval) fn threat(urgencies: [Urgency; 2], captures: [bool; 2]) -> usize {
        ValuePlace::THREATS + ValuePlace::threat_kind(urgencies, captures)
    }

    /// The number of a kind of position by its most urgent cells and captures.
    #[inline]
    pub(in crate::eval) fn threat_kind(urgencies: [Urgency; 2], captures: [bool; 2]) -> usize {
        let [own, their] = urgencies.map(|urgency| urgency as usize);
        let captures = usize::from(captures[0]) * 2 + usize::from(captures[1]);
        4 * (Urgency::COUNT * own + their) + captures
    }

    pub(in crate::eval) fn point(tenths: usize, role: usize) -> usize {
        ValuePlace::POINTS + 10 * role + tenths
    }

    pub(in crate::eval) fn count(tenths: usize, role: usize) -> usize {
        ValuePlace::COUNTS + 10 * role + tenths
    }

    pub(in crate::eval) fn capture_threat(role: usize) -> usize {
        ValuePlace::CAPTURE_THREAT + role
    }

    pub(in crate::eval) fn vulnerable(role: usize) -> usize {
        ValuePlace::VULNERABLE + role
    }
}

/// Where the weights of ordering stand. Roles are 0 for what a move makes and 1 for what it stops.
pub(in crate::eval) struct OrderingPlace;

impl OrderingPlace {
    pub(in crate::eval) const COUNT: usize =
        OrderingPlace::URGENCY + Urgency::COUNT * Urgency::COUNT;
    const STONES: usize = 2 * CLASSES;
    const ATTACKS: usize = OrderingPlace::STONES + 8;
    const EXPOSES: usize = OrderingPlace::ATTACKS + 8;
    const URGENCY: usize = OrderingPlace::EXPOSES + 8;

    pub(in crate::eval) fn cell(shapes: usize, role: usize) -> usize {
        2 * class_of(shapes) + role
    }

    pub(in crate::eval) fn stones(class: usize, role: usize) -> usize {
        OrderingPlace::STONES + 4 * role + class
    }

    pub(in crate::eval) fn attacks(lines: usize, role: usize) -> usize {
        OrderingPlace::ATTACKS + 4 * role + lines
    }

    pub(in crate::eval) fn exposes(lines: usize, role: usize) -> usize {
        OrderingPlace::EXPOSES + 4 * role + lines
    }

    pub(in crate::eval) fn urgency(own: Urgency, their: Urgency) -> usize {
        OrderingPlace::URGENCY + Urgency::COUNT * own as usize + their as usize
    }
}

impl Weights {
    /// The number of weights of values.
    pub const VALUES: usize = ValuePlace::COUNT;
    /// The number of weights of ordering.
    pub const ORDERING: usize = OrderingPlace::COUNT;

    /// The weights of values in a row.
    pub fn values(&self) -> Vec<i16> {
        let mut values = Vec::with_capacity(Weights::VALUES);
        self.clone().each_value(|value| values.push(*value));
        values
    }

    /// Sets the weights of values; there are [`Weights::VALUES`].
    pub fn set_values(&mut self, values: &[i16]) {
        let mut values = values.iter();
        self.each_value(|value| *value = values.next().copied().unwrap_or_default());
    }

    /// The weights of ordering in a row.
    pub fn ordering(&self) -> Vec<i16> {
        let mut scores = Vec::with_capacity(Weights::ORDERING);
        self.clone().each_ordering(|score| scores.push(*score));
        scores
    }

    /// Sets the weights of ordering; there are [`Weights::ORDERING`].
    pub fn set_ordering(&mut self, scores: &[i16]) {
        let mut scores = scores.iter();
        self.each_ordering(|score| *score = scores.next().copied().unwrap_or_default());
    }

    /// Shows every weight of values, in the order of [`ValuePlace`].
    fn each_value(&mut self, mut see: impl FnMut(&mut i16)) {
        for digits in &TABLE.0 {
            let mut orders = orders_of(*digits);
            let mut value = self.cells[orders.next().unwrap_or_default()].value;
            value.iter_mut().for_each(&mut see);
            orders_of(*digits).for_each(|index| self.cells[index].value = value);
        }
        let threats = self.threats.iter_mut().flatten().flatten();
        let captures = self.points.iter_mut().chain(&mut self.counts).flatten();
        let lines = self.capture_threat.iter_mut().chain(&mut self.vulnerable);
        threats.chain(captures).chain(lines).for_each(see);
    }

    /// Shows every weight of ordering, in the order of [`OrderingPlace`].
    fn each_ordering(&mut self, mut see: impl FnMut(&mut i16)) {
        for digits in &TABLE.0 {
            let mut orders = orders_of(*digits);
            let mut scores = self.cells[orders.next().unwrap_or_default()].ordering;
            scores.iter_mut().for_each(&mut see);
            orders_of(*digits).for_each(|index| self.cells[index].ordering = scores);
        }
        let ordering = &mut self.ordering;
        let rows = [
            &mut ordering.takes,
            &mut ordering.saves,
            &mut ordering.attacks,
            &mut ordering.guards,
            &mut ordering.exposes,
            &mut ordering.spares,
        ];
        let rows = rows.into_iter().flatten();
        rows.chain(ordering.urgency.iter_mut().flatten()).for_each(see);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Genre;

    #[test]
    fn flat_lists_are_the_whole_table() {
        assert_eq!(TABLE.0.len(), CLASSES);
        let weights = Weights::built_in(Genre::Captures);
        let (values, ordering) = (weights.values(), weights.ordering());
        assert_eq!([values.len(), ordering.len()], [Weights::VALUES, Weights::ORDERING]);
        let mut other = Weights::zero(Genre::Captures);
        other.set_values(&values);
        other.set_ordering(&ordering);
        assert_eq!(other.to_string(), weights.to_string());
    }
}
