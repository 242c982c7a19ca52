//! The methods of search that a user may choose from.

use std::fmt;

/// A method of search, for games on hexagons and for stones of three sides and more. Other games have
/// one that fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The one that wins matches of one against the other: alpha-beta between two players. At 50 ms
    /// a move from balanced openings of four plies, 60 games each, it beat the tree 50-10 in
    /// `pentalath`, 50-10 in `pentalath-hex` and 58-2 in `yavalath`.
    #[default]
    Best,
    /// Alpha-beta with an evaluation.
    AlphaBeta,
    /// Monte Carlo tree search.
    Tree,
}

impl Method {
    /// Every method.
    pub(super) const ALL: [Method; 3] = [Method::Best, Method::AlphaBeta, Method::Tree];
    /// Their names, in the same order.
    pub(super) const NAMES: [&'static str; 3] = ["best", "alpha-beta", "mcts"];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Method::NAMES[*self as usize])
    }
}
