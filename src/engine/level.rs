//! Playing strength below full.

use crate::search::{Handicap, Limits};

/// How a level plays: it looks at fewer nodes and fewer moves, misjudges a little, and the lowest
/// see no forced wins ahead. The steps are chosen so that each level beats the one below in about
/// two of three games at 0.1 s a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    nodes: u64,
    handicap: Handicap,
}

/// The levels from 1 to 9: nodes, root moves, points of misjudgment, forced wins.
const LEVELS: [(u64, usize, i32, bool); 9] = [
    (5, 5, 1020, false),
    (30, 6, 390, false),
    (140, 9, 212, false),
    (260, 9, 195, false),
    (600, 10, 136, false),
    (1_200, 12, 94, true),
    (3_000, 16, 51, true),
    (6_000, 22, 31, true),
    (20_000, 40, 12, true),
];

impl Level {
    /// A level from 1 on; none is full strength.
    pub(super) fn of(level: u32) -> Option<Level> {
        let index = level.checked_sub(1)? as usize;
        let &(nodes, max_root_moves, eval_noise, forced_wins) = LEVELS.get(index)?;
        Some(Level { nodes, handicap: Handicap { max_root_moves, eval_noise, forced_wins } })
    }

    pub(super) fn handicap(self) -> Handicap {
        self.handicap
    }

    /// The limits, with the level's own where that is stricter.
    pub(super) fn limits(self, limits: Limits) -> Limits {
        let nodes = limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes));
        Limits { nodes: Some(nodes), ..limits }
    }
}
