//! The head of a network for the order of moves
//! ([policy head](https://www.chessprogramming.org/AlphaZero)): what the stones of both colors would
//! make of a cell, in the light of the whole board.
//!
//! A few neurons see the sums of the board as the value does, and what they find is weighed by the
//! groups of the cell. Whole numbers throughout, as in the value.

use super::neurons::{NEURONS, Neurons};
use super::{Grouping, INPUTS, ONE, POINT, THREATS, simd};
use crate::eval::weights::Genre;

/// Neurons between sums and moves.
pub const CONTEXT: usize = NEURONS;

/// What a cell makes of the context, by neuron.
pub(super) type Weighing = [i16; CONTEXT];

/// What moves are worth beside the ordering scores of the weights, in whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Points by group for the color to move, then for the other; where colors differ, with the first
    /// color to move and then with the second.
    pub(super) pairs: Vec<i16>,
    /// By group for the color to move, a [`POINT`]th of a point for a neuron of 1.
    pub(super) own: Vec<Weighing>,
    /// The same for the other color.
    pub(super) their: Vec<Weighing>,
    /// The weights of each neuron.
    pub(super) neurons: Neurons,
    /// What neurons begin with, by kind of position.
    pub(super) kinds: Vec<Weighing>,
}

/// The same in floating point, as a fit finds it; the fields are laid out alike, row by row, and scores
/// are in log odds.
#[derive(Clone, Debug, Default)]
pub struct FloatPolicy {
    /// By both groups.
    pub pairs: Vec<f32>,
    /// By group for the color to move.
    pub own: Vec<f32>,
    /// By group for the other.
    pub their: Vec<f32>,
    /// The weights of each neuron.
    pub neurons: Vec<f32>,
    /// What neurons begin with.
    pub kinds: Vec<f32>,
}

/// The part of a policy that one color to move sees, with what the neurons say of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub pairs: &'a [i16],
    pub own: &'a [Weighing],
    pub their: &'a [Weighing],
    pub context: Weighing,
}

impl Policy {
    /// How many numbers there are in rows of each kind, in the order of the fields.
    pub(super) fn rows(genre: Genre, grouping: &Grouping) -> [usize; 5] {
        let (views, groups) = (genre.views(), grouping.count());
        [views * grouping.pairs(), views * groups, views * groups, CONTEXT, THREATS]
    }

    /// What a color to move sees of a position with these inputs and of this kind.
    #[inline]
    pub(super) fn view(&self, inputs: &[i16; INPUTS], mover: usize, threat: usize) -> View<'_> {
        let groups = self.pairs.len() / self.own.len();
        let views = self.own.len() / groups;
        let first = mover % views * groups;
        View {
            pairs: &self.pairs[first * groups..][..groups * groups],
            own: &self.own[first..][..groups],
            their: &self.their[first..][..groups],
            context: simd::context(self, inputs, threat),
        }
    }
}

impl View<'_> {
    /// What is added to the ordering score of a cell of these groups, for the color to move and for the
    /// other. Their sums wrap around, which no network of use comes near.
    #[expect(
        clippy::inline_always,
        reason = "each version for a processor is compiled from this code"
    )]
    #[inline(always)]
    pub(super) fn points(&self, [own, their]: [u8; 2]) -> i32 {
        let [own, their] = [own, their].map(usize::from);
        let rows = self.own[own].iter().zip(&self.their[their]).zip(&self.context);
        let weighed = rows.map(|((&own, &their), &neuron)| {
            i32::from(own.wrapping_add(their)) * i32::from(neuron)
        });
        i32::from(self.pairs[own * self.own.len() + their]) + weighed.sum::<i32>() / (ONE * POINT)
    }
}
