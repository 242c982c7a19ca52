//! What a Gomocup manager wants to play.

use crate::Preferences;
use crate::dialects::gomocup as dialect;
use pentarch_core::rules::Ruleset;

/// The game that `INFO` or the command line has chosen, and whether that can be played.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    rules: Option<Ruleset>,
    /// Whether the user named the game. Managers send `INFO rule 0` to everybody, so it leaves such
    /// a game alone.
    is_named: bool,
    /// Why the game of the command line cannot be played.
    trouble: Option<String>,
}

/// What Yixin-Board means by rule 2.
const YIXIN_RENJU: i64 = 2;

impl Variant {
    pub(super) fn new(preferences: &Preferences) -> Variant {
        let mut variant = Variant { rules: None, is_named: false, trouble: None };
        if preferences.names_game {
            let chosen = variant.choose(Ok(preferences.rules.clone()), true);
            variant.trouble = chosen.err().map(|error| format!("--variant: {error}"));
        } else {
            let _ = variant.set_rule(0, false);
        }
        variant
    }

    /// Takes `INFO rule`, with Yixin-Board's own numbers if that is what sent it. A number that names
    /// no game becomes the nearest that does, and is told of.
    pub(super) fn set_rule(&mut self, rule: i64, is_yixin: bool) -> Option<String> {
        let rule = if is_yixin && rule == YIXIN_RENJU { 4 } else { rule };
        let (taken, told) = match dialect::rules(rule) {
            Ok(_) => (rule, None),
            Err(error) => {
                let nearest = dialect::nearest_rule(rule);
                (nearest, Some(format!("INFO rule {rule}: {error}; {nearest} is taken")))
            }
        };
        if taken != 0 || !self.is_named {
            let rules = dialect::rules(taken).map_err(|error| error.to_string());
            if let Err(error) = self.choose(rules, false) {
                return Some(format!("INFO rule {rule}: {error}"));
            }
        }
        told
    }

    /// Takes `INFO variant`. A game that cannot be had leaves the one that was, and is told of.
    pub(super) fn set_spec(&mut self, spec: &str) -> Option<String> {
        let rules = spec.parse::<Ruleset>().map_err(|error| error.to_string());
        let error = self.choose(rules, true).err()?;
        let kept = self.rules.as_ref().map_or("no game".to_owned(), Ruleset::to_string);
        Some(format!("INFO variant: {error}; it stays {kept}"))
    }

    fn choose(&mut self, rules: Result<Ruleset, String>, is_named: bool) -> Result<(), String> {
        let rules = rules.and_then(|rules| without_choice(&rules))?;
        *self = Variant { rules: Some(rules), is_named, trouble: None };
        Ok(())
    }

    /// Why the game of the command line cannot be played.
    pub(super) fn trouble(&self) -> Option<String> {
        self.trouble.clone()
    }

    /// The rules on a board of that size.
    pub(super) fn rules(&self, columns: u32, rows: u32) -> Result<Ruleset, String> {
        let rules = self.rules.as_ref().ok_or("no game was chosen")?;
        let size = if columns == rows { columns.to_string() } else { format!("{columns}x{rows}") };
        rules.with(&format!("size={size}")).map_err(|error| error.to_string())
    }
}

/// The rules, of which swap2 is no part: it is asked about by `SWAP2BOARD`, after which the stones lie
/// free.
fn without_choice(rules: &Ruleset) -> Result<Ruleset, String> {
    let board = dialect::check(rules).map_err(|error| error.to_string())?;
    if board.swap.is_none() {
        return Ok(rules.clone());
    }
    rules.with("free").map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_engine::Options;
    use pentarch_protocol::gomocup::Coordinates;
    use std::time::Duration;

    fn variant(named: Option<&str>) -> Variant {
        Variant::new(&Preferences {
            rules: named.unwrap_or("pente").parse().unwrap(),
            names_game: named.is_some(),
            options: Options::default(),
            move_time: Duration::from_secs(1),
            coordinates: Coordinates::Xy,
            extended_moves: false,
            present_as: None,
            tunable: false,
        })
    }

    fn name(variant: &Variant) -> String {
        variant.rules(15, 15).unwrap().to_string()
    }

    #[test]
    fn rules_by_number() {
        let mut variant = variant(None);
        assert_eq!(name(&variant), "gomoku");
        assert_eq!(variant.set_rule(1, false), None);
        assert_eq!(name(&variant), "gomoku-standard");
        // Several games on one board are one game here, and the rest is the nearest number.
        for (unknown, nearest) in [
            (2, "gomoku"),
            (3, "gomoku-standard"),
            (5, "renju"),
            (6, "renju"),
            (-1, "gomoku"),
            (i64::MAX, "caro-standard"),
            (i64::MIN, "gomoku"),
        ] {
            let told = variant.set_rule(unknown, false).unwrap();
            assert!(told.contains(&unknown.to_string()) && told.contains("is taken"), "{told}");
            assert_eq!(
                variant.rules(15, 15).unwrap(),
                nearest.parse::<Ruleset>().unwrap().with("size=15").unwrap()
            );
        }
        assert_eq!(variant.set_rule(0, false), None);
        assert_eq!((name(&variant).as_str(), variant.trouble()), ("gomoku", None));
    }

    #[test]
    fn a_named_game_outlives_rule_0_only() {
        let mut variant = variant(Some("keryo-pente"));
        assert_eq!(variant.set_rule(0, false), None);
        assert_eq!(name(&variant), "keryo-pente+size=15");
        variant.set_spec("pente");
        variant.set_rule(0, false);
        assert_eq!(name(&variant), "pente+size=15");
        variant.set_rule(1, false);
        variant.set_rule(0, false);
        assert_eq!(name(&variant), "gomoku");
    }

    #[test]
    fn games_that_points_cannot_tell() {
        let mut variant = variant(None);
        for (spec, message) in
            [("pent-up", "points only"), ("gomok", "unknown variant"), ("pente+", "+")]
        {
            let told = variant.set_spec(spec).unwrap();
            assert!(told.contains(message) && told.contains("it stays gomoku"), "{told}");
            assert_eq!(name(&variant), "gomoku");
        }
        assert!(super::tests::variant(Some("pent-up")).trouble().unwrap().contains("--variant"));
        assert!(variant.rules(2, 2).is_err());
        assert_eq!(variant.rules(20, 10).unwrap().to_string(), "gomoku+size=20x10");
    }
}
