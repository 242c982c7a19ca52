//! UGI and UCI: names of games, moves, positions, limits and reports.
//!
//! The two differ in words, which the protocol crate knows, and in three things known here: UCI
//! counts the moves up to a mate where UGI counts plies, and it has gomoku as cutechess writes it.
//! Chess programs know two games of gomoku, `gomoku` with exactly five in a row and
//! `gomokufreestyle` with five or more, on 15x15. A stone is a pawn that drops from the hand,
//! `P@h8`, and White, in capital letters, moves first.

mod limits;
mod options;
mod position;
mod report;

pub use limits::LimitsError;
pub use position::PositionError;

use pentarch_core::game::{Move, Outcome};
use pentarch_core::rules::catalog::CATALOG;
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::{Game, GameError};
use pentarch_protocol::ugi::{Flavor, OptionDecl, OptionKind};
use std::sync::LazyLock;

/// The option that selects the game.
pub const VARIANT: &str = "UCI_Variant";

/// The games whose moves are drops in UCI: its names and ours.
const DROPS: [(&str, &str); 2] = [("gomoku", "gomoku-standard"), ("gomokufreestyle", "gomoku")];

/// Values of the engine as UGI or UCI writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codec(pub Flavor);

impl Codec {
    /// The game of that name.
    pub fn rules(self, name: &str) -> Result<Ruleset, VariantSpecError> {
        let known = DROPS.iter().find(|(theirs, _)| theirs.eq_ignore_ascii_case(name));
        match known {
            Some((_, ours)) if self.0 == Flavor::Uci => ours.parse(),
            _ => name.parse(),
        }
    }

    /// The name of a game.
    pub fn variant(self, rules: &Ruleset) -> String {
        self.renamed(rules.to_string())
    }

    /// The option that selects the game: all games that have a name of their own, and the one that
    /// is selected.
    pub fn variants(self, selected: &Ruleset) -> OptionKind {
        OptionKind::Combo {
            default: self.variant(selected),
            choices: CATALOG.iter().map(|row| self.renamed(row.name.to_owned())).collect(),
        }
    }

