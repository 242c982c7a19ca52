//! Points and lists of stones as Gomocup writes them, and the games that they mean.

use crate::board::Grid;
use crate::engine::Game;
use crate::game::{Cell, Move};
use crate::rules::Ruleset;
use pentarch_protocol::gomocup::{Coordinates, Owner, Point};

/// A line of a list: a stone and whose it is, where that is told.
pub(super) type Stone = (Point, Option<Owner>);

/// The cell of a point.
pub(super) fn cell(grid: Grid, coordinates: Coordinates, point: Point) -> Result<Cell, String> {
    let (column, row) = point.column_and_row(coordinates, grid.rows());
    grid.get(column, row).ok_or_else(|| format!("{point} is not on the board of size {grid}"))
}

/// The point of a cell.
pub(super) fn point(grid: Grid, coordinates: Coordinates, cell: Cell) -> Point {
    Point::on_board(coordinates, grid.column(cell), grid.row(cell), grid.rows())
}

/// Plays a stone, or says why not; the game is then as it was.
pub(super) fn play(game: &mut Game, coordinates: Coordinates, point: Point) -> Result<(), String> {
    let grid = game.grid().ok_or("this game has no points to play on")?;
    let cell = cell(grid, coordinates, point).map_err(|why| format!("illegal move: {why}"))?;
    let text = grid.label(cell);
    let illegal = |error: String| format!("illegal move {point}: {error}");
    let mv = game.parse_move(&text).map_err(|error| illegal(error.to_string()))?;
    game.check_move(mv).map_err(|why| illegal(why.to_string()))?;
    game.play_move(mv).map_err(|error| error.to_string())
}

/// The game with the stones of `BOARD` or `YXBOARD`.
///
/// In games with captures the stones must come in the order of the moves. In others any order will
/// do, as managers of gomoku need not keep it: the stones of each player are then played in turn.
pub(super) fn game(start: &Game, coordinates: Coordinates, list: &[Stone]) -> Result<Game, String> {
    let stones = owned(start.rules(), list)?;
    let stones = if alternate(&stones) {
        stones
    } else if start.rules().capture().is_some() {
        return Err(
            "the stones must come in the order of the moves, the players in turn".to_owned()
        );
    } else {
        in_turn(&stones)?
    };
    let mut game = start.clone();
    for (index, &(stone, _)) in stones.iter().enumerate() {
        play(&mut game, coordinates, stone).map_err(|why| format!("stone {}: {why}", index + 1))?;
    }
    Ok(game)
}

/// The stones of a game in the order in which they were placed, as far as a list of points can tell
/// them: where nothing was captured.
pub(super) fn on_board(game: &Game, coordinates: Coordinates) -> Vec<Stone> {
    let Some(grid) = game.grid() else { return Vec::new() };
    let cells = game.moves().into_iter().filter_map(Move::cell);
    cells.map(|cell| (point(grid, coordinates, cell), None)).collect()
}

/// The game with these stones, placed by the players in turn.
pub(super) fn free(start: &Game, coordinates: Coordinates, list: &[Stone]) -> Result<Game, String> {
    let mut game = start.clone();
    for &(point, _) in list {
        play(&mut game, coordinates, point)?;
    }
    Ok(game)
}

/// Whether it is the brain's turn behind these stones: the last one is the opponent's.
pub(super) fn is_own_turn(list: &[Stone]) -> bool {
    let count = |owner| list.iter().filter(|(_, found)| *found == Some(owner)).count();
    let (own, opponent) = (count(Owner::Own), count(Owner::Opponent));
    own == opponent || own + 1 == opponent
}

/// The stones with their owners; points that Renju forbids are no stones.
fn owned(rules: &Ruleset, list: &[Stone]) -> Result<Vec<(Point, Owner)>, String> {
    let mut stones = Vec::new();
    for &(point, owner) in list {
        match owner {
            Some(Owner::Neither) if rules.to_string().starts_with("renju") => {}
            Some(Owner::Neither) => {
                return Err(format!("{point},3: games do not go on after a win"));
            }
            Some(owner) => stones.push((point, owner)),
            None => return Err(format!("{point}: expected 1 or 2 behind the point")),
        }
    }
    Ok(stones)
}

