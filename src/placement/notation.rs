//! Canonical move texts, as in UGI and in records: `j10`, `N@j10`, `P@j10,g7`, `swap`, `pass`.

use super::Position;
use crate::board::LabelError;
use crate::game::{Cell, Move, MoveKind};

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// Not a point, nor a word that is a move.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// A letter before `@` that stands for no stone.
    #[error("`{0}@` is no kind of stone: expected `N@`, `B@` or `P@`")]
    Stone(String),
}

/// Reads a move in either case of letters, its points by `cell`, which knows how a dialect names
/// them. The move need not be legal.
pub fn parse_move<E: From<MoveTextError>>(
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
        parse_move(text, |point| self.grid().parse(point).map_err(MoveTextError::from))
    }

    /// The canonical text of a move on this board.
    pub fn move_text(&self, mv: Move) -> String {
        move_text(mv, |cell| self.grid().label(cell))
    }
}
