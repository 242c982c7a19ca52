//! Where the numbers of a network in floating point stand while they are fitted.
//!
//! The row of a cell is the sum of a row of its group for one's own color, one for the other, and one
//! for both together: what is seldom seen together is worth what its parts are. Where colors differ,
//! each has the first two to itself.

use crate::eval::{COUNTS, DIMENSIONS, FloatNetwork, HIDDEN, INPUTS, THREATS};
use fastrand::Rng;

/// Where the numbers stand that are fitted: rows by both groups; by one's own and then by the other,
/// for each view; then the rest in the order of [`FloatNetwork`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    groups: usize,
    /// How many colors have a view of their own, or 1.
    views: usize,
}

/// The numbers after the rows of cells, part by part.
const PARTS: [usize; 7] =
    [THREATS * DIMENSIONS, COUNTS * DIMENSIONS, DIMENSIONS, HIDDEN * INPUTS, HIDDEN, HIDDEN, 1];

impl Layout {
    pub(super) fn new(groups: usize, views: usize) -> Layout {
        Layout { groups, views }
    }

    fn both(self) -> usize {
        self.groups * self.groups * DIMENSIONS
    }

    fn single(self) -> usize {
        self.groups * DIMENSIONS
    }

    /// Where the rows by one group begin that a row of cells is partly made of, by its number: that
    /// of the group for one's own color and that for the other.
    fn singles(self, row: usize) -> [usize; 2] {
        let (view, pair) = (row / self.groups.pow(2), row % self.groups.pow(2));
        let first = self.both() + 2 * view * self.single();
        let (own, their) = (pair / self.groups, pair % self.groups);
        [first + own * DIMENSIONS, first + self.single() + their * DIMENSIONS]
    }

    /// The numbers of the rows of a cell in the view of the color to move and of the other.
    pub(super) fn rows_of(self, mover: usize, [own, their]: [u8; 2]) -> [usize; 2] {
        let [own, their] = [usize::from(own), usize::from(their)];
        let view = |color: usize| color % self.views * self.groups.pow(2);
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
        let (both, singles) = numbers.split_at_mut(self.both());
        both.copy_from_slice(&float.cells[..self.both()]);
        if self.views > 1 && float.cells.len() > self.both() {
            self.tell_views_apart(&float.cells, both, singles);
        }
        numbers.extend(float_parts(float).concat());
        if self.views > 1 && float.cells.len() == self.both() {
            // Kinds of positions go by who is forbidden moves, where colors were alike by nothing.
            for kinds in numbers[self.part(0)..self.part(1)].chunks_exact_mut(4 * DIMENSIONS) {
                let (alike, others) = kinds.split_at_mut(DIMENSIONS);
                others.chunks_exact_mut(DIMENSIONS).for_each(|row| row.copy_from_slice(alike));
            }
        }
        numbers
    }

    /// Finds rows by both groups and by one in the rows of two views, the first of which `both` holds.
    /// The mean of the views goes by both. Half of what they differ by is a row for one's own group and
    /// one for the other's: the means over the groups that are not nothing of the other kind.
    fn tell_views_apart(self, cells: &[f32], both: &mut [f32], singles: &mut [f32]) {
        let mut halves = Vec::with_capacity(both.len());
        for (number, other) in both.iter_mut().zip(&cells[self.both()..]) {
            halves.push((*number - other) / 2.0);
            *number = (*number + other) / 2.0;
        }
        let mean = |pairs: &[usize]| {
            let mut mean = vec![0.0; DIMENSIONS];
            for &pair in pairs {
                add(&mut mean, row(&halves, pair));
            }
            for sum in &mut mean {
                *sum /= pairs.len() as f32;
            }
            mean
        };
        let (groups, pair) = (self.groups, |own: usize, their: usize| own * self.groups + their);
        let every: Vec<usize> =
            (1..groups).flat_map(|own| (1..groups).map(move |their| pair(own, their))).collect();
        let common = mean(&every);
        for group in 0..groups {
            let own: Vec<usize> = (1..groups).map(|their| pair(group, their)).collect();
            let their: Vec<usize> = (1..groups).map(|own| pair(own, group)).collect();
            for (kind, pairs) in [own, their].into_iter().enumerate() {
                let mean = mean(&pairs);
                for (place, (mean, common)) in mean.iter().zip(&common).enumerate() {
                    let number = (kind * groups + group) * DIMENSIONS + place;
                    singles[number] = mean - common / 2.0;
                    singles[number + 2 * self.single()] = -singles[number];
                }
            }
        }
    }

    /// Takes a share off the rows by both groups.
    pub(super) fn decay(self, numbers: &mut [f32], share: f32) {
        numbers[..self.both()].iter_mut().for_each(|number| *number *= 1.0 - share);
    }

    /// The network of these numbers. A cell of nothing at all has an empty row, since it is left out.
    pub(super) fn float(self, numbers: &[f32]) -> FloatNetwork {
        let mut cells = numbers[..self.both()].repeat(self.views);
        for (index, row) in cells.chunks_exact_mut(DIMENSIONS).enumerate() {
            let [own, their] = self.singles(index).map(|first| &numbers[first..][..DIMENSIONS]);
            let both = own.iter().zip(their);
            row.iter_mut().zip(both).for_each(|(n, (own, their))| *n += own + their);
        }
        cells.chunks_exact_mut(self.both()).for_each(|view| view[..DIMENSIONS].fill(0.0));
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
        let pairs = self.groups.pow(2);
        for (index, row) in slopes.cells.chunks_exact(DIMENSIONS).enumerate() {
            let pair = index % pairs;
            if pair != 0 {
                let [own, their] = self.singles(index);
                for first in [pair * DIMENSIONS, own, their] {
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
            cells: vec![0.0; self.views * self.both()],
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

    /// A fit goes on where another ended, whatever the rows were made of.
    #[test]
    fn numbers_of_a_network_give_the_network() {
        for layout in [Layout::new(6, 1), Layout::new(6, 2)] {
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
        let (one, two) = (Layout::new(6, 1), Layout::new(6, 2));
        let alike = one.float(&one.first_numbers(&mut Rng::with_seed(5)));
        let twice = two.float(&two.numbers(&alike));
        assert_eq!(twice.cells, alike.cells.repeat(2));
        assert_eq!(one.float(&one.numbers(&twice)).cells, alike.cells);
    }
}
