//! A head for the order of moves in floating point, and the slopes of its numbers.

use super::policy_fit::{PolicyFeatures, of_weights};
use fastrand::Rng;
use pentarch_engine::eval::{CONTEXT, FloatPolicy, INPUTS, THREATS};

/// What is 1 in an input.
const ONE: f32 = 256.0;
/// The first numbers of cells lie within this of 0, those of neurons within [`FIRST_NEURONS`].
const FIRST_CELLS: f32 = 0.05;
const FIRST_NEURONS: f32 = 0.1;
/// What neurons begin with at first, so that none is clipped in every position.
const FIRST_KINDS: f32 = 0.3;

/// Where the numbers stand that are fitted, in the order of [`FloatPolicy`].
#[derive(Clone, Copy, Debug)]
pub(super) struct PolicyLayout {
    groups: usize,
    /// How many colors have a view of their own, or 1.
    views: usize,
}

/// What neurons say of a position, clipped.
type Context = [f32; CONTEXT];

impl PolicyLayout {
    pub(super) fn new(groups: usize, views: usize) -> PolicyLayout {
        PolicyLayout { groups, views }
    }

    /// Where own groups, other groups, neurons, kinds and nothing more begin.
    fn starts(self) -> [usize; 5] {
        let pairs = self.views * self.groups * self.groups;
        let single = self.views * self.groups * CONTEXT;
        let neurons = pairs + 2 * single;
        let kinds = neurons + CONTEXT * INPUTS;
        [pairs, pairs + single, neurons, kinds, kinds + THREATS * CONTEXT]
    }

    /// How many numbers there are.
    pub(super) fn count(self) -> usize {
        self.starts()[4]
    }

    pub(super) fn first_numbers(self, rng: &mut Rng) -> Vec<f32> {
        let [own, _, neurons, kinds, end] = self.starts();
        let mut within = |limit: f32| limit * (2.0 * rng.f32() - 1.0);
        let number = |place| match place {
            place if place < own => 0.0,
            place if place >= kinds => FIRST_KINDS,
            place if place < neurons => within(FIRST_CELLS),
            _ => within(FIRST_NEURONS),
        };
        (0..end).map(number).collect()
    }

    /// Takes a share off the numbers of cells.
    pub(super) fn decay(self, numbers: &mut [f32], share: f32) {
        let neurons = self.starts()[2];
        numbers[..neurons].iter_mut().for_each(|number| *number *= 1.0 - share);
    }

    pub(super) fn float(self, numbers: &[f32]) -> FloatPolicy {
        let [own, their, neurons, kinds, end] = self.starts();
        FloatPolicy {
            pairs: numbers[..own].to_vec(),
            own: numbers[own..their].to_vec(),
            their: numbers[their..neurons].to_vec(),
            neurons: numbers[neurons..kinds].to_vec(),
            kinds: numbers[kinds..end].to_vec(),
        }
    }

    /// Where the numbers of a move stand: of both groups, of its own, of the other.
    fn places(self, features: &PolicyFeatures, groups: [u8; 2]) -> [usize; 3] {
        let [first_own, first_their, ..] = self.starts();
        let view = features.mover % self.views;
        let [own, their] = groups.map(|group| view * self.groups + usize::from(group));
        let pair = own * self.groups + usize::from(groups[1]);
        [pair, first_own + own * CONTEXT, first_their + their * CONTEXT]
    }

    /// What the neurons say of a position.
    fn context(self, numbers: &[f32], features: &PolicyFeatures) -> Context {
        let [_, _, neurons, kinds, _] = self.starts();
        std::array::from_fn(|neuron| {
            let weights = &numbers[neurons + neuron * INPUTS..][..INPUTS];
            let products = weights.iter().zip(&features.inputs);
            let sum: f32 = products.map(|(weight, &input)| weight * f32::from(input) / ONE).sum();
            (sum + numbers[kinds + features.threat * CONTEXT + neuron]).clamp(0.0, 1.0)
        })
    }

    /// The log odds of each move.
    pub(super) fn odds(self, numbers: &[f32], features: &PolicyFeatures) -> Vec<f32> {
        self.odds_in(&self.context(numbers, features), numbers, features)
    }

    fn odds_in(self, context: &Context, numbers: &[f32], features: &PolicyFeatures) -> Vec<f32> {
        let mut odds = of_weights(features);
        for (odds, mv) in odds.iter_mut().zip(&features.moves) {
            let [pair, own, their] = self.places(features, mv.groups);
            let rows = numbers[own..].iter().zip(&numbers[their..]);
            let weighed = rows.zip(context).map(|((own, their), neuron)| (own + their) * neuron);
            *odds += numbers[pair] + weighed.sum::<f32>();
        }
        odds
    }
}

/// The slopes of the numbers, summed over positions.
#[derive(Clone, Debug)]
pub(super) struct PolicySlopes {
    layout: PolicyLayout,
    sums: Vec<f32>,
}

impl PolicySlopes {
    pub(super) fn new(layout: PolicyLayout) -> PolicySlopes {
        PolicySlopes { layout, sums: vec![0.0; layout.count()] }
    }

