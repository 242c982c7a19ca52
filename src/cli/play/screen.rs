//! The front end that uses the whole terminal: a board with a cursor, the status beside it, and a line to
//! type in.

use super::controller::GameController;
use super::stdout_look;
use super::terminal::{self, Terminal};
use super::text::{self, wrap};
use anstyle::Style;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use pentarch_core::game::{Cell, Move, MoveKind};
use pentarch_core::stacking::{FIRST_TILE_CORNER, OrientedTile, Spot};
use pentarch_engine::Game;
use pentarch_records::picture::{
    AZURE, BoardLayout, ColumnLetters, CursorTarget, GRAY, MarkedPoint, PictureOptions,
    PicturePoint, StyledLine, TextStyle, foreground, tile_spots,
};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The interval at which clocks and searches are checked.
const TICK: Duration = Duration::from_millis(50);
/// The interval at which running clocks and searches are drawn.
const REDRAW: Duration = Duration::from_millis(200);

/// Runs until a person quits, a signal asks the process to end, or the terminal is lost. Then prints the
/// status and a command that continues the game.
pub(super) fn run(controller: GameController) -> io::Result<()> {
    let terminated = termination_flag()?;
    let mut screen = Screen::new(controller, stdout_look());
    {
        let mut terminal = Terminal::enter()?;
        // Registers for changes of the size, which must happen before the first drawing.
        event::poll(Duration::ZERO)?;
        let mut drawn: Option<Instant> = None;
        while !screen.controller.has_quit && !terminated.load(Ordering::Relaxed) {
            let has_changed = screen.controller.tick(Duration::ZERO);
            let is_old =
                |drawn: Instant| screen.controller.is_running() && drawn.elapsed() >= REDRAW;
            if has_changed || drawn.is_none_or(is_old) {
                let size = Terminal::size()?;
                let frame = screen.frame(size);
                let lines = frame.lines.iter().map(|line| line.text(screen.look)).collect();
                terminal.show(lines, size, frame.cursor)?;
                drawn = Some(Instant::now());
            }
            if terminal::wait_for_input(TICK) {
                break;
            }
            while event::poll(Duration::ZERO)? {
                screen.handle(event::read()?);
                drawn = None;
            }
        }
    }
    print_farewell(&screen.controller, &mut io::stdout())
}

/// A flag that the signals set which ask a process to end. In raw mode Ctrl-C is a key, not a signal.
fn termination_flag() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    let signals = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
    #[cfg(not(unix))]
    let signals = [SIGINT, SIGTERM];
    for signal in signals {
        flag::register(signal, Arc::clone(&flag))?;
    }
    Ok(flag)
}

fn print_farewell(controller: &GameController, out: &mut impl Write) -> io::Result<()> {
    let (game, state) = (controller.game(), &controller.state);
    if state.played().is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", text::status(state))?;
    let moves: Vec<_> = game.moves().into_iter().map(|mv| game.move_text(mv)).collect();
    let (rules, start) = (game.rules(), state.start().text());
    let position = if start == Game::new(rules.clone()).text() {
        String::new()
    } else {
        format!(" --position '{start}'")
    };
    let moves = moves.join(" ");
    writeln!(out, "To continue: pentarch play --variant {rules}{position} --moves '{moves}'")
}

/// The state of the screen.
#[derive(Debug)]
struct Screen {
    controller: GameController,
    look: TextStyle,
    /// The line being typed.
    input: String,
    cursor: BoardCursor,
    tile: TileSelection,
    /// The index of the selected option of a question.
    selected: usize,
    page: Option<ScrolledPage>,
    /// The ruleset and the ply to which the cursor and the selection belong.
    position: (String, u32),
}

/// A page of text in place of the board.
#[derive(Debug)]
struct ScrolledPage {
    lines: Vec<String>,
    /// The first line that is shown.
    first: usize,
}

/// The longest line that can be typed; a path may be long.
const MAX_INPUT: usize = 400;

impl Screen {
    fn new(mut controller: GameController, look: TextStyle) -> Screen {
        controller.has_screen = true;
        let cursor = BoardCursor::new(controller.game());
        let mut screen = Screen {
            controller,
            look,
            input: String::new(),
            cursor,
            tile: TileSelection::default(),
            selected: 0,
            page: None,
            position: (String::new(), 0),
        };
        screen.update();
        screen
    }

