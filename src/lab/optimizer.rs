//! The training loop of every fit: mini-batch gradient descent with Adam.

use fastrand::Rng;

/// The state of Adam (Kingma and Ba 2014).
#[derive(Clone, Debug)]
struct Adam {
    mean: Vec<f32>,
    variance: Vec<f32>,
    steps: i32,
}

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

impl Adam {
    fn new(parameters: usize) -> Adam {
        Adam { mean: vec![0.0; parameters], variance: vec![0.0; parameters], steps: 0 }
    }

    /// Moves the parameters against a gradient.
    fn step(&mut self, parameters: &mut [f32], gradient: &[f32], learning_rate: f32) {
        self.steps += 1;
        let unbias = |beta: f32| 1.0 / (1.0 - beta.powi(self.steps));
        let (by_mean, by_variance) = (unbias(BETA1), unbias(BETA2));
        let state = self.mean.iter_mut().zip(&mut self.variance);
        for ((parameter, &derivative), (mean, variance)) in
            parameters.iter_mut().zip(gradient).zip(state)
        {
            *mean += (1.0 - BETA1) * (derivative - *mean);
            *variance += (1.0 - BETA2) * (derivative * derivative - *variance);
            let scale = (*variance * by_variance).sqrt() + EPSILON;
            *parameter -= learning_rate * (*mean * by_mean) / scale;
        }
    }
}

/// The learning rate of a step, which falls linearly to a hundredth of the first one.
fn decayed_rate(first: f32, step: usize, steps: usize) -> f32 {
    let done = step as f32 / steps.max(1) as f32;
    first * (1.0 - 0.99 * done)
}

/// The settings of a descent.
#[derive(Clone, Copy, Debug)]
pub(super) struct GradientDescent {
    /// The number of passes over the examples.
    pub epochs: usize,
    /// The number of examples of a step.
    pub batch: usize,
    /// The learning rate of the first step.
    pub rate: f32,
}

impl GradientDescent {
    /// Fits parameters to `examples` examples, which each epoch visits in a new random order. Returns
    /// the mean loss of the last epoch.
    ///
    /// `gradient` takes the parameters, the indices of the examples of a batch and the learning rate. It
    /// returns the sum of the losses and the mean gradient, and may apply weight decay to the parameters.
    /// `report` is called after each epoch with its number, from 1, its mean loss and the parameters.
    pub(super) fn run(
        self,
        parameters: &mut [f32],
        examples: usize,
        rng: &mut Rng,
        mut gradient: impl FnMut(&mut [f32], &[usize], f32) -> (f64, Vec<f32>),
        mut report: impl FnMut(usize, f64, &[f32]),
    ) -> f64 {
        let mut adam = Adam::new(parameters.len());
        let mut order: Vec<usize> = (0..examples).collect();
        let steps = self.epochs * examples.div_ceil(self.batch);
        let (mut step, mut loss) = (0, 0.0);
        for epoch in 1..=self.epochs {
            rng.shuffle(&mut order);
            let mut sum = 0.0;
            for batch in order.chunks(self.batch) {
                let rate = decayed_rate(self.rate, step, steps);
                let (batch_loss, gradient) = gradient(parameters, batch, rate);
                adam.step(parameters, &gradient, rate);
                sum += batch_loss;
                step += 1;
            }
            loss = sum / examples.max(1) as f64;
            report(epoch, loss, parameters);
        }
        loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adam_finds_the_minimum_of_a_quadratic() {
        let mut parameters = vec![5.0, -3.0];
        let mut adam = Adam::new(2);
        for step in 0..2000 {
            let gradient = [parameters[0] - 1.0, 100.0 * (parameters[1] - 2.0)];
            adam.step(&mut parameters, &gradient, decayed_rate(0.05, step, 2000));
        }
        let distance = [parameters[0] - 1.0, parameters[1] - 2.0];
        assert!(distance.iter().all(|distance| distance.abs() < 1e-2), "{parameters:?}");
    }
}
