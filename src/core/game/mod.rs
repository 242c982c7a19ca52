//! The vocabulary that every layer shares: who plays, what a move is, how a game ends.
//!
//! Nothing here knows a board or a rule. A family of games (stones on points, tiles in
//! layers) implements [`Position`]; search, protocols and arena speak only of that. What families
//! share to do so stands here too: the history of a game, the fields of position texts, the empty
//! cells of a random game.

mod free_cells;
mod history;
mod illegal;
mod moves;
mod outcome;
mod perft;
mod position;
mod seat;
mod text;
mod zobrist;

pub(crate) use free_cells::{FreeCells, below};
pub(crate) use history::{CAP_IN_SIGHT, History, Journal, content_of, state_key};
pub use illegal::Illegal;
pub use moves::{Cell, Move, MoveKind, MoveList, Orientation, Place, Signs};
pub use outcome::{Outcome, Reason};
pub use perft::{perft, perft_until};
pub use position::{Change, Key, Position};
pub use seat::{Color, Seat, Side};
pub(crate) use text::{
    Field, RowText, captures_text, fields, number, parse_captures, parse_color, parse_no_captures,
    parse_ply, parse_rows,
};
pub use text::{PositionTextError, rows_text};
pub use zobrist::{Zobrist, mix, mix_bytes};
