//! Decodes text of foreign files by the character set that the file names or that its bytes
//! suggest.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, WINDOWS_1252};
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// A character set, parsed from one of the labels of the Encoding Standard
/// (encoding.spec.whatwg.org): `GB18030`, `Shift_JIS`, `windows-1251`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset(&'static Encoding);

/// A label that names no character set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no character set, expected a label such as UTF-8, GB18030, Big5 or Shift_JIS")]
pub struct UnknownCharset(String);

impl FromStr for Charset {
    type Err = UnknownCharset;

    fn from_str(text: &str) -> Result<Charset, UnknownCharset> {
        let known = Encoding::for_label_no_replacement(text.trim().as_bytes());
        known.map(Charset).ok_or_else(|| UnknownCharset(text.to_owned()))
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl Charset {
    /// Decodes bytes. Returns `None` if the character set lacks some of them.
    fn decode(self, bytes: &[u8]) -> Option<String> {
        let text = self.0.decode_without_bom_handling_and_without_replacement(bytes)?;
        Some(text.into_owned())
    }

    /// Guesses the character set of bytes that are not UTF-8.
    fn guess<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Charset {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        for part in parts {
            detector.feed(part, false);
            detector.feed(b"\n", false);
        }
        detector.feed(b"", true);
        Charset(detector.guess(None, Utf8Detection::Deny))
    }
}

/// Decodes the parts of a file. Clones share the guessed character set.
#[derive(Clone, Debug, Default)]
pub(super) struct Decoder {
    /// The character set that the user has named, for text without a label.
    requested: Option<Charset>,
    guessed: Rc<Cell<Option<Charset>>>,
}

impl Decoder {
    /// Creates a decoder; `requested` is the character set that the user has named.
    pub(super) fn new(requested: Option<Charset>) -> Decoder {
        Decoder { requested, guessed: Rc::default() }
    }

    /// The character set that was guessed. `None` if all text was UTF-8 or had a label.
    pub(super) fn guessed(&self) -> Option<Charset> {
        self.guessed.get()
    }

    /// Guesses the character set from many texts that are each too short for a guess.
    pub(super) fn guess_from<'a>(&self, texts: impl Iterator<Item = &'a [u8]>) {
        let foreign: Vec<&[u8]> = texts.filter(|text| str::from_utf8(text).is_err()).collect();
        if self.requested.is_none() && !foreign.is_empty() {
            self.guessed.set(Some(Charset::guess(foreign)));
        }
    }

    /// Decodes bytes without a label: as UTF-16 if they begin with its byte order mark, else in the
    /// character set that the user has named, else as UTF-8, else in the guessed character set. A
    /// byte order mark is removed.
    pub(super) fn decode(&self, bytes: Vec<u8>) -> String {
        if let Some((encoding, length)) = Encoding::for_bom(&bytes) {
            return encoding.decode_without_bom_handling(&bytes[length..]).0.into_owned();
        }
        if let Some(text) = self.requested.and_then(|charset| charset.decode(&bytes)) {
            return text;
        }
        String::from_utf8(bytes).unwrap_or_else(|error| {
            let bytes = error.as_bytes();
            let charset = self.guessed.get().unwrap_or_else(|| Charset::guess([bytes]));
            self.guessed.set(Some(charset));
            // windows-1252 decodes any bytes.
            let lossy = || WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned();
            charset.decode(bytes).unwrap_or_else(lossy)
        })
    }

    /// Decodes bytes with a label. If its character set lacks some of the bytes, the label is
    /// ignored.
    pub(super) fn decode_labeled(&self, bytes: Vec<u8>, label: Option<&[u8]>) -> String {
        let charset = label.and_then(Encoding::for_label_no_replacement).map(Charset);
        let has_bom = Encoding::for_bom(&bytes).is_some();
        match charset.filter(|_| !has_bom).and_then(|charset| charset.decode(&bytes)) {
            Some(text) => text,
            None => self.decode(bytes),
        }
    }

    /// Decodes an SGF file. Each tree may have its own label, `CA`.
    pub(super) fn decode_sgf(&self, bytes: Vec<u8>) -> String {
        let labels = values_between(&bytes, b"CA[", b']');
        let is_same = |label: &&[u8]| label.eq_ignore_ascii_case(labels[0]);
        if Encoding::for_bom(&bytes).is_some() || labels.iter().all(is_same) {
            let label = labels.first().map(|label| label.to_vec());
            return self.decode_labeled(bytes, label.as_deref());
        }
        // In all these character sets, bytes of line breaks and parentheses are no parts of other
        // characters.
        let mut text = String::with_capacity(bytes.len());
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let next = rest[1..].windows(3).position(|window| window == b"\n(;");
            let (tree, others) = rest.split_at(next.map_or(rest.len(), |at| at + 2));
            let label = values_between(tree, b"CA[", b']').first().copied();
            text += &self.decode_labeled(tree.to_vec(), label);
            rest = others;
        }
        text
    }

