//! Which words do not go together.

use super::{Base, Boat, Modifier, OpenFours, Spec, SpecError};

/// Refuses a spec two of whose words clash, naming both.
pub(super) fn check_pairs(spec: &Spec) -> Result<(), SpecError> {
    let words = spec.modifiers();
    for (index, &first) in words.iter().enumerate() {
        for &second in &words[index + 1..] {
            if clash(first, second) || clash(second, first) {
                return Err(SpecError::Clash(first.to_string(), second.to_string()));
            }
        }
    }
    let has = |wanted: fn(&Modifier) -> bool| words.iter().any(wanted);
    for &word in words {
        match word {
            Modifier::CenterFirst if !has(|m| *m == Modifier::Swap) => {
                return Err(SpecError::Needs(word.to_string(), "swap"));
            }
            Modifier::Diamonds(_) if !has(|m| *m == Modifier::Plus) => {
                return Err(SpecError::Needs(word.to_string(), "plus"));
            }
            _ => (),
        }
    }
    let resized = has(|m| matches!(m, Modifier::Size(grid) if grid.shorter_side() != 19));
    let standard = spec.base_game() == Base::Pente && !resized;
    if has(|m| *m == Modifier::Plus) && !standard && !has(|m| matches!(m, Modifier::Diamonds(_))) {
        // The standard points are those of the board of 19x19.
        return Err(SpecError::Needs("plus".to_owned(), "size=19` or `diamonds=..."));
    }
    Ok(())
}

/// Whether the first word does not go with the second.
fn clash(first: Modifier, second: Modifier) -> bool {
    use Modifier::{Anti, Boat as Five, FiveOnly, G, Players, PlusMinus, Poof, Teams};
    match first {
        // Openings and captures that are made for two.
        _ if first.swap().is_some() => matches!(second, Players(3..) | Teams),
        G | PlusMinus | Poof if matches!(second, Players(3..) | Teams) => true,
        // Its test asks for the one reply that may follow.
        Five(Boat::Strict) => matches!(second, Players(3..)),
        // Nothing would be left to play for.
        Anti(OpenFours::AnyFourForbidden) | PlusMinus => second == FiveOnly,
        Teams => matches!(second, Players(2 | 3)),
        Modifier::Plus => !goes_with_plus(second),
        _ => false,
    }
}

/// Pente Plus is played with few other words.
fn goes_with_plus(word: Modifier) -> bool {
    use Modifier::{
        CenterFirst, Diamonds, FiveOnly, Keryo, MaxPlies, Neutral, Players, Plus, Size,
    };
    let known = matches!(
        word,
        CenterFirst
            | Diamonds(_)
            | FiveOnly
            | Keryo
            | MaxPlies(_)
            | Neutral
            | Players(2)
            | Plus
            | Size(_)
    );
    known || word.is_opening()
}
