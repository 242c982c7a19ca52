//! Boards as plain text.

use super::hexes;
use super::tiles::{drawn, stock, tiles_text};
use crate::board::Grid;
use crate::engine::Game;
use crate::game::Outcome;
use std::fmt::Write;

/// How a picture names the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// Every letter in lower case, as in UGI.
    All,
    /// Capitals without I, as in GTP.
    WithoutI,
}

/// The board with its coordinates or the tiles, what each player has, and whose turn it is or how
/// the game ended.
pub fn board(game: &Game, letters: Letters) -> String {
    if let Some(position) = game.stacking() {
        let tiles = tiles_text(&drawn(position), game.rules().palette());
        return tiles + &stock(position) + &state(game);
    }
    if let Some(position) = game.hexes() {
        return hexes::board(game, position) + &state(game);
    }
    game.grid().map_or_else(String::new, |grid| stones(game, grid, letters)) + &state(game)
}

/// The board with its coordinates, and the captures.
fn stones(game: &Game, grid: Grid, letters: Letters) -> String {
    let palette = game.rules().palette();
    let header: String = (0..grid.columns()).flat_map(|n| [' ', letter(n, letters)]).collect();
    let mut text = format!("   {header}\n");
    for row in (0..grid.rows()).rev() {
        let number = row + 1;
        let _ = write!(text, "{number:>3}");
        for column in 0..grid.columns() {
            let stone = game.stone(column, row).map(|color| palette.letter(color));
            let _ = write!(text, " {}", stone.map_or('.', |letter| letter.to_ascii_uppercase()));
        }
        let _ = writeln!(text, " {number}");
    }
    let _ = writeln!(text, "   {header}");
    if let Some(captures) = captures(game) {
        let _ = writeln!(text, "captured by: {captures}");
    }
    text
}

/// What each color has captured, in games that take stones: `White 2, Black 0`.
pub(super) fn captures(game: &Game) -> Option<String> {
    let captures = match (game.placement(), game.hexes()) {
        (Some(position), _) => position.rules().capture().is_some(),
        (_, Some(position)) => position.hexes().surround,
        (None, None) => false,
    };
    let counts = game.rules().palette().all_names().iter().zip(game.captures());
    let named: Vec<_> = counts.map(|(name, count)| format!("{name} {count}")).collect();
    captures.then(|| named.join(", "))
}

/// What stands below a picture: the captures, and whose turn it is or how the game ended.
pub(super) fn caption(game: &Game) -> String {
    let captures = captures(game).map_or(String::new(), |named| format!("Captures: {named}\n"));
    captures + &state(game)
}

/// Whose turn it is, or how the game ended.
pub(super) fn state(game: &Game) -> String {
    let name = game.rules().palette().name(game.color_to_move());
    let ply = game.ply() + 1;
    match game.outcome() {
        None if game.rules().squares().is_some_and(|board| board.swap.is_some()) => {
            let player = game.to_move();
            if game.is_choice() {
                format!("player {player} to choose a color, ply {ply}")
            } else {
                format!("{name} (player {player}) to move, ply {ply}")
            }
        }
        None => format!("{name} to move, ply {ply}"),
        Some(Outcome { winner: Some(side), reason }) => format!("player {side} has won: {reason}"),
        Some(Outcome { winner: None, reason }) => format!("draw: {reason}"),
    }
}

pub(super) fn letter(column: u8, letters: Letters) -> char {
    match letters {
        Letters::All => (b'a' + column) as char,
        Letters::WithoutI if column < 8 => (b'A' + column) as char,
        Letters::WithoutI => (b'B' + column) as char,
    }
}
