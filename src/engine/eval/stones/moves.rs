//! Which moves are worth searching, and in which order.

use super::bitboards::CellBitboard;
use super::captures::opens_line;
use super::cell_pattern::CellPattern;
use super::defenses::DefenseArea;
use super::line_pattern::{LinePattern, ThreatClass};
use super::network::Accumulator;
use super::power_stones::has_power_stone_left;
use super::{CachedEvaluation, StoneEvaluator, completes_line};
use crate::search::{Coverage, MoveGenerator};
use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, Color, Move, MoveKind, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{CaptureRule, ForbiddenRule, FourBan, OpeningStage, SpecialStones};
use std::cmp::Reverse;

/// The ordering score down to which tactical moves come before quiet ones in games that play lines and captures. Of the
/// nodes that list moves, four in five of keryo-pente end before they come to quiet ones. By nodes it won against -600
/// and -900, and -2000 lost against -900.
const QUIET_CEILING_OF_LINES: i32 = -1200;
/// The same in variants. With -900 matches by nodes came out the same, while more nodes listed quiet moves in vain.
const QUIET_CEILING_OF_VARIANTS: i32 = -1600;
/// What the ordering scores of special stones are lower than those of plain ones.
const SPECIAL_STONE_PENALTY: i32 = 1500;
/// The number of enemy stones, less own ones, that a bomb must clear to be worth a look.
const MIN_CLEARED: usize = 3;

impl<const N: usize, const LINES: bool> MoveGenerator<Position> for StoneEvaluator<N, LINES> {
    #[inline]
    fn winning_move(&self, position: &Position) -> Option<Move> {
        if !LINES && position.stage().is_choice() {
            return None;
        }
        let win = self.winning_stone(position);
        if LINES || win.is_some() || position.rules().stones() == SpecialStones::default() {
            return win;
        }
        let any = position.power_run_exists().then(|| Self::any_legal_stone(position)).flatten();
        any.filter(|&mv| position.would_win(mv))
            .or_else(|| self.line_win_with_bonus(position))
            .or_else(|| self.capture_win_with_bonus(position))
    }

    fn refutes(&self, position: &Position, mv: Move) -> bool {
        position.is_obvious_win(mv)
    }

    #[inline]
    fn defenses(&self, position: &Position, moves: &mut MoveList) -> Option<Coverage> {
        if LINES {
            self.line_defenses(position, moves)
        } else {
            self.variant_defenses(position, moves)
        }
    }

    /// With power stones, those far from all other stones whose bonus stone stops the threat.
    fn remaining_defenses(&self, position: &Position, moves: &mut MoveList) {
        if !LINES && matches!(DefenseArea::of(position), DefenseArea::PowerStones) {
            self.push_remaining_power_stones(position, &self.enemy_wins_in_one(position), moves);
        } else {
            position.legal_moves(moves);
        }
    }

    /// With power stones: one with each empty diamond, on each cell that has never been taken.
    fn has_more_moves_than(&self, position: &Position, count: usize) -> bool {
        if LINES || !has_power_stone_left(position) {
            return false;
        }
        let cells = position.grid().cells().saturating_sub(position.ply() as usize);
        cells * self.empty_diamonds(position).len() > count
    }

    fn candidates(&self, position: &Position, moves: &mut MoveList) -> Coverage {
        if LINES {
            self.push_candidates(
                position,
                |moves| self.push_line_candidates(position, moves),
                moves,
            )
        } else {
            self.push_variant_candidates(position, self.useful_moves(position), moves)
        }
    }

