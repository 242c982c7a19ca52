//! Games on boards of hexagons, Pentalath and Yavalath (S4).
//!
//! They share the ruleset and the order of a move's steps with the games on squares, but not the board: a
//! color's stones are bits of one word, so rows, groups and liberties are computed for the whole
//! board at once. [`Position`] is a game in play with full history; [`Playout`] plays random games
//! to the end with the same steps and without history.

mod bitboards;
mod playout;
mod position;
mod text;

pub use bitboards::{completions, group_of, has_line, in_atari, surrounded};
pub use playout::Playout;
pub use position::{IllegalHexMove, Position};
