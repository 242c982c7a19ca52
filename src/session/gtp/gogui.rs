//! `GoGui`'s rules extension: the engine is the referee of a game that the program does not know.

use super::special::{Next, legal_cells, special_points};
use crate::dialects::gtp::{Board, color, is_plain, side_color};
use crate::engine::{Game, choice_points};
use crate::game::{Cell, Color as StoneColor, Move, MoveKind, Outcome, Seat};
use pentarch_protocol::gtp::{Color, Graphics, Mark, Rules, Vertex};
use std::collections::BTreeSet;

/// The answer to a question about the rules.
pub(super) fn answer(game: &Game, next: Next, query: Rules) -> String {
    match query {
        // One name for every game: the process plays one, and a change of the name would make
        // GoGui give up its ruler.
        Rules::GameId => "Pentarch".to_owned(),
        Rules::BoardSize => board_size(game),
        Rules::Board => board(game),
        Rules::BoardGraphics => {
            let lines: Vec<_> =
                board_graphics(game, next).iter().map(Graphics::to_string).collect();
            lines.join("\n")
        }
        Rules::LegalMoves => legal_moves(game, next).join(" "),
        Rules::SideToMove => color_name(color(game.to_move())).to_owned(),
        Rules::CapturedCount => captured_count(game),
        Rules::FinalResult => final_result(game),
    }
}

pub(super) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

fn board_size(game: &Game) -> String {
    let Some(board) = Board::of(game) else { return "0".to_owned() };
    let (columns, rows) = board.size();
    let size = if columns == rows { columns.to_string() } else { format!("{columns} {rows}") };
    if board.is_hex() { size + " hex" } else { size }
}

/// Rows from the top: `X` and `O` for stones of the first and the second color, `.` for a cell that
/// is empty or has any other stone, `?` where there is no cell.
fn board(game: &Game) -> String {
    let Some(board) = Board::of(game) else { return String::new() };
    let (columns, rows) = board.size();
    let cell = |column, row| match board.cell(Vertex { column, row }) {
        None => '?',
        Some(cell) => match game.content(cell) {
            Some(StoneColor(0)) => 'X',
            Some(StoneColor(1)) => 'O',
            // The graphics show other stones: these two would be taken for another color.
            _ => '.',
        },
    };
    let rows = (0..rows).rev().map(|row| (0..columns).map(|column| cell(column, row)).collect());
    // The answer begins on a line of its own, so that it can be read.
    std::iter::once(String::new()).chain(rows).collect::<Vec<String>>().join("\n")
}

/// The vertices that a player may choose: those of stones, also those that stand for choices or
/// special stones, and `pass` where the rules have it.
fn legal_moves(game: &Game, next: Next) -> Vec<String> {
    if let Some(cells) = legal_cells(game, next) {
        return Board::vertices(game, cells).iter().map(Vertex::to_string).collect();
    }
    let mut moves = game.legal_moves();
    moves.retain(|&mv| is_plain(mv));
    let choices = choice_points(game);
    let mut cells: BTreeSet<Cell> = moves.iter().filter_map(|mv| mv.cell()).collect();
    cells.extend(choices.iter().map(|&(cell, _)| cell));
    cells.extend(special_points(game).iter().map(|&(cell, _)| cell));
    if choices.iter().any(|&(_, kind)| kind == MoveKind::Keep) || choices.len() == 1 {
        cells.extend(stones_after_keep(game));
    }
    let mut texts: Vec<_> = Board::vertices(game, cells).iter().map(Vertex::to_string).collect();
    if moves.iter().any(|mv| mv.kind() == MoveKind::Pass) {
        texts.push("pass".to_owned());
    }
    texts
}

/// Where the player to move may place a stone by which the color is kept.
fn stones_after_keep(game: &Game) -> Vec<Cell> {
    let mut kept = game.clone();
    if kept.play_move(MoveKind::Keep.into()).is_err() || kept.to_move() != game.to_move() {
        return Vec::new();
    }
    kept.legal_moves().into_iter().filter_map(Move::cell).collect()
}

/// Stones captured by the black stones, then by the white ones.
fn captured_count(game: &Game) -> String {
    let mut counts = [0_u32; 2];
    for (number, captured) in game.captures().into_iter().enumerate() {
        if let Some(count) = counts.get_mut(number % 2) {
            *count += u32::from(captured);
        }
    }
    let [black, white] = counts;
    format!("{black} {white}")
}

fn final_result(game: &Game) -> String {
    match game.outcome() {
        None => "the game is not over".to_owned(),
        Some(Outcome { winner: None, reason }) => format!("draw: {reason}"),
        Some(Outcome { winner: Some(side), reason }) => {
            format!("player {side} ({}) has won: {reason}", color_name(side_color(side)))
        }
    }
}

/// The backgrounds of stones that are neither the first nor the second color: Red, Green, neutral
/// stones and power stones.
const BACKGROUNDS: [&str; 4] = ["#e03030", "#30a030", "#808080", "#e0c000"];

/// What the characters of the board cannot show: colors beyond the second, what stones stand for,
/// and whose turn it is.
fn board_graphics(game: &Game, next: Next) -> Vec<Graphics> {
    let mut lines = Vec::new();
    for (number, background) in (2..).zip(BACKGROUNDS) {
        let of_color = |cell: &Cell| game.content(*cell) == Some(StoneColor(number));
        let cells: Vec<_> = game.cells().into_iter().filter(of_color).collect();
        if !cells.is_empty() {
            let points = Board::vertices(game, cells);
            lines.push(Graphics::Color(background.to_owned(), points.clone()));
            lines.push(Graphics::Points(Mark::Circle, points));
        }
    }
    if let Next::Bonus(power) = next {
        lines.push(Graphics::Points(Mark::Cross, Board::vertices(game, [power])));
    }
    let words = words(game, next);
    if !words.is_empty() {
        let points = Board::vertices(game, words.iter().map(|&(cell, _)| cell));
        let words = words.iter().map(|&(_, word)| word.to_owned());
        lines.push(Graphics::Label(points.into_iter().zip(words).collect()));
    }
    lines.push(Graphics::Text(status(game, next)));
    lines
}

/// The words on stones that stand for something.
fn words(game: &Game, next: Next) -> Vec<(Cell, &'static str)> {
    let choices = choice_points(game).into_iter();
    let mut words: Vec<_> =
        choices.filter_map(|(cell, kind)| kind.word().map(|word| (cell, word))).collect();
    if next == Next::Plain {
        words.extend(special_points(game).into_iter().map(|(cell, kind)| (cell, kind.word())));
    }
    words
}

/// Whose turn it is, with the colors that the game itself gives the stones.
fn status(game: &Game, next: Next) -> String {
    if game.outcome().is_some() {
        return final_result(game);
    }
    let Seat(seat) = game.to_move();
    let player = format!("player {} ({})", seat + 1, color_name(color(game.to_move())));
    let choices: Vec<_> =
        choice_points(game).into_iter().filter_map(|(_, kind)| kind.word()).collect();
    match next {
        Next::Special(kind) => format!("{player} to place a {} stone", kind.word()),
        Next::Bonus(_) => format!("{player} to place the bonus stone"),
        Next::Plain if choices.is_empty() => {
            format!("{player} to place {}", game.rules().palette().name(game.color_to_move()))
        }
        Next::Plain => format!("{player} to choose: {}", choices.join(", ")),
    }
}
