//! Any bytes as lines of pente.org's server and of the program it asks: nothing panics, and what is
//! understood is printed such that it is understood in the same way.

use pentarch_protocol::frame::{Line, LineReader};
use pentarch_protocol::sidecar::{Command, Response};

/// Reads the bytes as lines.
pub(crate) fn stream(bytes: &[u8]) {
    let mut lines = LineReader::new(bytes);
    while let Some(line) = lines.read().expect("bytes in memory can be read") {
        let Line::Text(line) = line else { continue };
        match Command::parse(&line) {
            Ok(command) => assert_eq!(Command::parse(&command.to_string()), Ok(command)),
            Err(error) => assert!(error.to_string().len() < 1000),
        }
        match Response::parse(&line) {
            Ok(response) => assert_eq!(Response::parse(&response.to_string()), Ok(response)),
            Err(error) => assert!(error.to_string().len() < 1000),
        }
    }
}
