//! Any bytes as a stream of lines of pente.org's server.

#![no_main]

#[path = "../bodies/sidecar.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::stream(bytes));
