//! The distributions of the simulations, drawn from the generator of core/.

use std::f64::consts::TAU;

use steadfetch_core::rng::Rng;

/// The whole numbers that a 64-bit float holds one by one.
const STEPS: u64 = 1 << 53;

/// The generator of one run: runs with other numbers have nothing in common.
pub(crate) fn generator(run: u32) -> Rng {
    Rng::new([run, 0x7374_6561, 0x6466_6574, 0x6368])
}

/// Between 0 and 1, and never either.
fn open_unit(rng: &mut Rng) -> f64 {
    (rng.up_to(STEPS - 1) as f64 + 0.5) / STEPS as f64
}

pub(crate) fn uniform(rng: &mut Rng, from: f64, to: f64) -> f64 {
    from + (to - from) * open_unit(rng)
}

/// The time until an event that comes once in `mean` on the average, whatever came before.
pub(crate) fn exponential(rng: &mut Rng, mean: f64) -> f64 {
    -mean * open_unit(rng).ln()
}

/// By Box and Muller.
pub(crate) fn normal(rng: &mut Rng, mean: f64, deviation: f64) -> f64 {
    let radius = (-2.0 * open_unit(rng).ln()).sqrt();
    mean + deviation * radius * (TAU * open_unit(rng)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(mut draw: impl FnMut(&mut Rng) -> f64) -> (f64, f64) {
        const DRAWS: usize = 100_000;
        let mut rng = generator(1);
        let drawn: Vec<f64> = (0..DRAWS).map(|_| draw(&mut rng)).collect();
        let mean = drawn.iter().sum::<f64>() / DRAWS as f64;
        let variance = drawn.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / DRAWS as f64;
        (mean, variance.sqrt())
    }

    #[test]
    fn means_and_deviations_are_those_of_the_distributions() {
        let near = |(mean, deviation): (f64, f64), wanted: (f64, f64)| {
            assert!((mean / wanted.0 - 1.0).abs() < 0.02, "mean {mean}, not {}", wanted.0);
            assert!((deviation / wanted.1 - 1.0).abs() < 0.02, "deviation {deviation}, not {}", wanted.1);
        };
        near(moments(|rng| normal(rng, 10.0, 2.0)), (10.0, 2.0));
        near(moments(|rng| exponential(rng, 10.0)), (10.0, 10.0));
        near(moments(|rng| uniform(rng, 4.0, 16.0)), (10.0, 12.0 / 12_f64.sqrt()));
    }
}