    #[inline]
    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        if LINES {
            return mv.cell().map_or(0, |cell| self.stone_ordering_score(position, cell));
        }
        let score = |cell| self.stone_ordering_score(position, cell);
        match mv.kind() {
            MoveKind::Stone(cell) => score(cell),
            MoveKind::Signed(cell, signs) => {
                let longest = position.rules().capture().map_or(2, CaptureRule::longest_group);
                score(cell) - i32::from(signs.stones(longest)[1])
            }
            MoveKind::Power(cell, Some(bonus)) => {
                score(cell) - SPECIAL_STONE_PENALTY + score(bonus)
            }
            _ => mv.cell().map_or(0, |cell| score(cell) - SPECIAL_STONE_PENALTY),
        }
    }

    fn add_ordering_scores(&mut self, position: &Position, moves: &mut [(Move, i32)]) {
        for (mv, score) in moves.iter_mut() {
            *score += self.ordering_score(position, *mv);
        }
        if !LINES || !self.accumulator.as_ref().is_some_and(Accumulator::has_policy) {
            return;
        }
        self.update_accumulator();
        let CachedEvaluation { buckets, .. } = self.cached(position);
        if let Some(accumulator) = &self.accumulator {
            accumulator.add_policy_scores(position.color_to_move(), buckets, moves);
        }
    }

    #[inline]
    fn is_quiet(&self, position: &Position, mv: Move) -> bool {
        let cell = match mv.kind() {
            MoveKind::Stone(cell) => Some(cell),
            _ => None,
        };
        let Some(cell) = (if LINES { mv.cell() } else { cell }) else { return false };
        let mover = position.color_to_move();
        let is_quiet_defense = |enemy| self.tables.is_quiet_defense(self.patterns.at(enemy, cell));
        self.tables.is_quiet_attack(self.patterns.at(mover, cell))
            && if N == 2 {
                is_quiet_defense(mover.opponent())
            } else {
                Self::enemies(position).all(is_quiet_defense)
            }
    }

    fn distinguishes_quiet_moves(&self) -> bool {
        true
    }

    fn has_trained_ordering(&self, _: &Position) -> bool {
        true
    }

    /// Not with captures, where it lost: 32-48 in pro-pente at 40,000 nodes a move.
    fn has_reliable_ordering(&self, position: &Position) -> bool {
        LINES && position.rules().capture().is_none()
    }

    fn quiet_threshold(&self, position: &Position) -> i32 {
        match position.rules().capture() {
            None => i32::MAX,
            Some(_) if LINES => QUIET_CEILING_OF_LINES,
            Some(_) => QUIET_CEILING_OF_VARIANTS,
        }
    }

    fn quiet_moves(&self, position: &Position, moves: &mut MoveList) {
        if LINES && !self.exact && !position.is_opening_limited() {
            // Moves that may be forbidden are tactical.
            let tactical = self.tactical_cells(position);
            for_each_cell_near_stones(position, |cell| {
                if !tactical.contains(cell) {
                    moves.push(Move::stone(cell));
                }
            });
        }
        // The first stone, and what is not just near others.
        if moves.is_empty() {
            self.candidates(position, moves);
            moves.retain(|&mv| self.is_quiet(position, mv));
        }
    }

    fn tactical_moves(&self, position: &Position, moves: &mut MoveList) {
        if LINES {
            let all = self.tactical_cells(position).iter().map(Move::stone);
            if position.is_opening_limited()
                || position.rules().renju_restricts(position.color_to_move())
            {
                moves.extend(all.filter(|&mv| self.is_legal_stone(position, mv)));
            } else {
                moves.extend(all);
            }
        } else if position.stage() == OpeningStage::Play && self.exact {
            // Together with the quiet moves these are all legal ones.
            position.legal_moves(moves);
            moves.retain(|&mv| !self.is_quiet(position, mv));
        } else if position.stage() == OpeningStage::Play {
            let filter = self.useful_moves(position);
            for cell in self.tactical_cells(position).iter() {
                self.push_useful_on(position, filter, cell, moves);
            }
        } else if position.stage().is_choice() {
            position.legal_moves(moves);
        }
    }
}

