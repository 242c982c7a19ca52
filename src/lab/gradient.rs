//! A network in floating point, its value and the slopes of its numbers.

use super::layout::{Layout, add, row};
use pentarch_engine::eval::{DIMENSIONS, FloatNetwork, HIDDEN, INPUTS, NetworkInput};

/// What a network works out on the way to a value.
struct Forward {
    /// The sums of one's own color and of the other.
    sums: [f32; INPUTS],
    clipped: [f32; INPUTS],
    neurons: [f32; HIDDEN],
    odds: f32,
}

const LAST: usize = DIMENSIONS - 1;

impl Forward {
    fn new(layout: Layout<'_>, float: &FloatNetwork, input: &NetworkInput) -> Forward {
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

/// What a network adds to the log odds.
pub(super) fn odds(layout: Layout<'_>, float: &FloatNetwork, input: &NetworkInput) -> f32 {
    Forward::new(layout, float, input).odds
}

/// Slopes of the numbers of a network, summed over positions.
#[derive(Clone, Debug)]
pub(super) struct Slopes<'a>(FloatNetwork, Layout<'a>);

impl<'a> Slopes<'a> {
    pub(super) fn new(layout: Layout<'a>) -> Slopes<'a> {
        Slopes(layout.zeros(), layout)
    }

    /// Those of the numbers that are fitted, of which each is multiplied by `share`.
    pub(super) fn gradient(&self, share: f32) -> Vec<f32> {
        let Slopes(total, layout) = self;
        layout.gradient(total, share)
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
    pub(super) fn join(&mut self, other: &Slopes<'_>) {
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
    use fastrand::Rng;
    use pentarch_engine::eval::{COUNTS, Genre, Grouping, Network, THREATS};
    use pentarch_engine::search::Score;

    #[test]
    fn slopes_are_those_of_small_steps() {
        slopes_are_right(Layout::new(&[0, 1, 2, 3, 4, 5], 1), 0);
        for mover in [0, 1] {
            slopes_are_right(Layout::new(&[0, 1, 2, 1, 4, 3], 2), mover);
        }
    }

    /// So small that no sum and no neuron begins to be clipped on the way.
    const STEP: f32 = 2e-4;

    fn slopes_are_right(layout: Layout<'_>, mover: usize) {
        let mut rng = Rng::with_seed(3);
        let mut numbers = layout.first_numbers(&mut rng);
        for number in &mut numbers {
            *number += 0.02 * (rng.f32() - 0.5);
        }
        let cells = vec![[1, 2], [1, 2], [0, 3], [5, 0], [4, 4]];
        let input = NetworkInput { cells, mover, threat: 7, count: 11 };
        let mut slopes = Slopes::new(layout);
        slopes.add(&layout.float(&numbers), &input, |_| 1.0);
        let gradient = slopes.gradient(1.0);
        assert_eq!(gradient.len(), numbers.len());
        let mut steep = 0;
        for place in 0..numbers.len() {
            let [low, high] = [-STEP, STEP].map(|step| {
                let mut other = numbers.clone();
                other[place] += step;
                odds(layout, &layout.float(&other), &input)
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
        let grouping = Grouping::new(2, [false; 4]).unwrap();
        let (groups, layout) = (grouping.count(), Layout::new(grouping.kin(), genre.views()));
        let mut rng = Rng::with_seed(9);
        let mut numbers = layout.first_numbers(&mut rng);
        for number in &mut numbers {
            *number += 0.1 * (rng.f32() - 0.5);
        }
        let float = layout.float(&numbers);
        let network = Network::quantize(genre, grouping.clone(), &float, 1.0);
        let (mut largest, mut widest) = (0.0f32, 0.0f32);
        for _ in 0..500 {
            let mut cell = || [rng.u8(..groups as u8), rng.u8(..groups as u8)];
            let cells = (0..60).map(|_| cell()).filter(|&cell| cell != [0, 0]).collect();
            let [mover, threat, count] = [2, THREATS, COUNTS].map(|limit| rng.usize(..limit));
            let input = NetworkInput { cells, mover, threat, count };
            let points = odds(layout, &float, &input) * Score::SCALE as f32;
            largest = largest.max(points.abs());
            widest = widest.max((points - network.correction(&input) as f32).abs());
        }
        assert!(largest > 100.0, "values of no size: {largest}");
        assert!(widest < 8.0, "{widest} of {largest} points");
    }
}
