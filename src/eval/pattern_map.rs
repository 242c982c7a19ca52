//! The patterns of all cells, kept up to date around changed ones.

use super::cell_pattern::CellPattern;
use super::counted_cells::CountedCells;
use super::line_entries::Lines;
use super::patterns::PatternTables;
use super::shapes::Urgency;
use crate::board::{RADIUS, SquareBoard, Windows};
use crate::game::{Cell, Color};
use crate::rules::Capture;
use std::sync::Arc;

/// For each empty cell and each of `N` colors, what a stone there would make of its four lines;
/// and sums and sets of that. With more than two colors stones of no color are known too.
#[derive(Clone, Debug)]
pub(super) struct PatternMap<const N: usize> {
    pub tables: Arc<PatternTables>,
    state: PatternState<N>,
}

/// The part of [`PatternMap`] that changes. It is handed the tables with each call, because counting
/// another reference to them at every node would make threads wait for each other.
#[derive(Clone, Debug)]
struct PatternState<const N: usize> {
    /// By color and cell; an empty pattern for all colors on an occupied cell.
    patterns: [Box<[CellPattern; Cell::LIMIT]>; N],
    /// The sum of the values of all cells, by color, when it is to move and when it is not.
    totals: Totals<N>,
    /// The cells of each urgency but the quiet ones, by color.
    sets: [[CountedCells; Urgency::COUNT]; N],
    /// The cells that capture something, by color.
    captures: [CountedCells; N],
    log: Vec<Overwritten>,
}

/// By color: when it is to move, and when it is not.
type Totals<const N: usize> = [[i32; 2]; N];

/// A pattern that was overwritten.
#[derive(Clone, Copy, Debug)]
struct Overwritten {
    color: Color,
    /// Whether the cell moved from one set to another.
    moved: bool,
    cell: Cell,
    pattern: CellPattern,
}

/// A state to come back to with [`PatternMap::restore`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark<const N: usize> {
    log: usize,
    totals: Totals<N>,
}

impl<const N: usize> PatternMap<N> {
    pub(super) fn new(tables: Arc<PatternTables>) -> PatternMap<N> {
        PatternMap { tables, state: PatternState::new() }
    }

    /// What a stone of a color on an empty cell would make.
    #[inline]
    pub(super) fn at(&self, color: Color, cell: Cell) -> CellPattern {
        self.state.at(color, cell)
    }

    /// The cells of an urgency above quiet.
    #[inline]
    pub(super) fn set(&self, color: Color, urgency: Urgency) -> &CountedCells {
        &self.state.sets[color.index() % N][urgency as usize]
    }

    /// The urgency of a color's most urgent cell.
    #[inline]
    pub(super) fn most_urgent(&self, color: Color) -> Urgency {
        let present = |urgency: &Urgency| !self.set(color, *urgency).is_empty();
        Urgency::ABOVE_QUIET.into_iter().find(present).unwrap_or(Urgency::Quiet)
    }

    /// The cells on which a color captures something.
    #[inline]
    pub(super) fn captures(&self, color: Color) -> &CountedCells {
        &self.state.captures[color.index() % N]
    }

    /// The value for a color of all that it can make on its own: every term of the evaluation that
    /// looks at one color only. `role` is 0 for the color to move, `captured` the stones that count
    /// as its captures under `rule`.
    #[inline]
    pub(super) fn color_value(
        &self,
        color: Color,
        role: usize,
        rule: Option<Capture>,
        captured: u16,
    ) -> i32 {
        self.state.totals[color.index() % N][role] + self.capture_value(color, role, rule, captured)
    }

    /// What is urgent for the color to move and for the other: the most urgent cells, and who has
    /// captures.
    #[inline]
    pub(super) fn urgent(&self, mover: Color) -> ([Urgency; 2], [bool; 2]) {
        let colors = [mover, mover.opponent()];
        let captures = colors.map(|color| !self.captures(color).is_empty());
        (colors.map(|color| self.most_urgent(color)), captures)
    }