/// Moves of both rule tiers.
impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    /// The cells on which a stone of a color would win at once by a line or by captures, regardless of limits of the
    /// opening and forbidden moves. A cell that does both comes twice. In games that do not play lines, these are only
    /// candidates.
    pub fn winning_cells<'a>(
        &'a self,
        position: &'a Position,
        color: Color,
    ) -> impl Iterator<Item = Cell> + 'a {
        let captures = self.captures_of(color, Self::missing(position, color));
        self.line_winning_cells(position, color).chain(captures)
    }

    /// The cells on which a stone of a color would complete a line.
    pub(super) fn line_winning_cells<'a>(
        &'a self,
        position: &'a Position,
        color: Color,
    ) -> impl Iterator<Item = Cell> + 'a {
        let are_exact = self.fives_are_exact(position, color);
        let fives = self.patterns.cells(color, ThreatClass::Five).iter();
        fives.filter(move |&cell| are_exact || completes_line(position, color, cell))
    }

    /// Whether every [`ThreatClass::Five`] of a color is a winning line. Not so if the line rule looks further than the
    /// patterns, and for Black in Renju, whose overlines do not win.
    #[inline]
    pub(super) fn fives_are_exact(&self, position: &Position, color: Color) -> bool {
        self.tables.fives_are_exact() && !position.rules().renju_restricts(color)
    }

    /// A plain or signed stone of the color to move that wins at once.
    #[inline]
    fn winning_stone(&self, position: &Position) -> Option<Move> {
        let (color, rules) = (position.color_to_move(), position.rules());
        if !self.may_win(position, color) {
            return None;
        }
        if LINES {
            let winning = self.winning_cells(position, color).map(Move::stone);
            return winning.into_iter().find(|&mv| self.is_legal_stone(position, mv));
        }
        if !rules.capture().is_some_and(|capture| capture.signs) {
            let wins = |&cell: &Cell| {
                let mv = Move::stone(cell);
                // Legality comes last: a stone hardly ever wins where it may not go.
                self.is_sure_five(position, color, cell)
                    || position.would_win(mv) && position.is_legal(mv)
            };
            let win = self.winning_candidates(position, color).find(wins).map(Move::stone);
            if win.is_some() || rules.stones() == SpecialStones::default() {
                return win;
            }
        }
        let mut moves = MoveList::new();
        for cell in self.winning_candidates(position, color) {
            position.push_moves_at(cell, &mut moves);
        }
        moves.into_iter().find(|&mv| position.would_win(mv))
    }

    /// Whether a stone of a color on a cell makes a five that is known to win.
    #[inline]
    pub(super) fn is_sure_five(&self, position: &Position, color: Color, cell: Cell) -> bool {
        let pattern = self.patterns.at(color, cell);
        let is_settled = position.stage() == OpeningStage::Play && !position.is_opening_limited();
        self.fives_win && is_settled && self.tables.threat_class(pattern) == ThreatClass::Five
    }

    pub(super) fn any_legal_stone(position: &Position) -> Option<Move> {
        let empty = position.grid().iter().find(|&cell| position.is_legal(Move::stone(cell)));
        empty.map(Move::stone)
    }

    /// The cells of the tactical moves of the color to move.
    fn tactical_cells(&self, position: &Position) -> CellBitboard {
        let mover = position.color_to_move();
        if N == 2 {
            self.patterns.tactical_cells(mover, std::iter::once(mover.opponent()))
        } else {
            self.patterns.tactical_cells(mover, Self::enemies(position))
        }
    }

    /// The ordering score of a plain stone of the color to move.
    #[inline]
    pub(super) fn stone_ordering_score(&self, position: &Position, cell: Cell) -> i32 {
        let mover = position.color_to_move();
        let own = self.patterns.at(mover, cell);
        if N == 2 {
            return self.tables.ordering_score(own, self.patterns.at(mover.opponent(), cell));
        }
        let theirs = Self::enemies(position).map(|enemy| self.patterns.at(enemy, cell));
        let prevented = theirs.map(|their| {
            self.tables.defense_score(their) + self.tables.threat_pair_bonus(own, their)
        });
        self.tables.attack_score(own) + prevented.sum::<i32>()
    }

    /// Adds the moves to search where nothing is urgent; `push` adds those of positions without limits.
    fn push_candidates(
        &self,
        position: &Position,
        push: impl FnOnce(&mut MoveList),
        moves: &mut MoveList,
    ) -> Coverage {
        let is_limited = position.is_opening_limited();
        let is_choice = !LINES
            && (position.stage().is_choice()
                || is_limited && position.stage() != OpeningStage::Play);
        if self.exact || is_choice {
            position.legal_moves(moves);
            return Coverage::All;
        }
        if is_limited {
            push_nearest_legal(position, moves);
        } else {
            push(moves);
        }
        Coverage::Selective
    }
}

