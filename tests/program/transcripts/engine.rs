//! The real binary as a process: input by hand, output read by threads.

use super::script::line_matches;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long an answer may take to come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A running engine. It is killed when dropped.
pub(crate) struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
    /// All lines that were read.
    pub(crate) read: Vec<String>,
    /// How many of them were waited for.
    seen: usize,
}

/// The binary with these options, not yet started.
pub(crate) fn command(args: &[impl AsRef<str>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentarch"));
    command.args(args.iter().map(AsRef::as_ref)).env_remove("RUST_LOG");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Engine {
    /// Starts the binary.
    pub(crate) fn start(args: &[impl AsRef<str>]) -> Engine {
        let mut child = command(args).spawn().expect("the binary starts");
        let stdout = BufReader::new(child.stdout.take().expect("it has an output"));
        let mut stderr = child.stderr.take().expect("it has an error output");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8(line).expect("output is UTF-8");
                assert!(!line.contains('\r'), "output ends lines with LF: {line:?}");
                if sender.send(line.trim_end().to_owned()).is_err() {
                    return;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).expect("errors are UTF-8");
            text
        });
        let stdin = child.stdin.take();
        Engine { child, stdin, lines, errors: Some(errors), read: Vec::new(), seen: 0 }
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes. An engine that has ended does not hear them.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        match stdin.write_all(bytes).and_then(|()| stdin.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("sending: {error}"),
            _ => (),
        }
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The first line that matches among those not waited for yet.
    pub(crate) fn wait(&mut self, pattern: &str) -> Result<String, String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(line) = self.read.get(self.seen) {
                self.seen += 1;
                if line_matches(pattern, line) {
                    return Ok(line.clone());
                }
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.read.push(line),
                Err(RecvTimeoutError::Timeout) => return Err(format!("no `{pattern}` came")),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("the output ended without `{pattern}`"));
                }
            }
        }
    }

    /// Sends a GTP command and returns its answer.
    pub(crate) fn gtp(&mut self, line: &str) -> Result<String, String> {
        self.send(line);
        let from = self.seen;
        let last = self.wait("").unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(last, "");
        let answer = self.read[from..self.seen - 1].join("\n");
        match answer.strip_prefix("=") {
            Some(text) => Ok(text.trim_start_matches(' ').to_owned()),
            None => Err(answer),
        }
    }

    /// Ends the input.
    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }

    /// Waits for the process to end, after which all output is read.
    pub(crate) fn finish(mut self, deadline: Duration) -> Result<Finished, String> {
        self.close();
        let until = Instant::now() + deadline;
        let status = loop {
            match self.child.try_wait().expect("the process can be waited for") {
                Some(status) => break status,
                None if Instant::now() > until => {
                    let lines = self.read.len() + self.lines.try_iter().count();
                    let after = deadline.as_millis();
                    return Err(format!("alive {after} ms after end of input, {lines} lines read"));
                }
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        self.read.extend(self.lines.iter());
        let errors = self.errors.take().map(|thread| thread.join().expect("errors are UTF-8"));
        let lines = std::mem::take(&mut self.read);
        Ok(Finished { status, lines, errors: errors.unwrap_or_default() })
    }
}

/// What an engine leaves behind.
pub(crate) struct Finished {
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// Everything it wrote.
    pub(crate) lines: Vec<String>,
    /// Everything it wrote to standard error.
    pub(crate) errors: String,
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
