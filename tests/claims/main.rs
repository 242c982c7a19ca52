//! The values that the engine announces, held to the rules: every win, loss and proven value is
//! decided again by a [solver] that knows nothing of the evaluators and of the search.

#[path = "../common/mod.rs"]
mod common;

mod check;
mod faults;
mod games;
mod minimize;
mod positions;
mod run;
mod solver;
mod tactics_in_one;