    /// The word for a game among those that an engine declares for the option, however it orders the
    /// words.
    pub fn declared<'a>(self, rules: &Ruleset, option: &'a OptionDecl) -> Option<&'a str> {
        let OptionKind::Combo { choices, .. } = &option.kind else { return None };
        let ours = self.variant(rules);
        let same = |word: &&String| word.eq_ignore_ascii_case(&ours);
        let equal = |word: &&String| self.rules(word).is_ok_and(|read| read == *rules);
        let word = choices.iter().find(same).or_else(|| choices.iter().find(equal));
        word.map(String::as_str)
    }

    fn renamed(self, name: String) -> String {
        let drops = DROPS.iter().find(|(_, ours)| *ours == name);
        match drops {
            Some((theirs, _)) if self.0 == Flavor::Uci => (*theirs).to_owned(),
            _ => name,
        }
    }

    /// Whether the moves of a game are drops.
    fn has_drops(self, game: &Game) -> bool {
        // Asked for each move: working out a game's name would cost more than the rest.
        static GAMES: LazyLock<Vec<Ruleset>> =
            LazyLock::new(|| DROPS.iter().filter_map(|(_, ours)| ours.parse().ok()).collect());
        self.0 == Flavor::Uci && GAMES.contains(game.rules())
    }

    /// Reads a move. It need not be legal.
    pub fn parse_move(self, game: &Game, text: &str) -> Result<Move, GameError> {
        game.parse_move(self.canonical(game, text))
    }

    /// The text of a move without the mark of a drop.
    pub fn canonical<'a>(self, game: &Game, text: &'a str) -> &'a str {
        let drop = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@"));
        match drop {
            Some(point) if self.has_drops(game) => point,
            _ => text,
        }
    }

    /// The text of a move.
    pub fn move_text(self, game: &Game, mv: Move) -> String {
        let text = game.move_text(mv);
        if self.has_drops(game) { format!("P@{text}") } else { text }
    }

    /// The texts of moves.
    pub fn move_texts(self, game: &Game, moves: &[Move]) -> Vec<String> {
        let mark = if self.has_drops(game) { "P@" } else { "" };
        moves.iter().map(|&mv| format!("{mark}{}", game.move_text(mv))).collect()
    }

    /// The answer to `query result`. The number is the side's.
    pub fn result(self, outcome: Option<Outcome>) -> String {
        match outcome {
            None => "none".to_owned(),
            Some(Outcome { winner: None, .. }) => "draw".to_owned(),
            Some(Outcome { winner: Some(side), .. }) => format!("p{side}win"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UGI: Codec = Codec(Flavor::Ugi);
    const UCI: Codec = Codec(Flavor::Uci);

    #[test]
    fn two_names_mean_other_games_in_uci() {
        for (name, theirs, ours) in [
            ("gomoku", "gomoku-standard", "gomoku"),
            ("GomokuFreestyle", "gomoku", "gomoku"),
            ("pente", "pente", "pente"),
            ("gomoku+size=9", "gomoku+size=9", "gomoku+size=9"),
        ] {
            assert_eq!(UCI.rules(name).unwrap().to_string(), theirs);
            if let Ok(rules) = UGI.rules(name) {
                assert_eq!(rules.to_string(), ours);
            }
        }
        for codec in [UGI, UCI] {
            let listed = codec.variants(&"pente".parse().unwrap());
            let OptionKind::Combo { choices, .. } = listed else { panic!("{listed:?}") };
            for name in choices {
                assert_eq!(codec.variant(&codec.rules(&name).unwrap()), name);
            }
        }
    }

    #[test]
    fn stones_of_gomoku_are_dropped() {
        let gomoku = Game::new(UCI.rules("gomoku").unwrap());
        let center = gomoku.parse_move("h8").unwrap();
        assert_eq!(UCI.parse_move(&gomoku, "P@h8"), Ok(center));
        assert_eq!(UCI.parse_move(&gomoku, "h8"), Ok(center));
        assert_eq!(UCI.move_text(&gomoku, center), "P@h8");
        assert_eq!(UCI.move_texts(&gomoku, &[center]), ["P@h8"]);
        let pente = Game::new(UCI.rules("pente").unwrap());
        assert_eq!(UCI.canonical(&pente, "P@h8"), "P@h8");
        assert_eq!(UGI.canonical(&gomoku, "P@h8"), "P@h8");
    }

    #[test]
    fn moves_are_read_as_they_are_written() {
        for name in ["gomoku", "plus-minus-pente", "neutral-pente", "d-pente", "pentalath"] {
            for codec in [UGI, UCI] {
                let game = Game::new(codec.rules(name).unwrap());
                for &mv in &game.legal_moves() {
                    let text = codec.move_text(&game, mv);
                    assert_eq!(codec.parse_move(&game, &text), Ok(mv), "{name} {text}");
                }
            }
        }
    }

    #[test]
    fn a_game_goes_by_the_word_that_an_engine_declares() {
        let choices = ["pente", "pro-pente+keryo", "gomoku"].map(str::to_owned).to_vec();
        let kind = OptionKind::Combo { default: String::new(), choices };
        let option = OptionDecl { name: VARIANT.to_owned(), kind };
        for (flavor, rules, word) in [
            (Flavor::Ugi, "keryo-pente+pro", Some("pro-pente+keryo")),
            (Flavor::Ugi, "pente", Some("pente")),
            (Flavor::Ugi, "gomoku", Some("gomoku")),
            (Flavor::Uci, "gomoku-standard", Some("gomoku")),
            (Flavor::Uci, "gomoku", None),
            (Flavor::Ugi, "pente+size=13", None),
        ] {
            let rules: Ruleset = rules.parse().unwrap();
            assert_eq!(Codec(flavor).declared(&rules, &option), word, "{rules}");
        }
    }
}