/// Moves in games that play lines.
impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    fn push_line_candidates(&self, position: &Position, moves: &mut MoveList) {
        push_stones_near_others(position, moves);
        self.retain_legal(position, moves);
        if moves.is_empty() {
            // The first stone: most lines go through the center.
            let center = Move::stone(position.grid().center());
            if position.is_legal(center) {
                moves.push(center);
            } else {
                position.legal_moves(moves);
            }
        }
    }

    /// Whether the rules may forbid a cell to the color to move, judged by its pattern: two threes, two fours, or a run
    /// that is too long.
    #[inline]
    pub(super) fn may_be_forbidden(&self, position: &Position, cell: Cell) -> bool {
        let color = position.color_to_move();
        position.rules().renju_restricts(color)
            && ThreatClass::MAYBE_FORBIDDEN
                .contains(&self.tables.threat_class(self.patterns.at(color, cell)))
    }

    /// Whether a stone of the color to move on an empty cell is legal.
    #[inline]
    pub(super) fn is_legal_stone(&self, position: &Position, mv: Move) -> bool {
        let must_ask = position.is_opening_limited()
            || mv.cell().is_some_and(|cell| self.may_be_forbidden(position, cell));
        !must_ask || position.is_legal(mv)
    }

    /// Removes forbidden moves.
    pub(super) fn retain_legal(&self, position: &Position, moves: &mut MoveList) {
        if position.rules().renju_restricts(position.color_to_move()) {
            moves.retain(|&mv| self.is_legal_stone(position, mv));
        }
    }

    /// Adds a move that is legal and not listed yet.
    pub(super) fn push_legal(&self, position: &Position, cell: Cell, moves: &mut MoveList) {
        let mv = Move::stone(cell);
        if !moves.contains(&mv) && self.is_legal_stone(position, mv) {
            moves.push(mv);
        }
    }
}

/// Which moves to list on the cells of a position. Where the patterns show that a plain stone is legal and that no other
/// move is worth a look, the rules are not asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveFilter {
    /// Whether the groups that a stone captures need signs.
    needs_signs: bool,
    limit: StoneLimit,
    /// The kinds of special stones that the mover has left.
    left: SpecialKinds,
    /// The kinds of special stones to list.
    kinds: SpecialKinds,
    /// The only bonus stone to list; all, if there is none.
    bonus: Option<Cell>,
    /// Whether that bonus stone is legal after every power stone that does not win.
    is_bonus_free: bool,
}

/// What may make a plain stone on an empty cell illegal.
#[derive(Clone, Copy, Debug)]
enum StoneLimit {
    Nothing,
    /// Fours are forbidden. Off the lines of a stone only captures open them.
    Fours(FourBan),
    /// Two open threes are forbidden.
    DoubleThree,
    /// More than the patterns show.
    Unknown,
}

impl MoveFilter {
    /// Every move on each cell.
    pub(super) fn all(position: &Position) -> MoveFilter {
        let rules = position.rules();
        let limit = match rules.forbidden() {
            _ if position.stage() != OpeningStage::Play || position.is_opening_limited() => {
                StoneLimit::Unknown
            }
            None => StoneLimit::Nothing,
            Some(ForbiddenRule::Fours(fours)) if rules.only_captures_open_fours() => {
                StoneLimit::Fours(fours)
            }
            Some(ForbiddenRule::DoubleThree) => StoneLimit::DoubleThree,
            Some(_) => StoneLimit::Unknown,
        };
        let needs_signs = rules.capture().is_some_and(|capture| capture.signs);
        let left = SpecialKinds::left(position);
        MoveFilter { needs_signs, limit, left, kinds: left, bonus: None, is_bonus_free: false }
    }

    pub(super) fn without_power_stones(position: &Position) -> MoveFilter {
        let filter = MoveFilter::all(position);
        MoveFilter { kinds: filter.kinds.without(SpecialKinds::POWER), ..filter }
    }

    pub(super) fn without_bombs(position: &Position) -> MoveFilter {
        let filter = MoveFilter::all(position);
        MoveFilter { kinds: filter.kinds.without(SpecialKinds::BOMB), ..filter }
    }

    /// Whether a plain stone is the only move to list on each cell.
    fn lists_only_stones(self) -> bool {
        self.kinds == SpecialKinds::NONE && self.takes_any_stone()
    }

    /// Whether a plain stone is legal on every empty cell.
    fn takes_any_stone(self) -> bool {
        matches!(self.limit, StoneLimit::Nothing) && !self.needs_signs
    }
}

/// A set of kinds of special stones. It is compared for every listed cell, hence the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SpecialKinds(u8);

