//! The loop of every fit: batches of examples in an order that is shuffled anew each round, and a step
//! against the slopes of each.

use super::adam::{Adam, falling_rate};
use fastrand::Rng;

/// How a descent goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descent {
    /// How often it sees each example.
    pub epochs: usize,
    /// The examples of a step.
    pub batch: usize,
    /// The first rate of steps.
    pub rate: f32,
}

impl Descent {
    /// Moves numbers against the slopes of so many examples, and returns the mean loss of the last
    /// round.
    ///
    /// `slopes` gives the sum of losses of a batch, examples by their numbers, and the mean slope of
    /// each number; it may take off the numbers what a step of that rate costs besides. `tell` is shown
    /// each round, from 1, with its mean loss and the numbers after it.
    pub(super) fn run(
        self,
        numbers: &mut [f32],
        examples: usize,
        rng: &mut Rng,
        mut slopes: impl FnMut(&mut [f32], &[usize], f32) -> (f64, Vec<f32>),
        mut tell: impl FnMut(usize, f64, &[f32]),
    ) -> f64 {
        let mut adam = Adam::new(numbers.len());
        let mut order: Vec<usize> = (0..examples).collect();
        let steps = self.epochs * examples.div_ceil(self.batch);
        let (mut step, mut loss) = (0, 0.0);
        for epoch in 1..=self.epochs {
            rng.shuffle(&mut order);
            let mut sum = 0.0;
            for batch in order.chunks(self.batch) {
                let rate = falling_rate(self.rate, step, steps);
                let (part, gradient) = slopes(numbers, batch, rate);
                adam.step(numbers, &gradient, rate);
                sum += part;
                step += 1;
            }
            loss = sum / examples.max(1) as f64;
            tell(epoch, loss, numbers);
        }
        loss
    }
}
