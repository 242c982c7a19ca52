//! The terminal while a screen has it, and how it is given back whatever happens.

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::{Attribute, SetAttribute};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{execute, queue};
#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, Write};
use std::panic;
use std::sync::Once;
use std::time::Duration;

/// The terminal in raw mode with a screen of its own. Dropping it, or a panic, gives it back; a
/// release build aborts on a panic, but its hooks still run.
#[derive(Debug)]
pub(super) struct Terminal {
    /// The lines that are shown.
    shown: Vec<String>,
    size: (u16, u16),
}

impl Terminal {
    pub(super) fn enter() -> io::Result<Terminal> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let usual = panic::take_hook();
            panic::set_hook(Box::new(move |about| {
                give_back();
                usual(about);
            }));
        });
        terminal::enable_raw_mode()?;
        // From here on it is given back when dropped.
        let terminal = Terminal { shown: Vec::new(), size: (0, 0) };
        execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        Ok(terminal)
    }

    /// The columns and rows.
    pub(super) fn size() -> io::Result<(u16, u16)> {
        terminal::size()
    }

    /// Shows lines, of which only those that have changed are written, and the cursor.
    pub(super) fn show(
        &mut self,
        lines: Vec<String>,
        size: (u16, u16),
        cursor: Option<(u16, u16)>,
    ) -> io::Result<()> {
        let mut out = io::stdout().lock();
        queue!(out, BeginSynchronizedUpdate, Hide)?;
        if self.size != size {
            self.shown.clear();
            self.size = size;
            queue!(out, Clear(ClearType::All))?;
        }
        for (row, line) in lines.iter().enumerate().take(size.1.into()) {
            if self.shown.get(row) != Some(line) {
                queue!(out, MoveTo(0, row as u16), SetAttribute(Attribute::Reset))?;
                write!(out, "{line}")?;
                queue!(out, SetAttribute(Attribute::Reset), Clear(ClearType::UntilNewLine))?;
            }
        }
        if let Some((column, row)) = cursor {
            queue!(out, MoveTo(column, row), Show)?;
        }
        queue!(out, EndSynchronizedUpdate)?;
        self.shown = lines;
        out.flush()
    }
}

/// Waits for keys. Whether the terminal is gone: crossterm would then look for keys for ever, and never
/// come back to where signals are heard.
#[cfg(unix)]
pub(super) fn wait_for_keys(time: Duration) -> bool {
    let stdin = io::stdin();
    let mut keys = [PollFd::new(&stdin, PollFlags::IN)];
    // A signal, such as that of a new size, may cut the wait short.
    let _ = poll(&mut keys, Timespec::try_from(time).ok().as_ref());
    keys[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
}

/// Waits for keys. Whether the terminal is gone, of which nothing is known here.
#[cfg(not(unix))]
pub(super) fn wait_for_keys(time: Duration) -> bool {
    crossterm::event::poll(time).is_err()
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// Leaves the terminal as it was. What cannot be done is left undone: there is nobody to be told.
fn give_back() {
    let mut out = io::stdout();
    let _ = execute!(
        out,
        EndSynchronizedUpdate,
        SetAttribute(Attribute::Reset),
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    let _ = terminal::disable_raw_mode();
}
