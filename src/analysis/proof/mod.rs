//! Proofs of the values of small games: who wins with best play, with strategies that can be
//! checked independently.
//!
//! [`Solver`] finds the value of a position of a small board by an exact search on bitboards;
//! [`prove_value()`] writes strategies that show it as a [`Certificate`]; [`check_certificate()`] plays
//! these by the rules, without the search.
//!
//! ```
//! use pentarch_core::placement::Position;
//! use pentarch_analysis::proof::{GameValue, SmallRules, Solver, SolverLimits, check_certificate, prove_value};
//! let start = Position::new("gomoku+size=3x3+line=3".parse()?);
//! let rules = SmallRules::new(start.rules())?;
//! let board = rules.board(&start);
//! let mut solver = Solver::new(rules, 1, SolverLimits::default());
//! assert_eq!(solver.value(&board)?, GameValue::Draw);
//! let proof = prove_value(&mut solver, &board, GameValue::Draw, start.rules().to_string(), None)?;
//! let checked = check_certificate(&proof.text(start.grid()))?;
//! assert_eq!(checked.value, GameValue::Draw);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod certificate;
mod small_game;
mod solver;
mod table;

pub use crate::LimitReached;
pub use certificate::{
    Certificate, CertificateCheckError, CertificateTextError, CheckedProof, Claim, Strategy,
    check_certificate, prove_value,
};
pub use small_game::{GameValue, MAX_SIDE, SmallBoard, SmallRules, UnsupportedGame};
pub use solver::{Solver, SolverLimits};