fn alternate(stones: &[(Point, Owner)]) -> bool {
    stones.windows(2).all(|pair| matches!(pair, [(_, a), (_, b)] if a != b))
}

/// The stones such that the players take turns.
fn in_turn(stones: &[(Point, Owner)]) -> Result<Vec<(Point, Owner)>, String> {
    let of = |owner| stones.iter().copied().filter(move |stone| stone.1 == owner);
    let (own, opponent): (Vec<_>, Vec<_>) =
        (of(Owner::Own).collect(), of(Owner::Opponent).collect());
    let (first, second) =
        if own.len() >= opponent.len() { (&own, &opponent) } else { (&opponent, &own) };
    if first.len() - second.len() > 1 {
        let (own, opponent) = (own.len(), opponent.len());
        return Err(format!("{own} own stones and {opponent} of the opponent cannot be"));
    }
    let mut rest = second.iter();
    Ok(first.iter().flat_map(|stone| [Some(stone), rest.next()]).flatten().copied().collect())
}

/// The swap opening with none, three or five stones on the board.
pub(super) fn swap2(
    rules: &Ruleset,
    coordinates: Coordinates,
    list: &[Stone],
) -> Result<Game, String> {
    let rules = rules.with("swap2").map_err(|error| format!("SWAP2BOARD: {error}"))?;
    if ![0, 3, 5].contains(&list.len()) {
        return Err(format!("SWAP2BOARD: expected 0, 3 or 5 stones, found {}", list.len()));
    }
    let mut game = Game::new(rules);
    for (index, &(stone, _)) in list.iter().enumerate() {
        if index == 3 {
            game.play("more").map_err(|error| error.to_string())?;
        }
        play(&mut game, coordinates, stone).map_err(|why| format!("stone {}: {why}", index + 1))?;
    }
    Ok(game)
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
        let list: Vec<_> = stones.iter().map(|&(x, y, owner)| (Point::new(x, y), owner)).collect();
        let game = game(&start(spec), Coordinates::Xy, &list)?;
        Ok(game.moves().into_iter().map(|mv| game.move_text(mv)).collect())
    }

    #[test]
    fn points_and_cells() {
        let grid = Grid::new(15, 10).unwrap();
        for (x, y, label) in [(0, 0, "a10"), (14, 9, "o1"), (3, 7, "d3")] {
            let place = cell(grid, Coordinates::Xy, Point::new(x, y)).unwrap();
            assert_eq!(grid.label(place), label);
            assert_eq!(cell(grid, Coordinates::Yx, Point::new(y, x)), Ok(place));
            assert_eq!(point(grid, Coordinates::Xy, place), Point::new(x, y));
            assert_eq!(point(grid, Coordinates::Yx, place), Point::new(y, x));
        }
        for (x, y) in [(-1, -1), (15, 0), (0, 10), (i32::MIN, i32::MIN), (i32::MAX, i32::MAX)] {
            assert!(cell(grid, Coordinates::Xy, Point::new(x, y)).is_err(), "{x},{y}");
        }
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
            owners.iter().map(|&owner| (Point::new(0, 0), owner)).collect()
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
        for (stones, told) in [
            (&[(7, 7, X), (7, 7, O)][..], "stone 2: illegal move 7,7: the point is occupied"),
            (&[(7, 15, O)], "stone 1: illegal move: 7,15 is not on the board of size 15"),
            (&[(7, 7, None)], "expected 1 or 2"),
            (&[(7, 7, Some(Owner::Neither))], "7,7,3"),
        ] {
            assert!(read("gomoku", stones).unwrap_err().contains(told), "{told}");
        }
    }
}
