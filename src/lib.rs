//! Pentarch plays five-in-a-row games with a bite: Pente and its variants, Ninuki and Gomoku.

pub mod board;
pub mod game;
pub mod placement;
pub mod rules;
