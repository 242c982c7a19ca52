//! The part of a pattern map that changes from ply to ply: what each stone changes around it, and how
//! that is taken back.

use super::cell_pattern::{CellPattern, differs_beside_shapes, differs_in_captures, with_entries};
use super::cell_sets::{CellSet, CellSets, CellUnion, Change};
use super::line::{LINE_BITS, Line, Overwritten, Patterns};
use super::patterns::PatternTables;
use super::shapes::Urgency;
use super::undo_log::UndoLog;
use super::worth::Total;
use pentarch_core::board::{CellContent, RADIUS, SquareBoard};
use pentarch_core::game::{Cell, Color};

/// The patterns of all cells, their sums and sets, and what they were before. It is handed the tables
/// with each call, because counting another reference to them at every node would make threads wait for
/// each other.
#[derive(Clone, Debug)]
pub(super) struct PatternState<const N: usize> {
    /// By cell and color; an empty pattern for all colors on an occupied cell.
    patterns: Box<Patterns<N>>,
    /// By color, the sum of what all cells are worth.
    totals: [Total; N],
    /// The cells of each urgency, by color, and those that capture something. Nobody asks for the quiet
    /// ones, whose set is not kept right.
    sets: CellSets<N>,
    /// By color, on how many cells it captures more stones than one group has.
    several: [u16; N],
    log: UndoLog<Overwritten<N>>,
}

/// The number of the set of captures, after those of urgencies.
const CAPTURES: usize = Urgency::COUNT;

/// A state to come back to with [`PatternState::restore`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark<const N: usize> {
    log: usize,
    sets: usize,
    totals: [Total; N],
    several: [u16; N],
}

