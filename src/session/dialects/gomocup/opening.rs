//! The opening swap2: `SWAP2BOARD`, where a brain answers with several of its moves at once.

use super::{Codec, ListError, PointError};
use pentarch_core::game::{Move, MoveKind};
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::Game;
use pentarch_protocol::gomocup::{Point, Response};

/// Why an opening or an answer to one makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// The game cannot be opened so.
    #[error("SWAP2BOARD: {0}")]
    Rules(VariantSpecError),
    /// The opening is never asked about with this number of stones.
    #[error("SWAP2BOARD: expected 0, 3 or 5 stones, found {0}")]
    Count(usize),
    /// A stone that may not be placed.
    #[error(transparent)]
    Stone(#[from] ListError),
    /// The answer is none that may be given now.
    #[error("`{0}` is no answer in this opening")]
    Answer(String),
    /// A stone of an answer that may not be placed.
    #[error(transparent)]
    Point(#[from] PointError),
}

/// Whether the seat to move is asked by `SWAP2BOARD`: for the first three stones, or for a choice.
pub fn is_swap2_turn(game: &Game) -> bool {
    let opens = || game.rules().with("swap2").is_ok_and(|rules| rules == *game.rules());
    (game.ply() == 0 && opens()) || is_choice(game)
}

/// Whether the seat to move must choose a color.
fn is_choice(game: &Game) -> bool {
    game.check_move(MoveKind::Swap.into()).is_ok()
}

impl Codec {
    /// The opening of a game with none, three or five stones on the board.
    pub fn opening(self, rules: &Ruleset, points: &[Point]) -> Result<Game, OpeningError> {
        let rules = rules.with("swap2").map_err(OpeningError::Rules)?;
        if ![0, 3, 5].contains(&points.len()) {
            return Err(OpeningError::Count(points.len()));
        }
        let mut game = Game::new(rules);
        for (&point, number) in points.iter().zip(1..) {
            if number == 4 {
                let more = game.play_move(MoveKind::More.into());
                more.map_err(|error| OpeningError::Answer(error.to_string()))?;
            }
            self.play(&mut game, point).map_err(|error| ListError::Stone(number, error))?;
        }
        Ok(game)
    }

    /// The answer that stands for a seat's moves in an opening, of which it gave these stones. One
    /// that places nothing lets the opponent go on with the color that moves next.
    pub fn opening_answer(self, stones: Vec<Point>) -> Response {
        if stones.is_empty() { Response::Swap } else { Response::Moves(stones) }
    }

    /// The moves that an answer stands for where the seat to move opens the game, chooses a color, or
    /// moves as always. The last one need not be legal.
    pub fn moves(self, game: &Game, answer: &Response) -> Result<Vec<Move>, OpeningError> {
        let wrong = || OpeningError::Answer(answer.to_string());
        let points = match answer {
            Response::Moves(points) if !points.is_empty() => points.as_slice(),
            Response::Swap => &[],
            _ => return Err(wrong()),
        };
        let choice = match (is_choice(game), points.len()) {
            (false, 1) => None,
            (false, 3) if is_swap2_turn(game) => None,
            (true, 2) if game.check_move(MoveKind::More.into()).is_ok() => Some(MoveKind::More),
            (true, 0 | 1) => Some(choice(game, points.is_empty()).ok_or_else(wrong)?),
            _ => return Err(wrong()),
        };
        let mut game = game.clone();
        let mut moves = Vec::new();
        if let Some(choice) = choice {
            game.play_move(choice.into()).map_err(|_| wrong())?;
            moves.push(choice.into());
        }
        for &point in points {
            let mv = self.parse_move(&game, point)?;
            moves.push(mv);
            if game.play_move(mv).is_err() {
                break;
            }
        }
        Ok(moves)
    }
}

/// The choice after which the opponent is to move, or the chooser goes on.
fn choice(game: &Game, opponent_moves: bool) -> Option<MoveKind> {
    let seat = game.to_move();
    [MoveKind::Swap, MoveKind::Keep].into_iter().find(|&kind| {
        let mut game = game.clone();
        game.play_move(kind.into()).is_ok() && (game.to_move() != seat) == opponent_moves
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way through the opening: what a seat plays is what its answer is read as.
    #[test]
    fn answers_are_read_as_they_are_written() {
        let codec = Codec::default();
        let three = ["h8", "i8", "h9"];
        let place = |words: &[&str]| {
            let mut game = Game::new("gomoku+swap2".parse().unwrap());
            for word in words {
                game.play(word).unwrap();
            }
            game
        };
        for (before, played) in [
            (&[][..], &three[..]),
            (&three, &["swap"]),
            (&three, &["keep", "a1"]),
            (&three, &["more", "a1", "b1"]),
            (&["h8", "i8", "h9", "more", "a1", "b1"], &["keep"]),
            (&["h8", "i8", "h9", "more", "a1", "b1"], &["swap", "c1"]),
        ] {
            let game = place(before);
            assert!(is_swap2_turn(&game));
            let after = place(&[before, played].concat());
            let moves = after.moves().split_off(before.len());
            let stones = codec.points(game.grid().unwrap(), &moves);
            let answer = codec.opening_answer(stones);
            assert_eq!(codec.moves(&game, &answer), Ok(moves), "{played:?}");
            // What a brain is asked is the same game.
            let asked = codec.points(game.grid().unwrap(), &game.moves());
            let rules = "gomoku".parse().unwrap();
            assert_eq!(codec.opening(&rules, &asked).unwrap().text(), game.text());
        }
    }

    #[test]
    fn answers_that_are_none() {
        let codec = Codec::default();
        let plain = Game::new("gomoku".parse().unwrap());
        let points = |count| Response::Moves(vec![Point::new(7, 7); count]);
        for answer in [points(0), points(2), points(3), Response::Swap, Response::Ok] {
            assert!(codec.moves(&plain, &answer).is_err(), "{answer}");
        }
        assert_eq!(codec.moves(&plain, &points(1)).unwrap().len(), 1);
        let off = Response::Moves(vec![Point::new(44, 44)]);
        assert!(codec.moves(&plain, &off).unwrap_err().to_string().contains("not on the board"));
    }
}
