//! The arithmetic of a network, compiled once for every processor and once more for those that work on
//! 256 bits at a time ([function multiversioning](https://docs.rs/multiversion)); the processor chooses
//! when the program runs. Whole numbers come out the same either way.

use super::state::Regrouped;
use super::{DIMENSIONS, INPUTS, NEURON_ONE, Network, ONE, Row};
use multiversion::multiversion;

/// Takes the old rows of cells off the sums of both colors and adds the new ones, `rows` being those in
/// the view of each color. The sums are a copy meanwhile, so that they stay in registers. They wrap
/// around, which no network of use comes near.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn exchange(
    sums: &mut [Row; 2],
    rows: [&[Row]; 2],
    groups: usize,
    changes: &[Regrouped],
) {
    exchange_rows(sums, rows, groups, changes);
}

#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn exchange_rows(sums: &mut [Row; 2], rows: [&[Row]; 2], groups: usize, changes: &[Regrouped]) {
    for ((color, sums), rows) in sums.iter_mut().enumerate().zip(rows) {
        let row =
            |pair: [u8; 2]| &rows[usize::from(pair[color]) * groups + usize::from(pair[1 - color])];
        let mut copy = *sums;
        for change in changes {
            let (old, new) = (row(change.old), row(change.new));
            for i in 0..DIMENSIONS {
                copy[i] = copy[i].wrapping_sub(old[i]).wrapping_add(new[i]);
            }
        }
        *sums = copy;
    }
}

/// What the neurons and what the last dimension make of the sums of the color to move and of the other,
/// with the rows of the kinds of position.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn layers(network: &Network, sums: [&Row; 2], kinds: [&Row; 2]) -> (i32, i32) {
    work_out_layers(network, sums, kinds)
}

#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn work_out_layers(network: &Network, sums: [&Row; 2], kinds: [&Row; 2]) -> (i32, i32) {
    let mut inputs = [0i16; INPUTS];
    let (own, their) = inputs.split_at_mut(DIMENSIONS);
    for i in 0..DIMENSIONS {
        own[i] = sums[0][i].wrapping_add(kinds[0][i]).wrapping_add(kinds[1][i]);
        their[i] = sums[1][i];
    }
    let last = DIMENSIONS - 1;
    let linear = i32::from(own[last]) - i32::from(their[last]);
    for input in &mut inputs {
        *input = (*input).clamp(0, ONE as i16);
    }
    let mut sum = network.last_bias;
    let neurons = network.neurons.iter().zip(network.neuron_bias).zip(network.last);
    for ((weights, bias), last) in neurons {
        let product = |(&weight, &input): (&i16, &i16)| i32::from(weight) * i32::from(input);
        let neuron = weights.iter().zip(&inputs).map(product).sum::<i32>() + bias;
        sum += (neuron / NEURON_ONE).clamp(0, ONE) * i32::from(last);
    }
    (sum, linear)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::{COUNTS, Grouping, HIDDEN, THREATS};
    use crate::eval::weights::Genre;
    use crate::game::Cell;
    use fastrand::Rng;

    fn row(rng: &mut Rng) -> Row {
        std::array::from_fn(|_| rng.i16(-400..400))
    }

    fn network(rng: &mut Rng) -> Network {
        let grouping = Grouping::new(2, [false; 3]).unwrap();
        let rows = |rng: &mut Rng, count| (0..count).map(|_| row(rng)).collect::<Vec<_>>();
        Network {
            genre: Genre::Renju,
            cells: rows(rng, 2 * grouping.count() * grouping.count()),
            grouping,
            threats: rows(rng, THREATS),
            counts: rows(rng, COUNTS),
            bias: row(rng),
            neurons: (0..HIDDEN).map(|_| std::array::from_fn(|_| rng.i16(-300..300))).collect(),
            neuron_bias: std::array::from_fn(|_| rng.i32(-40_000..40_000)),
            last: std::array::from_fn(|_| rng.i16(-900..900)),
            last_bias: rng.i32(-1000..1000),
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
            assert_eq!(work_out_layers(&network, sums, kinds), layers(&network, sums, kinds));
        }
    }
}
