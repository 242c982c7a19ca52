//! Power stones, and the bonus stones on diamonds that follow them.

use super::StoneEvaluator;
use super::bitboards::CellBitboard;
use super::captures::{DefendingStone, completes_line_with, flanking_cells};
use super::line_pattern::ThreatClass;
use super::moves::{MoveFilter, for_each_cell_near_stones};
use pentarch_core::board::CellContent;
use pentarch_core::game::{Cell, Move, MoveKind, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{self, CapturedGroups};
use smallvec::SmallVec;

/// The number of flanking cells that are listed without an allocation. There are seldom more.
const FEW_FLANKS: usize = 8;

/// The diamonds of a board, where bonus stones may go, numbered in the order of cells.
#[derive(Clone, Debug)]
pub(super) struct Diamonds {
    cells: Vec<Cell>,
    /// The same cells, to rule out others quickly.
    all: CellBitboard,
}

/// A set of diamonds. There are few on a board, so that a word is faster than a set of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DiamondSet(u16);

const _: () = assert!(rules::Diamonds::MAX <= u16::BITS as usize);

impl Diamonds {
    /// The diamonds on given cells, in order, at most [`rules::Diamonds::MAX`].
    pub(super) fn new(cells: impl Iterator<Item = Cell>) -> Diamonds {
        let cells: Vec<_> = cells.collect();
        let mut all = CellBitboard::new();
        all.extend(cells.iter().copied());
        Diamonds { cells, all }
    }

    /// The diamond on a cell, if there is one.
    #[inline]
    fn at(&self, cell: Cell) -> DiamondSet {
        if self.all.contains(cell) { self.filter(|one| one == cell) } else { DiamondSet::default() }
    }

    /// The diamonds on cells that fulfill a condition.
    #[inline]
    fn filter(&self, condition: impl Fn(Cell) -> bool) -> DiamondSet {
        let cells = self.cells.iter().enumerate();
        let bits = cells.map(|(number, &cell)| u16::from(condition(cell)) << number);
        DiamondSet(bits.fold(0, |all, bit| all | bit))
    }

    /// The cells of a set of diamonds, in order.
    #[inline]
    pub(super) fn cells(&self, DiamondSet(mut left): DiamondSet) -> impl Iterator<Item = Cell> {
        std::iter::from_fn(move || {
            let number = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            self.cells.get(number as usize).copied()
        })
    }
}

impl DiamondSet {
    /// The number of diamonds.
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    const fn contains(self, others: DiamondSet) -> bool {
        others.0 & !self.0 == 0
    }

    const fn union(self, others: DiamondSet) -> DiamondSet {
        DiamondSet(self.0 | others.0)
    }
}

impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    #[inline]
    pub(super) fn empty_diamonds(&self, position: &Position) -> DiamondSet {
        self.diamonds.filter(|cell| position.board().content(cell) == CellContent::EMPTY)
    }

    /// A power stone and a bonus stone that complete a line together. Each alone makes a four.
    pub(super) fn line_win_with_bonus(&self, position: &Position) -> Option<Move> {
        let color = position.color_to_move();
        if self.patterns.most_urgent(color) < ThreatClass::Four || !has_power_stone_left(position) {
            return None;
        }
        let fours = self.patterns.cells_from(color, ThreatClass::Four);
        let bonuses = self.diamonds.filter(|cell| fours.contains(cell));
        // All wins are equal, so that any order will do.
        self.diamonds.cells(bonuses).find_map(|bonus| {
            fours
                .iter()
                .filter(|&cell| cell != bonus && completes_line_with(position, bonus, cell))
                .map(|cell| Move::from(MoveKind::Power(cell, Some(bonus))))
                .find(|&mv| position.would_win(mv))
        })
    }

    /// A power stone and a bonus stone that win together by captures: they reach the goal, or they free the diamond on
    /// which the bonus stone completes a line.
    pub(super) fn capture_win_with_bonus(&self, position: &Position) -> Option<Move> {
        let capture = position.rules().capture().filter(|_| has_power_stone_left(position))?;
        let color = position.color_to_move();
        let missing = Self::missing(position, color);
        let captured = |cell: Cell| self.captured_at(color, cell);
        let wins = |cell: Cell, bonus: Cell| {
            let mv = Move::from(MoveKind::Power(cell, Some(bonus)));
            (cell != bonus && position.is_legal(mv) && position.would_win(mv)).then_some(mv)
        };
        let capturing = || self.patterns.captures(color).iter();
        // With the bonus stone on a diamond that the power stone frees.
        for cell in capturing() {
            let freed = position.captured_by(color, cell);
            let freed = freed.cells(cell, position.board().map().steps());
            let mut diamonds = freed.filter(|&freed| !self.diamonds.at(freed).is_empty());
            if let Some(mv) = diamonds.find_map(|bonus| wins(cell, bonus)) {
                return Some(mv);
            }
        }
        let most = capturing().map(captured).max().unwrap_or(0);
        for bonus in self.diamonds.cells(self.empty_diamonds(position)) {
            let by_bonus = captured(bonus);
            // By the captures of both, whatever the other does.
            if by_bonus > 0 && by_bonus + most >= missing {
                let suffices = |&cell: &Cell| captured(cell) + by_bonus >= missing;
                if let Some(mv) = capturing().filter(suffices).find_map(|cell| wins(cell, bonus)) {
                    return Some(mv);
                }
            }
            // By what the bonus stone captures together with the power stone at the other end.
            if self.patterns.at(color, bonus).attacks() {
                let with_flank = by_bonus + u32::from(capture.longest_group());
                let suffices = |&cell: &Cell| captured(cell) + with_flank >= missing;
                let mut flanks = flanking_cells(position, bonus).filter(suffices);
                if let Some(mv) = flanks.find_map(|cell| wins(cell, bonus)) {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// Adds the moves with power stones that [`StoneEvaluator::push_power_stone_defenses`] leaves out although they may
    /// prevent wins on the threatened cells: with bonus stones that do so, after power stones anywhere; and power stones
    /// alone if no diamond is empty.
    pub(super) fn push_remaining_power_stones(
        &self,
        position: &Position,
        threats: &[Cell],
        moves: &mut MoveList,
    ) {
        if !has_power_stone_left(position) {
            return;
        }
        let color = position.color_to_move();
        let by_lines = self.are_line_threats(position, threats);
        let empty = self.empty_diamonds(position);
        let defends = |cell: Cell| {
            if !by_lines {
                return threats.contains(&cell) || self.patterns.at(color, cell).captures();
            }
            let stone = self.defending_stone(position, cell);
            threats.iter().all(|&five| stone.breaks_sure_line(position, five))
        };
        let defending =
            self.diamonds.filter(|cell| empty.contains(self.diamonds.at(cell)) && defends(cell));
        let bonuses: SmallVec<[Cell; FEW_FLANKS]> = self.diamonds.cells(defending).collect();
        if !empty.is_empty() && bonuses.is_empty() {
            return;
        }
        position.board().for_each_empty(|cell| {
            if empty.is_empty() || bonuses.iter().any(|&bonus| bonus != cell) {
                position.push_power_moves_at(cell, &bonuses, moves);
            }
        });
    }

    /// Adds the moves that may prevent wins on the threatened cells in games with power stones. A power stone blocks
    /// nobody, as it counts as every color's own: it or its bonus stone must do something else, unless captures threaten.
    pub(super) fn push_power_stone_defenses(
        &self,
        position: &Position,
        threats: &[Cell],
        moves: &mut MoveList,
    ) {
        let by_lines = self.are_line_threats(position, threats);
        let fives = || threats.iter().copied();
        // In such games there are no poofs, and every line wins.
        let breaks_by_capture = |stone: DefendingStone| {
            !stone.captured.is_empty() && fives().all(|five| stone.breaks_sure_line(position, five))
        };
        let defends = |stone: DefendingStone| {
            !by_lines || fives().all(|five| five == stone.cell) || breaks_by_capture(stone)
        };
        let mut cells = CellBitboard::new();
        cells.extend(fives());
        cells.add(self.patterns.captures(position.color_to_move()));
        let filter = MoveFilter::all(position);
        let bonuses =
            has_power_stone_left(position).then(|| BonusStones::new(self, position, cells));
        for cell in cells.iter() {
            let stone = self.defending_stone(position, cell);
            let is_defense = defends(stone);
            if is_defense {
                self.push_without_power(position, filter, cell, moves);
            }
            if let Some(bonuses) = &bonuses {
                // A power stone captures what a plain one does.
                let power = DefendingStone { is_power: true, ..stone };
                let defends_alone = !by_lines || is_defense && breaks_by_capture(power);
                let some = if defends_alone { bonuses.empty } else { bonuses.useful };
                bonuses.push(position, cell, bonuses.after(position, stone, some), moves);
            }
        }
        if let Some(bonuses) = &bonuses {
            let defends = |cell| defends(self.defending_stone(position, cell));
            bonuses.push_elsewhere(position, cells, defends, moves);
        }
    }

    /// A plain stone of the color to move on an empty cell.
    fn defending_stone(&self, position: &Position, cell: Cell) -> DefendingStone {
        if self.patterns.at(position.color_to_move(), cell).captures() {
            DefendingStone::plain(position, cell)
        } else {
            DefendingStone { cell, captured: CapturedGroups::default(), is_power: false }
        }
    }
}

/// Whether the color to move has a power stone left.
pub(super) fn has_power_stone_left(position: &Position) -> bool {
    position.has_special_left(MoveKind::Power(position.grid().center(), None))
}

/// Where the color to move may place bonus stones after a power stone.
struct BonusStones<'a> {
    diamonds: &'a Diamonds,
    empty: DiamondSet,
    /// The diamonds where every stone does something.
    useful: DiamondSet,
    /// Cells of power stones with bonus stones, where the two capture a group between them.
    flanking: SmallVec<[(Cell, Cell); FEW_FLANKS]>,
}

impl<'a> BonusStones<'a> {
    /// The bonus stones in a position where every stone on one of some `cells` does something.
    fn new<const N: usize, const LINES: bool>(
        evaluator: &'a StoneEvaluator<N, LINES>,
        position: &Position,
        cells: CellBitboard,
    ) -> BonusStones<'a> {
        let diamonds = &evaluator.diamonds;
        let empty = evaluator.empty_diamonds(position);
        let useful = diamonds.filter(|cell| cells.contains(cell));
        let attacks =
            |&bonus: &Cell| evaluator.patterns.at(position.color_to_move(), bonus).attacks();
        let of_bonus = |bonus| flanking_cells(position, bonus).map(move |cell| (cell, bonus));
        let flanking = diamonds.cells(empty).filter(attacks).flat_map(of_bonus).collect();
        BonusStones { diamonds, empty, useful, flanking }
    }

    /// Adds to some empty diamonds those that do something after a power stone: together with it, or where it has
    /// captured.
    fn after(
        &self,
        position: &Position,
        DefendingStone { cell, captured, .. }: DefendingStone,
        some: DiamondSet,
    ) -> DiamondSet {
        let flanked = self.flanking.iter().filter(|&&(flank, _)| flank == cell);
        let mut all = flanked.fold(some, |all, &(_, bonus)| all.union(self.diamonds.at(bonus)));
        if !captured.is_empty() {
            let freed = captured.cells(cell, position.board().map().steps());
            all = freed.fold(all, |all, freed| all.union(self.diamonds.at(freed)));
        }
        all
    }

    /// Adds power stones on other cells than `cells`, where they do nothing themselves: with bonus stones that defend, and
    /// with those that capture together with them.
    fn push_elsewhere(
        &self,
        position: &Position,
        cells: CellBitboard,
        defends: impl Fn(Cell) -> bool,
        moves: &mut MoveList,
    ) {
        let alone = self.diamonds.filter(|cell| cells.contains(cell) && defends(cell));
        if !alone.is_empty() {
            for_each_cell_near_stones(position, |cell| {
                if !cells.contains(cell) {
                    self.push(position, cell, alone, moves);
                }
            });
        }
        for &(cell, bonus) in &self.flanking {
            let bonus = self.diamonds.at(bonus);
            if !cells.contains(cell) && !alone.contains(bonus) {
                self.push(position, cell, bonus, moves);
            }
        }
    }

    /// Adds a power stone on a cell with each of some bonus stones, which are legal after a power stone that does not win.
    /// The mover does not win here, because a win precedes every defense, so that only the opening is checked.
    fn push(&self, position: &Position, cell: Cell, bonuses: DiamondSet, moves: &mut MoveList) {
        let is_limited = position.is_opening_limited();
        let bonuses = self.diamonds.cells(bonuses).filter(|&bonus| bonus != cell);
        let all = bonuses.map(|bonus| Move::from(MoveKind::Power(cell, Some(bonus))));
        moves.extend(all.filter(|&mv| !is_limited || position.is_legal(mv)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_diamonds_are_those_of_their_cells() {
        let cells = [3, 64, 200, 624].map(Cell);
        let diamonds = Diamonds::new(cells.into_iter());
        let all = diamonds.filter(|_| true);
        assert!(diamonds.cells(all).eq(cells));
        let odd = diamonds.filter(|cell| cell.0 % 2 == 1);
        assert!(diamonds.cells(odd).eq([Cell(3)]));
        assert!(!odd.contains(all) && all.contains(odd) && odd.contains(DiamondSet::default()));
        assert!(diamonds.cells(odd.union(diamonds.at(Cell(200)))).eq([Cell(3), Cell(200)]));
        assert!(diamonds.at(Cell(4)).is_empty() && !all.is_empty());
    }
}
