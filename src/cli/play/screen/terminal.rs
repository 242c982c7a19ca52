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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use pty_process::blocking::{Command, open};
    use rustix::termios::tcgetattr;
    use std::env;
    use std::io::Read;

    #[test]
    #[ignore = "run by the next test, on a terminal of its own"]
    fn panics() {
        let mut terminal = Terminal::enter().unwrap();
        terminal.show(vec!["a board".to_owned()], (80, 24), Some((3, 3))).unwrap();
        panic!("for the test");
    }

    /// What a panic says can be read, and keys are echoed again.
    #[test]
    fn a_panic_gives_the_terminal_back() {
        let (mut pty, pts) = open().unwrap();
        let before = tcgetattr(&pty).unwrap().local_modes;
        let name = format!("{}::panics", module_path!().split_once("::").unwrap().1);
        let command = Command::new(env::current_exe().unwrap()).env("TERM", "xterm");
        let command = command.args([name.as_str(), "--exact", "--ignored", "--nocapture"]);
        let mut child = command.spawn(pts).unwrap();
        let mut seen = Vec::new();
        // At the end Linux has an error for those who read.
        let _ = pty.read_to_end(&mut seen);
        assert!(!child.wait().unwrap().success());
        let seen = String::from_utf8_lossy(&seen);
        let at =
            |text: &str| seen.find(text).unwrap_or_else(|| panic!("{text:?} is not in {seen}"));
        let (board, left) = (at("a board"), at("\u{1b}[?1049l"));
        assert!(at("\u{1b}[?1049h") < board && board < left && left < at("for the test"), "{seen}");
        assert!(seen[left..].contains("\u{1b}[?25h"), "the cursor is shown");
        assert_eq!(tcgetattr(&pty).unwrap().local_modes, before);
    }
}
