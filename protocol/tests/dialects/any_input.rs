//! No input makes the crate panic.

use super::parsers::PARSERS;
use pentarch_protocol::input::LineReader;
use pentarch_protocol::{Dialect, gtp, nearest};
use proptest::prelude::*;

/// Passes a line to every parser and prints the results.
fn feed(line: &str) -> usize {
    let mut printed = Dialect::detect(line).to_string();
    let mut keep = |text: String| printed.push_str(&text);
    keep(gtp::Vertex::parse(line).map_or_else(|e| e.to_string(), |v| v.to_string()));
    keep(gtp::Color::parse(line).map_or_else(|e| e.to_string(), |c| c.to_string()));
    let mut reader = gtp::ResponseReader::new();
    reader.push(line);
    keep(reader.finish().map_or_else(String::new, |response| response.to_string()));
    keep(nearest(line, gtp::Command::names()).unwrap_or_default().to_owned());
    printed.len() + PARSERS.iter().map(|parsers| parsers.line(line)).sum::<usize>()
}

/// Returns the names of the commands of all dialects.
fn names() -> impl Iterator<Item = &'static str> {
    PARSERS.into_iter().flat_map(|parsers| (parsers.names)())
}

#[test]
fn unusual_lines() {
    let long = "a ".repeat(500_000);
    let number = "9".repeat(100_000);
    for tail in ["", " ", "\0", "-", "--", "\u{feff}", "\u{2028}", "é", "\u{1f600}", "#", "=", "?"]
    {
        for head in names().chain(["", "=", "1", "info", "FORBID", "name=\""]) {
            feed(&format!("{head} {tail}"));
            feed(&format!("{head}{tail}"));
            feed(&format!("{tail}{head}"));
        }
    }
    for head in [
        "go",
        "go depth",
        "position fen",
        "moves",
        "play b",
        "1",
        "=",
        "info pv",
        "info depth",
        "TURN",
    ] {
        feed(&format!("{head} {long}"));
        feed(&format!("{head} {number}"));
        feed(&format!("{head} -{number}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes(bytes: Vec<u8>) {
        let mut reader = LineReader::new(bytes.as_slice());
        while let Some(line) = reader.read().unwrap() {
            if let Ok(text) = line {
                feed(&text);
            }
        }
    }

    #[test]
    fn random_text(line in "(?s:.){0,40}") {
        feed(&line);
    }

    #[test]
    fn random_text_after_a_command(index: usize, tail in "\\PC{0,40}") {
        let names: Vec<&str> = names().collect();
        feed(&format!("{} {tail}", names[index % names.len()]));
    }
}
