//! A book out of recorded games: what was played, how often, and with what success.

use pentarch_core::rules::Ruleset;
use pentarch_engine::{BookMove, BookPosition};
use pentarch_records::{GameResult, RecordedGame, ReplayError};
use std::collections::BTreeMap;

/// Counts the first moves of games, images of a position as one.
#[derive(Clone, Debug)]
pub struct BookOfGames {
    plies: usize,
    positions: BTreeMap<(String, String), BTreeMap<String, BookMove>>,
}

impl BookOfGames {
    /// A book of the first plies of games.
    pub fn new(plies: usize) -> BookOfGames {
        BookOfGames { plies, positions: BTreeMap::new() }
    }

    /// Counts a game, by `rules` where it names none. One that has no result counts as drawn; of one
    /// that goes against the rules nothing is counted.
    pub fn add(&mut self, record: &RecordedGame, rules: &Ruleset) -> Result<(), ReplayError> {
        let mut game = record.start(rules)?;
        let spec = game.rules().to_string();
        let mut found = Vec::new();
        for text in record.moves.iter().take(self.plies) {
            let side = game.side_of(game.to_move());
            let canonical = game.canonical();
            let mv = game.parse_move(text)?;
            let mirrored = game.move_text(canonical.apply(mv));
            game.play_move(mv)?;
            let points = match record.result {
                Some(GameResult::Win(winner)) => f64::from(u8::from(winner == side)),
                Some(GameResult::Draw) | None => 0.5,
            };
            found.push((canonical.text, mirrored, points));
        }
        for (position, mv, points) in found {
            let moves = self.positions.entry((spec.clone(), position)).or_default();
            let known = moves.entry(mv).or_default();
            known.games += 1;
            known.points += points;
        }
        Ok(())
    }

    /// The positions, with the moves that as many games as `least` went on with, the most played
    /// first.
    pub fn finish(self, least: u32) -> Vec<BookPosition> {
        let positions = self.positions.into_iter().map(|((rules, position), moves)| {
            let moves = moves.into_iter().filter(|(_, known)| known.games >= least);
            let mut moves: Vec<BookMove> =
                moves.map(|(mv, known)| BookMove { mv, ..known }).collect();
            moves.sort_by_key(|known| std::cmp::Reverse(known.games));
            BookPosition { rules, position, moves }
        });
        positions.filter(|position| !position.moves.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::game::Side;

    fn record(moves: &str, result: Option<GameResult>) -> RecordedGame {
        let moves = moves.split(' ').map(str::to_owned).collect();
        RecordedGame { moves, result, ..RecordedGame::default() }
    }

    #[test]
    fn games_that_mirror_each_other_are_counted_together() {
        let rules: Ruleset = "pente".parse().unwrap();
        let mut book = BookOfGames::new(3);
        let first = Some(GameResult::Win(Side(0)));
        for (moves, result) in [
            ("j10 k10 m10 k12", first),
            ("j10 i10 g10", Some(GameResult::Draw)),
            ("j10 j11 j13", None),
            ("j10 k11 m10", first),
        ] {
            book.add(&record(moves, result), &rules).unwrap();
        }
        assert!(book.add(&record("j10 j10", None), &rules).is_err());
        let moves = |positions: Vec<BookPosition>| -> Vec<(u32, f64)> {
            let moves = positions.iter().flat_map(|position| &position.moves);
            moves.map(|known| (known.games, known.points)).collect()
        };
        let mut all = moves(book.clone().finish(1));
        all.sort_by(|a, b| b.partial_cmp(a).unwrap());
        assert_eq!(all, [(4, 3.0), (3, 2.0), (3, 1.0), (1, 1.0), (1, 0.0)]);
        assert_eq!(moves(book.finish(4)), [(4, 3.0)]);
    }
}
