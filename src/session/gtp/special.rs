//! Stones of another kind for programs that know only vertices.
//!
//! `GoGui` runs several processes and sends all of them the moves, nothing else. So it is a move that
//! says what the next stone is: a click on a stone that bears its letter. The player who made it is
//! still to move, and its next vertex is where that stone goes.

use pentarch_core::game::{Cell, Move, MoveKind};
use pentarch_engine::{Game, stones_in_order};

/// A kind of stone that is not the plain one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    Neutral,
    Bomb,
    Power,
}

/// What the next vertex of the player to move stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Next {
    /// A plain stone, or what a stone on the board stands for.
    #[default]
    Plain,
    /// A stone of another kind.
    Special(Special),
    /// The bonus stone of a power stone that goes on this cell.
    Bonus(Cell),
}

/// What a vertex comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Move(Move),
    /// No move yet.
    Next(Next),
}

impl Special {
    const ALL: [Special; 3] = [Special::Neutral, Special::Bomb, Special::Power];

    /// What the kind is called.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Special::Neutral => "neutral",
            Special::Bomb => "bomb",
            Special::Power => "power",
        }
    }

    /// The letter on the stone that stands for the kind.
    pub(super) const fn letter(self) -> &'static str {
        match self {
            Special::Neutral => "N",
            Special::Bomb => "B",
            Special::Power => "P",
        }
    }

    fn of(mv: Move) -> Option<Special> {
        match mv.kind() {
            MoveKind::Neutral(_) => Some(Special::Neutral),
            MoveKind::Bomb(_) => Some(Special::Bomb),
            MoveKind::Power(..) => Some(Special::Power),
            _ => None,
        }
    }
}

/// The stones that stand for the special stones that may be placed now, in the order in which they
/// were placed. The last stone never does: programs repeat a move, which must not mean anything.
pub(super) fn special_points(game: &Game) -> Vec<(Cell, Special)> {
    if game.is_choice() {
        return Vec::new();
    }
    let moves = game.legal_moves();
    let may = |&kind: &Special| moves.iter().any(|&mv| Special::of(mv) == Some(kind));
    let mut stones = stones_in_order(game);
    stones.pop();
    stones.into_iter().zip(Special::ALL.into_iter().filter(may)).collect()
}

/// What a cell means, unless that is the same as ever. The move need not be legal.
pub(super) fn meaning(game: &Game, next: Next, cell: Cell) -> Option<Meaning> {
    let kind = match next {
        Next::Plain => {
            let points = special_points(game);
            let (_, kind) = points.into_iter().find(|&(point, _)| point == cell)?;
            return Some(Meaning::Next(Next::Special(kind)));
        }
        Next::Special(Special::Neutral) => MoveKind::Neutral(cell),
        Next::Special(Special::Bomb) => MoveKind::Bomb(cell),
        Next::Special(Special::Power) if !bonus_cells(game, cell).is_empty() => {
            return Some(Meaning::Next(Next::Bonus(cell)));
        }
        Next::Special(Special::Power) => MoveKind::Power(cell, None),
        Next::Bonus(power) => MoveKind::Power(power, Some(cell)),
    };
    Some(Meaning::Move(kind.into()))
}

/// The cells that the player to move may choose, where they are not those of plain stones.
pub(super) fn legal_cells(game: &Game, next: Next) -> Option<Vec<Cell>> {
    match next {
        Next::Plain => None,
        Next::Special(kind) => {
            let moves = game.legal_moves().into_iter().filter(|&mv| Special::of(mv) == Some(kind));
            Some(moves.filter_map(Move::cell).collect())
        }
        Next::Bonus(power) => Some(bonus_cells(game, power)),
    }
}

/// Where the bonus stone of a power stone on a cell may go.
fn bonus_cells(game: &Game, power: Cell) -> Vec<Cell> {
    let bonus = |mv: Move| match mv.kind() {
        MoveKind::Power(cell, bonus) if cell == power => bonus,
        _ => None,
    };
    game.legal_moves().into_iter().filter_map(bonus).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(spec: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves {
            game.play(text).unwrap();
        }
        game
    }

    /// What vertices come to, one after the other: the move that the last one makes.
    fn played(game: &Game, points: &[&str]) -> String {
        let mut next = Next::Plain;
        for point in points {
            let cell = game.grid().unwrap().parse(point).unwrap();
            match meaning(game, next, cell) {
                Some(Meaning::Move(mv)) => return game.move_text(mv),
                Some(Meaning::Next(other)) => next = other,
                None => return "as ever".to_owned(),
            }
        }
        format!("{next:?}")
    }

    #[test]
    fn a_stone_says_what_the_next_one_is() {
        let bombs = game("atomic-pente", &["j10", "a1"]);
        assert_eq!(played(&bombs, &["j10", "b2"]), "B@b2");
        assert_eq!(played(&bombs, &["b2"]), "as ever");
        let neutral = game("neutral-pente", &["j10", "a1"]);
        assert_eq!(played(&neutral, &["j10", "b2"]), "N@b2");
    }

    #[test]
    fn the_last_stone_says_nothing() {
        let bombs = game("atomic-pente", &["j10", "a1"]);
        assert_eq!(played(&bombs, &["a1"]), "as ever");
        assert!(special_points(&game("atomic-pente", &["j10"])).is_empty());
    }

    #[test]
    fn who_has_no_such_stone_left_is_not_offered_one() {
        let bombs = game("atomic-pente", &["j10", "a1", "B@s19", "a3"]);
        assert!(special_points(&bombs).is_empty());
        assert!(special_points(&game("pente", &["j10", "a1"])).is_empty());
    }

    #[test]
    fn a_power_stone_asks_for_its_bonus_stone() {
        let power = game("pente-plus", &["j10", "a1"]);
        assert_eq!(played(&power, &["j10", "b2", "g7"]), "P@b2,g7");
        let cell = power.grid().unwrap().parse("b2").unwrap();
        let open = legal_cells(&power, Next::Bonus(cell)).unwrap();
        let labels: Vec<_> = open.into_iter().map(|cell| power.cell_text(cell)).collect();
        let diamonds = "d4 j4 p4 g7 m7 d10 p10 g13 m13 d16 j16 p16";
        assert_eq!(labels.join(" "), diamonds);
        // No bonus stone comes with one on a point that is taken; the rules say what is wrong.
        assert_eq!(played(&power, &["j10", "a1"]), "P@a1");
    }
}
