//! The contract of a game in play.

use super::{Cell, Color, Move, MoveList, Outcome, Seat, Side};

/// A 64-bit hash of everything that decides how the game can go on, but for the ply count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Key(pub u64);

/// A cell that a ply changed. Contents are family-specific small numbers; 0 is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where.
    pub cell: Cell,
    /// What was there.
    pub before: u8,
    /// What is there now.
    pub after: u8,
}

/// Why a move is not legal. Shown to people as it is, so it says what is wrong.
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
    /// The opening asks for the center.
    #[error("the first stone goes to the center")]
    NotCenter,
    /// The opening limit of a player's second stone.
    #[error("this stone must keep a distance of {distance} or more from {}", anchor_name(*.center))]
    TooClose {
        /// The least Chebyshev distance allowed.
        distance: u8,
        /// Measured from the center, or else from the player's own first stone.
        center: bool,
    },
    /// One of the further points that the G opening closes.
    #[error("the G opening closes this point on the center's row or column")]
    ClosedByG,
    /// A choice word where nothing is to be chosen.
    #[error("there is nothing to choose now")]
    NoChoice,
    /// Anything but a choice where one is due.
    #[error("a color must be chosen first: `swap`{}", if *.more { ", `keep` or `more`" } else { " or `keep`" })]
    MustChoose {
        /// Whether two more stones may be asked for.
        more: bool,
    },
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
    /// Signs that do not fit what is captured.
    #[error("a move takes one sign, `+` or `-`, for each group that it captures")]
    Signs,
    /// More taken from the opponent's count than is there.
    #[error("more would be taken from the opponent's count than he has")]
    CountTooLow,
    /// Fours that the rules do not allow.
    #[error("this would leave {0} of one's own")]
    Four(&'static str),
    /// A shape that is forbidden.
    #[error("this point is forbidden: {0}")]
    Forbidden(&'static str),
    /// A stone without liberty.
    #[error("the stone would have no free cell beside its group")]
    Suicide,
    /// A stone that lets the next player win.
    #[error("the next player could win: win now, or take a cell where he would")]
    MustBlock,
    /// A pass where the rules know none.
    #[error("passing is not allowed")]
    NoPass,
    /// A special stone that the ruleset does not have.
    #[error("this game has no {0}")]
    NoSuchStone(&'static str),
    /// Something other than a tile in a game of tiles.
    #[error("this game is played with tiles, five points each, such as `c4,c5,c6,d4,d5`")]
    NoTile,
    /// A second tile of the same shape.
    #[error("the {0} tile of this color has been played")]
    TileUsed(char),
    /// The first tile elsewhere than where position texts and moves expect it.
    #[error("the lower left corner of the first tile's box is {0}")]
    FirstPlace(&'static str),
    /// Cells on several levels.
    #[error("the tile would not lie flat")]
    NotFlat,
    /// A tile on the table that touches none.
    #[error("a tile on the table must share an edge with another tile on the table")]
    NotAdjacent,
    /// A tile exactly on top of another.
    #[error("the tile would rest on one tile only, it needs two")]
    OneSupport,
    /// The rule of the highest level.
    #[error("the {shape} tile must go to level {highest}, here it would lie on level {level}")]
    TooLow {
        /// The letter of the tile.
        shape: char,
        /// Where it would lie, from 1.
        level: u8,
        /// The highest level at which it fits.
        highest: u8,
    },
}

fn anchor_name(center: bool) -> &'static str {
    if center { "the center" } else { "the player's own first stone" }
}

/// A game in play.
///
/// Laws, tested for every family: `undo` restores everything that `play` changed; `key` equals
/// the key of the same position reached in any other order or read from text; the position is
/// open exactly when it has a legal move; an error changes nothing.
pub trait Position: Clone + Send + Sync {
    /// The seat whose move it is, or whose it would be after the end.
    fn to_move(&self) -> Seat;

    /// The side that `seat` belongs to.
    fn side_of(&self, seat: Seat) -> Side;

    /// The color that the seat to move places.
    fn color_to_move(&self) -> Color;

    /// How many plies were played before, choices and passes included.
    fn ply(&self) -> u32;

    /// How the game ended, or none while it is open.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move once, in an order that depends on the position alone.
    fn legal_moves(&self, moves: &mut MoveList);

    /// Whether `mv` may be played, and if not, why.
    fn check(&self, mv: Move) -> Result<(), Illegal>;

    /// Whether `mv` may be played.
    fn is_legal(&self, mv: Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Plays a legal move. Playing an illegal one is a programming error; the position is then
    /// meaningless, and debug builds panic.
    fn play(&mut self, mv: Move);

    /// Plays `mv` if it is legal, else leaves the position untouched and says why.
    fn try_play(&mut self, mv: Move) -> Result<(), Illegal> {
        self.check(mv)?;
        self.play(mv);
        Ok(())
    }

    /// Takes the last ply back, or says that there is none.
    fn undo(&mut self) -> Option<Move>;

    /// Hands the turn of an open position on without a move, whatever the rules say, for a search
    /// that asks what the other side threatens; `undo` takes it back. False, and nothing changed,
    /// where that makes no sense, by default everywhere.
    fn null_move(&mut self) -> bool {
        false
    }

    /// The hash of the position.
    fn key(&self) -> Key;

    /// The cells that the last ply changed, in the order of change; empty at the start.
    fn changes(&self) -> &[Change];
}
