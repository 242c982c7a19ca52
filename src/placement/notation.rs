//! Canonical move texts, as in UGI and in records: `j10`, `j10+-`, `N@j10`, `P@j10,g7`, `swap`.

use super::Position;
use crate::board::{Content, LabelError};
use crate::game::{Cell, Move, MoveKind, Signs};

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// Not a point, nor a word that is a move.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// A letter before `@` that stands for no stone.
    #[error("`{0}@` is no kind of stone: expected `N@`, `B@` or `P@`")]
    Stone(String),
    /// Signs that do not go with what the stone captures.
    #[error("`{text}`: a move takes one sign for each group that it captures, here {groups}")]
    Signs {
        /// What was written.
        text: String,
        /// How many groups there are.
        groups: usize,
    },
}

/// Reads a move without signs in either case of letters, its points by `cell`, which knows how a
/// dialect names them. The move need not be legal.
pub(crate) fn parse_bare<E: From<MoveTextError>>(
    text: &str,
    cell: impl Fn(&str) -> Result<Cell, E>,
) -> Result<Move, E> {
    if let Some(kind) = MoveKind::from_word(text) {
        return Ok(kind.into());
    }
    let Some((letter, points)) = text.split_once('@') else { return Ok(Move::stone(cell(text)?)) };
    let kind = match (letter.to_ascii_lowercase().as_str(), points.split_once(',')) {
        ("n", None) => MoveKind::Neutral(cell(points)?),
        ("b", None) => MoveKind::Bomb(cell(points)?),
        ("p", None) => MoveKind::Power(cell(points)?, None),
        ("p", Some((point, bonus))) => MoveKind::Power(cell(point)?, Some(cell(bonus)?)),
        _ => return Err(MoveTextError::Stone(letter.chars().take(10).collect()).into()),
    };
    Ok(kind.into())
}

/// Writes a move, its points by `label`.
pub fn move_text(mv: Move, label: impl Fn(Cell) -> String) -> String {
    match mv.kind() {
        MoveKind::Stone(cell) => label(cell),
        MoveKind::Signed(cell, signs) => label(cell) + &signs.text(),
        MoveKind::Neutral(cell) => format!("N@{}", label(cell)),
        MoveKind::Bomb(cell) => format!("B@{}", label(cell)),
        MoveKind::Power(cell, None) => format!("P@{}", label(cell)),
        MoveKind::Power(cell, Some(bonus)) => format!("P@{},{}", label(cell), label(bonus)),
        kind => kind.word().unwrap_or_default().to_owned(),
    }
}

impl Position {
    /// Reads a move in canonical text. It need not be legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        self.parse_move_by(text, |point| self.grid().parse(point).map_err(MoveTextError::from))
    }

    /// Reads a move whose points are named by another convention, which `cell` knows. Where captures
    /// need signs, none stand for `+` throughout.
    pub fn parse_move_by<E: From<MoveTextError>>(
        &self,
        text: &str,
        cell: impl Fn(&str) -> Result<Cell, E>,
    ) -> Result<Move, E> {
        let bare = text.trim_end_matches(['+', '-']);
        let mv = parse_bare(bare, cell)?;
        let MoveKind::Stone(cell) = mv.kind() else { return Ok(mv) };
        let groups = self.groups_to_sign(cell);
        let signs = &text[bare.len()..];
        let count = usize::from(groups[0] + groups[1]);
        if !signs.is_empty() && signs.len() != count {
            let text = text.chars().take(40).collect();
            return Err(MoveTextError::Signs { text, groups: count }.into());
        }
        if count == 0 {
            return Ok(mv);
        }
        let minus = |text: &str| text.bytes().filter(|&sign| sign == b'-').count() as u8;
        let (threes, pairs) = signs.split_at(usize::from(groups[0]).min(signs.len()));
        let split = |all: u8, signs: &str| [all - minus(signs), minus(signs)];
        let signs = Signs { threes: split(groups[0], threes), pairs: split(groups[1], pairs) };
        Ok(MoveKind::Signed(cell, signs).into())
    }

    /// The threes and pairs that a stone would capture and that need a sign each.
    fn groups_to_sign(&self, cell: Cell) -> [u8; 2] {
        if self.grid().contains(cell) && self.board().content(cell) == Content::EMPTY {
            self.core.signed_groups(self.rules(), cell)
        } else {
            [0, 0]
        }
    }

    /// The canonical text of a move on this board.
    pub fn move_text(&self, mv: Move) -> String {
        move_text(mv, |cell| self.grid().label(cell))
    }
}
