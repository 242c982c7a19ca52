//! UGI, the Universal Game Interface, with our extensions.
//!
//! The client sends [`Command`]s, the engine answers with [`Response`]s; each is
//! one line. The dialect is the one of `kz04px/ugi`; on top of it come more
//! `query` words, the incremental `moves`, and `d`, `show`, `perft` and `eval`.
//!
//! UCI is the same conversation with other words here and there, a [`Flavor`] of
//! it: [`Command`]s and [`Response`]s read and print themselves as UGI, a flavour
//! reads and prints them as either.
//!
//! Moves and position texts are opaque words here.

mod command;
mod flavor;
mod go;
mod info;
mod option;
mod query;
mod response;

pub use crate::SyntaxError;
pub use command::{Command, Start};
pub use flavor::{Flavor, Written};
pub use go::{Go, Millis};
pub use info::{BoundWord, Info, Score};
pub use option::{OptionDecl, OptionKind};
pub use query::Query;
pub use response::{Best, Id, Response};
