//! Power stones with the bonus stones on diamonds that follow them.

use super::VariantEvaluator;
use super::listing::Listing;
use crate::board::Content;
use crate::eval::capture_zone::{Reply, completes_line, guards};
use crate::eval::cell_sets::CellUnion;
use crate::eval::near_stones::for_each_near_stones;
use crate::eval::shapes::Urgency;
use crate::game::{Cell, Move, MoveKind, MoveList, Position as _};
use crate::placement::Position;
use crate::rules::Captured;

impl<const N: usize> VariantEvaluator<N> {
    /// The diamonds that are empty.
    #[inline]
    pub(super) fn empty_diamonds(&self, position: &Position) -> impl Iterator<Item = Cell> {
        empty_among(position, self.diamonds)
    }

    /// All diamonds, if the color to move has a power stone left.
    fn diamonds_if_left(&self, position: &Position) -> CellUnion {
        let is_left = position.has_left(MoveKind::Power(position.grid().center(), None));
        if is_left { self.diamonds } else { CellUnion::new() }
    }

    /// A power stone and a bonus stone that complete a line together: each alone would make a four.
    pub(super) fn win_with_bonus(&self, position: &Position) -> Option<Move> {
        let color = position.color_to_move();
        if self.patterns.most_urgent(color) < Urgency::Four {
            return None;
        }
        let fours = self.patterns.urgent_cells(color, Urgency::Four);
        let bonuses = fours.intersection(self.diamonds_if_left(position));
        // All that are found win, so any order will do.
        bonuses.iter().find_map(|bonus| {
            fours
                .iter()
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
        let breaks =
            |reply: Reply| !reply.captured.is_empty() && reply.breaks_lines(position, fives());
        let stops =
            |reply: Reply| !by_lines || fives().all(|five| five == reply.cell) || breaks(reply);
        let mut cells = CellUnion::new();
        cells.extend(fives());
        cells.add(self.patterns.captures(mover));
        let diamonds = self.diamonds_if_left(position);
        let mut empty = CellUnion::new();
        empty.extend(empty_among(position, diamonds));
        let bonuses = Bonuses {
            diamonds,
            empty,
            useful: diamonds.intersection(cells),
            guarded: self.guarded(position, empty),
        };
        let listing = Listing::of(position);
        for cell in cells.iter() {
            let reply = self.reply(position, cell);
            if stops(reply) {
                self.push_without_power(position, listing, cell, moves);
            }
            let takes_any = !by_lines || breaks(Reply { is_power: true, ..reply });
            let some = if takes_any { bonuses.empty } else { bonuses.useful };
            push_power(position, cell, bonuses.behind(position, reply, some), moves);
        }
        // Bonus stones that do something there, behind power stones that need not.
        let mut alone = CellUnion::new();
        alone.extend(bonuses.useful.iter().filter(|&cell| stops(self.reply(position, cell))));
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

    /// An answer with a stone on an empty cell.
    fn reply(&self, position: &Position, cell: Cell) -> Reply {
        if self.patterns.at(position.color_to_move(), cell).captures() {
            Reply::with_stone(position, cell)
        } else {
            Reply { cell, captured: Captured::default(), is_power: false }
        }
    }

    /// Cells of power stones with those of bonus stones, among some, that capture something between the two.
    fn guarded(&self, position: &Position, bonuses: CellUnion) -> Vec<(Cell, Cell)> {
        let mover = position.color_to_move();
        let attacks = |&bonus: &Cell| self.patterns.at(mover, bonus).attacks();
        let of_bonus = |bonus| guards(position, bonus).map(move |cell| (cell, bonus));
        bonuses.iter().filter(attacks).flat_map(of_bonus).collect()
    }
}

/// Those of some cells that are empty.
#[inline]
fn empty_among(position: &Position, cells: CellUnion) -> impl Iterator<Item = Cell> {
    cells.iter().filter(|&cell| position.board().content(cell) == Content::EMPTY)
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
    /// All diamonds, if it has a power stone left, and those that are empty.
    diamonds: CellUnion,
    empty: CellUnion,
    /// Those where any stone does something.
    useful: CellUnion,
    /// Cells of power stones with those of bonus stones that capture something between the two.
    guarded: Vec<(Cell, Cell)>,
}

impl Bonuses {
    /// Those of `some` diamonds that are empty behind a power stone, with those that do something there: beside
    /// the power stone, or, as far as that goes, where it has captured.
    fn behind(
        &self,
        position: &Position,
        Reply { cell, captured, .. }: Reply,
        mut some: CellUnion,
    ) -> CellUnion {
        let guarded = self.guarded.iter().filter(|&&(guard, _)| guard == cell);
        some.extend(guarded.map(|&(_, bonus)| bonus));
        if !captured.is_empty() {
            let freed = captured.cells(cell, position.board().map().steps());
            some.extend(freed.filter(|&freed| self.diamonds.contains(freed)));
        }
        some.remove(cell);
        some
    }
}