impl<const N: usize> PatternState<N> {
    /// That of a board of so many cells, none of which is looked at yet.
    pub(super) fn new(cells: usize) -> PatternState<N> {
        let none = [CellPattern::default(); N];
        PatternState {
            patterns: Box::new([none; Cell::LIMIT]),
            totals: [Total::default(); N],
            sets: CellSets::new(cells),
            several: [0; N],
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

    /// The urgency of a color's most urgent cell.
    #[inline]
    pub(super) fn most_urgent(&self, color: Color) -> Urgency {
        let filled = self.sets.filled(color.index());
        let has_cells = |urgency: &Urgency| filled >> *urgency as u32 & 1 != 0;
        Urgency::ABOVE_QUIET.into_iter().find(has_cells).unwrap_or(Urgency::Quiet)
    }

    /// The cells of urgencies from `least`, above quiet, on.
    #[inline]
    pub(super) fn urgent_cells(&self, color: Color, least: Urgency) -> CellUnion {
        self.sets.union(color.index(), least as usize..CAPTURES)
    }

    /// [`PatternState::urgent_cells`] and those on which the color captures something.
    #[inline]
    pub(super) fn urgent_cells_and_captures(&self, color: Color, least: Urgency) -> CellUnion {
        self.sets.union(color.index(), least as usize..CAPTURES + 1)
    }

    /// The cells on which a color captures something.
    #[inline]
    pub(super) fn captures(&self, color: Color) -> CellSet<'_, N> {
        self.sets.set(color.index(), CAPTURES)
    }

    /// Whether a color may capture so many stones somewhere: more than one group has only where it captures
    /// several groups.
    #[inline]
    pub(super) fn may_capture(&self, tables: &PatternTables, color: Color, stones: u32) -> bool {
        !self.captures(color).is_empty()
            && (stones <= tables.longest_group() || self.several[color.index() % N] > 0)
    }

    /// What all cells are worth to a color that is to move, `role` 0, or not, 1.
    #[inline]
    pub(super) fn total(&self, color: Color, role: usize) -> i32 {
        self.totals[color.index() % N].value(role)
    }

    /// Adds the state as it is, to come back to. Handed over by value it would have to be stored twice.
    #[inline]
    pub(super) fn push_mark(&mut self, marks: &mut Vec<Mark<N>>) {
        let sets = self.sets.save();
        let PatternState { totals, several, .. } = *self;
        marks.push(Mark { log: self.log.len(), sets, totals, several });
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
        self.several = mark.several;
    }

    /// Works everything out from the stones, and gives up every mark.
    pub(super) fn refresh_all<const R: u32>(
        &mut self,
        tables: &PatternTables,
        board: &SquareBoard,
    ) {
        let start = self.log.len();
        for cell in board.grid().iter().filter(|&cell| board.content(cell) == CellContent::EMPTY) {
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
            if board.content(cell) == CellContent::EMPTY {
                self.refresh::<R>(tables, board, cell);
            } else {
                self.overwrite(cell, [CellPattern::default(); N]);
            }
        }
        self.update_lines::<R>(tables, board, changed);
        self.settle(tables, start);
    }

    /// Works out the patterns of an empty cell. Apart, because its neighbors take most of an update.
    #[inline(never)]
    fn refresh<const R: u32>(&mut self, tables: &PatternTables, board: &SquareBoard, cell: Cell) {
        let mut patterns = [CellPattern::default(); N];
        let spot = board.map().lines_of(cell);
        for direction in 0..4 {
            let line = Line::<N>::new(board, spot.line[direction], direction);
            let bit = u32::from(spot.shift[direction]) + RADIUS;
            patterns = with_entries(patterns, direction, line.entries::<R>(&tables.entries, bit));
        }
        self.overwrite(cell, patterns);
    }

    /// Puts patterns in the place of a cell's.
    #[inline]
    fn overwrite(&mut self, cell: Cell, patterns: [CellPattern; N]) {
        let at = &mut self.patterns[cell.index() % Cell::LIMIT];
        let old = std::mem::replace(at, patterns);
        if old != patterns {
            self.log.push(Overwritten { old, new: patterns, cell });
        }
    }

    /// Updates the lines of changed cells. The line that a captured stone has in common with the first cell,
    /// where the capturing one lies, is looked at once. Others on which several cells lie are looked at twice,
    /// as is a cell that comes twice, placed and lost: to no effect, and too seldom to be looked for.
    #[inline]
    fn update_lines<const R: u32>(
        &mut self,
        tables: &PatternTables,
        board: &SquareBoard,
        cells: &(impl Iterator<Item = Cell> + Clone),
    ) {
        let Some(first) = cells.clone().next() else { return };
        let map = board.map();
        // On each of its four lines a cell changes `R` others to either side.
        let most = 8 * R as usize * cells.clone().count();
        let room = self.log.room(most + LINE_BITS);
        let mut count = 0;
        for (index, cell) in cells.clone().enumerate() {
            let numbers = map.lines_of(cell).line;
            let mut changed: [u64; 4] = std::array::from_fn(|direction| map.bit(cell, direction));
            if index > 0 {
                // The first sees to the line.
                if let Some(direction) = map.direction_between(first, cell) {
                    changed[direction] = 0;
                }
            } else {
                for other in cells.clone().skip(1) {
                    if let Some(direction) = map.direction_between(first, other) {
                        changed[direction] |= map.bit(other, direction);
                    }
                }
            }
            for direction in 0..4 {
                if changed[direction] != 0 {
                    let line = Line::new(board, numbers[direction], direction);
                    let (patterns, changed) = (&mut self.patterns, changed[direction]);
                    let room = room[count..].first_chunk_mut().expect("each line has its room");
                    count += line.update::<R>(patterns, &tables.entries, changed, room);
                }
            }
        }
        self.log.keep(count);
    }

    /// Changes the sums and sets by what was overwritten since the log had that length. That is not done
    /// while it is overwritten: apart, each of the two loops has room for its words in registers.
    #[inline]
    fn settle(&mut self, tables: &PatternTables, start: usize) {
        if tables.knows_contacts() {
            self.settle_entries::<true>(tables, start);
        } else {
            self.settle_entries::<false>(tables, start);
        }
    }

    /// [`PatternState::settle`], compiled once more for games without `CONTACTS`, which ask for less at each
    /// entry. What only some entries need is done apart, for those that are marked: which they are is hard to
    /// foretell, so no branch asks for it. Never inlined, because it is long.
    #[inline(never)]
    fn settle_entries<const CONTACTS: bool>(&mut self, tables: &PatternTables, start: usize) {
        let mut totals = self.totals;
        let mut sets = self.sets.change();
        for entries in self.log.since(start).chunks(MARKS) {
            let (mut touched, mut moved) = (0, 0);
            for &Overwritten { old, new, .. } in entries {
                let mut moves = false;
                for color in 0..N {
                    let (before, after) = (tables.worth(old[color]), tables.worth(new[color]));
                    totals[color].exchange(before, after);
                    moves |= before.urgency() != after.urgency();
                }
                moved = moved << 1 | u64::from(moves);
                touched = touched << 1 | u64::from(CONTACTS && differs_beside_shapes(old, new));
            }
            // Few of those that differ beside their shapes capture something else.
            let mut caught = 0;
            for (&Overwritten { old, new, .. }, mark) in marked(entries, touched) {
                for color in 0..N {
                    let [before, after] = [old, new].map(|of| tables.contact(of[color]));
                    totals[color].exchange(before, after);
                }
                caught |= if differs_in_captures(old, new) { mark } else { 0 };
            }
            for (&Overwritten { old, new, cell }, _) in marked(entries, moved) {
                for color in 0..N {
                    let [before, after] = [old, new].map(|of| tables.worth(of[color]).urgency());
                    sets.shift(color, before, after, cell);
                }
            }
            for (entry, _) in marked(entries, caught) {
                change_captures(&mut sets, &mut self.several, tables, entry);
            }
        }
        sets.finish();
        self.totals = totals;
    }
}

/// How many entries are marked at a time, each by a bit.
const MARKS: usize = u64::BITS as usize;

/// The entries that are marked, each with its mark; the last one has the lowest bit.
#[inline]
fn marked<T>(entries: &[T], mut marks: u64) -> impl Iterator<Item = (&T, u64)> {
    std::iter::from_fn(move || {
        let place = (marks != 0).then(|| marks.trailing_zeros())?;
        let mark = marks & marks.wrapping_neg();
        marks ^= mark;
        entries.iter().nth_back(place as usize).map(|entry| (entry, mark))
    })
}

/// Takes a cell out of the set of captures, or puts it in.
#[inline]
fn change_captures<const N: usize>(
    sets: &mut Change<'_, N>,
    several: &mut [u16; N],
    tables: &PatternTables,
    &Overwritten { old, new, cell }: &Overwritten<N>,
) {
    for (color, count) in several.iter_mut().enumerate() {
        let of_color = [old, new].map(|of| of[color]);
        let [before, after] = of_color.map(capturing_set);
        sets.shift(color, before, after, cell);
        let [before, after] = of_color.map(|of| u16::from(tables.captures_several(of)));
        // Of the entries of one cell the last comes first, and takes off what is yet to be added.
        *count = count.wrapping_add(after).wrapping_sub(before);
    }
}

/// The set of the cells that capture, or, for another cell, the one that is not kept right.
#[inline]
fn capturing_set(pattern: CellPattern) -> usize {
    if pattern.captures() { CAPTURES } else { Urgency::Quiet as usize }
}
