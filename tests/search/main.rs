//! The search and the evaluation: what is proved, the wins that are found, and the short cuts of the
//! evaluators against the rules.

#![allow(clippy::disallowed_methods, reason = "tests write their input")]

#[path = "../common/mod.rs"]
mod common;

mod alpha_beta;
mod announced;
mod eval;
mod eval_variants;
mod hex_search;
mod hex_wins;
mod mcts;
mod multi_pv;
mod parameters;
mod proof;
mod proposals;
mod short_limits;
mod stacking_search;
mod sure_wins;
mod tactics;
mod threats;
mod variant_replies;
mod win_lines;
mod wins;
