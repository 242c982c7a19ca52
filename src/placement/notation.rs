//! Canonical move texts, as in UGI and in records: `j10`, `N@j10`, `P@j10,g7`, `swap`, `pass`.

use super::Position;
use crate::board::LabelError;
use crate::game::{Move, MoveKind};

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

impl Position {
    /// Reads a move, in either case of letters. It need not be legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let grid = self.grid();
        let kind = match text.to_ascii_lowercase().as_str() {
            "swap" => MoveKind::Swap,
            "keep" => MoveKind::Keep,
            "more" => MoveKind::More,
            "pass" => MoveKind::Pass,
            lower => match lower.split_once('@') {
                None => MoveKind::Stone(grid.parse(lower)?),
                Some(("n", point)) => MoveKind::Neutral(grid.parse(point)?),
                Some(("b", point)) => MoveKind::Bomb(grid.parse(point)?),
                Some(("p", points)) => match points.split_once(',') {
                    None => MoveKind::Power(grid.parse(points)?, None),
                    Some((point, bonus)) => {
                        MoveKind::Power(grid.parse(point)?, Some(grid.parse(bonus)?))
                    }
                },
                Some((letter, _)) => {
                    return Err(MoveTextError::Stone(letter.chars().take(10).collect()));
                }
            },
        };
        Ok(kind.into())
    }

    /// The canonical text of a move on this board.
    pub fn move_text(&self, mv: Move) -> String {
        let label = |cell| self.grid().label(cell);
        match mv.kind() {
            MoveKind::Stone(cell) => label(cell),
            MoveKind::Neutral(cell) => format!("N@{}", label(cell)),
            MoveKind::Bomb(cell) => format!("B@{}", label(cell)),
            MoveKind::Power(cell, None) => format!("P@{}", label(cell)),
            MoveKind::Power(cell, Some(bonus)) => format!("P@{},{}", label(cell), label(bonus)),
            MoveKind::Swap => "swap".to_owned(),
            MoveKind::Keep => "keep".to_owned(),
            MoveKind::More => "more".to_owned(),
            MoveKind::Pass => "pass".to_owned(),
        }
    }
}
