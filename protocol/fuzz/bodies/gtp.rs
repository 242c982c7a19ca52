//! The parts of GTP that other dialects do not have: answers of several lines, and the texts inside them.

use pentarch_protocol::gtp::{
    Command, Graphics, MenuEntry, MoveInfo, Request, Response, ResponseReader, Vertex, is_interrupt,
};

/// Parses and prints a request, or returns the error. Returns a line without a request unchanged.
pub(crate) fn command(line: &str) -> Result<String, String> {
    let _ = is_interrupt(line);
    let Some(request) = Request::parse(line) else { return Ok(line.to_owned()) };
    assert_eq!(Request::parse(&request.to_string()), Some(request.clone()));
    let command = Command::parse(&request).map_err(|error| error.to_string())?;
    let printed = command.request(request.id);
    assert_eq!(Command::parse(&printed), Ok(command));
    Ok(printed.to_string())
}

/// Returns the answer to a request that is not a command.
pub(crate) fn refusal(line: &str, error: &str) -> String {
    let id = Request::parse(line).and_then(|request| request.id);
    Response::failure(id, error).to_string().trim_end().to_owned()
}

/// Parses a line inside an answer as a client.
#[allow(clippy::unnecessary_wraps, reason = "the type in other dialects")]
pub(crate) fn response(line: &str) -> Result<String, String> {
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
    Ok(line.to_owned())
}

/// Parses lines as answers, each of which is printed as one answer.
pub(crate) fn answers(lines: &[String]) {
    let mut reader = ResponseReader::new();
    let mut answers: Vec<_> = lines.iter().filter_map(|line| reader.push(line)).collect();
    answers.extend(reader.finish());
    for answer in answers {
        let printed = answer.to_string();
        assert_eq!(printed.matches("\n\n").count(), 1);
        let mut reader = ResponseReader::new();
        let read = printed.lines().find_map(|line| reader.push(line));
        assert_eq!(read.map(|read| read.to_string()), Some(printed));
    }
}
