//! The text form of a ruleset: `NAME[+modifier...]`.

use super::catalog::{self, CATALOG};
use super::modifier::WordError;
use super::{BaseGame, BreakableFives, Modifier};
use pentarch_protocol::nearest;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A base game with modifiers in canonical order, without modifiers that change nothing.
///
/// Input may differ in case and use `_` or blanks. Output is canonical: the catalog name that includes most
/// modifiers, followed by the other modifiers in order.
///
/// ```
/// use pentarch_core::rules::VariantSpec;
/// let spec: VariantSpec = "pente+size=13+PRO".parse().unwrap();
/// assert_eq!(spec.to_string(), "pro-pente+size=13");
/// assert_eq!("Pro_Pente + size=19".parse::<VariantSpec>().unwrap().to_string(), "pro-pente");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariantSpec {
    base: BaseGame,
    modifiers: Vec<Modifier>,
}

/// Why a text does not describe a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantSpecError {
    /// An unknown name of a variant.
    #[error("unknown variant `{name}`{}", suggestion(.nearest.as_deref()))]
    UnknownName {
        /// The unknown name.
        name: String,
        /// The most similar known name.
        nearest: Option<String>,
    },
    /// An unknown modifier.
    #[error("unknown modifier `{word}`{}", suggestion(.nearest.as_deref()))]
    UnknownModifier {
        /// The unknown word.
        word: String,
        /// The most similar known word.
        nearest: Option<String>,
    },
    /// No modifier after a `+`.
    #[error("expected a modifier after `+`")]
    NoModifier,
    /// A modifier with an invalid value.
    #[error("modifier `{word}` needs {expected}")]
    Value {
        /// The word with its value.
        word: String,
        /// The values that are valid.
        expected: &'static str,
    },
    /// Two words that do not combine.
    #[error("`{0}` and `{1}` do not go together")]
    Clash(String, String),
    /// A word without another that it needs.
    #[error("`{0}` needs `{1}`")]
    Needs(String, &'static str),
    /// A modifier that does not apply to the base game.
    #[error("`{modifier}` makes no sense in `{base}`{why}")]
    NotFor {
        /// The modifier.
        modifier: String,
        /// The base game's name.
        base: &'static str,
        /// The reason, beginning with a comma.
        why: &'static str,
    },
    /// A game on another kind of board than the requested one.
    #[error("`{0}` is not {1}")]
    WrongBoard(String, &'static str),
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |word| format!(", did you mean `{word}`?"))
}

impl VariantSpecError {
    /// The same error about the words as written: `o` means three modifiers, and a name may mean several.
    fn in_terms_of(self, words: &[String]) -> VariantSpecError {
        let written = |modifier: &str| {
            let is_part_of = |word: &&String| match catalog::find(word) {
                Some(row) => row_spec(row).modifiers.iter().any(|m| m.to_string() == modifier),
                None => *word == "o" && O_PENTE.iter().any(|m| m.to_string() == modifier),
            };
            let same = words.iter().any(|word| word == modifier);
            let whole = words.iter().rev().find(is_part_of).filter(|_| !same);
            whole.map_or(modifier, String::as_str).to_owned()
        };
        match self {
            VariantSpecError::Clash(a, b) if written(&a) != written(&b) => {
                VariantSpecError::Clash(written(&a), written(&b))
            }
            VariantSpecError::Needs(word, what) => VariantSpecError::Needs(written(&word), what),
            VariantSpecError::NotFor { modifier, base, why } => {
                VariantSpecError::NotFor { modifier: written(&modifier), base, why }
            }
            other => other,
        }
    }

    pub(super) fn not_for(
        modifier: Modifier,
        spec: &VariantSpec,
        why: &'static str,
    ) -> VariantSpecError {
        VariantSpecError::NotFor { modifier: modifier.to_string(), base: spec.base.name(), why }
    }
}

impl VariantSpec {
    /// A base game without modifiers.
    pub const fn base(base: BaseGame) -> VariantSpec {
        VariantSpec { base, modifiers: Vec::new() }
    }

    /// The base game.
    pub fn base_game(&self) -> BaseGame {
        self.base
    }

    /// The modifiers in canonical order, at most one of a kind.
    pub fn modifiers(&self) -> &[Modifier] {
        &self.modifiers
    }

    /// The spec with one more word, such as `size=13`, which replaces any that sets the same component.
    pub fn with(&self, word: &str) -> Result<VariantSpec, VariantSpecError> {
        let mut spec = self.clone();
        spec.set(modifier(&normalize(word))?);
        spec.drop_defaults()
    }

    /// Whether this spec has the base game and all modifiers of another.
    pub(super) fn includes(&self, other: &VariantSpec) -> bool {
        self.base == other.base && other.modifiers.iter().all(|m| self.modifiers.contains(m))
    }

    /// Adds a modifier, which replaces any that sets the same component.
    fn set(&mut self, modifier: Modifier) {
        self.modifiers.retain(|&old| !old.same_kind(modifier));
        self.modifiers.push(modifier);
        self.modifiers.sort_unstable();
    }

    /// Removes every modifier without which the rules are the same.
    fn drop_defaults(mut self) -> Result<VariantSpec, VariantSpecError> {
        let rules = super::Ruleset::new(self.clone())?;
        for modifier in self.modifiers.clone() {
            let mut less = self.clone();
            less.modifiers.retain(|&kept| kept != modifier);
            if super::Ruleset::new(less.clone()).is_ok_and(|same| same.plays_like(&rules)) {
                self = less;
            }
        }
        Ok(self)
    }
}

