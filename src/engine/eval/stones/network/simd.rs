//! The arithmetic of a network.
//!
//! It is compiled once for every processor and once for those with AVX2
//! ([function multiversioning](https://docs.rs/multiversion)); the processor chooses when the program runs.
//! Both versions give the same integers.

use super::accumulator::{CellBuckets, FeatureDelta};
use super::{
    ACCUMULATOR_SIZE, CellWeights, FeatureWeights, HIDDEN, INPUTS, Network, POLICY_HIDDEN, Policy,
    PolicyPerspective, PolicyWeights, QA, QB,
};
use multiversion::multiversion;
use multiversion::target::match_target;
use pentarch_core::game::{Cell, Move};

/// The weights of a hidden layer. A word holds the weights of one neuron for two consecutive inputs, the first
/// in the lower half, as processors multiply them; the words of all neurons for the same two inputs are
/// consecutive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HiddenLayer(Box<[[i32; HIDDEN]; INPUTS / 2]>);

impl HiddenLayer {
    /// Packs the weights of each neuron; the weights of missing neurons are 0.
    pub(super) fn new(rows: &[[i16; INPUTS]]) -> HiddenLayer {
        let mut words = Box::new([[0; HIDDEN]; INPUTS / 2]);
        for (neuron, row) in rows.iter().enumerate().take(HIDDEN) {
            for (words, &pair) in words.iter_mut().zip(row.as_chunks().0) {
                words[neuron] = pack(pair);
            }
        }
        HiddenLayer(words)
    }

    /// The weights of each neuron.
    pub(super) fn rows(&self) -> impl Iterator<Item = [i16; INPUTS]> {
        (0..HIDDEN).map(|neuron| {
            std::array::from_fn(|input| unpack(self.0[input / 2][neuron])[input % 2] as i16)
        })
    }

    /// Adds the products of inputs and weights to the sum of each neuron.
    #[cfg(any(test, not(target_feature = "avx2")))]
    #[inline]
    fn add_products(&self, sums: &mut [i32; HIDDEN], inputs: &[i16; INPUTS]) {
        for (words, &pair) in self.0.iter().zip(inputs.as_chunks().0) {
            let [first, second] = pair.map(i32::from);
            for (sum, &word) in sums.iter_mut().zip(words) {
                let weights = unpack(word);
                *sum += weights[0] * first + weights[1] * second;
            }
        }
    }
}

#[inline]
fn pack([first, second]: [i16; 2]) -> i32 {
    i32::from(first) & 0xffff | i32::from(second) << 16
}

#[inline]
fn unpack(word: i32) -> [i32; 2] {
    [i32::from(word as i16), word >> 16]
}

/// Subtracts the old features of cells from the sums of both colors and adds the new ones. `cells` are the
/// weights from the perspective of each color. The sums are copied meanwhile to stay in registers. They wrap
/// around, which no useful network comes near.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn add_sub(
    sums: &mut [FeatureWeights; 2],
    cells: [&[CellWeights]; 2],
    buckets: usize,
    deltas: &[FeatureDelta],
) {
    add_sub_deltas(sums, cells, buckets, deltas);
}

#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn add_sub_deltas(
    sums: &mut [FeatureWeights; 2],
    cells: [&[CellWeights]; 2],
    buckets: usize,
    deltas: &[FeatureDelta],
) {
    let [mut first, mut second] = *sums;
    for delta in deltas {
        let [old, new] = [delta.old, delta.new].map(|pair| pair.map(usize::from));
        let of_first = |[own, their]: [usize; 2]| &cells[0][own * buckets + their];
        let of_second = |[their, own]: [usize; 2]| &cells[1][own * buckets + their];
        add_sub_weights(&mut first, of_first(old), of_first(new));
        add_sub_weights(&mut second, of_second(old), of_second(new));
    }
    *sums = [first, second];
}

#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn add_sub_weights(sum: &mut FeatureWeights, old: &FeatureWeights, new: &FeatureWeights) {
    for i in 0..ACCUMULATOR_SIZE {
        sum[i] = sum[i].wrapping_sub(old[i]).wrapping_add(new[i]);
    }
}

/// The output of the hidden layer and the unclipped difference of the last places, by the accumulators of the
/// side to move and of the other and by the weights of the position's buckets.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn evaluate(
    network: &Network,
    sums: [&FeatureWeights; 2],
    kinds: [&FeatureWeights; 2],
) -> (i32, i32) {
    let (mut neurons, inputs) = (network.hidden_bias, inputs(sums, kinds));
    match_target! {
        "x86_64+avx2" => avx2::add_products(&mut neurons, &network.hidden, &inputs),
        _ => network.hidden.add_products(&mut neurons, &inputs),
    }
    let last = ACCUMULATOR_SIZE - 1;
    let of_kinds = kinds[0][last].wrapping_add(kinds[1][last]);
    let linear = i32::from(sums[0][last].wrapping_add(of_kinds)) - i32::from(sums[1][last]);
    (output(network, neurons), linear)
}

