//! The live display of a tournament at the bottom of a terminal: the standing, the boards of running games
//! and a progress bar. Hidden if standard error is no terminal.

use super::io::progress_style;
use super::play_match::game_progress_bar;
use indicatif::{MultiProgress, ProgressBar};
use pentarch_arena::{FinishedGame, LiveGameView, LiveView, StandingsTable};
use std::fmt::Write as _;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The interval between two drawings of the boards.
const BOARD_INTERVAL: Duration = Duration::from_millis(250);

pub(super) struct LiveDisplay {
    lines: MultiProgress,
    table: ProgressBar,
    boards: ProgressBar,
    bar: ProgressBar,
    started: Instant,
    /// The time spent on tables, which is limited to a twentieth of the total: ratings of many engines
    /// take long.
    table_time: Duration,
    board_thread: Option<BoardThread>,
}

/// The thread that draws the boards. It ends when the sender is dropped.
struct BoardThread {
    /// Sends the number of rows of the table above the boards.
    table_rows: Sender<usize>,
    thread: JoinHandle<()>,
}

impl LiveDisplay {
    /// Starts the display of a tournament of `games` games, of which `played` are already played.
    pub(super) fn new(games: u32, played: usize, live_view: LiveView) -> LiveDisplay {
        let (lines, started) = (MultiProgress::new(), Instant::now());
        let text = || ProgressBar::new_spinner().with_style(progress_style("{msg}"));
        let (table, boards) = (lines.add(text()), lines.add(text()));
        let bar = lines.add(game_progress_bar(games));
        bar.set_position(played as u64);
        // The estimated time depends on the games of this run only.
        bar.reset_eta();
        let board_thread = if bar.is_hidden() {
            None
        } else {
            BoardThread::start(boards.clone(), bar.clone(), live_view)
        };
        let table_time = Duration::ZERO;
        LiveDisplay { lines, table, boards, bar, started, table_time, board_thread }
    }

    /// Updates the display after a game. `print` prints above the display.
    pub(super) fn game_ended(
        &mut self,
        progress: &FinishedGame<'_>,
        print: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.bar.inc(1);
        if !self.bar.is_hidden() && 20 * self.table_time <= self.started.elapsed() {
            let start = Instant::now();
            let (width, height) = terminal_size();
            let table =
                StandingsTable::new(progress.results, Some(progress.games), progress.sprt.as_ref());
            let text = table.to_string();
            // The first line has the number of games, which the bar shows. If there are too many engines,
            // the best are shown.
            let rows = (1 + table.engines.len()).min(max_table_rows(height));
            let rows: Vec<&str> = text.lines().skip(1).take(rows).collect();
            let width = whole_columns(rows.first().unwrap_or(&""), width);
            let rows: Vec<String> = rows.iter().map(|row| truncated(row, width)).collect();
            self.table.set_message(rows.join("\n"));
            if let Some(boards) = &self.board_thread {
                let _ = boards.table_rows.send(rows.len());
            }
            self.table_time += start.elapsed();
        }
        self.lines.suspend(print)
    }

    /// Removes the display.
    pub(super) fn end(self) {
        if let Some(BoardThread { table_rows, thread }) = self.board_thread {
            drop(table_rows);
            let _ = thread.join();
        }
        for line in [self.table, self.boards, self.bar] {
            line.finish_and_clear();
        }
    }
}

