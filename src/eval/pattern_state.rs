//! The part of a pattern map that changes from ply to ply: what each stone changes around it, and how
//! that is taken back.

use super::cell_pattern::{CellPattern, packed, with_entries};
use super::cell_sets::{CellSet, CellSets};
use super::line_entries::Lines;
use super::patterns::PatternTables;
use super::shapes::Urgency;
use super::undo_log::UndoLog;
use super::worth::Total;
use crate::board::{RADIUS, SquareBoard};
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
    /// The cells of each urgency, by color, and those that capture something. Nobody asks for the quiet
    /// ones, whose set is not kept right.
    sets: CellSets<N>,
    log: UndoLog<Overwritten<N>>,
}

/// The number of the set of captures, after those of urgencies.
const CAPTURES: usize = Urgency::COUNT;

/// The bits of a line: it has no more cells.
const LINE_BITS: usize = u64::BITS as usize;

/// The patterns of a cell that were overwritten by others.
#[derive(Clone, Copy, Debug)]
struct Overwritten<const N: usize> {
    old: [CellPattern; N],
    new: [CellPattern; N],
    cell: Cell,
}

/// A state to come back to with [`PatternState::restore`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark<const N: usize> {
    log: usize,
    sets: usize,
    totals: [Total; N],
}

impl<const N: usize> PatternState<N> {
    /// That of a board of so many cells, none of which is looked at yet.
    pub(super) fn new(cells: usize) -> PatternState<N> {
        let none = [CellPattern::default(); N];
        PatternState {
            patterns: Box::new([none; Cell::LIMIT]),
            totals: [Total::default(); N],
            sets: CellSets::new(cells),
            log: UndoLog::new(Overwritten { old: none, new: none, cell: Cell(0) }),
        }
    }

    /// What a stone of a color on an empty cell would make.
    #[inline]
    pub(super) fn at(&self, color: Color, cell: Cell) -> CellPattern {
        self.patterns[cell.index() % Cell::LIMIT][color.index() % N]
    }

