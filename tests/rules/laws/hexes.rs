//! Games on hexagons, for the [laws](super).

use super::{Family, legal, methods_of_all};
use fastrand::Rng;
use pentarch::board::{HexSymmetry, cells_of};
use pentarch::game::{Cell, Key, Move, MoveKind, Position as _, PositionTextError};
use pentarch::hexes::Position;

/// Every game on hexagons, and smaller boards on which rare events are frequent.
pub(crate) const SPECS: [&str; 21] = [
    "pentalath",
    "pentalath+swap1",
    "pentalath-hex",
    "pentalath-hex+swap1",
    "pentalath-3",
    "yavalath",
    "yavalath+swap1",
    "yavalath-3",
    "pentalath+side=2+line=3",
    "pentalath+side=3+line=3",
    "pentalath+side=3",
    "pentalath+side=4+line=6",
    "pentalath-hex+side=2+line=3",
    "pentalath-hex+side=3+line=4",
    "pentalath-3+side=3",
    "pentalath-3+side=4+line=4",
    "pentalath+max-plies=20",
    "yavalath+side=2",
    "yavalath+side=3",
    "yavalath-3+side=3",
    "yavalath-3+side=4",
];

impl Family for Position {
    methods_of_all!();

    fn specs() -> Vec<String> {
        SPECS.map(str::to_owned).into()
    }

    /// Prefers moves next to stones, so that rows and captures occur. Ends games that last too long.
    fn draw(&self, _: u64, rng: &mut Rng) -> Option<Move> {
        if self.ply() > 300 {
            return None;
        }
        let moves = legal(self);
        let grid = self.grid();
        let near = |mv: &&Move| {
            let close = |other| mv.cell().is_some_and(|cell| grid.distance(cell, other) == 1);
            cells_of(!self.empty() & grid.all()).any(close)
        };
        if rng.u8(..4) > 0 {
            let close: Vec<_> = moves.iter().filter(near).collect();
            if !close.is_empty() {
                return Some(*close[rng.usize(..close.len())]);
            }
        }
        (!moves.is_empty()).then(|| moves[rng.usize(..moves.len())])
    }

    fn cells(&self) -> Vec<Cell> {
        self.cells().collect()
    }

    fn content(&self, cell: Cell) -> u8 {
        self.stone(cell).map_or(0, |color| color.0 + 1)
    }

    fn tries(&self, _: &mut Rng) -> Vec<Move> {
        let words = [MoveKind::Swap, MoveKind::Keep, MoveKind::More, MoveKind::Pass];
        let others = [MoveKind::Bomb(Cell(0)), MoveKind::Neutral(Cell(1023))];
        let cells = (0..200).chain([1023]).map(|cell| MoveKind::Stone(Cell(cell)));
        cells.chain(words).chain(others).map(Move::from).collect()
    }

    fn is_tried(_: Move) -> bool {
        true
    }

    fn glance(&self) -> String {
        self.text()
    }

    /// The colors that are still in the game.
    fn more(&self) -> String {
        format!("{:?}", self.opponents().collect::<Vec<_>>())
    }

    fn symmetries(&self) -> Vec<Box<dyn Fn(Cell) -> Cell>> {
        let grid = self.grid();
        let map = |symmetry: HexSymmetry| {
            Box::new(move |cell| symmetry.apply(grid, cell)) as Box<dyn Fn(Cell) -> Cell>
        };
        HexSymmetry::all(grid).map(map).collect()
    }

    fn compute_key(&self) -> Key {
        self.compute_key()
    }
}
