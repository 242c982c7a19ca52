//! Boards as text, plain or with colors for a terminal.

use crate::picture::layout::{DrawnStone, Piece, Scene, lists};
use crate::picture::tiles::{View, stock, tile_lines};
use crate::picture::{Drawing, Layout, printable};
use anstyle::{Ansi256Color, Style};
use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, Color, Outcome};
use pentarch_core::hexes::Position;
use pentarch_core::rules::ColorNames;
use pentarch_core::stacking::Spot;
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
            (None, Some(position)) => hex_lines(&shown, position),
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

// The cells of a board as text: stones, marks, crossings of lines.

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

// Boards of hexagons as text.

/// The board, each row with its letter on both sides and the number of its last cell after it.
fn hex_lines(shown: &Shown<'_>, position: &Position) -> Vec<Spans> {
    let grid = position.grid();
    let cells = shown.scene.layout.cells.iter();
    let rows: BTreeSet<u8> = cells.map(|&(cell, _)| grid.row(cell)).collect();
    let mut lines = Vec::new();
    for &row in rows.iter().rev() {
        // Half a cell for each that the longest row has more.
        let shift = usize::from(grid.longest_row() - grid.row_length(row)) * (shown.width + 1) / 2;
        let letter = char::from(b'a' + row);
        let mut line = Spans::default();
        line.push(ink(GRAY), format!("{:indent$}{letter}", "", indent = shift + 1));
        let mut before = None;
        for cell in (0..grid.row_length(row)).filter_map(|place| grid.get(row, place)) {
            shown.push(&mut line, cell, before, false);
            before = Some(cell);
        }
        shown.end(&mut line, before);
        line.push(ink(GRAY), format!("{letter}{}", grid.row_length(row)));
        line.push(Style::new(), "");
        lines.push(line);
    }
    lines
}

// Text in pieces of one style each: the same lines are written with colors and without.

/// What a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Letters of ASCII, no colors.
    Plain,
    /// Lines and discs in 256 colors.
    Colored,
}

/// A line of text, perhaps with a cursor in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    pieces: Vec<(Style, String)>,
    /// The column where the cursor is, from 0.
    cursor: Option<usize>,
}

impl Spans {
    /// A line of one style.
    pub fn styled(style: Style, text: impl Into<String>) -> Spans {
        Spans { pieces: vec![(style, text.into())], cursor: None }
    }

    /// A line without style.
    pub fn plain(text: impl Into<String>) -> Spans {
        Spans::styled(Style::new(), text)
    }

    /// Adds a piece at the end.
    pub fn push(&mut self, style: Style, text: impl Into<String>) {
        self.pieces.push((style, text.into()));
    }

    /// The columns that it takes; every character takes one.
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// What is pushed next is under the cursor.
    pub(super) fn mark_cursor(&mut self) {
        self.cursor = Some(self.width());
    }

    /// The column where the cursor is, if it is in this line.
    pub fn cursor(&self) -> Option<usize> {
        self.cursor
    }

    /// Some columns of the line, those that it lacks as blanks.
    pub fn crop(&self, from: usize, width: usize) -> Spans {
        let mut cropped = Spans::default();
        let mut at = 0;
        for (style, text) in &self.pieces {
            let count = text.chars().count();
            let skipped = from.saturating_sub(at);
            let room = width - cropped.width();
            if skipped < count && room > 0 {
                cropped.push(*style, text.chars().skip(skipped).take(room).collect::<String>());
            }
            at += count;
        }
        cropped.push(Style::new(), " ".repeat(width - cropped.width()));
        cropped.cursor = self.cursor.and_then(|at| at.checked_sub(from)).filter(|&at| at < width);
        cropped
    }

    /// Adds another line at the end of this one.
    pub fn append(&mut self, other: Spans) {
        let width = self.width();
        self.cursor = self.cursor.or(other.cursor.map(|at| at + width));
        self.pieces.extend(other.pieces);
    }

    /// Writes the line, without blanks at its end that nobody sees.
    pub(super) fn write(&self, look: Look, out: &mut String) {
        match look {
            Look::Plain => {
                let text: String = self.pieces.iter().map(|(_, text)| text.as_str()).collect();
                let _ = writeln!(out, "{}", text.trim_end());
            }
            Look::Colored => {
                let _ = writeln!(out, "{}", self.text(look));
            }
        }
    }

    /// The line without a line break.
    pub fn text(&self, look: Look) -> String {
        let mut out = String::new();
        for (style, text) in &self.pieces {
            let _ = match look {
                Look::Plain => write!(out, "{text}"),
                Look::Colored => write!(out, "{style}{text}{style:#}"),
            };
        }
        out
    }
}

/// A style of colors of the palette of 256.
pub(super) fn colors(ink: u8, ground: u8) -> Style {
    let color = |number| Some(Ansi256Color(number).into());
    Style::new().fg_color(color(ink)).bg_color(color(ground))
}

/// A style of an ink alone.
pub fn ink(number: u8) -> Style {
    Style::new().fg_color(Some(Ansi256Color(number).into()))
}

