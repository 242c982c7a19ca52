//! The patterns of all cells, updated around changed cells and restored by undo.

use super::bitboards::{BitboardChanges, BitboardRef, BitboardStack, CellBitboard};
use super::cell_pattern::{
    CellPattern, differ_beyond_lines, differ_in_captures, packed, with_entries,
};
use super::line_pattern::{LineOccupancy, PatternTable, ThreatClass};
use super::tables::{PackedSum, StoneTables};
use pentarch_core::board::{CellContent, LineCells, RADIUS, SquareBoard};
use pentarch_core::game::{Cell, Color};

/// For each empty cell and each of `N` colors, what a stone there would make of its four lines; and the sums of the
/// scores of these patterns and bitboards of their threat classes.
///
/// The tables are passed with each call: one more counted reference to them in every evaluator would make threads
/// contend for the count.
#[derive(Clone, Debug)]
pub(super) struct PatternMap<const N: usize> {
    /// By cell and color. Occupied cells have the empty pattern.
    patterns: Box<CellPatterns<N>>,
    /// By color, the sum of the scores of all cells.
    sums: [PackedSum; N],
    /// By color, the cells of each threat class and, in [`CAPTURES`], those on which a stone captures. The bitboard of
    /// quiet cells is not kept correct.
    bitboards: BitboardStack<N>,
    /// By color, the number of cells on which it captures more stones than one group can have.
    several_groups: [u16; N],
    log: UndoLog<PatternDelta<N>>,
}

/// The number of the bitboard of captures.
const CAPTURES: usize = ThreatClass::COUNT;

type CellPatterns<const N: usize> = [[CellPattern; N]; Cell::LIMIT];

/// The patterns of a cell before and after an update.
#[derive(Clone, Copy, Debug)]
struct PatternDelta<const N: usize> {
    old: [CellPattern; N],
    new: [CellPattern; N],
    cell: Cell,
}

/// A state to return to with [`PatternMap::restore`].
#[derive(Clone, Copy, Debug)]
pub(super) struct UndoPoint<const N: usize> {
    log: usize,
    bitboards: usize,
    sums: [PackedSum; N],
    several_groups: [u16; N],
}

impl<const N: usize> PatternMap<N> {
    /// The map of a board of that many cells, before the first [`PatternMap::reset`].
    pub(super) fn new(cells: usize) -> PatternMap<N> {
        let none = [CellPattern::default(); N];
        PatternMap {
            patterns: Box::new([none; Cell::LIMIT]),
            sums: [PackedSum::default(); N],
            bitboards: BitboardStack::new(cells),
            several_groups: [0; N],
            log: UndoLog::new(PatternDelta { old: none, new: none, cell: Cell(0) }),
        }
    }

    /// What a stone of a color on an empty cell would make.
    #[inline]
    pub(super) fn at(&self, color: Color, cell: Cell) -> CellPattern {
        self.patterns[cell.index() % Cell::LIMIT][color.index() % N]
    }

