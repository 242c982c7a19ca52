//! The text form of a conversation, and how expected lines are compared with what came.
//!
//! ```text
//! # a comment
//! $ gtp --variant gomoku          options of the command line
//! > play b h8                     sent, with LF
//! < =                             expected; `*` is any text, `< *` alone any number of lines
//! ! pentarch: *                   expected on standard error
//! ~ wait bestmove *               sends nothing more before such a line has come
//! ~ sleep 50                      waits that many milliseconds
//! ~ deadline 2000                 must end that many milliseconds after the end of input
//! ```
//!
//! Escapes in input: `\xff` a byte, `\t`, `\r`, `\\`, `\repeat{x}{1100000}`, and `\c` at the end
//! for a line without LF.

use std::time::Duration;

/// What the replayer does, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Waits for a line that matches.
    Wait(String),
    /// Waits.
    Sleep(Duration),
}

/// One conversation.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// Options of the command line.
    pub(crate) args: Vec<String>,
    /// What to do.
    pub(crate) steps: Vec<Step>,
    /// The lines to come.
    pub(crate) expected: Vec<String>,
    /// The lines to come on standard error.
    pub(crate) errors: Vec<String>,
    /// How long the process may take to end after the end of input.
    pub(crate) deadline: Duration,
}

impl Script {
    /// Whether it is in UCI.
    pub(crate) fn is_uci(&self) -> bool {
        let named = self.args.first().is_some_and(|name| name == "uci");
        named || matches!(self.steps.first(), Some(Step::Send(line)) if line.starts_with(b"uci"))
    }

    /// Reads a script; what cannot be read is a mistake of its author.
    pub(crate) fn parse(text: &str) -> Script {
        let mut script = Script {
            args: Vec::new(),
            steps: Vec::new(),
            expected: Vec::new(),
            errors: Vec::new(),
            deadline: Duration::from_secs(10),
        };
        for line in text.lines() {
            let (mark, rest) = line.split_at(line.len().min(1));
            let rest = rest.strip_prefix(' ').unwrap_or(rest);
            match mark {
                "" | "#" => (),
                "$" => script.args.extend(rest.split_whitespace().map(str::to_owned)),
                ">" => script.steps.push(Step::Send(unescape(rest))),
                "<" => script.expected.push(rest.trim_end().to_owned()),
                "!" => script.errors.push(rest.trim_end().to_owned()),
                "~" => script.directive(rest),
                _ => panic!("not a line of a transcript: {line}"),
            }
        }
        script
    }

    fn directive(&mut self, text: &str) {
        let (word, rest) = text.split_once(' ').expect("a directive has a value");
        let millis = || Duration::from_millis(rest.parse().expect("a number of milliseconds"));
        match word {
            "wait" => self.steps.push(Step::Wait(rest.to_owned())),
            "sleep" => self.steps.push(Step::Sleep(millis())),
            "deadline" => self.deadline = millis(),
            _ => panic!("no such directive: {text}"),
        }
    }
}

/// The bytes of an input line, its end included.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        let (length, piece) = match escape.as_bytes().first() {
            Some(b'x') => (3, vec![u8::from_str_radix(&escape[1..3], 16).expect("hex digits")]),
            Some(b't') => (1, vec![b'\t']),
            Some(b'r') if !escape.starts_with("repeat{") => (1, vec![b'\r']),
            Some(b'\\') => (1, vec![b'\\']),
            Some(b'c') => {
                assert_eq!(escape, "c", "nothing follows \\c");
                return bytes;
            }
            Some(b'r') => repeat(escape),
            _ => panic!("no such escape: {text}"),
        };
        bytes.extend(piece);
        rest = &escape[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes.push(b'\n');
    bytes
}

/// `repeat{x}{1100000}` at the start of the text: its length and its bytes.
fn repeat(text: &str) -> (usize, Vec<u8>) {
    let (what, rest) = text["repeat{".len()..].split_once("}{").expect("a text to repeat");
    let (times, rest) = rest.split_once('}').expect("how often");
    let times = times.parse().expect("a number of repetitions");
    (text.len() - rest.len(), what.repeat(times).into_bytes())
}

/// Whether a line is as expected, where `*` is any text.
pub(crate) fn line_matches(pattern: &str, line: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == line };
    let Some(line) = line.strip_prefix(head) else { return false };
    let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    ends.into_iter().any(|at| line_matches(rest, &line[at..]))
}

/// Compares line by line; `*` alone is any number of lines. The error is a picture of the first
/// difference.
pub(crate) fn compare(expected: &[String], actual: &[String]) -> Result<(), String> {
    // `reached[n]`: the expected lines so far can be the first n actual ones.
    let mut reached: Vec<bool> = (0..=actual.len()).map(|n| n == 0).collect();
    for (index, pattern) in expected.iter().enumerate() {
        let step = |n: usize| -> bool {
            if pattern == "*" {
                reached[..=n].contains(&true)
            } else {
                n > 0 && reached[n - 1] && line_matches(pattern, &actual[n - 1])
            }
        };
        let next: Vec<bool> = (0..=actual.len()).map(step).collect();
        if !next.contains(&true) {
            let furthest = reached.iter().rposition(|&r| r).unwrap_or(0);
            let furthest = if index > 0 && expected[index - 1] == "*" {
                reached.iter().position(|&r| r).unwrap_or(furthest)
            } else {
                furthest
            };
            return Err(difference(expected, index, actual, furthest));
        }
        reached = next;
    }
    if reached[actual.len()] {
        return Ok(());
    }
    let furthest = reached.iter().rposition(|&r| r).unwrap_or(0);
    Err(difference(expected, expected.len(), actual, furthest))
}

fn difference(expected: &[String], index: usize, actual: &[String], at: usize) -> String {
    let mut text = String::new();
    let mut show = |mark: &str, lines: &[String]| {
        for line in lines {
            let short: String = line.chars().take(300).collect();
            text.extend(["  ", mark, " ", &short, "\n"]);
        }
    };
    show(" ", &actual[at.saturating_sub(4)..at]);
    show("- expected:", &expected[index..expected.len().min(index + 4)]);
    show("+ actual:  ", &actual[at..actual.len().min(at + 8)]);
    if text.is_empty() { "  (nothing)\n".to_owned() } else { text }
}

#[test]
fn escapes() {
    assert_eq!(unescape(r"a\x00b\t\r\\"), b"a\x00b\t\r\\\n");
    assert_eq!(unescape(r"\repeat{ab}{3}c\c"), b"abababc");
}

#[test]
fn patterns() {
    for (pattern, line, fits) in [
        ("bestmove *", "bestmove j10", true),
        ("*nodes 1000 *", "info nodes 1000 nps 7", true),
        ("*nodes 1000", "info nodes 10001", false),
        ("a*b*c", "axxbyyc", true),
        ("a*b", "a", false),
        ("", "", true),
        ("*", "", true),
    ] {
        assert_eq!(line_matches(pattern, line), fits, "{pattern} {line}");
    }
}

#[test]
fn comparisons() {
    let lines = |text: &str| -> Vec<String> { text.split('|').map(str::to_owned).collect() };
    for (expected, actual, same) in [
        ("a|b", "a|b", true),
        ("a|*|b", "a|b", true),
        ("a|*|b", "a|x|b|b", true),
        ("*|b", "a|b|c", false),
        ("a", "a|b", false),
        ("a|b", "a", false),
    ] {
        assert_eq!(compare(&lines(expected), &lines(actual)).is_ok(), same, "{expected} {actual}");
    }
}
