//! The façade: the only place that lists the families of games.
//!
//! [`Game`] is a game of any variant, spoken to in text; [`Engine`] thinks about it.

mod book;
mod game;
mod hexes;
mod image;
mod level;
mod lines;
mod memory;
mod options;
mod points;
mod proposal;
mod setup;
mod stones;
mod thinker;
mod tiles;

pub use crate::board::StoneTextError;
pub use crate::eval::Threat;
pub use crate::stacking::TileTextError;
pub use book::{Book, BookError, BookMove, BookPosition};
pub use game::{Game, GameError, IllegalMove, MoveTextError};
pub use image::{Canonical, Image};
pub use options::{Access, Method, OptionError, OptionRow, Options};
pub use points::{choice_points, moves_at, stones_in_order};
pub use thinker::{Engine, EngineError, Thinking};
