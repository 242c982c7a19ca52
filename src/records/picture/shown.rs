//! The cells of a board as text: stones, marks, crossings of lines.

use super::scene::{DrawnStone, Piece, Scene};
use super::screen::Target;
use super::spans::{
    BLACK, BLUE, GOLD, GRAIN, GRAY, GREEN, Look, PINK, RED, SKY, Spans, WHITE, WOOD, colors,
};
use super::{Drawing, Layout, printable};
use anstyle::Style;
use pentarch_core::game::{Cell, Color};
use pentarch_core::rules::ColorNames;

/// The cells of a board as text.
pub(super) struct Shown<'a> {
    pub scene: &'a Scene<'a>,
    pub look: Look,
    /// The columns of the terminal that a cell takes, without the one before it.
    pub width: usize,
    palette: ColorNames,
    /// The stones that have won, and those that threaten something, if that is to be shown.
    strong: Vec<Cell>,
    /// The cell under the cursor.
    cursor: Option<Cell>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(
        scene: &'a Scene<'a>,
        drawing: &Drawing,
        look: Look,
        cursor: Option<Target>,
    ) -> Shown<'a> {
        let palette = scene.game.rules().color_names();
        let threats = if drawing.threats { scene.game.threats() } else { Vec::new() };
        let stones = threats.into_iter().flat_map(|threat| threat.stones);
        let strong = stones.chain(scene.game.deciding_stones()).collect();
        let cursor = if let Some(Target::Cell(cell)) = cursor { Some(cell) } else { None };
        let mut shown = Shown { scene, look, width: 1, palette, strong, cursor };
        let cells = scene.layout.cells.iter();
        let widths = cells.map(|&(cell, _)| shown.cell(cell).1.chars().count());
        shown.width = widths.max().unwrap_or(1);
        shown
    }

    /// Whether the cell is part of what the last move put on the board.
    fn is_last(&self, cell: Cell) -> bool {
        self.scene.stones.iter().any(|stone| stone.cell == cell && stone.is_last)
    }

    /// What stands before and after a cell that is meant: the one under the cursor, or of the last
    /// move where no color shows it.
    fn brackets(&self, cell: Cell) -> Option<(char, char)> {
        match () {
            () if self.cursor == Some(cell) => Some(('[', ']')),
            () if self.look == Look::Plain && self.is_last(cell) => Some(('(', ')')),
            () => None,
        }
    }

    /// Adds a cell with what stands before it. `joined` says that a line leads to the cell before.
    pub(super) fn push(&self, line: &mut Spans, cell: Cell, before: Option<Cell>, joined: bool) {
        let (style, text) = self.cell(cell);
        let open = self.brackets(cell).map(|(open, _)| open);
        let close = before.and_then(|before| self.brackets(before)).map(|(_, close)| close);
        let is_cursor = self.cursor == Some(cell);
        let close = close.filter(|_| !is_cursor);
        let fill = if joined && self.look == Look::Colored { "─" } else { " " };
        let gap = 1 + self.width - text.chars().count();
        let gap = match (close, open) {
            (Some(close), _) => format!("{close}{}", fill.repeat(gap - 1)),
            (None, Some(open)) => format!("{}{open}", fill.repeat(gap - 1)),
            (None, None) => fill.repeat(gap),
        };
        line.push(colors(if open.or(close).is_some() { BLACK } else { GRAIN }, WOOD), gap);
        if is_cursor {
            line.mark_cursor();
        }
        line.push(if is_cursor { style.bold() } else { style }, text);
    }

    /// What closes a row.
    pub(super) fn end(&self, line: &mut Spans, last: Option<Cell>) {
        let close = last.and_then(|cell| self.brackets(cell)).map(|(_, close)| close);
        let close = close.unwrap_or(' ').to_string();
        match self.look {
            Look::Plain => line.push(Style::new(), close),
            Look::Colored => {
                line.push(colors(BLACK, WOOD), close);
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
        let (color, disc) = ink_and_disc(letter);
        let disc = if is_bomb { "✹" } else { disc };
        let other = if color == WHITE || color == GOLD { BLACK } else { WHITE };
        let style = match (&number, stone.is_last) {
            (Some(_), false) => colors(other, color),
            (Some(_), true) => colors(other, color).bold().underline(),
            (None, _) if self.strong.contains(&stone.cell) => colors(color, PINK),
            (None, true) => colors(color, SKY),
            (None, false) => colors(color, WOOD),
        };
        (style, number.unwrap_or_else(|| disc.to_owned()))
    }
}

/// A stone as a screen shows it: its letter, or a disc in its color on wood.
pub fn disc(palette: ColorNames, color: Color, look: Look) -> (Style, String) {
    let letter = palette.letter(color);
    match look {
        Look::Plain => (Style::new(), letter.to_ascii_uppercase().to_string()),
        Look::Colored => {
            let (ink, disc) = ink_and_disc(letter);
            (colors(ink, WOOD), disc.to_owned())
        }
    }
}

fn ink_and_disc(letter: char) -> (u8, &'static str) {
    match letter {
        'w' => (WHITE, "●"),
        'b' => (BLACK, "●"),
        'r' => (RED, "▲"),
        'g' => (GREEN, "■"),
        'n' => (GRAY, "✕"),
        _ => (GOLD, "★"),
    }
}
