//! A network in floating point, its value and the slopes of its numbers.
//!
//! The row of a cell is the sum of a row of its group for one's own color, one for the other, and one
//! for both together: what is seldom seen together is worth what its parts are. Where colors differ,
//! each has the first two to itself.

use crate::eval::{COUNTS, DIMENSIONS, FloatNetwork, HIDDEN, INPUTS, NetworkInput, THREATS};
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
    fn rows_of(self, mover: usize, [own, their]: [u8; 2]) -> [usize; 2] {
        let [own, their] = [usize::from(own), usize::from(their)];
        let view = |color: usize| color % self.views * self.groups.pow(2);
        [view(mover) + own * self.groups + their, view(mover ^ 1) + their * self.groups + own]
    }

    /// What a network adds to the log odds.
    pub(super) fn odds(self, float: &FloatNetwork, input: &NetworkInput) -> f32 {
        Forward::new(self, float, input).odds
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

    /// The numbers of a network, the rows of cells being all by both groups. Those of one whose colors
    /// differ cannot be told apart.
    pub(super) fn numbers(self, float: &FloatNetwork) -> Vec<f32> {
        let mut numbers = vec![0.0; self.part(0)];
        numbers[..self.both()].copy_from_slice(&float.cells[..self.both()]);
        numbers.extend(super::network_fit::float_parts(float).concat());
        if self.views > 1 {
            // Kinds of positions go by who is forbidden moves, where colors were alike by nothing.
            for kinds in numbers[self.part(0)..self.part(1)].chunks_exact_mut(4 * DIMENSIONS) {
                let (alike, others) = kinds.split_at_mut(DIMENSIONS);
                others.chunks_exact_mut(DIMENSIONS).for_each(|row| row.copy_from_slice(alike));
            }
        }
        numbers
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
    pub(super) fn gradient(self, slopes: &Slopes, share: f32) -> Vec<f32> {
        let mut gradient = vec![0.0; self.part(PARTS.len())];
        let pairs = self.groups.pow(2);
        for (index, row) in slopes.0.cells.chunks_exact(DIMENSIONS).enumerate() {
            let pair = index % pairs;
            if pair != 0 {
                let [own, their] = self.singles(index);
                for first in [pair * DIMENSIONS, own, their] {
                    add(&mut gradient[first..][..DIMENSIONS], row);
                }
            }
        }
        let parts = super::network_fit::float_parts(&slopes.0).concat();
        gradient[self.part(0)..].copy_from_slice(&parts);
        for slope in &mut gradient {
            *slope *= share;
        }
        gradient
    }
}

/// What a network works out on the way to a value.
struct Forward {
    /// The sums of one's own color and of the other.
    sums: [f32; INPUTS],
    clipped: [f32; INPUTS],
    neurons: [f32; HIDDEN],
    odds: f32,
}

const LAST: usize = DIMENSIONS - 1;

/// The numbers of the row of that number.
fn row(rows: &[f32], number: usize) -> &[f32] {
    &rows[number * DIMENSIONS..][..DIMENSIONS]
}

fn add(sums: &mut [f32], row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
}

impl Forward {
    fn new(layout: Layout, float: &FloatNetwork, input: &NetworkInput) -> Forward {
        let mut sums = [0.0; INPUTS];
        let (own, their) = sums.split_at_mut(DIMENSIONS);
        own.copy_from_slice(&float.bias);
        their.copy_from_slice(&float.bias);
        for &cell in &input.cells {
            let [first, second] = layout.rows_of(input.mover, cell);
            add(own, row(&float.cells, first));
            add(their, row(&float.cells, second));
        }
        add(own, row(&float.threats, input.threat));
        add(own, row(&float.counts, input.count));
        let linear = own[LAST] - their[LAST];
        let clipped = sums.map(|sum| sum.clamp(0.0, 1.0));
        let mut odds = float.last_bias + linear;
        let mut neurons = [0.0; HIDDEN];
        for (i, neuron) in neurons.iter_mut().enumerate() {
            let weights = &float.neurons[i * INPUTS..][..INPUTS];
            let product: f32 = weights.iter().zip(&clipped).map(|(w, x)| w * x).sum();
            *neuron = product + float.neuron_bias[i];
            odds += neuron.clamp(0.0, 1.0) * float.last[i];
        }
        Forward { sums, clipped, neurons, odds }
    }
}

/// Slopes of the numbers of a network, summed over positions.
#[derive(Clone, Debug)]
pub(super) struct Slopes(FloatNetwork, Layout);

impl Slopes {
    pub(super) fn new(layout: Layout) -> Slopes {
        let part = |number: usize| vec![0.0; PARTS[number]];
        Slopes(
            FloatNetwork {
                cells: vec![0.0; layout.views * layout.both()],
                threats: part(0),
                counts: part(1),
                bias: part(2),
                neurons: part(3),
                neuron_bias: part(4),
                last: part(5),
                last_bias: 0.0,
            },
            layout,
        )
    }

    /// Adds the slopes of a position; `slope` gives that of its loss by the log odds.
    pub(super) fn add(
        &mut self,
        float: &FloatNetwork,
        input: &NetworkInput,
        slope: impl FnOnce(f32) -> f32,
    ) {
        let Slopes(total, layout) = self;
        let found = Forward::new(*layout, float, input);
        let slope = slope(found.odds);
        total.last_bias += slope;
        let mut by_input = [0.0; INPUTS];
        for (i, &neuron) in found.neurons.iter().enumerate() {
            total.last[i] += slope * neuron.clamp(0.0, 1.0);
            if !(0.0..1.0).contains(&neuron) {
                continue;
            }
            let by_neuron = slope * float.last[i];
            total.neuron_bias[i] += by_neuron;
            let weights = &float.neurons[i * INPUTS..][..INPUTS];
            let totals = &mut total.neurons[i * INPUTS..][..INPUTS];
            for input in 0..INPUTS {
                totals[input] += by_neuron * found.clipped[input];
                by_input[input] += by_neuron * weights[input];
            }
        }
        for (slope, sum) in by_input.iter_mut().zip(found.sums) {
            *slope = if (0.0..1.0).contains(&sum) { *slope } else { 0.0 };
        }
        by_input[LAST] = slope;
        by_input[DIMENSIONS + LAST] = -slope;
        let (own, their) = by_input.split_at(DIMENSIONS);
        add(&mut total.bias, own);
        add(&mut total.bias, their);
        add(&mut total.threats[input.threat * DIMENSIONS..][..DIMENSIONS], own);
        add(&mut total.counts[input.count * DIMENSIONS..][..DIMENSIONS], own);
        for &cell in &input.cells {
            let [first, second] = layout.rows_of(input.mover, cell);
            add(&mut total.cells[first * DIMENSIONS..][..DIMENSIONS], own);
            add(&mut total.cells[second * DIMENSIONS..][..DIMENSIONS], their);
        }
    }

    /// Adds those of other positions.
    pub(super) fn join(&mut self, other: &Slopes) {
        let Slopes(total, _) = self;
        let Slopes(other, _) = other;
        for (sums, parts) in [
            (&mut total.cells, &other.cells),
            (&mut total.threats, &other.threats),
            (&mut total.counts, &other.counts),
            (&mut total.bias, &other.bias),
            (&mut total.neurons, &other.neurons),
            (&mut total.neuron_bias, &other.neuron_bias),
            (&mut total.last, &other.last),
        ] {
            add(sums, parts);
        }
        total.last_bias += other.last_bias;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Genre, Grouping, Network};
    use crate::search::Score;

    #[test]
    fn slopes_are_those_of_small_steps() {
        slopes_are_right(Layout::new(6, 1), 0);
        for mover in [0, 1] {
            slopes_are_right(Layout::new(6, 2), mover);
        }
    }

    /// So small that no sum and no neuron begins to be clipped on the way.
    const STEP: f32 = 2e-4;

    fn slopes_are_right(layout: Layout, mover: usize) {
        let mut rng = Rng::with_seed(3);
        let mut numbers = layout.first_numbers(&mut rng);
        for number in &mut numbers {
            *number += 0.02 * (rng.f32() - 0.5);
        }
        let cells = vec![[1, 2], [1, 2], [0, 3], [5, 0], [4, 4]];
        let input = NetworkInput { cells, mover, threat: 7, count: 11 };
        let mut slopes = Slopes::new(layout);
        slopes.add(&layout.float(&numbers), &input, |_| 1.0);
        let gradient = layout.gradient(&slopes, 1.0);
        assert_eq!(gradient.len(), numbers.len());
        let mut steep = 0;
        for place in 0..numbers.len() {
            let [low, high] = [-STEP, STEP].map(|step| {
                let mut other = numbers.clone();
                other[place] += step;
                layout.odds(&layout.float(&other), &input)
            });
            let slope = (high - low) / (2.0 * STEP);
            assert!((slope - gradient[place]).abs() < 2e-2, "{place}: {slope} {}", gradient[place]);
            steep += usize::from(slope.abs() > 1e-3);
        }
        assert!(steep > 300, "{steep}");
    }

    /// With 60 cells the rounding of each number adds up to a few points of 400 a logit.
    #[test]
    fn whole_numbers_come_close_to_floating_point() {
        for genre in [Genre::Lines, Genre::Renju] {
            whole_numbers_are_close(genre);
        }
    }

    fn whole_numbers_are_close(genre: Genre) {
        let grouping = Grouping::new(2, [false; 3]).unwrap();
        let (groups, layout) = (grouping.count(), Layout::new(grouping.count(), genre.views()));
        let mut rng = Rng::with_seed(9);
        let mut numbers = layout.first_numbers(&mut rng);
        for number in &mut numbers {
            *number += 0.1 * (rng.f32() - 0.5);
        }
        let float = layout.float(&numbers);
        let network = Network::quantize(genre, grouping, &float, 1.0);
        let (mut largest, mut widest) = (0.0f32, 0.0f32);
        for _ in 0..500 {
            let mut cell = || [rng.u8(..groups as u8), rng.u8(..groups as u8)];
            let cells = (0..60).map(|_| cell()).filter(|&cell| cell != [0, 0]).collect();
            let [mover, threat, count] = [2, THREATS, COUNTS].map(|limit| rng.usize(..limit));
            let input = NetworkInput { cells, mover, threat, count };
            let points = layout.odds(&float, &input) * Score::SCALE as f32;
            largest = largest.max(points.abs());
            widest = widest.max((points - network.correction(&input) as f32).abs());
        }
        assert!(largest > 100.0, "values of no size: {largest}");
        assert!(widest < 8.0, "{widest} of {largest} points");
    }
}
