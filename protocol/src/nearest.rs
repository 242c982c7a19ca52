//! "Did you mean ...": the known word closest to a mistyped one.

/// Words longer than this are never taken for a typo.
const LONGEST: usize = 64;

/// The known word that `word` is most likely a typo of, if there is one.
///
/// Closeness is the number of letters inserted, left out, replaced or swapped
/// with their neighbor; case does not count. Short words allow one slip, longer
/// ones two or three. The first of equally close words wins.
///
/// ```
/// use pentarch_protocol::nearest;
///
/// assert_eq!(nearest("postion", ["go", "position"]), Some("position"));
/// assert_eq!(nearest("banana", ["go", "position"]), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = letters(word)?;
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in known {
        let Some(other) = letters(candidate) else { continue };
        let slips = distance(&word, &other);
        let plausible = slips <= allowance(other.len()) && slips < other.len().max(word.len());
        if plausible && best.is_none_or(|(least, _)| slips < least) {
            best = Some((slips, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many slips a word of this length may contain.
fn allowance(length: usize) -> usize {
    match length {
        0..=4 => 1,
        5..=9 => 2,
        _ => 3,
    }
}

/// The letters of a word without case, or nothing if it is too long to be a typo.
fn letters(word: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = word.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    (letters.len() <= LONGEST).then_some(letters)
}

/// The edit distance in which swapping two neighbors counts as one slip
/// (optimal string alignment).
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (row, &a) in from.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &b) in to.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX);
            let replaced = at(&above, column) + usize::from(a != b);
            let dropped = at(&above, column + 1) + 1;
            let added = at(&current, column) + 1;
            let mut least = replaced.min(dropped).min(added);
            let neighbors = |word: &[char], end: usize| {
                end.checked_sub(1).and_then(|before| word.get(before).copied())
            };
            if neighbors(from, row) == Some(b) && neighbors(to, column) == Some(a) {
                least = least.min(at(&before, column - 1) + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str) -> usize {
        distance(&letters(a).unwrap(), &letters(b).unwrap())
    }

    #[test]
    fn distances() {
        for (a, b, slips) in [
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
            assert_eq!(between(a, b), slips, "{a} {b}");
            assert_eq!(between(b, a), slips, "{b} {a}");
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