impl FromStr for VariantSpec {
    type Err = VariantSpecError;

    fn from_str(text: &str) -> Result<VariantSpec, VariantSpecError> {
        let words: Vec<String> = text.split('+').map(normalize).collect();
        VariantSpec::of_words(&words).map_err(|error| error.in_terms_of(&words))
    }
}

impl VariantSpec {
    /// Reads a name and modifiers in canonical spelling.
    fn of_words(words: &[String]) -> Result<VariantSpec, VariantSpecError> {
        let mut words = words.iter().cloned();
        let name = words.next().unwrap_or_default();
        let row = catalog::find(&name).ok_or_else(|| VariantSpecError::UnknownName {
            nearest: nearest_name(&name).map(str::to_owned),
            name: shorten(&name),
        })?;
        let mut spec = row_spec(row);
        let mut asked: Vec<Modifier> = Vec::new();
        for modifier in parse_words(words)? {
            if let Some(other) = asked.iter().find(|m| m.same_kind(modifier) && **m != modifier) {
                return Err(VariantSpecError::Clash(other.to_string(), modifier.to_string()));
            }
            // A word may replace the opening that a name includes, but not its other words.
            let old = spec.modifiers.iter().find(|m| m.same_kind(modifier) && **m != modifier);
            if let Some(old) = old.filter(|old| old.is_fixed()) {
                return Err(VariantSpecError::Clash(old.to_string(), modifier.to_string()));
            }
            if !asked.contains(&modifier) {
                asked.push(modifier);
                spec.set(modifier);
            }
        }
        spec.drop_defaults()
    }
}

/// Reads modifiers. The word `o` means three of them.
fn parse_words(words: impl Iterator<Item = String>) -> Result<Vec<Modifier>, VariantSpecError> {
    let mut modifiers: Vec<Modifier> = Vec::new();
    for word in words {
        if word == "o" {
            let boat = modifiers.iter().find(|m| **m == Modifier::Boat(BreakableFives::ByAnyReply));
            if let Some(boat) = boat {
                return Err(VariantSpecError::Clash(boat.to_string(), word));
            }
            modifiers.extend(O_PENTE);
        } else {
            modifiers.push(modifier(&word)?);
        }
    }
    Ok(modifiers)
}

/// The modifiers of O-Pente (S3).
const O_PENTE: [Modifier; 3] =
    [Modifier::Keryo, Modifier::Poof, Modifier::Boat(BreakableFives::OnlyByCapture)];

/// The spec of a named variant. Tests verify that every definition in the catalog is valid.
fn row_spec(row: &catalog::Variant) -> VariantSpec {
    let mut words = row.definition.split('+');
    let name = words.next().unwrap_or_default();
    let base =
        BaseGame::ALL.into_iter().find(|base| base.name() == name).unwrap_or(BaseGame::Pente);
    let mut modifiers: Vec<_> = words.filter_map(|word| Modifier::parse(word).ok()).collect();
    modifiers.sort_unstable();
    VariantSpec { base, modifiers }
}

/// The name most similar to a text, even if its parts are in another order.
fn nearest_name(text: &str) -> Option<&'static str> {
    let parts = |name: &str| name.split('-').map(str::to_owned).collect::<BTreeSet<_>>();
    let wanted = parts(text);
    let shuffled = catalog::names().find(|name| parts(name) == wanted);
    shuffled.or_else(|| nearest(text, catalog::names()))
}

fn modifier(word: &str) -> Result<Modifier, VariantSpecError> {
    if word.is_empty() {
        return Err(VariantSpecError::NoModifier);
    }
    Modifier::parse(word).map_err(|error| match error {
        WordError::Value { expected } => VariantSpecError::Value { word: shorten(word), expected },
        WordError::Unknown => {
            let name = word.split('=').next().unwrap_or_default();
            let known = Modifier::WORDS.iter().map(|(w, _)| w.split('=').next().unwrap_or(w));
            VariantSpecError::UnknownModifier {
                nearest: nearest(name, known).map(str::to_owned),
                word: shorten(word),
            }
        }
    })
}

/// Lower case, hyphens between the parts of a word, no blanks around `=` and `x`.
fn normalize(word: &str) -> String {
    let lower = word.trim().to_lowercase();
    if let Some((name, value)) = lower.split_once('=') {
        return format!("{}={}", normalize(name), value.split_whitespace().collect::<String>());
    }
    let parts = lower.split(|c: char| c == '_' || c == '-' || c.is_whitespace());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// The first 40 characters of a text, for messages.
fn shorten(text: &str) -> String {
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(40).collect();
    if chars.next().is_some() { head + "..." } else { head }
}

impl fmt::Display for VariantSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut best = (self.base.name(), Vec::new());
        for row in CATALOG {
            let spec = row_spec(row);
            if self.includes(&spec) && spec.modifiers.len() > best.1.len() {
                best = (row.name, spec.modifiers);
            }
        }
        f.write_str(best.0)?;
        let rest = self.modifiers.iter().filter(|m| !best.1.contains(m));
        rest.into_iter().try_for_each(|modifier| write!(f, "+{modifier}"))
    }
}
