//! Where the numbers of a network in floating point stand while they are fitted.
//!
//! The row of a cell is the sum of a row of its group for one's own color, one for the other, and one
//! for both together, which groups of the same kin share: what is seldom seen together is worth what its
//! parts are. Where colors differ, each has the first two to itself.

use fastrand::Rng;
use pentarch_engine::eval::{COUNTS, DIMENSIONS, FloatNetwork, HIDDEN, INPUTS, THREATS};
use std::borrow::Cow;

/// Where the numbers stand that are fitted: rows by the kin of both groups; by one's own and then by the
/// other, for each view; then the rest in the order of [`FloatNetwork`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout<'a> {
    /// By group, the number of its kin.
    kin: &'a [u8],
    groups: usize,
    /// How many kin there are.
    kins: usize,
    /// How many colors have a view of their own, or 1.
    views: usize,
}

/// How often rows are taken apart: what is left after so many rounds is less than rounding takes.
const ROUNDS: usize = 60;

/// The numbers after the rows of cells, part by part.
const PARTS: [usize; 7] =
    [THREATS * DIMENSIONS, COUNTS * DIMENSIONS, DIMENSIONS, HIDDEN * INPUTS, HIDDEN, HIDDEN, 1];

impl<'a> Layout<'a> {
    /// For groups of that kin.
    pub(super) fn new(kin: &'a [u8], views: usize) -> Layout<'a> {
        let kins = kin.iter().max().map_or(0, |&most| usize::from(most) + 1);
        Layout { kin, groups: kin.len(), kins, views }
    }

    fn both(self) -> usize {
        self.kins * self.kins * DIMENSIONS
    }

    /// The number of rows of cells in a view.
    fn pairs(self) -> usize {
        self.groups.pow(2)
    }

    /// The number of the row by kin that a row of cells is partly made of.
    fn kin_of(self, row: usize) -> usize {
        let pair = row % self.pairs();
        let [own, their] = [pair / self.groups, pair % self.groups].map(|group| self.kin[group]);
        usize::from(own) * self.kins + usize::from(their)
    }

    fn single(self) -> usize {
        self.groups * DIMENSIONS
    }

    /// Where the rows by one group begin that a row of cells is partly made of, by its number: that
    /// of the group for one's own color and that for the other.
    fn singles(self, row: usize) -> [usize; 2] {
        let (view, pair) = (row / self.pairs(), row % self.pairs());
        let first = self.both() + 2 * view * self.single();
        let (own, their) = (pair / self.groups, pair % self.groups);
        [first + own * DIMENSIONS, first + self.single() + their * DIMENSIONS]
    }

    /// The numbers of the rows of a cell in the view of the color to move and of the other.
    pub(super) fn rows_of(self, mover: usize, [own, their]: [u8; 2]) -> [usize; 2] {
        let [own, their] = [usize::from(own), usize::from(their)];
        let view = |color: usize| color % self.views * self.pairs();
        [view(mover) + own * self.groups + their, view(mover ^ 1) + their * self.groups + own]
    }

    /// Where the part of that number begins, 0 being the first after the rows of cells.
    fn part(self, number: usize) -> usize {
        self.both() + 2 * self.views * self.single() + PARTS[..number].iter().sum::<usize>()
    }

    /// Numbers to begin with.
    pub(super) fn first_numbers(self, rng: &mut Rng) -> Vec<f32> {
        let mut numbers = vec![0.0; self.part(PARTS.len())];
        let mut around = |numbers: &mut [f32], mean: f32, width: f32| {
            for number in numbers {
                *number = mean + width * (2.0 * rng.f32() - 1.0);
            }
        };
        around(&mut numbers[self.both()..self.part(0)], 0.0, 0.05);
        around(&mut numbers[self.part(2)..self.part(3)], 0.5, 0.1);
        around(&mut numbers[self.part(3)..self.part(4)], 0.0, 0.2);
        around(&mut numbers[self.part(4)..self.part(5)], 0.3, 0.1);
        around(&mut numbers[self.part(5)..self.part(6)], 0.0, 0.1);
        // The last dimension is a value of its own, and begins with none.
        for first in [self.both(), self.part(2)] {
            let end = if first == self.both() { self.part(0) } else { self.part(3) };
            numbers[first..end]
                .iter_mut()
                .skip(DIMENSIONS - 1)
                .step_by(DIMENSIONS)
                .for_each(|n| *n = 0.0);
        }
        numbers
    }

    /// The numbers of a network of the same groups. If colors differ in it and not here, the first view
    /// is taken.
    pub(super) fn numbers(self, float: &FloatNetwork) -> Vec<f32> {
        let mut numbers = vec![0.0; self.part(0)];
        let wanted = self.views * self.pairs() * DIMENSIONS;
        let cells = if float.cells.len() < wanted {
            Cow::Owned(float.cells.repeat(self.views))
        } else {
            Cow::Borrowed(&float.cells[..wanted])
        };
        self.take_apart(&cells, &mut numbers);
        numbers.extend(float_parts(float).concat());
        if self.views > 1 && float.cells.len() < wanted {
            // Kinds of positions go by who is forbidden moves, where colors were alike by nothing.
            for kinds in numbers[self.part(0)..self.part(1)].chunks_exact_mut(4 * DIMENSIONS) {
                let (alike, others) = kinds.split_at_mut(DIMENSIONS);
                others.chunks_exact_mut(DIMENSIONS).for_each(|row| row.copy_from_slice(alike));
            }
        }
        numbers
    }

    /// Finds rows by kin and by one group that add up to rows of cells, as well as they can: in turn each
    /// becomes the mean of what the others leave over (backfitting), rows by kin first.
    fn take_apart(self, cells: &[f32], numbers: &mut [f32]) {
        let mut left = cells.to_vec();
        let parts = |row: usize| {
            let [own, their] = self.singles(row);
            [self.kin_of(row) * DIMENSIONS, own, their]
        };
        for _ in 0..ROUNDS {
            for part in 0..3 {
                let (mut means, mut counts) = (vec![0.0; numbers.len()], vec![0; numbers.len()]);
                let rows = left.chunks_exact(DIMENSIONS).enumerate();
                for (index, row) in rows.filter(|(index, _)| index % self.pairs() != 0) {
                    let first = parts(index)[part];
                    add(&mut means[first..][..DIMENSIONS], row);
                    counts[first] += 1;
                }
                for first in (0..means.len()).step_by(DIMENSIONS).filter(|&first| counts[first] > 0)
                {
                    let mean = &mut means[first..][..DIMENSIONS];
                    for sum in mean {
                        *sum /= counts[first] as f32;
                    }
                }
                add(numbers, &means);
                for (index, row) in left.chunks_exact_mut(DIMENSIONS).enumerate() {
                    let mean = &means[parts(index)[part]..][..DIMENSIONS];
                    row.iter_mut().zip(mean).for_each(|(left, mean)| *left -= mean);
                }
            }
        }
    }

    /// Takes a share off the rows by kin.
    pub(super) fn decay(self, numbers: &mut [f32], share: f32) {
        numbers[..self.both()].iter_mut().for_each(|number| *number *= 1.0 - share);
    }

    /// The network of these numbers. A cell of nothing at all has an empty row, since it is left out.
    pub(super) fn float(self, numbers: &[f32]) -> FloatNetwork {
        let mut cells = vec![0.0; self.views * self.pairs() * DIMENSIONS];
        for (index, row) in cells.chunks_exact_mut(DIMENSIONS).enumerate() {
            row.copy_from_slice(self::row(numbers, self.kin_of(index)));
            let [own, their] = self.singles(index).map(|first| &numbers[first..][..DIMENSIONS]);
            let both = own.iter().zip(their);
            row.iter_mut().zip(both).for_each(|(n, (own, their))| *n += own + their);
        }
        let views = cells.chunks_exact_mut(self.pairs() * DIMENSIONS);
        views.for_each(|view| view[..DIMENSIONS].fill(0.0));
        let part = |number| numbers[self.part(number)..self.part(number + 1)].to_vec();
        let mut neurons = part(3);
        neurons.iter_mut().skip(DIMENSIONS - 1).step_by(DIMENSIONS).for_each(|n| *n = 0.0);
        FloatNetwork {
            cells,
            threats: part(0),
            counts: part(1),
            bias: part(2),
            neurons,
            neuron_bias: part(4),
            last: part(5),
            last_bias: numbers[self.part(6)],
        }
    }

    /// The slopes of the fitted numbers, from those of the network's.
    pub(super) fn gradient(self, slopes: &FloatNetwork, share: f32) -> Vec<f32> {
        let mut gradient = vec![0.0; self.part(PARTS.len())];
        for (index, row) in slopes.cells.chunks_exact(DIMENSIONS).enumerate() {
            if index % self.pairs() != 0 {
                let [own, their] = self.singles(index);
                for first in [self.kin_of(index) * DIMENSIONS, own, their] {
                    add(&mut gradient[first..][..DIMENSIONS], row);
                }
            }
        }
        let parts = float_parts(slopes).concat();
        gradient[self.part(0)..].copy_from_slice(&parts);
        for slope in &mut gradient {
            *slope *= share;
        }
        gradient
    }

    /// A network of nothing but zeros.
    pub(super) fn zeros(self) -> FloatNetwork {
        let part = |number: usize| vec![0.0; PARTS[number]];
        FloatNetwork {
            cells: vec![0.0; self.views * self.pairs() * DIMENSIONS],
            threats: part(0),
            counts: part(1),
            bias: part(2),
            neurons: part(3),
            neuron_bias: part(4),
            last: part(5),
            last_bias: 0.0,
        }
    }
}

/// The numbers of a network after its rows of cells, part by part as in [`PARTS`].
fn float_parts(float: &FloatNetwork) -> [&[f32]; 7] {
    [
        &float.threats,
        &float.counts,
        &float.bias,
        &float.neurons,
        &float.neuron_bias,
        &float.last,
        std::slice::from_ref(&float.last_bias),
    ]
}

/// The numbers of the row of that number.
pub(super) fn row(rows: &[f32], number: usize) -> &[f32] {
    &rows[number * DIMENSIONS..][..DIMENSIONS]
}

/// Adds a row to sums.
pub(super) fn add(sums: &mut [f32], row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONE: [u8; 6] = [0, 1, 2, 3, 4, 5];
    const KIN: [u8; 6] = [0, 0, 1, 2, 2, 1];

    /// A fit goes on where another ended, whatever the rows were made of.
    #[test]
    fn numbers_of_a_network_give_the_network() {
        for layout in [(&ALONE, 1), (&ALONE, 2), (&KIN, 1), (&KIN, 2)]
            .map(|(kin, views)| Layout::new(kin, views))
        {
            let numbers = layout.first_numbers(&mut Rng::with_seed(5));
            let float = layout.float(&numbers);
            let again = layout.float(&layout.numbers(&float));
            assert_eq!(again.cells.len(), float.cells.len());
            for (number, (one, other)) in again.cells.iter().zip(&float.cells).enumerate() {
                assert!((one - other).abs() < 1e-5, "{number} of {layout:?}: {one} {other}");
            }
            assert_eq!(float_parts(&again).concat(), float_parts(&float).concat());
        }
    }

    /// Colors that are alike begin as the same view twice, and the first view serves both.
    #[test]
    fn views_come_and_go() {
        let (one, two) = (Layout::new(&ALONE, 1), Layout::new(&ALONE, 2));
        let alike = one.float(&one.first_numbers(&mut Rng::with_seed(5)));
        let twice = two.float(&two.numbers(&alike));
        assert_eq!(twice.cells, alike.cells.repeat(2));
        assert_eq!(one.float(&one.numbers(&twice)).cells, alike.cells);
    }
}
