//! The arithmetic of a network, compiled once for every processor and once more for those that work on
//! 256 bits at a time ([function multiversioning](https://docs.rs/multiversion)); the processor chooses
//! when the program runs. Whole numbers come out the same either way.

use super::neurons::NEURONS;
use super::policy::{CONTEXT, Policy, View, Weighing};
use super::state::{Groups, Regrouped};
use super::{CellRow, DIMENSIONS, INPUTS, NEURON_ONE, Network, ONE, Row};
use multiversion::multiversion;
use multiversion::target::match_target;
use pentarch_core::game::{Cell, Move};

/// Takes the old rows of cells off the sums of both colors and adds the new ones, `rows` being those in
/// the view of each color. The sums are a copy meanwhile, so that they stay in registers. They wrap
/// around, which no network of use comes near.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn exchange(
    sums: &mut [Row; 2],
    rows: [&[CellRow]; 2],
    groups: usize,
    changes: &[Regrouped],
) {
    exchange_rows(sums, rows, groups, changes);
}

#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn exchange_rows(sums: &mut [Row; 2], rows: [&[CellRow]; 2], groups: usize, changes: &[Regrouped]) {
    let [mut first, mut second] = *sums;
    for change in changes {
        let [old, new] = [change.old, change.new].map(|pair| pair.map(usize::from));
        let in_first = |[own, their]: [usize; 2]| &rows[0][own * groups + their];
        let in_second = |[their, own]: [usize; 2]| &rows[1][own * groups + their];
        exchange_row(&mut first, in_first(old), in_first(new));
        exchange_row(&mut second, in_second(old), in_second(new));
    }
    *sums = [first, second];
}

#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn exchange_row(sum: &mut Row, old: &Row, new: &Row) {
    for i in 0..DIMENSIONS {
        sum[i] = sum[i].wrapping_sub(old[i]).wrapping_add(new[i]);
    }
}

/// What the neurons and what the last dimension make of the sums of the color to move and of the other,
/// with the rows of the kinds of position.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn layers(network: &Network, sums: [&Row; 2], kinds: [&Row; 2]) -> (i32, i32) {
    let (mut neurons, inputs) = (network.neuron_bias, inputs(sums, kinds));
    match_target! {
        "x86_64+avx2" => wide::add_products(&mut neurons, &network.neurons, &inputs),
        _ => network.neurons.add_products(&mut neurons, &inputs),
    }
    let last = DIMENSIONS - 1;
    let of_kinds = kinds[0][last].wrapping_add(kinds[1][last]);
    let linear = i32::from(sums[0][last].wrapping_add(of_kinds)) - i32::from(sums[1][last]);
    (output(network, neurons), linear)
}

/// What the last layer makes of the sums of neurons.
#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn output(network: &Network, sums: [i32; NEURONS]) -> i32 {
    let outputs = sums.into_iter().zip(network.last);
    let outputs = outputs.map(|(sum, last)| (sum / NEURON_ONE).clamp(0, ONE) * i32::from(last));
    network.last_bias + outputs.sum::<i32>()
}

/// The sums of the color to move, with the rows of the kinds of position, and of the other, clipped.
#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
pub(super) fn inputs(sums: [&Row; 2], kinds: [&Row; 2]) -> [i16; INPUTS] {
    let mut inputs = [0; INPUTS];
    let (own, their) = inputs.split_at_mut(DIMENSIONS);
    for i in 0..DIMENSIONS {
        let sum = sums[0][i].wrapping_add(kinds[0][i]).wrapping_add(kinds[1][i]);
        own[i] = sum.clamp(0, ONE as i16);
        their[i] = sums[1][i].clamp(0, ONE as i16);
    }
    inputs
}

/// What the neurons of a policy say of a position of a kind.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn context(policy: &Policy, inputs: &[i16; INPUTS], threat: usize) -> Weighing {
    let mut sums = [0; CONTEXT];
    match_target! {
        "x86_64+avx2" => wide::add_products(&mut sums, &policy.neurons, inputs),
        _ => policy.neurons.add_products(&mut sums, inputs),
    }
    clip(policy.kinds[threat], sums)
}

/// What neurons say that begin with something, given their sums.
#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn clip(mut context: Weighing, sums: [i32; NEURONS]) -> Weighing {
    for (neuron, sum) in context.iter_mut().zip(sums) {
        *neuron = (sum / NEURON_ONE + i32::from(*neuron)).clamp(0, ONE) as i16;
    }
    context
}

/// Adds to the scores of stones what a policy gives them, by the groups of all cells for the first color
/// and for the second, `mover` being the number of the color to move.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn weigh(view: View<'_>, groups: &Groups, mover: usize, moves: &mut [(Move, i32)]) {
    for (mv, score) in moves {
        let Some(cell) = mv.cell() else { continue };
        let pair = groups[cell.index() % Cell::LIMIT];
        *score += view.points([mover % 2, 1 - mover % 2].map(|color| pair[color]));
    }
}

