//! The `id` of a text that is no query: too long, too deep, or not JSON.

/// The longest id, in bytes. It stands in every answer.
pub(super) const LONGEST_ID: usize = 4096;

/// Looks for the member `id` of the outermost object, a piece of the text at a time. Nothing is
/// stored but the id.
#[derive(Debug, Default)]
pub(super) struct IdScanner {
    depth: usize,
    place: Place,
    string: Option<Vec<u8>>,
    escaped: bool,
    found: Option<String>,
}

/// What the next string of the outermost object is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Key,
    /// The colon after `id` is still to come.
    AfterId,
    Id,
    Other,
}

impl IdScanner {
    /// Reads on.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.found.is_some() {
                return;
            }
            match &mut self.string {
                Some(_) => self.push_in_string(byte),
                None => self.push_outside(byte),
            }
        }
    }

    /// The id, if there was one so far.
    pub(super) fn id(self) -> Option<String> {
        self.found
    }

    fn push_in_string(&mut self, byte: u8) {
        let Some(string) = &mut self.string else { return };
        if byte == b'"' && !self.escaped {
            let string = self.string.take().unwrap_or_default();
            if self.depth == 1 {
                self.end_string(&string);
            }
            return;
        }
        self.escaped = byte == b'\\' && !self.escaped;
        if self.depth == 1 && string.len() <= LONGEST_ID {
            string.push(byte);
        }
    }

    fn end_string(&mut self, string: &[u8]) {
        self.place = match self.place {
            Place::Key if string == b"id" => Place::AfterId,
            Place::Id => {
                if string.len() <= LONGEST_ID {
                    let quoted = [b"\"", string, b"\""].concat();
                    self.found = serde_json::from_slice(&quoted).ok();
                }
                Place::Other
            }
            _ => Place::Other,
        };
    }

    fn push_outside(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.string = Some(Vec::new());
                self.escaped = false;
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b',' if self.depth == 1 => self.place = Place::Key,
            b':' if self.place == Place::AfterId && self.depth == 1 => self.place = Place::Id,
            _ => {}
        }
    }
}

/// The id in a text.
pub(super) fn id(text: &[u8]) -> Option<String> {
    let mut scanner = IdScanner::default();
    scanner.push(text);
    scanner.id()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_the_outermost_object_is_found() {
        let deep = format!(r#"{{"moves":{}, "id" : "deep"}}"#, "[".repeat(9) + &"]".repeat(9));
        for (text, expected) in [
            (r#"{"id":"a","moves":[}"#, Some("a")),
            (r#"{"x":{"id":"no"},"y":["id","no"],"id":"b"#, None),
            (r#"{"x":{"id":"no"},"y":["id","no"],"id":"b""#, Some("b")),
            (r#"{"x":"id","id":"q\"\\\u00e9"}"#, Some("q\"\\é")),
            (r#"{"x":"\\","id":"c"}"#, Some("c")),
            (r#"{"id":7}"#, None),
            (r#"{"id":null,"x":"id"}"#, None),
            ("\u{1}\u{2}", None),
            ("", None),
            (&deep, Some("deep")),
        ] {
            assert_eq!(id(text.as_bytes()).as_deref(), expected, "{text}");
            let mut scanner = IdScanner::default();
            text.bytes().for_each(|byte| scanner.push(&[byte]));
            assert_eq!(scanner.id().as_deref(), expected, "{text} byte by byte");
        }
        assert_eq!(id(b"{\"id\":\"\xff\"}"), None);
        assert_eq!(id(b"{\"id\":\"ok\",\"x\":\"\xff\"}").as_deref(), Some("ok"));
    }

    #[test]
    fn a_long_id_is_none() {
        let text = format!(r#"{{"id":"{}"}}"#, "x".repeat(LONGEST_ID + 1));
        assert_eq!(id(text.as_bytes()), None);
    }
}
