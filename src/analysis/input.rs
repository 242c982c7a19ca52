//! Lines of input, of which a long one costs no memory.

use super::shallow::IdScanner;
use pentarch_protocol::frame::MAX_LINE;
use std::io::{self, BufRead};

/// What stands up to the next line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The line without its end.
    Bytes(Vec<u8>),
    /// A line of more than [`MAX_LINE`] bytes, which was skipped, with the id that was seen in it.
    TooLong(Option<String>),
}

/// Reads the next line; none at the end of the input.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut scanner: Option<IdScanner> = None;
    loop {
        let piece = match input.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if piece.is_empty() {
            let is_end = bytes.is_empty() && scanner.is_none();
            return Ok((!is_end).then(|| line(bytes, scanner)));
        }
        let end = piece.iter().position(|&byte| byte == b'\n');
        let part = &piece[..end.unwrap_or(piece.len())];
        if scanner.is_none() && bytes.len() + part.len() > MAX_LINE {
            let mut started = IdScanner::default();
            started.push(&std::mem::take(&mut bytes));
            scanner = Some(started);
        }
        match &mut scanner {
            Some(scanner) => scanner.push(part),
            None => bytes.extend_from_slice(part),
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line(bytes, scanner)));
        }
    }
}

fn line(mut bytes: Vec<u8>, scanner: Option<IdScanner>) -> Line {
    if let Some(scanner) = scanner {
        return Line::TooLong(scanner.id());
    }
    if bytes.ends_with(b"\r") {
        bytes.pop();
    }
    Line::Bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        let mut reader = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| next_line(&mut reader).unwrap()).collect()
    }

    fn text(text: &str) -> Line {
        Line::Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_end_as_they_like() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\nb\r\n\nc"), [text("a"), text("b"), text(""), text("c")]);
    }

    #[test]
    fn of_a_long_line_only_the_id_is_kept() {
        let long = "x".repeat(MAX_LINE);
        let bytes = format!("{{\"x\":\"{long}\",\"id\":\"late\"}}\nb\n{long}\n{long}x");
        let expected =
            [Line::TooLong(Some("late".into())), text("b"), text(&long), Line::TooLong(None)];
        let mut reader = BufReader::new(bytes.as_bytes());
        for line in expected {
            assert!(next_line(&mut reader).unwrap() == Some(line));
        }
        assert_eq!(next_line(&mut reader).unwrap(), None);
    }
}
