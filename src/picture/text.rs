//! Boards as text, plain or with colors for a terminal.

use super::scene::{DrawnStone, Piece, Scene, lists};
use super::spans::{
    BLACK, BLUE, GOLD, GRAIN, GRAY, GREEN, Look, RED, SKY, Spans, WHITE, WOOD, colors, ink,
};
use super::tiles::{View, stock, tile_lines};
use super::{Drawing, Layout, hexes, printable};
use crate::board::Grid;
use crate::engine::Game;
use crate::game::{Cell, Outcome};
use crate::rules::Palette;
use anstyle::Style;
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
    /// last move stands in parentheses.
    pub fn text(&self, game: &Game) -> String {
        self.lines(game, Look::Plain) + &state(game) + "\n" + &lists(game, self)
    }

    /// The game in the 256 colors of a terminal, with lines and discs of Unicode.
    pub fn ansi(&self, game: &Game) -> String {
        self.lines(game, Look::Colored) + &state(game) + "\n" + &lists(game, self)
    }

    /// The board, and what each player has.
    fn lines(&self, game: &Game, look: Look) -> String {
        let scene = Scene::new(game, self);
        let mut text = String::new();
        if let Some(position) = game.stacking() {
            match View::new(&scene.tiles) {
                Some(view) => {
                    for line in tile_lines(&view, game.rules().palette()) {
                        line.write(look, &mut text);
                    }
                }
                None => text.push_str("(the table is empty)\n"),
            }
            return text + &stock(position);
        }
        let shown = Shown::new(&scene, look);
        let lines = match (game.grid(), game.hexes()) {
            (Some(grid), _) => squares(&shown, grid, self.letters),
            (None, Some(position)) => hexes::lines(&shown, position),
            (None, None) => Vec::new(),
        };
        for line in lines {
            line.write(look, &mut text);
        }
        if let Some(captures) = captures(game) {
            let _ = writeln!(text, "captured by: {captures}");
        }
        if let Some(position) = game.hexes().filter(|position| position.is_choice()) {
            use crate::game::Position as _;
            let _ = writeln!(text, "player {} chooses: swap or keep", position.to_move());
        }
        text
    }
}

/// The cells of a board as text.
pub(super) struct Shown<'a> {
    pub scene: &'a Scene<'a>,
    pub look: Look,
    /// The columns of the terminal that a cell takes, without the one before it.
    pub width: usize,
    palette: Palette,
}