    /// [`PatternMap::urgent`] if nothing is for all but one color; `role` is 0 for the color to move.
    pub(super) fn urgent_alone(&self, color: Color, role: usize) -> ([Urgency; 2], [bool; 2]) {
        let (urgent, captures) = (self.most_urgent(color), !self.captures(color).is_empty());
        match role {
            0 => ([urgent, Urgency::Quiet], [captures, false]),
            _ => ([Urgency::Quiet, urgent], [false, captures]),
        }
    }

    /// The value for the color to move of the urgent cells and captures that both have.
    #[inline]
    pub(super) fn threat_value(&self, mover: Color) -> i32 {
        let (urgencies, captures) = self.urgent(mover);
        self.tables.weights.threat(urgencies, captures)
    }

    /// The value for a color of its urgent cells and captures if the others have none; `role` is 0
    /// for the color to move.
    pub(super) fn lone_threat_value(&self, color: Color, role: usize) -> i32 {
        let (urgencies, captures) = self.urgent_alone(color, role);
        let gain = self.tables.weights.threat(urgencies, captures) - self.tempo();
        if role == 0 { gain } else { -gain }
    }

    /// The value of the move where nothing is urgent.
    pub(super) fn tempo(&self) -> i32 {
        self.tables.weights.threat([Urgency::Quiet; 2], [false; 2])
    }

    /// The value of the stones that a color has captured and of the points where it can capture
    /// more; `role` is 0 for the color to move.
    #[inline]
    fn capture_value(
        &self,
        color: Color,
        role: usize,
        rule: Option<Capture>,
        captured: u16,
    ) -> i32 {
        let (points, tenths) = (self.captures(color).len() as i32, tenths(rule, captured));
        let weights = &self.tables.weights;
        points * i32::from(weights.points[role][tenths]) + i32::from(weights.counts[role][tenths])
    }

    /// Works everything out from the stones.
    pub(super) fn reset(&mut self, board: &SquareBoard) {
        self.state = PatternState::new();
        for cell in board.grid().iter() {
            self.state.refresh(&self.tables, board, cell);
        }
        self.state.log.clear();
    }

    /// The state as it is, to come back to.
    #[inline]
    pub(super) fn mark(&self) -> Mark<N> {
        Mark { log: self.state.log.len(), totals: self.state.totals }
    }

    /// Gives up every mark.
    pub(super) fn forget(&mut self) {
        self.state.log.clear();
    }

    /// Undoes every update since a mark.
    #[inline]
    pub(super) fn restore(&mut self, mark: Mark<N>) {
        // The log is out of the way meanwhile: popped one by one, its length would be written each
        // time.
        let mut log = std::mem::take(&mut self.state.log);
        for old in log.drain(mark.log.min(log.len())..).rev() {
            if old.moved {
                self.state.replace(&self.tables, old.color, old.cell, old.pattern);
            } else {
                *self.state.at_mut(old.color, old.cell) = old.pattern;
            }
        }
        self.state.log = log;
        self.state.totals = mark.totals;
    }

    /// The cells whose patterns have changed since a mark, some more than once.
    #[inline]
    pub(super) fn changed_since(&self, mark: &Mark<N>) -> impl Iterator<Item = Cell> + '_ {
        let log = &self.state.log;
        log[mark.log.min(log.len())..].iter().map(|overwritten| overwritten.cell)
    }

    /// Follows a change of a cell; the board is the one after all changes of the ply.
    #[inline]
    pub(super) fn update(&mut self, board: &SquareBoard, cell: Cell) {
        self.state.refresh(&self.tables, board, cell);
        if self.tables.radius() == 4 {
            self.state.update_lines::<4>(&self.tables, board, cell);
        } else {
            self.state.update_lines::<5>(&self.tables, board, cell);
        }
    }
}

impl<const N: usize> PatternState<N> {
    fn new() -> PatternState<N> {
        let empty = || Box::new([CellPattern::default(); Cell::LIMIT]);
        PatternState {
            patterns: std::array::from_fn(|_| empty()),
            totals: [[0; 2]; N],
            sets: [[CountedCells::default(); Urgency::COUNT]; N],
            captures: [CountedCells::default(); N],
            log: Vec::new(),
        }
    }

