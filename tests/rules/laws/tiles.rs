//! Games of tiles, for the [laws](super).

use super::{Family, legal, methods_of_all};
use fastrand::Rng;
use pentarch::game::{Cell, Color, Key, Move, MoveKind, Place, Position as _, PositionTextError};
use pentarch::stacking::{FIRST_TILE_CORNER, OrientedTile, Pentomino, Playout, Position, Spot};

pub(crate) const SPECS: [&str; 2] = ["pent-up", "pent-up-misere"];

/// The number of remaining tiles that must be placed above the table after a move.
fn forced_up(position: &mut Position, mv: Move) -> i32 {
    position.play(mv);
    let left = [Color(0), Color(1)].map(|color| position.shapes_left(color));
    let forced = |shape: &Pentomino| position.highest_level(*shape) > 1;
    let each = left.map(|left| {
        let shapes = Pentomino::all().filter(|shape| left >> shape.index() & 1 != 0);
        shapes.filter(forced).count() as i32
    });
    let count = each[0] + each[1];
    position.undo();
    count
}

impl Family for Position {
    const GAMES: u64 = 12;
    const STYLES: u64 = 4;

    methods_of_all!();

    fn specs() -> Vec<String> {
        SPECS.map(str::to_owned).into()
    }

    /// Three kinds of games: high stacks, long rows, and random games.
    fn draw(&self, game: u64, rng: &mut Rng) -> Option<Move> {
        let moves = legal(self);
        let far = |mv: &&Move| match mv.kind() {
            MoveKind::Tile(orientation, place) => {
                let spot = Spot::at(place).unwrap();
                i32::from(spot.column) + i32::from(OrientedTile::of(orientation).width)
            }
            other => panic!("{other:?} in a game of tiles"),
        };
        match game {
            0 => {
                let mut after = self.clone();
                moves.iter().max_by_key(|mv| 4 * far(mv) - forced_up(&mut after, **mv)).copied()
            }
            1 => moves.iter().min_by_key(|mv| far(mv) * 100 + rng.i32(..50)).copied(),
            2 => (!moves.is_empty()).then(|| moves[rng.usize(..moves.len())]),
            _ => Playout::default().draw(self, rng),
        }
    }

    fn cells(&self) -> Vec<Cell> {
        self.cells().collect()
    }

    fn content(&self, _: Cell) -> u8 {
        0
    }

    /// The heights of the part of the table that games use.
    fn contents(&self) -> Vec<u8> {
        let spots = (60..110).flat_map(|row| (60..110).map(move |column| Spot { column, row }));
        spots.map(|spot| self.height(spot)).collect()
    }

    /// Every orientation of a random shape around the tiles, moves without a tile, and tiles off the table.
    fn tries(&self, rng: &mut Rng) -> Vec<Move> {
        let some = Pentomino::all().next().unwrap().orientations().next().unwrap();
        let off = [0x7fff, 28_223, 0].map(|place| MoveKind::Tile(some, Place(place)));
        let others = [MoveKind::Swap, MoveKind::Pass, MoveKind::Stone(Cell(9))];
        let (low, high) = self.bounds().unwrap_or((FIRST_TILE_CORNER, FIRST_TILE_CORNER));
        let shape = Pentomino::all().nth(rng.usize(..12)).unwrap();
        let rows = low.row - 6..=high.row + 6;
        let spots = rows.flat_map(|row| {
            (low.column - 6..=high.column + 6).map(move |column| Spot { column, row })
        });
        let tile = |spot: Spot| shape.orientations().map(move |o| MoveKind::Tile(o, spot.place()));
        others.into_iter().chain(off).chain(spots.flat_map(tile)).map(Move::from).collect()
    }

    fn is_tried(_: Move) -> bool {
        false
    }

    /// Empty: another test covers the symmetries of tiles.
    fn symmetries(&self) -> Vec<Box<dyn Fn(Cell) -> Cell>> {
        Vec::new()
    }

    /// The key of the same tiles placed in another order.
    fn compute_key(&self) -> Key {
        self.with_text(&self.text()).unwrap().key()
    }
}
