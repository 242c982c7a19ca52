//! Boards as text, plain or in the colors of a terminal.

use crate::picture::layout::{DrawnStone, Piece, Scene, list_candidates_and_threats};
use crate::picture::tiles::{TopView, tile_counts, tile_lines};
use crate::picture::{BoardLayout, PictureOptions};
use crate::sanitize::replace_controls;
use anstyle::{Ansi256Color, Style};
use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, Color, Outcome};
use pentarch_core::hexes::Position;
use pentarch_core::rules::ColorNames;
use pentarch_core::stacking::Spot;
use pentarch_engine::Game;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The names of columns in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColumnLetters {
    /// Lower-case letters, as in UGI.
    #[default]
    All,
    /// Capitals without I, as in GTP.
    WithoutI,
}

/// Returns a game as plain text: the board with its coordinates or the tiles, the captures or tiles
/// of each player, and the seat to move or the result.
pub fn board(game: &Game, letters: ColumnLetters) -> String {
    let options = PictureOptions { letters, ..PictureOptions::default() };
    options.lines(game, TextStyle::Plain) + &status(game)
}

impl PictureOptions {
    /// Draws the game as plain text. Stones are the first letters of their colors, bombs are in
    /// lower case. The last move is in parentheses, or a tile with a star.
    pub fn text(&self, game: &Game) -> String {
        self.lines(game, TextStyle::Plain)
            + &status(game)
            + "\n"
            + &list_candidates_and_threats(game, self)
    }

    /// Draws the game in the 256 colors of a terminal, with lines and discs of Unicode.
    pub fn ansi(&self, game: &Game) -> String {
        self.lines(game, TextStyle::Colored)
            + &status(game)
            + "\n"
            + &list_candidates_and_threats(game, self)
    }

    /// Draws the board and the captures or tiles of each player.
    fn lines(&self, game: &Game, text_style: TextStyle) -> String {
        let mut text = String::new();
        for line in self.board_lines(game, text_style, None) {
            line.write(text_style, &mut text);
        }
        if let Some(position) = game.stacking() {
            return text + &tile_counts(position);
        }
        if let Some(captures) = captures_text(game) {
            let _ = writeln!(text, "captured by: {captures}");
        }
        if let Some(position) = game.hexes().filter(|position| position.is_choice()) {
            use pentarch_core::game::Position as _;
            let _ = writeln!(text, "player {} chooses: swap or keep", position.to_move());
        }
        text
    }

    /// Draws the board alone, with a cursor on it. One of the lines knows the column of the cursor.
    pub fn board_lines(
        &self,
        game: &Game,
        text_style: TextStyle,
        cursor: Option<CursorTarget>,
    ) -> Vec<StyledLine> {
        let scene = Scene::new(game, self);
        if game.stacking().is_some() {
            return match TopView::of(&scene, cursor) {
                Some(view) => tile_lines(&view, game.rules().color_names(), text_style),
                None => vec![StyledLine::plain("(the table is empty)")],
            };
        }
        let board_text = BoardText::new(&scene, self, text_style, cursor);
        match (game.grid(), game.hexes()) {
            (Some(grid), _) => square_lines(&board_text, grid, self.letters),
            (None, Some(position)) => hex_lines(&board_text, position),
            (None, None) => Vec::new(),
        }
    }
}

/// Draws a rectangular board with coordinates.
fn square_lines(board: &BoardText<'_>, grid: Grid, letters: ColumnLetters) -> Vec<StyledLine> {
    let cells = || board.scene.layout.cells.iter().map(|&(cell, _)| cell);
    let columns: BTreeSet<u8> = cells().map(|cell| grid.column(cell)).collect();
    let rows: BTreeSet<u8> = cells().map(|cell| grid.row(cell)).collect();
    let width = board.width;
    let names =
        columns.iter().map(|&column| format!(" {:>width$}", column_letter(column, letters)));
    let mut header = StyledLine::default();
    header.push(Style::new(), "   ");
    header.push(foreground(GRAY), names.collect::<String>());
    let mut lines = vec![header.clone()];
    for &row in rows.iter().rev() {
        let mut line = StyledLine::default();
        line.push(foreground(GRAY), format!("{:>3}", row + 1));
        let mut before = None;
        for &column in &columns {
            let cell = grid.at(column, row);
            board.push(&mut line, cell, before, before.is_some() || column > 0);
            before = Some(cell);
        }
        board.end(&mut line, before);
        line.push(foreground(GRAY), (row + 1).to_string());
        lines.push(line);
    }
    lines.push(header);
    lines
}

