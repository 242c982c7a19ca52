//! How all benches measure: rates, and rates per 1000 steps of a fixed loop.
//!
//! Rates of a shared machine mean little by themselves, so each is also printed per 1000 steps of
//! a fixed loop that is timed in the same round: xorshift64 and a dependent look-up in a table of
//! 256 KiB, 300 million steps. Each figure is the median of five rounds, in which the loop and all
//! measurements take turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
const LOOP_STEPS: u64 = 300_000_000;
/// How long each measurement lasts in a round.
const SPAN: Duration = Duration::from_millis(1500);

/// Something to measure: a name, its unit, and a piece of work that says how many units it did.
pub(crate) struct Measurement {
    pub(crate) name: &'static str,
    unit: &'static str,
    work: Box<dyn FnMut() -> u64>,
    rates: Vec<f64>,
    relative: Vec<f64>,
}

/// What `work` does, in units that it returns.
pub(crate) fn measure(
    name: &'static str,
    unit: &'static str,
    work: Box<dyn FnMut() -> u64>,
) -> Measurement {
    Measurement { name, unit, work, rates: Vec::new(), relative: Vec::new() }
}

/// Measures everything in turns and prints the medians.
pub(crate) fn run(mut measurements: Vec<Measurement>) {
    let mut loop_rates = Vec::new();
    for round in 1..=ROUNDS {
        let loop_rate = fixed_loop();
        loop_rates.push(loop_rate);
        for measurement in &mut measurements {
            let rate = rate(&mut measurement.work);
            measurement.rates.push(rate);
            measurement.relative.push(rate / (loop_rate / 1000.0));
        }
        eprintln!("round {round} of {ROUNDS}");
    }
    println!("fixed loop: {:.1} million steps a second", median(&mut loop_rates) / 1e6);
    println!("{:<28} {:>14}   {:>16}", "", "a second", "per 1000 steps");
    for measurement in &mut measurements {
        let (rate, relative) = (median(&mut measurement.rates), median(&mut measurement.relative));
        let label = format!("{} [{}]", measurement.name, measurement.unit);
        println!("{label:<28} {rate:>14.0}   {relative:>16.3}");
    }
}

/// Repeats the work for a while and returns units a second.
fn rate(work: &mut dyn FnMut() -> u64) -> f64 {
    let started = Instant::now();
    let mut units = 0;
    while started.elapsed() < SPAN {
        units += work();
    }
    units as f64 / started.elapsed().as_secs_f64()
}

/// Steps a second of the loop that all rates are set against.
fn fixed_loop() -> f64 {
    let table: Vec<u64> = (0..32_768u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut x = 88_172_645_463_325_252u64;
    let started = Instant::now();
    for _ in 0..LOOP_STEPS {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x ^= table[(x & 32_767) as usize];
    }
    black_box(x);
    LOOP_STEPS as f64 / started.elapsed().as_secs_f64()
}

/// The value in the middle.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
