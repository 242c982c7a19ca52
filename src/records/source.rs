//! Files of foreign origin: no more than memory can hold, and nothing in them that a terminal obeys.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of a file that is read as a whole, as all but lists of lines are.
pub const MOST_BYTES: u64 = 64 << 20;

/// Reads a regular file of [`MOST_BYTES`] at most. A pipe or a device is refused unopened,
/// since to open it may take for ever.
pub fn read_regular_file(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    read_bounded(File::open(path)?)
}

/// Reads to the end, which must come within [`MOST_BYTES`].
pub(super) fn read_bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        let reason = format!("larger than {most} MiB, the most that is read at once");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// Whether a file begins with the byte order mark of UTF-16, as those of Windows may.
pub(super) fn is_utf16(beginning: &[u8]) -> bool {
    beginning.starts_with(b"\xff\xfe") || beginning.starts_with(b"\xfe\xff")
}

/// A text of one line that no terminal and no list of lines takes for anything else: line breaks
/// and tabs become spaces, other control characters the sign for an unknown character, and those that
/// change the direction of writing their escapes, `\\u{202e}`.
pub fn one_line(text: &str) -> String {
    let text = text.trim();
    harmless(text, |c| match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
        _ => None,
    })
}

/// A text of any number of lines, otherwise as [`one_line`].
pub fn many_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    harmless(text.trim(), |c| matches!(c, '\n' | '\t').then_some(c))
}

fn harmless(text: &str, exception: impl Fn(char) -> Option<char>) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match exception(c) {
            Some(c) => shown.push(c),
            None if is_directional(c) => shown.extend(c.escape_unicode()),
            None if c.is_control() => shown.push(char::REPLACEMENT_CHARACTER),
            None => shown.push(c),
        }
    }
    shown
}

/// Whether a character may make a terminal or a reader believe what is not there.
pub(super) fn is_harmful(c: char) -> bool {
    c.is_control() || is_directional(c)
}

/// The characters of the property `Bidi_Control` (Unicode, PropList.txt).
fn is_directional(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_made_harmless() {
        assert_eq!(
            one_line(" a\x1b[31mb\r\nc\u{9b}\u{202e} "),
            "a\u{fffd}[31mb  c\u{fffd}\\u{202e}"
        );
        assert_eq!(many_lines("a\r\n\x07b\rc\td"), "a\n\u{fffd}b\nc\td");
        assert_eq!(
            many_lines("\u{2066}a\u{61c}\n\u{200f}"),
            r"\u{2066}a\u{61c}".to_owned() + "\n\\u{200f}"
        );
    }

    #[test]
    fn an_endless_line_ends_the_file() {
        use super::super::{Format, Hints, read_from};
        for format in [Format::Moves, Format::PenteOrg, Format::Sgf] {
            let hints = Hints { format: Some(format), ..Hints::default() };
            let games = read_from(io::repeat(b'a'), Path::new("endless"), &hints);
            let error = match games {
                Ok(mut games) => games.next().map(|game| game.unwrap_err().to_string()),
                Err(error) => Some(error.to_string()),
            };
            assert!(error.is_some_and(|error| error.contains("64 MiB")), "{format}");
        }
    }

    #[test]
    fn an_endless_file_and_a_device_are_refused() {
        let error = read_bounded(io::repeat(b'a')).unwrap_err();
        assert!(error.to_string().contains("64 MiB"), "{error}");
        let error = read_regular_file(Path::new("/dev/zero")).unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
    }
}
