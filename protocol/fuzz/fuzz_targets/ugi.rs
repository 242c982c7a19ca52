//! Any bytes as a stream of UGI.

#![no_main]

#[path = "../bodies/ugi.rs"]
mod body;

use pentarch_protocol::ugi::Flavor;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::stream(Flavor::Ugi, bytes));
