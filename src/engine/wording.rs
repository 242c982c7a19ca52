//! How UGI and UCI name games, write moves and count up to a mate; their words are the protocol
//! crate's. UCI has gomoku as cutechess writes it.
//!
//! Chess programs know two games of gomoku, `gomoku` with exactly five in a row and
//! `gomokufreestyle` with five or more, on 15x15. A stone is a pawn that drops from the hand,
//! `P@h8`, and White, in capital letters, moves first.

use super::Game;
use crate::game::Move;
use crate::rules::catalog::CATALOG;
use crate::rules::{Ruleset, SpecError};
use crate::search;
use pentarch_protocol::ugi::{Flavor, Score};

/// How a flavour names games, writes moves and counts plies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wording(pub(crate) Flavor);

/// The games whose moves are drops: chess programs' names and ours.
const DROPS: [(&str, &str); 2] = [("gomoku", "gomoku-standard"), ("gomokufreestyle", "gomoku")];

impl Wording {
    /// The game of that name.
    pub(crate) fn rules(self, name: &str) -> Result<Ruleset, SpecError> {
        let known = DROPS.iter().find(|(theirs, _)| theirs.eq_ignore_ascii_case(name));
        match known {
            Some((_, ours)) if self.0 == Flavor::Uci => ours.parse(),
            _ => name.parse(),
        }
    }

    /// The name of a game.
    pub(crate) fn game(self, rules: &Ruleset) -> String {
        self.renamed(rules.to_string())
    }

    /// The names of all games that have one.
    pub(crate) fn games(self) -> Vec<String> {
        CATALOG.iter().map(|row| self.renamed(row.name.to_owned())).collect()
    }

    fn renamed(self, name: String) -> String {
        let drops = DROPS.iter().find(|(_, ours)| *ours == name);
        match drops {
            Some((theirs, _)) if self.0 == Flavor::Uci => (*theirs).to_owned(),
            _ => name,
        }
    }

    /// Whether the moves of a game are drops.
    fn drops(self, game: &Game) -> bool {
        let name = game.rules().to_string();
        self.0 == Flavor::Uci && DROPS.iter().any(|(_, ours)| *ours == name)
    }

    /// A move of this flavour as the game reads it.
    pub(crate) fn read(self, game: &Game, text: &str) -> String {
        let drop = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@"));
        match drop {
            Some(point) if self.drops(game) => point.to_owned(),
            _ => text.to_owned(),
        }
    }

    /// Moves as this flavour writes them.
    pub(crate) fn texts(self, game: &Game, moves: &[Move]) -> Vec<String> {
        let texts: Vec<_> = moves.iter().map(|&mv| game.move_text(mv)).collect();
        self.write(game, texts)
    }

    /// Move texts of a game as this flavour writes them.
    pub(crate) fn write(self, game: &Game, texts: Vec<String>) -> Vec<String> {
        if !self.drops(game) {
            return texts;
        }
        texts.iter().map(|text| format!("P@{text}")).collect()
    }

    /// A position text as the game reads it: cutechess' own have the stones in hand in brackets.
    pub(crate) fn position(self, game: &Game, text: &str) -> String {
        let holdings = text.split_once('[').and_then(|(board, rest)| {
            let (_, rest) = rest.split_once(']')?;
            let mover = rest.split_whitespace().next()?;
            Some((board, mover))
        });
        match holdings {
            Some((board, mover)) if self.drops(game) => {
                let stones = board.chars().filter(char::is_ascii_alphabetic).count();
                let board = board.replace('P', "b").replace('p', "w");
                let mover = if mover == "w" { "b" } else { "w" };
                format!("{board} {mover} - - {}", stones + 1)
            }
            _ => text.to_owned(),
        }
    }

    /// A score: UGI counts plies up to a mate, UCI the winner's moves.
    pub(crate) fn score(self, score: search::Score) -> Score {
        match (score.mate(), self.0) {
            (None, _) => Score::Centipoints(score.value()),
            (Some(plies), Flavor::Ugi) => Score::Mate(plies),
            (Some(plies), Flavor::Uci) => {
                Score::Mate(if plies > 0 { (plies + 1) / 2 } else { plies / 2 })
            }
        }
    }

    /// The plies in which a win is looked for, where the client says `mate n`.
    pub(crate) fn mate_plies(self, count: u32) -> u32 {
        match self.0 {
            Flavor::Ugi => count,
            Flavor::Uci => count.saturating_mul(2).saturating_sub(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(wording: Wording, name: &str) -> Game {
        Game::new(wording.rules(name).unwrap())
    }

    #[test]
    fn two_names_mean_other_games_in_uci() {
        let (ugi, uci) = (Wording(Flavor::Ugi), Wording(Flavor::Uci));
        for (name, theirs, ours) in [
            ("gomoku", "gomoku-standard", "gomoku"),
            ("GomokuFreestyle", "gomoku", "gomoku"),
            ("pente", "pente", "pente"),
            ("gomoku+size=9", "gomoku+size=9", "gomoku+size=9"),
        ] {
            assert_eq!(uci.rules(name).unwrap().to_string(), theirs);
            if let Ok(rules) = ugi.rules(name) {
                assert_eq!(rules.to_string(), ours);
            }
        }
        for name in uci.games() {
            assert_eq!(uci.game(&uci.rules(&name).unwrap()), name);
        }
    }

    #[test]
    fn stones_of_gomoku_are_dropped() {
        let uci = Wording(Flavor::Uci);
        let gomoku = game(uci, "gomoku");
        assert_eq!(uci.read(&gomoku, "P@h8"), "h8");
        assert_eq!(uci.read(&gomoku, "h8"), "h8");
        let center = gomoku.parse_move("h8").unwrap();
        assert_eq!(uci.texts(&gomoku, &[center]), ["P@h8"]);
        let pente = game(uci, "pente");
        assert_eq!(uci.read(&pente, "P@h8"), "P@h8");
        assert_eq!(Wording(Flavor::Ugi).read(&gomoku, "P@h8"), "P@h8");
    }

    #[test]
    fn hands_in_brackets() {
        let uci = Wording(Flavor::Uci);
        let gomoku = game(uci, "gomokufreestyle");
        let start = format!("{}15[PPpp] w - - 0 1", "15/".repeat(14));
        let text = uci.position(&gomoku, &start);
        assert_eq!(gomoku.with_text(&text).unwrap().text(), gomoku.text());
        let one = format!("{}7P7[PPpp] b - - 0 1", "15/".repeat(14));
        let read = gomoku.with_text(&uci.position(&gomoku, &one)).unwrap();
        assert_eq!((read.stone(7, 0).is_some(), read.ply()), (true, 1));
        assert_eq!(uci.position(&gomoku, "15/15 b - - 1"), "15/15 b - - 1");
    }

    #[test]
    fn mates_in_moves() {
        let uci = Wording(Flavor::Uci);
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!(uci.score(search::Score::win_in(plies)), Score::Mate(moves));
            assert_eq!(uci.mate_plies(moves as u32), plies);
        }
        assert_eq!(uci.score(search::Score::loss_in(2)), Score::Mate(-1));
        assert_eq!(uci.score(search::Score::loss_in(0)), Score::Mate(0));
    }
}
