//! A move as a 32-bit value, and why a move is not legal.

use std::fmt;

/// A point of the board, numbered from 0 row by row from the lower left; below [`Cell::LIMIT`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub u16);

impl Cell {
    /// An exclusive upper bound of the cell numbers that a [`Move`] can hold.
    pub const LIMIT: usize = 1024;

    /// The number of the cell as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cell({})", self.0)
    }
}

/// A tile in one of its orientations, numbered by the family of games with tiles; below
/// [`Orientation::LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Orientation(pub u8);

impl Orientation {
    /// An exclusive upper bound of the numbers that a [`Move`] can hold.
    pub const LIMIT: usize = 64;

    /// The number of the orientation as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The place of a tile, numbered by the family of games with tiles; below [`Place::LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(pub u16);

impl Place {
    /// An exclusive upper bound of the numbers that a [`Move`] can hold.
    pub const LIMIT: usize = 1 << 15;

    /// The number of the place as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The signs of the groups that a stone captures: how many groups add to the mover's count, and how many
/// are subtracted from the opponent's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaptureSigns {
    /// The numbers of groups longer than pairs that add, and that subtract.
    pub longer: [u8; 2],
    /// The numbers of pairs that add, and that subtract.
    pub pairs: [u8; 2],
}

impl CaptureSigns {
    /// The numbers of stones that add and that subtract. `longest` is the length of the longer groups.
    pub fn stones(self, longest: u8) -> [u16; 2] {
        let stones = |groups: u8, length: u8| u16::from(groups) * u16::from(length);
        [0, 1].map(|sign| stones(self.longer[sign], longest) + stones(self.pairs[sign], 2))
    }

    /// The signs as text: longer groups first, then pairs; for each length `+` before `-`.
    pub fn text(self) -> String {
        let groups = [self.longer, self.pairs];
        let texts =
            groups.map(|[add, subtract]| "+".repeat(add.into()) + &"-".repeat(subtract.into()));
        texts.concat()
    }

    const fn bits(self) -> u32 {
        self.longer[0] as u32
            | (self.longer[1] as u32) << 4
            | (self.pairs[0] as u32) << 8
            | (self.pairs[1] as u32) << 12
    }

    const fn from_bits(bits: u32) -> CaptureSigns {
        let [longer, pairs] = [bits & 0xff, bits >> 8 & 0xff];
        CaptureSigns {
            longer: [longer as u8 & 0xf, (longer >> 4) as u8],
            pairs: [pairs as u8 & 0xf, (pairs >> 4) as u8],
        }
    }
}

/// What a move does. A choice in a swap opening is a move, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A stone of the mover's color.
    Stone(Cell),
    /// A neutral stone, such as `N@j10`.
    Neutral(Cell),
    /// A stone declared a bomb, such as `B@j10`.
    Bomb(Cell),
    /// A power stone, such as `P@j10`, with the bonus stone that may follow it, such as `P@j10,g7`.
    Power(Cell, Option<Cell>),
    /// The choice of the other color.
    Swap,
    /// The choice to keep one's color.
    Keep,
    /// The choice to place two more stones and let the opponent choose.
    More,
    /// A forced pass, in games that have one.
    Pass,
    /// A stone that captures, with a sign for each captured group, such as `j10+-`.
    Signed(Cell, CaptureSigns),
    /// A tile of the mover's color, such as `c4,c5,c6,d4,d5`.
    Tile(Orientation, Place),
}

impl MoveKind {
    /// The cell of a plain stone, with the signs of its captures if it has any.
    pub const fn stone(self) -> Option<(Cell, Option<CaptureSigns>)> {
        match self {
            MoveKind::Stone(cell) => Some((cell, None)),
            MoveKind::Signed(cell, signs) => Some((cell, Some(signs))),
            _ => None,
        }
    }

