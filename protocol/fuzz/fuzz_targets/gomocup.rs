//! Any bytes as a stream of Gomocup's protocol.

#![no_main]

#[path = "../bodies/gomocup.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::stream(bytes));
