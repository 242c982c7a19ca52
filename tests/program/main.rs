//! The program as others meet it: conversations, matches, faults of other engines, pictures, scripts,
//! and what the README promises.

#![allow(clippy::disallowed_methods, reason = "tests write their input")]

#[path = "../common/mod.rs"]
mod common;

mod ablate;
mod analyze;
mod arena;
mod book;
mod cases;
mod command_line;
mod compare;
mod compliance;
mod convert;
mod documents;
mod exit_codes;
mod fuzz;
mod katago;
mod mate;
mod page;
mod picture;
mod play;
mod prove;
mod puzzle;
mod readme;
mod records;
mod review;
mod run;
mod stacking_match;
mod tactics;
#[cfg(unix)]
mod terminal;
#[cfg(feature = "lab")]
mod train;
mod transcripts;
#[cfg(feature = "lab")]
mod tune;
mod ugi_games;
