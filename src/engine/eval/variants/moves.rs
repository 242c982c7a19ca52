//! Which moves are worth a look.

use super::VariantEvaluator;
use super::listing::Listing;
use crate::eval::cell_sets::CellUnion;
use crate::eval::near_stones::{for_each_near_stones, push_near_stones};
use crate::eval::shapes::Urgency;
use pentarch_core::game::{Cell, Move, MoveKind, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{CaptureRule, OpeningStage};

/// The number of stones short of the goal, after it, at which every capture is tried as a threat.
const NEAR_GOAL: u32 = 6;
/// How much lower the ordering score of a special stone is than that of a plain one.
const SPARE: i32 = 1500;

impl<const N: usize> VariantEvaluator<N> {
    /// Adds near moves that are worth a look.
    pub(super) fn push_candidates(
        &self,
        position: &Position,
        listing: Listing,
        moves: &mut MoveList,
    ) {
        if position.stage() != OpeningStage::Play {
            return Self::push_opening_stones(position, moves);
        }
        if listing.is_plain() {
            push_near_stones(position, moves);
            if moves.is_empty() {
                moves.push(Move::stone(position.grid().center()));
            }
            return;
        }
        let mut is_first = true;
        for_each_near_stones(position, |cell| {
            is_first = false;
            self.push_worthy_on(position, listing, cell, moves);
        });
        if is_first {
            self.push_worthy_on(position, listing, position.grid().center(), moves);
        }
    }

    /// Stones of a swap opening: near ones, and a coarse net of distant ones, from which a balanced
    /// position can be made.
    fn push_opening_stones(position: &Position, moves: &mut MoveList) {
        let grid = position.grid();
        let center = grid.center();
        let mut near = Vec::new();
        for_each_near_stones(position, |cell| near.push(cell));
        if near.is_empty() {
            near.push(center);
        }
        let net = |cell: &Cell| {
            let (column, row) = (grid.column(*cell), grid.row(*cell));
            grid.chebyshev(center, *cell) <= 7 && column.is_multiple_of(2) && row.is_multiple_of(2)
        };
        let distant = grid.iter().filter(net);
        let mut all = MoveList::new();
        for cell in near.into_iter().chain(distant) {
            position.push_moves_at(cell, &mut all);
            all.retain(|mv| !moves.contains(mv));
            moves.append(&mut all);
        }
    }

    pub(super) fn push_tactical_moves(&self, position: &Position, moves: &mut MoveList) {
        let enemies = Self::enemies(position);
        let cells = self.patterns.tactical_cells(position.color_to_move(), enemies);
        let listing = self.of_worthy(position);
        for cell in cells.iter() {
            self.push_worthy_on(position, listing, cell, moves);
        }
    }

    /// Adds fours, and captures near the goal; power stones only if the search is not `narrow`: of those that
    /// searches tried 1 % won, of plain stones 28 %.
    pub(super) fn push_threat_moves(
        &self,
        position: &Position,
        narrow: bool,
        moves: &mut MoveList,
    ) {
        let mover = position.color_to_move();
        let mut cells = CellUnion::new();
        for urgency in Urgency::FOURS {
            cells.add(self.patterns.set(mover, urgency));
        }
        let missing = Self::missing(position, mover);
        let near_goal =
            |cell: &Cell| missing <= self.patterns.at(mover, *cell).captured_stones() + NEAR_GOAL;
        cells.extend(self.patterns.captures(mover).iter().filter(near_goal));
        if cells.is_empty() {
            return;
        }
        let listing = if narrow {
            Listing::without_power(position)
        } else {
            self.with_best_bonus(position, Listing::of(position))
        };
        self.push_all_on(position, listing, cells, moves);
    }

    /// The ordering score of a move: as in games of lines and pairs, special stones last, with what a bonus
    /// stone is worth on its cell.
    #[inline]
    pub(super) fn score_of_move(&self, position: &Position, mv: Move) -> i32 {
        let score = |cell| self.score_of_stone(position, cell);
        match mv.kind() {
            MoveKind::Stone(cell) => score(cell),
            MoveKind::Signed(cell, signs) => {
                let longest = position.rules().capture().map_or(2, CaptureRule::longest_group);
                score(cell) - i32::from(signs.stones(longest)[1])
            }
            MoveKind::Power(cell, Some(bonus)) => score(cell) - SPARE + score(bonus),
            _ => mv.cell().map_or(0, |cell| score(cell) - SPARE),
        }
    }

    /// The part of the score that a plain stone would have on a cell.
    #[inline]
    pub(super) fn score_of_stone(&self, position: &Position, cell: Cell) -> i32 {
        let tables = &self.patterns.tables;
        let mover = position.color_to_move();
        let own = self.patterns.at(mover, cell);
        if N == 2 {
            return tables.ordering_score(own, self.patterns.at(mover.opponent(), cell));
        }
        let theirs = Self::enemies(position).map(|enemy| self.patterns.at(enemy, cell));
        let stopped = theirs.map(|their| tables.defense(their) + tables.clash(own, their));
        tables.attack(own) + stopped.sum::<i32>()
    }
}
