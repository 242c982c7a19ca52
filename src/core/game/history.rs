//! What families of games share to play moves: hash keys, the plies that `undo` takes back, and the
//! empty cells of a random game.

use super::{Cell, Change, Color, Key, Move};
use fastrand::Rng;
use std::sync::Arc;

/// A 64-bit number for each content of each cell. A position key is the XOR of the numbers of its cells
/// (Zobrist 1970). Content 0, an empty cell, has the number 0.
#[derive(Debug)]
pub(crate) struct Zobrist {
    /// Indexed by cell, then by content modulo 8.
    cells: Box<[[u64; 8]]>,
    seed: u64,
}

impl Zobrist {
    /// Numbers that depend on a game's name, so that different rulesets have different keys.
    ///
    /// The hash of the standard library may change with the compiler. Searches depend on which positions
    /// share a slot of the table, so the name has a hash of its own.
    pub(crate) fn new(game: &str) -> Zobrist {
        let seed = mix_bytes(0, game.bytes());
        let row = |cell: usize| {
            std::array::from_fn(|content| match content {
                0 => 0,
                _ => mix(seed ^ mix((cell * 8 + content) as u64)),
            })
        };
        Zobrist { cells: (0..Cell::LIMIT).map(row).collect(), seed }
    }

    /// The key of an empty board.
    pub(crate) fn empty(&self) -> u64 {
        mix(self.seed)
    }

    /// The number of a content on a cell.
    #[inline]
    pub(crate) fn cell(&self, cell: Cell, content: u8) -> u64 {
        self.cells[cell.index() % Cell::LIMIT][usize::from(content % 8)]
    }
}

/// A 64-bit hash of a number: the output function of `SplitMix64` (Steele, Lea and
/// Flood 2014).
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Continues a 64-bit hash, initially 0, with more bytes.
pub fn mix_bytes(hash: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(hash, |hash, byte| mix(hash ^ u64::from(byte)))
}

/// Observes each stone that a move puts on the board or removes.
pub(crate) trait ChangeListener {
    /// Called after a stone was put on an empty cell.
    fn placed(&mut self, cell: Cell, color: Color);
    /// Called after a stone was removed.
    fn removed(&mut self, cell: Cell, color: Color);
}

/// Ignores changes, for moves that are tried on a copy.
impl ChangeListener for () {
    #[inline]
    fn placed(&mut self, _: Cell, _: Color) {}
    #[inline]
    fn removed(&mut self, _: Cell, _: Color) {}
}

/// The plies played, the changes of each, and the key of the position. `S` is the state that a family
/// of games saves before each ply.
#[derive(Clone, Debug)]
pub(crate) struct History<S> {
    plies: Vec<Ply<S>>,
    /// The changes of all plies, in order.
    changes: Vec<Change>,
    key: Key,
    /// The part of the key that is not on the board.
    state_key: u64,
    zobrist: Arc<Zobrist>,
}

#[derive(Clone, Copy, Debug)]
struct Ply<S> {
    mv: Move,
    before: S,
    key: Key,
    state_key: u64,
    /// The number of changes before the ply.
    changes: u32,
}

/// The content number of a stone, in changes and keys.
#[inline]
pub(crate) const fn stone_content(color: Color) -> u8 {
    color.0 + 1
}

impl<S> ChangeListener for History<S> {
    #[inline]
    fn placed(&mut self, cell: Cell, color: Color) {
        let after = stone_content(color);
        self.key.0 ^= self.zobrist.cell(cell, after);
        self.changes.push(Change { cell, before: 0, after });
    }

    #[inline]
    fn removed(&mut self, cell: Cell, color: Color) {
        let before = stone_content(color);
        self.key.0 ^= self.zobrist.cell(cell, before);
        self.changes.push(Change { cell, before, after: 0 });
    }
}

impl<S> History<S> {
    /// An empty history with keys for a game of this name.
    pub(crate) fn new(game: &str) -> History<S> {
        let zobrist = Arc::new(Zobrist::new(game));
        History { plies: Vec::new(), changes: Vec::new(), key: Key(0), state_key: 0, zobrist }
    }

    /// The numbers that keys consist of.
    pub(crate) fn zobrist(&self) -> &Zobrist {
        &self.zobrist
    }