/// Returns the captures of each color in games with captures: `White 2, Black 0`.
pub(super) fn captures_text(game: &Game) -> Option<String> {
    let captures = match (game.placement(), game.hexes()) {
        (Some(position), _) => position.rules().capture().is_some(),
        (_, Some(position)) => position.hexes().surround,
        (None, None) => false,
    };
    let counts = game.rules().color_names().all_names().iter().zip(game.captures());
    let named: Vec<_> = counts.map(|(name, count)| format!("{name} {count}")).collect();
    captures.then(|| named.join(", "))
}

/// Returns the text below a picture: the captures, and the seat to move or the result.
pub(super) fn caption(game: &Game) -> String {
    let captures =
        captures_text(game).map_or(String::new(), |named| format!("Captures: {named}\n"));
    captures + &status(game)
}

/// Returns the seat to move or the result.
pub(super) fn status(game: &Game) -> String {
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

pub(super) fn column_letter(column: u8, letters: ColumnLetters) -> char {
    match letters {
        ColumnLetters::All => (b'a' + column) as char,
        ColumnLetters::WithoutI if column < 8 => (b'A' + column) as char,
        ColumnLetters::WithoutI => (b'B' + column) as char,
    }
}

/// Draws the cells of a board as text.
pub(super) struct BoardText<'a> {
    pub scene: &'a Scene<'a>,
    pub text_style: TextStyle,
    /// The width of a cell in columns of the terminal, without the space before it.
    pub width: usize,
    palette: ColorNames,
    /// The stones that decided the game and, if they are shown, those of threats.
    emphasized: Vec<Cell>,
    /// The cell under the cursor.
    cursor: Option<Cell>,
}

impl<'a> BoardText<'a> {
    pub(super) fn new(
        scene: &'a Scene<'a>,
        options: &PictureOptions,
        text_style: TextStyle,
        cursor: Option<CursorTarget>,
    ) -> BoardText<'a> {
        let palette = scene.game.rules().color_names();
        let threats = if options.threats { scene.game.threats() } else { Vec::new() };
        let stones = threats.into_iter().flat_map(|threat| threat.stones);
        let emphasized = stones.chain(scene.game.deciding_stones()).collect();
        let cursor = if let Some(CursorTarget::Cell(cell)) = cursor { Some(cell) } else { None };
        let mut board_text = BoardText { scene, text_style, width: 1, palette, emphasized, cursor };
        let cells = scene.layout.cells.iter();
        let widths = cells.map(|&(cell, _)| board_text.cell(cell).1.chars().count());
        board_text.width = widths.max().unwrap_or(1);
        board_text
    }

    /// Returns whether the last move placed the stone of a cell.
    fn is_last(&self, cell: Cell) -> bool {
        self.scene.stones.iter().any(|stone| stone.cell == cell && stone.is_last)
    }

    /// Returns the brackets around a cell: under the cursor, or of the last move where no color
    /// shows it.
    fn brackets(&self, cell: Cell) -> Option<(char, char)> {
        match () {
            () if self.cursor == Some(cell) => Some(('[', ']')),
            () if self.text_style == TextStyle::Plain && self.is_last(cell) => Some(('(', ')')),
            () => None,
        }
    }

    /// Adds a cell and the space before it. `joined` says that a line of the board leads to the
    /// cell before.
    pub(super) fn push(
        &self,
        line: &mut StyledLine,
        cell: Cell,
        before: Option<Cell>,
        joined: bool,
    ) {
        let (style, text) = self.cell(cell);
        let open = self.brackets(cell).map(|(open, _)| open);
        let close = before.and_then(|before| self.brackets(before)).map(|(_, close)| close);
        let is_cursor = self.cursor == Some(cell);
        let close = close.filter(|_| !is_cursor);
        let fill = if joined && self.text_style == TextStyle::Colored { "─" } else { " " };
        let gap = 1 + self.width - text.chars().count();
        let gap = match (close, open) {
            (Some(close), _) => format!("{close}{}", fill.repeat(gap - 1)),
            (None, Some(open)) => format!("{}{open}", fill.repeat(gap - 1)),
            (None, None) => fill.repeat(gap),
        };
        line.push(colored(if open.or(close).is_some() { BLACK } else { GRAIN }, WOOD), gap);
        if is_cursor {
            line.mark_cursor();
        }
        line.push(if is_cursor { style.bold() } else { style }, text);
    }

    /// Closes a row: the right bracket of its last cell if that is marked, else a space.
    pub(super) fn end(&self, line: &mut StyledLine, last: Option<Cell>) {
        let close = last.and_then(|cell| self.brackets(cell)).map(|(_, close)| close);
        let close = close.unwrap_or(' ').to_string();
        match self.text_style {
            TextStyle::Plain => line.push(Style::new(), close),
            TextStyle::Colored => {
                line.push(colored(BLACK, WOOD), close);
                line.push(Style::new(), " ");
            }
        }
    }

    /// Returns the text of a cell.
    fn cell(&self, cell: Cell) -> (Style, String) {
        let at = self.scene.layout.cells.iter().find(|&&(other, _)| other == cell);
        let at = at.map_or((f64::NAN, 0.0), |&(_, at)| at);
        let mark = self.scene.marks.iter().find(|(point, _)| *point == at);
        if let Some((_, text)) = mark {
            let text = if text.is_empty() { "o".to_owned() } else { replace_controls(text) };
            return (colored(WHITE, BLUE).bold(), text);
        }
        if let Some(stone) = self.scene.stones.iter().find(|stone| stone.cell == cell) {
            return self.stone(stone);
        }
        let candidate =
            self.scene.candidates.iter().position(|(cells, _)| cells.first() == Some(&at));
        if let Some(rank) = candidate {
            let style = colored(BLACK, SKY);
            let style = if rank == 0 { style.bold() } else { style };
            return (style, self.scene.candidates[rank].1.clone());
        }
        if self.scene.illegal_points.contains(&at) {
            return (
                colored(RED, WOOD),
                if self.text_style == TextStyle::Plain { "x" } else { "×" }.to_owned(),
            );
        }
        (colored(GRAIN, WOOD), self.empty(at))
    }

    fn empty(&self, (x, y): (f64, f64)) -> String {
        if self.text_style == TextStyle::Plain {
            return ".".to_owned();
        }
        let BoardLayout { lines, stars, .. } = &self.scene.layout;
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
        if self.text_style == TextStyle::Plain {
            let letter = if is_bomb { letter } else { letter.to_ascii_uppercase() };
            return (Style::new(), format!("{letter}{}", number.unwrap_or_default()));
        }
        let (color, disc) = color_and_symbol(letter);
        let disc = if is_bomb { "✹" } else { disc };
        let other = if color == WHITE || color == GOLD { BLACK } else { WHITE };
        let style = match (&number, stone.is_last) {
            (Some(_), false) => colored(other, color),
            (Some(_), true) => colored(other, color).bold().underline(),
            (None, _) if self.emphasized.contains(&stone.cell) => colored(color, PINK),
            (None, true) => colored(color, SKY),
            (None, false) => colored(color, WOOD),
        };
        (style, number.unwrap_or_else(|| disc.to_owned()))
    }
}

