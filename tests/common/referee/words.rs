//! The modifiers of a spec, `NAME[+modifier...]`, and which of them do not go together (rules,
//! section 3, "Refused"; the protocol, "Variants").

use super::openings::{self, Opening};
use super::ruleset::{Base, catalog};

/// A base game and the modifiers that are in force.
#[derive(Clone, Debug)]
pub struct Words {
    pub base: Base,
    /// The modifiers in force: those of the catalog's name that no explicit one replaces, then the
    /// explicit ones.
    words: Vec<String>,
}

/// The keys whose value an explicit word replaces.
const REPLACED: [&str; 4] = ["size", "goal", "players", "max-plies"];

/// What `plus` goes with besides opening words.
const WITH_PLUS: [&str; 7] =
    ["plus", "keryo", "five-only", "neutral", "centre-first", "diamonds", "max-plies"];

/// Pairs that are refused, each a word or a key with any value.
const REFUSED: &[(&str, &str)] = &[
    ("plus-minus", "five-only"),
    ("boat", "boat=strict"),
    ("boat", "o"),
    ("anti", "anti=any"),
    ("anti=any", "five-only"),
    ("players=2", "teams"),
    ("players=3", "teams"),
    ("boat=strict", "players=3"),
    ("boat=strict", "players=4"),
];

/// What is for two players only.
const FOR_TWO: [&str; 8] = ["swap", "swap1", "swap2", "swap3", "g", "plus-minus", "poof", "o"];

/// What makes a game one for more than two.
const FOR_MORE: [&str; 3] = ["players=3", "players=4", "teams"];

fn key(word: &str) -> &str {
    word.split_once('=').map_or(word, |(key, _)| key)
}

fn is_opening(word: &str) -> bool {
    openings::named(word).is_some()
}

fn clash(one: &str, two: &str) -> String {
    format!("`{one}` does not go with `{two}`")
}

impl Words {
    /// Reads a spec, or says what is unknown in it or refused.
    pub fn read(spec: &str) -> Result<Words, String> {
        let spec = spec.trim().to_lowercase().replace(['_', ' '], "-");
        let mut parts = spec.split('+');
        let name = parts.next().unwrap_or_default();
        let (base, own) = catalog(name).ok_or_else(|| format!("unknown game `{name}`"))?;
        let explicit: Vec<String> = parts
            .map(|word| if word == "double-swap" { "swap2" } else { word }.to_owned())
            .collect();
        for word in &explicit {
            if !base.takes.contains(&key(word)) {
                return Err(clash(base.name, word));
            }
            check_form(word)?;
        }
        check_twice(&explicit)?;
        let is_replaced = |word: &str| {
            let by = |other: &String| {
                if is_opening(word) {
                    is_opening(other)
                } else {
                    REPLACED.contains(&key(word)) && key(other) == key(word)
                }
            };
            explicit.iter().any(by)
        };
        let own = own.iter().filter(|word| !is_replaced(word)).map(|&word| word.to_owned());
        let words = Words { base, words: own.chain(explicit.iter().cloned()).collect() };
        words.check_pairs()?;
        Ok(words)
    }

    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|other| other == word)
    }

    /// The value of a key, empty if the word has none.
    pub fn value(&self, asked: &str) -> Option<&str> {
        let word = self.words.iter().find(|word| key(word) == asked)?;
        Some(word.split_once('=').map_or("", |(_, value)| value))
    }

    /// The value of a key as a whole number between two limits.
    pub fn number(&self, key: &str, least: u32, most: u32) -> Result<Option<u32>, String> {
        self.value(key).map(|value| number(value, least, most)).transpose()
    }

    pub fn opening_word(&self) -> Option<&str> {
        self.words.iter().map(String::as_str).find(|word| is_opening(word))
    }

    /// The opening in force.
    pub fn opening(&self) -> Result<Opening, String> {
        let word = self.opening_word();
        if self.has("centre-first") && word != Some("swap") {
            return Err(clash("centre-first", word.unwrap_or(self.base.name)));
        }
        let opening = match word {
            Some(word) => openings::named(word).expect("an opening"),
            // Five in a row: first stone anywhere (S3), unless an opening word is given.
            None if self.has("five-only") && self.base.name == "pente" => openings::FREE,
            None => self.base.opening,
        };
        let first_at_center = opening.first_at_center || self.has("centre-first");
        Ok(Opening { first_at_center, ..opening })
    }

    /// Columns and rows: `size=N`, or `size=MxN` in the Gomoku games.
    pub fn size(&self) -> Result<(i32, i32), String> {
        let Some(value) = self.value("size") else {
            return Ok((self.base.side, self.base.side));
        };
        match value.split_once('x') {
            Some(_) if !self.base.takes_oblong => {
                Err(clash(self.base.name, &format!("size={value}")))
            }
            Some((columns, rows)) => {
                Ok((number(columns, 3, 25)? as i32, number(rows, 3, 25)? as i32))
            }
            None => number(value, 5, 25).map(|side| (side as i32, side as i32)),
        }
    }

    /// Names a pair of words that do not go together.
    fn check_pairs(&self) -> Result<(), String> {
        for one in FOR_MORE.into_iter().filter(|word| self.has(word)) {
            if let Some(two) = FOR_TWO.into_iter().find(|word| self.has(word)) {
                return Err(clash(two, one));
            }
        }
        let refused = REFUSED.iter().find(|(one, two)| self.has(one) && self.has(two));
        if let Some((one, two)) = refused {
            return Err(clash(one, two));
        }
        if self.has("plus") {
            return self.check_plus();
        }
        match self.words.iter().find(|word| key(word) == "diamonds") {
            Some(word) => Err(clash(self.base.name, word)),
            None => Ok(()),
        }
    }

    fn check_plus(&self) -> Result<(), String> {
        let known = |word: &String| {
            is_opening(word) || WITH_PLUS.contains(&key(word)) || word == "players=2"
        };
        let has_diamonds = self.value("diamonds").is_some();
        let other = self.words.iter().find(|word| match key(word) {
            "size" => !has_diamonds,
            _ => !known(word),
        });
        match other {
            Some(word) => Err(clash("plus", word)),
            // The diamonds known by themselves are those of 19x19.
            None if self.base.side != 19 && !has_diamonds => Err(clash("plus", self.base.name)),
            None => Ok(()),
        }
    }
}

/// Whether a word has a value if and only if it needs one.
fn check_form(word: &str) -> Result<(), String> {
    let fits = match word.split_once('=') {
        None => !["line", "size", "goal", "players", "diamonds", "max-plies"].contains(&word),
        Some(("boat", value)) => value == "strict",
        Some(("anti", value)) => value == "any",
        Some((key, _)) => {
            ["line", "size", "goal", "players", "diamonds", "max-plies"].contains(&key)
        }
    };
    if fits { Ok(()) } else { Err(format!("unknown modifier `{word}`")) }
}

/// Two opening words, or two values for one key, do not go together.
fn check_twice(words: &[String]) -> Result<(), String> {
    for (index, one) in words.iter().enumerate() {
        for two in &words[index + 1..] {
            let both_open = is_opening(one) && is_opening(two);
            if one != two && (both_open || key(one) == key(two)) {
                return Err(clash(one, two));
            }
        }
    }
    Ok(())
}

/// A whole number between two limits.
fn number(text: &str, least: u32, most: u32) -> Result<u32, String> {
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("`{text}` is not a number from {least} to {most}")),
    }
}