    /// Adapts the cursor and the selections to the current position.
    fn update(&mut self) {
        let game = self.controller.game();
        let position = (game.rules().to_string(), game.ply());
        if position.0 != self.position.0 {
            self.cursor = BoardCursor::new(game);
        }
        if position != self.position {
            self.tile = TileSelection::default();
            self.selected = 0;
            self.position = position;
            // The tile of an engine may be outside the visible part of the table.
            let state = &self.controller.state;
            let last = state.played().last();
            let of_engine = last.filter(|played| !state.players()[played.seat.index()].is_person());
            let spots = of_engine.map_or(Vec::new(), |played| tile_spots(played.mv));
            if let Some(&spot) = spots.first() {
                self.cursor.at = CursorTarget::Spot(spot);
            }
        }
        if let Some(lines) = self.controller.page.take() {
            self.page = Some(ScrolledPage { lines, first: 0 });
        }
        self.selected = self.selected.min(self.option_count().saturating_sub(1));
    }

    /// The number of options of the open question.
    fn option_count(&self) -> usize {
        self.controller.question.as_ref().map_or(0, |question| question.options.len())
    }

    fn execute_line(&mut self, line: &str) {
        self.controller.execute_line(line);
        self.update();
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.handle_key(key),
            Event::Paste(text) => {
                let line = text.lines().next().unwrap_or_default();
                line.chars().for_each(|letter| self.type_letter(letter));
            }
            _ => (),
        }
        self.update();
    }

    fn handle_key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => self.controller.has_quit = true,
            _ if self.page.is_some() => self.handle_page_key(key.code),
            KeyCode::Char('z') if control => self.execute_line("undo"),
            KeyCode::Char('u') if control => self.input.clear(),
            KeyCode::Char(_) if control => (),
            KeyCode::F(1) => self.execute_line("help"),
            KeyCode::F(2) => self.execute_line("hint"),
            KeyCode::F(3) => self.execute_line("threats"),
            KeyCode::F(4) => self.execute_line("undo"),
            KeyCode::Char('?') if self.input.is_empty() => self.execute_line("help"),
            KeyCode::Char(' ') if self.input.is_empty() => self.play_at_cursor(false),
            KeyCode::Char(letter) => self.type_letter(letter),
            KeyCode::Backspace => drop(self.input.pop()),
            KeyCode::Tab => self.ask_at_cursor(),
            KeyCode::Enter => self.handle_enter(),
            KeyCode::Esc => self.handle_escape(),
            KeyCode::Up => self.handle_arrow(Direction::Up),
            KeyCode::Down => self.handle_arrow(Direction::Down),
            KeyCode::Left => self.handle_arrow(Direction::Left),
            KeyCode::Right => self.handle_arrow(Direction::Right),
            _ => (),
        }
    }

    fn type_letter(&mut self, letter: char) {
        if !letter.is_control() && self.input.chars().count() < MAX_INPUT {
            self.input.push(letter);
        }
    }

    /// Scrolls the page, or closes it.
    fn handle_page_key(&mut self, key: KeyCode) {
        let Some(page) = &mut self.page else { return };
        let last = page.lines.len().saturating_sub(1);
        match key {
            KeyCode::Up => page.first = page.first.saturating_sub(1),
            KeyCode::Down => page.first = (page.first + 1).min(last),
            KeyCode::PageUp => page.first = page.first.saturating_sub(10),
            KeyCode::PageDown => page.first = (page.first + 10).min(last),
            _ => self.page = None,
        }
    }

    fn handle_arrow(&mut self, direction: Direction) {
        let options = self.option_count();
        match direction {
            Direction::Up if options > 0 => self.selected = self.selected.saturating_sub(1),
            Direction::Down if options > 0 => {
                self.selected = (self.selected + 1).min(options - 1);
            }
            _ => self.cursor.step(self.controller.game(), direction),
        }
    }

    /// Clears the typed line; or else closes the question; or else clears the selected cells and the
    /// messages.
    fn handle_escape(&mut self) {
        if !self.input.is_empty() {
            self.input.clear();
        } else if self.controller.question.is_some() {
            self.controller.dismiss_question();
        } else {
            self.tile = TileSelection::default();
            self.controller.messages.clear();
        }
    }

    /// Executes the typed line; or else answers the question; or else stops or resumes the engine; or else
    /// plays at the cursor.
    fn handle_enter(&mut self) {
        if !self.input.is_empty() {
            let line = mem::take(&mut self.input);
            return self.execute_line(&line);
        }
        let question = self.controller.question.as_ref();
        if let Some(&(mv, _)) = question.and_then(|open| open.options.get(self.selected)) {
            self.controller.messages.clear();
            return self.controller.play_move_of_person(mv);
        }
        if self.controller.is_busy() || self.controller.is_paused {
            return self.controller.stop_or_resume();
        }
        self.play_at_cursor(true);
    }

    /// Plays at the cursor. For a tile, selects the cell, or with `complete` places the tile if the
    /// selection determines one.
    fn play_at_cursor(&mut self, complete: bool) {
        self.controller.messages.clear();
        match self.cursor.at {
            CursorTarget::Cell(cell) => self.controller.play_at(cell),
            CursorTarget::Spot(spot) => {
                let game = self.controller.game();
                match self.tile.move_text(game).filter(|_| complete) {
                    Some(text) => self.execute_line(&text),
                    None => self.tile.toggle(game, spot),
                }
            }
        }
    }

    /// Asks what to place at the cursor.
    fn ask_at_cursor(&mut self) {
        if let CursorTarget::Cell(cell) = self.cursor.at
            && !self.controller.is_busy()
            && !self.controller.game().is_choice()
        {
            self.controller.messages.clear();
            self.controller.ask_at(cell);
        }
    }

    /// Draws the screen.
    fn frame(&mut self, (columns, rows): (u16, u16)) -> ScreenFrame {
        self.update();
        let (width, height) = (usize::from(columns), usize::from(rows));
        if width < MIN_SIZE.0 || height < MIN_SIZE.1 {
            let text = format!("the window needs {}x{} characters", MIN_SIZE.0, MIN_SIZE.1);
            let lines = wrap(&text, width).into_iter().map(StyledLine::plain).collect();
            return ScreenFrame { lines, cursor: None };
        }
        if self.page.is_some() {
            return self.page_frame(width, height);
        }
        let board = self.board();
        let room = height - FOOTER;
        let board_width = board.iter().map(StyledLine::width).max().unwrap_or(0);
        // A wide board is cropped if the window has room for a status panel at all.
        let is_beside = width >= board_width + 1 + MIN_PANEL || width > 2 * MIN_PANEL;
        let mut lines = if is_beside {
            let most = width - 1 - MIN_PANEL;
            let (board, hidden) = cropped(&board, most.min(board_width), room);
            let shown = board.first().map_or(0, StyledLine::width);
            let panel = self.panel(width - shown - 1, room, hidden, true);
            side_by_side(board, panel, shown, room)
        } else {
            let board_rows = board.len().min(room - (room / 3).max(4));
            let (mut board, hidden) = cropped(&board, width.min(board_width), board_rows);
            let rest = room - board.len();
            board.extend(self.panel(width, rest, hidden, false));
            board
        };
        lines.resize(room, StyledLine::default());
        let on_board =
            lines.iter().zip(0..).find_map(|(line, row)| Some((line.cursor()? as u16, row)));
        let (prompt, column) = self.prompt(width);
        let is_typing = !self.input.is_empty() || self.controller.question.is_some();
        let cursor = match on_board {
            Some(at) if !is_typing => at,
            _ => (column as u16, room as u16),
        };
        lines.push(prompt);
        lines.push(self.key_line(width));
        ScreenFrame { lines, cursor: Some(cursor) }
    }

    /// The whole board.
    fn board(&self) -> Vec<StyledLine> {
        let (controller, game) = (&self.controller, self.controller.game());
        let legal: Vec<_> = if controller.waits_for_person() && game.stacking().is_none() {
            game.legal_moves().iter().filter_map(|mv| mv.cell()).collect()
        } else {
            Vec::new()
        };
        let hint = controller.hint.map_or(Vec::new(), |mv| MarkedPoint::of_move(mv, "?"));
        let drawing = PictureOptions {
            last_move: true,
            // If only one point is legal, nearly all points would be marked.
            illegal_points: legal.iter().any(|&cell| cell != legal[0]),
            threats: controller.shows_threats,
            marks: self.tile.marks().into_iter().chain(hint).collect(),
            ..PictureOptions::default()
        };
        drawing.board_lines(game, self.look, Some(self.cursor.at))
    }

    /// The panel beside the board, or below it, where the status comes before the players.
    fn panel(
        &self,
        width: usize,
        height: usize,
        hidden: Option<String>,
        is_beside: bool,
    ) -> Vec<StyledLine> {
        let (controller, game) = (&self.controller, self.controller.game());
        let title = format!("{}, ply {}", game.rules(), game.ply() + 1);
        let mut players = vec![StyledLine::styled(Style::new().bold(), title)];
        players.extend(text::player_lines(controller, self.look));
        let mut status = Vec::new();
        let mut push = |style: Style, text: &str| {
            status
                .extend(wrap(text, width).into_iter().map(|line| StyledLine::styled(style, line)));
        };
        if let Some(text) = text::search_progress(controller) {
            push(foreground(AZURE), &text);
        } else if controller.is_paused && controller.state.end().is_none() {
            push(foreground(AZURE), "The engines are paused; enter resumes them.");
        } else if controller.waits_for_person() && game.stacking().is_some() {
            push(foreground(AZURE), &self.tile.description(game));
        }
        status.extend(text::status_lines(controller, Some(self.selected), width));
        if let Some(hidden) = hidden {
            let lines = wrap(&hidden, width).into_iter();
            status.extend(lines.map(|line| StyledLine::styled(foreground(GRAY), line)));
        }
        let mut lines = if is_beside {
            players.into_iter().chain([StyledLine::default()]).chain(status).collect::<Vec<_>>()
        } else {
            status.into_iter().chain(players).collect()
        };
        lines.truncate(height);
        // The remaining rows show the last moves.
        let free = (height - lines.len()).saturating_sub(1);
        if free > 1 {
            lines.push(StyledLine::default());
            lines.extend(self.last_rounds(width, free - 1));
        }
        lines.into_iter().map(|line| line.crop(0, width)).collect()
    }

    /// The last moves, a line for each round.
    fn last_rounds(&self, width: usize, count: usize) -> Vec<StyledLine> {
        let (game, state) = (self.controller.game(), &self.controller.state);
        let texts: Vec<_> = state.played().iter().map(|played| game.move_text(played.mv)).collect();
        let round = if game.stacking().is_some() { 1 } else { usize::from(game.seats()) };
        let rounds: Vec<_> = (1..).zip(texts.chunks(round)).collect();
        let lines = rounds.iter().skip(rounds.len().saturating_sub(count));
        let line = |(number, moves): &(usize, &[String])| {
            let moves: Vec<_> = moves.iter().map(|text| format!("{text:<7}")).collect();
            gray_line(&format!("{number:>3}. {}", moves.join(" ")), width)
        };
        lines.map(line).collect()
    }

    /// The line to type in, and the column of its end.
    fn prompt(&self, width: usize) -> (StyledLine, usize) {
        let mut line = StyledLine::styled(Style::new().bold(), "> ");
        if self.input.is_empty() {
            let at = self.cursor.name(self.controller.game());
            let text = if self.controller.question.is_some() {
                "up, down and enter choose, or type".to_owned()
            } else if self.controller.waits_for_person() {
                format!("{at}: enter plays there, or type a move or a command")
            } else {
                format!("{at}: type a command")
            };
            line.append(gray_line(&text, width - 3));
            return (line, 2);
        }
        // The end of a long line is shown.
        let shown = width - 4;
        let skipped = self.input.chars().count().saturating_sub(shown);
        line.push(Style::new(), self.input.chars().skip(skipped).collect::<String>());
        let end = line.width();
        (line, end)
    }

    fn key_line(&self, width: usize) -> StyledLine {
        let text = if self.controller.is_busy() {
            "enter: move now   ctrl-Z: undo   F1: help   ctrl-C: leave"
        } else {
            "F1 help   F2 hint   F3 threats   F4 undo   save FILE   new GAME   ctrl-C leave"
        };
        gray_line(text, width)
    }

    fn page_frame(&mut self, width: usize, height: usize) -> ScreenFrame {
        let Some(page) = &mut self.page else {
            return ScreenFrame { lines: Vec::new(), cursor: None };
        };
        let all: Vec<String> = page.lines.iter().flat_map(|line| wrap(line, width)).collect();
        let room = height - 1;
        page.first = page.first.min(all.len().saturating_sub(room));
        let mut lines: Vec<StyledLine> =
            all.iter().skip(page.first).take(room).map(StyledLine::plain).collect();
        lines.resize(room, StyledLine::default());
        let keys = if all.len() > room {
            "up, down, page up, page down: scroll   any other key: back to the game"
        } else {
            "any key: back to the game"
        };
        lines.push(gray_line(keys, width));
        ScreenFrame { lines, cursor: None }
    }
}

