//! Moves written as points, for programs and records of Go, which have no other moves.
//!
//! The choice of a color in a swap opening is written as the point of a stone on the board: no ordinary move is
//! played on a stone.

use super::Game;
use pentarch_core::game::{Cell, Move, MoveKind};

/// The choices, in the order of the stones that represent them.
const CHOICES: [MoveKind; 3] = [MoveKind::Swap, MoveKind::Keep, MoveKind::More];

/// Returns the legal choices, each with the point that represents it: the first stone that was placed and is still
/// on the board means `swap`, the second `keep`, the third `more`. Empty if no choice is due.
pub fn choice_points(game: &Game) -> Vec<(Cell, MoveKind)> {
    let legal = |kind: MoveKind| game.check_move(kind.into()).is_ok();
    if !CHOICES.into_iter().any(legal) {
        return Vec::new();
    }
    let mut points: Vec<_> = stones_in_order(game).into_iter().zip(CHOICES).collect();
    points.retain(|&(_, kind)| legal(kind));
    points
}

/// Returns the stones on the board in the order in which they were placed, those of the starting position first.
pub fn stones_in_order(game: &Game) -> Vec<Cell> {
    let is_occupied = |cell: &Cell| game.content(*cell).is_some();
    let mut placed: Vec<Cell> = Vec::new();
    for cell in game.moves().into_iter().rev().filter_map(Move::cell).filter(is_occupied) {
        if !placed.contains(&cell) {
            placed.push(cell);
        }
    }
    placed.reverse();
    let mut stones: Vec<Cell> = game.cells().into_iter().filter(is_occupied).collect();
    stones.retain(|cell| !placed.contains(cell));
    stones.extend(placed);
    stones
}

/// Returns the moves that a point represents: a choice if [`choice_points`] lists the point, otherwise a stone. If
/// the player to move may choose `keep` and then moves again, an empty point represents both moves.
///
/// The moves may be illegal.
pub fn moves_at(game: &Game, cell: Cell) -> Vec<Move> {
    let points = choice_points(game);
    if let Some((_, kind)) = points.iter().find(|&&(point, _)| point == cell) {
        return vec![Move::from(*kind)];
    }
    let keep = Move::from(MoveKind::Keep);
    // In games whose captures are written with signs, a point without signs means `+` for each capture.
    let bare = game.grid().and_then(|grid| game.parse_move(&grid.label(cell)).ok());
    let stone = bare.unwrap_or(Move::stone(cell));
    if !points.is_empty() && game.check_move(keep).is_ok() {
        let mut kept = game.clone();
        let moves_again = kept.play_move(keep).is_ok() && kept.to_move() == game.to_move();
        if moves_again && kept.check_move(stone).is_ok() {
            return vec![keep, stone];
        }
    }
    vec![stone]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_stones_if_no_choice_is_due() {
        let mut game = Game::new("pente".parse().unwrap());
        game.play("j10").unwrap();
        assert!(choice_points(&game).is_empty());
        let cell = Cell(0);
        assert_eq!(moves_at(&game, cell), [Move::stone(cell)]);
    }

    #[test]
    fn stones_represent_the_choices() {
        let mut game = Game::new("swap2-pente".parse().unwrap());
        for text in ["s19", "a1", "j10"] {
            game.play(text).unwrap();
        }
        let grid = game.grid().unwrap();
        let at = |label: &str| grid.parse(label).unwrap();
        let [swap, keep, more] = [MoveKind::Swap, MoveKind::Keep, MoveKind::More];
        let expected = [(at("s19"), swap), (at("a1"), keep), (at("j10"), more)];
        assert_eq!(choice_points(&game), expected);
        assert_eq!(moves_at(&game, at("j10")), [Move::from(more)]);
        // The player who keeps Black moves again.
        let stone = Move::stone(at("b2"));
        assert_eq!(moves_at(&game, at("b2")), [Move::from(keep), stone]);
        game.play("swap").unwrap();
        assert_eq!(moves_at(&game, at("b2")), [stone]);
    }

    #[test]
    fn an_empty_point_is_illegal_if_the_opponent_moves_after_the_choice() {
        let mut game = Game::new("d-pente".parse().unwrap());
        for text in ["k10", "j10", "l10", "m10"] {
            game.play(text).unwrap();
        }
        let grid = game.grid().unwrap();
        // Black has captured the white stones. Two black stones are left.
        let points: Vec<_> = choice_points(&game).iter().map(|&(c, _)| grid.label(c)).collect();
        assert_eq!(points, ["j10", "m10"]);
        let cell = grid.parse("a1").unwrap();
        assert!(game.check_move(moves_at(&game, cell)[0]).is_err());
    }

    #[test]
    fn a_point_without_signs_keeps_all_captures() {
        let mut game = Game::new("plus-minus-pente".parse().unwrap());
        for text in ["j10", "k10", "a1", "l10"] {
            game.play(text).unwrap();
        }
        let cell = game.grid().unwrap().parse("m10").unwrap();
        let moves = moves_at(&game, cell);
        assert_eq!(game.move_text(moves[0]), "m10+");
    }

    #[test]
    fn stones_are_in_the_order_of_play() {
        let mut game = Game::new("pente-freestyle".parse().unwrap());
        for text in ["s19", "a1", "j10"] {
            game.play(text).unwrap();
        }
        let grid = game.grid().unwrap();
        let labels: Vec<_> =
            stones_in_order(&game).into_iter().map(|cell| grid.label(cell)).collect();
        assert_eq!(labels, ["s19", "a1", "j10"]);
    }
}
