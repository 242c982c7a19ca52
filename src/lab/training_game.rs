//! A training game: its moves and the search results for its positions.

use pentarch_core::game::Move;
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::search::Score;
use pentarch_engine::{Game, GameError};
use serde::{Deserialize, Serialize};

/// A training game, one line of a [`TrainingFile`](super::TrainingFile).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingGame {
    /// The text of the ruleset.
    pub variant: String,
    /// All moves, including those of the opening.
    pub moves: Vec<String>,
    /// The number of moves of the opening, which were not searched.
    pub opening: usize,
    /// The search scores of the positions after the opening, for the side to move, in points; wins and
    /// losses are encoded as by [`Score::value`]. There is one score for each searched move, and one more
    /// if the last position is decided but the game is not over.
    pub values: Vec<i32>,
    /// The best moves of a later search, one for each move after the opening. If empty, the moves of the
    /// game are the best moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
    /// The index of the side that won, `None` for a draw.
    pub winner: Option<u8>,
    /// Side positions: random moves that were searched but not played.
    #[serde(default, rename = "asides", skip_serializing_if = "Vec::is_empty")]
    pub side_positions: Vec<SidePosition>,
}

/// A random move that was not played, with the search result of the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SidePosition {
    /// The number of moves of the game before the random move.
    pub ply: usize,
    /// The random move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The search score after the random move, for the side to move there.
    pub value: i32,
    /// The best move after the random move.
    pub best: String,
}

/// Why a line is not a training game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameTextError {
    /// The JSON cannot be parsed.
    #[error("no game: {0}")]
    Json(String),
    /// The ruleset is unknown.
    #[error(transparent)]
    Variant(#[from] VariantSpecError),
    /// The evaluation of this family has no weights that can be fitted.
    #[error("{0} has no weights that can be trained")]
    Kind(String),
    /// A move is illegal.
    #[error(transparent)]
    Move(#[from] GameError),
    /// The number of scores does not fit the number of moves.
    #[error("{values} values do not fit {moves} moves, {opening} of them an opening")]
    Length {
        /// The number of scores.
        values: usize,
        /// The number of moves.
        moves: usize,
        /// The number of moves of the opening.
        opening: usize,
    },
    /// A number is outside the range of scores.
    #[error("{0} is not a valid score")]
    Value(i32),
    /// A side position belongs to a ply after the end of the game.
    #[error("a side position after {0} moves, but the game is shorter")]
    SidePosition(usize),
}

/// The training labels of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PositionLabel {
    /// The search score for the side to move.
    pub value: Score,
    /// The best move, if the search found one.
    pub best: Option<Move>,
    /// The result of the game for the side to move, 0 to 1; `None` for a side position.
    pub result: Option<f32>,
}

impl TrainingGame {
    /// Parses a line and checks that its numbers are consistent.
    pub(super) fn parse(line: &str) -> Result<TrainingGame, GameTextError> {
        let game: TrainingGame =
            serde_json::from_str(line).map_err(|error| GameTextError::Json(error.to_string()))?;
        let (values, moves, opening) = (game.values.len(), game.moves.len(), game.opening);
        let searched = moves.checked_sub(opening);
        if searched.is_none_or(|searched| values != searched && values != searched + 1) {
            return Err(GameTextError::Length { values, moves, opening });
        }
        if !game.best.is_empty() && Some(game.best.len()) != searched {
            let values = game.best.len();
            return Err(GameTextError::Length { values, moves, opening });
        }
        let side_values = game.side_positions.iter().map(|side| &side.value);
        let all = game.values.iter().chain(side_values);
        if let Some(&wrong) = all.into_iter().find(|value| score(**value).is_none()) {
            return Err(GameTextError::Value(wrong));
        }
        match game.side_positions.iter().find(|side| side.ply > moves) {
            Some(side) => Err(GameTextError::SidePosition(side.ply)),
            None => Ok(game),
        }
    }

