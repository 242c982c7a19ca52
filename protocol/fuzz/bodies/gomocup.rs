//! Any bytes as a stream of Gomocup's protocol, to the brain and to the manager: nothing panics, and
//! what is understood is printed such that it is understood in the same way.

use pentarch_protocol::frame::{Line, LineReader};
use pentarch_protocol::gomocup::{Command, Response};

/// Reads the bytes as lines.
pub(crate) fn stream(bytes: &[u8]) {
    let mut lines = LineReader::new(bytes);
    while let Some(line) = lines.read().expect("bytes in memory can be read") {
        let Line::Text(line) = line else { continue };
        brain(&line);
        manager(&line);
    }
}

/// What a brain makes of a line.
fn brain(line: &str) {
    match Command::parse(line) {
        Ok(command) => {
            let printed = command.to_string();
            assert_eq!(Command::parse(&printed), Ok(command), "{printed}");
        }
        Err(error) => assert!(error.to_string().len() < 1000),
    }
}

/// What a manager makes of a line.
fn manager(line: &str) {
    match Response::parse(line) {
        Ok(response) => {
            let printed = response.to_string();
            assert_eq!(Response::parse(&printed), Ok(response), "{printed}");
        }
        Err(error) => assert!(error.to_string().len() < 1000),
    }
}
