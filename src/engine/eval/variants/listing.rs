//! The moves on given cells. Where the patterns show that a plain stone may go to one, and that no other is
//! worth a look there, the rules are not asked.

use super::VariantEvaluator;
use crate::eval::capture_zone::opens_line;
use crate::eval::cell_pattern::CellPattern;
use crate::eval::cell_sets::CellUnion;
use crate::eval::shapes::{Shape, Urgency};
use pentarch_core::game::{Cell, Color, Move, MoveKind, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{ForbiddenRule, FourBan, OpeningStage, SpecialStones};
use std::cmp::Reverse;

/// How many enemy stones a bomb should clear to be worth a look.
const WORTH_A_BOMB: usize = 3;

/// What the moves on the cells of a position have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listing {
    /// Whether groups that a stone captures need signs.
    signs: bool,
    limit: Limit,
    /// The special stones that the mover has left.
    left: Kinds,
    /// Those of them to list.
    kinds: Kinds,
    /// Where a bonus stone is worth a look, if not everywhere.
    bonus: Option<Cell>,
    /// Whether that may follow every power stone that does not win.
    is_free: bool,
}

/// What may keep a plain stone from an empty cell.
#[derive(Clone, Copy, Debug)]
enum Limit {
    Nothing,
    /// Fours are forbidden, and elsewhere than on the lines of a stone only captures open them.
    Fours(FourBan),
    /// Two open threes are forbidden.
    DoubleThree,
    /// More than patterns show.
    Unknown,
}

impl Listing {
    /// All moves on each cell.
    pub(super) fn of(position: &Position) -> Listing {
        let rules = position.rules();
        let limit = match rules.forbidden() {
            _ if position.stage() != OpeningStage::Play || position.is_opening_limited() => {
                Limit::Unknown
            }
            None => Limit::Nothing,
            Some(ForbiddenRule::Fours(fours)) if rules.only_captures_open_fours() => {
                Limit::Fours(fours)
            }
            Some(ForbiddenRule::DoubleThree) => Limit::DoubleThree,
            Some(_) => Limit::Unknown,
        };
        let signs = rules.capture().is_some_and(|capture| capture.signs);
        let left = Kinds::left(position);
        Listing { signs, limit, left, kinds: left, bonus: None, is_free: false }
    }

    /// All but power stones.
    pub(super) fn without_power(position: &Position) -> Listing {
        Listing::without(position, Kinds::POWER)
    }

    /// All but bombs.
    pub(super) fn without_bombs(position: &Position) -> Listing {
        Listing::without(position, Kinds::BOMB)
    }

    fn without(position: &Position, kinds: Kinds) -> Listing {
        let listing = Listing::of(position);
        Listing { kinds: listing.kinds.without(kinds), ..listing }
    }
}

impl Listing {
    /// Whether a plain stone is the one move on each cell.
    pub(super) fn is_plain(self) -> bool {
        self.kinds == Kinds::NONE && self.takes_any_stone()
    }

    /// Whether a plain stone may go to every empty cell.
    fn takes_any_stone(self) -> bool {
        matches!(self.limit, Limit::Nothing) && !self.signs
    }
}

/// Kinds of special stones, a bit each: sets are compared for every cell that is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kinds(u8);

impl Kinds {
    const NONE: Kinds = Kinds(0);
    const NEUTRAL: Kinds = Kinds(1);
    const BOMB: Kinds = Kinds(2);
    const POWER: Kinds = Kinds(4);

    /// Those of which the color to move has stones left.
    fn left(position: &Position) -> Kinds {
        if position.rules().stones() == SpecialStones::default() {
            return Kinds::NONE;
        }
        let center = position.grid().center();
        let all =
            [MoveKind::Neutral(center), MoveKind::Bomb(center), MoveKind::Power(center, None)];
        let left = all.into_iter().filter(|&kind| position.has_special_left(kind));
        left.fold(Kinds::NONE, |kinds, kind| kinds.with(Kinds::of(kind)))
    }

    /// That of what a move puts, none for a plain stone.
    const fn of(kind: MoveKind) -> Kinds {
        match kind {
            MoveKind::Neutral(_) => Kinds::NEUTRAL,
            MoveKind::Bomb(_) => Kinds::BOMB,
            MoveKind::Power(..) => Kinds::POWER,
            _ => Kinds::NONE,
        }
    }

    /// Whether all of some are among these.
    const fn have(self, others: Kinds) -> bool {
        others.0 & !self.0 == 0
    }

    const fn with(self, others: Kinds) -> Kinds {
        Kinds(self.0 | others.0)
    }

    const fn without(self, others: Kinds) -> Kinds {
        Kinds(self.0 & !others.0)
    }
}

impl<const N: usize> VariantEvaluator<N> {
    /// The moves that are worth a look on each cell, with one bonus stone behind each power stone.
    pub(super) fn of_worthy(&self, position: &Position) -> Listing {
        let listing = Listing::of(position);
        let is_urgent = |color| self.patterns.most_urgent(color) >= Urgency::OpenThree;
        let mut kinds = listing.left;
        if kinds.have(Kinds::POWER) && !is_urgent(position.color_to_move()) {
            kinds = kinds.without(Kinds::POWER);
        }
        if kinds.have(Kinds::NEUTRAL) && !Self::enemies(position).any(is_urgent) {
            kinds = kinds.without(Kinds::NEUTRAL);
        }
        self.with_best_bonus(position, Listing { kinds, ..listing })
    }

