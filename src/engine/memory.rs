//! How much memory a search can use.

use super::{Engine, Game};
use crate::search::Limits;

/// Bytes of a table that a node can fill, with as much again left free.
const TABLE_BYTES_A_NODE: u64 = 32;
/// Bytes that a tree may grow by with a simulation: a node for each move, of which games of tiles
/// have more than a thousand.
const TREE_BYTES_A_NODE: u64 = 64 << 10;

impl Engine {
    /// The size of a hash table, or of a tree that grows, in MiB, beyond which a search with these
    /// limits gains nothing; none if it gains from any.
    pub fn useful_hash(game: &Game, limits: &Limits) -> Option<usize> {
        let tree = game.stacking().is_some() || game.rules().seating().sides() > 2;
        let bytes = if tree { TREE_BYTES_A_NODE } else { TABLE_BYTES_A_NODE };
        let bytes = limits.nodes?.saturating_mul(bytes);
        Some((bytes >> 20).next_power_of_two() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_nodes_need_little() {
        let game = |spec: &str| Game::new(spec.parse().unwrap());
        for (spec, nodes, mebibytes) in [
            ("pente", 1, 1),
            ("pente", 2_000, 1),
            ("pente", 1_000_000, 32),
            ("pente-3", 2_000, 128),
            ("pent-up", 10, 1),
        ] {
            let useful = Engine::useful_hash(&game(spec), &Limits::nodes(nodes));
            assert_eq!(useful, Some(mebibytes), "{spec} {nodes}");
        }
        assert_eq!(Engine::useful_hash(&game("pente"), &Limits::depth(9)), None);
    }
}