    /// The cells of a threat class above quiet.
    #[inline]
    pub(super) fn cells(&self, color: Color, class: ThreatClass) -> BitboardRef<'_, N> {
        self.bitboards.board(color.index(), class as usize)
    }

    /// The threat class of a color's most urgent cell.
    #[inline]
    pub(super) fn most_urgent(&self, color: Color) -> ThreatClass {
        let non_empty = self.bitboards.non_empty(color.index());
        let has_cells = |class: &ThreatClass| non_empty >> *class as u32 & 1 != 0;
        ThreatClass::ABOVE_QUIET.into_iter().find(has_cells).unwrap_or(ThreatClass::Quiet)
    }

    /// The cells of a threat class above quiet and of the classes above it.
    #[inline]
    pub(super) fn cells_from(&self, color: Color, least: ThreatClass) -> CellBitboard {
        self.bitboards.union(color.index(), least as usize..CAPTURES)
    }

    /// The cells on which a color captures.
    #[inline]
    pub(super) fn captures(&self, color: Color) -> BitboardRef<'_, N> {
        self.bitboards.board(color.index(), CAPTURES)
    }

    /// Whether a color may capture that many stones with one stone; if not, it does so on no cell. More stones than one
    /// group can have need a cell on which several groups are captured.
    #[inline]
    pub(super) fn may_capture(&self, tables: &StoneTables, color: Color, stones: u32) -> bool {
        !self.captures(color).is_empty()
            && (stones <= tables.longest_group() || self.several_groups[color.index() % N] > 0)
    }

    /// The cells on which a stone of a color captures at least that many stones.
    #[inline]
    pub(super) fn captures_of(
        &self,
        tables: &StoneTables,
        color: Color,
        stones: u32,
    ) -> impl Iterator<Item = Cell> + '_ {
        // Mostly there are none.
        let most = if self.may_capture(tables, color, stones) { usize::MAX } else { 0 };
        let captures = self.captures(color).iter().take(most);
        captures.filter(move |&cell| self.at(color, cell).captured_stones() >= stones)
    }

    /// Whether a color may win with one stone: by a line, or by capturing the `missing` stones. If not, no cell wins.
    #[inline]
    pub(super) fn may_win(&self, tables: &StoneTables, color: Color, missing: u32) -> bool {
        !self.cells(color, ThreatClass::Five).is_empty() || self.may_capture(tables, color, missing)
    }

    /// The cells on which a stone of the mover makes a threat or answers one of an enemy, or on which either captures.
    #[inline]
    pub(super) fn tactical_cells(
        &self,
        mover: Color,
        enemies: impl Iterator<Item = Color>,
    ) -> CellBitboard {
        let cells = |color: Color, least: ThreatClass| {
            self.bitboards.union(color.index(), least as usize..CAPTURES + 1)
        };
        let attack = cells(mover, ThreatClass::OpenThree);
        enemies.fold(attack, |all, enemy| all.union(cells(enemy, ThreatClass::Four)))
    }

    /// The sum of the scores of all cells for a color as [`US`](super::weights::US) or
    /// [`THEM`](super::weights::THEM).
    #[inline]
    pub(super) fn sum(&self, color: Color, side: usize) -> i32 {
        self.sums[color.index() % N].value(side)
    }

    /// Pushes the current state on a list of undo points. Returned by value it would be stored twice.
    #[inline]
    pub(super) fn save(&mut self, undo_points: &mut Vec<UndoPoint<N>>) {
        let bitboards = self.bitboards.save();
        let PatternMap { sums, several_groups, .. } = *self;
        undo_points.push(UndoPoint { log: self.log.len(), bitboards, sums, several_groups });
    }

    /// Makes all undo points invalid.
    pub(super) fn clear_undo(&mut self) {
        self.log.truncate(0);
        self.bitboards.clear_saved();
    }

    /// The cells whose patterns have changed since an undo point; some come more than once.
    #[inline]
    pub(super) fn changed_since(
        &self,
        point: &UndoPoint<N>,
    ) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.log.since(point.log).iter().map(|delta| delta.cell)
    }

    /// Undoes all updates since an undo point.
    #[inline]
    pub(super) fn restore(&mut self, point: UndoPoint<N>) {
        let patterns = &mut self.patterns;
        self.log.rollback(point.log, |&PatternDelta { old, cell, .. }| {
            patterns[cell.index() % Cell::LIMIT] = old;
        });
        self.bitboards.restore(point.bitboards);
        self.sums = point.sums;
        self.several_groups = point.several_groups;
    }

    /// Computes the map of a board from scratch.
    pub(super) fn reset(&mut self, tables: &StoneTables, board: &SquareBoard) {
        *self = PatternMap::new(board.grid().cells());
        for cell in board.grid().iter().filter(|&cell| board.content(cell) == CellContent::EMPTY) {
            if tables.radius() == 4 {
                self.compute::<4>(tables, board, cell);
            } else {
                self.compute::<5>(tables, board, cell);
            }
        }
        self.apply_deltas(tables, 0);
        self.clear_undo();
    }

    /// Updates the map after changes of cells. The board is the one after all of them.
    #[inline]
    pub(super) fn update(
        &mut self,
        tables: &StoneTables,
        board: &SquareBoard,
        changed: &(impl Iterator<Item = Cell> + Clone),
    ) {
        if tables.radius() == 4 {
            self.update_within::<4>(tables, board, changed);
        } else {
            self.update_within::<5>(tables, board, changed);
        }
    }

    #[inline]
    fn update_within<const R: u32>(
        &mut self,
        tables: &StoneTables,
        board: &SquareBoard,
        changed: &(impl Iterator<Item = Cell> + Clone),
    ) {
        let start = self.log.len();
        for cell in changed.clone() {
            if board.content(cell) == CellContent::EMPTY {
                self.compute::<R>(tables, board, cell);
            } else {
                self.set_patterns(cell, [CellPattern::default(); N]);
            }
        }
        self.update_lines::<R>(tables, board, changed);
        self.apply_deltas(tables, start);
    }

    /// Computes the patterns of an empty cell. Not inlined, because most of an update is about its neighbors.
    #[inline(never)]
    fn compute<const R: u32>(&mut self, tables: &StoneTables, board: &SquareBoard, cell: Cell) {
        let mut patterns = [CellPattern::default(); N];
        let spot = board.map().lines_of(cell);
        for direction in 0..4 {
            let line = BoardLine::<N>::new(board, spot.line[direction], direction);
            let bit = u32::from(spot.shift[direction]) + RADIUS;
            patterns = with_entries(patterns, direction, line.entries::<R>(&tables.patterns, bit));
        }
        self.set_patterns(cell, patterns);
    }

    #[inline]
    fn set_patterns(&mut self, cell: Cell, patterns: [CellPattern; N]) {
        let at = &mut self.patterns[cell.index() % Cell::LIMIT];
        let old = std::mem::replace(at, patterns);
        if old != patterns {
            self.log.push(PatternDelta { old, new: patterns, cell });
        }
    }

    /// Updates the lines of changed cells. A line that the first cell, where a capturing stone is, shares with a captured
    /// stone is updated once. Other lines with several changed cells are updated once for each, as are those of a cell
    /// that comes twice: it changes nothing, and is too rare to be checked for.
    #[inline]
    fn update_lines<const R: u32>(
        &mut self,
        tables: &StoneTables,
        board: &SquareBoard,
        cells: &(impl Iterator<Item = Cell> + Clone),
    ) {
        let Some(first) = cells.clone().next() else { return };
        let map = board.map();
        // A cell changes `R` others to either side on each of its four lines.
        let most = 8 * R as usize * cells.clone().count();
        let room = self.log.room(most + LINE_BITS);
        let mut count = 0;
        for (index, cell) in cells.clone().enumerate() {
            let numbers = map.lines_of(cell).line;
            let mut changed: [u64; 4] = std::array::from_fn(|direction| map.bit(cell, direction));
            if index > 0 {
                // The line shared with the first cell is updated with that cell.
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
                    let line = BoardLine::new(board, numbers[direction], direction);
                    let (patterns, changed) = (&mut self.patterns, changed[direction]);
                    let room = room[count..].first_chunk_mut().expect("each line has its room");
                    count += line.update::<R>(patterns, &tables.patterns, changed, room);
                }
            }
        }
        self.log.keep(count);
    }

    /// Updates the sums and bitboards by the deltas since the log had that length. In a loop of its own, because both
    /// loops need all registers.
    #[inline]
    fn apply_deltas(&mut self, tables: &StoneTables, start: usize) {
        if tables.has_captures() {
            self.apply_deltas_to_sums::<true>(tables, start);
        } else {
            self.apply_deltas_to_sums::<false>(tables, start);
        }
    }

    /// [`PatternMap::apply_deltas`], specialized for games without captures. What only some deltas need is done in loops
    /// of its own, for deltas that the first loop marks: the branches would be mispredicted. Not inlined, because it is
    /// long.
    #[inline(never)]
    fn apply_deltas_to_sums<const HAS_CAPTURES: bool>(
        &mut self,
        tables: &StoneTables,
        start: usize,
    ) {
        let mut sums = self.sums;
        let mut bitboards = self.bitboards.change();
        for deltas in self.log.since(start).chunks(MARKS) {
            let (mut beyond_lines, mut moved) = (0, 0);
            for &PatternDelta { old, new, .. } in deltas {
                let mut moves = false;
                for color in 0..N {
                    let (before, after) = (tables.score(old[color]), tables.score(new[color]));
                    sums[color].replace(before, after);
                    moves |= before.threat_class() != after.threat_class();
                }
                moved = moved << 1 | u64::from(moves);
                beyond_lines =
                    beyond_lines << 1 | u64::from(HAS_CAPTURES && differ_beyond_lines(old, new));
            }
            // Few of those that differ beyond lines differ in captured stones.
            let mut captured = 0;
            for (&PatternDelta { old, new, .. }, mark) in marked(deltas, beyond_lines) {
                for color in 0..N {
                    let [before, after] = [old, new].map(|of| tables.capture_score(of[color]));
                    sums[color].replace(before, after);
                }
                captured |= if differ_in_captures(old, new) { mark } else { 0 };
            }
            for (&PatternDelta { old, new, cell }, _) in marked(deltas, moved) {
                for color in 0..N {
                    let [before, after] =
                        [old, new].map(|of| tables.score(of[color]).threat_class());
                    bitboards.move_cell(color, before, after, cell);
                }
            }
            for (delta, _) in marked(deltas, captured) {
                update_captures(&mut bitboards, &mut self.several_groups, tables, delta);
            }
        }
        bitboards.finish();
        self.sums = sums;
    }
}

