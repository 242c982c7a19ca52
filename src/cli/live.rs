//! A tournament as one sees it on a terminal: the standing, the boards that are being played, and how
//! long it will take. Nothing of it is drawn where standard error is no terminal.

use super::board_part::part_of_board;
use super::play_match::progress_bar;
use super::progress;
use indicatif::{MultiProgress, ProgressBar};
use pentarch_arena::{Progress, Table, Watch, WatchedGame};
use std::fmt::Write as _;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often the boards are drawn.
const EVERY: Duration = Duration::from_millis(250);

/// The lines at the foot of a terminal.
pub(super) struct Live {
    lines: MultiProgress,
    table: ProgressBar,
    boards: ProgressBar,
    bar: ProgressBar,
    began: Instant,
    /// The time that tables took, which is kept to a twentieth of all: ratings of many take a while.
    spent: Duration,
    /// The thread that draws the boards, which ends when nobody can tell it more.
    drawing: Option<(Sender<usize>, JoinHandle<()>)>,
}

impl Live {
    /// Nothing is played yet but `played` of that many games.
    pub(super) fn new(games: u32, played: usize, watch: Watch) -> Live {
        let (lines, began) = (MultiProgress::new(), Instant::now());
        let text = || ProgressBar::new_spinner().with_style(progress::style("{msg}"));
        let (table, boards) = (lines.add(text()), lines.add(text()));
        let bar = lines.add(progress_bar(games));
        bar.set_position(played as u64);
        // The time left is that of the games of this run.
        bar.reset_eta();
        let drawing = (!bar.is_hidden()).then(|| draw_boards(boards.clone(), bar.clone(), watch));
        Live { lines, table, boards, bar, began, spent: Duration::ZERO, drawing: drawing.flatten() }
    }

    /// A game has ended; `say` prints above the lines.
    pub(super) fn advance(
        &mut self,
        progress: &Progress<'_>,
        say: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.bar.inc(1);
        if !self.bar.is_hidden() && 20 * self.spent <= self.began.elapsed() {
            let start = Instant::now();
            let (width, height) = terminal();
            let table =
                Table::new(progress.standing, Some(progress.games), progress.trial.as_ref());
            let text = table.to_string();
            // Of many engines the best. How many games there are says the bar.
            let rows = (1 + table.engines.len()).min(most_rows(height));
            let rows: Vec<&str> = text.lines().skip(1).take(rows).collect();
            let width = whole_columns(rows.first().unwrap_or(&""), width);
            let rows: Vec<String> = rows.iter().map(|row| cut(row, width)).collect();
            self.table.set_message(rows.join("\n"));
            if let Some((tell, _)) = &self.drawing {
                let _ = tell.send(rows.len());
            }
            self.spent += start.elapsed();
        }
        self.lines.suspend(say)
    }

    /// Takes the lines away.
    pub(super) fn end(self) {
        if let Some((tell, thread)) = self.drawing {
            drop(tell);
            let _ = thread.join();
        }
        for line in [self.table, self.boards, self.bar] {
            line.finish_and_clear();
        }
    }
}