/// The lines of the screen, and the column and row of its cursor.
#[derive(Debug)]
struct ScreenFrame {
    lines: Vec<StyledLine>,
    cursor: Option<(u16, u16)>,
}

/// The least width of the panel beside the board.
const MIN_PANEL: usize = 30;
/// The least columns and rows of the window.
const MIN_SIZE: (usize, usize) = (24, 10);
/// The rows below the board: the line to type in, the keys.
const FOOTER: usize = 2;

fn gray_line(text: &str, width: usize) -> StyledLine {
    StyledLine::styled(foreground(GRAY), text.chars().take(width).collect::<String>())
}

/// The part of a board around its cursor, and a text that names the directions of hidden parts.
fn cropped(board: &[StyledLine], width: usize, height: usize) -> (Vec<StyledLine>, Option<String>) {
    let board_width = board.iter().map(StyledLine::width).max().unwrap_or(0);
    let at = board.iter().enumerate().find_map(|(row, line)| Some((line.cursor()?, row)));
    let (column, row) = at.unwrap_or((board_width / 2, board.len() / 2));
    let first = |at: usize, room: usize, all: usize| {
        at.saturating_sub(room / 2).min(all.saturating_sub(room))
    };
    let (left, top) = (first(column, width, board_width), first(row, height, board.len()));
    let shown = board.iter().skip(top).take(height).map(|line| line.crop(left, width)).collect();
    let hidden = [
        (left > 0, "left"),
        (left + width < board_width, "right"),
        (top > 0, "above"),
        (top + height < board.len(), "below"),
    ];
    let hidden: Vec<_> = hidden.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
    let hidden =
        (!hidden.is_empty()).then(|| format!("The board continues: {}.", hidden.join(", ")));
    (shown, hidden)
}