    /// The cells of an urgency above quiet.
    #[inline]
    pub(super) fn set(&self, color: Color, urgency: Urgency) -> CellSet<'_, N> {
        self.sets.set(color.index(), urgency as usize)
    }

    /// The cells on which a color captures something.
    #[inline]
    pub(super) fn captures(&self, color: Color) -> CellSet<'_, N> {
        self.sets.set(color.index(), CAPTURES)
    }

    /// What all cells are worth to a color that is to move, `role` 0, or not, 1.
    #[inline]
    pub(super) fn total(&self, color: Color, role: usize) -> i32 {
        self.totals[color.index() % N].value(role)
    }

    /// The state as it is, to come back to.
    #[inline]
    pub(super) fn mark(&mut self) -> Mark<N> {
        Mark { log: self.log.len(), sets: self.sets.save(), totals: self.totals }
    }

    /// Gives up every mark.
    pub(super) fn forget(&mut self) {
        self.log.truncate(0);
        self.sets.forget();
    }

    /// The cells whose patterns have changed since a mark, some more than once.
    #[inline]
    pub(super) fn changed_since(&self, mark: &Mark<N>) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.log.since(mark.log).iter().map(|overwritten| overwritten.cell)
    }

    /// Undoes every update since a mark.
    #[inline]
    pub(super) fn restore(&mut self, mark: Mark<N>) {
        let patterns = &mut self.patterns;
        self.log.take_back(mark.log, |&Overwritten { old, cell, .. }| {
            patterns[cell.index() % Cell::LIMIT] = old;
        });
        self.sets.restore(mark.sets);
        self.totals = mark.totals;
    }

    /// Works everything out from the stones, and gives up every mark.
    pub(super) fn refresh_all<const R: u32>(
        &mut self,
        tables: &PatternTables,
        board: &SquareBoard,
    ) {
        let start = self.log.len();
        for cell in board.grid().iter() {
            self.refresh::<R>(tables, board, cell);
        }
        self.settle(tables, start);
        self.forget();
    }

    /// Follows changes of cells; the board is the one after all of them.
    #[inline]
    pub(super) fn update<const R: u32>(
        &mut self,
        tables: &PatternTables,
        board: &SquareBoard,
        changed: &(impl Iterator<Item = Cell> + Clone),
    ) {
        let start = self.log.len();
        for cell in changed.clone() {
            self.refresh::<R>(tables, board, cell);
        }
        self.update_lines::<R>(tables, board, changed);
        self.settle(tables, start);
    }

    /// Works out the patterns of a cell. Apart, because its neighbors take most of an update.
    #[inline(never)]
    fn refresh<const R: u32>(&mut self, tables: &PatternTables, board: &SquareBoard, cell: Cell) {
        let mut patterns = [CellPattern::default(); N];
        if board.content(cell).color().is_none() {
            let spot = board.map().lines_of(cell);
            for direction in 0..4 {
                let (stones, wall, power) = lines_at(board, spot.line[direction]);
                let start = u32::from(spot.shift[direction]) + RADIUS - R;
                let entries = if power == 0 {
                    Lines::<N, false>::new(stones, wall, 0).entries::<R>(&tables.entries, start)
                } else {
                    Lines::<N, true>::new(stones, wall, power).entries::<R>(&tables.entries, start)
                };
                patterns = with_entries(patterns, direction, entries);
            }
        }
        let at = &mut self.patterns[cell.index() % Cell::LIMIT];
        let old = std::mem::replace(at, patterns);
        if old != patterns {
            self.log.push(Overwritten { old, new: patterns, cell });
        }
    }

    /// Updates the lines of changed cells. One with several of them, such as that of a capture, is looked
    /// at once; a cell that comes twice, placed and lost, is looked at twice, to no effect.
    #[inline]
    fn update_lines<const R: u32>(
        &mut self,
        tables: &PatternTables,
        board: &SquareBoard,
        cells: &(impl Iterator<Item = Cell> + Clone),
    ) {
        let map = board.map();
        for (index, cell) in cells.clone().enumerate() {
            let numbers = map.lines_of(cell).line;
            let mut changed: [u64; 4] = std::array::from_fn(|direction| map.bit(cell, direction));
            for (other_index, other) in cells.clone().enumerate() {
                if other_index != index
                    && let Some(direction) = map.direction_between(cell, other)
                {
                    // The first of them sees to the line.
                    let is_first = other_index > index && changed[direction] != 0;
                    let bits = changed[direction] | map.bit(other, direction);
                    changed[direction] = if is_first { bits } else { 0 };
                }
            }
            for direction in 0..4 {
                if changed[direction] != 0 {
                    let line = (numbers[direction], direction);
                    self.update_line::<R>(tables, board, line, changed[direction]);
                }
            }
        }
    }

    /// Updates the lane of a direction for each empty cell within `R` of the `changed` ones, which are bits
    /// of the line of that number.
    #[inline]
    fn update_line<const R: u32>(
        &mut self,
        tables: &PatternTables,
        board: &SquareBoard,
        (number, direction): (u8, usize),
        changed: u64,
    ) {
        let (stones, wall, power) = lines_at(board, number);
        let taken = stones.iter().fold(wall | power, |bits, line| bits | line);
        // The changed cells themselves have been seen to.
        let free = within::<R>(changed) & !(taken | changed);
        let places = board.map().progression(number);
        if power == 0 {
            let lines = Lines::<N, false>::new(stones, wall, power);
            self.update_cells::<R, false>(tables, &lines, (places, direction), free);
        } else {
            let lines = Lines::<N, true>::new(stones, wall, power);
            self.update_cells::<R, true>(tables, &lines, (places, direction), free);
        }
    }

    /// Updates the lane of a direction for the `free` cells, bits of a line of which the map says where its
    /// cells lie. What depends on them is left to [`PatternState::settle`]: apart, each of the two loops has
    /// room for its words in registers.
    #[expect(clippy::inline_always, reason = "it is the innermost loop")]
    #[inline(always)]
    fn update_cells<const R: u32, const SHARED: bool>(
        &mut self,
        tables: &PatternTables,
        lines: &Lines<N, SHARED>,
        ([start, step], direction): ([u16; 2], usize),
        mut free: u64,
    ) {
        let PatternState { patterns, log, .. } = self;
        let room = log.room_of::<LINE_BITS>();
        let mut count = 0;
        while free != 0 {
            let bit = free.trailing_zeros();
            free &= free - 1;
            let cell = Cell(start.wrapping_add(step.wrapping_mul(bit as u16)));
            let entries = lines.entries::<R>(&tables.entries, bit - R);
            let at = &mut patterns[cell.index() % Cell::LIMIT];
            let new = with_entries(*at, direction, entries);
            let old = std::mem::replace(at, new);
            room[count % LINE_BITS] = Overwritten { old, new, cell };
            count += usize::from(packed(old) != packed(new));
        }
        log.keep(count);
    }

    /// Changes the sums and sets by what was overwritten since the log had that length.
    #[inline]
    fn settle(&mut self, tables: &PatternTables, start: usize) {
        let mut totals = self.totals;
        let captures = tables.knows_contacts();
        for &Overwritten { old, new, cell } in self.log.since(start) {
            let mut moved = 0;
            for color in 0..N {
                let (before, after) = (tables.worth(old[color]), tables.worth(new[color]));
                totals[color].exchange(before, after);
                let mut moves = before.urgency() != after.urgency();
                if captures && old[color].differs_beside_shapes(new[color]) {
                    let [before, after] = [old, new].map(|of| tables.contact(of[color]));
                    totals[color].exchange(before, after);
                    moves |= old[color].captures() != new[color].captures();
                }
                moved |= u8::from(moves) << color;
            }
            if moved != 0 {
                change_sets(&mut self.sets, tables, cell, moved, [old, new]);
            }
        }
        self.totals = totals;
    }
}