    /// The line without its newline.
    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers serialize")
    }

    /// Parses the ruleset.
    pub(super) fn rules(&self) -> Result<Ruleset, GameTextError> {
        Ok(self.variant.parse()?)
    }

    /// Replays the game and calls `visitor` for each searched position and for its side positions.
    pub(super) fn visit(
        &self,
        mut visitor: impl FnMut(&Game, PositionLabel),
    ) -> Result<(), GameTextError> {
        let mut game = Game::new(self.rules()?);
        for ply in 0..=self.moves.len() {
            let next = match self.moves.get(ply) {
                Some(text) => Some(game.parse_move(text)?),
                None => None,
            };
            let index = ply.checked_sub(self.opening);
            if let Some(&value) = index.and_then(|index| self.values.get(index)) {
                let mut visit = |game: &Game, value, best, result| {
                    let value = score(value).ok_or(GameTextError::Value(value))?;
                    if game.outcome().is_none() {
                        visitor(game, PositionLabel { value, best, result });
                    }
                    Ok::<(), GameTextError>(())
                };
                let best = match index.and_then(|index| self.best.get(index)) {
                    Some(text) => Some(game.parse_move(text)?),
                    None => next,
                };
                visit(&game, value, best, Some(self.result_for_mover(&game)))?;
                for side in self.side_positions.iter().filter(|side| side.ply == ply) {
                    game.play(&side.mv)?;
                    let best = game.parse_move(&side.best)?;
                    visit(&game, side.value, Some(best), None)?;
                    game.undo();
                }
            }
            if let Some(mv) = next {
                game.play_move(mv)?;
            }
        }
        Ok(())
    }

    /// The result for the side to move: 1 for a win, 0 for a loss, an equal share for a draw.
    fn result_for_mover(&self, game: &Game) -> f32 {
        let side = game.side_of(game.to_move()).index() as u8;
        let share = 1.0 / f32::from(game.rules().seating().sides());
        self.winner.map_or(share, |winner| f32::from(u8::from(winner == side)))
    }
}

/// Decodes a score as written by [`Score::value`]; `None` if it is out of range.
fn score(value: i32) -> Option<Score> {
    let score = Score::from_bits(i16::try_from(value).ok()? as u16);
    let known = score.mate().map_or(value.abs() <= 20_000, |plies| plies.abs() <= 7000);
    (known && value.abs() <= 32_000).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"variant":"gomoku","moves":["h8","i9","g7"],"opening":1,"values":[12,-7,30],"winner":0,"asides":[{"ply":2,"move":"h7","value":-40,"best":"g8"}]}"#;

    #[test]
    fn a_game_round_trips() {
        let game = TrainingGame::parse(LINE).unwrap();
        assert_eq!(game.text(), LINE);
        let mut visited = Vec::new();
        game.visit(|position, label| {
            visited.push((position.ply(), label.value.value(), label.result));
        })
        .unwrap();
        let expected = [(1, 12, Some(0.0)), (2, -7, Some(1.0)), (3, -40, None), (3, 30, Some(0.0))];
        assert_eq!(visited, expected);
    }

    #[test]
    fn inconsistent_lines_are_refused() {
        for (from, to, message) in [
            ("gomoku", "gomokku", "unknown"),
            ("\"h8\",\"i9\"", "\"h8\",\"h8\"", "occupied"),
            ("\"opening\":1", "\"opening\":4", "do not fit"),
            ("[12,-7,30]", "[12]", "do not fit"),
            ("[12,-7,30]", "[12,-7,33000]", "33000 is not a valid score"),
            ("[12,-7,30]", "[12,-7,22000]", "22000 is not a valid score"),
            ("\"ply\":2", "\"ply\":9", "a side position after 9 moves"),
            ("\"winner\"", "\"loser\"", "no game: unknown field"),
        ] {
            let line = LINE.replacen(from, to, 1);
            let found = TrainingGame::parse(&line).and_then(|game| game.visit(|_, _| ()));
            let found = found.expect_err(&line).to_string();
            assert!(found.contains(message), "{line}: {found}");
        }
    }
}
