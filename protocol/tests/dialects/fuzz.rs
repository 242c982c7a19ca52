//! The body of the fuzz target, on lines of real conversations with a few changes each.
//!
//! `PENTARCH_FUZZ=100000` tries that many streams a dialect.

use super::spoken::SPOKEN;
use proptest::prelude::*;

const SPEC: &str = include_str!("../../SPEC.md");

/// Both sides of the specification's conversations.
fn lines() -> Vec<String> {
    let fences = SPOKEN.map(|spoken| format!("```{}\n", spoken.dialect));
    let blocks = fences.iter().flat_map(|fence| SPEC.split(fence.as_str()).skip(1));
    let blocks = blocks.filter_map(|block| block.split("```").next());
    let texts = blocks.flat_map(str::lines).filter_map(|line| line.get(2..));
    texts.map(|line| line.replace('*', "12")).collect()
}

/// A change of a stream: what happens, where, and with which byte.
type Change = (u8, prop::sample::Index, u8);

/// Bytes that mean something to one of the parsers.
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

/// Streams that are almost conversations.
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
        for spoken in SPOKEN {
            spoken.stream(&bytes);
        }
    }
}
