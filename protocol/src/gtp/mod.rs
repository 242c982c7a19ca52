//! GTP, the Go Text Protocol, version 2.
//!
//! Reading has two stages, so that a wrong command can still be answered with
//! its number: a line becomes a [`Request`], which almost never fails, and the
//! request becomes a [`Command`]. The engine answers each with a [`Response`] of
//! one or more lines and a blank line; a client collects them with a
//! [`ResponseReader`].
//!
//! While an analysis runs its answer grows line by line: [`Response::open`] begins it, each line of
//! [`MoveInfo`]s follows, a blank line ends it. [`Graphics`] are what `GoGui` draws on its board.
//!
//! A [`Vertex`] is read and printed here because its letters belong to the
//! dialect; whether it lies on the board is for others to say.

mod analyze;
mod arguments;
mod color;
mod command;
mod error;
mod graphics;
mod kata_time;
mod move_info;
mod request;
mod response;
mod vertex;

pub use analyze::{Analyze, Flavor, Restriction, Task};
pub use color::Color;
pub use command::{Chart, Command, ParameterGroup, Rules};
pub use error::SyntaxError;
pub use graphics::{Graphics, GraphicsError, Mark, MenuEntry};
pub use kata_time::KataTime;
pub use move_info::MoveInfo;
pub use request::{Request, is_interrupt};
pub use response::{Response, ResponseReader};
pub use vertex::Vertex;
