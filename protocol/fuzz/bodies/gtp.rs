//! Any bytes as a stream of GTP, to the engine and to the client: nothing panics, and what is
//! understood is printed such that it is understood in the same way.

use pentarch_protocol::frame::{Line, LineReader};
use pentarch_protocol::gtp::{
    Command, Graphics, MenuEntry, MoveInfo, Request, Response, ResponseReader, Vertex, is_interrupt,
};

/// Reads the bytes as lines.
pub(crate) fn stream(bytes: &[u8]) {
    let mut lines = LineReader::new(bytes);
    let mut responses = ResponseReader::new();
    while let Some(line) = lines.read().expect("bytes in memory can be read") {
        let Line::Text(line) = line else { continue };
        engine(&line);
        client(&line);
        if let Some(response) = responses.push(&line) {
            answered(&response);
        }
    }
    if let Some(response) = responses.finish() {
        answered(&response);
    }
}

/// What an engine makes of a line.
fn engine(line: &str) {
    let _ = is_interrupt(line);
    let Some(request) = Request::parse(line) else { return };
    assert_eq!(Request::parse(&request.to_string()), Some(request.clone()));
    match Command::parse(&request) {
        Ok(command) => assert_eq!(Command::parse(&command.request(None)), Ok(command)),
        Err(error) => assert!(error.to_string().len() < 1000),
    }
}

/// What a client makes of a line inside an answer.
fn client(line: &str) {
    if let Ok(vertex) = Vertex::parse(line) {
        assert_eq!(Vertex::parse(&vertex.to_string()), Ok(vertex));
    }
    if let Ok(graphics) = line.parse::<Graphics>() {
        assert_eq!(graphics.to_string().parse(), Ok(graphics));
    }
    if let Some(entry) = MenuEntry::parse(line) {
        assert_eq!(MenuEntry::parse(&entry.to_string()), Some(entry));
    }
    let infos = MoveInfo::parse_line(line);
    assert!(infos.iter().all(|info| !info.mv.is_empty()));
}

/// A whole answer is printed as one answer.
fn answered(response: &Response) {
    let printed = response.to_string();
    assert_eq!(printed.matches("\n\n").count(), 1);
    let mut reader = ResponseReader::new();
    let read = printed.lines().find_map(|line| reader.push(line));
    assert_eq!(read.map(|read| read.to_string()), Some(printed));
}
