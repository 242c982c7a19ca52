//! Games on boards of hexagons: Pentalath and Yavalath.

use super::{Modifier, SpecError};
use crate::board::{HexGrid, HexShape};

/// The rules of a game on hexagons (S4, LUD).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hexes {
    /// The board.
    pub grid: HexGrid,
    /// Whether groups without liberty are taken off the board, and suicide is forbidden, as in
    /// Pentalath (S4).
    pub surround: bool,
    /// That many or more in a row win.
    pub line: u8,
    /// That many in a row, without a winning row, lose, as in Yavalath (S4).
    pub losing_line: Option<u8>,
    /// Whether a player must keep the next one from winning at once, unless they win themselves:
    /// Yavalath for three (S4).
    pub must_block: bool,
    /// Whether player 2 chooses a color after seeing the first stone (PBM, AP).
    pub swap1: bool,
}

impl Hexes {
    const fn pentalath(shape: HexShape, side: u8) -> Hexes {
        Hexes {
            grid: HexGrid::of(shape, side),
            surround: true,
            line: 5,
            losing_line: None,
            must_block: false,
            swap1: false,
        }
    }

    /// The trapezium of 70 cells (S4).
    pub(super) const PENTALATH: Hexes = Hexes::pentalath(HexShape::HalfHexagon, 7);
    /// Pentalath on the board of 61 cells (S4).
    pub(super) const PENTALATH_HEX: Hexes = Hexes::pentalath(HexShape::Hexagon, 5);
    /// Four wins, three loses (S4).
    pub(super) const YAVALATH: Hexes =
        Hexes { surround: false, line: 4, losing_line: Some(3), ..Hexes::PENTALATH_HEX };
    /// Yavalath in which nobody may let the next player win (S4).
    pub(super) const YAVALATH_3: Hexes = Hexes { must_block: true, ..Hexes::YAVALATH };

    /// The rules changed by a word, or what is in its way.
    pub(super) fn with(self, modifier: Modifier, seats: u8) -> Result<Hexes, &'static str> {
        match modifier {
            Modifier::Swap1 if seats > 2 => Err(", a game for three"),
            Modifier::Swap1 => Ok(Hexes { swap1: true, ..self }),
            Modifier::Side(side) => match HexGrid::new(self.grid.shape(), side) {
                Some(grid) => Ok(Hexes { grid, ..self }),
                None => Err(", whose hexagon has sides of 2 to 5"),
            },
            Modifier::Line(_) if self.losing_line.is_some() => {
                Err(", where four win and three lose")
            }
            Modifier::Line(line) => Ok(Hexes { line, ..self }),
            _ => Err(", a game on hexagons"),
        }
    }

    /// Refuses boards on which no row of stones could end the game.
    pub(super) fn check(self) -> Result<(), SpecError> {
        if self.shortest_line() <= self.grid.longest() {
            return Ok(());
        }
        let words = [Modifier::Line(self.line), Modifier::Side(self.grid.side())];
        let [line, side] = words.map(|word| word.to_string());
        Err(SpecError::Clash(line, side))
    }

    /// The shortest row of stones that ends a game or puts a player out of it.
    pub fn shortest_line(self) -> u8 {
        self.losing_line.unwrap_or(self.line)
    }
}