/// The deltas that are marked at a time, a bit each.
const MARKS: usize = u64::BITS as usize;

/// The marked items with their marks. The last item has the lowest bit.
#[inline]
fn marked<T>(items: &[T], mut marks: u64) -> impl Iterator<Item = (&T, u64)> {
    std::iter::from_fn(move || {
        let place = (marks != 0).then(|| marks.trailing_zeros())?;
        let mark = marks & marks.wrapping_neg();
        marks ^= mark;
        items.iter().nth_back(place as usize).map(|item| (item, mark))
    })
}

/// Updates the bitboard of captures and the number of cells that capture several groups.
#[inline]
fn update_captures<const N: usize>(
    bitboards: &mut BitboardChanges<'_, N>,
    several_groups: &mut [u16; N],
    tables: &StoneTables,
    &PatternDelta { old, new, cell }: &PatternDelta<N>,
) {
    for (color, count) in several_groups.iter_mut().enumerate() {
        let of_color = [old, new].map(|of| of[color]);
        let [before, after] = of_color.map(capture_bitboard);
        bitboards.move_cell(color, before, after, cell);
        let [before, after] = of_color.map(|of| u16::from(tables.captures_several_groups(of)));
        // The last delta of a cell comes first and may subtract what is only added later.
        *count = count.wrapping_add(after).wrapping_sub(before);
    }
}

