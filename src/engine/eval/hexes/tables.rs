//! The tuples of a board with what they are worth.

use super::tuples::{Contents, Tuples};
use super::weights::{HexGame, HexWeights};
use super::worth::Worth;
use crate::eval::eval_file::EvalFile;
use pentarch_core::game::{Cell, Color, Position as _};
use pentarch_core::hexes::Position;
use pentarch_core::rules::HexRules;
use std::sync::Arc;

/// The tuples of a board and what their contents are worth; the same for every game of the rules.
#[derive(Clone, Debug)]
pub struct HexTables {
    pub(super) tuples: Tuples,
    pub(super) worth: Arc<Worth>,
}

impl HexTables {
    /// The tables for a game on hexagons: weights of the file, if it has some for the game, or of this
    /// program, if it has.
    pub fn with_file(rules: &HexRules, file: Option<&EvalFile>) -> HexTables {
        let game = HexGame::of(rules).filter(|_| !file.is_some_and(EvalFile::is_classical));
        let weights = game.map(|game| {
            let read = file.and_then(|file| file.hex_weights(game));
            read.unwrap_or_else(|| HexWeights::built_in(game))
        });
        let Some(weights) = weights else { return HexTables::of_windows(rules) };
        let tuples = Tuples::spans_and_rings(rules.board().grid);
        HexTables { tuples, worth: Arc::clone(weights.worth()) }
    }

    /// [`HexTables::with_file`] without one.
    pub fn new(rules: &HexRules) -> HexTables {
        HexTables::with_file(rules, None)
    }

    /// Windows of as many cells in a row as win, by the number of stones in them.
    pub fn of_windows(rules: &HexRules) -> HexTables {
        let hexes = *rules.board();
        HexTables { tuples: Tuples::windows(hexes), worth: Arc::new(Worth::of_windows(hexes)) }
    }

    /// The ordering score of a stone of a color on an empty cell, by the tuples around it.
    #[inline]
    pub(super) fn order(&self, color: Color, cell: Cell, contents: &[Contents]) -> i32 {
        let parts = self.tuples.around(cell).iter();
        let of = |tuple: u16| contents.get(usize::from(tuple)).copied().unwrap_or_default();
        parts.map(|part| self.worth.order(color, of(part.tuple), part.place)).sum()
    }

    /// What all tuples give each color.
    pub(super) fn totals(&self, contents: &[Contents]) -> [i32; 3] {
        let add = |mut totals: [i32; 3], &contents: &Contents| {
            let values = self.worth.value(contents);
            totals.iter_mut().zip(values).for_each(|(total, value)| *total += i32::from(value));
            totals
        };
        contents.iter().fold([0; 3], add)
    }

    /// What tuples say for the color to move: all that is fitted, or what windows give it beyond what
    /// they give the best of its rivals.
    pub(super) fn lead(&self, position: &Position, totals: &[i32; 3]) -> i32 {
        let own = totals[position.color_to_move().index() % 3];
        if self.worth.fitted {
            return own;
        }
        let rivals = position.opponents().map(|color| totals[color.index() % 3]);
        own - rivals.max().unwrap_or(0)
    }
}
