//! Any bytes as the input of `pentarch analyze`.

#![no_main]

#[path = "../bodies/analyze.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::analyze(bytes));
