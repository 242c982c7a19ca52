//! What families of games share to play moves: hash keys, the plies that `undo` takes back, and the
//! empty cells of a random game.

use super::{Cell, Change, Color, Key, Move};
use fastrand::Rng;
use std::sync::Arc;

/// A 64-bit number for each content of each cell, the numbers that a position key is the XOR of
/// (Zobrist 1970). Content 0, an empty cell, hashes to 0.
#[derive(Debug)]
pub struct Zobrist {
    /// Indexed by cell, then by content modulo 8.
    cells: Box<[[u64; 8]]>,
    seed: u64,
}

impl Zobrist {
    /// Numbers that depend on a game's name alone, so that keys of different rulesets never agree.
    ///
    /// The name is not hashed by the standard library, whose hash may change with the compiler, and
    /// with it every search that depends on which results share a slot of the table.
    pub fn new(game: &str) -> Zobrist {
        let seed = mix_bytes(0, game.bytes());
        let row = |cell: usize| {
            std::array::from_fn(|content| match content {
                0 => 0,
                _ => mix(seed ^ mix((cell * 8 + content) as u64)),
            })
        };
        Zobrist { cells: (0..Cell::LIMIT).map(row).collect(), seed }
    }

    /// The number of an empty board.
    pub fn empty(&self) -> u64 {
        mix(self.seed)
    }

    /// The number of a content on a cell.
    #[inline]
    pub fn cell(&self, cell: Cell, content: u8) -> u64 {
        self.cells[cell.index() % Cell::LIMIT][usize::from(content % 8)]
    }
}

/// Scrambles a number into a 64-bit hash; the output function of `SplitMix64` (Steele, Lea and
/// Flood 2014).
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Goes on with a 64-bit hash, 0 at first, over some more bytes.
pub fn mix_bytes(hash: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(hash, |hash, byte| mix(hash ^ u64::from(byte)))
}

/// Learns of each stone that a move puts on the board or takes off it.
pub(crate) trait ChangeListener {
    /// A stone was put on an empty cell.
    fn placed(&mut self, cell: Cell, color: Color);
    /// A stone was taken off the board.
    fn removed(&mut self, cell: Cell, color: Color);
}

/// For moves that are only tried.
impl ChangeListener for () {
    #[inline]
    fn placed(&mut self, _: Cell, _: Color) {}
    #[inline]
    fn removed(&mut self, _: Cell, _: Color) {}
}

/// The plies played, the cells that each has changed, and the key of the position. `S` is what a
/// family of games saves before each ply.
#[derive(Clone, Debug)]
pub(crate) struct History<S> {
    plies: Vec<Ply<S>>,
    /// Of all plies, in the order of change.
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
    /// How many changes were logged before the ply.
    changes: u32,
}

/// The content of a cell with a stone, in changes and in keys.
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
    /// No plies yet, and keys for the game of that name.
    pub(crate) fn new(game: &str) -> History<S> {
        let zobrist = Arc::new(Zobrist::new(game));
        History { plies: Vec::new(), changes: Vec::new(), key: Key(0), state_key: 0, zobrist }
    }

    /// The numbers that keys are made of.
    pub(crate) fn zobrist(&self) -> &Zobrist {
        &self.zobrist
    }

    /// The key of the position.
    #[inline]
    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// What the key will be once some contents of cells have `changed` and the part that is not on the board
    /// is `state_key`.
    #[inline]
    pub(crate) fn key_with(&self, changed: u64, state_key: u64) -> Key {
        Key(self.key.0 ^ changed ^ self.state_key ^ state_key)
    }

    /// Forgets all plies; the position was set up, and its key has these parts, on the board and beside it.
    pub(crate) fn restart(&mut self, board_key: u64, state_key: u64) {
        self.plies.clear();
        self.changes.clear();
        (self.key, self.state_key) = (Key(board_key ^ state_key), state_key);
    }

    /// The moves played, in order.
    pub(crate) fn moves(&self) -> impl DoubleEndedIterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// The cells that the last ply changed, in the order of change.
    #[inline]
    pub(crate) fn last_changes(&self) -> &[Change] {
        let start = self.plies.last().map_or(0, |ply| ply.changes as usize);
        &self.changes[start.min(self.changes.len())..]
    }

    /// Begins a ply; the stones that it moves are then shown to the [`ChangeListener`].
    #[inline]
    pub(crate) fn begin(&mut self, mv: Move, before: S) {
        let changes = self.changes.len() as u32;
        let History { key, state_key, .. } = *self;
        self.plies.push(Ply { mv, before, key, state_key, changes });
    }

    /// Ends a ply: the part of the key that is not on the board becomes another.
    #[inline]
    pub(crate) fn end(&mut self, state_key: u64) {
        self.key = self.key_with(0, state_key);
        self.state_key = state_key;
    }

    /// Takes the last ply back, and shows each of its changes, the last one first. Returns the move
    /// and what was saved before it.
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

/// From this many plies before the cap on, the key says how many are left: a search can see the
/// end that the cap makes.
pub(crate) const PLY_CAP_HORIZON: u32 = 512;

/// The part of a key that is not on the board, from a word that holds all of it but the plies left
/// until the cap.
#[inline]
pub(crate) fn state_key(word: u64, plies_left: u32) -> u64 {
    let key = mix(word);
    if plies_left < PLY_CAP_HORIZON { mix(key ^ u64::from(plies_left)) } else { key }
}

/// The empty cells as a list in no order, each with its place in it, so that one is drawn, taken
/// and given back at the same small cost. `N`, a power of two, is above every cell's number.
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
    /// No cells.
    fn default() -> EmptyCells<N> {
        EmptyCells { list: [0; N], place: [0; N], count: 0 }
    }
}

impl<const N: usize> EmptyCells<N> {
    /// Becomes a copy of another list of cells, all of numbers below `cells`.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &EmptyCells<N>, cells: usize) {
        self.list[..cells].copy_from_slice(&other.list[..cells]);
        self.place[..cells].copy_from_slice(&other.place[..cells]);
        self.count = other.count;
    }

    /// One of the cells; there must be one.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> Cell {
        Cell(self.list[below(rng, self.count) % N])
    }
}

/// A number below `count`, by the multiplication method (Lemire 2019); its bias, below 2^-22, is
/// far from what any sample could show.
#[inline]
pub(crate) fn below(rng: &mut Rng, count: usize) -> usize {
    (((rng.u64(..) >> 32) * count as u64) >> 32) as usize
}
