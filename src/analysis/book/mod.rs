//! How opening books are made: from recorded games, and by search from the root outward.

mod expansion;
mod games;

pub use expansion::{Expansion, ExpansionError};
pub use games::BookOfGames;
