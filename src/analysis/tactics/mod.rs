//! Tactics: positions with a forced win, how they are proved, mined from games, and written down.
//!
//! [`Prover`] proves a forced win by trying every defense; [`Tactic`] is a line of a tactics file;
//! [`Miner`] finds such positions in recorded games; [`mate_tree()`] has a win with
//! every defense; [`solve()`] asks the engine to find the win.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod mate_tree;
mod prover;
mod tactic;

pub use mate_tree::{Answer, Attack, Defense, MateText, MateTree, NoMate, mate_tree};
pub use prover::{Prover, Reach, Spent, Win};
pub use tactic::{
    Mined, Miner, Seen, SolveResult, Tactic, TacticError, TacticsFileError, judge, solve,
};