    /// The sums times a number.
    pub(super) fn into_gradient(mut self, times: f32) -> Vec<f32> {
        self.sums.iter_mut().for_each(|sum| *sum *= times);
        self.sums
    }

    /// Adds those of a position; `slopes` gives what the loss gains with the odds of each move.
    pub(super) fn add(
        &mut self,
        numbers: &[f32],
        features: &PolicyFeatures,
        slopes: impl FnOnce(&[f32]) -> Vec<f32>,
    ) {
        let PolicySlopes { layout, sums } = self;
        let context = layout.context(numbers, features);
        let slopes = slopes(&layout.odds_in(&context, numbers, features));
        let mut of_context: Context = [0.0; CONTEXT];
        for (slope, mv) in slopes.into_iter().zip(&features.moves) {
            let [pair, own, their] = layout.places(features, mv.groups);
            sums[pair] += slope;
            for (i, neuron) in context.iter().enumerate() {
                of_context[i] += slope * (numbers[own + i] + numbers[their + i]);
                sums[own + i] += slope * neuron;
                sums[their + i] += slope * neuron;
            }
        }
        let [_, _, neurons, kinds, _] = layout.starts();
        for (i, (slope, neuron)) in of_context.into_iter().zip(context).enumerate() {
            if neuron <= 0.0 || neuron >= 1.0 {
                continue;
            }
            sums[kinds + features.threat * CONTEXT + i] += slope;
            let weights = &mut sums[neurons + i * INPUTS..][..INPUTS];
            for (sum, &input) in weights.iter_mut().zip(&features.inputs) {
                *sum += slope * f32::from(input) / ONE;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Layout;
    use super::super::policy_fit::PolicyMove;
    use super::*;
    use pentarch_engine::eval::{Genre, Grouping, Network, NetworkInput, Policy};

    fn moves(groups: &[[u8; 2]]) -> Vec<PolicyMove> {
        groups.iter().map(|&groups| PolicyMove { groups, points: 70 }).collect()
    }

    /// Numbers that are far enough from those of the beginning for every slope to show.
    fn numbers(layout: PolicyLayout, rng: &mut Rng) -> Vec<f32> {
        let mut numbers = layout.first_numbers(rng);
        for number in &mut numbers {
            *number += 0.1 * (rng.f32() - 0.5);
        }
        numbers
    }

    /// So small that no neuron begins to be clipped on the way.
    const STEP: f32 = 1e-3;

    #[test]
    fn slopes_are_those_of_small_steps() {
        let (layout, mut rng) = (PolicyLayout::new(6, 2), Rng::with_seed(3));
        let numbers = numbers(layout, &mut rng);
        let features = PolicyFeatures {
            inputs: std::array::from_fn(|_| rng.i16(0..=ONE as i16)),
            mover: 1,
            threat: 7,
            moves: moves(&[[1, 2], [0, 3], [5, 0], [4, 4]]),
            chosen: 2,
        };
        // What counts is the sum of the odds, the last of them twice.
        let times = [1.0, 1.0, 1.0, 2.0];
        let mut slopes = PolicySlopes::new(layout);
        slopes.add(&numbers, &features, |_| times.to_vec());
        let gradient = slopes.into_gradient(1.0);
        let mut steep = 0;
        for place in 0..numbers.len() {
            let [low, high] = [-STEP, STEP].map(|step| {
                let mut other = numbers.clone();
                other[place] += step;
                let odds = layout.odds(&other, &features);
                odds.iter().zip(times).map(|(odds, times)| odds * times).sum::<f32>()
            });
            let slope = (high - low) / (2.0 * STEP);
            assert!((slope - gradient[place]).abs() < 1e-2, "{place}: {slope} {}", gradient[place]);
            steep += usize::from(slope.abs() > 1e-2);
        }
        assert!(steep > 300, "{steep}");
    }

    #[test]
    fn whole_numbers_come_close_to_floating_point() {
        let grouping = Grouping::new(2, [false; 4]).unwrap();
        let groups = grouping.count();
        for genre in [Genre::Lines, Genre::Renju] {
            let mut rng = Rng::with_seed(9);
            let below = Layout::new(grouping.kin(), genre.views());
            let float = below.float(&below.first_numbers(&mut rng));
            let layout = PolicyLayout::new(groups, genre.views());
            let numbers = numbers(layout, &mut rng);
            let network = Network::quantize(genre, grouping.clone(), &float, 1.0)
                .with_policy(Policy::quantize(&layout.float(&numbers), 350.0));
            for _ in 0..200 {
                let mut cell = || [rng.u8(..groups as u8), rng.u8(..groups as u8)];
                let (cells, asked) = ((0..60).map(|_| cell()).collect(), cell());
                let [mover, threat] = [2, THREATS].map(|limit| rng.usize(..limit));
                let input = NetworkInput { cells, mover, threat, count: 0 };
                let inputs = network.inputs(&input);
                let moves = vec![PolicyMove { groups: asked, points: 0 }];
                let features = PolicyFeatures { inputs, mover, threat, moves, chosen: 0 };
                let points = layout.odds(&numbers, &features)[0] * 350.0;
                let whole = network.ordering_points(&input, asked) as f32;
                assert!((points - whole).abs() < 4.0, "{points} {whole}");
            }
        }
    }
}