/// Returns the symbol of a stone: its letter, or a colored disc on wood.
pub fn stone_symbol(palette: ColorNames, color: Color, text_style: TextStyle) -> (Style, String) {
    let letter = palette.letter(color);
    match text_style {
        TextStyle::Plain => (Style::new(), letter.to_ascii_uppercase().to_string()),
        TextStyle::Colored => {
            let (ink, disc) = color_and_symbol(letter);
            (colored(ink, WOOD), disc.to_owned())
        }
    }
}

fn color_and_symbol(letter: char) -> (u8, &'static str) {
    match letter {
        'w' => (WHITE, "●"),
        'b' => (BLACK, "●"),
        'r' => (RED, "▲"),
        'g' => (GREEN, "■"),
        'n' => (GRAY, "✕"),
        _ => (GOLD, "★"),
    }
}

/// Draws a hexagonal board. Each row has its letter on both sides and the number of its last cell
/// after it.
fn hex_lines(board: &BoardText<'_>, position: &Position) -> Vec<StyledLine> {
    let grid = position.grid();
    let cells = board.scene.layout.cells.iter();
    let rows: BTreeSet<u8> = cells.map(|&(cell, _)| grid.row(cell)).collect();
    let mut lines = Vec::new();
    for &row in rows.iter().rev() {
        // Rows are shifted by half a cell for each cell that they have less than the longest.
        let shift = usize::from(grid.longest_row() - grid.row_length(row)) * (board.width + 1) / 2;
        let letter = char::from(b'a' + row);
        let mut line = StyledLine::default();
        line.push(foreground(GRAY), format!("{:indent$}{letter}", "", indent = shift + 1));
        let mut before = None;
        for cell in (0..grid.row_length(row)).filter_map(|place| grid.get(row, place)) {
            board.push(&mut line, cell, before, false);
            before = Some(cell);
        }
        board.end(&mut line, before);
        line.push(foreground(GRAY), format!("{letter}{}", grid.row_length(row)));
        line.push(Style::new(), "");
        lines.push(line);
    }
    lines
}

/// The style of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// ASCII letters, no colors.
    Plain,
    /// Lines and discs of Unicode, in 256 colors.
    Colored,
}

/// A line of text with styles, and maybe with a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyledLine {
    pieces: Vec<(Style, String)>,
    /// The column of the cursor, from 0.
    cursor: Option<usize>,
}

impl StyledLine {
    /// Creates a line of one style.
    pub fn styled(style: Style, text: impl Into<String>) -> StyledLine {
        StyledLine { pieces: vec![(style, text.into())], cursor: None }
    }

