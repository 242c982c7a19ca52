//! A ruleset is a record of small rule components, each in a file of its own.
//!
//! [`Ruleset`] names the components, [`catalog`] names the combinations that people play,
//! [`Spec`] is the text form, `NAME[+modifier...]`. Rules are cited by the keys of the sources:
//! S1 the Winning Moves leaflet, S3 the `PerGioco` newsletter, S5 the "Gomoku Ninuki" card, PO
//! pente.org, AP Abstract Play, BGA Board Game Arena.

mod capture;
pub mod catalog;
mod describe;
mod line;
mod modifier;
mod opening;
mod ruleset;
mod spec;

pub use capture::{Capture, Captured};
pub use line::LineRule;
pub use modifier::Modifier;
pub use opening::{Opening, SecondStone};
pub use ruleset::{Base, Palette, Ruleset, Seating};
pub use spec::{Spec, SpecError};
