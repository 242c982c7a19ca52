//! Games in which stones are placed on points: the Pente family, Ninuki and Gomoku.
//!
//! [`Position`] is a game in play with full history; [`Playout`] plays random games to the end
//! on the same pipeline without keeping any.

mod notation;
mod phase;
mod pipeline;
mod playout;
mod position;
mod text;
mod variant;

pub(crate) use notation::parse_bare;
pub use notation::{MoveTextError, move_text};
pub use playout::Playout;
pub use position::Position;