    /// The kinds that are written as words, which are the same in every dialect.
    pub const WORDS: [(&'static str, MoveKind); 4] = [
        ("swap", MoveKind::Swap),
        ("keep", MoveKind::Keep),
        ("more", MoveKind::More),
        ("pass", MoveKind::Pass),
    ];

    /// The kind that is written as this word. Case is ignored.
    pub fn from_word(text: &str) -> Option<MoveKind> {
        let known = MoveKind::WORDS.into_iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
        known.map(|(_, kind)| kind)
    }

    /// The word of the kind, `None` if it is not written as one.
    pub fn word(self) -> Option<&'static str> {
        let known = MoveKind::WORDS.into_iter().find(|&(_, kind)| kind == self);
        known.map(|(word, _)| word)
    }
}

/// A move in 32 bits, so that an entry of a transposition table holds it whole.
///
/// Bits 0 to 9 hold a cell, bits 10 to 20 a second cell plus one, or bits 10 to 25 the counts of
/// signs, and bits 28 to 31 the kind. A tile has its place in bits 0 to 14 and its orientation in bits
/// 15 to 20.
///
/// ```
/// use pentarch_core::game::{Cell, Move, MoveKind};
/// let center = Move::stone(Cell(180));
/// assert_eq!(center.kind(), MoveKind::Stone(Cell(180)));
/// assert_eq!(center.cell(), Some(Cell(180)));
/// assert_eq!(Move::from(MoveKind::Swap).cell(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

/// A list of moves. Callers reuse it as a buffer.
pub type MoveList = Vec<Move>;

const KIND_SHIFT: u32 = 28;
const SECOND_SHIFT: u32 = 10;
const CELL_MASK: u32 = 0x3ff;
const ORIENTATION_SHIFT: u32 = 15;
const TILE_KIND: u32 = 8;
const SIGNED_KIND: u32 = 9;

impl Move {
    /// A plain stone on `cell`.
    pub const fn stone(cell: Cell) -> Move {
        debug_assert!(cell.index() < Cell::LIMIT);
        Move(cell.0 as u32)
    }

    /// A tile of the mover's color.
    #[inline]
    pub const fn tile(orientation: Orientation, place: Place) -> Move {
        debug_assert!(orientation.index() < Orientation::LIMIT && place.index() < Place::LIMIT);
        let tile = (orientation.0 as u32) << ORIENTATION_SHIFT | place.0 as u32;
        Move(TILE_KIND << KIND_SHIFT | tile)
    }

    /// The move as a number, never `u32::MAX`; see [`Move::from_bits`].
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The move with these bits, `None` if no move has them.
    pub fn from_bits(bits: u32) -> Option<Move> {
        let mv = Move(bits);
        (bits >> KIND_SHIFT <= SIGNED_KIND && Move::from(mv.kind()) == mv).then_some(mv)
    }

    /// What the move does.
    pub const fn kind(self) -> MoveKind {
        let cell = Cell((self.0 & CELL_MASK) as u16);
        let second = (self.0 >> SECOND_SHIFT) & 0x7ff;
        match self.0 >> KIND_SHIFT {
            0 => MoveKind::Stone(cell),
            1 => MoveKind::Neutral(cell),
            2 => MoveKind::Bomb(cell),
            3 if second == 0 => MoveKind::Power(cell, None),
            3 => MoveKind::Power(cell, Some(Cell((second - 1) as u16))),
            4 => MoveKind::Swap,
            5 => MoveKind::Keep,
            6 => MoveKind::More,
            7 => MoveKind::Pass,
            SIGNED_KIND => MoveKind::Signed(cell, CaptureSigns::from_bits(self.0 >> SECOND_SHIFT)),
            _ => {
                let orientation = (self.0 >> ORIENTATION_SHIFT & 0x3f) as u8;
                MoveKind::Tile(Orientation(orientation), Place((self.0 & 0x7fff) as u16))
            }
        }
    }

    /// The cell on which the move places a stone, `None` for choices, passes and tiles.
    pub const fn cell(self) -> Option<Cell> {
        match self.kind() {
            MoveKind::Stone(cell)
            | MoveKind::Signed(cell, _)
            | MoveKind::Neutral(cell)
            | MoveKind::Bomb(cell)
            | MoveKind::Power(cell, _) => Some(cell),
            MoveKind::Swap
            | MoveKind::Keep
            | MoveKind::More
            | MoveKind::Pass
            | MoveKind::Tile(..) => None,
        }
    }
}

