//! The moves on given cells. Where the patterns show that a plain stone may go to one, and that no other is
//! worth a look there, the rules are not asked.

use super::VariantEvaluator;
use crate::eval::capture_zone::opens_line;
use crate::eval::cell_pattern::CellPattern;
use crate::eval::cell_sets::CellUnion;
use crate::eval::shapes::{Shape, Urgency};
use crate::game::{Cell, Color, Move, MoveKind, MoveList, Position as _};
use crate::placement::Position;
use crate::rules::{Forbidden, OpenFours, SpecialStones, Stage};

/// How many enemy stones a bomb should clear to be worth a look.
const WORTH_A_BOMB: usize = 3;

/// What may keep a plain stone from an empty cell, the same for all cells of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainStones {
    /// Whether groups that it captures need signs.
    signs: bool,
    limit: Limit,
}

/// What the rules forbid it.
#[derive(Clone, Copy, Debug)]
enum Limit {
    Nothing,
    /// Fours, which only captures open elsewhere than on its own lines.
    Fours(OpenFours),
    DoubleThree,
    /// More than patterns show.
    Unknown,
}

impl PlainStones {
    pub(super) fn of(position: &Position) -> PlainStones {
        let rules = position.rules();
        let limit = match rules.forbidden() {
            _ if position.stage() != Stage::Play || position.is_opening_limited() => Limit::Unknown,
            None => Limit::Nothing,
            Some(Forbidden::Fours(fours)) if rules.opens_by_captures_alone() => Limit::Fours(fours),
            Some(Forbidden::DoubleThree) => Limit::DoubleThree,
            Some(_) => Limit::Unknown,
        };
        PlainStones { signs: rules.capture().is_some_and(|capture| capture.signs), limit }
    }
}

/// The kinds of special stones that a game has, or that are worth a look on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kinds {
    neutral: bool,
    bomb: bool,
    power: bool,
}

impl Kinds {
    const NONE: Kinds = Kinds { neutral: false, bomb: false, power: false };

    fn of(SpecialStones { neutral, bombs, power }: SpecialStones) -> Kinds {
        Kinds { neutral: neutral > 0, bomb: bombs > 0, power: power.is_some() }
    }

    /// Whether a move puts a plain stone or one of these.
    fn has(self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Neutral(_) => self.neutral,
            MoveKind::Bomb(_) => self.bomb,
            MoveKind::Power(..) => self.power,
            _ => true,
        }
    }
}

impl<const N: usize> VariantEvaluator<N> {
    /// Adds all moves on some empty cells.
    pub(super) fn push_all_on(&self, position: &Position, cells: CellUnion, moves: &mut MoveList) {
        let plain = PlainStones::of(position);
        let is_plain = position.rules().stones() == SpecialStones::default();
        for cell in cells.iter() {
            if is_plain && self.takes_plain_stone(position, plain, cell) {
                moves.push(Move::stone(cell));
            } else {
                position.add_moves_on(cell, moves);
            }
        }
    }

    /// Adds the moves on an empty cell that are worth a look.
    #[inline]
    pub(super) fn push_worthy_on(
        &self,
        position: &Position,
        plain: PlainStones,
        cell: Cell,
        moves: &mut MoveList,
    ) {
        let all = Kinds::of(position.rules().stones());
        let worthy = if all == Kinds::NONE { all } else { self.worthy_kinds(position, all, cell) };
        // Searches list many cells, most of them for a plain stone.
        if worthy == Kinds::NONE && self.takes_plain_stone(position, plain, cell) {
            moves.push(Move::stone(cell));
        } else if worthy == all {
            position.add_moves_on(cell, moves);
        } else {
            let mut listed = MoveList::new();
            position.add_moves_on(cell, &mut listed);
            moves.extend(listed.into_iter().filter(|&mv| worthy.has(mv)));
        }
    }

    /// Whether it can be seen at once that a stone may go to an empty cell, and needs no signs there.
    #[inline]
    fn takes_plain_stone(&self, position: &Position, plain: PlainStones, cell: Cell) -> bool {
        let pattern = self.patterns.at(position.color_to_move(), cell);
        let captures = pattern.captures();
        !(captures && plain.signs)
            && match plain.limit {
                Limit::Nothing => true,
                Limit::Fours(fours) => {
                    self.makes_no_open_four(position, fours, pattern)
                        && !(captures && opens_line(position, cell))
                }
                // What can grow to an open four is an open three or more.
                Limit::DoubleThree => !captures && pattern.lines_with(Shape::OpenThree) < 2,
                Limit::Unknown => false,
            }
    }

    /// Whether it can be seen at once that a stone of the mover makes no four that `anti` forbids on its own
    /// lines: it makes none at all, or only some with one point that wins each, and no other point could share
    /// their stones. Those too far off for the tables would have been points before.
    fn makes_no_open_four(
        &self,
        position: &Position,
        fours: OpenFours,
        pattern: CellPattern,
    ) -> bool {
        self.patterns.tables.urgency(pattern) < Urgency::Four
            || fours == OpenFours::Forbidden
                && pattern.lines_with(Shape::OpenFour) == 0
                && self.patterns.set(position.color_to_move(), Urgency::Five).is_empty()
    }

    /// Which of a game's special stones are worth a look on a cell: only where they do something that a plain
    /// one does not.
    fn worthy_kinds(&self, position: &Position, all: Kinds, cell: Cell) -> Kinds {
        let mover = position.color_to_move();
        let side = Self::side_of(position, mover);
        let is_urgent = |color| {
            self.patterns.tables.urgency(self.patterns.at(color, cell)) >= Urgency::OpenThree
        };
        Kinds {
            neutral: all.neutral && Self::enemies(position, side).any(is_urgent),
            bomb: all.bomb && Self::cleared(position, cell) >= WORTH_A_BOMB,
            power: all.power && is_urgent(mover),
        }
    }

    /// How many enemy stones more than own ones lie around a cell.
    fn cleared(position: &Position, cell: Cell) -> usize {
        let side = position.side_of(position.to_move());
        let around = position.grid().neighbors(cell);
        let owners = around.filter_map(|other| position.board().content(other).color());
        let (mut enemies, mut own) = (0, 0);
        for color in owners.filter(|&color| color != Color::NEUTRAL && color != Color::POWER) {
            if Self::side_of(position, color) == side { own += 1 } else { enemies += 1 }
        }
        usize::saturating_sub(enemies, own)
    }
}
