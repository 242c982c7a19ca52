//! What games on hexagons refuse.

use crate::game::Illegal;

/// Why a move on hexagons is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalHex {
    /// What no game allows.
    #[error(transparent)]
    Common(#[from] Illegal),
    /// A stone without liberty.
    #[error("the stone would have no free cell beside its group")]
    Suicide,
    /// A stone that lets the next player win.
    #[error("the next player could win: win now, or take a cell where that wins")]
    MustBlock,
}
