//! The arithmetic of a network, compiled once for every processor and once more for those that work on
//! 256 bits at a time ([function multiversioning](https://docs.rs/multiversion)); the processor chooses
//! when the program runs. Whole numbers come out the same either way.

use super::policy::{CONTEXT, Policy, View, Weighing};
use super::state::{Groups, Regrouped};
use super::{CellRow, DIMENSIONS, INPUTS, NEURON_ONE, Network, ONE, Row};
use crate::game::{Cell, Move};
use multiversion::multiversion;

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
    work_out_layers(network, sums, kinds)
}

#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn work_out_layers(network: &Network, sums: [&Row; 2], kinds: [&Row; 2]) -> (i32, i32) {
    let last = DIMENSIONS - 1;
    let of_kinds = kinds[0][last].wrapping_add(kinds[1][last]);
    let linear = i32::from(sums[0][last].wrapping_add(of_kinds)) - i32::from(sums[1][last]);
    let mut neurons = network.neuron_bias;
    add_products(&mut neurons, &network.neurons, &inputs(sums, kinds));
    let outputs = neurons.iter().zip(network.last);
    let outputs = outputs.map(|(sum, last)| (sum / NEURON_ONE).clamp(0, ONE) * i32::from(last));
    (network.last_bias + outputs.sum::<i32>(), linear)
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
    work_out_context(policy, inputs, threat)
}

#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn work_out_context(policy: &Policy, inputs: &[i16; INPUTS], threat: usize) -> Weighing {
    let mut sums = [0; CONTEXT];
    add_products(&mut sums, &policy.neurons, inputs);
    let mut context = policy.kinds[threat];
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

/// Adds to each sum the products of inputs and weights.
#[expect(clippy::inline_always, reason = "each version is compiled from this code")]
#[inline(always)]
fn add_products<const N: usize>(
    sums: &mut [i32; N],
    weights: &[[i16; INPUTS]],
    inputs: &[i16; INPUTS],
) {
    for (sum, weights) in sums.iter_mut().zip(weights) {
        // Words of sixteen bits are multiplied in pairs, unless the compiler sees that the inputs are the
        // same each time: then it widens all of them beforehand, and packs them again for each sum.
        let products = weights.iter().zip(std::hint::black_box(inputs));
        *sum += products.map(|(&w, &input)| i32::from(w) * i32::from(input)).sum::<i32>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::{CONTEXT, COUNTS, Grouping, HIDDEN, THREATS};
    use crate::eval::weights::Genre;
    use fastrand::Rng;

    fn row(rng: &mut Rng) -> Row {
        std::array::from_fn(|_| rng.i16(-400..400))
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
            neurons: (0..HIDDEN).map(|_| std::array::from_fn(|_| rng.i16(-300..300))).collect(),
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
            neurons: (0..CONTEXT).map(|_| std::array::from_fn(|_| rng.i16(-300..300))).collect(),
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
            assert_eq!(work_out_layers(&network, sums, kinds), layers(&network, sums, kinds));
            let (policy, inputs) = (policy(&mut rng, groups), inputs(sums, kinds));
            assert_eq!(work_out_context(&policy, &inputs, 7), context(&policy, &inputs, 7));
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
