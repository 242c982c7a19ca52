//! Moves for those who know only points: programs for Go, and the records that they write.
//!
//! Where a color must be chosen, the stones on the board stand for the choices, since no program
//! takes a stone on a stone for an ordinary move.

use super::Game;
use pentarch_core::game::{Cell, Move, MoveKind};

/// The choices in the order in which stones stand for them.
const CHOICES: [MoveKind; 3] = [MoveKind::Swap, MoveKind::Keep, MoveKind::More];

/// The stones that stand for the choices that are due now: of those still there, the one placed
/// first means `swap`, the second `keep`, the third `more`.
pub fn choice_points(game: &Game) -> Vec<(Cell, MoveKind)> {
    let legal = |kind: MoveKind| game.check_move(kind.into()).is_ok();
    if !CHOICES.into_iter().any(legal) {
        return Vec::new();
    }
    let mut points: Vec<_> = stones_in_order(game).into_iter().zip(CHOICES).collect();
    points.retain(|&(_, kind)| legal(kind));
    points
}

/// The stones on the board in the order in which they were placed; those that were there from the
/// start come first.
pub fn stones_in_order(game: &Game) -> Vec<Cell> {
    let there = |cell: &Cell| game.content(*cell).is_some();
    let mut placed: Vec<Cell> = Vec::new();
    for cell in game.moves().into_iter().rev().filter_map(Move::cell).filter(there) {
        if !placed.contains(&cell) {
            placed.push(cell);
        }
    }
    placed.reverse();
    let mut stones: Vec<Cell> = game.cells().into_iter().filter(there).collect();
    stones.retain(|cell| !placed.contains(cell));
    stones.extend(placed);
    stones
}

/// The moves that a point stands for: a stone, at a choice the choice of the stone that is there,
/// and where the chooser moves again after keeping the color, `keep` and that stone.
///
/// They need not be legal.
pub fn moves_at(game: &Game, cell: Cell) -> Vec<Move> {
    let points = choice_points(game);
    if let Some((_, kind)) = points.iter().find(|&&(point, _)| point == cell) {
        return vec![Move::from(*kind)];
    }
    let keep = Move::from(MoveKind::Keep);
    // A bare point is `+` throughout where captures need signs.
    let bare = game.grid().and_then(|grid| game.parse_move(&grid.label(cell)).ok());
    let stone = bare.unwrap_or(Move::stone(cell));
    if !points.is_empty() && game.check_move(keep).is_ok() {
        let mut kept = game.clone();
        let goes_on = kept.play_move(keep).is_ok() && kept.to_move() == game.to_move();
        if goes_on && kept.check_move(stone).is_ok() {
            return vec![keep, stone];
        }
    }
    vec![stone]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_choice_points_are_stones() {
        let mut game = Game::new("pente".parse().unwrap());
        game.play("j10").unwrap();
        assert!(choice_points(&game).is_empty());
        let cell = Cell(0);
        assert_eq!(moves_at(&game, cell), [Move::stone(cell)]);
    }

    #[test]
    fn a_choice_is_made_on_the_stones() {
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
        // Who keeps Black moves again.
        let stone = Move::stone(at("b2"));
        assert_eq!(moves_at(&game, at("b2")), [Move::from(keep), stone]);
        game.play("swap").unwrap();
        assert_eq!(moves_at(&game, at("b2")), [stone]);
    }

    #[test]
    fn a_choice_after_which_the_other_goes_on_has_no_empty_points() {
        let mut game = Game::new("d-pente".parse().unwrap());
        for text in ["k10", "j10", "l10", "m10"] {
            game.play(text).unwrap();
        }
        let grid = game.grid().unwrap();
        // Black has captured the white stones; two of its own are left.
        let points: Vec<_> = choice_points(&game).iter().map(|&(c, _)| grid.label(c)).collect();
        assert_eq!(points, ["j10", "m10"]);
        let cell = grid.parse("a1").unwrap();
        assert!(game.check_move(moves_at(&game, cell)[0]).is_err());
    }

    #[test]
    fn a_bare_point_takes_all_captures_for_oneself() {
        let mut game = Game::new("plus-minus-pente".parse().unwrap());
        for text in ["j10", "k10", "a1", "l10"] {
            game.play(text).unwrap();
        }
        let cell = game.grid().unwrap().parse("m10").unwrap();
        let moves = moves_at(&game, cell);
        assert_eq!(game.move_text(moves[0]), "m10+");
    }

    #[test]
    fn stones_count_in_the_order_of_play() {
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
