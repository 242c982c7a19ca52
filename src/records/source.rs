//! Files of foreign origin as text: no more than memory can hold, in whatever encoding.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of a file that is read as a whole, as all but lists of lines are.
pub const MOST_BYTES: u64 = 64 << 20;

/// Reads a regular file of [`MOST_BYTES`] at most as text. A pipe or a device is refused unopened,
/// since to open it may take for ever.
pub fn read_regular_file(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    read_bounded(File::open(path)?).map(decode)
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

fn decode_utf16(bytes: &[u8]) -> String {
    let unit = if bytes[0] == 0xff { u16::from_le_bytes } else { u16::from_be_bytes };
    let units: Vec<u16> = bytes[2..].as_chunks().0.iter().map(|&pair| unit(pair)).collect();
    String::from_utf16_lossy(&units)
}

/// Bytes as text: UTF-16 after its byte order mark, UTF-8, or else Latin-1, which any bytes are. A
/// byte order mark does not count.
pub(super) fn decode(bytes: Vec<u8>) -> String {
    if is_utf16(&bytes) {
        return decode_utf16(&bytes);
    }
    match String::from_utf8(bytes) {
        Ok(text) => match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        },
        Err(error) => error.as_bytes().iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A text of one line that no terminal and no list of lines takes for anything else: line breaks
/// and tabs become spaces, other control characters and marks of writing direction the sign for an
/// unknown character.
pub fn one_line(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
        c if is_harmful(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.trim().chars().map(shown).collect()
}

/// A text of any number of lines, otherwise as [`one_line`].
pub fn many_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    let harmful = |c: char| is_harmful(c) && !matches!(c, '\n' | '\t');
    text.trim().chars().map(|c| if harmful(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Whether a character may make a terminal or a reader believe what is not there.
pub(super) fn is_harmful(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_made_harmless() {
        assert_eq!(
            one_line(" a\x1b[31mb\r\nc\u{9b}\u{202e} "),
            "a\u{fffd}[31mb  c\u{fffd}\u{fffd}"
        );
        assert_eq!(many_lines("a\r\n\x07b\rc\td"), "a\n\u{fffd}b\nc\td");
        assert_eq!(decode(b"\xef\xbb\xbfa".to_vec()), "a");
        assert_eq!(decode(b"M\xfcller".to_vec()), "M\u{fc}ller");
        assert_eq!(decode(b"\xff\xfe-N\x87e\x00".to_vec()), "\u{4e2d}\u{6587}");
        assert_eq!(decode(b"\xfe\xff\x00a".to_vec()), "a");
    }

    #[test]
    fn an_endless_line_ends_the_file() {
        use super::super::{Format, Hints, read_from};
        for format in [Format::Moves, Format::PenteOrg, Format::Sgf] {
            let hints = Hints { format: Some(format), rules: None };
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
