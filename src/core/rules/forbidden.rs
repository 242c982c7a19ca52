//! Moves that a ruleset does not allow.

/// What `anti` makes of fours that can become five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OpenFours {
    /// A move is illegal if after the removals a line of the mover has an open four: two empty
    /// points that would each complete a winning run, the two runs sharing a stone (S3, MOK).
    Forbidden,
    /// One such point is enough (S3's second clause read literally).
    AnyFourForbidden,
}

/// The points that a ruleset closes because of what a stone there would make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// Fours that can become five, for both colors.
    Fours(OpenFours),
    /// Overlines, double fours and double threes of the first color; a three counts only if the
    /// point that makes its open four is itself allowed (Renju International Federation).
    Renju,
    /// Double threes of both colors, without recursion (PBM).
    DoubleThree,
}
