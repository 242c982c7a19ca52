//! The games in progress, for display.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A view of the games in progress, shared by the threads of a run and its display.
#[derive(Clone, Debug, Default)]
pub struct LiveView(Arc<LiveViewState>);

#[derive(Debug, Default)]
struct LiveViewState {
    /// By number.
    games: Mutex<BTreeMap<u32, LiveGameView>>,
    /// Whether boards are drawn.
    draws_boards: AtomicBool,
}

/// A game in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveGameView {
    /// The players and the game, in a line.
    pub line: String,
    /// The number of moves played.
    pub moves: usize,
    /// The board in lines of text, if it can be drawn.
    pub board: Vec<String>,
}

impl LiveView {
    /// Enables the drawing of boards after each move.
    pub fn draw_boards(&self) {
        self.0.draws_boards.store(true, Ordering::Relaxed);
    }

    pub(crate) fn begin(&self, number: u32, line: String) {
        self.lock().insert(number, LiveGameView { line, ..LiveGameView::default() });
    }

    /// Updates a game. `board` is called only if boards are drawn.
    pub(crate) fn show(&self, number: u32, moves: usize, board: impl FnOnce() -> Option<String>) {
        if !self.0.draws_boards.load(Ordering::Relaxed) {
            return;
        }
        let board = board().unwrap_or_default();
        if let Some(game) = self.lock().get_mut(&number) {
            game.moves = moves;
            game.board = board.lines().map(|line| line.trim_end().to_owned()).collect();
        }
    }

    pub(crate) fn end(&self, number: u32) {
        self.lock().remove(&number);
    }

    /// A view of the games in progress, shared by the threads of a run and its display.
    pub fn games(&self) -> Vec<LiveGameView> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u32, LiveGameView>> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
