//! Any bytes as queries: they never panic, each line is answered in JSON, and the end comes.

use pentarch::analysis::{Analyzer, AnalyzerOptions, KatagoSettings, ServerSettings, serve};
use serde_json::Value;
use std::io::Cursor;

/// Sends the bytes as lines and reads all answers, in both forms.
pub(crate) fn analyze(bytes: &[u8]) {
    let bytes = tame(bytes);
    for katago in [None, Some(KatagoSettings { nodes_per_visit: 1, ..KatagoSettings::default() })] {
        analyze_as(&bytes, katago);
    }
}

fn analyze_as(bytes: &[u8], katago: Option<KatagoSettings>) {
    let settings = AnalyzerOptions { workers: 2, hash: 16, ..AnalyzerOptions::default() };
    let analyzer = Analyzer::new(&settings).expect("threads");
    let rules = "gomoku+size=9".parse().expect("a game");
    let server = ServerSettings { rules, nodes: 5, katago, shard: None };
    let mut output = Vec::new();
    serve(Cursor::new(bytes.to_vec()), &mut output, analyzer, server, drop).expect("no error");
    let text = String::from_utf8(output).expect("JSON is UTF-8");
    let mut answered = 0;
    for line in text.lines() {
        let answer: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(answer["schema"], 1, "{line}");
        answered += usize::from(answer.get("warning").is_none());
    }
    let asked = bytes.split(|&byte| byte == b'\n');
    let asked = asked.filter(|line| !line.iter().all(u8::is_ascii_whitespace)).count();
    assert!(answered >= asked, "{answered} answers to {asked} lines: {text}");
}

/// The bytes with numbers of two digits at most, and without the limits that a search may take long to
/// reach.
fn tame(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split(|&byte| byte == b'\n');
    let holds = |line: &[u8], word: &[u8]| line.windows(word.len()).any(|part| part == word);
    let endless = |line: &[u8]| holds(line, b"maxTime") || holds(line, b"maxDepth");
    let mut tamed = Vec::new();
    for line in lines.filter(|line| !endless(line)) {
        let mut digits = 0;
        for &byte in line {
            digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
            // A number may be written with an exponent.
            if digits <= 2 && !(digits > 0 && tamed.ends_with(b"e")) {
                tamed.push(byte);
            }
        }
        tamed.push(b'\n');
    }
    tamed
}
