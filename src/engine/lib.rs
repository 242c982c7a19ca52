//! The engine: the search, the evaluation, and the façade over both.
//!
//! [`Game`] is a game of any variant, spoken to in text; [`Engine`] thinks about it. They are the
//! only place that lists the families of games. [`search`] is generic over
//! [`pentarch_core::game::Position`]; [`eval`] tells it what positions are worth.

#![warn(missing_docs)]

mod book;
pub mod eval;
mod game;
mod hexes;
mod image;
mod level;
mod lines;
mod memory;
mod options;
mod points;
mod proposal;
pub mod search;
mod setup;
mod stones;
mod thinker;
mod tiles;

pub use crate::eval::Threat;
pub use book::{Book, BookError, BookMove, BookPosition};
pub use game::{Game, GameError, IllegalMove, MoveTextError, Replay};
pub use image::{Canonical, Image};
pub use options::{Access, Method, OptionError, OptionRow, Options};
pub use pentarch_core::board::StoneTextError;
pub use pentarch_core::stacking::TileTextError;
pub use points::{choice_points, moves_at, stones_in_order};
pub use thinker::{Engine, EngineError, Thinking};

/// The engine's name with its version, as protocols give it.
pub const NAME_AND_VERSION: &str = concat!("Pentarch ", env!("CARGO_PKG_VERSION"));
/// Who made it, as protocols give it.
pub const AUTHOR: &str = env!("CARGO_PKG_AUTHORS");
