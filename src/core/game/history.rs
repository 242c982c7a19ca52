//! The plies of a game, with what `undo` needs.

use super::{Cell, Change, Color, Key, Move, Zobrist};
use std::sync::Arc;

/// Learns of each stone that a move puts on the board or takes off it.
pub(crate) trait Journal {
    /// A stone was put on an empty cell.
    fn placed(&mut self, cell: Cell, color: Color);
    /// A stone was taken off the board.
    fn removed(&mut self, cell: Cell, color: Color);
}

/// For moves that are only tried.
impl Journal for () {
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
pub(crate) const fn content_of(color: Color) -> u8 {
    color.0 + 1
}

impl<S> Journal for History<S> {
    #[inline]
    fn placed(&mut self, cell: Cell, color: Color) {
        let after = content_of(color);
        self.key.0 ^= self.zobrist.cell(cell, after);
        self.changes.push(Change { cell, before: 0, after });
    }

    #[inline]
    fn removed(&mut self, cell: Cell, color: Color) {
        let before = content_of(color);
        self.key.0 ^= self.zobrist.cell(cell, before);
        self.changes.push(Change { cell, before, after: 0 });
    }
}

impl<S> History<S> {
    /// No plies yet, and keys for the game of that name.
    pub(crate) fn new(game: &str) -> History<S> {
        let zobrist = Arc::new(Zobrist::of(game));
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
    pub(crate) fn key_after(&self, changed: u64, state_key: u64) -> Key {
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

    /// Begins a ply; the stones that it moves are then shown to the [`Journal`].
    #[inline]
    pub(crate) fn begin(&mut self, mv: Move, before: S) {
        let changes = self.changes.len() as u32;
        let History { key, state_key, .. } = *self;
        self.plies.push(Ply { mv, before, key, state_key, changes });
    }

    /// Ends a ply: the part of the key that is not on the board becomes another.
    #[inline]
    pub(crate) fn end(&mut self, state_key: u64) {
        self.key = self.key_after(0, state_key);
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
pub(crate) const CAP_IN_SIGHT: u32 = 512;

/// The part of a key that is not on the board, from a word that holds all of it but the plies left
/// until the cap.
#[inline]
pub(crate) fn state_key(word: u64, plies_left: u32) -> u64 {
    let key = super::mix(word);
    if plies_left < CAP_IN_SIGHT { super::mix(key ^ u64::from(plies_left)) } else { key }
}
