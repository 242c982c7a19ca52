//! Power stones with the bonus stones on diamonds that follow them.

use super::VariantEvaluator;
use super::listing::Listing;
use crate::board::Content;
use crate::eval::capture_zone::{breaks_lines, breaks_lines_with_power, completes_line, guards};
use crate::eval::cell_sets::CellUnion;
use crate::eval::near_stones::for_each_near_stones;
use crate::eval::shapes::Urgency;
use crate::game::{Cell, Move, MoveKind, MoveList, Position as _};
use crate::placement::Position;

impl<const N: usize> VariantEvaluator<N> {
    /// The empty diamonds, if the color to move has a power stone left.
    #[inline]
    pub(super) fn bonuses(&self, position: &Position) -> impl Iterator<Item = Cell> {
        let is_empty = |&cell: &Cell| position.board().content(cell) == Content::EMPTY;
        self.diamonds_if_left(position).iter().filter(is_empty)
    }

    /// All diamonds, if the color to move has a power stone left.
    fn diamonds_if_left(&self, position: &Position) -> CellUnion {
        let is_left = position.has_left(MoveKind::Power(position.grid().center(), None));
        if is_left { self.diamonds } else { CellUnion::new() }
    }

    /// A power stone and a bonus stone that complete a line together: each alone would make a four.
    pub(super) fn win_with_bonus(&self, position: &Position) -> Option<Move> {
        let color = position.color_to_move();
        if Urgency::FOURS.iter().all(|&urgency| self.patterns.set(color, urgency).is_empty()) {
            return None;
        }
        let makes_four = |cell: &Cell| {
            self.patterns.tables.urgency(self.patterns.at(color, *cell)) >= Urgency::Four
        };
        self.bonuses(position).filter(makes_four).find_map(|bonus| {
            let fours = Urgency::FOURS.into_iter();
            fours
                .flat_map(|urgency| self.patterns.set(color, urgency).iter())
                .filter(|&cell| cell != bonus && completes_line(position, bonus, cell))
                .map(|cell| Move::from(MoveKind::Power(cell, Some(bonus))))
                .find(|&mv| position.would_win(mv))
        })
    }

    /// Adds the moves that may prevent threats on those cells in games with power stones. A power stone stands
    /// in nobody's way, as it completes a line for everybody: it or its bonus stone must do something else,
    /// unless captures threaten.
    pub(super) fn stop_with_bonus(
        &self,
        position: &Position,
        threats: &[Cell],
        moves: &mut MoveList,
    ) {
        let mover = position.color_to_move();
        let by_lines = self.are_lines(position, threats);
        let fives = || threats.iter().copied();
        let captures = |cell| self.patterns.at(mover, cell).captures();
        let stops = |cell| {
            !by_lines
                || fives().all(|five| five == cell)
                || captures(cell) && breaks_lines(position, cell, fives())
        };
        let mut cells = CellUnion::new();
        cells.extend(fives());
        cells.add(self.patterns.captures(mover));
        let diamonds = self.diamonds_if_left(position);
        let bonuses = Bonuses {
            diamonds,
            useful: diamonds.intersection(cells),
            guarded: self.guarded(position),
        };
        let (listing, mut with_any) = (Listing::of(position), CellUnion::new());
        for cell in cells.iter() {
            if !by_lines || captures(cell) && breaks_lines_with_power(position, cell, fives()) {
                with_any.insert(cell);
                continue;
            }
            if stops(cell) {
                self.push_without_power(position, listing, cell, moves);
            }
            let helpful = bonuses.that_help(position, cell, captures(cell));
            push_power(position, cell, helpful, moves);
        }
        self.push_all_on(position, listing, with_any, moves);
        // Bonus stones that do something there, behind power stones that need not.
        let mut alone = CellUnion::new();
        alone.extend(bonuses.useful.iter().filter(|&cell| stops(cell)));
        if !alone.is_empty() {
            for_each_near_stones(position, |cell| {
                if !cells.contains(cell) {
                    push_power(position, cell, alone, moves);
                }
            });
        }
        for &(cell, bonus) in &bonuses.guarded {
            if !cells.contains(cell) && !alone.contains(bonus) {
                push_power(position, cell, CellUnion::of(bonus), moves);
            }
        }
    }

    /// Cells of power stones with those of bonus stones that capture something between the two.
    fn guarded(&self, position: &Position) -> Vec<(Cell, Cell)> {
        let mover = position.color_to_move();
        let attacks = |&bonus: &Cell| self.patterns.at(mover, bonus).attacks();
        let of_bonus = |bonus| guards(position, bonus).map(move |cell| (cell, bonus));
        self.bonuses(position).filter(attacks).flat_map(of_bonus).collect()
    }
}

/// Adds a power stone on a cell with each of those bonus stones, which may follow one that wins nothing.
/// Nobody is threatened who wins first, so only the opening is asked.
fn push_power(position: &Position, cell: Cell, bonuses: CellUnion, moves: &mut MoveList) {
    if bonuses.is_empty() {
        return;
    }
    let all = bonuses.iter().map(|bonus| Move::from(MoveKind::Power(cell, Some(bonus))));
    let limited = position.is_opening_limited();
    moves.extend(all.filter(|&mv| !limited || position.is_legal(mv)));
}

/// Where the color to move may place bonus stones.
struct Bonuses {
    /// All diamonds, if it has a power stone left, whether they are empty or not.
    diamonds: CellUnion,
    /// Those where any stone does something.
    useful: CellUnion,
    /// Cells of power stones with those of bonus stones that capture something between the two.
    guarded: Vec<(Cell, Cell)>,
}

impl Bonuses {
    /// Those that do something behind a power stone on a cell that `captures` or not: there, beside the power
    /// stone, or, as far as that goes, where it has captured.
    fn that_help(&self, position: &Position, cell: Cell, captures: bool) -> CellUnion {
        let mut helpful = self.useful;
        let guarded = self.guarded.iter().filter(|&&(guard, _)| guard == cell);
        helpful.extend(guarded.map(|&(_, bonus)| bonus));
        if captures {
            let captured = position.captured_by(position.color_to_move(), cell);
            let freed = captured.cells(cell, position.board().map().steps());
            helpful.extend(freed.filter(|&freed| self.diamonds.contains(freed)));
        }
        helpful.remove(cell);
        helpful
    }
}
