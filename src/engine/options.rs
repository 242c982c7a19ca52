//! What a user may set.

use std::fmt;
use std::str::FromStr;

/// The engine's options. The ranges are part of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the hash table in MiB.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// How many of the best moves to show lines for.
    pub multi_pv: u32,
    /// Playing strength, 10 is full.
    pub level: u32,
    /// Makes the engine vary its play; 0 plays the same every time.
    pub seed: u64,
    /// Proves the value of a position instead of estimating it.
    pub exact: bool,
    /// Looks for forced wins beside the main search.
    pub forced_wins: bool,
    /// How games are searched that more than one method knows.
    pub method: Method,
}

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
    pub const ALL: [Method; 3] = [Method::Best, Method::AlphaBeta, Method::Tree];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::Best => "best",
            Method::AlphaBeta => "alpha-beta",
            Method::Tree => "mcts",
        })
    }
}

/// The text is not the name of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `best`, `alpha-beta` or `mcts`")]
pub struct UnknownMethod;

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Method, UnknownMethod> {
        let named = |method: &Method| method.to_string().eq_ignore_ascii_case(text);
        Method::ALL.into_iter().find(named).ok_or(UnknownMethod)
    }
}

impl Options {
    /// The sizes of the hash table that may be asked for, in MiB.
    pub const HASH: std::ops::RangeInclusive<usize> = 1..=65_536;
    /// The numbers of threads that may be asked for.
    pub const THREADS: std::ops::RangeInclusive<usize> = 1..=256;
    /// The numbers of lines that may be asked for.
    pub const MULTI_PV: std::ops::RangeInclusive<u32> = 1..=100;
    /// The seeds: what a protocol can write.
    pub const SEED: std::ops::RangeInclusive<u64> = 0..=i64::MAX as u64;
    /// The levels.
    pub const LEVEL: std::ops::RangeInclusive<u32> = 1..=10;
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 64,
            threads: 1,
            multi_pv: 1,
            level: 10,
            seed: 0,
            exact: false,
            forced_wins: true,
            method: Method::Best,
        }
    }
}
