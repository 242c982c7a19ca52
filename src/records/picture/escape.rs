//! Text of others, made harmless.

/// Text as HTML and XML show it, also within quotes. Control characters, which could say anything to
/// a terminal and nothing to a reader, are shown as a replacement character.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            '\n' | '\t' => safe.push(character),
            '\r' => (),
            _ if character.is_control() || is_bidi(character) => safe.push('\u{fffd}'),
            _ => safe.push(character),
        }
    }
    safe
}

/// Whether a character turns the direction of the text after it.
const fn is_bidi(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text for a terminal: what could steer it is shown as a replacement character.
pub(crate) fn printable(text: &str) -> String {
    let steers = |character: char| character.is_control() || is_bidi(character);
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}
