//! The patterns of all cells, kept up to date around changed ones.

use super::cell_pattern::CellPattern;
use super::cell_sets::{CellSet, CellUnion};
use super::pattern_state::{Mark, PatternState};
use super::patterns::PatternTables;
use super::shapes::Urgency;
use pentarch_core::board::SquareBoard;
use pentarch_core::game::{Cell, Color};
use pentarch_core::rules::CaptureRule;
use std::sync::Arc;

/// For each empty cell and each of `N` colors, what a stone there would make of its four lines;
/// and sums and sets of that. Stones of no color are known too.
#[derive(Clone, Debug)]
pub(super) struct PatternMap<const N: usize> {
    pub tables: Arc<PatternTables>,
    state: PatternState<N>,
}

/// The most urgent cells of two colors, and whether they have captures.
pub(super) type Urgent = ([Urgency; 2], [bool; 2]);

impl<const N: usize> PatternMap<N> {
    pub(super) fn new(tables: Arc<PatternTables>) -> PatternMap<N> {
        PatternMap { tables, state: PatternState::new(0) }
    }

    /// What a stone of a color on an empty cell would make.
    #[inline]
    pub(super) fn at(&self, color: Color, cell: Cell) -> CellPattern {
        self.state.at(color, cell)
    }

    /// The cells of an urgency above quiet.
    #[inline]
    pub(super) fn set(&self, color: Color, urgency: Urgency) -> CellSet<'_, N> {
        self.state.set(color, urgency)
    }

    /// The urgency of a color's most urgent cell.
    #[inline]
    pub(super) fn most_urgent(&self, color: Color) -> Urgency {
        self.state.most_urgent(color)
    }

    /// The cells on which a color captures something.
    #[inline]
    pub(super) fn captures(&self, color: Color) -> CellSet<'_, N> {
        self.state.captures(color)
    }

    /// Whether a color may capture so many stones with one stone: if not, it does so nowhere.
    #[inline]
    pub(super) fn may_capture(&self, color: Color, stones: u32) -> bool {
        self.state.may_capture(&self.tables, color, stones)
    }

    /// The cells on which a stone of a color captures at least so many. Mostly there is none, which is seen at
    /// once.
    #[inline]
    pub(super) fn captures_of(&self, color: Color, stones: u32) -> impl Iterator<Item = Cell> + '_ {
        let looked_at = if self.may_capture(color, stones) { usize::MAX } else { 0 };
        let captures = self.captures(color).iter().take(looked_at);
        captures.filter(move |&cell| self.at(color, cell).captured_stones() >= stones)
    }

    /// Whether a color may win with one stone: by a line, or because it captures the stones that are still
    /// missing. Mostly it does not, which this tells sooner than a look for such cells.
    #[inline]
    pub(super) fn may_win(&self, color: Color, missing: u32) -> bool {
        !self.set(color, Urgency::Five).is_empty() || self.may_capture(color, missing)
    }

    /// The cells of urgencies from `least`, above quiet, on.
    #[inline]
    pub(super) fn urgent_cells(&self, color: Color, least: Urgency) -> CellUnion {
        self.state.urgent_cells(color, least)
    }

    /// The cells on which a stone of a color threatens something, or answers a threat of its enemies, or on
    /// which either captures.
    #[inline]
    pub(super) fn tactical_cells(
        &self,
        mover: Color,
        enemies: impl Iterator<Item = Color>,
    ) -> CellUnion {
        let attack = self.state.urgent_cells_and_captures(mover, Urgency::OpenThree);
        enemies.fold(attack, |cells, enemy| {
            cells.union(self.state.urgent_cells_and_captures(enemy, Urgency::Four))
        })
    }

    /// The value for a color of all that it can make on its own: every term of the evaluation that
    /// looks at one color only. `role` is 0 for the color to move, `captured` the stones that count
    /// as its captures under `rule`.
    #[inline]
    pub(super) fn color_value(
        &self,
        color: Color,
        role: usize,
        rule: Option<CaptureRule>,
        captured: u16,
    ) -> i32 {
        self.state.total(color, role) + self.capture_value(color, role, rule, captured)
    }

    /// What is urgent for the color to move and for the other: the most urgent cells, and who has
    /// captures.
    #[inline]
    pub(super) fn urgent(&self, mover: Color) -> Urgent {
        let colors = [mover, mover.opponent()];
        let captures = colors.map(|color| !self.captures(color).is_empty());
        (colors.map(|color| self.most_urgent(color)), captures)
    }

    /// [`PatternMap::urgent`] if nothing is for all but one color; `role` is 0 for the color to move.
    pub(super) fn urgent_alone(&self, color: Color, role: usize) -> Urgent {
        let (urgent, captures) = (self.most_urgent(color), !self.captures(color).is_empty());
        match role {
            0 => ([urgent, Urgency::Quiet], [captures, false]),
            _ => ([Urgency::Quiet, urgent], [false, captures]),
        }
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
        rule: Option<CaptureRule>,
        captured: u16,
    ) -> i32 {
        let (points, tenths) = (self.captures(color).len() as i32, tenths(rule, captured));
        let weights = &self.tables.weights;
        points * i32::from(weights.points[role][tenths]) + i32::from(weights.counts[role][tenths])
    }

    /// Works everything out from the stones.
    pub(super) fn reset(&mut self, board: &SquareBoard) {
        self.state = PatternState::new(board.grid().cells());
        if self.tables.radius() == 4 {
            self.state.refresh_all::<4>(&self.tables, board);
        } else {
            self.state.refresh_all::<5>(&self.tables, board);
        }
    }

    /// Adds the state as it is, to come back to.
    #[inline]
    pub(super) fn push_mark(&mut self, marks: &mut Vec<Mark<N>>) {
        self.state.push_mark(marks);
    }

    /// Gives up every mark.
    pub(super) fn forget(&mut self) {
        self.state.forget();
    }

    /// Undoes every update since a mark.
    #[inline]
    pub(super) fn restore(&mut self, mark: Mark<N>) {
        self.state.restore(mark);
    }

    /// The cells whose patterns have changed since a mark, some more than once.
    #[inline]
    pub(super) fn changed_since(&self, mark: &Mark<N>) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.state.changed_since(mark)
    }

    /// Follows changes of cells; the board is the one after all of them.
    #[inline]
    pub(super) fn update(
        &mut self,
        board: &SquareBoard,
        changed: &(impl Iterator<Item = Cell> + Clone),
    ) {
        if self.tables.radius() == 4 {
            self.state.update::<4>(&self.tables, board, changed);
        } else {
            self.state.update::<5>(&self.tables, board, changed);
        }
    }
}

