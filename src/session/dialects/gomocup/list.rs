//! Lists of stones, which stand between `BOARD`, `YXBOARD` or `SWAP2BOARD` and `DONE`.

use super::{Codec, PointError};
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::gomocup::{Command, Owner, Point, Stone};

/// Why a list of stones is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// Only Renju knows points of nobody.
    #[error("{0},3: games do not go on after a win")]
    Neither(Point),
    /// A stone without an owner.
    #[error("{0}: expected 1 or 2 after the point")]
    NoOwner(Point),
    /// Captures can be worked out only in the order of the moves.
    #[error("the stones must come in the order of the moves, the players in turn")]
    Order,
    /// The players cannot have taken turns.
    #[error("{own} own stones and {opponent} of the opponent cannot be")]
    Count {
        /// Stones of the brain.
        own: usize,
        /// Stones of its opponent.
        opponent: usize,
    },
    /// A stone, numbered from 1, that may not be placed.
    #[error("stone {0}: {1}")]
    Stone(usize, PointError),
}

/// `BOARD` with stones in the order of the moves; the player of the next one is the brain.
pub fn of_move_order(points: &[Point]) -> Vec<Command> {
    let next = points.len() % 2;
    let stones = points.iter().enumerate().map(|(index, &point)| {
        let owner = if index % 2 == next { Owner::Own } else { Owner::Opponent };
        Command::Stone(Stone { point, owner: Some(owner) })
    });
    [Command::Board].into_iter().chain(stones).chain([Command::Done]).collect()
}

/// Whether it is the brain's turn after these stones: the last one is the opponent's.
pub fn is_own_turn(list: &[Stone]) -> bool {
    let count = |owner| list.iter().filter(|stone| stone.owner == Some(owner)).count();
    let (own, opponent) = (count(Owner::Own), count(Owner::Opponent));
    own == opponent || own + 1 == opponent
}

impl Codec {
    /// The game with the stones of `BOARD` or `YXBOARD`.
    ///
    /// In games with captures the stones must come in the order of the moves. In others any order
    /// will do, as managers of gomoku need not keep it: the stones of each player are then played
    /// in turn.
    pub fn game(self, start: &Game, list: &[Stone]) -> Result<Game, ListError> {
        let stones = owned(start.rules(), list)?;
        let stones = if alternate(&stones) {
            stones
        } else if start.rules().squares().is_some_and(|board| board.capture.is_some()) {
            return Err(ListError::Order);
        } else {
            in_turn(&stones)?
        };
        self.place(start, stones.into_iter().map(|(point, _)| point))
    }

    /// The game with stones that the players have placed in turn.
    pub fn place(
        self,
        start: &Game,
        points: impl IntoIterator<Item = Point>,
    ) -> Result<Game, ListError> {
        let mut game = start.clone();
        for (point, number) in points.into_iter().zip(1..) {
            self.play(&mut game, point).map_err(|error| ListError::Stone(number, error))?;
        }
        Ok(game)
    }
}

/// The stones with their owners; points that Renju forbids are no stones.
fn owned(rules: &Ruleset, list: &[Stone]) -> Result<Vec<(Point, Owner)>, ListError> {
    let mut stones = Vec::new();
    for &Stone { point, owner } in list {
        match owner {
            Some(Owner::Neither) if rules.to_string().starts_with("renju") => {}
            Some(Owner::Neither) => return Err(ListError::Neither(point)),
            Some(owner) => stones.push((point, owner)),
            None => return Err(ListError::NoOwner(point)),
        }
    }
    Ok(stones)
}

fn alternate(stones: &[(Point, Owner)]) -> bool {
    stones.windows(2).all(|pair| matches!(pair, [(_, a), (_, b)] if a != b))
}

