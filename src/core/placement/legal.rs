//! Which moves may be played.

use super::IllegalPlacement;
use super::state::Board;
use crate::board::{CENTER, CellContent, LANE_LOW_BITS, Windows};
use crate::game::{CaptureSigns, Cell, Color, IllegalReason, Move, MoveKind, MoveList, Outcome};
use crate::rules::{
    CaptureRule, Diamonds, ForbiddenRule, FourBan, OpeningStage, RuleTier, SquareRules, SwapRule,
};

impl Board {
    /// Appends every legal move of an open game.
    pub(super) fn push_moves(&self, rules: &SquareRules, moves: &mut MoveList) {
        moves.reserve(usize::from(self.squares.empty()));
        if self.state.variant.stage.is_choice() {
            moves.extend([MoveKind::Swap, MoveKind::Keep].map(Move::from));
            moves.extend(self.may_choose_more(rules).then_some(Move::from(MoveKind::More)));
        } else if rules.tier() == RuleTier::Plain && !self.is_opening_limited(rules) {
            self.squares.for_each_empty(|cell| moves.push(Move::stone(cell)));
        } else {
            self.squares.for_each_empty(|cell| self.push_moves_on_empty(rules, cell, moves));
        }
    }

    /// Whether the seat to move may ask for more stones of a swap opening.
    fn may_choose_more(&self, rules: &SquareRules) -> bool {
        self.state.variant.stage == OpeningStage::Choice
            && rules.swap().is_some_and(SwapRule::has_more)
    }

    /// Whether the seat to move has a legal move on a board that is not full.
    #[inline]
    pub(super) fn has_legal_move<const PLAIN: bool>(&self, rules: &SquareRules) -> bool {
        let stage = self.state.variant.stage;
        if !PLAIN && stage.is_choice() {
            return true;
        }
        let is_limited = self.is_opening_limited(rules) || !PLAIN && stage.is_placing();
        let may_be_forbidden = rules.forbidden().is_some_and(|forbidden| {
            forbidden != ForbiddenRule::Renju || rules.renju_restricts(self.state.color)
        });
        if PLAIN && !may_be_forbidden {
            // Only the opening limits plain stones.
            return !is_limited || self.squares.grid().iter().any(|cell| self.is_open(rules, cell));
        }
        !is_limited && !may_be_forbidden || self.find_legal_move(rules, is_limited)
    }

    /// Whether some empty point allows a move, found point by point.
    fn find_legal_move(&self, rules: &SquareRules, is_limited: bool) -> bool {
        let empty = |cell: &Cell| self.squares.content(*cell) == CellContent::EMPTY;
        let cells = || self.squares.grid().iter().filter(empty);
        // Usually some point is far from all stones of the mover, which is found at once. Where stones open
        // fours without capturing, fours elsewhere forbid such a point too.
        let is_far = |cell| self.is_far_from_own(rules, cell);
        let bans_fours = matches!(rules.forbidden(), Some(ForbiddenRule::Fours(_)));
        if !is_limited && bans_fours && rules.only_captures_open_fours() && cells().any(is_far) {
            return true;
        }
        let mut moves = MoveList::new();
        cells().any(|cell| {
            self.allows_stone(rules, cell) || {
                self.push_moves_on_empty(rules, cell, &mut moves);
                !moves.is_empty()
            }
        })
    }

    /// Appends every legal move that places a stone on a cell.
    pub(super) fn push_moves_at(&self, rules: &SquareRules, cell: Cell, moves: &mut MoveList) {
        let empty = self.squares.content(cell) == CellContent::EMPTY;
        if empty && self.state.outcome.is_none() && !self.state.variant.stage.is_choice() {
            self.push_moves_on_empty(rules, cell, moves);
        }
    }

    /// The outcome after a legal move.
    pub(super) fn outcome_of_move(&self, rules: &SquareRules, mv: Move) -> Option<Outcome> {
        let mut after = self.clone();
        after.play(rules, &mut (), mv);
        after.state.outcome
    }

