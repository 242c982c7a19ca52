//! Power stones, and the bonus stones on diamonds that follow them (S1).

use crate::board::{CENTER, Content, LANES, Windows};
use crate::game::{Cell, Illegal, Move, MoveKind, MoveList};
use crate::placement::IllegalPlacement;
use crate::placement::pipeline::Core;
use crate::rules::{Diamonds, SquareRules, Stage};

impl Core {
    /// Adds the legal moves that put a power stone on an empty cell, with some bonus stones alone if one of
    /// these may follow it.
    pub(in crate::placement) fn add_power_moves(
        &self,
        rules: &SquareRules,
        cell: Cell,
        bonuses: &[Cell],
        moves: &mut MoveList,
    ) {
        let Some((_, diamonds)) = rules.stones().power else { return };
        let is_legal = self.board.content(cell) == Content::EMPTY
            && self.state.outcome.is_none()
            && self.has_left(rules, self.state.color, MoveKind::Power(cell, None))
            && self.opening_allows(rules, cell).is_ok();
        if is_legal && !self.push_bonuses(rules, bonuses.iter().copied(), cell, moves) {
            self.push_power(rules, &diamonds, cell, moves);
        }
    }

    /// Whether a power stone and a bonus stone complete a line of the color to move together, where a look at
    /// the lines through the bonus stone is enough to tell: they win then.
    pub(in crate::placement) fn completes_line_with_bonus(
        &self,
        rules: &SquareRules,
        cell: Cell,
        bonus: Cell,
    ) -> bool {
        let color = self.state.color;
        // What the power stone captures may have been a part of the line.
        let is_simple = (rules.boat(), rules.forbidden()) == (None, None)
            && !rules.line().exact()
            && !rules.line().is_caro()
            && self.state.extra.stage == Stage::Play
            && !self.is_opening_limited(rules)
            && rules
                .capture()
                .is_none_or(|it| self.groups_taken(rules, it, color, cell).is_empty());
        let is_free = || self.free_diamonds(rules, std::iter::once(bonus), cell)?.next();
        let own = self.own_windows(rules, color, bonus).0 | self.board.map().seen_from(bonus, cell);
        is_simple
            && is_free().is_some()
            && rules.line_of(color).wins(Windows(own | LANES << CENTER))
    }

    /// Adds a power stone with each bonus stone that may follow it (S1).
    pub(super) fn push_power(
        &self,
        rules: &SquareRules,
        diamonds: &Diamonds,
        cell: Cell,
        moves: &mut MoveList,
    ) {
        if !self.push_bonuses(rules, diamonds.cells(self.board.grid()), cell, moves) {
            moves.push(MoveKind::Power(cell, None).into());
        }
    }

    /// Adds a power stone with each of some bonus stones that may follow it; false if none may.
    fn push_bonuses(
        &self,
        rules: &SquareRules,
        bonuses: impl Iterator<Item = Cell>,
        cell: Cell,
        moves: &mut MoveList,
    ) -> bool {
        let before = moves.len();
        if let Some(free) = self.free_diamonds(rules, bonuses, cell) {
            moves.extend(free.map(|bonus| Move::from(MoveKind::Power(cell, Some(bonus)))));
        }
        moves.len() > before
    }

    /// Those of the diamonds that are empty after a power stone and its captures; none if it wins.
    fn free_diamonds(
        &self,
        rules: &SquareRules,
        diamonds: impl Iterator<Item = Cell>,
        cell: Cell,
    ) -> Option<impl Iterator<Item = Cell>> {
        let color = self.state.color;
        let groups = |capture| self.groups_taken(rules, capture, color, cell);
        let captured = rules.capture().map(groups).filter(|captured| !captured.is_empty());
        let taken = captured.map_or(0, |captured| captured.stones() as u16);
        let count = self.state.counts[color.index() & 3].saturating_add(taken);
        if rules.capture().and_then(|capture| capture.goal).is_some_and(|goal| count >= goal)
            || self.would_make_line(rules, color, cell)
            || self.stands_with_power(rules, None)
        {
            return None;
        }
        let steps = self.board.map().steps();
        let is_empty = move |bonus| {
            let mut freed = captured.into_iter().flat_map(|captured| captured.cells(cell, steps));
            self.board.content(bonus) == Content::EMPTY || freed.any(|freed| freed == bonus)
        };
        Some(diamonds.filter(move |&bonus| bonus != cell && is_empty(bonus)))
    }

    /// What speaks against a power stone on an empty cell with that bonus stone or none.
    pub(super) fn check_bonus(
        &self,
        rules: &SquareRules,
        cell: Cell,
        bonus: Option<Cell>,
    ) -> Result<(), IllegalPlacement> {
        let Some((_, diamonds)) = rules.stones().power else {
            return Err(Illegal::NoSuchStone("power stones").into());
        };
        let cells = diamonds.cells(self.board.grid());
        let asked = cells.filter(|&diamond| bonus.is_none_or(|bonus| bonus == diamond));
        let mut free = self.free_diamonds(rules, asked, cell).into_iter().flatten();
        if free.next().is_some() == bonus.is_some() {
            return Ok(());
        }
        Err(IllegalPlacement::Bonus(match bonus {
            None => "a bonus stone goes to a diamond with the power stone, as in `P@j10,g7`",
            Some(_) => {
                "the bonus stone needs an empty diamond, and a power stone that does not win"
            }
        }))
    }
}
