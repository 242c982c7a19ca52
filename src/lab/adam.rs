//! Stochastic gradient descent with momentum and scaled steps (Kingma and Ba 2014, Adam).

/// The state of a descent.
#[derive(Clone, Debug)]
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const TINY: f32 = 1e-8;

impl Adam {
    /// For so many numbers.
    pub fn new(count: usize) -> Adam {
        Adam { mean: vec![0.0; count], square: vec![0.0; count], steps: 0 }
    }

    /// Moves the numbers against a gradient.
    pub fn step(&mut self, numbers: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let unbias = |decay: f32| 1.0 / (1.0 - decay.powi(self.steps));
        let (by_mean, by_square) = (unbias(MEAN_DECAY), unbias(SQUARE_DECAY));
        let state = self.mean.iter_mut().zip(&mut self.square);
        for ((number, &slope), (mean, square)) in numbers.iter_mut().zip(gradient).zip(state) {
            *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
            *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
            *number -= rate * (*mean * by_mean) / ((*square * by_square).sqrt() + TINY);
        }
    }
}

/// The rate of a step: it falls linearly to a hundredth.
pub(super) fn falling_rate(first: f32, step: usize, steps: usize) -> f32 {
    let done = step as f32 / steps.max(1) as f32;
    first * (1.0 - 0.99 * done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bowl_has_one_bottom() {
        let mut numbers = vec![5.0, -3.0];
        let mut adam = Adam::new(2);
        for step in 0..2000 {
            let gradient = [numbers[0] - 1.0, 100.0 * (numbers[1] - 2.0)];
            adam.step(&mut numbers, &gradient, falling_rate(0.05, step, 2000));
        }
        assert!((numbers[0] - 1.0).abs() < 1e-2 && (numbers[1] - 2.0).abs() < 1e-2, "{numbers:?}");
    }
}