impl SpecialKinds {
    const NONE: SpecialKinds = SpecialKinds(0);
    const NEUTRAL: SpecialKinds = SpecialKinds(1);
    const BOMB: SpecialKinds = SpecialKinds(2);
    const POWER: SpecialKinds = SpecialKinds(4);

    /// The kinds that the color to move has left.
    fn left(position: &Position) -> SpecialKinds {
        if position.rules().stones() == SpecialStones::default() {
            return SpecialKinds::NONE;
        }
        let center = position.grid().center();
        let all =
            [MoveKind::Neutral(center), MoveKind::Bomb(center), MoveKind::Power(center, None)];
        let left = all.into_iter().filter(|&kind| position.has_special_left(kind));
        left.fold(SpecialKinds::NONE, |kinds, kind| kinds.with(SpecialKinds::of(kind)))
    }

    /// The kind of stone that a move places, none for a plain stone.
    const fn of(kind: MoveKind) -> SpecialKinds {
        match kind {
            MoveKind::Neutral(_) => SpecialKinds::NEUTRAL,
            MoveKind::Bomb(_) => SpecialKinds::BOMB,
            MoveKind::Power(..) => SpecialKinds::POWER,
            _ => SpecialKinds::NONE,
        }
    }

    const fn contains(self, others: SpecialKinds) -> bool {
        others.0 & !self.0 == 0
    }

    const fn with(self, others: SpecialKinds) -> SpecialKinds {
        SpecialKinds(self.0 | others.0)
    }

    const fn without(self, others: SpecialKinds) -> SpecialKinds {
        SpecialKinds(self.0 & !others.0)
    }
}