/// The output layer.
#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn output(network: &Network, neurons: [i32; HIDDEN]) -> i32 {
    let outputs = neurons.into_iter().zip(network.output);
    let outputs = outputs.map(|(sum, weight)| (sum / QB).clamp(0, QA) * i32::from(weight));
    network.output_bias + outputs.sum::<i32>()
}

/// The clipped accumulators of the side to move, with the weights of the position's buckets, and of the other.
#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
pub(super) fn inputs(sums: [&FeatureWeights; 2], kinds: [&FeatureWeights; 2]) -> [i16; INPUTS] {
    let mut inputs = [0; INPUTS];
    let (own, their) = inputs.split_at_mut(ACCUMULATOR_SIZE);
    for i in 0..ACCUMULATOR_SIZE {
        let sum = sums[0][i].wrapping_add(kinds[0][i]).wrapping_add(kinds[1][i]);
        own[i] = sum.clamp(0, QA as i16);
        their[i] = sums[1][i].clamp(0, QA as i16);
    }
    inputs
}

/// The outputs of the hidden layer of a policy.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn policy_neurons(
    policy: &Policy,
    inputs: &[i16; INPUTS],
    threat_bucket: usize,
) -> PolicyWeights {
    let mut sums = [0; POLICY_HIDDEN];
    match_target! {
        "x86_64+avx2" => avx2::add_products(&mut sums, &policy.hidden, inputs),
        _ => policy.hidden.add_products(&mut sums, inputs),
    }
    clip(policy.threats[threat_bucket], sums)
}

/// The outputs of neurons with a bias, by their sums.
#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn clip(mut outputs: PolicyWeights, sums: [i32; POLICY_HIDDEN]) -> PolicyWeights {
    for (output, sum) in outputs.iter_mut().zip(sums) {
        *output = (sum / QB + i32::from(*output)).clamp(0, QA) as i16;
    }
    outputs
}

/// Adds the corrections of a policy to the ordering scores of stones. `buckets` are those of all cells for the
/// first and the second color, `mover` is the number of the color to move.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn add_policy_scores(
    policy: PolicyPerspective<'_>,
    buckets: &CellBuckets,
    mover: usize,
    moves: &mut [(Move, i32)],
) {
    for (mv, score) in moves {
        let Some(cell) = mv.cell() else { continue };
        let pair = buckets[cell.index() % Cell::LIMIT];
        *score += policy.points([mover % 2, 1 - mover % 2].map(|color| pair[color]));
    }
}

