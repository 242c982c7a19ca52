//! Tests of the rules: perft tables, invariants that hold at every ply, and comparison of every game with
//! a naive referee that was written only from the text of the rules.

#![allow(clippy::disallowed_methods, reason = "tests write their input")]

#[path = "../common/mod.rs"]
mod common;

mod hexes;
mod laws;
mod perft;
mod placement;
mod proofs;
mod replay;
mod solver;
mod stacking;
mod variants;
mod vectors;
