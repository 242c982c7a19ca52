//! Any text as a position; the first byte chooses the game.

#![no_main]

#[path = "../bodies/position.rs"]
mod body;

use pentarch::engine::Game;
use pentarch::rules::catalog::CATALOG;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let name = CATALOG[usize::from(*first) % CATALOG.len()].name;
    let start = Game::new(name.parse().expect("a game of the catalog"));
    body::position(&start, &String::from_utf8_lossy(rest));
});
