//! SGF, the Smart Game Format (version FF4, red-bean.com/sgf): games that Go programs read and write.
//!
//! The first player is Black there, as in GTP, whatever color the stones have. Points count from the
//! upper left, `jj` is the center of 19x19; `K10`, as pente.org writes, is read too. `RU` holds our
//! spec of the rules. What is more than a stone on a point - choices, special stones, signs - is
//! given by a property of our own, `MT`, with the canonical text. A game number `GM` is not written:
//! there is none for most games here, and programs for Go refuse any but their own.

mod parser;
mod replay;

pub use replay::{Problem, SgfError};

use crate::board::Grid;
use crate::engine::Game;
use crate::game::{Cell, Color, Move, MoveKind, Outcome};
use std::fmt;

/// A game as a file has it: the setup and the moves of the main line.
///
/// ```
/// use pentarch::records::Sgf;
/// let sgf: Sgf = "(;FF[4]SZ[15]RU[gomoku];B[hh];W[ii](;B[hi])(;B[aa]))".parse().unwrap();
/// let game = sgf.replay(&"pente".parse().unwrap(), usize::MAX).unwrap();
/// assert_eq!(game.rules().to_string(), "gomoku");
/// assert_eq!(game.moves().len(), 3);
/// assert_eq!(Sgf::of(&game).replay(game.rules(), 9).unwrap().text(), game.text());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sgf {
    /// `RU`: the rules.
    rules: Option<String>,
    /// `SZ`: columns and rows.
    size: Option<(u32, u32)>,
    /// `AB`, `AW`: stones that are there from the start.
    stones: Vec<(Stone, String)>,
    /// `PL`: who is to move after the setup.
    first: Option<Stone>,
    /// The moves in their order.
    moves: Vec<SgfMove>,
    /// `RE`: the result.
    result: Option<String>,
}

/// A color of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stone {
    Black,
    White,
}

/// A node with a move.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SgfMove {
    /// `B` or `W` with the point, empty for a pass.
    point: Option<(Stone, String)>,
    /// `MT`: the move in our own text.
    text: Option<String>,
}

impl Stone {
    fn of(color: Color) -> Stone {
        if color.0.is_multiple_of(2) { Stone::Black } else { Stone::White }
    }

    const fn letter(self) -> char {
        match self {
            Stone::Black => 'B',
            Stone::White => 'W',
        }
    }
}

impl Sgf {
    /// The record of a game on a board.
    pub fn of(game: &Game) -> Sgf {
        let Some(grid) = game.grid() else { return Sgf::default() };
        let mut now = game.clone();
        while now.undo().is_some() {}
        let stone = |cell| Some((Stone::of(now.content(cell)?), point(grid, cell)));
        let stones: Vec<_> = now.cells().into_iter().filter_map(stone).collect();
        let first = (!stones.is_empty() || now.ply() > 0).then(|| Stone::of(now.color_to_move()));
        let mut moves = Vec::new();
        for mv in game.moves() {
            moves.push(SgfMove::of(&now, grid, mv));
            if now.play_move(mv).is_err() {
                break;
            }
        }
        Sgf {
            rules: Some(game.rules().to_string()),
            size: Some((grid.columns().into(), grid.rows().into())),
            stones,
            first,
            moves,
            result: game.outcome().map(result),
        }
    }
}

impl SgfMove {
    fn of(game: &Game, grid: Grid, mv: Move) -> SgfMove {
        let color = Stone::of(game.color_to_move());
        let text = Some(game.move_text(mv));
        match mv.kind() {
            MoveKind::Stone(cell) => {
                SgfMove { point: Some((color, point(grid, cell))), text: None }
            }
            MoveKind::Pass => SgfMove { point: Some((color, String::new())), text: None },
            _ => {
                let point = mv.cell().map(|cell| (color, point(grid, cell)));
                SgfMove { point, text }
            }
        }
    }
}

/// Two letters from the upper left.
fn point(grid: Grid, cell: Cell) -> String {
    let letter = |n: u8| char::from(b'a' + n);
    [letter(grid.column(cell)), letter(grid.rows() - 1 - grid.row(cell))].iter().collect()
}

fn result(outcome: Outcome) -> String {
    match outcome.winner {
        None => "0".to_owned(),
        Some(side) => format!("{}+", Stone::of(Color(side.0)).letter()),
    }
}

/// Moves on a line of the file.
const MOVES_A_LINE: usize = 10;

/// A text in brackets.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| ['\\'].into_iter().filter(move |_| "]\\".contains(c)).chain([c]))
        .collect()
}

/// One tree of one line, without blank lines.
impl fmt::Display for Sgf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(;FF[4]CA[UTF-8]AP[Pentarch]")?;
        if let Some((columns, rows)) = self.size {
            let size =
                if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") };
            write!(f, "SZ[{size}]")?;
        }
        for (name, text) in [("RU", &self.rules), ("RE", &self.result)] {
            if let Some(text) = text {
                write!(f, "{name}[{}]", escaped(text))?;
            }
        }
        for color in [Stone::Black, Stone::White] {
            let mut points = self.stones.iter().filter(|(stone, _)| *stone == color).peekable();
            if points.peek().is_some() {
                write!(f, "\nA{}", color.letter())?;
            }
            points.try_for_each(|(_, point)| write!(f, "[{}]", escaped(point)))?;
        }
        if let Some(first) = self.first {
            write!(f, "PL[{}]", first.letter())?;
        }
        for (index, mv) in self.moves.iter().enumerate() {
            f.write_str(if index.is_multiple_of(MOVES_A_LINE) { "\n;" } else { ";" })?;
            if let Some((color, point)) = &mv.point {
                write!(f, "{}[{}]", color.letter(), escaped(point))?;
            }
            if let Some(text) = &mv.text {
                write!(f, "MT[{}]", escaped(text))?;
            }
        }
        f.write_str(")")
    }
}
