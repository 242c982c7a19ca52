//! Which moves may be played.

use super::IllegalPlacement;
use super::pipeline::Board;
use crate::board::{CENTER, CellContent, LANE_LOW_BITS, Windows};
use crate::game::{CaptureSigns, Cell, Color, IllegalReason, Move, MoveKind, MoveList, Outcome};
use crate::rules::{
    CaptureRule, Diamonds, ForbiddenRule, FourBan, OpeningStage, SquareRules, SwapRule,
};

impl Board {
    /// Adds every legal move of an open game.
    pub(super) fn push_variant_moves(&self, rules: &SquareRules, moves: &mut MoveList) {
        if self.state.variant.stage.is_choice() {
            return moves.extend(self.choices(rules).map(Move::from));
        }
        self.squares.for_each_empty(|cell| self.push_moves_on(rules, cell, moves));
    }

    fn choices(&self, rules: &SquareRules) -> impl Iterator<Item = MoveKind> + use<> {
        let more = self.may_ask_for_more(rules).then_some(MoveKind::More);
        [MoveKind::Swap, MoveKind::Keep].into_iter().chain(more)
    }

    fn may_ask_for_more(&self, rules: &SquareRules) -> bool {
        let first = self.state.variant.stage == OpeningStage::Choice;
        first && rules.swap().is_some_and(SwapRule::has_more)
    }

    /// Whether there is a legal move.
    pub(super) fn has_legal_move(&self, rules: &SquareRules) -> bool {
        let stage = self.state.variant.stage;
        if stage.is_choice() {
            return true;
        }
        let limited = self.is_opening_limited(rules) || stage.is_placing();
        if !limited && rules.forbidden().is_none() {
            return self.squares.empty() > 0;
        }
        let empty = |cell: &Cell| self.squares.content(*cell) == CellContent::EMPTY;
        let cells = || self.squares.grid().iter().filter(empty);
        // Mostly there is some room far from all stones of the mover, and that is seen at once. Where other
        // stones than captures open fours, those elsewhere forbid such a cell too.
        let is_far = |cell| self.is_far_from_own(rules, cell);
        let opens = matches!(rules.forbidden(), Some(ForbiddenRule::Fours(_)));
        if !limited && opens && rules.only_captures_open_fours() && cells().any(is_far) {
            return true;
        }
        let mut moves = MoveList::new();
        cells().any(|cell| {
            self.allows_stone(rules, cell) || {
                self.push_moves_on(rules, cell, &mut moves);
                !moves.is_empty()
            }
        })
    }

    /// Adds every legal move that puts something on a cell.
    pub(super) fn push_moves_at(&self, rules: &SquareRules, cell: Cell, moves: &mut MoveList) {
        let empty = self.squares.content(cell) == CellContent::EMPTY;
        if empty && self.state.outcome.is_none() && !self.state.variant.stage.is_choice() {
            self.push_moves_on(rules, cell, moves);
        }
    }

    /// How the game would stand after a legal move.
    pub(super) fn outcome_after(&self, rules: &SquareRules, mv: Move) -> Option<Outcome> {
        let mut after = self.clone();
        after.play(rules, &mut (), mv);
        after.state.outcome
    }

    /// How the game would stand after a color's legal stone on an empty cell, if it were its turn.
    pub(super) fn outcome_by(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
    ) -> Option<Outcome> {
        let mut after = self.clone();
        // As if those before it had passed, so that the turn goes on from it.
        while after.state.color != color {
            after.state.stones += 1;
            after.state.ply += 1;
            after.state.set_turn(rules);
        }
        let mut moves = MoveList::new();
        after.push_moves_at(rules, cell, &mut moves);
        let &mv = moves.first()?;
        after.play(rules, &mut (), mv);
        after.state.outcome
    }

    /// Adds every legal move that puts something on an empty cell.
    fn push_moves_on(&self, rules: &SquareRules, cell: Cell, moves: &mut MoveList) {
        if self.opening_allows(rules, cell).is_err() {
            return;
        }
        if self.check_stone(rules, cell).is_ok() {
            self.push_stones(rules, cell, moves);
        }
        if self.state.variant.stage.is_placing() {
            return;
        }
        let stones = rules.stones();
        let kinds =
            [(stones.neutral, MoveKind::Neutral(cell)), (stones.bombs, MoveKind::Bomb(cell))];
        for (_, kind) in kinds.into_iter().filter(|&(most, _)| most > 0) {
            if self.check_kind(rules, kind).is_ok() {
                moves.push(kind.into());
            }
        }
        if let Some((_, diamonds)) = rules.stones().power
            && self.has_special_left(rules, self.state.color, MoveKind::Power(cell, None))
        {
            self.push_power(rules, &diamonds, cell, moves);
        }
    }