impl<'a> Shown<'a> {
    fn new(scene: &'a Scene<'a>, look: Look) -> Shown<'a> {
        let palette = scene.game.rules().palette();
        let mut shown = Shown { scene, look, width: 1, palette };
        let cells = scene.layout.cells.iter();
        let widths = cells.map(|&(cell, _)| shown.cell(cell).1.chars().count());
        shown.width = widths.max().unwrap_or(1);
        shown
    }

    /// Whether the cell is part of what the last move put on the board.
    fn is_last(&self, cell: Cell) -> bool {
        self.scene.stones.iter().any(|stone| stone.cell == cell && stone.is_last)
    }

    /// Adds a cell with what stands before it. `joined` says that a line leads to the cell before.
    pub(super) fn push(&self, line: &mut Spans, cell: Cell, before: Option<Cell>, joined: bool) {
        let (style, text) = self.cell(cell);
        let width = self.width;
        if self.look == Look::Plain {
            let opened = if self.is_last(cell) { format!("({text}") } else { text };
            let after_last = before.is_some_and(|before| self.is_last(before));
            if after_last {
                line.push(style, format!("){:>width$}", opened.trim_start_matches('(')));
            } else {
                line.push(style, format!("{opened:>0$}", width + 1));
            }
            return;
        }
        let fill = if joined { "─" } else { " " };
        let gap = 1 + width - text.chars().count();
        line.push(colors(GRAIN, WOOD), fill.repeat(gap));
        line.push(style, text);
    }

    /// What closes a row.
    pub(super) fn end(&self, line: &mut Spans, last: Option<Cell>) {
        let closes = last.is_some_and(|cell| self.is_last(cell));
        match self.look {
            Look::Plain => line.push(Style::new(), if closes { ")" } else { " " }),
            Look::Colored => {
                line.push(colors(GRAIN, WOOD), " ");
                line.push(Style::new(), " ");
            }
        }
    }

    /// What stands on a cell.
    fn cell(&self, cell: Cell) -> (Style, String) {
        let at = self.scene.layout.cells.iter().find(|&&(other, _)| other == cell);
        let at = at.map_or((f64::NAN, 0.0), |&(_, at)| at);
        let mark = self.scene.marks.iter().find(|(point, _)| *point == at);
        if let Some((_, text)) = mark {
            let text = if text.is_empty() { "o".to_owned() } else { printable(text) };
            return (colors(WHITE, BLUE).bold(), text);
        }
        if let Some(stone) = self.scene.stones.iter().find(|stone| stone.cell == cell) {
            return self.stone(stone);
        }
        let candidate =
            self.scene.candidates.iter().position(|(cells, _)| cells.first() == Some(&at));
        if let Some(rank) = candidate {
            let style = colors(BLACK, SKY);
            let style = if rank == 0 { style.bold() } else { style };
            return (style, self.scene.candidates[rank].1.clone());
        }
        if self.scene.dead.contains(&at) {
            return (
                colors(RED, WOOD),
                if self.look == Look::Plain { "x" } else { "×" }.to_owned(),
            );
        }
        (colors(GRAIN, WOOD), self.empty(at))
    }

    fn empty(&self, (x, y): (f64, f64)) -> String {
        if self.look == Look::Plain {
            return ".".to_owned();
        }
        let Layout { lines, stars, .. } = &self.scene.layout;
        if lines.is_empty() {
            return "·".to_owned();
        }
        if stars.contains(&(x, y)) {
            return "╋".to_owned();
        }
        let goes = |dx: f64, dy: f64| {
            let (x, y) = (x + dx, y + dy);
            lines.iter().any(|&((x1, y1), (x2, y2))| x1 <= x && x <= x2 && y1 <= y && y <= y2)
        };
        let arms = [goes(-0.3, 0.0), goes(0.3, 0.0), goes(0.0, -0.3), goes(0.0, 0.3)];
        match arms {
            [false, _, false, _] => "┌",
            [_, false, false, _] => "┐",
            [false, _, _, false] => "└",
            [_, false, _, false] => "┘",
            [false, ..] => "├",
            [_, false, ..] => "┤",
            [_, _, false, _] => "┬",
            [.., false] => "┴",
            _ => "┼",
        }
        .to_owned()
    }

    fn stone(&self, stone: &DrawnStone) -> (Style, String) {
        let letter = self.palette.letter(stone.piece.color());
        let is_bomb = matches!(stone.piece, Piece::Bomb(_));
        let number = stone.number.map(|number| number.to_string());
        if self.look == Look::Plain {
            let letter = if is_bomb { letter } else { letter.to_ascii_uppercase() };
            return (Style::new(), format!("{letter}{}", number.unwrap_or_default()));
        }
        let (color, disc) = match letter {
            'w' => (WHITE, "●"),
            'b' => (BLACK, "●"),
            'r' => (RED, "▲"),
            'g' => (GREEN, "■"),
            'n' => (GRAY, "✕"),
            _ => (GOLD, "★"),
        };
        let disc = if is_bomb { "✹" } else { disc };
        let other = if color == WHITE || color == GOLD { BLACK } else { WHITE };
        let style = match (&number, stone.is_last) {
            (Some(_), false) => colors(other, color),
            (Some(_), true) => colors(other, color).bold().underline(),
            (None, false) => colors(color, WOOD),
            (None, true) => colors(color, SKY),
        };
        (style, number.unwrap_or_else(|| disc.to_owned()))
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