impl BoardThread {
    /// `None` if the thread cannot be started.
    fn start(boards: ProgressBar, bar: ProgressBar, live_view: LiveView) -> Option<BoardThread> {
        live_view.draw_boards();
        let (table_rows, updates) = mpsc::channel();
        let draw = move || {
            let mut rows = 0;
            loop {
                match updates.recv_timeout(BOARD_INTERVAL) {
                    Ok(new) => rows = new,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                let (width, height) = terminal_size();
                // Two lines are left for the bar and the empty line after the last game's text.
                let room = height.saturating_sub(rows + 2);
                boards.set_message(boards_text(&live_view.games(), width, room));
                bar.tick();
            }
        };
        let thread = thread::Builder::new().name("boards".to_owned()).spawn(draw).ok()?;
        Some(BoardThread { table_rows, thread })
    }
}

/// The greatest number of table rows on a terminal of this height. Leaves room for a board, which takes 28
/// lines with its captions, but uses at least a third of the height.
fn max_table_rows(height: usize) -> usize {
    height.saturating_sub(28).max(height / 3).max(2)
}

/// A line for each game that fits, then the boards of the first games side by side, cropped to the height.
fn boards_text(games: &[LiveGameView], width: usize, height: usize) -> String {
    let line =
        |game: &LiveGameView| truncated(&format!("{}, {} moves", game.line, game.moves), width);
    let board_height = games.iter().map(|game| game.board.len()).max().unwrap_or(0);
    let max_lines = height.saturating_sub(board_height).max(height / 4).max(1);
    let mut lines: Vec<String> = games.iter().take(max_lines.min(height)).map(line).collect();
    let room = height.saturating_sub(lines.len());
    let (mut left, mut shown): (usize, Vec<Vec<String>>) = (width, Vec::new());
    for game in games {
        let board = cropped_board(&game.board, room);
        if !board.is_empty() && board_width(&board) <= left {
            left = left.saturating_sub(board_width(&board) + BOARD_GAP);
            shown.push(board);
        }
    }
    let rows = shown.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..rows {
        let mut text = String::new();
        for board in &shown {
            let part = board.get(row).map_or("", String::as_str);
            let width = board_width(board) + BOARD_GAP;
            let _ = write!(text, "{part:width$}");
        }
        lines.push(text.trim_end().to_owned());
    }
    lines.join("\n")
}

/// The number of columns between two boards.
const BOARD_GAP: usize = 4;

fn board_width(board: &[String]) -> usize {
    board.iter().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// The width of the columns of a table that fit into `width`. A column ends where a word of the head
/// ends; a truncated column would show a wrong number.
fn whole_columns(head: &str, width: usize) -> usize {
    let mut letters = head.chars().chain([' ']).enumerate().peekable();
    let mut fits = 0;
    while let Some((column, letter)) = letters.next() {
        let ends = letter != ' ' && letters.peek().is_some_and(|&(_, next)| next == ' ');
        if ends && column < width {
            fits = column + 1;
        }
    }
    fits
}

fn truncated(line: &str, width: usize) -> String {
    line.chars().take(width.max(1)).collect()
}

/// The columns and rows of the terminal, or 80 and 24 if they are unknown.
fn terminal_size() -> (usize, usize) {
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(rustix::stdio::stderr())
        && size.ws_col > 0
    {
        return (size.ws_col.into(), size.ws_row.into());
    }
    (80, 24)
}

/// The least number of rows of a cropped board.
const MIN_ROWS: usize = 5;

/// Crops a text board to `room` lines; empty if too few rows would be left. First omits the column names
/// below the board, then the lines below them, of which the last says whose turn it is, then rows far from
/// the last move, which is in parentheses.
fn cropped_board(board: &[String], room: usize) -> Vec<String> {
    if board.len() <= room {
        return board.to_vec();
    }
    let header = board.first().filter(|line| !line.trim().is_empty());
    let footer = board.iter().skip(1).position(|line| Some(line) == header);
    let (Some(header), Some(rows)) = (header, footer) else {
        // A board without column names, such as a board of hexagons, begins with its rows.
        let rows = board.len().min(room);
        return if rows < MIN_ROWS { Vec::new() } else { board[..rows].to_vec() };
    };
    let (rows, below) = (&board[1..=rows], &board[rows + 2..]);
    if room < 1 + MIN_ROWS {
        return Vec::new();
    }
    // The first line below the board has the captured stones, if the game has captures.
    let spare = room.saturating_sub(1 + rows.len());
    let kept = spare.max(usize::from(below.len() > 1 && room > 1 + MIN_ROWS)).min(below.len());
    let shown = row_window(rows, room - 1 - kept);
    [header].into_iter().chain(shown).chain(&below[..kept]).cloned().collect()
}

/// The window of `size` rows that contains the last move and the most stones.
fn row_window(rows: &[String], size: usize) -> &[String] {
    let size = size.min(rows.len());
    let last = rows.iter().position(|row| row.contains('(')).unwrap_or(rows.len() / 2);
    let stones = |start: usize| -> usize {
        rows[start..start + size].iter().map(|row| stone_count(row)).sum()
    };
    // With equal numbers of stones, the last move should be far from the edge of the window.
    let margin = |start: usize| (last - start).min(start + size - 1 - last);
    let starts = (0..=rows.len() - size).filter(|&start| (start..start + size).contains(&last));
    let start = starts.max_by_key(|&start| (stones(start), margin(start))).unwrap_or(0);
    &rows[start..start + size]
}

/// The number of stones in a row, which also has dots and row numbers.
fn stone_count(row: &str) -> usize {
    row.chars().filter(|letter| letter.is_alphabetic()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_shown_if_there_is_room() {
        let game = |number: usize| LiveGameView {
            line: format!("game {number}"),
            moves: 3,
            board: vec!["ab".to_owned(), "c".to_owned()],
        };
        let games = [game(1), game(2)];
        let both = "game 1, 3 moves\ngame 2, 3 moves\nab    ab\nc     c";
        assert_eq!(boards_text(&games, 80, 4), both);
        let one = "game 1,\ngame 2,\nab\nc";
        assert_eq!(boards_text(&games, 7, 4), one, "two are too wide");
        let fewer_lines = "game 1, 3 moves\nab    ab\nc     c";
        assert_eq!(boards_text(&games, 80, 3), fewer_lines, "boards come before lines");
        assert_eq!(boards_text(&games, 80, 1), "game 1, 3 moves");
    }

    #[test]
    fn a_board_of_19_is_cropped_on_a_small_terminal() {
        let mut game = pentarch_engine::Game::new("pente".parse().unwrap());
        for mv in ["j10", "k10", "n9"] {
            let mv = game.parse_move(mv).unwrap();
            game.play_move(mv).unwrap();
        }
        let drawing =
            pentarch_records::picture::PictureOptions { last_move: true, ..Default::default() };
        let board = drawing.text(&game);
        let board = board.lines().map(|line| line.trim_end().to_owned()).collect();
        let watched = LiveGameView { line: "game 1".to_owned(), moves: 3, board };
        // Two concurrent games, with a table of five lines above and the bar below.
        let games = [watched.clone(), watched];
        let text = boards_text(&games, 80, 24 - 5 - 2);
        assert!(text.lines().count() <= 17, "{text}");
        for seen in ["  a b c", "(W)", "10 . .", "captured by: White 0, Black 0"] {
            assert!(text.contains(seen), "{seen} in\n{text}");
        }
        let rows = text.lines().filter(|line| line.contains(". . .")).count();
        assert!(rows >= 12, "{text}");
    }

    #[test]
    fn a_table_is_truncated_between_columns() {
        let head = " engine   nodes/s  depth";
        let cases = [(80, 24), (24, 24), (23, 17), (17, 17), (16, 7), (3, 0)];
        for (width, fits) in cases {
            assert_eq!(whole_columns(head, width), fits, "{width}");
        }
    }

    /// A board whose rows are numbered from 10 at the top, with the last move in one row and stones in
    /// others.
    fn board(last: usize, stones: &[usize]) -> Vec<String> {
        let row = |number: usize| match number {
            number if number == last => format!("{number} .(W).{number}"),
            number if stones.contains(&number) => format!("{number} . B .{number}"),
            number => format!("{number} . . .{number}"),
        };
        let names = ["   a b c".to_owned()];
        let below = ["captured by: White 0, Black 2".to_owned(), "White to move".to_owned()];
        names.iter().cloned().chain((10..29).map(row)).chain(names.clone()).chain(below).collect()
    }

    /// The rows of a cropped board, and the number of lines below them.
    fn cropped(last: usize, stones: &[usize], room: usize) -> (Vec<usize>, usize) {
        let part = cropped_board(&board(last, stones), room);
        assert!(part.len() <= room && part.iter().take(1).all(|line| line == "   a b c"));
        let rows = part.iter().filter_map(|line| line.get(..2)?.parse().ok());
        let below = part.iter().filter(|line| line.contains(' ') && line.len() > 12).count();
        (rows.collect(), below)
    }

    #[test]
    fn rows_far_from_the_last_move_are_omitted() {
        assert_eq!(cropped(20, &[], 23), ((10..29).collect(), 2), "the whole board");
        assert_eq!(cropped(20, &[], 22), ((10..29).collect(), 2), "without the lower names");
        assert_eq!(cropped(20, &[], 21), ((10..29).collect(), 1));
        assert_eq!(cropped(20, &[], 20), ((11..29).collect(), 1), "captures precede a row");
        assert_eq!(cropped(20, &[], 9), ((17..24).collect(), 1));
        assert_eq!(
            cropped(20, &[17, 18, 14], 9),
            ((14..21).collect(), 1),
            "stones precede the middle"
        );
        assert_eq!(cropped(28, &[], 9), ((22..29).collect(), 1));
        assert_eq!(cropped(20, &[], 6), ((18..23).collect(), 0));
        assert_eq!(cropped(20, &[], 5), (Vec::new(), 0));
    }
}
