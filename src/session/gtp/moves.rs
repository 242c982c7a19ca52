//! Moves in GTP: whose they are, how they are read, how they are written.

use super::board::{BadMove, cell};
use crate::engine::{Board, Game, choice_points, moves_at};
use crate::game::{Move, MoveKind, Seat, Side};
use pentarch_protocol::gtp::Color;

/// The color of a seat. The first player is `b`, whatever his stones look like; with more than
/// two players the first and the third are.
pub(super) const fn color(seat: Seat) -> Color {
    if seat.0.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// Whether it is a color's turn. One player may have several in a row.
pub(super) fn is_to_move(game: &Game, mover: Color) -> bool {
    color(game.to_move()) == mover
}

/// The color that has won with a side.
pub(super) const fn winner(side: Side) -> Color {
    color(Seat(side.0))
}

/// Whether a move is written as a vertex or `pass`, which every client knows.
pub(super) fn is_plain(mv: Move) -> bool {
    match mv.kind() {
        MoveKind::Neutral(_) | MoveKind::Bomb(_) | MoveKind::Power(..) => false,
        MoveKind::Signed(_, signs) => signs.stones()[1] == 0,
        _ => true,
    }
}

/// Whether the text is one that only clients of this engine send.
pub(super) fn is_extended(text: &str) -> bool {
    let word = MoveKind::from_word(text).is_some_and(|kind| kind != MoveKind::Pass);
    word || text.contains(['@', '+', '-'])
}

/// The moves that a text stands for: one, or two where a stone means that one keeps one's color.
/// They need not be legal.
pub(super) fn read(game: &Game, text: &str) -> Result<Vec<Move>, String> {
    let mv = game.parse_move_by(text, |point| cell(game, point)).map_err(|BadMove(why)| why)?;
    Ok(match mv.kind() {
        MoveKind::Stone(cell) => moves_at(game, cell),
        _ => vec![mv],
    })
}

/// A move as text. Clients that know only vertices learn a choice by the stone that stands for it;
/// none does where there are fewer stones than choices.
pub(super) fn text(game: &Game, mv: Move, extended: bool) -> Option<String> {
    let board = Board::of(game);
    if mv.kind().word().is_some() && mv.kind() != MoveKind::Pass && !extended {
        let points = choice_points(game);
        let (cell, _) = points.into_iter().find(|&(_, kind)| kind == mv.kind())?;
        return Some(board?.vertex(cell).to_string());
    }
    let label = |cell| board.map_or_else(String::new, |board| board.vertex(cell).to_string());
    if let MoveKind::Signed(cell, _) = mv.kind()
        && is_plain(mv)
        && !extended
    {
        return Some(label(cell));
    }
    Some(game.move_text_by(mv, label))
}

/// The texts of a line of moves, as far as it has any.
pub(super) fn line(game: &Game, line: &[Move], extended: bool) -> Vec<(Color, String)> {
    let mut game = game.clone();
    let mut texts = Vec::new();
    for &mv in line {
        let text = text(&game, mv, extended).unwrap_or_else(|| game.move_text(mv));
        texts.push((color(game.to_move()), text));
        if game.play_move(mv).is_err() {
            break;
        }
    }
    texts
}

/// Plays moves, all or none; tells how many there were.
pub(super) fn play_all(game: &mut Game, moves: &[Move]) -> Result<usize, String> {
    for (index, &mv) in moves.iter().enumerate() {
        if let Err(reason) = game.check_move(mv) {
            for _ in 0..index {
                game.undo();
            }
            return Err(format!("illegal move: {reason}"));
        }
        game.play_move(mv).map_err(|error| error.to_string())?;
    }
    Ok(moves.len())
}
