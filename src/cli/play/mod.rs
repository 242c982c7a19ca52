//! `pentarch play`: a game at the terminal, between people and engines.
//!
//! [`Table`] is the game with those who play it; [`Host`] does what people ask for, lets the engines
//! think, and knows what is to be said; it knows no terminal. [`lines`] talks to people line by line,
//! [`screen`] shows a board on which a cursor moves.

mod actions;
mod args;
mod command;
mod cursor;
mod help;
mod host;
mod lines;
mod look;
mod panel;
mod question;
mod record;
mod screen;
mod sitter;
mod table;
mod thought;
mod tile_choice;
mod words;

pub(super) use args::{PlayArgs, run};
use host::{Host, Setup};
pub(super) use look::shows_colors;
use sitter::Sitter;
use table::Table;
