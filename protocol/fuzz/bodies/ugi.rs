//! Any bytes as a stream of UGI or UCI, to the engine and to the client: nothing panics, and what is
//! understood is printed such that it is understood in the same way.

use pentarch_protocol::frame::{Line, LineReader};
use pentarch_protocol::ugi::Flavor;

/// Reads the bytes as lines.
pub(crate) fn stream(flavor: Flavor, bytes: &[u8]) {
    let mut lines = LineReader::new(bytes);
    while let Some(line) = lines.read().expect("bytes in memory can be read") {
        let Line::Text(line) = line else { continue };
        engine(flavor, &line);
        client(flavor, &line);
    }
}

/// What an engine makes of a line.
fn engine(flavor: Flavor, line: &str) {
    match flavor.command(line) {
        Ok(command) => {
            let printed = flavor.write(&command).to_string();
            assert_eq!(flavor.command(&printed), Ok(command), "{printed}");
        }
        Err(error) => assert!(error.to_string().len() < 1000),
    }
}

/// What a client makes of a line.
fn client(flavor: Flavor, line: &str) {
    match flavor.response(line) {
        Ok(response) => {
            let printed = flavor.write(&response).to_string();
            assert_eq!(flavor.response(&printed), Ok(response), "{printed}");
        }
        Err(error) => assert!(error.to_string().len() < 1000),
    }
}
