//! The text protocols of board-game engines, both directions and both sides.
//!
//! A line of text becomes a typed value and a typed value becomes a line of
//! text. An engine parses commands and prints responses, a client (an arena, a
//! test) prints commands and parses responses; both use the same types, and
//! parser and printer are inverses of each other.
//!
//! The crate knows no board and no rules and starts no threads: moves, vertices and positions are
//! opaque words. Each dialect is a module, whose commands and responses are enums with a grammar:
//!
//! - [`ugi`], the Universal Game Interface with our extensions, and UCI, a flavor of it;
//! - [`gtp`], the Go Text Protocol, version 2;
//! - [`gomocup`], the protocol of Gomocup and Piskvork with Yixin's and Rapfi's extensions;
//! - [`sidecar`], the protocol of pente.org's server.
//!
//! [`input`] splits a byte stream into lines for all of them. `SPEC.md` specifies the whole grammar.
//! No input makes the crate panic.
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
#![allow(
    clippy::ptr_arg,
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "the printers of a grammar take references to fields"
)]

pub mod gomocup;
pub mod gtp;
pub mod input;
pub mod sidecar;
pub mod ugi;

mod dialect;
mod grammar;
mod nearest;

pub use dialect::{Capabilities, Dialect, UnknownDialect};
pub use grammar::SyntaxError;
pub use nearest::nearest;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