    /// The same moves on each cell, but with only one bonus stone behind each power stone: where a plain stone
    /// would be worth most.
    pub(super) fn with_best_bonus(&self, position: &Position, listing: Listing) -> Listing {
        if !listing.kinds.have(Kinds::POWER) {
            return listing;
        }
        let worth = |&cell: &Cell| (self.score_of_stone(position, cell), Reverse(cell));
        let bonus = self.diamonds.cells(self.empty_diamonds(position)).max_by_key(worth);
        let is_free = matches!(listing.limit, Limit::Nothing) && !position.power_run_exists();
        Listing { bonus, is_free, ..listing }
    }

    /// Adds all moves on some empty cells.
    pub(super) fn push_all_on(
        &self,
        position: &Position,
        listing: Listing,
        cells: CellUnion,
        moves: &mut MoveList,
    ) {
        for cell in cells.iter() {
            self.push_on(position, listing, listing.kinds, cell, moves);
        }
    }

    /// Adds all moves on an empty cell that put no power stone.
    pub(super) fn push_without_power(
        &self,
        position: &Position,
        listing: Listing,
        cell: Cell,
        moves: &mut MoveList,
    ) {
        self.push_on(position, listing, listing.left.without(Kinds::POWER), cell, moves);
    }

    /// Adds the moves on an empty cell that are worth a look.
    #[inline]
    pub(super) fn push_worthy_on(
        &self,
        position: &Position,
        listing: Listing,
        cell: Cell,
        moves: &mut MoveList,
    ) {
        let worthy = if listing.kinds == Kinds::NONE {
            Kinds::NONE
        } else {
            self.worthy_kinds(position, listing.kinds, cell)
        };
        if worthy == Kinds::NONE && self.takes_plain_stone(position, listing, cell) {
            moves.push(Move::stone(cell));
        } else {
            self.push_on(position, listing, worthy, cell, moves);
        }
    }

    /// Adds the moves on an empty cell with plain stones and special ones of some kinds.
    fn push_on(
        &self,
        position: &Position,
        listing: Listing,
        kinds: Kinds,
        cell: Cell,
        moves: &mut MoveList,
    ) {
        let bonus = listing.bonus.filter(|_| kinds.have(Kinds::POWER));
        let kinds = if bonus.is_some() { kinds.without(Kinds::POWER) } else { kinds };
        if kinds == Kinds::NONE && self.takes_plain_stone(position, listing, cell) {
            moves.push(Move::stone(cell));
        } else if kinds == listing.left {
            position.push_moves_at(cell, moves);
        } else {
            let mut all = MoveList::new();
            position.push_moves_at(cell, &mut all);
            moves.extend(all.into_iter().filter(|mv| kinds.have(Kinds::of(mv.kind()))));
        }
        if let Some(bonus) = bonus {
            if listing.is_free && bonus != cell && self.wins_nothing(position, cell) {
                moves.push(MoveKind::Power(cell, Some(bonus)).into());
            } else {
                position.push_power_moves_at(cell, &[bonus], moves);
            }
        }
    }

    /// Whether a stone of the color to move on an empty cell wins neither by a line nor by captures.
    fn wins_nothing(&self, position: &Position, cell: Cell) -> bool {
        let mover = position.color_to_move();
        let pattern = self.patterns.at(mover, cell);
        self.patterns.tables.urgency(pattern) < Urgency::Five
            && pattern.captured_stones() < Self::missing(position, mover)
    }

    /// Whether it can be seen at once that a stone may go to an empty cell, and needs no signs there.
    #[inline]
    fn takes_plain_stone(&self, position: &Position, listing: Listing, cell: Cell) -> bool {
        if listing.takes_any_stone() {
            return true;
        }
        let pattern = self.patterns.at(position.color_to_move(), cell);
        let captures = pattern.captures();
        !(captures && listing.signs)
            && match listing.limit {
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
        fours: FourBan,
        pattern: CellPattern,
    ) -> bool {
        self.patterns.tables.urgency(pattern) < Urgency::Four
            || fours == FourBan::OpenFours
                && pattern.lines_with(Shape::OpenFour) == 0
                && self.patterns.set(position.color_to_move(), Urgency::Five).is_empty()
    }

    /// Which of some special stones are worth a look on a cell: only where they do something that a plain one
    /// does not.
    fn worthy_kinds(&self, position: &Position, all: Kinds, cell: Cell) -> Kinds {
        let is_urgent = |color| {
            self.patterns.tables.urgency(self.patterns.at(color, cell)) >= Urgency::OpenThree
        };
        let is_worthy = [
            (Kinds::POWER, all.have(Kinds::POWER) && is_urgent(position.color_to_move())),
            (Kinds::NEUTRAL, all.have(Kinds::NEUTRAL) && Self::enemies(position).any(is_urgent)),
            (Kinds::BOMB, all.have(Kinds::BOMB) && Self::cleared(position, cell) >= WORTH_A_BOMB),
        ];
        let worthy = is_worthy.into_iter().filter(|&(_, is_worthy)| is_worthy);
        worthy.fold(Kinds::NONE, |kinds, (kind, _)| kinds.with(kind))
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
