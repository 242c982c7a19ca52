//! Keeping the patterns around changed cells up to date.

use super::cell_sets::CellSet;
use super::patterns::{Lanes, PatternTables, Urgency};
use crate::board::{RADIUS, SquareBoard};
use crate::game::{Cell, Color};
use std::sync::Arc;

/// For each empty cell and colour, what a stone there would make of its four lines; and sums and
/// sets of that.
#[derive(Clone, Debug)]
pub(super) struct Patterns {
    pub tables: Arc<PatternTables>,
    cells: CellPatterns,
}

/// The part of [`Patterns`] that changes. It is handed the tables with each call, because counting
/// another reference to them at every node would make threads wait for each other.
#[derive(Clone, Debug)]
struct CellPatterns {
    /// By colour and cell; empty lanes for both colours on an occupied cell.
    lanes: [Box<[Lanes; Cell::LIMIT]>; 2],
    /// The sum of the values of all cells, by colour, when it is to move and when it is not.
    totals: Totals,
    /// The cells of each urgency but the quiet ones, by colour.
    sets: [[CellSet; Urgency::COUNT]; 2],
    /// The cells that capture something, by colour.
    captures: [CellSet; 2],
    log: Vec<Old>,
}

type Totals = [[i32; 2]; 2];

/// Lanes that were overwritten.
#[derive(Clone, Copy, Debug)]
struct Old {
    color: Color,
    cell: Cell,
    lanes: Lanes,
}

/// A state to come back to with [`Patterns::back_to`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    log: usize,
    totals: Totals,
}

impl Patterns {
    pub(super) fn new(tables: Arc<PatternTables>) -> Patterns {
        Patterns { tables, cells: CellPatterns::new() }
    }

    /// What a stone of a colour on an empty cell would make.
    #[inline]
    pub(super) fn lanes(&self, color: Color, cell: Cell) -> Lanes {
        self.cells.lanes(color, cell)
    }

    /// The cells of an urgency above quiet.
    #[inline]
    pub(super) fn set(&self, color: Color, urgency: Urgency) -> &CellSet {
        &self.cells.sets[color.index() & 1][urgency as usize]
    }

    /// The cells on which a colour captures something.
    #[inline]
    pub(super) fn captures(&self, color: Color) -> &CellSet {
        &self.cells.captures[color.index() & 1]
    }

    /// What all empty cells are worth to the colour to move, less what they are to the other.
    #[inline]
    pub(super) fn balance(&self, mover: Color) -> i32 {
        let totals = &self.cells.totals;
        totals[mover.index() & 1][0] - totals[mover.index() & 1 ^ 1][1]
    }

    /// Works everything out from the stones.
    pub(super) fn reset(&mut self, board: &SquareBoard) {
        self.cells = CellPatterns::new();
        for cell in board.grid().iter() {
            self.cells.refresh(&self.tables, board, cell);
        }
        self.cells.log.clear();
    }

    /// The state as it is, to come back to.
    #[inline]
    pub(super) fn mark(&self) -> Mark {
        Mark { log: self.cells.log.len(), totals: self.cells.totals }
    }

    /// Undoes every update since a mark.
    #[inline]
    pub(super) fn back_to(&mut self, mark: Mark) {
        while self.cells.log.len() > mark.log {
            let Some(old) = self.cells.log.pop() else { break };
            self.cells.exchange(&self.tables, old.color, old.cell, old.lanes);
        }
        self.cells.totals = mark.totals;
    }

    /// Follows a change of a cell; the board is the one after all changes of the ply.
    #[inline]
    pub(super) fn update(&mut self, board: &SquareBoard, cell: Cell) {
        self.cells.refresh(&self.tables, board, cell);
        if self.tables.radius() == 4 {
            self.cells.update_lines::<4>(&self.tables, board, cell);
        } else {
            self.cells.update_lines::<5>(&self.tables, board, cell);
        }
    }
}

impl CellPatterns {
    fn new() -> CellPatterns {
        let lanes = || Box::new([Lanes::default(); Cell::LIMIT]);
        CellPatterns {
            lanes: [lanes(), lanes()],
            totals: [[0; 2]; 2],
            sets: Default::default(),
            captures: Default::default(),
            log: Vec::new(),
        }
    }

