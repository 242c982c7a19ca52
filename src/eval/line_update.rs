//! Keeping the patterns around changed cells up to date.

use super::cell_sets::CellSet;
use super::patterns::{PatternTables, Urgency, captures};
use crate::board::{RADIUS, SquareBoard};
use crate::game::{Cell, Color};
use std::sync::Arc;

/// For each empty cell and colour, what a stone there would make of its four lines; and sums and
/// sets of that. Both colours' entries of an occupied cell are 0.
#[derive(Clone, Debug)]
pub(super) struct Patterns {
    pub tables: Arc<PatternTables>,
    lanes: [Box<[u32; Cell::LIMIT]>; 2],
    /// The sum of the values of all cells, by colour.
    pub totals: [i32; 2],
    /// The cells of each urgency but the quiet ones, by colour.
    sets: [[CellSet; Urgency::COUNT]; 2],
    /// The cells that capture something, by colour.
    pub captures: [CellSet; 2],
    log: Vec<Old>,
}

/// Lanes that were overwritten.
#[derive(Clone, Copy, Debug)]
struct Old {
    color: u8,
    cell: Cell,
    lanes: u32,
}

impl Patterns {
    pub(super) fn new(tables: Arc<PatternTables>) -> Patterns {
        Patterns {
            tables,
            lanes: [Box::new([0; Cell::LIMIT]), Box::new([0; Cell::LIMIT])],
            totals: [0; 2],
            sets: Default::default(),
            captures: Default::default(),
            log: Vec::new(),
        }
    }

    /// What a stone of a colour on an empty cell would make.
    #[inline]
    pub(super) fn lanes(&self, color: Color, cell: Cell) -> u32 {
        self.lanes[color.index() & 1][cell.index() % Cell::LIMIT]
    }

    /// The cells of an urgency above quiet.
    #[inline]
    pub(super) fn set(&self, color: Color, urgency: Urgency) -> &CellSet {
        &self.sets[color.index() & 1][urgency as usize]
    }

    /// Works everything out from the stones.
    pub(super) fn reset(&mut self, board: &SquareBoard) {
        *self = Patterns::new(Arc::clone(&self.tables));
        for cell in board.grid().iter() {
            self.refresh_cell(board, cell);
        }
        self.log.clear();
    }

    /// A mark to come back to with [`Patterns::back_to`].
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Undoes every update since a mark.
    pub(super) fn back_to(&mut self, mark: usize) {
        while self.log.len() > mark {
            let Some(old) = self.log.pop() else { break };
            self.exchange(Color(old.color), old.cell, old.lanes);
        }
    }

    /// Follows a change of a cell; the board is the one after all changes of the ply.
    #[inline]
    pub(super) fn update(&mut self, board: &SquareBoard, cell: Cell) {
        self.refresh_cell(board, cell);
        if self.tables.radius() == 4 {
            self.update_lines::<4>(board, cell);
        } else {
            self.update_lines::<5>(board, cell);
        }
    }

    /// Works out all four lanes of a cell.
    fn refresh_cell(&mut self, board: &SquareBoard, cell: Cell) {
        let mut lanes = [0; 2];
        if board.content(cell).color().is_none() {
            let windows = [Color(0), Color(1)].map(|color| board.windows(color, cell));
            let walls = board.map().walls(cell);
            let tables = Arc::clone(&self.tables);
            let radius = tables.radius();
            for direction in 0..4 {
                let shift = RADIUS - radius;
                let stones = windows.map(|w| u64::from(w.lane(direction)) >> shift);
                let wall = u64::from(walls.lane(direction)) >> shift;
                let entries = if radius == 4 {
                    pair::<4>(&tables, stones, wall)
                } else {
                    pair::<5>(&tables, stones, wall)
                };
                for color in 0..2 {
                    lanes[color] |= u32::from(entries[color]) << (8 * direction);
                }
            }
        }
        for (color, &lanes) in lanes.iter().enumerate() {
            self.put(Color(color as u8), cell, lanes);
        }
    }

    /// Updates the lane of a direction for each empty cell within `R` of a changed one.
    fn update_lines<const R: u32>(&mut self, board: &SquareBoard, cell: Cell) {
        let tables = Arc::clone(&self.tables);
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
                let entries = pair::<R>(&tables, stones.map(|line| line >> shift), wall >> shift);
                for (color, entry) in entries.into_iter().enumerate() {
                    let color = Color(color as u8);
                    let lanes = self.lanes(color, other) & !(0xff << (8 * direction));
                    self.put(color, other, lanes | u32::from(entry) << (8 * direction));
                }
            }
        }
    }

    /// Changes a cell's lanes and remembers the old ones.
    #[inline]
    fn put(&mut self, color: Color, cell: Cell, new: u32) {
        let old = self.lanes(color, cell);
        if old != new {
            self.log.push(Old { color: color.0, cell, lanes: old });
            self.exchange(color, cell, new);
        }
    }

    /// Changes a cell's lanes and all that depends on them.
    #[inline]
    fn exchange(&mut self, color: Color, cell: Cell, new: u32) {
        let index = color.index() & 1;
        let old = std::mem::replace(&mut self.lanes[index][cell.index() % Cell::LIMIT], new);
        let (before, after) = (self.tables.combination(old), self.tables.combination(new));
        self.totals[index] += i32::from(after.value) - i32::from(before.value);
        if before.urgency != after.urgency {
            if before.urgency != Urgency::Quiet {
                self.sets[index][before.urgency as usize].remove(cell);
            }
            if after.urgency != Urgency::Quiet {
                self.sets[index][after.urgency as usize].insert(cell);
            }
        }
        match (captures(old), captures(new)) {
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