/// Places lines of the width `width` to the left of others.
fn side_by_side(
    left: Vec<StyledLine>,
    right: Vec<StyledLine>,
    width: usize,
    rows: usize,
) -> Vec<StyledLine> {
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let row = |_| {
        let mut line = left.next().unwrap_or_default().crop(0, width);
        line.push(Style::new(), " ");
        line.append(right.next().unwrap_or_default());
        line
    };
    (0..rows).map(row).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// A cursor that the arrow keys move over the board.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BoardCursor {
    at: CursorTarget,
    /// The column that the cursor keeps when it moves up and down over shifted rows.
    column: f64,
}

impl BoardCursor {
    /// In the middle of the board, or where the first tile is placed.
    fn new(game: &Game) -> BoardCursor {
        if game.stacking().is_some() {
            return BoardCursor { at: CursorTarget::Spot(FIRST_TILE_CORNER), column: 0.0 };
        }
        let layout = BoardLayout::of(game, ColumnLetters::All);
        let ((left, top), (right, bottom)) = layout.bounds;
        let middle = (left.midpoint(right), top.midpoint(bottom));
        let distance = |point: PicturePoint| (point.0 - middle.0).hypot(point.1 - middle.1);
        let nearest = layout.cells.iter().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
        let (cell, at) = nearest.copied().unwrap_or((Cell(0), middle));
        BoardCursor { at: CursorTarget::Cell(cell), column: at.0 }
    }

