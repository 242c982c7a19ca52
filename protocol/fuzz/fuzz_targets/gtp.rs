//! Any bytes as a stream of GTP.

#![no_main]

#[path = "../bodies/gtp.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::stream(bytes));