    /// Decodes an XML file by the `encoding` of its declaration.
    pub(super) fn decode_xml(&self, bytes: Vec<u8>) -> String {
        let end = bytes.windows(2).position(|window| window == b"?>").unwrap_or(0).min(1000);
        let label = [b'"', b'\''].into_iter().find_map(|quote| {
            let key = [b"encoding=".as_slice(), &[quote]].concat();
            values_between(&bytes[..end], &key, quote).first().map(|label| label.to_vec())
        });
        self.decode_labeled(bytes, label.as_deref())
    }
}

/// Returns the bytes between each key and the next `end`, at most 100.
fn values_between<'a>(bytes: &'a [u8], key: &[u8], end: u8) -> Vec<&'a [u8]> {
    let mut values = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(key.len()).position(|window| window == key) {
        rest = &rest[at + key.len()..];
        let length = rest.iter().take(100).position(|&byte| byte == end);
        values.extend(length.map(|length| rest[..length].trim_ascii()));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_known_by_label_or_guessed() {
        assert_eq!("gb2312".parse::<Charset>().unwrap().to_string(), "GBK");
        assert_eq!("iso-8859-1".parse::<Charset>().unwrap().to_string(), "windows-1252");
        assert!("no such set".parse::<Charset>().is_err());
        assert!("replacement".parse::<Charset>().is_err());
        let decoder = Decoder::default();
        assert_eq!(decoder.decode(b"\xef\xbb\xbfa".to_vec()), "a");
        // An incomplete character at the end is replaced.
        let text = decoder.decode(b"\xff\xfe-N\x87e\x00".to_vec());
        assert_eq!(text, "\u{4e2d}\u{6587}\u{fffd}");
        assert_eq!(decoder.decode(b"\xfe\xff\x00a".to_vec()), "a");
        assert_eq!(decoder.guessed(), None);
        assert_eq!(decoder.decode(b"M\xfcller".to_vec()), "M\u{fc}ller");
        assert_eq!(decoder.guessed().map(|set| set.to_string()).as_deref(), Some("windows-1252"));
        // A label that the bytes contradict is ignored.
        let text = decoder.decode_labeled(b"M\xfcller".to_vec(), Some(b"UTF-8"));
        assert_eq!(text, "M\u{fc}ller");
    }

    #[test]
    fn each_tree_has_its_own_label() {
        let bytes = b"(;CA[windows-1251]C[\xc8])\n(;CA[KOI8-R]C[\xe9])\n(;CA[UTF-8]C[\xd0\x98])";
        let text = Decoder::default().decode_sgf(bytes.to_vec());
        assert_eq!(text.matches("C[\u{418}]").count(), 3, "{text}");
        let xml = b"<?xml version='1.0' encoding='windows-1251'?><a b='\xc8'/>";
        assert!(Decoder::default().decode_xml(xml.to_vec()).contains('\u{418}'));
    }

    #[test]
    fn trail_bytes_are_no_escapes() {
        // The second byte of these characters is that of a backslash or a bracket.
        for (label, text) in
            [("Shift_JIS", "\u{8868}\u{80fd}"), ("Big5", "\u{529f}\u{8a31}"), ("GBK", "\u{4e57}")]
        {
            let bytes = Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned();
            let file = [b"(;CA[", label.as_bytes(), b"]EV[", &bytes, b"];B[hh])"].concat();
            let file = Decoder::default().decode_sgf(file);
            assert!(file.ends_with(&format!("EV[{text}];B[hh])")), "{file}");
        }
    }
}
