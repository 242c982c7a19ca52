//! Measurement of rates, also relative to a fixed loop.
//!
//! Rates on a shared machine vary, so each is also printed per 1000 steps of a reference loop that is timed
//! in the same round: xorshift64 and a dependent lookup in a table of 256 KiB, 300 million steps. Each number
//! is the median of five rounds, in which the loop and all measurements alternate. On Linux, time is
//! processor time of this process.

use std::fs;
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

const ROUNDS: usize = 5;
const LOOP_STEPS: u64 = 300_000_000;
/// The seconds of each measurement in a round.
const SPAN: f64 = 1.5;

/// A measurement: its name, its unit, and a function that does some work and returns its units.
pub(crate) struct Measurement {
    pub(crate) name: &'static str,
    unit: &'static str,
    work: Box<dyn FnMut() -> u64>,
    rates: Vec<f64>,
    relative: Vec<f64>,
}

/// Creates a measurement of `work`, which returns the number of units that it did.
pub(crate) fn measure(
    name: &'static str,
    unit: &'static str,
    work: Box<dyn FnMut() -> u64>,
) -> Measurement {
    Measurement { name, unit, work, rates: Vec::new(), relative: Vec::new() }
}

/// Measures everything alternately and prints the medians.
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

/// The processor time of this process in seconds, in steps of 10 ms; wall time if the system does not
/// report it.
fn running() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in parentheses, the 12th and 13th fields are the ticks in user and system mode.
    let words = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Option<Vec<u64>> = words.skip(11).take(2).map(|word| word.parse().ok()).collect();
    match ticks.as_deref() {
        Some([user, system]) => (user + system) as f64 / 100.0,
        _ => START.elapsed().as_secs_f64(),
    }
}

/// Repeats the work and returns the units per second.
fn rate(work: &mut dyn FnMut() -> u64) -> f64 {
    let started = running();
    let (mut units, mut seconds) = (0, 0.0);
    while seconds < SPAN {
        units += work();
        seconds = running() - started;
    }
    units as f64 / seconds
}

/// The steps per second of the reference loop.
fn fixed_loop() -> f64 {
    let table: Vec<u64> = (0..32_768u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut x = 88_172_645_463_325_252u64;
    let started = running();
    for _ in 0..LOOP_STEPS {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x ^= table[(x & 32_767) as usize];
    }
    black_box(x);
    LOOP_STEPS as f64 / (running() - started)
}

/// The median.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
