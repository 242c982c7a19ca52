//! Any bytes as a whole session; the first one chooses the dialect.

#![no_main]

#[path = "../bodies/session.rs"]
mod body;

use pentarch_protocol::Dialect;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((first, rest)) = bytes.split_first() {
        body::session(Dialect::ALL[usize::from(*first) % Dialect::ALL.len()], rest);
    }
});