    /// Adds a plain stone, once for each choice of signs.
    fn push_stones(&self, rules: &SquareRules, cell: Cell, moves: &mut MoveList) {
        let groups = self.signed_groups(rules, cell);
        if groups == [0, 0] {
            return moves.push(Move::stone(cell));
        }
        for longer in 0..=groups[0] {
            for pairs in 0..=groups[1] {
                let signs = CaptureSigns {
                    longer: [groups[0] - longer, longer],
                    pairs: [groups[1] - pairs, pairs],
                };
                if self.check_signs(rules, cell, signs).is_ok() {
                    moves.push(MoveKind::Signed(cell, signs).into());
                }
            }
        }
    }

    /// The longer groups and pairs that need a sign.
    pub(super) fn signed_groups(&self, rules: &SquareRules, cell: Cell) -> [u8; 2] {
        match rules.capture() {
            Some(capture) if capture.signs => self.count_groups(rules, capture, cell),
            _ => [0, 0],
        }
    }

    /// Whether the opponent has as many stones as are to be taken from the count (S3).
    fn may_take(&self, rules: &SquareRules, signs: CaptureSigns) -> bool {
        let theirs = self.state.counts[self.state.color.opponent().index() & 3];
        let longest = rules.capture().map_or(2, CaptureRule::longest_group);
        signs.stones(longest)[1] <= theirs
    }

    /// Calls `visit` with every empty cell on which a stone might change whether the rules forbid the
    /// mover an empty cell, some more than once.
    pub(super) fn for_each_forbidden_dependency(
        &self,
        rules: &SquareRules,
        cell: Cell,
        visit: &mut impl FnMut(Cell),
    ) {
        match rules.forbidden() {
            None => (),
            Some(ForbiddenRule::Renju) => {
                super::forbidden::for_each_forbidden_dependency(&self.squares, cell, visit);
            }
            Some(_) => self.squares.for_each_empty(visit),
        }
    }

    /// Whether a plain stone may go to an empty cell.
    pub(super) fn allows_stone(&self, rules: &SquareRules, cell: Cell) -> bool {
        self.opening_allows(rules, cell).is_ok() && self.check_stone(rules, cell).is_ok()
    }

    /// What speaks against a move of an open game.
    pub(super) fn check_variant(
        &self,
        rules: &SquareRules,
        mv: Move,
    ) -> Result<(), IllegalPlacement> {
        let kind = mv.kind();
        if self.state.variant.stage.is_choice() {
            return match kind {
                MoveKind::Swap | MoveKind::Keep => Ok(()),
                MoveKind::More if self.may_ask_for_more(rules) => Ok(()),
                MoveKind::More => Err(IllegalPlacement::NoMore),
                _ => Err(IllegalReason::MustChoose { more: self.may_ask_for_more(rules) }.into()),
            };
        }
        let Some(cell) = mv.cell() else {
            return Err(IllegalReason::unknown(kind).into());
        };
        self.check_left(rules, self.state.color, kind)?;
        if !self.squares.grid().contains(cell) {
            return Err(IllegalReason::OffBoard.into());
        }
        if self.squares.content(cell) != CellContent::EMPTY {
            return Err(IllegalReason::Occupied.into());
        }
        self.opening_allows(rules, cell)?;
        self.check_kind(rules, kind)
    }

    /// Whether a color has such a stone left.
    pub(super) fn has_special_left(
        &self,
        rules: &SquareRules,
        color: Color,
        kind: MoveKind,
    ) -> bool {
        self.check_left(rules, color, kind).is_ok()
    }

    /// What speaks against such a stone of a color, wherever it is put.
    fn check_left(
        &self,
        rules: &SquareRules,
        color: Color,
        kind: MoveKind,
    ) -> Result<(), IllegalPlacement> {
        let (variant, stones) = (&self.state.variant, rules.stones());
        let color = color.index() & 3;
        let (name, most, placed) = match kind {
            MoveKind::Neutral(_) => ("neutral stones", stones.neutral, variant.neutral[color]),
            MoveKind::Bomb(_) => ("bombs", stones.bombs, variant.special[color]),
            MoveKind::Power(..) => {
                let most = stones.power.map_or(0, |(count, _)| count);
                ("power stones", most, variant.special[color])
            }
            _ => return Ok(()),
        };
        if most == 0 {
            Err(IllegalReason::NoSuchStone(name).into())
        } else if variant.stage.is_placing() {
            Err(IllegalPlacement::OpeningStone)
        } else if placed >= most {
            Err(IllegalPlacement::NoneLeft(name))
        } else {
            Ok(())
        }
    }

