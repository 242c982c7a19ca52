//! What a Gomocup manager wants to play.

use crate::dialects::gomocup as dialect;
use crate::rules::Ruleset;
use crate::session::Preferences;

/// The game that `INFO` or the command line has chosen, and whether that can be played.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    rules: Option<Ruleset>,
    /// Whether the user named the game. Managers send `INFO rule 0` to everybody, so it leaves such
    /// a game alone.
    is_named: bool,
    trouble: Option<String>,
}

/// What Yixin-Board means by rule 2.
const YIXIN_RENJU: i64 = 2;

impl Variant {
    pub(super) fn new(preferences: &Preferences) -> Variant {
        let mut variant = Variant { rules: None, is_named: false, trouble: None };
        if preferences.names_game {
            variant.choose(Ok(preferences.rules.clone()), "--variant", true);
        } else {
            variant.set_rule(0, false);
        }
        variant
    }

    /// Takes `INFO rule`, with Yixin-Board's own numbers if that is what sent it.
    pub(super) fn set_rule(&mut self, rule: i64, is_yixin: bool) {
        if rule == 0 && self.is_named {
            return;
        }
        let rule = if is_yixin && rule == YIXIN_RENJU { 4 } else { rule };
        let chosen = format!("INFO rule {rule}");
        self.choose(dialect::rules(rule).map_err(|error| error.to_string()), &chosen, false);
    }

    /// Takes `INFO variant`.
    pub(super) fn set_spec(&mut self, spec: &str) {
        let rules = spec.parse::<Ruleset>().map_err(|error| error.to_string());
        self.choose(rules, "INFO variant", true);
    }

    fn choose(&mut self, rules: Result<Ruleset, String>, chosen: &str, is_named: bool) {
        match rules.and_then(|rules| without_choice(&rules)) {
            Ok(rules) => {
                *self = Variant { rules: Some(rules), is_named, trouble: None };
            }
            Err(error) => self.trouble = Some(format!("{chosen}: {error}")),
        }
    }

    /// Why what was chosen last cannot be played.
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
    use crate::engine::Options;
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
        })
    }

    fn name(variant: &Variant) -> String {
        variant.rules(15, 15).unwrap().to_string()
    }

    #[test]
    fn rules_by_number() {
        let mut variant = variant(None);
        assert_eq!(name(&variant), "gomoku");
        variant.set_rule(1, false);
        assert_eq!(name(&variant), "gomoku-standard");
        for unknown in [2, 3, 5, -1, i64::MAX] {
            variant.set_rule(unknown, false);
            assert!(variant.trouble().unwrap().contains(&unknown.to_string()));
        }
        variant.set_rule(0, false);
        assert_eq!((name(&variant).as_str(), variant.trouble()), ("gomoku", None));
    }

    #[test]
    fn a_named_game_outlives_rule_0_only() {
        let mut variant = variant(Some("keryo-pente"));
        variant.set_rule(0, false);
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
            variant.set_spec(spec);
            assert!(variant.trouble().unwrap().contains(message), "{spec}");
            assert_eq!(name(&variant), "gomoku");
        }
        assert!(variant.rules(2, 2).is_err());
        assert_eq!(variant.rules(20, 10).unwrap().to_string(), "gomoku+size=20x10");
    }
}
