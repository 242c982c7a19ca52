//! From floating point to whole numbers and back.

use super::neurons::Neurons;
use super::{CellRow, LINEAR_ONE, NEURON_ONE, Network, ONE, POINT, Row};
use super::{DIMENSIONS, FloatNetwork, FloatPolicy, Grouping, HIDDEN, Policy};
use crate::eval::weights::Genre;
use crate::search::Score;

/// What is 1 in whole numbers of a neuron before it is clipped.
const NEURON_SUM: f32 = (ONE * NEURON_ONE) as f32;

impl Network {
    /// Rounds numbers; those too large for their type are cut. Values are as many times larger as
    /// `stretch` says.
    pub fn quantize(
        genre: Genre,
        grouping: Grouping,
        float: &FloatNetwork,
        stretch: f32,
    ) -> Network {
        let scale = row_scale(stretch);
        let rows = |numbers: &[f32]| -> Vec<Row> {
            numbers.chunks_exact(DIMENSIONS).map(|numbers| row(numbers, &scale)).collect()
        };
        let points = points(stretch);
        let mut network = Network {
            genre,
            grouping,
            cells: rows(&float.cells).into_iter().map(CellRow).collect(),
            threats: rows(&float.threats),
            counts: rows(&float.counts),
            bias: row(&float.bias, &scale),
            neurons: Neurons::new(&rounded(&float.neurons, NEURON_ONE as f32)),
            neuron_bias: [0; HIDDEN],
            last: [0; HIDDEN],
            last_bias: (float.last_bias * points * ONE as f32).round() as i32,
            policy: None,
        };
        for (bias, &number) in network.neuron_bias.iter_mut().zip(&float.neuron_bias) {
            *bias = (number * NEURON_SUM).round() as i32;
        }
        for (weight, &number) in network.last.iter_mut().zip(&float.last) {
            *weight = (number * points).round() as i16;
        }
        network
    }

    /// The numbers that round to those of the network, if its values are as many times larger as
    /// `stretch` says.
    pub fn to_float(&self, stretch: f32) -> FloatNetwork {
        let scale = row_scale(stretch);
        let rows = |rows: &[Row]| {
            let number = |(&number, one): (&i16, &f32)| f32::from(number) / one;
            rows.iter().flat_map(|row| row.iter().zip(&scale).map(number)).collect()
        };
        let neuron = |number: i16| f32::from(number) / NEURON_ONE as f32;
        let points = points(stretch);
        FloatNetwork {
            cells: rows(&self.cells.iter().map(|row| row.0).collect::<Vec<_>>()),
            threats: rows(&self.threats),
            counts: rows(&self.counts),
            bias: rows(&[self.bias]),
            neurons: self.neurons.rows().flatten().map(neuron).collect(),
            neuron_bias: self.neuron_bias.map(|bias| bias as f32 / NEURON_SUM).to_vec(),
            last: self.last.map(|weight| f32::from(weight) / points).to_vec(),
            last_bias: self.last_bias as f32 / (points * ONE as f32),
        }
    }
}

impl Policy {
    /// Rounds numbers; those too large for their type are cut. Odds of e to 1 are as many points as
    /// `points` says.
    pub fn quantize(float: &FloatPolicy, points: f32) -> Policy {
        Policy {
            pairs: float.pairs.iter().map(|odds| (odds * points).round() as i16).collect(),
            own: rounded(&float.own, points * POINT as f32),
            their: rounded(&float.their, points * POINT as f32),
            neurons: Neurons::new(&rounded(&float.neurons, NEURON_ONE as f32)),
            kinds: rounded(&float.kinds, ONE as f32),
        }
    }
}

/// Rows of whole numbers, 1 being `one` of them.
fn rounded<const N: usize>(numbers: &[f32], one: f32) -> Vec<[i16; N]> {
    let (rows, _) = numbers.as_chunks::<N>();
    rows.iter().map(|row| row.map(|number| (number * one).round() as i16)).collect()
}

/// What is 1 in each dimension of a row.
fn row_scale(stretch: f32) -> [f32; DIMENSIONS] {
    let mut scale = [ONE as f32; DIMENSIONS];
    scale[DIMENSIONS - 1] = stretch * LINEAR_ONE as f32;
    scale
}

/// What odds of e to 1 are in the last layer.
fn points(stretch: f32) -> f32 {
    stretch * Score::SCALE as f32 * POINT as f32
}

/// A row of whole numbers.
fn row(numbers: &[f32], scale: &[f32; DIMENSIONS]) -> Row {
    let mut row = [0; DIMENSIONS];
    for ((entry, &number), one) in row.iter_mut().zip(numbers).zip(scale) {
        *entry = (number * one).round() as i16;
    }
    row
}
