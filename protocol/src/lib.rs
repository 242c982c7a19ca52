//! The text protocols of board-game engines, both directions and both sides.
//!
//! A line of text becomes a typed value and a typed value becomes a line of
//! text. An engine parses commands and prints responses, a client (an arena, a
//! test) prints commands and parses responses; both use the same types, and
//! parser and printer are inverses of each other.
//!
//! The crate knows no board, no rules and no threads: moves, vertices and
//! positions are opaque words. Each dialect is a module; where every command and
//! every response is a line, its lines are tables of names and parsers:
//!
//! - [`ugi`], the Universal Game Interface with our extensions, and UCI, a flavour of it;
//! - [`gtp`], the Go Text Protocol, version 2;
//! - [`gomocup`], the protocol of Gomocup and Piskvork with Yixin's and Rapfi's extensions;
//! - [`sidecar`], the questions of pente.org's server.
//!
//! [`frame`] cuts a byte stream into lines and is shared by all of them. The
//! whole grammar is written down in `SPEC.md`. No input can make the crate
//! panic.
//!
//! ```
//! use pentarch_protocol::ugi::{Command, Response};
//!
//! let command = Command::parse("go p1time 60000 p2time 58000").unwrap();
//! assert_eq!(command.to_string(), "go p1time 60000 p2time 58000");
//!
//! let response = Response::BestMove(Some("j10".to_owned().into()));
//! assert_eq!(Response::parse(&response.to_string()), Ok(response));
//! ```

#![warn(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod frame;
pub mod gomocup;
pub mod gtp;
pub mod sidecar;
pub mod ugi;

mod dialect;
mod error;
mod grammar;
mod lines;
mod nearest;

pub use dialect::{Dialect, Facts, UnknownDialect};
pub use error::SyntaxError;
pub use nearest::nearest;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