impl From<MoveKind> for Move {
    fn from(kind: MoveKind) -> Move {
        let (number, cell, second) = match kind {
            MoveKind::Stone(cell) => (0, cell.0, 0),
            MoveKind::Neutral(cell) => (1, cell.0, 0),
            MoveKind::Bomb(cell) => (2, cell.0, 0),
            MoveKind::Power(cell, bonus) => (3, cell.0, bonus.map_or(0, |b| b.0 + 1)),
            MoveKind::Swap => (4, 0, 0),
            MoveKind::Keep => (5, 0, 0),
            MoveKind::More => (6, 0, 0),
            MoveKind::Pass => (7, 0, 0),
            MoveKind::Tile(orientation, place) => return Move::tile(orientation, place),
            MoveKind::Signed(cell, signs) => {
                let bits = signs.bits() << SECOND_SHIFT | u32::from(cell.0);
                return Move(SIGNED_KIND << KIND_SHIFT | bits);
            }
        };
        Move(number << KIND_SHIFT | u32::from(second) << SECOND_SHIFT | u32::from(cell))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

/// Why a move is not legal, as far as all families of games share the reason. The text is shown to
/// users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalReason {
    /// Any move after the end of the game.
    #[error("the game is over")]
    GameOver,
    /// A stone on an occupied point.
    #[error("the point is occupied")]
    Occupied,
    /// A cell number outside the board.
    #[error("the point is not on the board")]
    OffBoard,
    /// A choice when none is due.
    #[error("there is nothing to choose now")]
    NoChoice,
    /// Any other move when a choice is due.
    #[error("a color must be chosen first: `swap`{}", if *.more { ", `keep` or `more`" } else { " or `keep`" })]
    MustChoose {
        /// Whether two more stones may be asked for.
        more: bool,
    },
    /// Signs that do not match the captured groups, or none where they are needed.
    #[error("a move takes one sign, `+` or `-`, for each group that it captures")]
    Signs,
    /// A pass where the rules do not allow one.
    #[error("passing is not allowed")]
    NoPass,
    /// A kind of stone that the ruleset does not have.
    #[error("this game has no {0}")]
    NoSuchStone(&'static str),
}

impl IllegalReason {
    /// The reason for a kind of move that the game does not have, or not now.
    pub(crate) const fn unknown(kind: MoveKind) -> IllegalReason {
        match kind {
            MoveKind::Stone(_) => IllegalReason::NoSuchStone("plain stones"),
            MoveKind::Signed(..) => IllegalReason::Signs,
            MoveKind::Neutral(_) => IllegalReason::NoSuchStone("neutral stones"),
            MoveKind::Bomb(_) => IllegalReason::NoSuchStone("bombs"),
            MoveKind::Power(..) => IllegalReason::NoSuchStone("power stones"),
            MoveKind::Swap | MoveKind::Keep | MoveKind::More => IllegalReason::NoChoice,
            MoveKind::Pass => IllegalReason::NoPass,
            MoveKind::Tile(..) => IllegalReason::NoSuchStone("tiles"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_round_trips_through_bits() {
        let kinds = [
            MoveKind::Stone(Cell(624)),
            MoveKind::Neutral(Cell(0)),
            MoveKind::Bomb(Cell(1023)),
            MoveKind::Power(Cell(7), None),
            MoveKind::Power(Cell(7), Some(Cell(1023))),
            MoveKind::Power(Cell(7), Some(Cell(0))),
            MoveKind::Swap,
            MoveKind::Keep,
            MoveKind::More,
            MoveKind::Pass,
            MoveKind::Signed(Cell(624), CaptureSigns { longer: [8, 0], pairs: [0, 8] }),
            MoveKind::Signed(Cell(0), CaptureSigns { longer: [0, 1], pairs: [2, 0] }),
            MoveKind::Tile(Orientation(0), Place(0)),
            MoveKind::Tile(Orientation(62), Place(0x7fff)),
        ];
        for kind in kinds {
            let mv = Move::from(kind);
            assert_eq!(mv.kind(), kind);
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        }
        assert_eq!(Move::from_bits(u32::MAX), None);
        assert_eq!(Move::from_bits(4 << KIND_SHIFT | 9), None);
    }
}
