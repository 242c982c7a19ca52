//! Any bytes as the two sides of a conversation; the first one chooses the dialect.

#![no_main]

#[path = "../bodies/dialects.rs"]
mod body;

use body::SPOKEN;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((first, rest)) = bytes.split_first() {
        SPOKEN[usize::from(*first) % SPOKEN.len()].stream(rest);
    }
});