/// The bitboard of captures, or for a cell without one that which is not kept correct.
#[inline]
fn capture_bitboard(pattern: CellPattern) -> usize {
    if pattern.captures() { CAPTURES } else { ThreatClass::Quiet as usize }
}

/// The bits of a line, more than its cells.
const LINE_BITS: usize = u64::BITS as usize;

/// A line of the board with all that is on it, for `N` colors.
#[derive(Clone, Copy, Debug)]
struct BoardLine<const N: usize> {
    stones: [u64; N],
    /// What blocks all colors.
    wall: u64,
    /// The power stones.
    power: u64,
    direction: usize,
    cells: LineCells,
}

impl<const N: usize> BoardLine<N> {
    /// The line of a number, which runs along a direction.
    #[inline]
    fn new(board: &SquareBoard, number: u8, direction: usize) -> BoardLine<N> {
        let stones = std::array::from_fn(|color| board.line(Color(color as u8), number));
        let mut wall = board.map().wall(number);
        let mut power = 0;
        if board.has_colorless_stones() {
            wall |= board.line(Color::NEUTRAL, number);
            power = board.line(Color::POWER, number);
        }
        BoardLine { stones, wall, power, direction, cells: board.map().progression(number) }
    }

    /// What a stone of each color on the cell of a bit would make of the line.
    #[inline]
    fn entries<const R: u32>(&self, table: &PatternTable, bit: u32) -> [u8; N] {
        if self.power == 0 {
            self.occupancy::<false>().entries::<R>(table, bit - R)
        } else {
            self.occupancy::<true>().entries::<R>(table, bit - R)
        }
    }

