//! The part of a pattern map that changes from ply to ply: what each stone changes around it, and how
//! that is taken back.

use super::cell_pattern::CellPattern;
use super::counted_cells::CountedCells;
use super::line_entries::Lines;
use super::patterns::PatternTables;
use super::shapes::Urgency;
use super::worth::Total;
use crate::board::{RADIUS, SquareBoard, Windows};
use crate::game::{Cell, Color};

/// The patterns of all cells, their sums and sets, and what they were before. It is handed the tables
/// with each call, because counting another reference to them at every node would make threads wait for
/// each other.
#[derive(Clone, Debug)]
pub(super) struct PatternState<const N: usize> {
    /// By cell and color; an empty pattern for all colors on an occupied cell.
    patterns: Box<[[CellPattern; N]; Cell::LIMIT]>,
    /// By color, the sum of what all cells are worth.
    totals: [Total; N],
    /// The cells of each urgency, by color; nobody asks for the quiet ones, whose set is not kept right. One
    /// more than there are, so that an index is a mask.
    sets: [[CountedCells; 8]; N],
    /// The cells that capture something, by color.
    captures: [CountedCells; N],
    log: Vec<Overwritten<N>>,
}

/// The patterns of a cell that were overwritten.
#[derive(Clone, Copy, Debug)]
struct Overwritten<const N: usize> {
    patterns: [CellPattern; N],
    cell: Cell,
    /// A bit for each color for which the cell moved from one set to another.
    moved: u8,
}

/// A state to come back to with [`PatternState::restore`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark<const N: usize> {
    log: usize,
    totals: [Total; N],
}

impl<const N: usize> PatternState<N> {
    /// That of a board with no cells.
    pub(super) fn new() -> PatternState<N> {
        PatternState {
            patterns: Box::new([[CellPattern::default(); N]; Cell::LIMIT]),
            totals: [Total::default(); N],
            sets: [[CountedCells::default(); 8]; N],
            captures: [CountedCells::default(); N],
            log: Vec::new(),
        }
    }

    /// What a stone of a color on an empty cell would make.
    #[inline]
    pub(super) fn at(&self, color: Color, cell: Cell) -> CellPattern {
        self.patterns[cell.index() % Cell::LIMIT][color.index() % N]
    }

    /// The cells of an urgency above quiet.
    #[inline]
    pub(super) fn set(&self, color: Color, urgency: Urgency) -> &CountedCells {
        &self.sets[color.index() % N][urgency as usize]
    }

    /// The cells on which a color captures something.
    #[inline]
    pub(super) fn captures(&self, color: Color) -> &CountedCells {
        &self.captures[color.index() % N]
    }

    /// What all cells are worth to a color that is to move, `role` 0, or not, 1.
    #[inline]
    pub(super) fn total(&self, color: Color, role: usize) -> i32 {
        self.totals[color.index() % N].value(role)
    }

    /// The state as it is, to come back to.
    #[inline]
    pub(super) fn mark(&self) -> Mark<N> {
        Mark { log: self.log.len(), totals: self.totals }
    }

    /// Gives up every mark.
    pub(super) fn forget(&mut self) {
        self.log.clear();
    }

