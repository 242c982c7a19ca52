//! The examples of `SPEC.md` mean what they say, as far as this crate can tell
//! without an engine.

use pentarch_protocol::{gomocup, gtp, sidecar, ugi};

const SPEC: &str = include_str!("../../SPEC.md");

/// The inputs of all examples of a dialect, each with the line below it.
fn examples(dialect: &str) -> Vec<(&'static str, &'static str)> {
    let fence = format!("```{dialect}\n");
    let blocks = SPEC.split(fence.as_str()).skip(1).filter_map(|block| block.split("```").next());
    let exchanges = blocks.flat_map(|block| block.lines().zip(block.lines().skip(1)));
    exchanges.filter_map(|(line, next)| Some((line.strip_prefix("> ")?, next))).collect()
}

#[test]
fn ugi_examples() {
    let examples = examples("ugi");
    assert!(examples.len() > 20, "{}", examples.len());
    for (line, next) in examples {
        match ugi::Command::parse(line) {
            Ok(command) => assert_eq!(command.to_string(), line),
            Err(error) => assert_eq!(next, format!("< info string error: {error}")),
        }
    }
}

#[test]
fn uci_examples() {
    let (examples, uci) = (examples("uci"), ugi::Flavor::Uci);
    assert!(examples.len() > 10, "{}", examples.len());
    for (line, next) in examples {
        match uci.command(line) {
            Ok(command) => assert_eq!(uci.write(&command).to_string(), line),
            Err(error) => assert_eq!(next, format!("< info string error: {error}")),
        }
    }
}

#[test]
fn gomocup_examples() {
    let examples = examples("gomocup");
    assert!(examples.len() > 40, "{}", examples.len());
    for (line, next) in examples {
        match gomocup::Command::parse(line) {
            Ok(command) => assert_eq!(command.to_string(), line),
            Err(error @ gomocup::SyntaxError::Unknown { .. }) => {
                assert_eq!(next, format!("< UNKNOWN {error}"));
            }
            Err(error) => assert_eq!(next, format!("< ERROR {error}")),
        }
    }
}

#[test]
fn gtp_examples() {
    let examples = examples("gtp");
    assert!(examples.len() > 15, "{}", examples.len());
    for (line, next) in examples {
        let Some(request) = gtp::Request::parse(line) else { continue };
        match gtp::Command::parse(&request) {
            Ok(command) => assert_eq!(command.request(request.id).to_string(), line),
            Err(error) => {
                let failure = gtp::Response::failure(request.id, error.to_string()).to_string();
                assert_eq!(next, format!("< {}", failure.trim_end()));
            }
        }
    }
}

#[test]
fn sidecar_examples() {
    let examples = examples("sidecar");
    assert!(examples.len() > 6, "{}", examples.len());
    for (line, next) in examples {
        match sidecar::Command::parse(line) {
            Ok(command) => assert_eq!(command.to_string(), line),
            Err(error) => assert_eq!(next, format!("< ERR {error}")),
        }
    }
}