/// [`Neurons::add_products`](super::neurons::Neurons::add_products) with 256 bits at a time, which the compiler
/// does not find by itself.
#[cfg(target_arch = "x86_64")]
mod wide {
    use crate::eval::network::INPUTS;
    use crate::eval::network::neurons::{NEURONS, Neurons, pack};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_extract_epi32, _mm256_madd_epi16, _mm256_set1_epi32,
        _mm256_setr_epi32,
    };

    #[cfg(not(target_feature = "avx2"))]
    pub(super) use self::multiply as add_products;

    /// For a program that is compiled for such processors as a whole: then no version names what it needs.
    #[cfg(target_feature = "avx2")]
    #[expect(unsafe_code, reason = "the program runs on no processor that lacks it")]
    #[inline]
    pub(super) fn add_products(
        sums: &mut [i32; NEURONS],
        neurons: &Neurons,
        inputs: &[i16; INPUTS],
    ) {
        // SAFETY: the feature is enabled for all code.
        unsafe { multiply(sums, neurons, inputs) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn multiply(sums: &mut [i32; NEURONS], neurons: &Neurons, inputs: &[i16; INPUTS]) {
        let (halves, _) = sums.as_chunks_mut();
        let mut added = [load(&halves[0]), load(&halves[1])];
        for (words, &pair) in neurons.words().iter().zip(inputs.as_chunks().0) {
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
    use super::*;
    use crate::eval::network::{CONTEXT, COUNTS, Grouping, Neurons, THREATS};
    use crate::eval::weights::Genre;
    use fastrand::Rng;

    fn row(rng: &mut Rng) -> Row {
        std::array::from_fn(|_| rng.i16(-400..400))
    }

    fn neurons(rng: &mut Rng) -> Neurons {
        Neurons::new(&[(); NEURONS].map(|()| std::array::from_fn(|_| rng.i16(-300..300))))
    }

    fn network(rng: &mut Rng) -> Network {
        let grouping = Grouping::new(2, [false; 4]).unwrap();
        let rows = |rng: &mut Rng, count| (0..count).map(|_| row(rng)).collect::<Vec<_>>();
        Network {
            genre: Genre::Renju,
            cells: rows(rng, 2 * grouping.pairs()).into_iter().map(CellRow).collect(),
            grouping,
            threats: rows(rng, THREATS),
            counts: rows(rng, COUNTS),
            bias: row(rng),
            neurons: neurons(rng),
            neuron_bias: std::array::from_fn(|_| rng.i32(-40_000..40_000)),
            last: std::array::from_fn(|_| rng.i16(-900..900)),
            last_bias: rng.i32(-1000..1000),
            policy: None,
        }
    }

    fn policy(rng: &mut Rng, groups: usize) -> Policy {
        let rows = |rng: &mut Rng, count| {
            (0..count).map(|_| std::array::from_fn(|_| rng.i16(-4000..4000))).collect()
        };
        Policy {
            pairs: (0..2 * groups * groups).map(|_| rng.i16(-900..900)).collect(),
            own: rows(rng, 2 * groups),
            their: rows(rng, 2 * groups),
            neurons: neurons(rng),
            kinds: (0..THREATS).map(|_| std::array::from_fn(|_| rng.i16(-300..300))).collect(),
        }
    }

    /// Whatever the processor chooses comes to what every processor can do.
    #[test]
    fn every_version_comes_to_the_same() {
        let mut rng = Rng::with_seed(1);
        for _ in 0..50 {
            let network = network(&mut rng);
            let groups = network.grouping.count();
            let mut pair = || [0; 2].map(|_| rng.u8(..groups as u8));
            let changes: Vec<Regrouped> =
                (0..30).map(|i| Regrouped { cell: Cell(i), old: pair(), new: pair() }).collect();
            let start = [row(&mut rng), row(&mut rng)];
            let (mut plain, mut chosen) = (start, start);
            let rows = [0, 1].map(|color| network.rows(color));
            exchange_rows(&mut plain, rows, groups, &changes);
            exchange(&mut chosen, rows, groups, &changes);
            assert_eq!(plain, chosen);
            let sums = [&plain[0], &plain[1]];
            let kinds = [&row(&mut rng), &row(&mut rng)];
            let (policy, inputs) = (policy(&mut rng, groups), inputs(sums, kinds));
            let plain = |mut sums, neurons: &Neurons| {
                neurons.add_products(&mut sums, &inputs);
                sums
            };
            let neurons = plain(network.neuron_bias, &network.neurons);
            let last = |row: &Row| i32::from(row[DIMENSIONS - 1]);
            let linear = last(sums[0]) + last(kinds[0]) + last(kinds[1]) - last(sums[1]);
            assert_eq!(layers(&network, sums, kinds), (output(&network, neurons), linear));
            let neurons = plain([0; CONTEXT], &policy.neurons);
            assert_eq!(context(&policy, &inputs, 7), clip(policy.kinds[7], neurons));
            let mut cells = [[0; 2]; Cell::LIMIT];
            for cell in &mut cells {
                *cell = [0; 2].map(|_| rng.u8(..groups as u8));
            }
            let mut moves: Vec<_> = (0..90).map(|i| (Move::stone(Cell(i)), 5)).collect();
            let view = policy.view(&inputs, 1, 7);
            weigh(view, &cells, 1, &mut moves);
            for (i, (_, score)) in moves.into_iter().enumerate() {
                assert_eq!(score, 5 + view.points([cells[i][1], cells[i][0]]));
            }
        }
    }
}
