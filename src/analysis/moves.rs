//! Moves in queries: as canonical texts, or as `KataGo` writes them.
//!
//! `KataGo`'s pairs and objects have GTP's vertices in capitals, without the letter I: `K10`. A text in
//! small letters is a canonical one there too, so that a move of an answer can be sent back as it is.

use super::fields::{FieldError, shorten, wrong};
use pentarch_core::game::{Move, MoveKind, Seat};
use pentarch_engine::Game;
use pentarch_protocol::gtp::Color;
use pentarch_session::dialects::gtp::{self, Codec};
use serde_json::Value;

/// Reads a list of moves and plays them from a position on.
pub(super) fn play(
    game: &mut Game,
    field: &str,
    value: Option<&Value>,
) -> Result<Vec<Move>, FieldError> {
    let mut played = Vec::new();
    for (number, entry) in (1..).zip(list(field, value)?) {
        let failed = |reason: String| FieldError::new(field, format!("move {number}: {reason}"));
        let moves = match (entry.as_str(), entry.as_array().map(Vec::as_slice)) {
            (Some(text), _) => vec![game.parse_move(text).map_err(|e| failed(e.to_string()))?],
            (_, Some([player, Value::String(text)])) => {
                let player = Player::read(player).map_err(|reason| failed(reason.to_owned()))?;
                if !player.is(game.to_move()) && game.outcome().is_none() {
                    let seat = game.to_move();
                    return Err(failed(format!("it is the turn of seat {seat}")));
                }
                vertices(game, text).map_err(failed)?
            }
            _ => {
                let expected = "moves such as \"j10\", or pairs such as [\"b\",\"K10\"]";
                return Err(wrong(field, expected, entry));
            }
        };
        for mv in moves {
            game.play_move(mv).map_err(|error| failed(error.to_string()))?;
            played.push(mv);
        }
    }
    Ok(played)
}

/// Who makes a move: a color of GTP, which may be that of two seats, or the number of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Player {
    Color(Color),
    Seat(Seat),
}

impl Player {
    pub(super) fn read(value: &Value) -> Result<Player, &'static str> {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_lowercase);
        match text.as_str() {
            "b" | "black" => Ok(Player::Color(Color::Black)),
            "w" | "white" => Ok(Player::Color(Color::White)),
            "1" | "2" | "3" | "4" => Ok(Player::Seat(Seat(text.as_bytes()[0] - b'1'))),
            _ => Err("expected the player `b` or `w`, or the number of a seat"),
        }
    }

    /// Whether this is a seat.
    pub(super) fn is(self, seat: Seat) -> bool {
        match self {
            Player::Color(color) => gtp::color(seat) == color,
            Player::Seat(own) => own == seat,
        }
    }
}

/// The moves that a text of `KataGo`'s forms stands for.
pub(super) fn vertices(game: &Game, text: &str) -> Result<Vec<Move>, String> {
    let point = text.split_once('@').map_or(text, |(_, point)| point);
    let is_vertex = point.starts_with(|c: char| c.is_ascii_uppercase());
    if is_vertex && MoveKind::from_word(text).is_none() {
        let moves = Codec { extended: true }.parse_move(game, text);
        return moves.map_err(|error| format!("`{}`: {error}", shorten(text)));
    }
    game.parse_move(text).map(|mv| vec![mv]).map_err(|error| error.to_string())
}

/// Moves that alone may be looked at in a position, or that may not.
#[derive(Clone, Debug)]
pub(super) struct Restriction {
    field: &'static str,
    allow: bool,
    /// Whose moves they are; none is everybody's.
    player: Option<Player>,
    moves: Vec<Named>,
}

/// A move by its text.
#[derive(Clone, Debug)]
struct Named {
    text: String,
    is_vertex: bool,
}

impl Restriction {
    /// Reads `allowMoves` or `avoidMoves`; what cannot be done as it is asked goes to `warnings`.
    pub(super) fn read(
        field: &'static str,
        value: Option<&Value>,
        warnings: &mut Vec<FieldError>,
    ) -> Result<Vec<Restriction>, FieldError> {
        let allow = field == "allowMoves";
        let (mut own, mut all) = (Vec::new(), Vec::new());
        for entry in list(field, value)? {
            match entry {
                Value::String(text) => own.push(Named { text: text.clone(), is_vertex: false }),
                Value::Object(object) => {
                    let player = object.get("player").map(Player::read).transpose();
                    let player = player.map_err(|reason| FieldError::new(field, reason))?;
                    if object.get("untilDepth").is_some_and(|depth| depth.as_u64() != Some(1)) {
                        let reason =
                            "only the position itself is restricted, as with `untilDepth` 1";
                        warnings.push(FieldError::new(field, reason));
                    }
                    let texts = list(field, object.get("moves"))?.iter().map(|mv| match mv {
                        Value::String(text) => Ok(Named { text: text.clone(), is_vertex: true }),
                        _ => Err(wrong(field, "moves such as \"K10\"", mv)),
                    });
                    let moves = texts.collect::<Result<_, _>>()?;
                    all.push(Restriction { field, allow, player, moves });
                }
                _ => {
                    let expected = "moves, or objects with `player`, `moves`, `untilDepth`";
                    return Err(wrong(field, expected, entry));
                }
            }
        }
        if !own.is_empty() {
            all.push(Restriction { field, allow, player: None, moves: own });
        }
        Ok(all)
    }

    /// Bytes that it takes, about.
    pub(super) fn size(&self) -> usize {
        let texts = self.moves.iter().map(|named| named.text.len() + size_of::<Named>());
        size_of::<Restriction>() + texts.sum::<usize>()
    }

