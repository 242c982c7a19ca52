//! Tactics: positions with a forced win, how they are proved, mined from games, and written down.
//!
//! [`Prover`] proves a forced win by trying every defense; [`Tactic`] is a line of a tactics file;
//! [`Miner`] finds such positions in recorded games; [`examine`] asks the engine to find the win.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod exam;
mod known;
mod mine;
mod prover;
mod tactic;
mod threatening;

pub use exam::{Verdict, examine};
pub use mine::{Mined, Miner, Seen};
pub use prover::{Prover, Reach, Spent, Win};
pub use tactic::{Tactic, TacticError, TacticsFileError};
