//! The engine: the search, the evaluation and the interface to both.
//!
//! [`Game`] is a game of any variant, with positions and moves as text; [`Engine`] searches it. Only they
//! dispatch over the families of games. [`search`] is generic over [`pentarch_core::game::Position`], and
//! [`eval`] implements its evaluators.

#![warn(missing_docs)]

mod book;
mod engine;
pub mod eval;
mod game;
mod hexes;
mod options;
mod point_moves;
pub mod search;
mod stones;
mod swap_opening;
mod symmetry;
mod tiles;

pub use crate::eval::Threat;
pub use book::{Book, BookError, BookMove, BookPosition};
pub use engine::{Engine, EngineError, RunningSearch};
pub use game::{Game, GameError, IllegalMove, MoveTextError, Replay};
pub use options::{OptionError, OptionRow, OptionType, Options, SearchMethod};
pub use pentarch_core::board::StoneTextError;
pub use pentarch_core::stacking::TileTextError;
pub use point_moves::{choice_points, moves_at, stones_in_order};
pub use symmetry::{CanonicalPosition, GameSymmetry};

/// The name and version that the engine reports in protocols.
pub const NAME_AND_VERSION: &str = concat!("Pentarch ", env!("CARGO_PKG_VERSION"));
/// The author that the engine reports in protocols.
pub const AUTHOR: &str = env!("CARGO_PKG_AUTHORS");
