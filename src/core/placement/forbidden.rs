//! Forbidden points: those of Renju, the double threes of Ninuki-Renju, and fours where `anti` is played.

use super::IllegalPlacement;
use super::legal::refuse;
use super::pipeline::Board;
use crate::board::{CENTER, SquareBoard};
use crate::game::{Cell, Color};
use crate::line::LineWindow;
use crate::rules::{CapturedGroups, FourBan, LineRule, SquareRules};

const BLACK: Color = Color(0);

/// The number of stones in a winning row; neither game can be played with another.
const FIVE: u32 = 5;

/// Why a point is closed to Black, if it is.
pub(super) fn forbidden(board: &SquareBoard, cell: Cell) -> Option<&'static str> {
    closed(board, cell, &mut Vec::new(), &mut |_| ())
}

/// Calls `visit` with every empty cell on which a stone might change what [`forbidden`] says of a point,
/// some more than once: those on the lines through the points that it looks at.
pub(super) fn for_each_forbidden_dependency(
    board: &SquareBoard,
    cell: Cell,
    visit: &mut impl FnMut(Cell),
) {
    closed(board, cell, &mut Vec::new(), &mut |point| {
        let axes = LineWindow::through(board, BLACK, point, &[], &[]);
        for (direction, axis) in axes.into_iter().enumerate() {
            board.map().window_cells(point, direction, axis.empty()).for_each(&mut *visit);
        }
    });
}

/// [`forbidden`] where Black has stones on some points more. Calls `look` with every point of which it
/// is asked.
fn closed(
    board: &SquareBoard,
    cell: Cell,
    placed: &mut Vec<Cell>,
    look: &mut impl FnMut(Cell),
) -> Option<&'static str> {
    look(cell);
    let axes = LineWindow::through(board, BLACK, cell, placed, &[]);
    let rows = axes.map(LineWindow::row);
    if rows.contains(&FIVE) {
        return None;
    }
    if rows.iter().any(|&row| row > FIVE) {
        return Some("an overline");
    }
    let fours = axes.map(LineWindow::fours);
    if fours.iter().sum::<u32>() > 1 {
        return Some("two fours");
    }
    // A line with a four on it is no three.
    let points = |direction: usize| match fours[direction] {
        0 => axes[direction].open_four_points(),
        _ => 0,
    };
    let points = [0, 1, 2, 3].map(points);
    if points.iter().filter(|&&points| points != 0).count() < 2 {
        return None;
    }
    placed.push(cell);
    let is_three = |&direction: &usize| {
        let mut points = board.map().window_cells(cell, direction, points[direction]);
        points.any(|point| closed(board, point, placed, look).is_none())
    };
    let threes = (0..4).filter(is_three).count();
    placed.pop();
    (threes > 1).then_some("two threes")
}

impl Board {
    /// Ninuki-Renju's double three: two lines through the stone on which, after its captures, one
    /// more stone would make an open four. Making five, capturing a stone of an enemy five and
    /// blocking an enemy four for good excuse it (PBM).
    pub(super) fn check_double_three(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
    ) -> Result<(), IllegalPlacement> {
        if !self.may_make_two_threes(color, cell) {
            return Ok(());
        }
        let makes_two = |axes: [LineWindow; 4]| {
            axes.iter().filter(|axis| axis.open_four_points() != 0).count() > 1
        };
        let axes = LineWindow::through(&self.squares, color, cell, &[], &[]);
        if !makes_two(axes.map(LineWindow::unblocked)) {
            return Ok(());
        }
        let Some(capture) = rules.capture() else { return Ok(()) };
        let taken = self.groups_taken(rules, capture, color, cell);
        let taken: Vec<Cell> = taken.cells(cell, self.squares.map().steps()).collect();
        let axes = LineWindow::through(&self.squares, color, cell, &[], &taken);
        let enemy = color.opponent();
        if !makes_two(axes)
            || axes.iter().any(|axis| axis.five().is_some())
            || self.breaks_five(enemy, &taken)
            || self.blocks_four(enemy, cell, &taken)
        {
            return Ok(());
        }
        refuse("two threes")
    }

