//! A tournament as one sees it on a terminal: the standing, the boards that are being played, and how
//! long it will take. Nothing of it is drawn where standard error is no terminal.

use super::play_match::progress_bar;
use super::progress;
use crate::arena::{Progress, Table, Watch};
use indicatif::{MultiProgress, ProgressBar};
use std::io;
use std::time::{Duration, Instant};

/// How often the table is worked out again: ratings take a while.
const EVERY: Duration = Duration::from_millis(250);

/// The lines at the foot of a terminal.
pub(super) struct Live {
    lines: MultiProgress,
    table: ProgressBar,
    boards: ProgressBar,
    bar: ProgressBar,
    watch: Watch,
    drawn: Option<Instant>,
}

impl Live {
    /// Nothing is played yet but `played` of that many games.
    pub(super) fn new(games: u32, played: usize, watch: Watch) -> Live {
        let lines = MultiProgress::new();
        let text = || ProgressBar::new_spinner().with_style(progress::style("{msg}"));
        let (table, boards) = (lines.add(text()), lines.add(text()));
        let bar = lines.add(progress_bar(games));
        bar.set_position(played as u64);
        // The time left is that of the games of this run.
        bar.reset_eta();
        Live { lines, table, boards, bar, watch, drawn: None }
    }

    /// A game has ended; `say` prints above the lines.
    pub(super) fn advance(
        &mut self,
        progress: &Progress<'_>,
        say: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.bar.inc(1);
        if !self.bar.is_hidden() && self.drawn.is_none_or(|at| at.elapsed() > EVERY) {
            let table =
                Table::new(progress.standing, Some(progress.games), progress.trial.as_ref());
            let text = table.to_string();
            let rows: Vec<&str> = text.lines().take(2 + table.engines.len()).collect();
            self.table.set_message(rows.join("\n"));
            self.boards.set_message(self.watch.lines().join("\n"));
            self.drawn = Some(Instant::now());
        }
        self.lines.suspend(say)
    }

    /// Takes the lines away.
    pub(super) fn end(self) {
        for line in [self.table, self.boards, self.bar] {
            line.finish_and_clear();
        }
    }
}