/// [`HiddenLayer::add_products`](super::HiddenLayer::add_products) with 256-bit vectors, which the compiler does
/// not find by itself.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{HIDDEN, HiddenLayer, INPUTS, pack};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_extract_epi32, _mm256_madd_epi16, _mm256_set1_epi32,
        _mm256_setr_epi32,
    };

    #[cfg(not(target_feature = "avx2"))]
    pub(super) use self::multiply as add_products;

    /// For a program that is compiled for AVX2 as a whole, where no version enables the feature.
    #[cfg(target_feature = "avx2")]
    #[expect(unsafe_code, reason = "the program runs on no processor that lacks the feature")]
    #[inline]
    pub(super) fn add_products(
        sums: &mut [i32; HIDDEN],
        layer: &HiddenLayer,
        inputs: &[i16; INPUTS],
    ) {
        // SAFETY: the feature is enabled for the whole program.
        unsafe { multiply(sums, layer, inputs) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn multiply(sums: &mut [i32; HIDDEN], layer: &HiddenLayer, inputs: &[i16; INPUTS]) {
        let (halves, _) = sums.as_chunks_mut();
        let mut added = [load(&halves[0]), load(&halves[1])];
        for (words, &pair) in layer.0.iter().zip(inputs.as_chunks().0) {
            let pair = _mm256_set1_epi32(pack(pair));
            for (sum, words) in added.iter_mut().zip(words.as_chunks().0) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(load(words), pair));
            }
        }
        halves.iter_mut().zip(added).for_each(|(half, sum)| *half = store(sum));
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(w: &[i32; 8]) -> __m256i {
        _mm256_setr_epi32(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7])
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn store(sum: __m256i) -> [i32; 8] {
        [
            _mm256_extract_epi32::<0>(sum),
            _mm256_extract_epi32::<1>(sum),
            _mm256_extract_epi32::<2>(sum),
            _mm256_extract_epi32::<3>(sum),
            _mm256_extract_epi32::<4>(sum),
            _mm256_extract_epi32::<5>(sum),
            _mm256_extract_epi32::<6>(sum),
            _mm256_extract_epi32::<7>(sum),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CAPTURE_BUCKETS, FeatureBuckets, THREAT_BUCKETS};
    use super::*;
    use crate::eval::RuleClass;
    use fastrand::Rng;

    #[test]
    fn packed_weights_can_be_read_back() {
        let mut rng = Rng::with_seed(2);
        let rows = [(); HIDDEN].map(|()| std::array::from_fn(|_| rng.i16(..)));
        let layer = HiddenLayer::new(&rows);
        assert_eq!(layer.rows().collect::<Vec<_>>(), rows);
        let few = HiddenLayer::new(&rows[..3]).rows().collect::<Vec<_>>();
        assert_eq!((&few[..3], &few[3..]), (&rows[..3], &[[0; INPUTS]; HIDDEN - 3][..]));
    }

    fn row(rng: &mut Rng) -> FeatureWeights {
        std::array::from_fn(|_| rng.i16(-400..400))
    }

    fn hidden(rng: &mut Rng) -> HiddenLayer {
        HiddenLayer::new(&[(); HIDDEN].map(|()| std::array::from_fn(|_| rng.i16(-300..300))))
    }

    fn network(rng: &mut Rng) -> Network {
        let buckets = FeatureBuckets::new(2, [false; 4]).unwrap();
        let rows = |rng: &mut Rng, count| (0..count).map(|_| row(rng)).collect::<Vec<_>>();
        Network {
            rule_class: RuleClass::Renju,
            cells: rows(rng, 2 * buckets.pairs()).into_iter().map(CellWeights).collect(),
            buckets,
            threats: rows(rng, THREAT_BUCKETS),
            captures: rows(rng, CAPTURE_BUCKETS),
            bias: row(rng),
            hidden: hidden(rng),
            hidden_bias: std::array::from_fn(|_| rng.i32(-40_000..40_000)),
            output: std::array::from_fn(|_| rng.i16(-900..900)),
            output_bias: rng.i32(-1000..1000),
            policy: None,
        }
    }

    fn policy(rng: &mut Rng, buckets: usize) -> Policy {
        let rows = |rng: &mut Rng, count| {
            (0..count).map(|_| std::array::from_fn(|_| rng.i16(-4000..4000))).collect()
        };
        Policy {
            pairs: (0..2 * buckets * buckets).map(|_| rng.i16(-900..900)).collect(),
            own: rows(rng, 2 * buckets),
            their: rows(rng, 2 * buckets),
            hidden: hidden(rng),
            threats: (0..THREAT_BUCKETS)
                .map(|_| std::array::from_fn(|_| rng.i16(-300..300)))
                .collect(),
        }
    }

    /// The version that the processor chooses gives what the portable code gives.
    #[test]
    fn every_version_gives_the_same_numbers() {
        let mut rng = Rng::with_seed(1);
        for _ in 0..50 {
            let network = network(&mut rng);
            let buckets = network.buckets.count();
            let mut pair = || [0; 2].map(|_| rng.u8(..buckets as u8));
            let deltas: Vec<FeatureDelta> =
                (0..30).map(|i| FeatureDelta { cell: Cell(i), old: pair(), new: pair() }).collect();
            let start = [row(&mut rng), row(&mut rng)];
            let (mut plain, mut chosen) = (start, start);
            let cells = [0, 1].map(|color| network.cells_seen_by(color));
            add_sub_deltas(&mut plain, cells, buckets, &deltas);
            add_sub(&mut chosen, cells, buckets, &deltas);
            assert_eq!(plain, chosen);
            let sums = [&plain[0], &plain[1]];
            let kinds = [&row(&mut rng), &row(&mut rng)];
            let (policy, inputs) = (policy(&mut rng, buckets), inputs(sums, kinds));
            let plain = |mut sums, layer: &HiddenLayer| {
                layer.add_products(&mut sums, &inputs);
                sums
            };
            let neurons = plain(network.hidden_bias, &network.hidden);
            let last = |row: &FeatureWeights| i32::from(row[ACCUMULATOR_SIZE - 1]);
            let linear = last(sums[0]) + last(kinds[0]) + last(kinds[1]) - last(sums[1]);
            assert_eq!(evaluate(&network, sums, kinds), (output(&network, neurons), linear));
            let neurons = plain([0; POLICY_HIDDEN], &policy.hidden);
            assert_eq!(policy_neurons(&policy, &inputs, 7), clip(policy.threats[7], neurons));
            let mut cells = [[0; 2]; Cell::LIMIT];
            for cell in &mut cells {
                *cell = [0; 2].map(|_| rng.u8(..buckets as u8));
            }
            let mut moves: Vec<_> = (0..90).map(|i| (Move::stone(Cell(i)), 5)).collect();
            let perspective = policy.perspective(&inputs, 1, 7);
            add_policy_scores(perspective, &cells, 1, &mut moves);
            for (i, (_, score)) in moves.into_iter().enumerate() {
                assert_eq!(score, 5 + perspective.points([cells[i][1], cells[i][0]]));
            }
        }
    }
}