    #[inline]
    fn lanes(&self, color: Color, cell: Cell) -> Lanes {
        self.lanes[color.index() & 1][cell.index() % Cell::LIMIT]
    }

    /// Works out all four lanes of a cell.
    fn refresh(&mut self, tables: &PatternTables, board: &SquareBoard, cell: Cell) {
        let mut lanes = [Lanes::default(); 2];
        if board.content(cell).color().is_none() {
            let windows = [Color(0), Color(1)].map(|color| board.windows(color, cell));
            let walls = board.map().walls(cell);
            let shift = RADIUS - tables.radius();
            for direction in 0..4 {
                let stones = windows.map(|w| u64::from(w.lane(direction)) >> shift);
                let wall = u64::from(walls.lane(direction)) >> shift;
                let entries = if tables.radius() == 4 {
                    pair::<4>(tables, stones, wall)
                } else {
                    pair::<5>(tables, stones, wall)
                };
                for (lanes, entry) in lanes.iter_mut().zip(entries) {
                    *lanes = lanes.with(direction, entry);
                }
            }
        }
        for (color, lanes) in [Color(0), Color(1)].into_iter().zip(lanes) {
            self.put(tables, color, cell, lanes);
        }
    }

    /// Updates the lane of a direction for each empty cell within `R` of a changed one.
    #[inline]
    fn update_lines<const R: u32>(
        &mut self,
        tables: &PatternTables,
        board: &SquareBoard,
        cell: Cell,
    ) {
        let spot = board.map().spot(cell);
        for direction in 0..4 {
            let number = spot.line[direction];
            let stones = [Color(0), Color(1)].map(|color| board.line(color, number));
            let wall = board.map().wall(number);
            let taken = stones[0] | stones[1] | wall;
            let place = u32::from(spot.shift[direction]) + RADIUS;
            let step = board.map().step(direction);
            // The bits of the line within reach that are empty cells; the changed cell itself
            // has been seen to.
            let reach = ((1u64 << (2 * R + 1)) - 1) << (place - R);
            let mut free = !taken & reach & !(1 << place);
            while free != 0 {
                let bit = free.trailing_zeros();
                free &= free - 1;
                let distance = bit as i16 - place as i16;
                let other = Cell((cell.0 as i16 + step * distance) as u16);
                let shift = bit - R;
                let entries = pair::<R>(tables, stones.map(|line| line >> shift), wall >> shift);
                for (color, entry) in [Color(0), Color(1)].into_iter().zip(entries) {
                    let lanes = self.lanes(color, other).with(direction, entry);
                    self.put(tables, color, other, lanes);
                }
            }
        }
    }

    /// Changes a cell's lanes and remembers the old ones.
    #[inline]
    fn put(&mut self, tables: &PatternTables, color: Color, cell: Cell, new: Lanes) {
        let old = self.lanes(color, cell);
        if old != new {
            self.log.push(Old { color, cell, lanes: old });
            self.exchange(tables, color, cell, new);
        }
    }

    /// Changes a cell's lanes and all that depends on them.
    #[inline]
    fn exchange(&mut self, tables: &PatternTables, color: Color, cell: Cell, new: Lanes) {
        let index = color.index() & 1;
        let old = std::mem::replace(&mut self.lanes[index][cell.index() % Cell::LIMIT], new);
        let (before, after) = (tables.combination(old), tables.combination(new));
        for (role, total) in self.totals[index].iter_mut().enumerate() {
            *total += i32::from(after.values[role]) - i32::from(before.values[role]);
        }
        if before.urgency != after.urgency {
            if before.urgency != Urgency::Quiet {
                self.sets[index][before.urgency as usize].remove(cell);
            }
            if after.urgency != Urgency::Quiet {
                self.sets[index][after.urgency as usize].insert(cell);
            }
        }
        match (old.captures(), new.captures()) {
            (false, true) => self.captures[index].insert(cell),
            (true, false) => self.captures[index].remove(cell),
            _ => (),
        }
    }
}

/// Both colours' entries: what blocks one are the other's stones and the walls.
#[inline]
fn pair<const R: u32>(tables: &PatternTables, stones: [u64; 2], wall: u64) -> [u8; 2] {
    [tables.entry::<R>(stones[0], stones[1] | wall), tables.entry::<R>(stones[1], stones[0] | wall)]
}
