//! Why a move is not legal, in any game.

use super::MoveKind;

/// Why a move is not legal, as far as all games go; each family of games adds its own. Shown to
/// people as it is, so it says what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// No move is legal after the end.
    #[error("the game is over")]
    GameOver,
    /// Something lies there.
    #[error("the point is occupied")]
    Occupied,
    /// The cell number lies outside the board.
    #[error("the point is not on the board")]
    OffBoard,
    /// A choice word where nothing is to be chosen.
    #[error("there is nothing to choose now")]
    NoChoice,
    /// Anything but a choice where one is due.
    #[error("a color must be chosen first: `swap`{}", if *.more { ", `keep` or `more`" } else { " or `keep`" })]
    MustChoose {
        /// Whether two more stones may be asked for.
        more: bool,
    },
    /// Signs that do not fit what is captured.
    #[error("a move takes one sign, `+` or `-`, for each group that it captures")]
    Signs,
    /// A pass where the rules know none.
    #[error("passing is not allowed")]
    NoPass,
    /// A special stone that the ruleset does not have.
    #[error("this game has no {0}")]
    NoSuchStone(&'static str),
}

impl Illegal {
    /// Why a kind of move is not legal in a game that does not know it, or not now.
    pub(crate) const fn unknown(kind: MoveKind) -> Illegal {
        match kind {
            MoveKind::Stone(_) => Illegal::NoSuchStone("plain stones"),
            MoveKind::Signed(..) => Illegal::Signs,
            MoveKind::Neutral(_) => Illegal::NoSuchStone("neutral stones"),
            MoveKind::Bomb(_) => Illegal::NoSuchStone("bombs"),
            MoveKind::Power(..) => Illegal::NoSuchStone("power stones"),
            MoveKind::Swap | MoveKind::Keep | MoveKind::More => Illegal::NoChoice,
            MoveKind::Pass => Illegal::NoPass,
            MoveKind::Tile(..) => Illegal::NoSuchStone("tiles"),
        }
    }
}