    /// Whether one of the stones that are captured stands in an enemy five.
    fn breaks_five(&self, enemy: Color, taken: &[Cell]) -> bool {
        let axes = |&stone: &Cell| LineWindow::through(&self.squares, enemy, stone, &[], &[]);
        taken.iter().flat_map(axes).any(|axis| axis.five().is_some())
    }

    /// Whether a stone and what it captures leave some four of the enemy no point that completes it: what is
    /// left of the four is no four any more, or the stone takes its only point.
    fn blocks_four(&self, enemy: Color, cell: Cell, taken: &[Cell]) -> bool {
        let axes = |cell, lifted| LineWindow::through(&self.squares, enemy, cell, &[], lifted);
        let is_in_four = |&stone: &Cell| axes(stone, &[]).iter().any(|axis| axis.fours() > 0);
        if taken.iter().any(is_in_four) {
            return true;
        }
        let mut lines = axes(cell, &[]).into_iter().zip(axes(cell, taken));
        lines.any(|(before, after)| before.five().is_some() && !after.has_twin())
    }

    /// Whether so many stones of a color lie near a cell that one there could make two threes.
    fn may_make_two_threes(&self, color: Color, cell: Cell) -> bool {
        let own = self.squares.windows(color, cell);
        let near = |direction: usize| (own.lane(direction) & NEAR).count_ones();
        (0..4).filter(|&direction| near(direction) > 1).count() > 1
    }
}

/// The cells of a window that can be in a row of four with its center.
const NEAR: u16 = 0b111_0111 << (CENTER - 3);

impl Board {
    /// Whether a line of a color has a four that `anti` forbids, anywhere on the board.
    pub(super) fn has_open_four(&self, rules: &SquareRules, fours: FourBan, color: Color) -> bool {
        let mut lines = 0..self.squares.map().lines() as u8;
        let rule = rules.line();
        lines.any(|number| {
            let own = self.squares.line(color, number);
            self.line_with(rule, number, [own, 0]).has_four(rule, fours)
        })
    }

    /// Whether a color's plain stone on an empty cell makes such a four, by what it captures as well: none
    /// of its own color. No such four stands before it.
    pub(super) fn leaves_four_around(
        &self,
        rules: &SquareRules,
        fours: FourBan,
        (color, cell): (Color, Cell),
        captured: CapturedGroups,
    ) -> bool {
        let captured: Vec<Cell> = captured.cells(cell, self.squares.map().steps()).collect();
        let (map, rule) = (self.squares.map(), rules.line());
        let others = u32::from(rule.length()) - 1;
        std::iter::once(&cell).chain(&captured).any(|&changed| {
            map.lines_of(changed).line.into_iter().enumerate().any(|(direction, number)| {
                let bit = |cell| map.bit_on(cell, direction, number);
                // Of a new four the stone is a part, or the cell set free the point that completes it.
                let own = self.squares.line(color, number) | bit(cell);
                if (own & around(bit(changed), others)).count_ones() < others {
                    return false;
                }
                let lifted = captured.iter().fold(0, |all, &cell| all | bit(cell));
                self.line_with(rule, number, [own, lifted]).has_four(rule, fours)
            })
        })
    }

    /// A line as a color sees it, with the stones of `own` on it and others `lifted`.
    fn line_with(&self, rule: LineRule, number: u8, [own, lifted]: [u64; 2]) -> Line {
        let mut points = missing_points(own, rule.length());
        // Most lines have none.
        if points != 0 {
            let taken = self.squares.occupied_on_line(number) & !lifted;
            points &= !(taken | self.squares.map().wall(number));
        }
        Line { own, points }
    }
}

/// The stones of a color on a line and the empty cells that complete a run of them, as bits.
#[derive(Clone, Copy, Debug)]
struct Line {
    own: u64,
    points: u64,
}

impl Line {
    /// Whether it has a four that is forbidden.
    fn has_four(self, rule: LineRule, fours: FourBan) -> bool {
        let is_alone = self.points & self.points.wrapping_sub(1) == 0;
        if self.points == 0 || is_alone && fours == FourBan::OpenFours {
            return false;
        }
        bits(self.points).any(|point| self.completes_four(rule, fours, point))
    }

    /// Whether one of the points completes such a four.
    fn completes_four(self, rule: LineRule, fours: FourBan, point: u32) -> bool {
        let length = u32::from(rule.length());
        let run = self.run_with(point);
        let wins = run.count_ones() == length || !rule.exact();
        wins && (fours == FourBan::AllFours || self.has_twin(length, point, run))
    }

