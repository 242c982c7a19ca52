//! Tactics: positions with a forced win.
//!
//! [`MateProver`] proves a forced win by trying every defense; [`Tactic`] is a line of a tactics
//! file; [`TacticMiner`] finds such positions in recorded games; [`mate_tree()`] finds a win with
//! all defenses; [`solve()`] tests whether the engine finds a win.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod mate_tree;
mod prover;
mod tactic;

pub use crate::LimitReached;
pub use mate_tree::{
    AttackNode, DefenseNode, DefenseReply, MateError, MateReport, MateTree, mate_tree,
};
pub use prover::{ForcedWin, MateProver, ProofLimits};
pub use tactic::{
    MiningResult, SeenPositions, SolveResult, Tactic, TacticError, TacticMiner, TacticsFileError,
    judge_answer, solve,
};