    /// Leaves of the moves of a position those that may be looked at; an empty list has them all.
    pub(super) fn apply(&self, game: &Game, moves: &mut Vec<Move>) -> Result<(), FieldError> {
        if self.player.is_some_and(|player| !player.is(game.to_move())) {
            return Ok(());
        }
        let failed = |reason: String| FieldError::new(self.field, reason);
        let mut named = Vec::new();
        for Named { text, is_vertex } in &self.moves {
            let read = if *is_vertex {
                vertices(game, text)
            } else {
                game.parse_move(text).map(|mv| vec![mv]).map_err(|error| error.to_string())
            };
            named.extend(read.map_err(failed)?.first().copied());
        }
        if moves.is_empty() {
            moves.extend(game.legal_moves());
        }
        moves.retain(|mv| named.contains(mv) == self.allow);
        if moves.is_empty() {
            return Err(failed("no legal move is left to look at".to_owned()));
        }
        Ok(())
    }
}

/// The entries of a list, none if it is not there.
pub(super) fn list<'a>(field: &str, value: Option<&'a Value>) -> Result<&'a [Value], FieldError> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(entries)) => Ok(entries),
        Some(other) => Err(wrong(field, "a list of moves", other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn played(spec: &str, moves: &Value) -> Result<Vec<String>, String> {
        let mut game = Game::new(spec.parse().unwrap());
        let moves = play(&mut game, "moves", Some(moves)).map_err(|error| error.reason)?;
        let mut texts = Vec::new();
        for mv in moves.iter().rev() {
            game.undo();
            texts.push(game.move_text(*mv));
        }
        texts.reverse();
        Ok(texts)
    }

    #[test]
    fn both_forms_name_the_same_moves() {
        let texts = ["j10", "h8", "i9", "j11"];
        for moves in [
            json!(["j10", "H8", "i9", "j11"]),
            json!([["b", "K10"], ["W", "H8"], ["B", "J9"], ["w", "K11"]]),
            json!([["b", "j10"], ["w", "h8"], ["b", "i9"], ["w", "j11"]]),
            json!([["1", "j10"], [2, "h8"], ["black", "J9"], "j11"]),
        ] {
            assert_eq!(played("pente-freestyle", &moves).unwrap(), texts, "{moves}");
        }
        let swap = json!([["b", "K10"], ["b", "L10"], ["b", "A1"], ["w", "swap"], ["b", "B2"]]);
        let swap = played("swap2-pente", &swap).unwrap();
        assert_eq!(swap, ["j10", "k10", "a1", "swap", "b2"]);
        let drop = json!([["b", "N@K10"], ["w", "N@j11"]]);
        assert_eq!(played("neutral-pente", &drop).unwrap_or_default().len(), 2, "{drop}");
    }

    #[test]
    fn what_is_wrong_is_named_with_the_number_of_the_move() {
        for (moves, reason) in [
            (json!(["j10", "j10"]), "move 2: illegal move `j10`: the point is occupied"),
            (json!([["w", "K10"]]), "move 1: it is the turn of seat 1"),
            (json!([["x", "K10"]]), "move 1: expected the player"),
            (json!([["b", "K10"], ["w", "Z19"]]), "move 2: `Z19`: illegal move: "),
            (json!(["j10", 5]), "expected moves such as \"j10\", or pairs"),
            (json!("j10"), "expected a list of moves, found `\"j10\"`"),
        ] {
            let found = played("pente", &moves).unwrap_err();
            assert!(found.starts_with(reason), "{moves}: {found}");
        }
    }

    fn left(value: &Value, field: &'static str) -> Result<Vec<String>, String> {
        let mut game = Game::new("gomoku+size=3x3+line=3".parse().unwrap());
        game.play("a1").unwrap();
        let mut moves = Vec::new();
        let mut warnings = Vec::new();
        let read = Restriction::read(field, Some(value), &mut warnings);
        for restriction in read.map_err(|error| error.reason)? {
            restriction.apply(&game, &mut moves).map_err(|error| error.reason)?;
        }
        let texts = moves.iter().map(|&mv| game.move_text(mv));
        let warnings = warnings.into_iter().map(|warning| warning.reason);
        Ok(texts.chain(warnings).collect())
    }

    #[test]
    fn moves_are_allowed_and_avoided_in_both_forms() {
        let ours = json!(["b1"]);
        let theirs = json!([{ "player": "W", "moves": ["B1"], "untilDepth": 1 }]);
        let other = json!([{ "player": "B", "moves": ["B1"], "untilDepth": 1 }]);
        let deep = json!([{ "player": "w", "moves": ["b1"], "untilDepth": 5 }]);
        for value in [&ours, &theirs] {
            assert_eq!(left(value, "allowMoves").unwrap(), ["b1"]);
            let others = left(value, "avoidMoves").unwrap();
            assert_eq!((others.len(), others.contains(&"b1".to_owned())), (7, false), "{others:?}");
        }
        assert!(left(&other, "avoidMoves").unwrap().is_empty(), "every move is looked at");
        let warned = left(&deep, "allowMoves").unwrap();
        assert_eq!(warned.len(), 2, "{warned:?}");
        assert!(warned[1].contains("untilDepth"), "{warned:?}");
        let all = json!(["b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
        for (value, field) in [(json!(["a1"]), "allowMoves"), (all, "avoidMoves")] {
            assert_eq!(left(&value, field).unwrap_err(), "no legal move is left to look at");
        }
        for value in [json!(["q7"]), json!([5]), json!({}), json!([{ "moves": [1] }])] {
            assert!(left(&value, "avoidMoves").is_err(), "{value}");
        }
    }
}
