//! Games in which stones are placed on points: the Pente family, Ninuki and Gomoku.
//!
//! [`Position`] is a game in play with full history; [`Playout`] plays random games to the end
//! on the same pipeline without keeping any.

mod captures;
mod forbidden;
mod legal;
mod outcome;
mod pipeline;
mod playout;
mod position;
mod text;

pub use playout::Playout;
pub use position::{IllegalPlacement, Position};
