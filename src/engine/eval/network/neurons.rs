//! A layer of neurons, laid out for processors that multiply words of sixteen bits in pairs.

use super::INPUTS;

/// The neurons of a layer.
pub(super) const NEURONS: usize = 16;

/// The weights of a layer. A word holds those of a neuron for two inputs, the first in the lower half, and the
/// words of all neurons for the same two lie side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::eval) struct Neurons(Box<[[i32; NEURONS]; INPUTS / 2]>);

impl Neurons {
    /// Of weights neuron by neuron; those that are missing are 0.
    pub(super) fn new(rows: &[[i16; INPUTS]]) -> Neurons {
        let mut words = Box::new([[0; NEURONS]; INPUTS / 2]);
        for (neuron, row) in rows.iter().enumerate().take(NEURONS) {
            for (words, &pair) in words.iter_mut().zip(row.as_chunks().0) {
                words[neuron] = pack(pair);
            }
        }
        Neurons(words)
    }

    /// The weights neuron by neuron.
    pub(super) fn rows(&self) -> impl Iterator<Item = [i16; INPUTS]> {
        (0..NEURONS).map(|neuron| {
            let word = |input: usize| unpack(self.0[input / 2][neuron])[input % 2];
            std::array::from_fn(|input| word(input) as i16)
        })
    }

    /// Adds to the sum of each neuron the products of inputs and weights.
    #[cfg(any(test, not(target_feature = "avx2")))]
    #[inline]
    pub(super) fn add_products(&self, sums: &mut [i32; NEURONS], inputs: &[i16; INPUTS]) {
        for (words, &pair) in self.words().iter().zip(inputs.as_chunks().0) {
            let [first, second] = pair.map(i32::from);
            for (sum, &word) in sums.iter_mut().zip(words) {
                let weights = unpack(word);
                *sum += weights[0] * first + weights[1] * second;
            }
        }
    }

    /// The words of all neurons, from two inputs to the next two.
    #[inline]
    pub(super) fn words(&self) -> &[[i32; NEURONS]; INPUTS / 2] {
        &self.0
    }
}

/// Two words of sixteen bits as one.
#[inline]
pub(super) fn pack([first, second]: [i16; 2]) -> i32 {
    i32::from(first) & 0xffff | i32::from(second) << 16
}

/// The two words of which one is made.
#[inline]
fn unpack(word: i32) -> [i32; 2] {
    [i32::from(word as i16), word >> 16]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    #[test]
    fn weights_come_back_as_they_went_in() {
        let mut rng = Rng::with_seed(2);
        let rows = [(); NEURONS].map(|()| std::array::from_fn(|_| rng.i16(..)));
        let neurons = Neurons::new(&rows);
        assert_eq!(neurons.rows().collect::<Vec<_>>(), rows);
        let few = Neurons::new(&rows[..3]).rows().collect::<Vec<_>>();
        assert_eq!((&few[..3], &few[3..]), (&rows[..3], &[[0; INPUTS]; NEURONS - 3][..]));
    }
}
