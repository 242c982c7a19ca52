//! Boards for people to look at.

mod text;

pub use text::{Letters, board};
