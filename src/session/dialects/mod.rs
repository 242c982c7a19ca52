//! What games, moves, limits and reports look like in each dialect: one codec a dialect, in both
//! directions.
//!
//! The crate `pentarch-protocol` turns lines into values whose moves and positions are opaque words.
//! A codec turns those values into the engine's own - [`Game`](pentarch_engine::Game),
//! [`Move`](pentarch_core::game::Move), [`Limits`](pentarch_engine::search::Limits),
//! [`Report`](pentarch_engine::search::Report), [`Score`](pentarch_engine::search::Score) - and back. The session reads
//! what a client writes and writes what it reads; the arena and the compliance steps do the reverse
//! with the same codec. What is said when is theirs: a codec has no state and no behavior.

pub mod gomocup;
pub mod gtp;
mod heard;
pub mod sidecar;
pub mod ugi;

pub use heard::Heard;
