//! "Did you mean ...?": the known word that is closest to a mistyped one.

/// The longest word that may be a typo, in characters.
const MAX_LENGTH: usize = 64;

/// Returns the known word of which `word` is most likely a typo, if there is one.
///
/// The distance is the number of letters inserted, removed, replaced or swapped with their neighbor
/// (optimal string alignment); case does not count. Words of up to four letters allow a distance of
/// one, longer ones of two or three. The first of equally close words wins.
///
/// ```
/// use pentarch_protocol::nearest;
///
/// assert_eq!(nearest("postion", ["go", "position"]), Some("position"));
/// assert_eq!(nearest("banana", ["go", "position"]), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = Letters::of(word)?;
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in known {
        let Some(other) = Letters::of(candidate) else { continue };
        let distance = word.distance(&other);
        let plausible = distance <= other.max_distance() && distance < other.count.max(word.count);
        if plausible && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A word in lower case.
struct Letters {
    text: String,
    count: usize,
}

impl Letters {
    /// Returns `None` if the word is too long to be a typo.
    fn of(word: &str) -> Option<Letters> {
        let text: String = word.chars().take(MAX_LENGTH + 1).flat_map(char::to_lowercase).collect();
        let count = text.chars().count();
        (count <= MAX_LENGTH).then_some(Letters { text, count })
    }

    /// Returns the edit distance, in which swapping two neighbors counts as one.
    fn distance(&self, other: &Letters) -> usize {
        strsim::osa_distance(&self.text, &other.text)
    }

    /// Returns the largest distance of a typo of this word.
    fn max_distance(&self) -> usize {
        match self.count {
            0..=4 => 1,
            5..=9 => 2,
            _ => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str) -> usize {
        Letters::of(a).unwrap().distance(&Letters::of(b).unwrap())
    }

    #[test]
    fn distances() {
        for (a, b, distance) in [
            ("", "", 0),
            ("", "go", 2),
            ("go", "", 2),
            ("go", "go", 0),
            ("og", "go", 1),
            ("gor", "go", 1),
            ("stpo", "stop", 1),
            ("postion", "position", 1),
            ("kitten", "sitting", 3),
            ("abcd", "badc", 2),
        ] {
            assert_eq!(between(a, b), distance, "{a} {b}");
            assert_eq!(between(b, a), distance, "{b} {a}");
        }
    }

    #[test]
    fn only_plausible_typos_are_named() {
        let known = ["d", "go", "stop", "position", "setoption"];
        for (word, meant) in [
            ("gor", Some("go")),
            ("Stpo", Some("stop")),
            ("set_option", Some("setoption")),
            ("x", None),
            ("", None),
            ("genmove", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(nearest(&"p".repeat(10_000), known), None);
    }
}