    /// The name of the cell.
    fn name(self, game: &Game) -> String {
        match self.at {
            CursorTarget::Cell(cell) => game.cell_text(cell),
            CursorTarget::Spot(spot) => spot.to_string(),
        }
    }

    /// Moves one step, unless the cursor is at the edge.
    fn step(&mut self, game: &Game, direction: Direction) {
        match self.at {
            CursorTarget::Spot(spot) => {
                let (dx, dy) = match direction {
                    Direction::Left => (-1, 0),
                    Direction::Right => (1, 0),
                    Direction::Up => (0, 1),
                    Direction::Down => (0, -1),
                };
                let next = Spot::new(i32::from(spot.column) + dx, i32::from(spot.row) + dy);
                self.at = CursorTarget::Spot(next.unwrap_or(spot));
            }
            CursorTarget::Cell(cell) => {
                let layout = BoardLayout::of(game, ColumnLetters::All);
                if let Some((next, at)) = neighbor(&layout, cell, self.column, direction) {
                    self.at = CursorTarget::Cell(next);
                    if matches!(direction, Direction::Left | Direction::Right) {
                        self.column = at.0;
                    }
                }
            }
        }
    }
}

/// The next cell in a direction; up and down, the cell of the next row that is nearest to a column.
fn neighbor(
    layout: &BoardLayout,
    from: Cell,
    column: f64,
    direction: Direction,
) -> Option<(Cell, PicturePoint)> {
    let &(_, (x, y)) = layout.cells.iter().find(|&&(cell, _)| cell == from)?;
    let distance = |&&(_, (a, b)): &&(Cell, PicturePoint)| match direction {
        Direction::Left | Direction::Right => (a - x).abs(),
        // The nearest row comes before the nearest column.
        Direction::Up | Direction::Down => (b - y).abs() * 1000.0 + (a - column).abs(),
    };
    let is_candidate = |&&(_, (a, b)): &&(Cell, PicturePoint)| match direction {
        Direction::Left => a < x && (b - y).abs() < 0.1,
        Direction::Right => a > x && (b - y).abs() < 0.1,
        Direction::Up => b < y - 0.1,
        Direction::Down => b > y + 0.1,
    };
    let candidates = layout.cells.iter().filter(is_candidate);
    candidates.min_by(|a, b| distance(a).total_cmp(&distance(b))).copied()
}

