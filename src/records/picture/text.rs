//! Boards as text, plain or with colors for a terminal.

use super::scene::{Scene, lists};
use super::screen::Target;
use super::shown::Shown;
use super::spans::{GRAY, Look, Spans, ink};
use super::tiles::{View, stock, tile_lines};
use super::{Drawing, hexes};
use anstyle::Style;
use pentarch_core::board::Grid;
use pentarch_core::game::Outcome;
use pentarch_engine::Game;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How a picture names the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// Every letter in lower case, as in UGI.
    #[default]
    All,
    /// Capitals without I, as in GTP.
    WithoutI,
}

/// The board with its coordinates or the tiles, what each player has, and whose turn it is or how
/// the game ended.
pub fn board(game: &Game, letters: Letters) -> String {
    let drawing = Drawing { letters, ..Drawing::default() };
    drawing.lines(game, Look::Plain) + &state(game)
}

impl Drawing {
    /// The game as plain text. Stones are the first letters of their colors, bombs small ones; the
    /// last move stands in parentheses, a tile has stars.
    pub fn text(&self, game: &Game) -> String {
        self.lines(game, Look::Plain) + &state(game) + "\n" + &lists(game, self)
    }

    /// The game in the 256 colors of a terminal, with lines and discs of Unicode.
    pub fn ansi(&self, game: &Game) -> String {
        self.lines(game, Look::Colored) + &state(game) + "\n" + &lists(game, self)
    }

    /// The board, and what each player has.
    fn lines(&self, game: &Game, look: Look) -> String {
        let mut text = String::new();
        for line in self.board_lines(game, look, None) {
            line.write(look, &mut text);
        }
        if let Some(position) = game.stacking() {
            return text + &stock(position);
        }
        if let Some(captures) = captures(game) {
            let _ = writeln!(text, "captured by: {captures}");
        }
        if let Some(position) = game.hexes().filter(|position| position.is_choice()) {
            use pentarch_core::game::Position as _;
            let _ = writeln!(text, "player {} chooses: swap or keep", position.to_move());
        }
        text
    }

    /// The board alone.
    pub(super) fn board_lines(
        &self,
        game: &Game,
        look: Look,
        cursor: Option<Target>,
    ) -> Vec<Spans> {
        let scene = Scene::new(game, self);
        if game.stacking().is_some() {
            return match View::of(&scene, cursor) {
                Some(view) => tile_lines(&view, game.rules().color_names(), look),
                None => vec![Spans::plain("(the table is empty)")],
            };
        }
        let shown = Shown::new(&scene, self, look, cursor);
        match (game.grid(), game.hexes()) {
            (Some(grid), _) => squares(&shown, grid, self.letters),
            (None, Some(position)) => hexes::lines(&shown, position),
            (None, None) => Vec::new(),
        }
    }
}

/// The rows of a rectangle, with coordinates.
fn squares(shown: &Shown<'_>, grid: Grid, letters: Letters) -> Vec<Spans> {
    let cells = || shown.scene.layout.cells.iter().map(|&(cell, _)| cell);
    let columns: BTreeSet<u8> = cells().map(|cell| grid.column(cell)).collect();
    let rows: BTreeSet<u8> = cells().map(|cell| grid.row(cell)).collect();
    let width = shown.width;
    let names = columns.iter().map(|&column| format!(" {:>width$}", letter(column, letters)));
    let mut header = Spans::default();
    header.push(Style::new(), "   ");
    header.push(ink(GRAY), names.collect::<String>());
    let mut lines = vec![header.clone()];
    for &row in rows.iter().rev() {
        let mut line = Spans::default();
        line.push(ink(GRAY), format!("{:>3}", row + 1));
        let mut before = None;
        for &column in &columns {
            let cell = grid.at(column, row);
            shown.push(&mut line, cell, before, before.is_some() || column > 0);
            before = Some(cell);
        }
        shown.end(&mut line, before);
        line.push(ink(GRAY), (row + 1).to_string());
        lines.push(line);
    }
    lines.push(header);
    lines
}

/// What each color has captured, in games that take stones: `White 2, Black 0`.
pub(super) fn captures(game: &Game) -> Option<String> {
    let captures = match (game.placement(), game.hexes()) {
        (Some(position), _) => position.rules().capture().is_some(),
        (_, Some(position)) => position.hexes().surround,
        (None, None) => false,
    };
    let counts = game.rules().color_names().all_names().iter().zip(game.captures());
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
    let name = game.rules().color_names().name(game.color_to_move());
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
