//! Tactics: positions with a forced win, how they are proved, mined from games, and written down.
//!
//! [`Prover`] proves a forced win by trying every defense; [`Tactic`] is a line of a tactics file;
//! [`Miner`] finds such positions in recorded games; [`mate_tree()`] has a win with
//! every defense; [`solve()`] asks the engine to find the win.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod mate_text;
mod mate_tree;
mod mine;
mod proof_table;
mod prover;
mod solve;
mod tactic;
mod threatening;

pub use mate_text::MateText;
pub use mate_tree::{Answer, Attack, Defense, MateTree, NoMate, mate_tree};
pub use mine::{Mined, Miner, Seen};
pub use prover::{Prover, Reach, Spent, Win};
pub use solve::{SolveResult, judge, solve};
pub use tactic::{Tactic, TacticError, TacticsFileError};