    /// The key of the position.
    #[inline]
    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// The key after a change: `changed` is the XOR of the numbers of changed cells, `state_key` the new part
    /// that is not on the board.
    #[inline]
    pub(crate) fn key_with(&self, changed: u64, state_key: u64) -> Key {
        Key(self.key.0 ^ changed ^ self.state_key ^ state_key)
    }

    /// Removes all plies. The key of the position that was set up has these two parts, on the board and not
    /// on it.
    pub(crate) fn restart(&mut self, board_key: u64, state_key: u64) {
        self.plies.clear();
        self.changes.clear();
        (self.key, self.state_key) = (Key(board_key ^ state_key), state_key);
    }

    /// The moves played, in order.
    pub(crate) fn moves(&self) -> impl DoubleEndedIterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// The changes of the last ply, in order.
    #[inline]
    pub(crate) fn last_changes(&self) -> &[Change] {
        let start = self.plies.last().map_or(0, |ply| ply.changes as usize);
        &self.changes[start.min(self.changes.len())..]
    }

    /// Begins a ply. Its changes then go to the [`ChangeListener`].
    #[inline]
    pub(crate) fn begin(&mut self, mv: Move, before: S) {
        let changes = self.changes.len() as u32;
        let History { key, state_key, .. } = *self;
        self.plies.push(Ply { mv, before, key, state_key, changes });
    }

    /// Ends a ply with the new part of the key that is not on the board.
    #[inline]
    pub(crate) fn end(&mut self, state_key: u64) {
        self.key = self.key_with(0, state_key);
        self.state_key = state_key;
    }

    /// Removes the last ply and calls `revert` with each of its changes, the last one first. Returns the
    /// move and the state saved before it.
    #[inline]
    pub(crate) fn undo(&mut self, mut revert: impl FnMut(Change)) -> Option<(Move, S)> {
        let ply = self.plies.pop()?;
        while self.changes.len() > ply.changes as usize {
            let Some(change) = self.changes.pop() else { break };
            revert(change);
        }
        (self.key, self.state_key) = (ply.key, ply.state_key);
        Some((ply.mv, ply.before))
    }
}

/// With fewer plies than this left to the ply cap, the key depends on how many are left, because a search
/// can see the end.
pub(crate) const PLY_CAP_HORIZON: u32 = 512;

/// The part of a key that is not on the board. `word` holds all of it except the plies left to the ply
/// cap.
#[inline]
pub(crate) fn state_key(word: u64, plies_left: u32) -> u64 {
    let key = mix(word);
    if plies_left < PLY_CAP_HORIZON { mix(key ^ u64::from(plies_left)) } else { key }
}

/// The empty cells of a random game as an unordered list with the place of each cell in it, so that drawing,
/// removing and adding a cell take constant time. `N`, a power of two, is greater than every cell number.
#[derive(Clone, Debug)]
pub(crate) struct EmptyCells<const N: usize> {
    list: [u16; N],
    place: [u16; N],
    count: usize,
}

impl<const N: usize> ChangeListener for EmptyCells<N> {
    #[inline]
    fn placed(&mut self, cell: Cell, _: Color) {
        let place = self.place[cell.index() % N];
        self.count -= 1;
        let last = self.list[self.count % N];
        self.list[usize::from(place) % N] = last;
        self.place[usize::from(last) % N] = place;
    }

    #[inline]
    fn removed(&mut self, cell: Cell, _: Color) {
        self.list[self.count % N] = cell.0;
        self.place[cell.index() % N] = self.count as u16;
        self.count += 1;
    }
}

impl<const N: usize> Default for EmptyCells<N> {
    fn default() -> EmptyCells<N> {
        EmptyCells { list: [0; N], place: [0; N], count: 0 }
    }
}

impl<const N: usize> EmptyCells<N> {
    /// Copies another list of cells with numbers below `cells`.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &EmptyCells<N>, cells: usize) {
        self.list[..cells].copy_from_slice(&other.list[..cells]);
        self.place[..cells].copy_from_slice(&other.place[..cells]);
        self.count = other.count;
    }

    /// A random cell. There must be one.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> Cell {
        Cell(self.list[below(rng, self.count) % N])
    }
}

/// A random number below `count`, by multiplication (Lemire 2019). Its bias is below 2^-22.
#[inline]
pub(crate) fn below(rng: &mut Rng, count: usize) -> usize {
    (((rng.u64(..) >> 32) * count as u64) >> 32) as usize
}
