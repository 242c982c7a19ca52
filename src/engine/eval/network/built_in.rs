//! The networks of this program. The head of each file says what made it.

use super::Network;
use crate::eval::weights::Genre;
use pentarch_core::rules::RuleTier;
use pentarch_core::rules::SquareRules;
use std::sync::{Arc, LazyLock};

static CAPTURES: LazyLock<Arc<Network>> =
    LazyLock::new(|| built_in(include_bytes!("captures.network")));
static LINES: LazyLock<Arc<Network>> = LazyLock::new(|| built_in(include_bytes!("lines.network")));
static RENJU: LazyLock<Arc<Network>> = LazyLock::new(|| built_in(include_bytes!("renju.network")));

/// A file that is part of this program; a test reads them all.
fn built_in(bytes: &[u8]) -> Arc<Network> {
    Arc::new(Network::from_bytes(bytes).expect("a network of this program"))
}

/// The lines in a row that the networks know.
const FIVE: u8 = 5;

impl Network {
    /// The network for a ruleset, if there is one.
    pub fn built_in(rules: &SquareRules) -> Option<&'static Arc<Network>> {
        if rules.tier() == RuleTier::Full || rules.line().length() != FIVE {
            return None;
        }
        match (Genre::of(rules), rules.capture()) {
            (Genre::Captures, _) => Some(&CAPTURES),
            (Genre::Lines, None) => Some(&LINES),
            (Genre::Renju, None) => Some(&RENJU),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_take_no_more_than_three_megabytes() {
        let files: [&[u8]; 3] = [
            include_bytes!("captures.network"),
            include_bytes!("lines.network"),
            include_bytes!("renju.network"),
        ];
        let bytes: usize = files.iter().map(|file| file.len()).sum();
        assert!(bytes <= 3_000_000, "{bytes}");
    }

    #[test]
    fn networks_can_be_read_and_are_for_the_games_that_they_know() {
        let known = |spec: &str| {
            let network = Network::built_in(&spec.parse().unwrap());
            network.map(|network| network.genre())
        };
        for (spec, genre) in [
            ("pro-pente", Some(Genre::Captures)),
            ("keryo-pente", Some(Genre::Captures)),
            ("pente+goal=4", None),
            ("o-pente", None),
            ("boat-pente", None),
            ("five-in-a-row-pente", None),
            ("gomoku", Some(Genre::Lines)),
            ("renju", Some(Genre::Renju)),
            ("connect6", None),
            ("pente-3", None),
            ("gomoku+line=4", None),
        ] {
            assert_eq!(known(spec), genre, "{spec}");
        }
    }
}
