//! Games in which stones are placed on points: the Pente family, Ninuki and Gomoku.
//!
//! [`Position`] is a game in play with full history; [`Playout`] plays random games to the end
//! on the same pipeline without keeping any.

mod illegal;
mod notation;
mod phase;
mod pipeline;
mod playout;
mod position;
mod text;
mod variant;

pub use illegal::IllegalPlacement;
pub use playout::Playout;
pub use position::Position;
