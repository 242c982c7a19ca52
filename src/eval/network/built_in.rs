//! The networks of this program. The head of each file says what made it.

use super::Network;
use crate::eval::weights::Genre;
use crate::rules::SquareRules;
use std::sync::{Arc, LazyLock};

static LINES: LazyLock<Arc<Network>> = LazyLock::new(|| built_in(include_bytes!("lines.network")));

/// A file that is part of this program; a test reads them all.
fn built_in(bytes: &[u8]) -> Arc<Network> {
    Arc::new(Network::from_bytes(bytes).expect("a network of this program"))
}

/// The lines in a row that the networks know.
const FIVE: u8 = 5;

impl Network {
    /// The network for a ruleset, if there is one.
    pub fn built_in(rules: &SquareRules) -> Option<&'static Arc<Network>> {
        let of_fives = rules.plays_lines() && rules.line().length() == FIVE;
        let known = of_fives && Genre::of(rules) == Genre::Lines && rules.capture().is_none();
        known.then_some(&*LINES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_can_be_read_and_are_for_the_games_that_they_know() {
        let known = |spec: &str| {
            let network = Network::built_in(&spec.parse().unwrap());
            network.map(|network| network.genre())
        };
        for (spec, genre) in [
            ("pro-pente", None),
            ("five-in-a-row-pente", None),
            ("gomoku", Some(Genre::Lines)),
            ("renju", Some(Genre::Lines)),
            ("connect6", None),
            ("pente-3", None),
            ("gomoku+line=4", None),
        ] {
            assert_eq!(known(spec), genre, "{spec}");
        }
    }
}
