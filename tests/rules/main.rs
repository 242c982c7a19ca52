//! The rules: perft tables, laws that hold at every ply, and every game against a naive referee that
//! was written from the text of the rules alone.

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