    /// What speaks against putting that on an empty cell which the opening allows.
    fn check_kind(&self, rules: &SquareRules, kind: MoveKind) -> Result<(), IllegalPlacement> {
        match kind {
            MoveKind::Stone(cell) => {
                self.check_stone(rules, cell)?;
                let bare = self.signed_groups(rules, cell) == [0, 0];
                bare.then_some(()).ok_or(IllegalReason::Signs.into())
            }
            MoveKind::Signed(cell, signs) => self.check_signs(rules, cell, signs),
            MoveKind::Neutral(_) | MoveKind::Bomb(_) => {
                self.check_left(rules, self.state.color, kind)?;
                match rules.forbidden() {
                    Some(ForbiddenRule::Fours(fours)) => self.check_fours(rules, fours, kind),
                    _ => Ok(()),
                }
            }
            MoveKind::Power(cell, bonus) => self.check_bonus(rules, cell, bonus),
            _ => Err(IllegalReason::NoPass.into()),
        }
    }

    fn check_signs(
        &self,
        rules: &SquareRules,
        cell: Cell,
        signs: CaptureSigns,
    ) -> Result<(), IllegalPlacement> {
        self.check_stone(rules, cell)?;
        let groups = self.signed_groups(rules, cell);
        let given = [signs.longer, signs.pairs].map(|[add, less]| add + less);
        if groups != given || groups == [0, 0] {
            return Err(IllegalReason::Signs.into());
        }
        if !self.may_take(rules, signs) {
            return Err(IllegalPlacement::CountTooLow);
        }
        match rules.forbidden() {
            // Stones that are taken from the opponent's count do not reach the goal.
            Some(ForbiddenRule::Fours(fours)) => {
                self.check_fours(rules, fours, MoveKind::Signed(cell, signs))
            }
            _ => Ok(()),
        }
    }

    /// What speaks against a plain stone on an empty cell, the opening's limits aside.
    fn check_stone(&self, rules: &SquareRules, cell: Cell) -> Result<(), IllegalPlacement> {
        if self.state.variant.stage.is_placing()
            && self.would_make_line(rules, self.state.color, cell)
        {
            return Err(IllegalPlacement::OpeningLine);
        }
        match rules.forbidden() {
            None => Ok(()),
            Some(ForbiddenRule::Fours(fours)) => {
                self.check_fours(rules, fours, MoveKind::Stone(cell))
            }
            Some(ForbiddenRule::Renju) if self.state.color != Color(0) => Ok(()),
            Some(ForbiddenRule::Renju) => {
                super::forbidden::forbidden(&self.squares, cell).map_or(Ok(()), refuse)
            }
            Some(ForbiddenRule::DoubleThree) => {
                self.check_double_three(rules, self.state.color, cell)
            }
        }
    }

    /// Whether a color's stone on an empty cell would make a winning run. Its captures take no stone of
    /// its own.
    pub(super) fn would_make_line(&self, rules: &SquareRules, color: Color, cell: Cell) -> bool {
        let own = Windows(self.own_windows(rules, color, cell).0 | LANE_LOW_BITS << CENTER);
        rules.line_of(color).wins_against(own, self.enemies_if_needed(rules, color, cell))
    }

    /// What `anti` says of a move (S3, MOK).
    fn check_fours(
        &self,
        rules: &SquareRules,
        fours: FourBan,
        kind: MoveKind,
    ) -> Result<(), IllegalPlacement> {
        let leaves_four = if rules.only_captures_open_fours() {
            kind.stone().is_some_and(|(cell, signs)| self.opens_four(rules, fours, cell, signs))
        } else {
            self.leaves_open_four(rules, fours, kind)
        };
        if !leaves_four {
            return Ok(());
        }
        Err(IllegalPlacement::Four(match fours {
            FourBan::OpenFours => "an open four",
            FourBan::AllFours => "a four that can become five",
        }))
    }

    /// Whether an empty cell lies so far from all stones of the mover that one there would neither make nor
    /// capture anything.
    fn is_far_from_own(&self, rules: &SquareRules, cell: Cell) -> bool {
        self.own_windows(rules, self.state.color, cell).0 == 0
    }

