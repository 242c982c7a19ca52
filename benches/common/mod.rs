//! How all benches measure: rates, and rates per 1000 steps of a fixed loop.
//!
//! Rates of a shared machine mean little by themselves, so each is also printed per 1000 steps of
//! a fixed loop that is timed in the same round: xorshift64 and a dependent look-up in a table of
//! 256 KiB, 300 million steps. Each figure is the median of five rounds, in which the loop and all
//! measurements take turns. Seconds are those that the program has run, where Linux gives them, so
//! that other programs take less of them.

use std::fs;
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

const ROUNDS: usize = 5;
const LOOP_STEPS: u64 = 300_000_000;
/// How many seconds each measurement lasts in a round.
const SPAN: f64 = 1.5;

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

/// The seconds that the program has run: without the time that others had the core, if the system
/// says, in steps of 10 ms.
fn running() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name in brackets the 12th and 13th words are the ticks in user and system mode.
    let words = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Option<Vec<u64>> = words.skip(11).take(2).map(|word| word.parse().ok()).collect();
    match ticks.as_deref() {
        Some([user, system]) => (user + system) as f64 / 100.0,
        _ => START.elapsed().as_secs_f64(),
    }
}

/// Repeats the work for a while and returns units a second.
fn rate(work: &mut dyn FnMut() -> u64) -> f64 {
    let started = running();
    let (mut units, mut seconds) = (0, 0.0);
    while seconds < SPAN {
        units += work();
        seconds = running() - started;
    }
    units as f64 / seconds
}

/// Steps a second of the loop that all rates are set against.
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

/// The value in the middle.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
