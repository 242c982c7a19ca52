//! The examples of `SPEC.md`, as far as this crate can test them without an engine.

use super::parsers::PARSERS;

const SPEC: &str = include_str!("../../SPEC.md");

/// Returns the inputs of all examples of a dialect, each with the next line.
fn examples(dialect: &str) -> Vec<(&'static str, &'static str)> {
    let fence = format!("```{dialect}\n");
    let blocks = SPEC.split(fence.as_str()).skip(1).filter_map(|block| block.split("```").next());
    let exchanges = blocks.flat_map(|block| block.lines().zip(block.lines().skip(1)));
    exchanges.filter_map(|(line, next)| Some((line.strip_prefix("> ")?, next))).collect()
}

/// A command is printed as in the example, and another line has the error of the example.
#[test]
fn examples_of_every_dialect() {
    for parsers in PARSERS {
        let dialect = parsers.dialect;
        let examples = examples(dialect.name());
        assert!(examples.len() > 6, "{dialect}: {}", examples.len());
        for (line, next) in examples {
            match (parsers.command)(line) {
                Ok(printed) => assert_eq!(printed, line, "{dialect}"),
                Err(error) => {
                    let answer = (parsers.refusal)(line, &error);
                    assert_eq!(next, format!("< {answer}"), "{dialect}, {line}");
                }
            }
        }
    }
}

#[test]
fn every_dialect_is_spoken() {
    assert_eq!(PARSERS.map(|parsers| parsers.dialect), pentarch_protocol::Dialect::ALL);
}
