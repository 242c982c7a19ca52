//! The vocabulary that every layer shares: who plays, what a move is, how a game ends.
//!
//! Nothing here knows a board or a rule. A family of games (stones on points, tiles in
//! layers) implements [`Position`]; search, protocols and arena speak only of that.

mod moves;
mod outcome;
mod perft;
mod position;
mod seat;
mod text;

pub use moves::{Cell, Move, MoveKind, MoveList, Orientation, Place, Signs};
pub use outcome::{Outcome, Reason};
pub use perft::{perft, perft_until};
pub use position::{Change, Illegal, Key, Position};
pub use seat::{Color, Seat, Side};
pub use text::PositionTextError;
