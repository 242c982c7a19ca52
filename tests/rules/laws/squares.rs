//! Games on squares, for the [laws](super).

use super::{Family, methods_of_all};
use crate::common::{draw, specs, start};
use fastrand::Rng;
use pentarch::board::Symmetry;
use pentarch::game::{Cell, Color, Key, Move, MoveKind, Position as _, PositionTextError};
use pentarch::placement::Position;

impl Family for Position {
    const PLAYS_ALL: bool = false;

    methods_of_all!();

    fn specs() -> Vec<String> {
        let even = ["pente-freestyle+size=6", "keryo-pente+free+size=6"];
        specs().into_iter().chain(even.map(str::to_owned)).collect()
    }

    fn draw(&self, _: u64, rng: &mut Rng) -> Option<Move> {
        draw(self, rng)
    }

    fn cells(&self) -> Vec<Cell> {
        self.cells().collect()
    }

    fn content(&self, cell: Cell) -> u8 {
        self.board().content(cell).0
    }

    fn tries(&self, rng: &mut Rng) -> Vec<Move> {
        let off = MoveKind::Stone(Cell(1023));
        let fixed = [MoveKind::Swap, MoveKind::Keep, MoveKind::More, MoveKind::Pass, off];
        let on = self.cells().flat_map(|cell| {
            [MoveKind::Stone(cell), MoveKind::Neutral(cell), MoveKind::Bomb(cell)]
        });
        let power = self.rules().stones().power;
        let diamonds = power.into_iter().flat_map(|(_, diamonds)| diamonds.cells(self.grid()));
        let other = rng.choice(Family::cells(self));
        let bonuses: Vec<_> = diamonds.chain(other).map(Some).chain([None]).collect();
        let behind = |cell| bonuses.iter().map(move |&bonus| MoveKind::Power(cell, bonus));
        let power = self.cells().flat_map(behind);
        fixed.into_iter().chain(on).chain(power).map(Move::from).collect()
    }

    fn is_tried(mv: Move) -> bool {
        !matches!(mv.kind(), MoveKind::Signed(..))
    }

    /// Only on boards of odd size, or without a first stone at the center: the center of others is not their
    /// middle.
    fn symmetries(&self) -> Vec<Box<dyn Fn(Cell) -> Cell>> {
        let grid = self.grid();
        let is_even = grid.columns().is_multiple_of(2) || grid.rows().is_multiple_of(2);
        if is_even && self.rules().opening().only_cell(grid, 0).is_some() {
            return Vec::new();
        }
        let map = |symmetry: Symmetry| {
            Box::new(move |cell| symmetry.apply(grid, cell)) as Box<dyn Fn(Cell) -> Cell>
        };
        Symmetry::all(grid).map(map).collect()
    }

    fn compute_key(&self) -> Key {
        self.compute_key()
    }
}

#[test]
fn keys_depend_on_rulesets_turns_and_counts() {
    assert_ne!(start("pente").key(), start("pro-pente").key());
    let play = |moves: &str| {
        let mut position = start("pente-freestyle");
        for text in moves.split(' ') {
            position.try_play(position.parse_move(text).unwrap()).unwrap();
        }
        position
    };
    // The same stones with and without an earlier capture by player 1.
    let quiet = play("a1 d1 h8 s9");
    let bloody = play("a1 b1 h8 c1 d1 s9");
    let stones = |p: &Position| p.grid().iter().filter(|&c| p.board().content(c).0 != 0).count();
    assert_eq!((stones(&quiet), stones(&bloody)), (4, 4));
    assert_eq!(bloody.captures(Color(0)), 2);
    let twin = Position::from_text(
        "pente-freestyle".parse().unwrap(),
        &bloody.text().replace(" 2,0 ", " 0,0 "),
    );
    assert_ne!(bloody.key(), twin.unwrap().key());
}

#[test]
fn key_after_is_exact_for_stones_that_capture_nothing() {
    for spec in ["gomoku", "renju", "pente-freestyle", "keryo-pente", "ninuki", "pente-plus"] {
        let mut rng = Rng::with_seed(4);
        let (mut position, mut told_right) = (start(spec), 0);
        while let Some(mv) = draw(&position, &mut rng) {
            let told = position.key_after(mv);
            position.play(mv);
            let has_bonus = matches!(mv.kind(), MoveKind::Power(_, Some(_)));
            let captures = position.changes().len() > 1 + usize::from(has_bonus);
            if position.ply() > 8 && position.outcome().is_none() && !captures {
                assert_eq!(told, position.key(), "{spec}: {}", position.text());
                told_right += 1;
            }
        }
        assert!(told_right > 4, "{spec}: {told_right}");
    }
}
