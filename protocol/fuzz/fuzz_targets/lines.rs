//! Parses any bytes as both sides of a conversation; the first byte selects the dialect.

#![no_main]

#[path = "../bodies/dialects.rs"]
mod body;

use body::PARSERS;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((first, rest)) = bytes.split_first() {
        PARSERS[usize::from(*first) % PARSERS.len()].stream(rest);
    }
});
