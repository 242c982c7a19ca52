//! The board as characters: stones by their owners, and which hexagons there are.
//!
//! The window has two colors of players, and each of them places stones of its own color. So what
//! it is shown is whose a stone is: after a swap the stones on the board change their color there,
//! and Black has black stones to the end.

use crate::dialects::gtp::Board;
use pentarch_core::game::{Cell, Color as StoneColor};
use pentarch_engine::Game;
use pentarch_protocol::gtp::{Color, Graphics, Vertex};

pub(super) fn size(game: &Game) -> String {
    let Some(board) = Board::of(game) else { return "0".to_owned() };
    let (columns, rows) = board.size();
    let size = if columns == rows { columns.to_string() } else { format!("{columns} {rows}") };
    if board.is_hex() { size + " hex" } else { size }
}

/// Rows from the top: `X` and `O` for stones of Black and White, `.` for a cell that is empty or has
/// any other stone, `?` where there is no cell.
///
/// On hexagons `GoGui` 1.6 draws the one of column x and row y, and takes clicks on it, if the
/// character of column y and row x is not `?`. So the `?` are written there; on boards that look the
/// same in this mirror that changes nothing. On others a `?` may stand where a stone lies, and all
/// stones are left to the graphics, so that they look alike.
pub(super) fn characters(game: &Game) -> String {
    let Some(board) = Board::of(game) else { return String::new() };
    let (columns, rows) = board.size();
    let with_stones = !has_hidden_cells(game, board);
    let character = |column, row| {
        let vertex = Vertex { column, row };
        if is_hidden(board, vertex) {
            return '?';
        }
        match board.cell(vertex).filter(|_| with_stones).and_then(|cell| stone(game, cell)) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            // The graphics show other stones: these two would be taken for another color.
            None => '.',
        }
    };
    let rows = (0..rows).rev();
    let rows = rows.map(|row| (0..columns).map(|column| character(column, row)).collect());
    // The answer begins on a line of its own, so that it can be read.
    std::iter::once(String::new()).chain(rows).collect::<Vec<String>>().join("\n")
}

/// Whether the character of a vertex is `?`.
fn is_hidden(board: Board, vertex: Vertex) -> bool {
    let mirrored = Vertex { column: vertex.row, row: vertex.column };
    board.is_hex() && board.cell(mirrored).is_none()
}

/// Whose stone lies on a cell, if it is drawn as a stone. Those of a third and fourth player and of
/// nobody are not.
fn stone(game: &Game, cell: Cell) -> Option<Color> {
    let color = game.content(cell)?;
    match game.seat_of(color).0 {
        _ if color >= StoneColor::NEUTRAL => None,
        0 => Some(Color::Black),
        1 => Some(Color::White),
        _ => None,
    }
}

/// Whether a `?` stands in the place of some cell.
fn has_hidden_cells(game: &Game, board: Board) -> bool {
    game.cells().into_iter().any(|cell| is_hidden(board, board.vertex(cell)))
}

/// The stones that are not among the characters, drawn as those of a line of moves without its
/// numbers.
pub(super) fn hidden_stones(game: &Game) -> Vec<Graphics> {
    let Some(board) = Board::of(game).filter(|&board| has_hidden_cells(game, board)) else {
        return Vec::new();
    };
    let drawn = |cell| Some((stone(game, cell)?, board.vertex(cell)));
    let stones: Vec<(Color, Vertex)> = game.cells().into_iter().filter_map(drawn).collect();
    let numbers = stones.iter().map(|&(_, vertex)| (vertex, String::new())).collect();
    let stones = stones.into_iter().map(|(color, vertex)| (color, vertex.to_string())).collect();
    vec![Graphics::Variation(stones), Graphics::Label(numbers)]
}
