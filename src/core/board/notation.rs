//! Names of points and cells, and canonical texts of moves that place stones on them: `j10`, `j10+-`,
//! `N@j10`, `P@j10,g7`, `swap`.

use crate::game::{Cell, Move, MoveKind};

/// Why a text does not name a point of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// Not a column letter and a row number. The second text is an example.
    #[error("`{0}` is no point: expected a column letter and a row number, such as `{1}`")]
    Malformed(String, String),
    /// A point outside the board.
    #[error("`{0}` is not on the board of {1} columns and {2} rows")]
    OffBoard(String, u8, u8),
    /// Not a row letter and a number in that row. The second text is an example.
    #[error("`{0}` is no cell: expected a row letter and a number in that row, such as `{1}`")]
    MalformedHex(String, String),
    /// A cell outside the board of hexagons.
    #[error("`{0}` is not on the {1}")]
    OffHexBoard(String, String),
}

/// Why a text is not a move that places a stone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoneTextError {
    /// Neither a point nor a word that is a move.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// An unknown letter before `@`.
    #[error("`{0}@` is no kind of stone: expected `N@`, `B@` or `P@`")]
    Stone(String),
    /// A number of signs other than the number of captured groups.
    #[error("`{text}`: a move takes one sign for each group that it captures, here {groups}")]
    Signs {
        /// The text.
        text: String,
        /// The number of captured groups.
        groups: usize,
    },
}

/// Reads a move without signs. Case is ignored. `cell` reads the points in the notation of a dialect. The
/// move need not be legal.
pub(crate) fn parse_stone<E: From<StoneTextError>>(
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
        _ => return Err(StoneTextError::Stone(letter.chars().take(10).collect()).into()),
    };
    Ok(kind.into())
}

/// The text of a move. `label` writes the points.
pub(crate) fn stone_text(mv: Move, label: impl Fn(Cell) -> String) -> String {
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