    /// Whether a stone leaves a four on the lines that it changes, and neither makes a five nor reaches the
    /// goal.
    fn opens_four(
        &self,
        rules: &SquareRules,
        fours: FourBan,
        cell: Cell,
        signs: Option<CaptureSigns>,
    ) -> bool {
        let Some(capture) = rules.capture() else { return false };
        let color = self.state.color;
        if self.is_far_from_own(rules, cell) {
            return false;
        }
        let captured = self.groups_taken(rules, capture, color, cell);
        let stones = captured.stones() as u16;
        let added = signs.map_or(stones, |signs| signs.stones(capture.longest_group())[0]);
        let count = self.state.counts[color.index() & 3] + added;
        self.leaves_four_around(rules, fours, (color, cell), captured)
            && !self.would_make_line(rules, color, cell)
            && capture.goal.is_none_or(|goal| count < goal)
    }

    /// Whether a move leaves a four anywhere and neither makes a five nor reaches the goal, judged on a
    /// copy.
    fn leaves_open_four(&self, rules: &SquareRules, fours: FourBan, kind: MoveKind) -> bool {
        let mut after = self.clone();
        !after.try_out(rules, kind) && after.has_open_four(rules, fours, after.state.color)
    }

    /// Places and removes what a move does, and tells whether it makes a five or reaches the goal,
    /// to which `anti` does not object.
    fn try_out(&mut self, rules: &SquareRules, kind: MoveKind) -> bool {
        let mover = self.state.color;
        match kind {
            MoveKind::Neutral(cell) => self.put(&mut (), Color::NEUTRAL, cell),
            MoveKind::Bomb(cell) => {
                self.put(&mut (), mover, cell);
                self.clear_around(&mut (), cell);
            }
            _ => {
                let Some((cell, signs)) = kind.stone() else { return false };
                self.put(&mut (), mover, cell);
                let sight = self.sight(rules, mover, cell, None);
                self.take(rules, &mut (), (cell, sight), signs);
                if self.makes_line(rules, cell) {
                    return true;
                }
            }
        }
        self.goal(rules) == Some(mover)
    }
}

pub(super) fn refuse(why: &'static str) -> Result<(), IllegalPlacement> {
    Err(IllegalPlacement::Forbidden(why))
}

impl Board {
    /// Adds the legal moves that put a power stone on an empty cell, with some bonus stones alone if one of
    /// these may follow it.
    pub(super) fn push_power_moves_at(
        &self,
        rules: &SquareRules,
        cell: Cell,
        bonuses: &[Cell],
        moves: &mut MoveList,
    ) {
        let Some((_, diamonds)) = rules.stones().power else { return };
        let is_legal = self.squares.content(cell) == CellContent::EMPTY
            && self.state.outcome.is_none()
            && self.has_special_left(rules, self.state.color, MoveKind::Power(cell, None))
            && self.opening_allows(rules, cell).is_ok();
        if is_legal && !self.push_bonuses(rules, bonuses.iter().copied(), cell, moves) {
            self.push_power(rules, &diamonds, cell, moves);
        }
    }

    /// Whether a power stone and a bonus stone complete a line of the color to move together, where a look at
    /// the lines through the bonus stone is enough to tell: they win then.
    pub(super) fn completes_line_with_bonus(
        &self,
        rules: &SquareRules,
        cell: Cell,
        bonus: Cell,
    ) -> bool {
        let color = self.state.color;
        // What the power stone captures may have been a part of the line.
        let is_simple = (rules.breakable_fives(), rules.forbidden()) == (None, None)
            && !rules.line().exact()
            && !rules.line().is_caro()
            && self.state.variant.stage == OpeningStage::Play
            && !self.is_opening_limited(rules)
            && rules
                .capture()
                .is_none_or(|it| self.groups_taken(rules, it, color, cell).is_empty());
        let is_free = || self.free_diamonds(rules, std::iter::once(bonus), cell)?.next();
        let own =
            self.own_windows(rules, color, bonus).0 | self.squares.map().window_bit(bonus, cell);
        is_simple
            && is_free().is_some()
            && rules.line_of(color).wins(Windows(own | LANE_LOW_BITS << CENTER))
    }

    /// Adds a power stone with each bonus stone that may follow it (S1).
    pub(super) fn push_power(
        &self,
        rules: &SquareRules,
        diamonds: &Diamonds,
        cell: Cell,
        moves: &mut MoveList,
    ) {
        if !self.push_bonuses(rules, diamonds.cells(self.squares.grid()), cell, moves) {
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
            || self.power_run_exists(rules, None)
        {
            return None;
        }
        let steps = self.squares.map().steps();
        let is_empty = move |bonus| {
            let mut freed = captured.into_iter().flat_map(|captured| captured.cells(cell, steps));
            self.squares.content(bonus) == CellContent::EMPTY || freed.any(|freed| freed == bonus)
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
            return Err(IllegalReason::NoSuchStone("power stones").into());
        };
        let cells = diamonds.cells(self.squares.grid());
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
