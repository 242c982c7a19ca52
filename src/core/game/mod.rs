//! What all layers share: who plays, what a move is, how a game ends.
//!
//! Nothing here depends on a board or a rule. A family of games (stones on points, tiles in
//! layers) implements [`Position`], which is all that search, protocols and arena use. The module also has
//! what families share to implement it: the history of a game, the fields of position texts, and the empty
//! cells of a random game.

mod history;
mod moves;
mod position;
mod text;

pub(crate) use history::{
    ChangeListener, EmptyCells, History, PLY_CAP_HORIZON, below, state_key, stone_content,
};
pub use history::{mix, mix_bytes};
pub use moves::{CaptureSigns, Cell, IllegalReason, Move, MoveKind, MoveList, Orientation, Place};
pub use position::{
    Change, Color, EndReason, Key, Outcome, Position, Seat, Side, perft, perft_until,
};
pub(crate) use text::{
    Field, RowText, captures_text, fields, number, parse_captures, parse_color, parse_no_captures,
    parse_ply, parse_rows,
};
pub use text::{PositionTextError, rows_text};
