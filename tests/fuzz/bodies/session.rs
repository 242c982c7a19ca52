//! Any bytes as a session: it never panics, answers what is asked after them with a position that
//! can be set up, and ends with its input.

use pentarch::engine::{Game, Options};
use pentarch::session::{self, SessionConfig};
use pentarch_protocol::Dialect;
use pentarch_protocol::gomocup::Coordinates;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(50);

/// How often an unanswered question is asked again: during a search it may be refused.
const AGAIN: Duration = Duration::from_millis(20);

/// Sends the bytes to a session and asks for the position after them.
pub(crate) fn session(dialect: Dialect, bytes: &[u8]) {
    let (input, lines) = channel();
    let output = Output::default();
    let wire = Wire { lines, rest: Vec::new() };
    let sink = output.clone();
    let run = move || session::run(wire, sink, Some(dialect), preferences());
    let running = thread::spawn(run);
    let _ = input.send([tame(dialect, bytes).as_slice(), b"\n"].concat());
    if let Answered::Position(rules, position) = ask(dialect, &input, &output, &running) {
        let start = Game::new(ours(dialect, &rules).parse().expect("the name of a game"));
        let game = start.with_text(&position);
        let game = game.unwrap_or_else(|error| panic!("{rules}, {position}: {error}"));
        assert_eq!(game.text(), position, "{rules}");
    }
    let _ = input.send(b"\nstop\nYXSTOP\n".to_vec());
    drop(input);
    let end = Instant::now() + PATIENCE;
    while !running.is_finished() {
        assert!(Instant::now() < end, "it does not end with its input");
        thread::sleep(Duration::from_micros(200));
    }
    running.join().expect("no panic").expect("nothing is wrong with the output");
}

/// UCI has the two games of cutechess under their names there.
fn ours(dialect: Dialect, rules: &str) -> &str {
    match (dialect, rules) {
        (Dialect::Uci, "gomoku") => "gomoku-standard",
        (Dialect::Uci, "gomokufreestyle") => "gomoku",
        _ => rules,
    }
}

fn preferences() -> SessionConfig {
    SessionConfig {
        rules: "pente".parse().expect("a game"),
        explicit_game: false,
        options: Options { hash: 1, ..Options::default() },
        move_time: Duration::from_millis(5),
        extended_moves: false,
        coordinates: Coordinates::Xy,
        present_as: None,
        tunable: true,
    }
}

/// What the session answers when it is asked.
enum Answered {
    /// The rules and the position of a game that goes on.
    Position(String, String),
    /// The game is over, the session has left, or its dialect has no words for it.
    Nothing,
}

impl Answered {
    fn of(is_over: bool, rules: &str, position: &str) -> Answered {
        if is_over {
            return Answered::Nothing;
        }
        Answered::Position(rules.to_owned(), position.trim().to_owned())
    }
}

/// Asks for the position until the session answers.
fn ask(
    dialect: Dialect,
    input: &Sender<Vec<u8>>,
    output: &Output,
    running: &JoinHandle<io::Result<()>>,
) -> Answered {
    let end = Instant::now() + PATIENCE;
    for number in 1000.. {
        assert!(Instant::now() < end, "no answer in {:?}", output.text());
        let _ = input.send(question(dialect, number).into_bytes());
        let again = Instant::now() + AGAIN;
        while Instant::now() < again {
            if running.is_finished() {
                return Answered::Nothing;
            }
            if let Some(answer) = answer(dialect, number, &output.text()) {
                return answer;
            }
            thread::sleep(Duration::from_micros(200));
        }
    }
    Answered::Nothing
}

/// A question that no answer to other lines can be mistaken for: `tame` leaves no such numbers.
fn question(dialect: Dialect, number: u32) -> String {
    match dialect {
        Dialect::Ugi | Dialect::Uci => {
            format!("stop\nprobe{number}\nquery gameover\nquery variant\nquery fen\n")
        }
        Dialect::Gtp => format!("\n{number} printsgf\n{number} pentarch-position\n"),
        // Whatever ends a search in one of them: the others refuse it.
        _ => format!("YXSTOP\n?\nprobe{number}\n"),
    }
}

/// What the output says, once it does.
fn answer(dialect: Dialect, number: u32, output: &str) -> Option<Answered> {
    match dialect {
        Dialect::Ugi | Dialect::Uci => {
            let (_, answer) = output.split_once(&format!("probe{number}`"))?;
            let complete = answer.get(..=answer.rfind('\n')?)?;
            let mut fields = complete.lines().filter_map(|line| line.strip_prefix("response "));
            let (is_over, rules, position) = (fields.next()?, fields.next()?, fields.next()?);
            Some(Answered::of(is_over != "false", rules, position))
        }
        Dialect::Gtp => {
            let complete = output.get(..output.rfind("\n\n")?)?;
            let start = format!("={number} ");
            let texts = complete.split("\n\n").map(str::trim_start);
            let answers: Vec<&str> = texts.filter_map(|text| text.strip_prefix(&start)).collect();
            let [sgf, position] = answers[..] else { return None };
            let (_, rules) = sgf.split_once("RU[")?;
            let rules = rules.split(']').next()?;
            let is_over = sgf.contains("RE[");
            Some(Answered::of(is_over, rules, position))
        }
        _ => output.contains(&format!("probe{number}")).then_some(Answered::Nothing),
    }
}

/// The bytes with numbers of two digits at most, so that no search takes long and no table is huge, and
/// without the commands that read and write files or prove values, which may take hours and is finished
/// even after `quit`.
fn tame(dialect: Dialect, bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split(|&byte| byte == b'\n');
    let harmless = lines.filter(|line| !holds(line, b"sgf") && !holds(line, b"exact"));
    let tamed: Vec<Vec<u8>> = harmless.map(|line| tame_line(dialect, line)).collect();
    tamed.join(&b'\n')
}

fn tame_line(dialect: Dialect, line: &[u8]) -> Vec<u8> {
    let holds_any = |words: &[&[u8]]| words.iter().any(|word| holds(line, word));
    // A depth is reached even when the input has ended.
    let is_depth = holds_any(&[b"depth", b"mate", b"perft"]);
    let most = if is_depth || holds_any(&[b"hash", b"thread"]) { 1 } else { 2 };
    // Its times are seconds.
    let is_time = dialect == Dialect::Gtp && holds(line, b"time");
    let mut digits = 0;
    let mut tamed = Vec::new();
    for &byte in line {
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        if digits <= most {
            tamed.push(match byte {
                b'0'..=b'9' if is_time => b'0',
                b'4'..=b'9' if is_depth => b'3',
                byte => byte,
            });
        }
    }
    tamed
}

fn holds(line: &[u8], word: &[u8]) -> bool {
    // Control characters are dropped by the session before it reads.
    let text: Vec<u8> = line.iter().filter(|byte| !byte.is_ascii_control()).copied().collect();
    text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

/// The session's input.
struct Wire {
    lines: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.lines.recv() {
                Ok(bytes) => self.rest = bytes,
                Err(_) => return Ok(0),
            }
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

/// What the session has written.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("no panic while writing")).into_owned()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic while writing").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
