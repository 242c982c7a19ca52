//! Opening limits (rules, section 2): plain data for each word, and the test.

use super::Point;
use super::ruleset::Ruleset;

/// What an opening asks of player 1; nobody else is limited.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// His first stone goes to the centre.
    pub first_at_centre: bool,
    /// The least Chebyshev distance of his second stone from his first; 0 is no limit.
    pub second_distance: i32,
    /// Distances at which his second stone may not be on the row or column of his first.
    pub second_off_axes: &'static [i32],
    /// The smallest board side on which the opening makes sense.
    pub smallest_side: i32,
}

/// `free`: player 1 anywhere (S3).
pub const FREE: Opening =
    Opening { first_at_centre: false, second_distance: 0, second_off_axes: &[], smallest_side: 1 };

/// No opening word: player 1 at the centre, nothing more (S1).
pub const CENTRE: Opening = Opening { first_at_centre: true, ..FREE };

/// `pro`: player 1 at the centre, his second stone at distance 3 or more (S1, S3, PO).
pub const PRO: Opening = Opening { second_distance: 3, smallest_side: 7, ..CENTRE };

/// `long-pro`: as `pro` with distance 4 or more (AP, BGA).
pub const LONG_PRO: Opening = Opening { second_distance: 4, smallest_side: 9, ..CENTRE };

/// `g`: `pro`, and not on the centre's row or column at distance 3 or 4 (PO).
pub const G: Opening = Opening { second_off_axes: &[3, 4], smallest_side: 9, ..PRO };

/// Ninuki: Black anywhere, his second stone at distance 3 or more from his own first (S5).
pub const NINUKI: Opening = Opening { second_distance: 3, ..FREE };

/// The opening that a word names, if it names one.
pub fn named(word: &str) -> Option<Opening> {
    match word {
        "free" => Some(FREE),
        "pro" => Some(PRO),
        "long-pro" => Some(LONG_PRO),
        "g" => Some(G),
        _ => None,
    }
}

/// Whether the opening lets the player to move put a stone on an empty point.
///
/// A distance from the centre is one from player 1's first stone, which then lies there.
pub fn allows(rules: &Ruleset, history: &[(usize, Point)], point: Point) -> Result<(), String> {
    let opening = rules.opening;
    let centre = (rules.columns / 2 + 1, rules.rows / 2 + 1);
    if history.is_empty() && opening.first_at_centre && point != centre {
        return Err("the first stone goes to the centre".to_string());
    }
    if history.len() == rules.seats {
        let (_, first) = history[0];
        let across = (point.0 - first.0).abs();
        let up = (point.1 - first.1).abs();
        let distance = across.max(up);
        if distance < opening.second_distance {
            return Err("the second stone is too close to the first".to_string());
        }
        let on_axis = across == 0 || up == 0;
        if on_axis && opening.second_off_axes.contains(&distance) {
            return Err("the second stone is forbidden on this row or column".to_string());
        }
    }
    Ok(())
}
