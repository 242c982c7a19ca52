//! Games in which stones are placed on points: the Pente family, Ninuki and Gomoku.
//!
//! [`Position`] is a game in play with full history; [`Playout`] plays random games to the end
//! with the same pipeline and without history.

mod captures;
mod forbidden;
mod legal;
mod outcome;
mod pipeline;
mod playout;
mod position;
mod state;
mod text;

pub use playout::Playout;
pub use position::Position;

use crate::game::IllegalReason;
use crate::rules::OpeningViolation;

/// Why a move on squares is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPlacement {
    /// A reason that all families of games share.
    #[error(transparent)]
    Common(#[from] IllegalReason),
    /// The opening does not allow the point.
    #[error(transparent)]
    Opening(#[from] OpeningViolation),
    /// `more` at a choice that does not offer it.
    #[error("no more stones may be asked for")]
    NoMore,
    /// A stone of a swap opening that completes a winning line.
    #[error("a stone of the opening must not complete a winning line")]
    OpeningLine,
    /// A special stone in a swap opening.
    #[error("the stones of the opening are plain ones")]
    OpeningStone,
    /// A special stone of which the player has none left.
    #[error("no {0} are left")]
    NoneLeft(&'static str),
    /// A power stone whose bonus stone is missing or illegal.
    #[error("{0}")]
    Bonus(&'static str),
    /// Signs that would make the opponent's count negative.
    #[error("more would be taken from the opponent's count than is there")]
    CountTooLow,
    /// A four that `anti` forbids.
    #[error("this would leave {0} of one's own")]
    Four(&'static str),
    /// A point that Renju or Ninuki-Renju forbids.
    #[error("this point is forbidden: {0}")]
    Forbidden(&'static str),
}