    /// The outcome after a color's legal stone on an empty cell, if it were its turn.
    pub(super) fn outcome_of_stone(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
    ) -> Option<Outcome> {
        let mut after = self.clone();
        // As if the colors before it had passed, so that the turns after it follow from it.
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

    /// Appends every legal move that places a stone on an empty cell, in a game without a choice.
    fn push_moves_on_empty(&self, rules: &SquareRules, cell: Cell, moves: &mut MoveList) {
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
            && self.check_special_left(rules, self.state.color, MoveKind::Power(cell, None)).is_ok()
        {
            self.push_power(rules, &diamonds, cell, moves);
        }
    }

    /// Appends a plain stone, once for each choice of signs.
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

    /// The numbers of longer groups and of pairs that the mover's stone on an empty cell captures and that
    /// need a sign.
    pub(super) fn signed_groups(&self, rules: &SquareRules, cell: Cell) -> [u8; 2] {
        match rules.capture() {
            Some(capture) if capture.signs => {
                self.captured_groups(rules, capture, self.state.color, cell).group_counts()
            }
            _ => [0, 0],
        }
    }

    /// Whether the opponent's count is at least what the signs subtract from it (S3).
    fn may_subtract(&self, rules: &SquareRules, signs: CaptureSigns) -> bool {
        let count = self.state.counts[self.state.color.opponent().index() & 3];
        let longest = rules.capture().map_or(2, CaptureRule::longest_group);
        signs.stones(longest)[1] <= count
    }

    /// Calls `visit` with every empty cell on which a stone might change whether the rules forbid the
    /// mover a stone on `cell`; with some cells more than once.
    pub(super) fn for_each_forbidden_dependency(
        &self,
        rules: &SquareRules,
        cell: Cell,
        visit: &mut impl FnMut(Cell),
    ) {
        match rules.forbidden() {
            None => (),
            Some(ForbiddenRule::Renju) => {
                super::forbidden::for_each_renju_dependency(&self.squares, cell, visit);
            }
            Some(_) => self.squares.for_each_empty(visit),
        }
    }

    /// Whether a plain stone on an empty cell is legal, signs aside.
    pub(super) fn allows_stone(&self, rules: &SquareRules, cell: Cell) -> bool {
        self.opening_allows(rules, cell).is_ok() && self.check_stone(rules, cell).is_ok()
    }

    /// Why a move of an open game is not legal.
    pub(super) fn check(&self, rules: &SquareRules, mv: Move) -> Result<(), IllegalPlacement> {
        let kind = mv.kind();
        if self.state.variant.stage.is_choice() {
            let more = self.may_choose_more(rules);
            return match kind {
                MoveKind::Swap | MoveKind::Keep => Ok(()),
                MoveKind::More if more => Ok(()),
                MoveKind::More => Err(IllegalPlacement::NoMore),
                _ => Err(IllegalReason::MustChoose { more }.into()),
            };
        }
        let Some(cell) = mv.cell() else {
            return Err(IllegalReason::unknown(kind).into());
        };
        self.check_special_left(rules, self.state.color, kind)?;
        if !self.squares.grid().contains(cell) {
            return Err(IllegalReason::OffBoard.into());
        }
        if self.squares.content(cell) != CellContent::EMPTY {
            return Err(IllegalReason::Occupied.into());
        }
        self.opening_allows(rules, cell)?;
        self.check_kind(rules, kind)
    }

    /// Why a color may not place a special stone of this kind on any point.
    pub(super) fn check_special_left(
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

    /// Why a stone of this kind on an empty cell is not legal, the opening aside.
    fn check_kind(&self, rules: &SquareRules, kind: MoveKind) -> Result<(), IllegalPlacement> {
        match kind {
            MoveKind::Stone(cell) => {
                self.check_stone(rules, cell)?;
                let bare = self.signed_groups(rules, cell) == [0, 0];
                bare.then_some(()).ok_or(IllegalReason::Signs.into())
            }
            MoveKind::Signed(cell, signs) => self.check_signs(rules, cell, signs),
            MoveKind::Neutral(_) | MoveKind::Bomb(_) => {
                self.check_special_left(rules, self.state.color, kind)?;
                match rules.forbidden() {
                    Some(ForbiddenRule::Fours(ban)) => self.check_fours(rules, ban, kind),
                    _ => Ok(()),
                }
            }
            MoveKind::Power(cell, bonus) => self.check_bonus(rules, cell, bonus),
            _ => Err(IllegalReason::NoPass.into()),
        }
    }

    /// Why a stone with these signs on an empty cell is not legal, the opening aside.
    fn check_signs(
        &self,
        rules: &SquareRules,
        cell: Cell,
        signs: CaptureSigns,
    ) -> Result<(), IllegalPlacement> {
        self.check_stone(rules, cell)?;
        let groups = self.signed_groups(rules, cell);
        let given = [signs.longer, signs.pairs].map(|[add, subtract]| add + subtract);
        if groups != given || groups == [0, 0] {
            return Err(IllegalReason::Signs.into());
        }
        if !self.may_subtract(rules, signs) {
            return Err(IllegalPlacement::CountTooLow);
        }
        match rules.forbidden() {
            // Stones that are subtracted from the opponent's count do not reach the goal.
            Some(ForbiddenRule::Fours(ban)) => {
                self.check_fours(rules, ban, MoveKind::Signed(cell, signs))
            }
            _ => Ok(()),
        }
    }

    /// Why a plain stone on an empty cell is not legal, the opening and signs aside.
    fn check_stone(&self, rules: &SquareRules, cell: Cell) -> Result<(), IllegalPlacement> {
        if self.state.variant.stage.is_placing()
            && self.would_make_line(rules, self.state.color, cell)
        {
            return Err(IllegalPlacement::OpeningLine);
        }
        match rules.forbidden() {
            None => Ok(()),
            Some(ForbiddenRule::Fours(ban)) => self.check_fours(rules, ban, MoveKind::Stone(cell)),
            Some(ForbiddenRule::Renju) if self.state.color != Color(0) => Ok(()),
            Some(ForbiddenRule::Renju) => super::forbidden::renju_forbidden(&self.squares, cell)
                .map_or(Ok(()), |why| Err(IllegalPlacement::Forbidden(why))),
            Some(ForbiddenRule::DoubleThree) => {
                self.check_double_three(rules, self.state.color, cell)
            }
        }
    }

    /// Whether `anti` forbids a move for the four that it leaves (S3, MOK).
    fn check_fours(
        &self,
        rules: &SquareRules,
        ban: FourBan,
        kind: MoveKind,
    ) -> Result<(), IllegalPlacement> {
        let leaves_four = if rules.only_captures_open_fours() {
            kind.stone().is_some_and(|(cell, signs)| self.opens_four(rules, ban, cell, signs))
        } else {
            self.leaves_open_four(rules, ban, kind)
        };
        if !leaves_four {
            return Ok(());
        }
        Err(IllegalPlacement::Four(match ban {
            FourBan::OpenFours => "an open four",
            FourBan::AllFours => "a four that can become five",
        }))
    }

    /// Whether an empty cell is so far from all stones of the mover that a stone there would neither make nor
    /// capture anything.
    fn is_far_from_own(&self, rules: &SquareRules, cell: Cell) -> bool {
        self.own_windows(rules, self.state.color, cell).0 == 0
    }

    /// Whether a stone leaves a four on the lines that it changes, and neither makes a five nor reaches the
    /// goal.
    fn opens_four(
        &self,
        rules: &SquareRules,
        ban: FourBan,
        cell: Cell,
        signs: Option<CaptureSigns>,
    ) -> bool {
        let Some(capture) = rules.capture() else { return false };
        let color = self.state.color;
        if self.is_far_from_own(rules, cell) {
            return false;
        }
        let captured = self.captured_groups(rules, capture, color, cell);
        let stones = captured.stones() as u16;
        let added = signs.map_or(stones, |signs| signs.stones(capture.longest_group())[0]);
        let count = self.state.counts[color.index() & 3] + added;
        self.leaves_four_around(rules, ban, color, cell, captured)
            && !self.would_make_line(rules, color, cell)
            && capture.goal.is_none_or(|goal| count < goal)
    }

    /// Whether a move leaves a four anywhere and neither makes a five nor reaches the goal, tested on a
    /// copy of the board.
    fn leaves_open_four(&self, rules: &SquareRules, ban: FourBan, kind: MoveKind) -> bool {
        let mut after = self.clone();
        let color = self.state.color;
        let made_line = match kind {
            MoveKind::Neutral(cell) => {
                after.place(&mut (), Color::NEUTRAL, cell);
                false
            }
            MoveKind::Bomb(cell) => {
                after.place(&mut (), color, cell);
                after.remove_around(&mut (), cell);
                false
            }
            _ => {
                let Some((cell, signs)) = kind.stone() else { return false };
                after.place(&mut (), color, cell);
                if let Some(capture) = rules.capture() {
                    let removal = after.removal(rules, capture, cell, None);
                    after.apply_removal::<false, _>(rules, &mut (), cell, removal, signs);
                }
                after.makes_line(rules, cell)
            }
        };
        !made_line
            && after.goal_winner::<false>(rules) != Some(color)
            && after.has_open_four(rules, ban, color)
    }
}

impl Board {
    /// Appends the legal moves that place a power stone on an empty cell, with only some bonus stones if one
    /// of these may follow it.
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
            && self
                .check_special_left(rules, self.state.color, MoveKind::Power(cell, None))
                .is_ok()
            && self.opening_allows(rules, cell).is_ok();
        if is_legal && !self.push_bonuses(rules, bonuses.iter().copied(), cell, moves) {
            self.push_power(rules, &diamonds, cell, moves);
        }
    }

    /// Whether a power stone and a bonus stone of the color to move certainly complete a winning line through
    /// the bonus stone together.
    pub(super) fn completes_line_with_bonus(
        &self,
        rules: &SquareRules,
        cell: Cell,
        bonus: Cell,
    ) -> bool {
        let color = self.state.color;
        // Power stones that the placed one captures may be a part of the line.
        let is_simple = (rules.breakable_fives(), rules.forbidden()) == (None, None)
            && !rules.line().exact()
            && !rules.line().is_caro()
            && self.state.variant.stage == OpeningStage::Play
            && !self.is_opening_limited(rules)
            && rules
                .capture()
                .is_none_or(|capture| self.captured_groups(rules, capture, color, cell).is_empty());
        let is_free = || self.free_diamonds(rules, std::iter::once(bonus), cell)?.next();
        let own =
            self.own_windows(rules, color, bonus).0 | self.squares.map().window_bit(bonus, cell);
        is_simple
            && is_free().is_some()
            && rules.line_of(color).wins(Windows(own | LANE_LOW_BITS << CENTER))
    }

    /// Appends a power stone with each bonus stone that may follow it (S1).
    fn push_power(
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

    /// Appends a power stone with each of some bonus stones that may follow it. Returns whether any may.
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

    /// The diamonds that are empty after a power stone and its captures; `None` if the power stone wins.
    fn free_diamonds(
        &self,
        rules: &SquareRules,
        diamonds: impl Iterator<Item = Cell>,
        cell: Cell,
    ) -> Option<impl Iterator<Item = Cell>> {
        let color = self.state.color;
        let groups = |capture| self.captured_groups(rules, capture, color, cell);
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

    /// Why a power stone on an empty cell with this bonus stone, or without one, is not legal.
    fn check_bonus(
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
