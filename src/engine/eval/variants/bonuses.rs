//! Power stones with the bonus stones on diamonds that follow them.

use super::VariantEvaluator;
use super::diamonds::{DiamondSet, Diamonds};
use super::listing::Listing;
use crate::eval::capture_zone::{Reply, completes_line, guards};
use crate::eval::cell_sets::CellUnion;
use crate::eval::near_stones::for_each_near_stones;
use crate::eval::shapes::Urgency;
use pentarch_core::board::CellContent;
use pentarch_core::game::{Cell, Move, MoveKind, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::CapturedGroups;
use smallvec::SmallVec;

/// The guards that are listed without asking for memory, as there are seldom more of them.
const FEW_GUARDS: usize = 8;

impl<const N: usize> VariantEvaluator<N> {
    /// The diamonds that are empty.
    #[inline]
    pub(super) fn empty_diamonds(&self, position: &Position) -> DiamondSet {
        self.diamonds.which(|cell| position.board().content(cell) == CellContent::EMPTY)
    }

    /// A power stone and a bonus stone that complete a line together: each alone would make a four.
    pub(super) fn win_with_bonus(&self, position: &Position) -> Option<Move> {
        let color = position.color_to_move();
        if self.patterns.most_urgent(color) < Urgency::Four || !has_power_left(position) {
            return None;
        }
        let fours = self.patterns.urgent_cells(color, Urgency::Four);
        let bonuses = self.diamonds.which(|cell| fours.contains(cell));
        // All that are found win, so any order will do.
        self.diamonds.cells(bonuses).find_map(|bonus| {
            fours
                .iter()
                .filter(|&cell| cell != bonus && completes_line(position, bonus, cell))
                .map(|cell| Move::from(MoveKind::Power(cell, Some(bonus))))
                .find(|&mv| position.would_win(mv))
        })
    }

    /// A power stone and a bonus stone that win together by what they capture: by reaching the goal, or by
    /// freeing the diamond on which the bonus stone completes a line.
    pub(super) fn win_by_captures_with_bonus(&self, position: &Position) -> Option<Move> {
        let capture = position.rules().capture().filter(|_| has_power_left(position))?;
        let color = position.color_to_move();
        let missing = Self::missing(position, color);
        let captured = |cell: Cell| self.patterns.at(color, cell).captured_stones();
        let wins = |cell: Cell, bonus: Cell| {
            let mv = Move::from(MoveKind::Power(cell, Some(bonus)));
            (cell != bonus && position.is_legal(mv) && position.would_win(mv)).then_some(mv)
        };
        let capturing = || self.patterns.captures(color).iter();
        // On a diamond that the power stone frees.
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
            // By what both capture wherever the other lies.
            if by_bonus > 0 && by_bonus + most >= missing {
                let enough = |&cell: &Cell| captured(cell) + by_bonus >= missing;
                if let Some(mv) = capturing().filter(enough).find_map(|cell| wins(cell, bonus)) {
                    return Some(mv);
                }
            }
            // By what the bonus stone captures together with the power stone at the other end.
            if self.patterns.at(color, bonus).attacks() {
                let with_guard = by_bonus + u32::from(capture.longest_group());
                let enough = |&cell: &Cell| captured(cell) + with_guard >= missing;
                let mut guards = guards(position, bonus).filter(enough);
                if let Some(mv) = guards.find_map(|cell| wins(cell, bonus)) {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// Adds the moves with power stones that [`VariantEvaluator::stop_with_bonus`] leaves out although they
    /// may prevent threats on those cells: bonus stones that stop them, behind power stones that lie anywhere,
    /// and power stones alone where no diamond is empty.
    pub(super) fn push_remaining_power_stones(
        &self,
        position: &Position,
        threats: &[Cell],
        moves: &mut MoveList,
    ) {
        if !has_power_left(position) {
            return;
        }
        let color = position.color_to_move();
        let by_lines = self.are_lines(position, threats);
        let empty = self.empty_diamonds(position);
        let stops = |cell: Cell| {
            if !by_lines {
                return threats.contains(&cell) || self.patterns.at(color, cell).captures();
            }
            let reply = self.reply(position, cell);
            threats.iter().all(|&five| reply.breaks_sure_line(position, five))
        };
        let stopping = self.diamonds.which(|cell| empty.has(self.diamonds.at(cell)) && stops(cell));
        let bonuses: SmallVec<[Cell; FEW_GUARDS]> = self.diamonds.cells(stopping).collect();
        if !empty.is_empty() && bonuses.is_empty() {
            return;
        }
        position.board().for_each_empty(|cell| {
            if empty.is_empty() || bonuses.iter().any(|&bonus| bonus != cell) {
                position.push_power_moves_at(cell, &bonuses, moves);
            }
        });
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
        let by_lines = self.are_lines(position, threats);
        let fives = || threats.iter().copied();
        // Such games have no poofs, and any line wins.
        let breaks = |reply: Reply| {
            !reply.captured.is_empty() && fives().all(|five| reply.breaks_sure_line(position, five))
        };
        let stops =
            |reply: Reply| !by_lines || fives().all(|five| five == reply.cell) || breaks(reply);
        let mut cells = CellUnion::new();
        cells.extend(fives());
        cells.add(self.patterns.captures(position.color_to_move()));
        let listing = Listing::of(position);
        let bonuses = has_power_left(position).then(|| Bonuses::new(self, position, cells));
        for cell in cells.iter() {
            let reply = self.reply(position, cell);
            let is_stop = stops(reply);
            if is_stop {
                self.push_without_power(position, listing, cell, moves);
            }
            if let Some(bonuses) = &bonuses {
                // It takes what a plain stone takes.
                let takes_any = !by_lines || is_stop && breaks(Reply { is_power: true, ..reply });
                let some = if takes_any { bonuses.empty } else { bonuses.useful };
                bonuses.push(position, cell, bonuses.behind(position, reply, some), moves);
            }
        }
        if let Some(bonuses) = &bonuses {
            let stops = |cell| stops(self.reply(position, cell));
            bonuses.push_elsewhere(position, cells, stops, moves);
        }
    }

    /// An answer with a stone on an empty cell.
    fn reply(&self, position: &Position, cell: Cell) -> Reply {
        if self.patterns.at(position.color_to_move(), cell).captures() {
            Reply::with_stone(position, cell)
        } else {
            Reply { cell, captured: CapturedGroups::default(), is_power: false }
        }
    }
}

/// Whether the color to move has a power stone left.
pub(super) fn has_power_left(position: &Position) -> bool {
    position.has_special_left(MoveKind::Power(position.grid().center(), None))
}

/// Where the color to move may place bonus stones behind a power stone, of which it has one left.
struct Bonuses<'a> {
    diamonds: &'a Diamonds,
    /// The diamonds that are empty.
    empty: DiamondSet,
    /// Those where any stone does something.
    useful: DiamondSet,
    /// Cells of power stones with the bonus stones that capture something between the two.
    guarded: SmallVec<[(Cell, Cell); FEW_GUARDS]>,
}

impl<'a> Bonuses<'a> {
    /// Those of a position where a stone on one of some `cells` does something.
    fn new<const N: usize>(
        evaluator: &'a VariantEvaluator<N>,
        position: &Position,
        cells: CellUnion,
    ) -> Bonuses<'a> {
        let diamonds = &evaluator.diamonds;
        let empty = evaluator.empty_diamonds(position);
        let useful = diamonds.which(|cell| cells.contains(cell));
        let attacks =
            |&bonus: &Cell| evaluator.patterns.at(position.color_to_move(), bonus).attacks();
        let of_bonus = |bonus| guards(position, bonus).map(move |cell| (cell, bonus));
        let guarded = diamonds.cells(empty).filter(attacks).flat_map(of_bonus).collect();
        Bonuses { diamonds, empty, useful, guarded }
    }

    /// Those of `some` diamonds that are empty behind a power stone, with those that do something there: beside
    /// the power stone, or, as far as that goes, where it has captured.
    fn behind(
        &self,
        position: &Position,
        Reply { cell, captured, .. }: Reply,
        some: DiamondSet,
    ) -> DiamondSet {
        let guarded = self.guarded.iter().filter(|&&(guard, _)| guard == cell);
        let mut behind = guarded.fold(some, |all, &(_, bonus)| all.union(self.diamonds.at(bonus)));
        if !captured.is_empty() {
            let freed = captured.cells(cell, position.board().map().steps());
            behind = freed.fold(behind, |all, freed| all.union(self.diamonds.at(freed)));
        }
        behind
    }

    /// Adds power stones that do nothing on their own cells, which are none of some: before bonus stones that
    /// stop a threat, and before those that they guard.
    fn push_elsewhere(
        &self,
        position: &Position,
        cells: CellUnion,
        stops: impl Fn(Cell) -> bool,
        moves: &mut MoveList,
    ) {
        let alone = self.diamonds.which(|cell| cells.contains(cell) && stops(cell));
        if !alone.is_empty() {
            for_each_near_stones(position, |cell| {
                if !cells.contains(cell) {
                    self.push(position, cell, alone, moves);
                }
            });
        }
        for &(cell, bonus) in &self.guarded {
            let bonus = self.diamonds.at(bonus);
            if !cells.contains(cell) && !alone.has(bonus) {
                self.push(position, cell, bonus, moves);
            }
        }
    }

    /// Adds a power stone on a cell with each of those bonus stones, which may follow one that wins nothing.
    /// Nobody is threatened who wins first, so only the opening is asked.
    fn push(&self, position: &Position, cell: Cell, bonuses: DiamondSet, moves: &mut MoveList) {
        let limited = position.is_opening_limited();
        let bonuses = self.diamonds.cells(bonuses).filter(|&bonus| bonus != cell);
        let all = bonuses.map(|bonus| Move::from(MoveKind::Power(cell, Some(bonus))));
        moves.extend(all.filter(|&mv| !limited || position.is_legal(mv)));
    }
}