    /// The cells whose patterns have changed since a mark, some more than once.
    #[inline]
    pub(super) fn changed_since(&self, mark: &Mark<N>) -> impl Iterator<Item = Cell> + '_ {
        self.log[mark.log.min(self.log.len())..].iter().map(|overwritten| overwritten.cell)
    }

    /// Undoes every update since a mark.
    #[inline]
    pub(super) fn restore(&mut self, tables: &PatternTables, mark: Mark<N>) {
        // The log is out of the way meanwhile: popped one by one, its length would be written each
        // time.
        let mut log = std::mem::take(&mut self.log);
        for old in log.drain(mark.log.min(log.len())..).rev() {
            let at = &mut self.patterns[old.cell.index() % Cell::LIMIT];
            let new = std::mem::replace(at, old.patterns);
            if old.moved != 0 {
                self.change_sets(tables, old.cell, old.moved, [new, old.patterns]);
            }
        }
        self.log = log;
        self.totals = mark.totals;
    }

    /// Works out the patterns of a cell. Apart, because its neighbors take most of an update.
    #[inline(never)]
    pub(super) fn refresh(&mut self, tables: &PatternTables, board: &SquareBoard, cell: Cell) {
        let mut patterns = [CellPattern::default(); N];
        if board.content(cell).color().is_none() {
            let windows: [_; N] = colors().map(|color| board.windows(color, cell));
            let walls = board.map().walls(cell);
            let colorless = if N > 2 {
                [Color::NEUTRAL, Color::POWER].map(|what| board.windows(what, cell))
            } else {
                [Windows(0); 2]
            };
            let shift = RADIUS - tables.radius();
            let lane = |windows: Windows, direction| u64::from(windows.lane(direction)) >> shift;
            for direction in 0..4 {
                let stones = windows.map(|w| lane(w, direction));
                let wall = lane(walls, direction) | lane(colorless[0], direction);
                let lines = Lines::new(stones, wall, lane(colorless[1], direction));
                let entries = match tables.radius() {
                    4 => lines.entries::<4>(&tables.entries, 0),
                    _ => lines.entries::<5>(&tables.entries, 0),
                };
                patterns = with(patterns, direction, entries);
            }
        }
        let mut totals = self.totals;
        self.put(tables, &mut totals, cell, patterns);
        self.totals = totals;
    }

    /// Updates the lane of a direction for each empty cell within `R` of a changed one.
    #[inline]
    pub(super) fn update_lines<const R: u32>(
        &mut self,
        tables: &PatternTables,
        board: &SquareBoard,
        cell: Cell,
    ) {
        let spot = board.map().lines_of(cell);
        let mut totals = self.totals;
        for direction in 0..4 {
            let number = spot.line[direction];
            let stones: [u64; N] = colors().map(|color| board.line(color, number));
            let mut wall = board.map().wall(number);
            let mut power = 0;
            if N > 2 {
                wall |= board.line(Color::NEUTRAL, number);
                power = board.line(Color::POWER, number);
            }
            let taken = stones.iter().fold(wall | power, |bits, line| bits | line);
            let lines = Lines::new(stones, wall, power);
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
                let entries = lines.entries::<R>(&tables.entries, bit - R);
                let patterns = self.patterns[other.index() % Cell::LIMIT];
                self.put(tables, &mut totals, other, with(patterns, direction, entries));
            }
        }
        self.totals = totals;
    }

    /// Changes a cell's patterns with all that depends on them, and remembers the old ones. The totals
    /// are handed in, so that they stay in registers from cell to cell.
    #[expect(clippy::inline_always, reason = "it is the body of the innermost loop")]
    #[inline(always)]
    fn put(
        &mut self,
        tables: &PatternTables,
        totals: &mut [Total; N],
        cell: Cell,
        new: [CellPattern; N],
    ) {
        let at = &mut self.patterns[cell.index() % Cell::LIMIT];
        let old = *at;
        let differences: [_; N] = std::array::from_fn(|color| new[color].difference(old[color]));
        if differences.iter().fold(0, |all, difference| all | difference) == 0 {
            return;
        }
        *at = new;
        let mut moved = 0;
        for color in 0..N {
            let (before, after) = (tables.worth(old[color]), tables.worth(new[color]));
            totals[color].exchange(before, after);
            if tables.knows_contacts() && CellPattern::is_of_contact(differences[color]) {
                let [before, after] = [old, new].map(|of| tables.contact(of[color]));
                totals[color].exchange(before, after);
            }
            if before.urgency() != after.urgency() || old[color].captures() != new[color].captures()
            {
                moved |= 1 << color;
            }
        }
        self.log.push(Overwritten { patterns: old, cell, moved });
        if moved != 0 {
            self.change_sets(tables, cell, moved, [old, new]);
        }
    }

    /// Takes a cell out of the sets that it was in and puts it into those where it belongs, for the
    /// colors whose bits are set. Apart, because most changes need none of it.
    #[inline(never)]
    fn change_sets(
        &mut self,
        tables: &PatternTables,
        cell: Cell,
        moved: u8,
        [old, new]: [[CellPattern; N]; 2],
    ) {
        for color in (0..N).filter(|color| moved >> color & 1 != 0) {
            let (old, new) = (old[color], new[color]);
            let [before, after] = [old, new].map(|pattern| tables.worth(pattern).urgency());
            let sets = &mut self.sets[color];
            sets[before & 7].toggle(cell, true, false);
            sets[after & 7].toggle(cell, true, true);
            let [before, after] = [old, new].map(CellPattern::captures);
            self.captures[color].toggle(cell, before != after, after);
        }
    }
}

/// The colors that are looked at.
#[inline]
fn colors<const N: usize>() -> [Color; N] {
    std::array::from_fn(|index| Color(index as u8))
}

/// The patterns of all colors with other entries for a direction.
#[inline]
fn with<const N: usize>(
    patterns: [CellPattern; N],
    direction: usize,
    entries: [u8; N],
) -> [CellPattern; N] {
    std::array::from_fn(|color| patterns[color].with(direction, entries[color]))
}