/// How much of the way to the goal captures are, in tenths, short of all.
#[inline]
pub(super) fn tenths(rule: Option<CaptureRule>, captured: u16) -> usize {
    let goal = rule.and_then(|rule| rule.goal);
    goal.map_or(0, |goal| usize::from(captured) * 10 / usize::from(goal.max(1))).min(9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use pentarch_core::game::{Move, Position as _};
    use pentarch_core::placement::Position;

    /// Plays at random near the center, now and then a capture if there is one, and takes plies back.
    fn at_many_positions(spec: &str, mut visit: impl FnMut(&Position, &PatternMap<2>)) {
        let mut position = Position::new(spec.parse().unwrap());
        let mut patterns = PatternMap::new(Arc::new(PatternTables::new(position.rules())));
        patterns.reset(position.board());
        let (mut rng, mut marks) = (Rng::with_seed(8), Vec::new());
        let center = position.grid().center();
        for _ in 0..100_000 {
            let near = |cell: &Cell| position.grid().chebyshev(center, *cell) <= 4;
            let captures = patterns.captures(position.color_to_move()).iter().next();
            let cells: Vec<_> = position.grid().iter().filter(near).collect();
            let cell = captures.filter(|_| rng.u8(..4) == 0).or_else(|| rng.choice(cells));
            let mv = cell.map(Move::stone).filter(|&mv| position.is_legal(mv));
            if let Some(mv) = mv.filter(|_| position.outcome().is_none()) {
                patterns.push_mark(&mut marks);
                position.play(mv);
                let changed = position.changes().iter().map(|change| change.cell);
                patterns.update(position.board(), &changed);
            } else {
                for _ in 0..rng.usize(1..9).min(marks.len()) {
                    position.undo();
                    patterns.restore(marks.pop().unwrap());
                }
            }
            visit(&position, &patterns);
        }
    }

    #[test]
    fn more_stones_than_a_group_has_are_captured_where_there_are_several() {
        for spec in ["pente", "keryo-pente"] {
            let mut several = 0;
            at_many_positions(spec, |position, patterns| {
                let longest = position.rules().capture().unwrap().longest_group().into();
                for color in [Color(0), Color(1)] {
                    let captured = |cell| patterns.at(color, cell).captured_stones();
                    let most = position.grid().iter().map(captured).max().unwrap();
                    several += u32::from(most > longest);
                    for stones in 1..12 {
                        let expected = most > 0 && (stones <= longest || most > longest);
                        assert_eq!(patterns.may_capture(color, stones), expected, "{spec}");
                    }
                }
            });
            assert!(several > 30, "{spec}: {several}");
        }
    }
}