/// The selected cells of a tile, and the legal tiles that contain them.
#[derive(Clone, Debug, Default)]
struct TileSelection {
    selected: Vec<Spot>,
    fitting: Vec<Move>,
}

impl TileSelection {
    /// Selects or deselects a cell.
    fn toggle(&mut self, game: &Game, spot: Spot) {
        match self.selected.iter().position(|&selected| selected == spot) {
            Some(index) => drop(self.selected.remove(index)),
            None if self.selected.len() < 5 => self.selected.push(spot),
            None => (),
        }
        self.fitting = game.legal_moves();
        self.fitting.retain(|&mv| {
            let spots = tile_spots(mv);
            self.selected.iter().all(|spot| spots.contains(spot))
        });
    }

    /// The text of the only move that fits, or of five selected cells.
    fn move_text(&self, game: &Game) -> Option<String> {
        match self.fitting.as_slice() {
            [mv] if !self.selected.is_empty() => Some(game.move_text(*mv)),
            _ if self.selected.len() == 5 => {
                let names: Vec<_> = self.selected.iter().map(Spot::to_string).collect();
                Some(names.join(","))
            }
            _ => None,
        }
    }

    /// The marks of the selected cells and of those that can be selected next.
    fn marks(&self) -> Vec<MarkedPoint> {
        let selected = self.selected.iter().map(|&spot| MarkedPoint::at_spot(spot, "#"));
        let mut next: BTreeSet<Spot> = BTreeSet::new();
        if !self.selected.is_empty() {
            next.extend(self.fitting.iter().flat_map(|&mv| tile_spots(mv)));
        }
        let next = next.iter().filter(|spot| !self.selected.contains(spot));
        selected.chain(next.map(|&spot| MarkedPoint::at_spot(spot, ""))).collect()
    }

