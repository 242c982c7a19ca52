//! Proved values of small games: who wins if nobody errs, with a strategy that anyone can check.
//!
//! [`Solver`] finds the value of a position of a small board by an exact search on bits;
//! [`strategies`] writes down how the value is kept, as a [`Certificate`]; [`check()`] plays that
//! out by the rules, without the search.
//!
//! ```
//! use pentarch_core::placement::Position;
//! use pentarch_analysis::proof::{Budget, SmallRules, Solver, Value, check, strategies};
//! let start = Position::new("gomoku+size=3x3+line=3".parse()?);
//! let rules = SmallRules::new(start.rules())?;
//! let board = rules.board(&start);
//! let mut solver = Solver::new(rules, 1, Budget::default());
//! assert_eq!(solver.value(&board)?, Value::Draw);
//! let proof = strategies(&mut solver, &board, Value::Draw, start.rules().to_string(), None)?;
//! let checked = check(&proof.text(start.grid()))?;
//! assert_eq!(checked.value, Value::Draw);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod certificate;
mod small_game;
mod solver;
mod table;

pub use certificate::{
    Certificate, CertificateTextError, CheckError, Checked, Claim, Strategy, check, strategies,
};
pub use small_game::{LONGEST_SIDE, NotSmall, SmallBoard, SmallRules, Value};
pub use solver::{Budget, Solver, Spent};
