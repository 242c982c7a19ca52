//! `KataGo`'s positions without moves: stones on the board, and who moves first.

use super::fields::{FieldError, Fields, wrong};
use super::moves::{Player, list, vertices};
use pentarch_core::game::{Color, MoveKind, Seat};
use pentarch_engine::Game;
use serde_json::Value;
use std::collections::BTreeMap;

const STONES: &str = "initialStones";
const FIRST: &str = "initialPlayer";

/// The position text of the stones that a query puts on the board of a game, if it does.
pub(super) fn read(fields: &mut Fields, start: &Game) -> Result<Option<String>, FieldError> {
    let (stones, first) = (fields.value(STONES), fields.value(FIRST));
    let colors = || (0..start.seats()).map(Color);
    let color = |field: &str, player: &Value| {
        let player = Player::read(player).map_err(|reason| FieldError::new(field, reason))?;
        let mut own = colors().filter(|color| player.is(Seat(color.0)));
        own.next().ok_or_else(|| FieldError::new(field, "there is no such seat in this game"))
    };
    let mut board = BTreeMap::new();
    for entry in list(STONES, stones.as_ref())? {
        let pair = entry.as_array().map(Vec::as_slice);
        let Some([player, Value::String(text)]) = pair else {
            return Err(wrong(STONES, "pairs such as [\"b\",\"K10\"]", entry));
        };
        let read = vertices(start, text).map_err(|reason| FieldError::new(STONES, reason))?;
        let Some(MoveKind::Stone(cell)) = read.first().map(|mv| mv.kind()) else {
            return Err(wrong(STONES, "plain stones", entry));
        };
        board.insert(cell, color(STONES, player)?);
    }
    let first = first.map(|player| color(FIRST, &player)).transpose()?;
    if board.is_empty() && first.is_none() {
        return Ok(None);
    }
    let first = first.unwrap_or(start.color_to_move());
    let game = start.with_stones(&board, first).map_err(|error| FieldError::new(STONES, error))?;
    Ok(Some(game.text()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn position(spec: &str, query: &Value) -> Result<Option<String>, String> {
        let start = Game::new(spec.parse().unwrap());
        let mut fields = Fields::new(query.as_object().unwrap().clone());
        read(&mut fields, &start).map_err(|error| format!("{}: {}", error.field, error.reason))
    }

    #[test]
    fn stones_and_the_first_player_make_a_position() {
        let stones = json!([["B", "A1"], ["w", "e5"]]);
        for (query, text) in [
            (json!({}), None),
            (json!({ "initialStones": [] }), None),
            (json!({ "initialStones": stones }), Some("4w/5/5/5/b4 b - - 3")),
            (json!({ "initialStones": stones, "initialPlayer": "W" }), Some("4w/5/5/5/b4 w - - 4")),
        ] {
            assert_eq!(position("gomoku+size=5", &query).unwrap().as_deref(), text, "{query}");
        }
        for (spec, query, reason) in [
            ("gomoku+size=5", json!({ "initialStones": ["a1"] }), "initialStones: expected pairs"),
            ("gomoku+size=5", json!({ "initialStones": [["b", "z9"]] }), "initialStones: "),
            ("gomoku+size=5", json!({ "initialPlayer": "x" }), "initialPlayer: expected"),
            ("gomoku+size=5", json!({ "initialPlayer": 3 }), "initialPlayer: there is no such"),
            ("pent-up", json!({ "initialStones": [["b", "a1"]] }), "initialStones: "),
        ] {
            let error = position(spec, &query).unwrap_err();
            assert!(error.starts_with(reason), "{query}: {error}");
        }
    }
}