/// Draws the games under way again and again, below a table of as many rows as it is told.
fn draw_boards(
    boards: ProgressBar,
    bar: ProgressBar,
    watch: Watch,
) -> Option<(Sender<usize>, JoinHandle<()>)> {
    watch.look_at_boards();
    let (tell, told) = mpsc::channel();
    let draw = move || {
        let mut rows = 0;
        loop {
            match told.recv_timeout(EVERY) {
                Ok(new) => rows = new,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let (width, height) = terminal();
            // Below the table stand the bar and an empty line of the last game's text.
            let room = height.saturating_sub(rows + 2);
            boards.set_message(boards_in(&watch.now(), width, room));
            bar.tick();
        }
    };
    let thread = thread::Builder::new().name("boards".to_owned()).spawn(draw).ok()?;
    Some((tell, thread))
}

/// How many rows of a table there may be on a terminal of that height, so that a board has room below:
/// what is left of a whole one, which with all that belongs to it has 28 lines, or a third.
fn most_rows(height: usize) -> usize {
    height.saturating_sub(28).max(height / 3).max(2)
}

/// The games in lines of text: as many as leave room for a board, then the boards of the first of them side
/// by side, each as much of it as there is room for.
fn boards_in(games: &[WatchedGame], width: usize, height: usize) -> String {
    let line = |game: &WatchedGame| cut(&format!("{}, {} moves", game.line, game.moves), width);
    let drawn = games.iter().map(|game| game.board.len()).max().unwrap_or(0);
    let most = height.saturating_sub(drawn).max(height / 4).max(1);
    let mut lines: Vec<String> = games.iter().take(most.min(height)).map(line).collect();
    let room = height.saturating_sub(lines.len());
    let (mut left, mut shown): (usize, Vec<Vec<String>>) = (width, Vec::new());
    for game in games {
        let board = part_of_board(&game.board, room);
        if !board.is_empty() && board_width(&board) <= left {
            left = left.saturating_sub(board_width(&board) + GAP);
            shown.push(board);
        }
    }
    let rows = shown.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..rows {
        let mut text = String::new();
        for board in &shown {
            let part = board.get(row).map_or("", String::as_str);
            let width = board_width(board) + GAP;
            let _ = write!(text, "{part:width$}");
        }
        lines.push(text.trim_end().to_owned());
    }
    lines.join("\n")
}

/// Columns between two boards.
const GAP: usize = 4;

fn board_width(board: &[String]) -> usize {
    board.iter().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// How much of a table fits, whose columns end where the words of its head do: half a number would be
/// another one.
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

/// The beginning of a line, so that it is one on the terminal.
fn cut(line: &str, width: usize) -> String {
    line.chars().take(width.max(1)).collect()
}

/// The columns and rows of the terminal.
fn terminal() -> (usize, usize) {
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(rustix::stdio::stderr())
        && size.ws_col > 0
    {
        return (size.ws_col.into(), size.ws_row.into());
    }
    (80, 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_where_there_is_room() {
        let game = |number: usize| WatchedGame {
            line: format!("game {number}"),
            moves: 3,
            board: vec!["ab".to_owned(), "c".to_owned()],
        };
        let games = [game(1), game(2)];
        let both = "game 1, 3 moves\ngame 2, 3 moves\nab    ab\nc     c";
        assert_eq!(boards_in(&games, 80, 4), both);
        let one = "game 1,\ngame 2,\nab\nc";
        assert_eq!(boards_in(&games, 7, 4), one, "two are too wide");
        assert_eq!(
            boards_in(&games, 80, 3),
            "game 1, 3 moves\nab    ab\nc     c",
            "lines make room"
        );
        assert_eq!(boards_in(&games, 80, 1), "game 1, 3 moves");
    }

    #[test]
    fn a_board_of_19_is_followed_on_a_small_terminal() {
        let mut game = pentarch_engine::Game::new("pente".parse().unwrap());
        for mv in ["j10", "k10", "n9"] {
            let mv = game.parse_move(mv).unwrap();
            game.play_move(mv).unwrap();
        }
        let drawing =
            pentarch_records::picture::PictureOptions { last_move: true, ..Default::default() };
        let board = drawing.text(&game);
        let board = board.lines().map(|line| line.trim_end().to_owned()).collect();
        let watched = WatchedGame { line: "game 1".to_owned(), moves: 3, board };
        // Below a table of five lines and above the bar, of two games at a time.
        let games = [watched.clone(), watched];
        let text = boards_in(&games, 80, 24 - 5 - 2);
        assert!(text.lines().count() <= 17, "{text}");
        for seen in ["  a b c", "(W)", "10 . .", "captured by: White 0, Black 0"] {
            assert!(text.contains(seen), "{seen} in\n{text}");
        }
        let rows = text.lines().filter(|line| line.contains(". . .")).count();
        assert!(rows >= 12, "{text}");
    }

    #[test]
    fn a_table_is_cut_between_columns() {
        let head = " engine   nodes/s  depth";
        let cases = [(80, 24), (24, 24), (23, 17), (17, 17), (16, 7), (3, 0)];
        for (width, fits) in cases {
            assert_eq!(whole_columns(head, width), fits, "{width}");
        }
    }
}