    #[inline]
    fn at(&self, color: Color, cell: Cell) -> CellPattern {
        self.patterns[color.index() % N][cell.index() % Cell::LIMIT]
    }

    #[inline]
    fn at_mut(&mut self, color: Color, cell: Cell) -> &mut CellPattern {
        &mut self.patterns[color.index() % N][cell.index() % Cell::LIMIT]
    }

    /// Works out the pattern of a cell.
    fn refresh(&mut self, tables: &PatternTables, board: &SquareBoard, cell: Cell) {
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
                for (pattern, entry) in patterns.iter_mut().zip(entries) {
                    *pattern = pattern.with(direction, entry);
                }
            }
        }
        for (color, pattern) in colors::<N>().into_iter().zip(patterns) {
            self.put(tables, color, cell, pattern);
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
        let spot = board.map().lines_of(cell);
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
                for (color, entry) in colors::<N>().into_iter().zip(entries) {
                    let pattern = self.at(color, other).with(direction, entry);
                    self.put(tables, color, other, pattern);
                }
            }
        }
    }

    /// Changes a cell's pattern and remembers the old one.
    #[inline]
    fn put(&mut self, tables: &PatternTables, color: Color, cell: Cell, new: CellPattern) {
        let old = self.at(color, cell);
        if old != new {
            let moved = self.exchange(tables, color, cell, new);
            self.log.push(Overwritten { color, moved, cell, pattern: old });
        }
    }

    /// Changes a cell's pattern and all that depends on them. Whether it moved from one set to
    /// another.
    #[inline]
    fn exchange(
        &mut self,
        tables: &PatternTables,
        color: Color,
        cell: Cell,
        new: CellPattern,
    ) -> bool {
        let index = color.index() % N;
        let old = self.at(color, cell);
        let (before, after) = (tables.value(old), tables.value(new));
        for (role, total) in self.totals[index].iter_mut().enumerate() {
            *total += i32::from(after[role]) - i32::from(before[role]);
        }
        if tables.knows_contacts() && new.differs_in_contact(old) {
            self.change_contact(tables, index, old, new);
        }
        self.replace(tables, color, cell, new)
    }

    /// Apart, because most changes are none of this: inside, it slows all of them.
    #[inline(never)]
    fn change_contact(
        &mut self,
        tables: &PatternTables,
        index: usize,
        old: CellPattern,
        new: CellPattern,
    ) {
        let (before, after) = (tables.contact(old), tables.contact(new));
        for (role, total) in self.totals[index].iter_mut().enumerate() {
            *total += i32::from(after[role]) - i32::from(before[role]);
        }
    }

    /// [`PatternState::exchange`] but for the totals.
    #[inline]
    fn replace(
        &mut self,
        tables: &PatternTables,
        color: Color,
        cell: Cell,
        new: CellPattern,
    ) -> bool {
        let index = color.index() % N;
        let old = std::mem::replace(self.at_mut(color, cell), new);
        let (before, after) = (tables.urgency(old), tables.urgency(new));
        let moved = before != after || old.captures() != new.captures();
        if !moved {
            return false;
        }
        if before != after {
            if before != Urgency::Quiet {
                self.sets[index][before as usize].remove(cell);
            }
            if after != Urgency::Quiet {
                self.sets[index][after as usize].insert(cell);
            }
        }
        match (old.captures(), new.captures()) {
            (false, true) => self.captures[index].insert(cell),
            (true, false) => self.captures[index].remove(cell),
            _ => (),
        }
        true
    }
}

/// How much of the way to the goal captures are, in tenths, short of all.
#[inline]
pub(super) fn tenths(rule: Option<Capture>, captured: u16) -> usize {
    let goal = rule.and_then(|rule| rule.goal);
    goal.map_or(0, |goal| usize::from(captured) * 10 / usize::from(goal.max(1))).min(9)
}

/// The colors that are looked at.
#[inline]
fn colors<const N: usize>() -> [Color; N] {
    std::array::from_fn(|index| Color(index as u8))
}
