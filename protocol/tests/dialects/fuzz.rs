//! The body of the fuzz target, with random changes of lines of the specification.
//!
//! `PENTARCH_FUZZ=100000` tests that many streams.

use super::parsers::PARSERS;
use proptest::prelude::*;

const SPEC: &str = include_str!("../../SPEC.md");

/// Returns the lines of both sides of the examples of the specification.
fn lines() -> Vec<String> {
    let fences = PARSERS.map(|parsers| format!("```{}\n", parsers.dialect));
    let blocks = fences.iter().flat_map(|fence| SPEC.split(fence.as_str()).skip(1));
    let blocks = blocks.filter_map(|block| block.split("```").next());
    let texts = blocks.flat_map(str::lines).filter_map(|line| line.get(2..));
    texts.map(|line| line.replace('*', "12")).collect()
}

/// A change of a stream: the kind, the place, and the byte.
type Change = (u8, prop::sample::Index, u8);

/// Bytes with a meaning in one of the parsers.
const MARKS: &[u8] = b" \t\r\n,=?#\"@+-0915ah\0\xff\xc3.:/[]";

fn change(bytes: &mut Vec<u8>, (kind, at, byte): &Change) {
    if bytes.is_empty() {
        return bytes.push(*byte);
    }
    let at = at.index(bytes.len());
    let mark = MARKS[usize::from(*byte) % MARKS.len()];
    match kind % 6 {
        0 => bytes[at] = *byte,
        1 => bytes[at] = mark,
        2 => bytes.insert(at, mark),
        3 => drop(bytes.remove(at)),
        4 => bytes.truncate(at),
        _ => {
            let end = bytes.len().min(at + usize::from(byte % 16));
            let again = bytes[at..end].to_vec();
            bytes.splice(at..at, again);
        }
    }
}

/// Returns streams of slightly changed lines.
fn streams() -> impl Strategy<Value = Vec<u8>> {
    let lines = prop::collection::vec(prop::sample::select(lines()), 1..6);
    let changes: BoxedStrategy<Vec<Change>> = prop::collection::vec(any::<Change>(), 0..8).boxed();
    (lines, changes).prop_map(|(lines, changes)| {
        let mut bytes = lines.join("\n").into_bytes();
        for made in &changes {
            change(&mut bytes, made);
        }
        bytes
    })
}

fn config() -> ProptestConfig {
    let cases = std::env::var("PENTARCH_FUZZ").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases.unwrap_or(5000))
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn streams_of_every_dialect(bytes in streams()) {
        for parsers in PARSERS {
            parsers.stream(&bytes);
        }
    }
}