    /// Updates the line's part of the pattern of each empty cell within `R` of some `changed` bits, but not of these
    /// themselves. Writes the patterns that change to `room` and returns their number.
    #[expect(
        clippy::inline_always,
        reason = "a call for each line took 1 % more instructions in all"
    )]
    #[inline(always)]
    fn update<const R: u32>(
        &self,
        patterns: &mut CellPatterns<N>,
        table: &PatternTable,
        changed: u64,
        room: &mut [PatternDelta<N>; LINE_BITS],
    ) -> usize {
        let taken = self.stones.iter().fold(self.wall | self.power, |bits, line| bits | line);
        let free = within::<R>(changed) & !(taken | changed);
        if self.power == 0 {
            self.update_cells::<R, false>(patterns, table, free, room)
        } else {
            self.update_cells::<R, true>(patterns, table, free, room)
        }
    }

    #[expect(clippy::inline_always, reason = "it is the innermost loop")]
    #[inline(always)]
    fn update_cells<const R: u32, const HAS_POWER: bool>(
        &self,
        patterns: &mut CellPatterns<N>,
        table: &PatternTable,
        mut free: u64,
        room: &mut [PatternDelta<N>; LINE_BITS],
    ) -> usize {
        let occupancy = self.occupancy::<HAS_POWER>();
        let mut count = 0;
        while free != 0 {
            let bit = free.trailing_zeros();
            free &= free - 1;
            let cell = self.cells.cell(bit);
            let entries = occupancy.entries::<R>(table, bit - R);
            let at = &mut patterns[cell.index() % Cell::LIMIT];
            let new = with_entries(*at, self.direction, entries);
            let old = std::mem::replace(at, new);
            room[count % LINE_BITS] = PatternDelta { old, new, cell };
            count += usize::from(packed(old) != packed(new));
        }
        count
    }

    #[inline]
    fn occupancy<const HAS_POWER: bool>(&self) -> LineOccupancy<N, HAS_POWER> {
        LineOccupancy::new(self.stones, self.wall, if HAS_POWER { self.power } else { 0 })
    }
}

/// The bits of a line within `R`, 4 or 5, of some.
#[inline]
fn within<const R: u32>(bits: u64) -> u64 {
    [1, 2, 4, 2 * R - 7].into_iter().fold(bits >> R, |all, shift| all | all << shift)
}

/// A log of changes for undo. Callers write every entry that they may need into spare room and then say how many to keep:
/// in the innermost loops, writing some in vain is faster than a branch for each.
#[derive(Clone, Debug)]
pub(super) struct UndoLog<T> {
    /// The entries that are kept, followed by spare room.
    entries: Vec<T>,
    len: usize,
    /// What new room is filled with.
    filler: T,
}