/// Moves in games that do not play lines.
impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    /// Adds the moves that pass a filter where nothing is urgent.
    pub(super) fn push_variant_candidates(
        &self,
        position: &Position,
        filter: MoveFilter,
        moves: &mut MoveList,
    ) -> Coverage {
        let push = |moves: &mut MoveList| {
            self.push_moves_near_stones(position, filter, moves);
            if moves.is_empty() {
                position.legal_moves(moves);
            }
        };
        self.push_candidates(position, push, moves)
    }

    fn push_moves_near_stones(
        &self,
        position: &Position,
        filter: MoveFilter,
        moves: &mut MoveList,
    ) {
        if position.stage() != OpeningStage::Play {
            return push_swap_opening_stones(position, moves);
        }
        if filter.lists_only_stones() {
            push_stones_near_others(position, moves);
            if moves.is_empty() {
                moves.push(Move::stone(position.grid().center()));
            }
            return;
        }
        let mut is_first = true;
        for_each_cell_near_stones(position, |cell| {
            is_first = false;
            self.push_useful_on(position, filter, cell, moves);
        });
        if is_first {
            self.push_useful_on(position, filter, position.grid().center(), moves);
        }
    }

    /// The filter of the moves that are worth a look, with one bonus stone for each power stone.
    pub(super) fn useful_moves(&self, position: &Position) -> MoveFilter {
        let filter = MoveFilter::all(position);
        let has_threats = |color| self.patterns.most_urgent(color) >= ThreatClass::OpenThree;
        let mut kinds = filter.left;
        if kinds.contains(SpecialKinds::POWER) && !has_threats(position.color_to_move()) {
            kinds = kinds.without(SpecialKinds::POWER);
        }
        if kinds.contains(SpecialKinds::NEUTRAL) && !Self::enemies(position).any(has_threats) {
            kinds = kinds.without(SpecialKinds::NEUTRAL);
        }
        self.with_best_bonus(position, MoveFilter { kinds, ..filter })
    }

    /// The filter with only one bonus stone for each power stone: on the diamond where a plain stone has the best
    /// ordering score.
    pub(super) fn with_best_bonus(&self, position: &Position, filter: MoveFilter) -> MoveFilter {
        if !filter.kinds.contains(SpecialKinds::POWER) {
            return filter;
        }
        let score = |&cell: &Cell| (self.stone_ordering_score(position, cell), Reverse(cell));
        let bonus = self.diamonds.cells(self.empty_diamonds(position)).max_by_key(score);
        let is_bonus_free =
            matches!(filter.limit, StoneLimit::Nothing) && !position.power_run_exists();
        MoveFilter { bonus, is_bonus_free, ..filter }
    }

    /// Adds the moves on some empty cells that pass a filter.
    pub(super) fn push_all_on(
        &self,
        position: &Position,
        filter: MoveFilter,
        cells: CellBitboard,
        moves: &mut MoveList,
    ) {
        for cell in cells.iter() {
            self.push_on(position, filter, filter.kinds, cell, moves);
        }
    }

    /// Adds all moves on an empty cell but power stones.
    pub(super) fn push_without_power(
        &self,
        position: &Position,
        filter: MoveFilter,
        cell: Cell,
        moves: &mut MoveList,
    ) {
        self.push_on(position, filter, filter.left.without(SpecialKinds::POWER), cell, moves);
    }

    /// Adds the moves on an empty cell that pass a filter and are worth a look.
    #[inline]
    fn push_useful_on(
        &self,
        position: &Position,
        filter: MoveFilter,
        cell: Cell,
        moves: &mut MoveList,
    ) {
        let useful = if filter.kinds == SpecialKinds::NONE {
            SpecialKinds::NONE
        } else {
            self.useful_kinds(position, filter.kinds, cell)
        };
        if useful == SpecialKinds::NONE && self.takes_plain_stone(position, filter, cell) {
            moves.push(Move::stone(cell));
        } else {
            self.push_on(position, filter, useful, cell, moves);
        }
    }

    /// Adds the moves on an empty cell with plain stones and special ones of some kinds.
    fn push_on(
        &self,
        position: &Position,
        filter: MoveFilter,
        kinds: SpecialKinds,
        cell: Cell,
        moves: &mut MoveList,
    ) {
        let bonus = filter.bonus.filter(|_| kinds.contains(SpecialKinds::POWER));
        let kinds = if bonus.is_some() { kinds.without(SpecialKinds::POWER) } else { kinds };
        if kinds == SpecialKinds::NONE && self.takes_plain_stone(position, filter, cell) {
            moves.push(Move::stone(cell));
        } else if kinds == filter.left {
            position.push_moves_at(cell, moves);
        } else {
            let mut all = MoveList::new();
            position.push_moves_at(cell, &mut all);
            moves.extend(all.into_iter().filter(|mv| kinds.contains(SpecialKinds::of(mv.kind()))));
        }
        if let Some(bonus) = bonus {
            if filter.is_bonus_free && bonus != cell && self.wins_nothing(position, cell) {
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
        self.tables.threat_class(pattern) < ThreatClass::Five
            && pattern.captured_stones() < Self::missing(position, mover)
    }

    /// Whether the patterns show that a plain stone on an empty cell is legal and needs no signs.
    #[inline]
    fn takes_plain_stone(&self, position: &Position, filter: MoveFilter, cell: Cell) -> bool {
        if filter.takes_any_stone() {
            return true;
        }
        let pattern = self.patterns.at(position.color_to_move(), cell);
        let captures = pattern.captures();
        !(captures && filter.needs_signs)
            && match filter.limit {
                StoneLimit::Nothing => true,
                StoneLimit::Fours(fours) => {
                    self.makes_no_forbidden_four(position, fours, pattern)
                        && !(captures && opens_line(position, cell))
                }
                // What can grow to an open four is an open three or more.
                StoneLimit::DoubleThree => {
                    !captures && pattern.lines_with(LinePattern::OpenThree) < 2
                }
                StoneLimit::Unknown => false,
            }
    }

    /// Whether the patterns show that a stone of the mover makes no forbidden four on its own lines: no four at all, or
    /// only fours with one winning cell each while no other cell could share their stones. Cells too far away for the
    /// patterns would have been winning cells before.
    fn makes_no_forbidden_four(
        &self,
        position: &Position,
        fours: FourBan,
        pattern: CellPattern,
    ) -> bool {
        self.tables.threat_class(pattern) < ThreatClass::Four
            || fours == FourBan::OpenFours
                && pattern.lines_with(LinePattern::OpenFour) == 0
                && self.patterns.cells(position.color_to_move(), ThreatClass::Five).is_empty()
    }

    /// The kinds of special stones, of those given, that do something on a cell that a plain stone does not.
    fn useful_kinds(&self, position: &Position, given: SpecialKinds, cell: Cell) -> SpecialKinds {
        let makes_threat = |color| {
            self.tables.threat_class(self.patterns.at(color, cell)) >= ThreatClass::OpenThree
        };
        let power = given.contains(SpecialKinds::POWER) && makes_threat(position.color_to_move());
        let neutral =
            given.contains(SpecialKinds::NEUTRAL) && Self::enemies(position).any(makes_threat);
        let bomb =
            given.contains(SpecialKinds::BOMB) && Self::cleared(position, cell) >= MIN_CLEARED;
        let kinds = [
            (SpecialKinds::POWER, power),
            (SpecialKinds::NEUTRAL, neutral),
            (SpecialKinds::BOMB, bomb),
        ];
        let useful = kinds.into_iter().filter(|&(_, is_useful)| is_useful);
        useful.fold(SpecialKinds::NONE, |kinds, (kind, _)| kinds.with(kind))
    }

    /// The number of enemy stones around a cell, less that of own ones.
    fn cleared(position: &Position, cell: Cell) -> usize {
        let side = position.side_of(position.to_move());
        let around = position.grid().neighbors(cell);
        let colors = around.filter_map(|other| position.board().content(other).color());
        let (mut enemies, mut own) = (0, 0);
        for color in colors.filter(|&color| color != Color::NEUTRAL && color != Color::POWER) {
            if Self::side_of(position, color) == side { own += 1 } else { enemies += 1 }
        }
        usize::saturating_sub(enemies, own)
    }
}

/// Adds the stones of a swap opening: cells near stones, and a coarse grid of distant ones, of which a balanced position
/// can be made.
fn push_swap_opening_stones(position: &Position, moves: &mut MoveList) {
    let grid = position.grid();
    let center = grid.center();
    let mut near = Vec::new();
    for_each_cell_near_stones(position, |cell| near.push(cell));
    if near.is_empty() {
        near.push(center);
    }
    let is_on_coarse_grid = |cell: &Cell| {
        let (column, row) = (grid.column(*cell), grid.row(*cell));
        grid.chebyshev(center, *cell) <= 7 && column.is_multiple_of(2) && row.is_multiple_of(2)
    };
    let distant = grid.iter().filter(is_on_coarse_grid);
    let mut all = MoveList::new();
    for cell in near.into_iter().chain(distant) {
        position.push_moves_at(cell, &mut all);
        all.retain(|mv| !moves.contains(mv));
        moves.append(&mut all);
    }
}

/// Adds stones on the empty cells within two king's moves of a stone.
fn push_stones_near_others(position: &Position, moves: &mut MoveList) {
    for_each_cell_near_stones(position, |cell| moves.push(Move::stone(cell)));
}

/// Calls `visit` with every empty cell within two king's moves of a stone, in order. Rows of bits are widened sideways
/// and then combined with those above and below.
#[inline]
pub(super) fn for_each_cell_near_stones(position: &Position, mut visit: impl FnMut(Cell)) {
    let grid = position.grid();
    let rows = usize::from(grid.rows());
    let all = (1u32 << grid.columns()) - 1;
    let mut taken = [0u32; Grid::MAX as usize + 4];
    let mut widened = [0u32; Grid::MAX as usize + 4];
    for row in 0..rows {
        let bits = position.board().occupied_row(row as u8);
        taken[row + 2] = bits;
        widened[row + 2] = bits | bits << 1 | bits << 2 | bits >> 1 | bits >> 2;
    }
    for row in 0..rows {
        let near = widened[row..row + 5].iter().fold(0, |bits, other| bits | other);
        let mut free = near & !taken[row + 2] & all;
        while free != 0 {
            visit(grid.at(free.trailing_zeros() as u8, row as u8));
            free &= free - 1;
        }
    }
}

/// Adds the legal moves near the stones while an opening limits where stones may go: those at most two king's moves
/// farther from a stone than the nearest legal one. On an empty board all legal moves are near.
fn push_nearest_legal(position: &Position, moves: &mut MoveList) {
    let grid = position.grid();
    let is_taken = |&cell: &Cell| position.board().content(cell).color().is_some();
    let stones: Vec<Cell> = grid.iter().filter(is_taken).collect();
    let distance = |mv: &Move| {
        let nearest = |cell| stones.iter().map(|&stone| grid.chebyshev(stone, cell)).min();
        mv.cell().and_then(nearest).unwrap_or(0)
    };
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let nearest = legal.iter().map(distance).min().unwrap_or(0);
    moves.extend(legal.into_iter().filter(|mv| distance(mv) <= nearest + 2));
}
