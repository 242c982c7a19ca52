//! Fives that can be answered.

/// What a five is worth before the opponent has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Boat {
    /// Whoever makes five has won unless the opponent's next move breaks it or wins (S3).
    AnyReply,
    /// A five wins at once unless each such run has a stone that the opponent can capture; after
    /// the reply a five that stands has won (PO, AP, BGA).
    Strict,
}