impl<T: Copy> UndoLog<T> {
    pub(super) const fn new(filler: T) -> UndoLog<T> {
        UndoLog { entries: Vec::new(), len: 0, filler }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Room for that many entries after the last one.
    #[inline]
    pub(super) fn room(&mut self, count: usize) -> &mut [T] {
        let end = self.len + count;
        if self.entries.len() < end {
            self.entries.resize(2 * end, self.filler);
        }
        &mut self.entries[self.len..end]
    }

    /// Keeps that many entries of the room.
    #[inline]
    pub(super) fn keep(&mut self, count: usize) {
        self.len = self.entries.len().min(self.len + count);
    }

    #[inline]
    pub(super) fn push(&mut self, entry: T) {
        self.room(1)[0] = entry;
        self.keep(1);
    }

    /// The entries since the log had that length.
    #[inline]
    pub(super) fn since(&self, len: usize) -> &[T] {
        &self.entries[len.min(self.len)..self.len]
    }

    /// Removes the entries since the log had that length, and calls `revert` with each, the last one first.
    #[inline]
    pub(super) fn rollback(&mut self, len: usize, revert: impl FnMut(&T)) {
        self.since(len).iter().rev().for_each(revert);
        self.truncate(len);
    }

    /// Removes the entries since the log had that length.
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use pentarch_core::game::{Move, Position as _};
    use pentarch_core::placement::Position;

    /// Plays random moves near the center, sometimes a capture, and undoes plies.
    fn for_each_random_position(
        spec: &str,
        mut visit: impl FnMut(&Position, &PatternMap<2>, &StoneTables),
    ) {
        let mut position = Position::new(spec.parse().unwrap());
        let tables = StoneTables::new(position.rules());
        let mut patterns = PatternMap::new(0);
        patterns.reset(&tables, position.board());
        let (mut rng, mut undo_points) = (Rng::with_seed(8), Vec::new());
        let center = position.grid().center();
        for _ in 0..100_000 {
            let near = |cell: &Cell| position.grid().chebyshev(center, *cell) <= 4;
            let captures = patterns.captures(position.color_to_move()).iter().next();
            let cells: Vec<_> = position.grid().iter().filter(near).collect();
            let cell = captures.filter(|_| rng.u8(..4) == 0).or_else(|| rng.choice(cells));
            let mv = cell.map(Move::stone).filter(|&mv| position.is_legal(mv));
            if let Some(mv) = mv.filter(|_| position.outcome().is_none()) {
                patterns.save(&mut undo_points);
                position.play(mv);
                let changed = position.changes().iter().map(|change| change.cell);
                patterns.update(&tables, position.board(), &changed);
            } else {
                for _ in 0..rng.usize(1..9).min(undo_points.len()) {
                    position.undo();
                    patterns.restore(undo_points.pop().unwrap());
                }
            }
            visit(&position, &patterns, &tables);
        }
    }

    #[test]
    fn more_stones_than_a_group_has_are_captured_where_there_are_several() {
        for spec in ["pente", "keryo-pente"] {
            let mut several = 0;
            for_each_random_position(spec, |position, patterns, tables| {
                let longest = position.rules().capture().unwrap().longest_group().into();
                for color in [Color(0), Color(1)] {
                    let captured = |cell| patterns.at(color, cell).captured_stones();
                    let most = position.grid().iter().map(captured).max().unwrap();
                    several += u32::from(most > longest);
                    for stones in 1..12 {
                        let expected = most > 0 && (stones <= longest || most > longest);
                        assert_eq!(patterns.may_capture(tables, color, stones), expected, "{spec}");
                    }
                }
            });
            assert!(several > 30, "{spec}: {several}");
        }
    }

    #[test]
    fn undone_entries_come_in_reverse_and_unkept_room_is_ignored() {
        let mut log = UndoLog::new(0);
        for start in (0..300).step_by(3) {
            assert_eq!(log.len(), start);
            log.room(5).copy_from_slice(&[start, start + 1, start + 2, 1000, 1000]);
            log.keep(3);
        }
        assert_eq!(log.since(296), [296, 297, 298, 299]);
        let mut seen = Vec::new();
        log.rollback(297, |&entry| seen.push(entry));
        assert_eq!((seen, log.len()), (vec![299, 298, 297], 297));
        log.push(7);
        assert_eq!((log.since(296), log.since(400)), (&[296, 7][..], &[][..]));
    }
}
