//! The examples of `SPEC.md` mean what they say, as far as this crate can tell
//! without an engine.

use super::spoken::SPOKEN;

const SPEC: &str = include_str!("../../SPEC.md");

/// The inputs of all examples of a dialect, each with the line below it.
fn examples(dialect: &str) -> Vec<(&'static str, &'static str)> {
    let fence = format!("```{dialect}\n");
    let blocks = SPEC.split(fence.as_str()).skip(1).filter_map(|block| block.split("```").next());
    let exchanges = blocks.flat_map(|block| block.lines().zip(block.lines().skip(1)));
    exchanges.filter_map(|(line, next)| Some((line.strip_prefix("> ")?, next))).collect()
}

/// A command is printed as it stands there, and what is none is refused as it stands there.
#[test]
fn examples_of_every_dialect() {
    for spoken in SPOKEN {
        let dialect = spoken.dialect;
        let examples = examples(dialect.name());
        assert!(examples.len() > 6, "{dialect}: {}", examples.len());
        for (line, next) in examples {
            match (spoken.command)(line) {
                Ok(printed) => assert_eq!(printed, line, "{dialect}"),
                Err(error) => {
                    let answer = (spoken.refusal)(line, &error);
                    assert_eq!(next, format!("< {answer}"), "{dialect}, {line}");
                }
            }
        }
    }
}

#[test]
fn every_dialect_is_spoken() {
    assert_eq!(SPOKEN.map(|spoken| spoken.dialect), pentarch_protocol::Dialect::ALL);
}
