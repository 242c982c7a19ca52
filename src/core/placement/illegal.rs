//! What games on squares refuse.

use crate::game::Illegal;
use crate::rules::OpeningLimit;

/// Why a move on squares is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPlacement {
    /// What no game allows.
    #[error(transparent)]
    Common(#[from] Illegal),
    /// The opening does not allow the point.
    #[error(transparent)]
    Opening(#[from] OpeningLimit),
    /// `more` where it is not offered.
    #[error("no more stones may be asked for")]
    NoMore,
    /// A winning run made while a swap opening is under way.
    #[error("a stone of the opening must not complete a winning line")]
    OpeningLine,
    /// A special stone in a swap opening.
    #[error("the stones of the opening are plain ones")]
    OpeningStone,
    /// The player's special stones are used up.
    #[error("no {0} are left")]
    NoneLeft(&'static str),
    /// A power stone whose bonus stone is missing, or may not be there.
    #[error("{0}")]
    Bonus(&'static str),
    /// More taken from the opponent's count than is there.
    #[error("more would be taken from the opponent's count than is there")]
    CountTooLow,
    /// Fours that the rules do not allow.
    #[error("this would leave {0} of one's own")]
    Four(&'static str),
    /// A shape that is forbidden.
    #[error("this point is forbidden: {0}")]
    Forbidden(&'static str),
}
