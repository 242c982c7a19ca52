//! Makes text of foreign origin safe to print: in a terminal, in a list of lines, in HTML and in SVG.

/// Returns a text as one line that no terminal and no line-based format misreads.
///
/// Line breaks and tabs become spaces, other control characters U+FFFD, and characters that change
/// the writing direction their escape sequence, such as `\u{202e}`. Space at both ends is removed.
pub fn sanitize_line(text: &str) -> String {
    sanitize(text.trim(), |c| match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
        _ => None,
    })
}

/// Sanitizes a text as [`sanitize_line`] does, but keeps its lines and tabs. Every line ends with
/// `\n`.
pub fn sanitize_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    sanitize(text.trim(), |c| matches!(c, '\n' | '\t').then_some(c))
}

fn sanitize(text: &str, exception: impl Fn(char) -> Option<char>) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match exception(c) {
            Some(c) => safe.push(c),
            None if is_bidi_control(c) => safe.extend(c.escape_unicode()),
            None if c.is_control() => safe.push(char::REPLACEMENT_CHARACTER),
            None => safe.push(c),
        }
    }
    safe
}

/// Escapes a text for HTML and XML, also within quotes. Control characters become U+FFFD.
pub(crate) fn escape_markup(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            '\n' | '\t' => safe.push(c),
            '\r' => (),
            _ if is_control(c) => safe.push(char::REPLACEMENT_CHARACTER),
            _ => safe.push(c),
        }
    }
    safe
}

/// Replaces each character that a terminal interprets with U+FFFD.
pub(crate) fn replace_controls(text: &str) -> String {
    text.chars().map(|c| if is_control(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Returns whether a character controls a terminal or the writing direction.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() || is_bidi_control(c)
}

/// Returns whether a character has the property `Bidi_Control` (Unicode, PropList.txt).
fn is_bidi_control(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_made_safe() {
        assert_eq!(
            sanitize_line(" a\x1b[31mb\r\nc\u{9b}\u{202e} "),
            "a\u{fffd}[31mb  c\u{fffd}\\u{202e}"
        );
        assert_eq!(sanitize_lines("a\r\n\x07b\rc\td"), "a\n\u{fffd}b\nc\td");
        assert_eq!(
            sanitize_lines("\u{2066}a\u{61c}\n\u{200f}"),
            r"\u{2066}a\u{61c}".to_owned() + "\n\\u{200f}"
        );
    }
}