// Numbers of the palette of 256 colors.
pub(super) const BLACK: u8 = 16;
pub(super) const WHITE: u8 = 231;
pub(super) const WOOD: u8 = 180;
pub(super) const GRAIN: u8 = 94;
pub(super) const RED: u8 = 130;
pub(super) const GREEN: u8 = 23;
pub const GRAY: u8 = 243;
pub(super) const BLUE: u8 = 25;
pub(super) const SKY: u8 = 117;
pub(super) const GOLD: u8 = 136;
/// Read on black and on white.
pub const AZURE: u8 = 32;
pub(super) const PINK: u8 = 217;

// Captured stones, by who has them and whose they were.

/// The captured stones of each color of a game, as they lie beside a board.
///
/// What counts is [`Game::captures`]; whose stones they were follows from the moves, and is not
/// known of those that were captured before the starting position of a game of three or more.
///
/// ```
/// use pentarch_engine::Game;
/// use pentarch_core::game::Color;
/// use pentarch_records::picture::Prisoners;
/// let mut game = Game::new("pente".parse().unwrap());
/// for text in ["j10", "k10", "a1", "l10", "m10"] {
///     game.play(text).unwrap();
/// }
/// let prisoners = Prisoners::of(&game);
/// assert_eq!(prisoners.of_color(Color(0)), [Some(Color(1)); 2]);
/// assert!(prisoners.of_color(Color(1)).is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prisoners {
    /// By capturing color: whose stones they were, in the order of capture.
    stones: Vec<Vec<Option<Color>>>,
}

impl Prisoners {
    /// The captured stones after all moves of a game; none in games that take no stones.
    pub fn of(game: &Game) -> Prisoners {
        let mut replay = game.replay();
        let mut prisoners = Prisoners::at_start(replay.position());
        while replay.next().is_some() {
            prisoners.follow(replay.position());
        }
        prisoners
    }

    /// The captured stones of a position of which nothing older is known.
    pub fn at_start(game: &Game) -> Prisoners {
        let mut prisoners = Prisoners { stones: vec![Vec::new(); game.captures().len()] };
        prisoners.follow(game);
        prisoners
    }

    /// Takes note of the last ply of a game. Says whether anything was captured or given back.
    pub fn follow(&mut self, game: &Game) -> bool {
        let counts = game.captures();
        let colors = counts.len() as u8;
        let gain = |(have, count): (&Vec<_>, &u16)| usize::from(*count) > have.len();
        let gaining = self.stones.iter().zip(&counts).filter(|&pair| gain(pair)).count();
        let mut changed = false;
        for ((color, count), have) in (0..).map(Color).zip(&counts).zip(&mut self.stones) {
            let count = usize::from(*count);
            changed |= count != have.len();
            if count > have.len() {
                let more = count - have.len();
                let lost = game.changes().iter().filter(|change| change.after == 0);
                let lost: Vec<_> = lost.map(|change| Color(change.before - 1)).collect();
                let others = lost.into_iter().filter(|&lost| lost != color && lost.0 < colors);
                let others: Vec<_> = others.collect();
                match others.len() == more && gaining == 1 {
                    _ if colors == 2 => have.resize(count, Some(color.opponent())),
                    true => have.extend(others.into_iter().map(Some)),
                    false => have.resize(count, None),
                }
            }
            have.truncate(count);
        }
        changed
    }

    /// Whose stones a color has captured, in the order of capture; none where that is unknown.
    pub fn of_color(&self, color: Color) -> &[Option<Color>] {
        self.stones.get(color.index()).map_or(&[], Vec::as_slice)
    }

    /// By capturing color.
    pub fn iter(&self) -> impl Iterator<Item = (Color, &[Option<Color>])> {
        (0..).map(Color).zip(self.stones.iter().map(Vec::as_slice))
    }
}

// Boards for a screen on which somebody moves a cursor.

/// What a cursor can be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A cell of a board.
    Cell(Cell),
    /// A spot of a table.
    Spot(Spot),
}

impl Drawing {
    /// The board alone with a cursor on it; one of the lines knows where.
    pub fn screen(&self, game: &Game, look: Look, cursor: Option<Target>) -> Vec<Spans> {
        self.board_lines(game, look, cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line_keep_styles_and_the_cursor() {
        let mut line = Spans::plain("abc");
        line.mark_cursor();
        line.push(ink(RED), "def");
        assert_eq!((line.width(), line.cursor()), (6, Some(3)));
        let part = line.crop(2, 3);
        assert_eq!((part.text(Look::Plain).as_str(), part.cursor()), ("cde", Some(1)));
        assert_eq!(line.crop(4, 5).text(Look::Plain), "ef   ");
        assert_eq!(line.crop(4, 5).cursor(), None);
        let mut joined = Spans::plain("x");
        joined.append(part);
        assert_eq!((joined.text(Look::Plain).as_str(), joined.cursor()), ("xcde", Some(2)));
        assert!(joined.text(Look::Colored).contains("\u{1b}[38;5;130mde\u{1b}[0m"));
    }
}
