//! Five-in-a-row games without search: boards, rules as data, positions, notation and perft.
//!
//! [`game`] defines what all families of games share: positions, moves, seats, outcomes and perft.
//! [`board`] is geometry without rules; [`rules`] describe games as data, with the catalog of named
//! variants; [`mod@line`] computes what a stone makes of a line; [`placement`], [`hexes`] and [`stacking`] are
//! the three families.

#![warn(missing_docs)]

pub mod board;
pub mod game;
pub mod hexes;
pub mod line;
pub mod placement;
pub mod rules;
pub mod stacking;