/// The stones such that the players take turns.
fn in_turn(stones: &[(Point, Owner)]) -> Result<Vec<(Point, Owner)>, ListError> {
    let of = |owner| stones.iter().copied().filter(move |stone| stone.1 == owner);
    let (own, opponent): (Vec<_>, Vec<_>) =
        (of(Owner::Own).collect(), of(Owner::Opponent).collect());
    let (first, second) =
        if own.len() >= opponent.len() { (&own, &opponent) } else { (&opponent, &own) };
    if first.len() - second.len() > 1 {
        return Err(ListError::Count { own: own.len(), opponent: opponent.len() });
    }
    let mut rest = second.iter();
    Ok(first.iter().flat_map(|stone| [Some(stone), rest.next()]).flatten().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Option<Owner> = Some(Owner::Own);
    const O: Option<Owner> = Some(Owner::Opponent);

    fn start(spec: &str) -> Game {
        Game::new(spec.parse().unwrap())
    }

    fn read(spec: &str, stones: &[(i32, i32, Option<Owner>)]) -> Result<Vec<String>, String> {
        let stone = |&(x, y, owner)| Stone { point: Point::new(x, y), owner };
        let list: Vec<_> = stones.iter().map(stone).collect();
        let game = Codec::default().game(&start(spec), &list).map_err(|error| error.to_string())?;
        Ok(game.moves().into_iter().map(|mv| game.move_text(mv)).collect())
    }

    #[test]
    fn stones_in_order_are_moves() {
        let moves = [(7, 7, X), (8, 7, O), (7, 8, X), (9, 9, O)];
        assert_eq!(read("gomoku", &moves).unwrap(), ["h8", "i8", "h7", "j6"]);
        // White's two stones are captured, and a point of them is played again.
        let moves = [(9, 9, O), (10, 9, X), (8, 8, O), (11, 9, X), (12, 9, O), (10, 9, X)];
        assert_eq!(read("pente", &moves).unwrap().len(), 6);
    }

    #[test]
    fn stones_in_any_order_are_played_in_turn_where_nothing_is_captured() {
        let heap = [(7, 7, X), (7, 8, X), (8, 7, O), (9, 9, O)];
        assert_eq!(read("gomoku", &heap).unwrap(), ["h8", "i8", "h7", "j6"]);
        let heap = [(7, 7, X), (8, 7, O), (9, 9, O)];
        assert_eq!(read("gomoku", &heap).unwrap(), ["i8", "h8", "j6"]);
        assert!(read("pente", &heap).unwrap_err().contains("order"));
        let heap = [(7, 7, O), (8, 7, O), (9, 9, O)];
        assert!(read("gomoku", &heap).unwrap_err().contains("cannot be"));
    }

    #[test]
    fn whose_turn_it_is() {
        let list = |owners: &[Option<Owner>]| -> Vec<Stone> {
            owners.iter().map(|&owner| Stone { point: Point::new(0, 0), owner }).collect()
        };
        for (owners, own) in [
            (&[][..], true),
            (&[O], true),
            (&[X], false),
            (&[X, O], true),
            (&[O, O], false),
            (&[O, X, O], true),
        ] {
            assert_eq!(is_own_turn(&list(owners)), own, "{owners:?}");
        }
    }

    #[test]
    fn lists_that_are_none() {
        for (stones, message) in [
            (&[(7, 7, X), (7, 7, O)][..], "stone 2: illegal move 7,7: the point is occupied"),
            (&[(7, 15, O)], "stone 1: illegal move: 7,15 is not on the board of size 15"),
            (&[(7, 7, None)], "expected 1 or 2"),
            (&[(7, 7, Some(Owner::Neither))], "7,7,3"),
        ] {
            assert!(read("gomoku", stones).unwrap_err().contains(message), "{message}");
        }
    }

    #[test]
    fn lists_are_read_as_they_are_written() {
        let codec = Codec::default();
        let mut game = start("pente");
        for text in ["j10", "k10", "m10", "l10"] {
            let grid = game.grid().unwrap();
            let mut list = Vec::new();
            for command in of_move_order(&codec.points(grid, &game.moves())) {
                if let Command::Stone(stone) = command {
                    list.push(stone);
                }
            }
            assert!(is_own_turn(&list));
            assert_eq!(codec.game(&start("pente"), &list).unwrap().text(), game.text());
            game.play(text).unwrap();
        }
    }
}
