//! The vocabulary that every layer shares: who plays, what a move is, how a game ends.
//!
//! Nothing here knows a board or a rule. A family of games (stones on points, tiles in
//! layers) implements [`Position`]; search, protocols and arena speak only of that. What families
//! share to do so stands here too: the history of a game, the fields of position texts, the empty
//! cells of a random game.

mod history;
mod moves;
mod position;
mod text;

pub(crate) use history::{CAP_IN_SIGHT, FreeCells, History, Journal, below, content_of, state_key};
pub use history::{Zobrist, mix, mix_bytes};
pub use moves::{Cell, Illegal, Move, MoveKind, MoveList, Orientation, Place, Signs};
pub use position::{Change, Color, Key, Outcome, Position, Reason, Seat, Side, perft, perft_until};
pub(crate) use text::{
    Field, RowText, captures_text, fields, number, parse_captures, parse_color, parse_no_captures,
    parse_ply, parse_rows,
};
pub use text::{PositionTextError, rows_text};
