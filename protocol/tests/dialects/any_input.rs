//! Whatever comes in, the crate answers with a value and not with a panic.

use super::spoken::SPOKEN;
use pentarch_protocol::frame::{Line, LineReader};
use pentarch_protocol::{Dialect, gtp, nearest};
use proptest::prelude::*;

/// Gives one line to every parser and prints what comes out.
fn feed(line: &str) -> usize {
    let mut printed = Dialect::detect(line).to_string();
    let mut keep = |text: String| printed.push_str(&text);
    keep(gtp::Vertex::parse(line).map_or_else(|e| e.to_string(), |v| v.to_string()));
    keep(gtp::Color::parse(line).map_or_else(|e| e.to_string(), |c| c.to_string()));
    let mut reader = gtp::ResponseReader::new();
    reader.push(line);
    keep(reader.finish().map_or_else(String::new, |response| response.to_string()));
    keep(nearest(line, gtp::Command::names()).unwrap_or_default().to_owned());
    printed.len() + SPOKEN.iter().map(|spoken| spoken.line(line)).sum::<usize>()
}

/// The commands of all dialects.
fn names() -> impl Iterator<Item = &'static str> {
    SPOKEN.into_iter().flat_map(|spoken| (spoken.names)())
}

#[test]
fn nasty_lines() {
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
            if let Line::Text(text) = line {
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
