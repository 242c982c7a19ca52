//! The protocol of Gomocup and Piskvork, with the extensions of Yixin and Rapfi.
//!
//! The manager sends [`Command`]s, the brain answers with [`Response`]s; each is
//! one line. A list of stones is several lines: [`Command::Board`] and its kin
//! open it, [`Command::Stone`] is one of it, [`Command::Done`] closes it. `INFO`
//! is a world of its own, [`Info`]; it is never answered.
//!
//! Points are two numbers from 0. Which of them is the column is for the session
//! to know: most managers send column and row from the top, Yixin-Board row and
//! column, and [`Info::Coordinates`] is how the two can agree.

mod about;
mod command;
mod info;
mod point;
mod response;

pub use crate::SyntaxError;
pub use about::About;
pub use command::{Command, Owner, Rectangle, Size, Stone};
pub use info::{Coordinates, Info, Setting, UnknownCoordinates};
pub use point::Point;
pub use response::Response;
