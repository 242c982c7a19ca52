//! A game with what searches said of its positions.

use pentarch_core::game::Move;
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::search::Score;
use pentarch_engine::{Game, GameError};
use serde::{Deserialize, Serialize};

/// A game: a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingGame {
    /// The ruleset in words.
    pub variant: String,
    /// All moves, the opening's among them.
    pub moves: Vec<String>,
    /// How many moves were not searched, the first ones.
    pub opening: usize,
    /// What searches said of the positions after the opening, for the side to move, in points; wins and
    /// losses as [`Score::value`] counts them. There is one more than searched moves if the last
    /// position is decided but not over.
    pub values: Vec<i32>,
    /// What should have been played, by later searches; the moves of the game if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
    /// The number of the side that won, none for a draw.
    pub winner: Option<u8>,
    /// Positions beside the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asides: Vec<Aside>,
}

/// A move that was not played, and what a search said of the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aside {
    /// How many moves of the game come before it.
    pub ply: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The value for the side that moves after it.
    pub value: i32,
    /// What that side should play.
    pub best: String,
}

/// Why a line is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameTextError {
    /// It is not written as one.
    #[error("no game: {0}")]
    Json(String),
    /// There is no such variant.
    #[error(transparent)]
    Variant(#[from] VariantSpecError),
    /// Games of other kinds have nothing of this sort to fit.
    #[error("{0} is no game that can be learned from here")]
    Kind(String),
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] GameError),
    /// The numbers do not fit together.
    #[error("{values} values do not fit {moves} moves, {opening} of them an opening")]
    Length {
        /// How many values there are.
        values: usize,
        /// How many moves.
        moves: usize,
        /// How many moves of the opening.
        opening: usize,
    },
    /// A value that no search gives.
    #[error("there is no value {0}")]
    Value(i32),
    /// A move beside the game that belongs to no position.
    #[error("a move beside the game after {0} moves, of which there are fewer")]
    Aside(usize),
}

/// A position that was searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Searched {
    /// The value for the side to move.
    pub value: Score,
    /// The move that was chosen, where one was.
    pub best: Option<Move>,
    /// What the game brought the side to move, 0 to 1. None beside the game.
    pub result: Option<f32>,
    /// How many moves of the game come before.
    pub ply: usize,
    /// Which move beside the game leads here, if one does.
    pub aside: Option<usize>,
}

impl TrainingGame {
    /// Reads a line.
    pub fn parse(line: &str) -> Result<TrainingGame, GameTextError> {
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
        let all = game.values.iter().chain(game.asides.iter().map(|aside| &aside.value));
        if let Some(&wrong) = all.into_iter().find(|value| score(**value).is_none()) {
            return Err(GameTextError::Value(wrong));
        }
        match game.asides.iter().find(|aside| aside.ply > moves) {
            Some(aside) => Err(GameTextError::Aside(aside.ply)),
            None => Ok(game),
        }
    }

    /// The line, without its end.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("text and numbers can be written")
    }

    /// The ruleset.
    pub fn rules(&self) -> Result<Ruleset, GameTextError> {
        Ok(self.variant.parse()?)
    }

    /// Plays the game and shows each position that was searched, each with those beside it.
    pub fn visit(&self, mut see: impl FnMut(&Game, Searched)) -> Result<(), GameTextError> {
        let mut game = Game::new(self.rules()?);
        for ply in 0..=self.moves.len() {
            let next = match self.moves.get(ply) {
                Some(text) => Some(game.parse_move(text)?),
                None => None,
            };
            let index = ply.checked_sub(self.opening);
            if let Some(&value) = index.and_then(|index| self.values.get(index)) {
                let mut seen = |game: &Game, value, best, aside: Option<usize>| {
                    let result = aside.is_none().then(|| self.result_for(game));
                    let value = score(value).ok_or(GameTextError::Value(value))?;
                    if game.outcome().is_none() {
                        see(game, Searched { value, best, result, ply, aside });
                    }
                    Ok::<(), GameTextError>(())
                };
                let best = match index.and_then(|index| self.best.get(index)) {
                    Some(text) => Some(game.parse_move(text)?),
                    None => next,
                };
                seen(&game, value, best, None)?;
                let asides = self.asides.iter().enumerate().filter(|(_, aside)| aside.ply == ply);
                for (number, aside) in asides {
                    game.play(&aside.mv)?;
                    let best = game.parse_move(&aside.best)?;
                    seen(&game, aside.value, Some(best), Some(number))?;
                    game.undo();
                }
            }
            if let Some(mv) = next {
                game.play_move(mv)?;
            }
        }
        Ok(())
    }

    /// What the side to move got: 1, 0, or its share of a draw.
    fn result_for(&self, game: &Game) -> f32 {
        let side = game.side_of(game.to_move()).index() as u8;
        let share = 1.0 / f32::from(game.rules().seating().sides());
        self.winner.map_or(share, |winner| f32::from(u8::from(winner == side)))
    }
}

/// The score of a number in a file.
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
    fn a_game_is_read_as_it_is_written() {
        let game = TrainingGame::parse(LINE).unwrap();
        assert_eq!(game.text(), LINE);
        let mut seen = Vec::new();
        game.visit(|position, searched| {
            seen.push((position.ply(), searched.value.value(), searched.result));
        })
        .unwrap();
        let expected = [(1, 12, Some(0.0)), (2, -7, Some(1.0)), (3, -40, None), (3, 30, Some(0.0))];
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for (from, to, message) in [
            ("gomoku", "gomokku", "unknown"),
            ("\"h8\",\"i9\"", "\"h8\",\"h8\"", "occupied"),
            ("\"opening\":1", "\"opening\":4", "do not fit"),
            ("[12,-7,30]", "[12]", "do not fit"),
            ("[12,-7,30]", "[12,-7,33000]", "no value 33000"),
            ("[12,-7,30]", "[12,-7,22000]", "no value 22000"),
            ("\"ply\":2", "\"ply\":9", "beside the game"),
            ("\"winner\"", "\"loser\"", "no game: unknown field"),
        ] {
            let line = LINE.replacen(from, to, 1);
            let found = TrainingGame::parse(&line).and_then(|game| game.visit(|_, _| ()));
            let found = found.expect_err(&line).to_string();
            assert!(found.contains(message), "{line}: {found}");
        }
    }
}
