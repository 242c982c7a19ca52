//! Move texts of games on squares, where captures may need signs.

use super::Position;
use crate::board::{Content, StoneTextError, parse_stone, stone_text};
use crate::game::{Cell, Move, MoveKind, Signs};

impl Position {
    /// Reads a move in canonical text. It need not be legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, StoneTextError> {
        self.parse_move_by(text, |point| self.grid().parse(point).map_err(StoneTextError::from))
    }

    /// Reads a move whose points are named by another convention, which `cell` knows. Where captures
    /// need signs, none stand for `+` throughout.
    pub fn parse_move_by<E: From<StoneTextError>>(
        &self,
        text: &str,
        cell: impl Fn(&str) -> Result<Cell, E>,
    ) -> Result<Move, E> {
        let bare = text.trim_end_matches(['+', '-']);
        let mv = parse_stone(bare, cell)?;
        let MoveKind::Stone(cell) = mv.kind() else { return Ok(mv) };
        let groups = self.groups_to_sign(cell);
        let signs = &text[bare.len()..];
        let count = usize::from(groups[0] + groups[1]);
        if !signs.is_empty() && signs.len() != count {
            let text = text.chars().take(40).collect();
            return Err(StoneTextError::Signs { text, groups: count }.into());
        }
        if count == 0 {
            return Ok(mv);
        }
        let minus = |text: &str| text.bytes().filter(|&sign| sign == b'-').count() as u8;
        let (longer, pairs) = signs.split_at(usize::from(groups[0]).min(signs.len()));
        let split = |all: u8, signs: &str| [all - minus(signs), minus(signs)];
        let signs = Signs { longer: split(groups[0], longer), pairs: split(groups[1], pairs) };
        Ok(MoveKind::Signed(cell, signs).into())
    }

    /// The longer groups and pairs that a stone would capture and that need a sign each.
    fn groups_to_sign(&self, cell: Cell) -> [u8; 2] {
        if self.grid().contains(cell) && self.board().content(cell) == Content::EMPTY {
            self.core.signed_groups(self.rules(), cell)
        } else {
            [0, 0]
        }
    }

    /// The canonical text of a move on this board.
    pub fn move_text(&self, mv: Move) -> String {
        self.move_text_by(mv, |cell| self.grid().label(cell))
    }

    /// The text of a move with its points named by another convention.
    pub fn move_text_by(&self, mv: Move, label: impl Fn(Cell) -> String) -> String {
        stone_text(mv, label)
    }
}