/// Takes a cell out of the sets that it was in and puts it into those where it belongs, for the
/// colors whose bits are set. Apart, because most changes need none of it.
#[inline(never)]
fn change_sets<const N: usize>(
    sets: &mut CellSets<N>,
    tables: &PatternTables,
    cell: Cell,
    moved: u8,
    [old, new]: [[CellPattern; N]; 2],
) {
    for color in (0..N).filter(|color| moved >> color & 1 != 0) {
        let (old, new) = (old[color], new[color]);
        let [before, after] = [old, new].map(|pattern| tables.worth(pattern).urgency());
        sets.toggle(color, before, cell, true, false);
        sets.toggle(color, after, cell, true, true);
        let [before, after] = [old, new].map(CellPattern::captures);
        sets.toggle(color, CAPTURES, cell, before != after, after);
    }
}

/// The stones of all colors on a line, what blocks all of them, and the stones that are everybody's own.
#[inline]
fn lines_at<const N: usize>(board: &SquareBoard, number: u8) -> ([u64; N], u64, u64) {
    let stones = colors().map(|color| board.line(color, number));
    let mut wall = board.map().wall(number);
    let mut power = 0;
    if board.has_colorless() {
        wall |= board.line(Color::NEUTRAL, number);
        power = board.line(Color::POWER, number);
    }
    (stones, wall, power)
}

/// The bits of a line within `R`, 4 or 5, of some.
#[inline]
fn within<const R: u32>(bits: u64) -> u64 {
    [1, 2, 4, 2 * R - 7].into_iter().fold(bits >> R, |all, shift| all | all << shift)
}

/// The colors that are looked at.
#[inline]
fn colors<const N: usize>() -> [Color; N] {
    std::array::from_fn(|index| Color(index as u8))
}
