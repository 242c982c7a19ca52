//! The pipes of an engine: lines in and out, none of which can make the arena wait for ever.
//!
//! Where the system can wait for several pipes at a time, the thread of the game reads and writes
//! them itself: an exchange then wakes two threads, the engine's and its own, as few as there can
//! be. Elsewhere, one thread reads for it and one writes.

#[cfg(any(not(unix), test))]
mod line_queue;
#[cfg(unix)]
mod lookout;
#[cfg(unix)]
mod polled;
#[cfg(any(not(unix), test))]
mod threaded;

#[cfg(unix)]
pub(super) use polled::Pipes;
#[cfg(not(unix))]
pub(super) use threaded::Pipes;

use log::Level;
use pentarch_protocol::frame::Line;

/// What may wait to be read or to be written, in bytes.
const CAPACITY: usize = 1 << 20;

/// How much of a line goes to the log.
pub(super) const LOGGED: usize = 300;

/// Leaves out what is no text, with a word about the first line of each kind and one at the end
/// about the others.
#[derive(Debug)]
struct Sieve {
    label: String,
    /// Lines that are too long, and lines that are not UTF-8.
    left_out: [u64; 2],
    /// What is said later, while a clock runs.
    held: Option<Vec<(Level, String)>>,
}

/// How many lines are held for the log while a clock runs; more of them are not logged.
const HELD: usize = 1000;

const KINDS: [&str; 2] = ["of more than 1 MiB", "not in UTF-8"];

impl Sieve {
    fn new(label: &str) -> Sieve {
        Sieve { label: label.to_owned(), left_out: [0; 2], held: None }
    }

    /// The line, if it is text.
    fn text(&mut self, line: Line) -> Option<String> {
        let kind = match line {
            Line::Text(text) => {
                if log::log_enabled!(Level::Debug) {
                    self.log(Level::Debug, format!("{} > {text:.LOGGED$}", self.label));
                }
                return Some(text);
            }
            Line::TooLong => 0,
            Line::NotUtf8 => 1,
        };
        self.left_out[kind] += 1;
        if self.left_out[kind] == 1 {
            self.log(Level::Warn, format!("{} wrote a line {}, ignored", self.label, KINDS[kind]));
        }
        None
    }

    /// Says something, later if a clock runs: a log may be slow.
    fn log(&mut self, level: Level, text: String) {
        match &mut self.held {
            None => log::log!(level, "{text}"),
            Some(held) if held.len() < HELD => held.push((level, text)),
            Some(_) => {}
        }
    }

    /// A clock runs from now on.
    #[cfg(unix)]
    fn hold(&mut self) {
        self.held.get_or_insert_default();
    }

    /// No clock runs any more: says what was held.
    fn release(&mut self) {
        for (level, text) in self.held.take().unwrap_or_default() {
            log::log!(level, "{text}");
        }
    }
}

impl Drop for Sieve {
    fn drop(&mut self) {
        self.release();
        for (number, kind) in self.left_out.iter().zip(KINDS) {
            if *number > 1 {
                log::warn!("{} wrote {number} lines {kind}, all ignored", self.label);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::wait::{CancelToken, Missed};
    use std::io;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    fn shell(script: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    /// What holds of pipes however they are served.
    macro_rules! laws {
        ($kind:ident) => {
            mod $kind {
                use super::super::$kind::Pipes;
                use super::*;

                fn talk(script: &str) -> (Child, Pipes) {
                    let mut child = shell(script);
                    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
                    let pipes = Pipes::new(stdin.unwrap(), stdout.unwrap(), "it").unwrap();
                    (child, pipes)
                }

                #[test]
                fn more_than_the_system_holds_goes_through_both_ways() -> io::Result<()> {
                    let (mut child, mut pipes) = talk("exec cat");
                    let lines: Vec<String> = (0..9).map(|n| n.to_string().repeat(90_000)).collect();
                    for line in &lines {
                        pipes.send(line);
                    }
                    let token = CancelToken::default();
                    for line in &lines {
                        assert!(pipes.next(soon(), &token).unwrap().1 == *line);
                    }
                    pipes.send(&lines[1]);
                    pipes.close_input(Duration::from_secs(20));
                    assert!(pipes.next(soon(), &token).unwrap().1 == lines[1]);
                    assert_eq!(pipes.next(soon(), &token), Err(Missed::Closed));
                    child.wait().map(drop)
                }

                #[test]
                fn a_line_after_the_deadline_is_there_for_a_later_one() -> io::Result<()> {
                    let (mut child, mut pipes) = talk("read x; printf 'old\nhal'; read x; echo f");
                    let token = CancelToken::default();
                    let first = Instant::now() + Duration::from_millis(20);
                    assert_eq!(pipes.next(first, &token), Err(Missed::Deadline));
                    pipes.send("");
                    let (at, line) = pipes.next(soon(), &token).unwrap();
                    assert!(line == "old" && at > first && at <= Instant::now());
                    assert_eq!(pipes.next(first, &token), Err(Missed::Deadline));
                    pipes.send("");
                    assert_eq!(pipes.next(soon(), &token).unwrap().1, "half");
                    assert_eq!(pipes.next(soon(), &token), Err(Missed::Closed));
                    pipes.send("to nobody");
                    token.cancel();
                    assert_eq!(pipes.next(soon(), &token), Err(Missed::Canceled));
                    child.wait().map(drop)
                }

                #[test]
                fn a_flood_is_bounded_and_has_a_deadline() -> io::Result<()> {
                    let (mut child, mut pipes) = talk("exec yes 'info depth 1'");
                    let (start, token) = (Instant::now(), CancelToken::default());
                    let deadline = start + Duration::from_millis(30);
                    let end = loop {
                        match pipes.next(deadline, &token) {
                            Ok((at, _)) => assert!(at <= deadline),
                            Err(missed) => break missed,
                        }
                    };
                    assert_eq!(end, Missed::Deadline);
                    pipes.skip_pending();
                    assert!(pipes.next(soon(), &token).is_ok());
                    pipes.close();
                    // Nobody reads any more, and it is told so.
                    child.wait().map(drop)
                }

                #[test]
                fn what_nobody_reads_is_bounded() -> io::Result<()> {
                    let (mut child, mut pipes) = talk("exec sleep 60");
                    let line = "x".repeat(1 << 16);
                    (0..1000).for_each(|_| pipes.send(&line));
                    assert!(pipes.unsent() <= 2 * super::super::CAPACITY);
                    child.kill()?;
                    child.wait().map(drop)
                }
            }
        };
    }

    laws!(threaded);
    #[cfg(unix)]
    laws!(polled);
}
