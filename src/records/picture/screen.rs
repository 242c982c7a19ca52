//! Boards for a screen on which somebody moves a cursor.

use super::Drawing;
use super::spans::{Look, Spans};
use pentarch_core::game::Cell;
use pentarch_core::stacking::Spot;
use pentarch_engine::Game;

/// What a cursor can be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A cell of a board.
    Cell(Cell),
    /// A spot of a table.
    Spot(Spot),
}

impl Drawing {
    /// The board alone with a cursor on it; one of the lines knows where.
    pub fn screen(&self, game: &Game, look: Look, cursor: Option<Target>) -> Vec<Spans> {
        self.board_lines(game, look, cursor)
    }
}
