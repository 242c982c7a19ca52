//! What is drawn over the characters of the board.
//!
//! A point has room for three letters, and `GoGui` takes the text of the status bar away after every
//! move. So a letter on a stone says what a click there does, and the sentence follows the letter
//! behind blanks: it is what `GoGui` shows while the mouse is on the point.

use super::super::special::{Next, special_points};
use super::board::hidden_stones;
use super::open_cells;
use super::words::{choice, choice_letter, last_choice, seat_name, special, status};
use crate::dialects::gtp::Board;
use pentarch_core::game::{Cell, Color as StoneColor, MoveKind};
use pentarch_engine::{Game, choice_points, stones_in_order};
use pentarch_protocol::gtp::{Graphics, Mark, Vertex};

/// The grounds of stones that are neither Black's nor White's: those of a third and a fourth player,
/// neutral and power stones.
const GROUNDS: [&str; 4] = ["#e03030", "#30a030", "#808080", "#e0c000"];
/// The grounds of points that show whose turn it is, by seat.
const TURN_GROUNDS: [&str; 4] = ["#000000", "#ffffff", GROUNDS[0], GROUNDS[1]];
/// The ground of what is to be clicked on, or has just been.
const GREEN: &str = "#60d060";
/// The ground of empty points that are closed to the player to move.
const CLOSED: &str = "#707070";
/// The ground of the stones that decided the game.
const DECIDED: &str = "#ffe000";

/// What the characters of the board cannot show: other colors, what stones stand for, closed points,
/// the line that won, and whose turn it is.
pub(super) fn lines(game: &Game, next: Next) -> Vec<Graphics> {
    let mut lines = hidden_stones(game);
    lines.extend(other_stones(game));
    lines.push(Graphics::Points(Mark::Triangle, Board::vertices(game, bombs(game))));
    if game.outcome().is_some() {
        let decided = Board::vertices(game, game.deciding_stones());
        lines.push(Graphics::Color(DECIDED.to_owned(), decided));
    } else {
        lines.push(ground(game, CLOSED, closed(game, next)));
        lines.extend(words(game, next));
        lines.extend(turn(game));
    }
    lines.push(Graphics::Text(status(game, next)));
    lines
}

fn ground(game: &Game, color: &str, cells: impl IntoIterator<Item = Cell>) -> Graphics {
    Graphics::Color(color.to_owned(), Board::vertices(game, cells))
}

/// Rings on a colored ground for stones that are neither Black's nor White's.
fn other_stones(game: &Game) -> Vec<Graphics> {
    let mut lines = Vec::new();
    for (number, color) in (2..).zip(GROUNDS) {
        let of_color = |cell: &Cell| game.content(*cell) == Some(StoneColor(number));
        let cells: Vec<_> = game.cells().into_iter().filter(of_color).collect();
        lines.push(ground(game, color, cells.iter().copied()));
        lines.push(Graphics::Points(Mark::Circle, Board::vertices(game, cells)));
    }
    lines
}

/// The stones on the board that were declared bombs.
fn bombs(game: &Game) -> Vec<Cell> {
    let moves = game.moves();
    let is_bomb = |cell: &Cell| {
        let last = moves.iter().rev().find(|mv| mv.cell() == Some(*cell));
        last.is_some_and(|mv| matches!(mv.kind(), MoveKind::Bomb(_)))
    };
    stones_in_order(game).into_iter().filter(is_bomb).collect()
}

/// The empty points where the player to move may not place what is to be placed.
fn closed(game: &Game, next: Next) -> Vec<Cell> {
    if game.is_choice() {
        return Vec::new();
    }
    let open = open_cells(game, next);
    let is_closed = |cell: &Cell| game.content(*cell).is_none() && !open.contains(cell);
    game.cells().into_iter().filter(is_closed).collect()
}

/// Letters on the stones that stand for something, and the choice that was just made.
fn words(game: &Game, next: Next) -> Vec<Graphics> {
    let mut marked: Vec<(Cell, &str, String)> = Vec::new();
    for (cell, kind) in choice_points(game) {
        marked.push((cell, choice_letter(kind), choice(game, kind)));
    }
    match next {
        Next::Plain => {
            let points = special_points(game).into_iter();
            marked.extend(points.map(|(cell, kind)| (cell, kind.letter(), special(kind))));
        }
        Next::Special(kind) => {
            let points = special_points(game).into_iter().filter(|&(_, other)| other == kind);
            marked.extend(points.map(|(cell, _)| (cell, kind.letter(), status(game, next))));
        }
        Next::Bonus(power) => marked.push((power, "P", status(game, next))),
    }
    if let Some((cell, kind)) = just_chosen(game) {
        marked.push((cell, choice_letter(kind), status(game, next)));
    }
    let Some(board) = Board::of(game) else { return Vec::new() };
    let is_urgent = game.is_choice() || next != Next::Plain || last_choice(game).is_some();
    let urgent = marked.iter().map(|&(cell, ..)| cell).filter(|_| is_urgent);
    let ground = ground(game, GREEN, urgent);
    let labels =
        marked.iter().map(|(cell, letter, text)| (board.vertex(*cell), label(letter, text)));
    vec![ground, Graphics::Label(labels.collect())]
}

/// The stone that stood for the choice that was the last move.
fn just_chosen(game: &Game) -> Option<(Cell, MoveKind)> {
    let kind = last_choice(game)?;
    let mut before = game.clone();
    before.undo();
    choice_points(&before).into_iter().find(|&(_, other)| other == kind)
}

/// A letter, and behind the edge of the point a sentence for those who hold the mouse there.
fn label(letter: &str, text: &str) -> String {
    format!("   {letter}{}{text}", " ".repeat(16))
}

/// Whose turn it is where that is more than Black's or White's: a colored point in a corner, beside
/// the board if there is room.
fn turn(game: &Game) -> Vec<Graphics> {
    let Some(board) = Board::of(game).filter(|_| game.seats() > 2) else { return Vec::new() };
    let seat = game.to_move();
    let name = seat_name(game, seat);
    let letter = name.get(..1).unwrap_or_default();
    let text = label(letter, &format!("{name} to move"));
    let (columns, rows) = board.size();
    let top = (0..columns).map(|column| Vertex { column, row: rows - 1 });
    let is_free =
        |vertex: &Vertex| board.cell(*vertex).is_none_or(|cell| game.content(cell).is_none());
    let Some(corner) = top.into_iter().find(is_free) else { return Vec::new() };
    // GoGui has no ground to color where there is no cell.
    let color = TURN_GROUNDS.get(seat.index()).unwrap_or(&CLOSED);
    let ground = board.cell(corner).map(|_| Graphics::Color((*color).to_owned(), vec![corner]));
    ground.into_iter().chain([Graphics::Label(vec![(corner, text)])]).collect()
}
