//! A small network that corrects the value of the weights: what stones of both colors would make of
//! each empty cell, taken together, is embedded in a few dimensions and summed over the cells, as in
//! an efficiently updatable network (Nasu 2018, NNUE).
//!
//! Sums are whole numbers and are kept up to date by differences; so is all that follows. A value is
//! the same on every machine.

mod built_in;
mod file;
mod grouping;
mod kin_rows;
mod neurons;
mod policy;
mod rounding;
mod simd;
mod state;

pub use file::NetworkError;
pub use grouping::Grouping;
pub use policy::{CONTEXT, FloatPolicy, Policy};
pub(super) use state::NetworkState;

use self::neurons::{NEURONS, Neurons};
use super::terms::NetworkInput;
use super::weights::Genre;

/// Dimensions in which a cell is embedded. The last is not clipped and goes straight to the value.
pub const DIMENSIONS: usize = 32;
/// The sums of both colors.
pub const INPUTS: usize = 2 * DIMENSIONS;
/// Neurons between sums and value.
pub const HIDDEN: usize = NEURONS;
/// Kinds of positions by the most urgent cells of both colors and by who captures, or who is forbidden
/// moves.
pub const THREATS: usize = 196;
/// Kinds of positions by the tenths of their goals that both colors have captured.
pub const COUNTS: usize = 100;

/// A clipped sum of 1, and the output of a neuron of 1.
const ONE: i32 = 256;
/// A weight of 1 of a neuron.
const NEURON_ONE: i32 = 128;
/// A sum of the last dimension that is worth odds of e to 1.
const LINEAR_ONE: i32 = 1024;
/// A weight of the last layer that is worth a point.
const POINT: i32 = 16;

/// What a cell, or a kind of position, adds to the sums.
pub(super) type Row = [i16; DIMENSIONS];

/// A row of a cell. There are more of them than fast memory holds, so that each has a line of the
/// processor's cache to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct CellRow(pub Row);

impl std::ops::Deref for CellRow {
    type Target = Row;

    #[inline]
    fn deref(&self) -> &Row {
        &self.0
    }
}

/// The network, in whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    pub(super) genre: Genre,
    pub(super) grouping: Grouping,
    /// By group for one's own color, then for the other; where colors differ, for the first color
    /// and then for the second.
    pub(super) cells: Vec<CellRow>,
    /// What is added to the sums of the color to move, by kind of position.
    pub(super) threats: Vec<Row>,
    pub(super) counts: Vec<Row>,
    pub(super) bias: Row,
    pub(super) neurons: Neurons,
    pub(super) neuron_bias: [i32; HIDDEN],
    pub(super) last: [i16; HIDDEN],
    pub(super) last_bias: i32,
    /// For the order of moves, if there is a head for it.
    pub(super) policy: Option<Policy>,
}

/// The same in floating point, as a fit finds it; the fields are laid out alike, row by row.
#[derive(Clone, Debug, Default)]
pub struct FloatNetwork {
    /// By group for one's own color, then for the other; where colors differ, for the first color
    /// and then for the second.
    pub cells: Vec<f32>,
    /// By most urgent cells and captures.
    pub threats: Vec<f32>,
    /// By captured stones.
    pub counts: Vec<f32>,
    /// What sums begin with.
    pub bias: Vec<f32>,
    /// The weights of each neuron.
    pub neurons: Vec<f32>,
    /// What neurons begin with.
    pub neuron_bias: Vec<f32>,
    /// The weights of neurons in the value, in log odds.
    pub last: Vec<f32>,
    /// What the value begins with.
    pub last_bias: f32,
}

impl Network {
    /// The games that it is for.
    pub fn genre(&self) -> Genre {
        self.genre
    }

    /// What cells it tells apart.
    pub fn grouping(&self) -> &Grouping {
        &self.grouping
    }

    /// The correction in points for the color to move, worked out from scratch.
    pub fn correction(&self, input: &NetworkInput) -> i32 {
        let sums = self.sums(input);
        self.points([&sums[0], &sums[1]], input.threat, input.count)
    }

    /// What the neurons of both heads look at, 0 to 256 for 0 to 1, worked out from scratch.
    pub fn inputs(&self, input: &NetworkInput) -> [i16; INPUTS] {
        let sums = self.sums(input);
        let kinds = [&self.threats[input.threat], &self.counts[input.count]];
        simd::inputs([&sums[0], &sums[1]], kinds)
    }

    /// The sums of the color to move and of the other.
    fn sums(&self, input: &NetworkInput) -> [Row; 2] {
        let mut sums = [self.bias; 2];
        let [own_rows, their_rows] = [input.mover, input.mover ^ 1].map(|color| self.rows(color));
        let place = |own: u8, their| usize::from(own) * self.grouping.count() + usize::from(their);
        for &[own, their] in &input.cells {
            add(&mut sums[0], &own_rows[place(own, their)]);
            add(&mut sums[1], &their_rows[place(their, own)]);
        }
        sums
    }

    /// What is added to the ordering score of a cell of these groups, for the color to move and for the
    /// other, worked out from scratch: nothing without a head for it.
    pub fn ordering_points(&self, input: &NetworkInput, groups: [u8; 2]) -> i32 {
        let view = |policy: &Policy| {
            policy.view(&self.inputs(input), input.mover, input.threat).points(groups)
        };
        self.policy.as_ref().map_or(0, view)
    }

    /// The network with a head for the order of moves.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Network {
        Network { policy: Some(policy), ..self }
    }

    /// The rows of cells in the view of a color, by groups for one's own color, then for the other.
    #[inline]
    fn rows(&self, color: usize) -> &[CellRow] {
        let rows = self.grouping.pairs();
        &self.cells[color % self.genre.views() * rows..][..rows]
    }

    /// The value in points for the color to move, by the sums of that color and of the other and by
    /// the kinds of position.
    #[inline]
    fn points(&self, sums: [&Row; 2], threat: usize, count: usize) -> i32 {
        let kinds = [&self.threats[threat], &self.counts[count]];
        let (sum, linear) = simd::layers(self, sums, kinds);
        let scale = crate::search::Score::SCALE as i32;
        sum / (ONE * POINT) + linear * scale / LINEAR_ONE
    }
}

/// Sums wrap around, which no network of use comes near.
fn add(sums: &mut Row, row: &Row) {
    sums.iter_mut().zip(row).for_each(|(sum, &number)| *sum = sum.wrapping_add(number));
}
