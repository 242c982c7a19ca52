//! What is being played right now, for those who look on.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The games under way.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Room>);

#[derive(Debug, Default)]
struct Room {
    /// By number.
    games: Mutex<BTreeMap<u32, WatchedGame>>,
    /// Whether anybody looks at the boards.
    boards: AtomicBool,
}

/// A game under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchedGame {
    /// Who plays what, in a line.
    pub line: String,
    /// How many moves were played.
    pub moves: usize,
    /// The board in lines of text, if the arena knows it.
    pub board: Vec<String>,
}

impl Watch {
    /// From now on boards are drawn after each move.
    pub fn look_at_boards(&self) {
        self.0.boards.store(true, Ordering::Relaxed);
    }

    /// A game has begun.
    pub(crate) fn begin(&self, number: u32, line: String) {
        self.games().insert(number, WatchedGame { line, ..WatchedGame::default() });
    }

    /// So many moves were played in a game. The board is drawn only for somebody.
    pub(crate) fn show(&self, number: u32, moves: usize, board: impl FnOnce() -> Option<String>) {
        if !self.0.boards.load(Ordering::Relaxed) {
            return;
        }
        let board = board().unwrap_or_default();
        if let Some(game) = self.games().get_mut(&number) {
            game.moves = moves;
            game.board = board.lines().map(|line| line.trim_end().to_owned()).collect();
        }
    }

    /// A game has ended.
    pub(crate) fn end(&self, number: u32) {
        self.games().remove(&number);
    }

    /// The games under way.
    pub fn now(&self) -> Vec<WatchedGame> {
        self.games().values().cloned().collect()
    }

    fn games(&self) -> MutexGuard<'_, BTreeMap<u32, WatchedGame>> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
