//! Raw mode, the alternate screen and differential output of the terminal, which is restored on every exit.

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

/// The terminal in raw mode with the alternate screen. Restored when dropped, and by the panic hook: a
/// release build aborts on a panic without dropping.
#[derive(Debug)]
pub(super) struct Terminal {
    /// The lines on the terminal.
    shown: Vec<String>,
    size: (u16, u16),
}

impl Terminal {
    pub(super) fn enter() -> io::Result<Terminal> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let default_hook = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                restore();
                default_hook(info);
            }));
        });
        terminal::enable_raw_mode()?;
        // Created before the next call, which may fail, so that its drop restores the terminal.
        let terminal = Terminal { shown: Vec::new(), size: (0, 0) };
        execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        Ok(terminal)
    }

    /// The columns and rows.
    pub(super) fn size() -> io::Result<(u16, u16)> {
        terminal::size()
    }

    /// Shows lines and the cursor. Writes only lines that have changed.
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

/// Waits for input. Returns whether the terminal is gone: `crossterm` would then wait forever, without
/// checking for signals.
#[cfg(unix)]
pub(super) fn wait_for_input(time: Duration) -> bool {
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    // A signal, such as that of a new size, may interrupt the wait.
    let _ = poll(&mut fds, Timespec::try_from(time).ok().as_ref());
    fds[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
}

/// Waits for input. Returns whether reading fails.
#[cfg(not(unix))]
pub(super) fn wait_for_input(time: Duration) -> bool {
    crossterm::event::poll(time).is_err()
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal. Ignores errors, since there is no terminal to print them to.
fn restore() {
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
    #[ignore = "run by the next test, in a pseudo-terminal"]
    fn panics() {
        let mut terminal = Terminal::enter().unwrap();
        terminal.show(vec!["a board".to_owned()], (80, 24), Some((3, 3))).unwrap();
        panic!("for the test");
    }

    /// The message of a panic is visible, and keys are echoed again.
    #[test]
    fn a_panic_restores_the_terminal() {
        let (mut pty, pts) = open().unwrap();
        let before = tcgetattr(&pty).unwrap().local_modes;
        let name = format!("{}::panics", module_path!().split_once("::").unwrap().1);
        let command = Command::new(env::current_exe().unwrap()).env("TERM", "xterm");
        let command = command.args([name.as_str(), "--exact", "--ignored", "--nocapture"]);
        let mut child = command.spawn(pts).unwrap();
        let mut seen = Vec::new();
        // On Linux, reading a closed pseudo-terminal is an error.
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