    /// A sentence about the tiles that fit.
    fn description(&self, game: &Game) -> String {
        let shape = |mv: &Move| match mv.kind() {
            MoveKind::Tile(orientation, _) => Some(OrientedTile::of(orientation).shape.letter()),
            _ => None,
        };
        let shapes: BTreeSet<char> = self.fitting.iter().filter_map(shape).collect();
        let shapes: Vec<_> = shapes.iter().map(char::to_string).collect();
        let level = |mv| game.stacking().map_or(1, |position| position.level_of(mv));
        match (self.fitting.as_slice(), self.selected.len()) {
            (_, 0) => "Space selects the cells of a tile, enter places it.".to_owned(),
            ([], _) => "No legal tile has these cells.".to_owned(),
            ([mv], 5) => format!("Tile {} on level {}: enter places it.", shapes[0], level(*mv)),
            ([mv], _) => {
                format!("Only tile {} on level {} fits: enter places it.", shapes[0], level(*mv))
            }
            (tiles, selected) => {
                let (count, left) = (tiles.len(), 5 - selected);
                format!("{left} more cells; {count} tiles fit: {}.", shapes.join(" "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::controller::EngineSetup;
    use super::super::game::{GameState, LocalPlayer};
    use super::*;
    use pentarch_arena::TimeControl;
    use pentarch_engine::Options;

    /// A screen with a game between comma-separated players.
    fn screen(spec: &str, players: &str) -> Screen {
        let game = Game::new(spec.parse().unwrap());
        let players = LocalPlayer::parse_list(players, game.seats(), 1).unwrap();
        let state = GameState::new(&game, players, None);
        let options = Options { hash: 1, ..Options::default() };
        let setup = EngineSetup { level: 1, options, control: TimeControl::default() };
        Screen::new(GameController::new(state, setup), TextStyle::Plain)
    }

    /// Presses keys, which are written with their symbols; `<` is backspace and `␡` is Ctrl-U.
    fn press(screen: &mut Screen, keys: &str) {
        for key in keys.chars() {
            let (code, modifiers) = match key {
                '←' => (KeyCode::Left, KeyModifiers::NONE),
                '→' => (KeyCode::Right, KeyModifiers::NONE),
                '↑' => (KeyCode::Up, KeyModifiers::NONE),
                '↓' => (KeyCode::Down, KeyModifiers::NONE),
                '<' => (KeyCode::Backspace, KeyModifiers::NONE),
                '⏎' => (KeyCode::Enter, KeyModifiers::NONE),
                '⎋' => (KeyCode::Esc, KeyModifiers::NONE),
                '⇥' => (KeyCode::Tab, KeyModifiers::NONE),
                '␡' => (KeyCode::Char('u'), KeyModifiers::CONTROL),
                letter => (KeyCode::Char(letter), KeyModifiers::NONE),
            };
            screen.handle(Event::Key(KeyEvent::new(code, modifiers)));
        }
    }

    fn moves(screen: &Screen) -> String {
        let game = screen.controller.game();
        game.moves().into_iter().map(|mv| game.move_text(mv) + " ").collect()
    }

    #[test]
    fn moves_are_played_at_the_cursor_or_typed() {
        let mut screen = screen("gomoku", "Ann,Bob");
        press(&mut screen, "⏎→→↑⏎");
        assert_eq!(moves(&screen), "h8 j9 ");
        // A typed line has precedence over the cursor.
        press(&mut screen, "a12<⏎");
        assert_eq!(moves(&screen), "h8 j9 a1 ");
        press(&mut screen, "b2⎋c3␡d4");
        assert_eq!(screen.input, "d4");
        screen.handle(Event::Paste("5\nquit".to_owned()));
        assert_eq!((screen.input.as_str(), screen.controller.has_quit), ("d45", false));
    }

    #[test]
    fn questions_are_answered_with_the_arrows() {
        let mut swap = screen("swap2-pente", "Ann,Bob");
        press(&mut swap, "j10⏎k10⏎a1⏎");
        assert_eq!(swap.controller.question.as_ref().unwrap().options.len(), 3);
        press(&mut swap, "↑↓↓↓↓");
        assert_eq!(swap.selected, 2, "the last one");
        press(&mut swap, "↑⏎");
        assert_eq!(moves(&swap), "j10 k10 a1 keep ");
        // Tab asks what to place.
        let mut bombs = screen("atomic-pente", "Ann,Bob");
        press(&mut bombs, "⏎→⏎→⇥");
        assert!(bombs.controller.question.is_some());
        press(&mut bombs, "⎋");
        assert!(bombs.controller.question.is_none());
    }

    #[test]
    fn a_page_is_scrolled_and_closed() {
        let mut screen = screen("pente", "Ann,Bob");
        press(&mut screen, "?↓↓↑");
        assert_eq!(screen.page.as_ref().unwrap().first, 1);
        press(&mut screen, "q");
        assert!(screen.page.is_none() && screen.input.is_empty());
    }

    #[test]
    fn frames_fit_windows_of_any_size() {
        for (spec, players) in [
            ("pente", "Ann,Bob"),
            ("pente-4", "Ann,Bob,Cid,Somebody with a name"),
            ("d-pente", "Ann,Bob"),
            ("pentalath", "Ann,Bob"),
            ("pent-up", "Ann,Bob"),
        ] {
            let mut screen = screen(spec, players);
            for line in ["j10", "k10", "l11", "m12", "nonsense and more of it, far too much of it"]
            {
                screen.execute_line(line);
            }
            for size @ (columns, rows) in
                [(1, 1), (24, 10), (40, 12), (60, 20), (80, 24), (200, 60)]
            {
                for is_page in [false, true] {
                    let lines = vec!["word ".repeat(40); 30];
                    screen.page = is_page.then_some(ScrolledPage { lines, first: 29 });
                    let frame = screen.frame(size);
                    let widest = frame.lines.iter().map(StyledLine::width).max().unwrap_or(0);
                    assert!(widest <= columns.into(), "{spec} {size:?}: {widest}");
                    assert!(
                        columns == 1 || frame.lines.len() == usize::from(rows),
                        "{spec} {size:?}"
                    );
                    let is_inside =
                        frame.cursor.is_none_or(|(column, row)| column < columns && row < rows);
                    assert!(is_inside, "{spec} {size:?}: {:?}", frame.cursor);
                }
            }
        }
    }

    #[test]
    fn a_board_that_does_not_fit_is_cropped_around_the_cursor() {
        let mut screen = screen("pente", "Ann,Bob");
        let text = |screen: &mut Screen| {
            let frame = screen.frame((60, 14));
            frame.lines.iter().map(|line| line.text(TextStyle::Plain) + "\n").collect::<String>()
        };
        let first = text(&mut screen);
        assert!(first.contains("The board continues") && first.contains("[.]"), "{first}");
        for _ in 0..9 {
            screen.cursor.step(screen.controller.game(), Direction::Up);
        }
        assert!(text(&mut screen).contains(" 19 . . . . . . . . .[.]"));
    }

    /// The name of the cell after steps: l, r, u, d.
    fn cell_after(spec: &str, steps: &str) -> String {
        let game = Game::new(spec.parse().unwrap());
        let mut cursor = BoardCursor::new(&game);
        for letter in steps.chars() {
            let direction = match letter {
                'l' => Direction::Left,
                'r' => Direction::Right,
                'u' => Direction::Up,
                _ => Direction::Down,
            };
            cursor.step(&game, direction);
        }
        cursor.name(&game)
    }

    #[test]
    fn the_cursor_starts_in_the_middle_and_stops_at_the_edge() {
        for (spec, steps, name) in [
            ("pente", "", "j10"),
            ("pente", "urdl", "j10"),
            ("pente", "uuurr", "l13"),
            ("gomoku+size=5x5", "llllllddddd", "a1"),
            ("pent-up", "ur", "ch86"),
            ("yavalath", "", "e5"),
        ] {
            assert_eq!(cell_after(spec, steps), name, "{spec} {steps}");
        }
    }

    #[test]
    fn the_cursor_keeps_its_column_on_hexagons() {
        assert_eq!(cell_after("yavalath", "ud"), "e5");
        assert_eq!(cell_after("yavalath", "uudd"), "e5");
        assert_eq!(cell_after("yavalath", "uuuuu").chars().next(), Some('i'));
        assert_eq!(cell_after("yavalath", "lllllll"), "e1");
    }

    #[test]
    fn selected_cells_become_a_tile() {
        let mut game = Game::new("pent-up".parse().unwrap());
        game.play("cg85,cg86,cg87,cg88,cg89").unwrap();
        let mut selection = TileSelection::default();
        let toggle = |selection: &mut TileSelection, text: &str| {
            selection.toggle(&game, text.parse().unwrap());
        };
        for text in ["ch85", "ch86", "ch87"] {
            toggle(&mut selection, text);
        }
        assert_eq!(selection.move_text(&game), None);
        let description = selection.description(&game);
        assert!(description.starts_with("2 more cells; "), "{description}");
        assert!(selection.marks().len() > 3 + 5);
        for text in ["ch88", "ch89"] {
            toggle(&mut selection, text);
        }
        assert_eq!(selection.move_text(&game).as_deref(), Some("ch85,ch86,ch87,ch88,ch89"));
        assert_eq!(selection.description(&game), "Tile I on level 1: enter places it.");
        toggle(&mut selection, "ci85");
        assert_eq!(selection.marks().len(), 5, "a tile has five cells");
        toggle(&mut selection, "ch89");
        toggle(&mut selection, "cg89");
        assert_eq!(selection.description(&game), "No legal tile has these cells.");
        assert!(game.play(&selection.move_text(&game).unwrap()).is_err());
    }
}