    /// Creates a line without style.
    pub fn plain(text: impl Into<String>) -> StyledLine {
        StyledLine::styled(Style::new(), text)
    }

    /// Appends text.
    pub fn push(&mut self, style: Style, text: impl Into<String>) {
        self.pieces.push((style, text.into()));
    }

    /// The width in columns. Every character has one column.
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// Places the cursor on the text that is pushed next.
    pub(super) fn mark_cursor(&mut self) {
        self.cursor = Some(self.width());
    }

    /// The column of the cursor, if it is in this line.
    pub fn cursor(&self) -> Option<usize> {
        self.cursor
    }

    /// Returns `width` columns of the line. Missing columns are spaces.
    pub fn crop(&self, from: usize, width: usize) -> StyledLine {
        let mut cropped = StyledLine::default();
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

    /// Appends another line.
    pub fn append(&mut self, other: StyledLine) {
        let width = self.width();
        self.cursor = self.cursor.or(other.cursor.map(|at| at + width));
        self.pieces.extend(other.pieces);
    }

    /// Writes the line and a line break. In plain text, trailing spaces are removed.
    pub(super) fn write(&self, text_style: TextStyle, out: &mut String) {
        match text_style {
            TextStyle::Plain => {
                let text: String = self.pieces.iter().map(|(_, text)| text.as_str()).collect();
                let _ = writeln!(out, "{}", text.trim_end());
            }
            TextStyle::Colored => {
                let _ = writeln!(out, "{}", self.text(text_style));
            }
        }
    }

    /// Returns the line without a line break.
    pub fn text(&self, text_style: TextStyle) -> String {
        let mut out = String::new();
        for (style, text) in &self.pieces {
            let _ = match text_style {
                TextStyle::Plain => write!(out, "{text}"),
                TextStyle::Colored => write!(out, "{style}{text}{style:#}"),
            };
        }
        out
    }
}

/// Returns a style with foreground and background colors of the palette of 256.
pub(super) fn colored(ink: u8, ground: u8) -> Style {
    let color = |number| Some(Ansi256Color(number).into());
    Style::new().fg_color(color(ink)).bg_color(color(ground))
}

/// Returns a style with a foreground color of the palette of 256.
pub fn foreground(number: u8) -> Style {
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
/// Readable on black and on white.
pub const AZURE: u8 = 32;
pub(super) const PINK: u8 = 217;

/// The captured stones of each color, as they lie beside a board.
///
/// Their numbers are those of [`Game::captures`]. Their former colors follow from the moves; they
/// are unknown for stones captured before the starting position of a game of three or more players.
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
    /// By capturing color: the former colors of the stones, in the order of capture.
    stones: Vec<Vec<Option<Color>>>,
}

impl Prisoners {
    /// Returns the captured stones after all moves of a game. Empty in games without captures.
    pub fn of(game: &Game) -> Prisoners {
        let mut replay = game.replay();
        let mut prisoners = Prisoners::at_start(replay.position());
        while replay.next().is_some() {
            prisoners.follow(replay.position());
        }
        prisoners
    }

    /// Returns the captured stones of a starting position.
    pub fn at_start(game: &Game) -> Prisoners {
        let mut prisoners = Prisoners { stones: vec![Vec::new(); game.captures().len()] };
        prisoners.follow(game);
        prisoners
    }

    /// Updates the stones after a ply. Returns whether any were captured or returned.
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

    /// Returns the former colors of the stones that a color has captured, in the order of capture.
    /// `None` is unknown.
    pub fn of_color(&self, color: Color) -> &[Option<Color>] {
        self.stones.get(color.index()).map_or(&[], Vec::as_slice)
    }

    /// Iterates over the capturing colors.
    pub fn iter(&self) -> impl Iterator<Item = (Color, &[Option<Color>])> {
        (0..).map(Color).zip(self.stones.iter().map(Vec::as_slice))
    }
}

/// The position of a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorTarget {
    /// A cell of a board.
    Cell(Cell),
    /// A spot of a table.
    Spot(Spot),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line_keep_styles_and_the_cursor() {
        let mut line = StyledLine::plain("abc");
        line.mark_cursor();
        line.push(foreground(RED), "def");
        assert_eq!((line.width(), line.cursor()), (6, Some(3)));
        let part = line.crop(2, 3);
        assert_eq!((part.text(TextStyle::Plain).as_str(), part.cursor()), ("cde", Some(1)));
        assert_eq!(line.crop(4, 5).text(TextStyle::Plain), "ef   ");
        assert_eq!(line.crop(4, 5).cursor(), None);
        let mut joined = StyledLine::plain("x");
        joined.append(part);
        assert_eq!((joined.text(TextStyle::Plain).as_str(), joined.cursor()), ("xcde", Some(2)));
        assert!(joined.text(TextStyle::Colored).contains("\u{1b}[38;5;130mde\u{1b}[0m"));
    }
}