    /// Whether another of the points completes a run that shares a stone with the run that `point`
    /// completes.
    fn has_twin(self, length: u32, point: u32, run: u64) -> bool {
        let near = |other: &u32| *other != point && other.abs_diff(point) <= length;
        bits(self.points).filter(near).any(|other| self.run_with(other) & run & self.own != 0)
    }

    /// The run that a stone on an empty cell would belong to.
    fn run_with(self, point: u32) -> u64 {
        let above = (self.own >> point >> 1).trailing_ones();
        let below = (self.own << (u64::BITS - 1 - point) << 1).leading_ones();
        ((1 << (below + 1 + above)) - 1) << (point - below)
    }
}

/// The bits of a line that are no further from one than that.
fn around(bit: u64, distance: u32) -> u64 {
    (bit >> distance).wrapping_mul((2 << (2 * distance)) - 1)
}

/// The places of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}

/// The bits of a line that alone are missing in a row of that length.
fn missing_points(own: u64, length: u8) -> u64 {
    // Two of the others are neighbors, or neighbors of the missing one.
    if own & (own >> 1 | own >> 2) == 0 {
        return 0;
    }
    let points = (0..length).map(|missing| {
        let others = (0..length).filter(|&place| place != missing);
        others.fold(u64::MAX, |row, place| row & own >> place) << missing
    });
    points.fold(0, |all, points| all | points) & !own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::CellContent;
    use crate::line::walks::{AXES, crowded_board, reach, step};
    use crate::placement::pipeline::State;
    use fastrand::Rng;

    #[test]
    fn only_reasons_change_what_is_forbidden() {
        let mut rng = Rng::with_seed(5);
        let (mut changed, mut kept) = (0, 0);
        for _ in 0..40 {
            let mut board = crowded_board(&mut rng, 11, 7);
            let empty: Vec<Cell> =
                board.grid().iter().filter(|&c| board.content(c) == CellContent::EMPTY).collect();
            for &cell in &empty {
                let mut reasons = Vec::new();
                for_each_forbidden_dependency(&board, cell, &mut |reason| reasons.push(reason));
                let before = forbidden(&board, cell);
                for &other in empty.iter().filter(|&&other| other != cell) {
                    for color in [BLACK, Color(1)] {
                        board.place(color, other);
                        let same = forbidden(&board, cell) == before;
                        board.remove(color, other);
                        assert!(same || reasons.contains(&other), "{cell:?} {other:?}");
                        changed += usize::from(!same);
                        kept += usize::from(!reasons.contains(&other));
                    }
                }
            }
        }
        assert!(changed > 1000 && kept > 100_000, "{changed} {kept}");
    }

    /// The fours of a color, each as its stones: with one more stone they make exactly five.
    fn fours_of(board: &SquareBoard, color: Color) -> Vec<Vec<Cell>> {
        let mut fours = Vec::new();
        board.for_each_empty(|cell| {
            for axis in AXES {
                let back = reach(board, color, cell, (-axis.0, -axis.1));
                let on = reach(board, color, cell, axis);
                if back + on + 1 == FIVE as i32 {
                    let steps = (-back..=on).filter(|&n| n != 0);
                    fours.push(steps.filter_map(|n| step(board, cell, axis, n)).collect());
                }
            }
        });
        fours
    }

    #[test]
    fn a_four_is_blocked_where_none_of_its_stones_is_left() {
        let mut rng = Rng::with_seed(6);
        let rules: SquareRules = "ninuki-renju".parse().unwrap();
        let (mut blocked, mut by_capture, mut open) = (0, 0, 0);
        for _ in 0..1500 {
            let state = State { color: Color(1), ..State::start(&rules) };
            let board = Board { squares: crowded_board(&mut rng, 11, 7), state };
            let before = fours_of(&board.squares, BLACK);
            board.squares.for_each_empty(|cell| {
                let capture = rules.capture().unwrap();
                let taken = board.groups_taken(&rules, capture, Color(1), cell);
                let taken: Vec<Cell> = taken.cells(cell, board.squares.map().steps()).collect();
                let mut after = board.squares.clone();
                after.place(Color(1), cell);
                for &stone in &taken {
                    after.remove(BLACK, stone);
                }
                let left = fours_of(&after, BLACK);
                let blocks = before.iter().any(|four| !left.contains(four));
                assert_eq!(board.blocks_four(BLACK, cell, &taken), blocks, "{cell:?} {taken:?}");
                blocked += usize::from(blocks);
                by_capture += usize::from(blocks && !taken.is_empty());
                open += usize::from(!blocks && !before.is_empty());
            });
        }
        assert!(blocked > 500 && by_capture > 100 && open > 5000, "{blocked} {by_capture} {open}");
    }

    /// The ends of the run that a stone on an empty cell would belong to, in steps from it.
    fn run_with(board: &SquareBoard, cell: Cell, axis: (i32, i32)) -> (i32, i32) {
        let back = reach(board, Color(0), cell, (-axis.0, -axis.1));
        (-back, reach(board, Color(0), cell, axis))
    }

    /// Whether two empty cells complete runs that share a stone, or, if `any` four counts, one does.
    fn has_four(board: &SquareBoard, axis: (i32, i32), rules: &SquareRules, any: bool) -> bool {
        let length = i32::from(rules.line().length());
        let is_empty = |cell: &Cell| board.content(*cell) == CellContent::EMPTY;
        board.grid().iter().filter(is_empty).any(|cell| {
            let run = run_with(board, cell, axis);
            let stones = run.1 - run.0 + 1;
            if stones < length || stones > length && rules.line().exact() {
                return false;
            }
            let twin = |n: i32| {
                let other = step(board, cell, axis, n).filter(is_empty)?;
                let (low, high) = run_with(board, other, axis);
                let shared = |at: i32| at != 0 && at != n && run.0 <= at && at <= run.1;
                Some(high - low + 1 >= length && (low + n..=high + n).any(shared))
            };
            any || (-length..=length).filter(|&n| n != 0).any(|n| twin(n) == Some(true))
        })
    }

    #[test]
    fn fours_on_lines_are_those_found_cell_by_cell() {
        let mut rng = Rng::with_seed(3);
        for spec in ["anti-pente", "anti-pente+goal=4"] {
            let rules: SquareRules = spec.parse().unwrap();
            let mut found = [0; 2];
            for _ in 0..600 {
                let board =
                    Board { squares: crowded_board(&mut rng, 9, 8), state: State::start(&rules) };
                for (any, fours) in [FourBan::OpenFours, FourBan::AllFours].into_iter().enumerate()
                {
                    let there = AXES.map(|axis| has_four(&board.squares, axis, &rules, any == 1));
                    assert_eq!(board.has_open_four(&rules, fours, Color(0)), there.contains(&true));
                    found[any] += usize::from(there.contains(&true));
                }
            }
            assert!(found.iter().all(|found| (5..=595).contains(found)), "{spec} {found:?}");
        }
    }

    #[test]
    fn a_stone_leaves_fours_on_the_lines_that_it_changes_alone() {
        let (mut rng, rules) = (Rng::with_seed(4), "anti-pente".parse().unwrap());
        let (mut left, mut by_capture, mut none) = (0, 0, 0);
        for _ in 0..2000 {
            let board =
                Board { squares: crowded_board(&mut rng, 9, 8), state: State::start(&rules) };
            if board.has_open_four(&rules, FourBan::OpenFours, Color(0)) {
                continue;
            }
            board.squares.for_each_empty(|cell| {
                let capture = rules.capture().unwrap();
                let groups = board.groups_taken(&rules, capture, Color(0), cell);
                let captured: Vec<Cell> = groups.cells(cell, board.squares.map().steps()).collect();
                let mut after = board.clone();
                after.squares.place(Color(0), cell);
                for &stone in &captured {
                    after.squares.remove(Color(1), stone);
                }
                let (fours, stone) = (FourBan::OpenFours, (Color(0), cell));
                let leaves = after.has_open_four(&rules, fours, Color(0));
                assert_eq!(board.leaves_four_around(&rules, fours, stone, groups), leaves);
                left += usize::from(leaves);
                by_capture += usize::from(leaves && !captured.is_empty());
                none += usize::from(!leaves);
            });
        }
        assert!(left > 500 && by_capture > 50 && none > 5000, "{left} {by_capture} {none}");
    }
}
