//! The moves that may prevent a win of the opponent with the next move.

use super::StoneEvaluator;
use super::bitboards::CellBitboard;
use super::captures::{DefendingStone, group_ends_in_sight, push_capturable_cells, spoiling_cells};
use super::line_pattern::ThreatClass;
use super::moves::MoveFilter;
use crate::search::Coverage;
use pentarch_core::board::{CENTER, CellContent, LANE_LOW_BITS, Windows};
use pentarch_core::game::{Cell, Color, Move, MoveKind, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{BreakableFives, ForbiddenRule, OpeningStage};
use smallvec::SmallVec;

/// The number of threats that are listed without an allocation. There are seldom more.
const FEW_THREATS: usize = 8;

/// Where moves may prevent the opponent's win on a cell.
pub(super) enum DefenseArea {
    /// On the cell, and where a stone leaves no line to complete: by captures, by clearing its neighbors, by blocking an
    /// end that must be open, or by making the completing stone poof. Against a win by captures also near the cell, if
    /// stones poof or a bomb is left.
    Direct,
    /// On the cell, on captures, and within that distance of the cell.
    Within(u8),
    /// On the cell, on captures, and with power stones anywhere whose bonus stones go there.
    PowerStones,
    /// On the cell, on captures, where the mover makes a five, and next to groups with a stone of the line, which can then
    /// be captured: a five of which every run can be broken does not win yet.
    Capturable,
    /// Anywhere: a stone can change what a five is worth without touching it.
    Anywhere,
}

impl DefenseArea {
    pub(super) fn of(position: &Position) -> DefenseArea {
        let (rules, seating) = (position.rules(), position.rules().seating());
        let alternates = seating.seats == 2 && !seating.double_turns;
        let poof_distance = poof_distance(position);
        let is_plain =
            poof_distance.is_none() && rules.stones().bombs == 0 && rules.forbidden().is_none();
        if rules.breakable_fives().is_some() && alternates && is_plain {
            DefenseArea::Capturable
        } else if rules.breakable_fives().is_some() || rules.has_perfect_fives() {
            DefenseArea::Anywhere
        } else if rules.stones().power.is_some() {
            DefenseArea::PowerStones
        } else if rules.stones().bombs > 0 && (poof_distance.is_some() || !alternates) {
            DefenseArea::Within(bomb_distance(position))
        } else if !alternates {
            // Partners may help to capture, and to make the completing stone poof.
            DefenseArea::Within(poof_distance.unwrap_or(0))
        } else {
            DefenseArea::Direct
        }
    }
}

/// The distance from a threatened cell within which a bomb can clear stones of the threat. A group that reaches farther
/// would make a line on the cell itself.
fn bomb_distance(position: &Position) -> u8 {
    position.rules().line().length()
}

/// The distance from a stone within which others can make it poof or poof with it, if groups poof.
fn poof_distance(position: &Position) -> Option<u8> {
    let poofing = position.rules().capture().filter(|capture| capture.poof);
    poofing.map(|capture| capture.longest_group().max(3))
}

impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    /// [`MoveGenerator::defenses`](crate::search::MoveGenerator::defenses) in games that play lines. Unlike in variants
    /// every listed move is checked by patterns and windows alone, without a filter.
    #[inline]
    pub(super) fn line_defenses(
        &self,
        position: &Position,
        moves: &mut MoveList,
    ) -> Option<Coverage> {
        let mover = position.color_to_move();
        let ends = position.ply() + 2 > position.rules().max_plies();
        if ends || !self.may_win(position, mover.opponent()) {
            return None;
        }
        let mut threats = self.winning_cells(position, mover.opponent());
        let threat = threats.next()?;
        // One stone blocks one cell; against several only captures are left.
        if threats.all(|cell| cell == threat) {
            self.push_legal(position, threat, moves);
        }
        for cell in self.capturing_cells(mover) {
            let stone = DefendingStone::plain(position, cell);
            let mut fives = self.line_winning_cells(position, mover.opponent());
            if fives.all(|five| stone.breaks_sure_line(position, five)) {
                self.push_legal(position, cell, moves);
            }
        }
        Some(Coverage::AgainstThreat)
    }

    /// [`MoveGenerator::defenses`](crate::search::MoveGenerator::defenses) in all other games.
    pub(super) fn variant_defenses(
        &self,
        position: &Position,
        moves: &mut MoveList,
    ) -> Option<Coverage> {
        if position.stage() != OpeningStage::Play
            || position.ply() + 2 > position.rules().max_plies()
        {
            return None;
        }
        // Among more than two sides another player moves before some threats are carried out, and may have no move that
        // leaves them.
        let many = position.rules().seating().sides() > 2;
        let mut coverage = if many { Coverage::Selective } else { Coverage::AgainstThreat };
        if position.pending_five().is_some() {
            self.push_answers_to_five(position, moves);
            return Some(coverage);
        }
        let threats = self.enemy_wins_in_one(position);
        if threats.is_empty() {
            return None;
        }
        match DefenseArea::of(position) {
            DefenseArea::PowerStones if self.exact => {
                coverage = self.push_variant_candidates(position, MoveFilter::all(position), moves);
            }
            DefenseArea::PowerStones => {
                self.push_power_stone_defenses(position, &threats, moves);
                coverage = Coverage::Selective;
            }
            // A stone farther than two king's moves from all others changes no line and no capture of the next move.
            DefenseArea::Anywhere => {
                self.push_variant_candidates(position, MoveFilter::all(position), moves);
            }
            DefenseArea::Direct => self.push_direct_defenses(position, &threats, moves),
            DefenseArea::Capturable => self.push_capturable_defenses(position, &threats, moves),
            DefenseArea::Within(distance) => {
                self.push_defenses_within(position, &threats, distance, moves);
            }
        }
        Self::push_poof_survivor(position, moves);
        Some(coverage)
    }

    /// The cells on which an enemy would win if it were to move, by the rules. In games of two stones a turn, the cells of
    /// fours and fives.
    pub(super) fn enemy_wins_in_one(&self, position: &Position) -> SmallVec<[Cell; FEW_THREATS]> {
        let mut cells = SmallVec::new();
        // A partner can still answer the threats of those who move later.
        let teams = position.rules().seating().teams;
        let next = Color((position.color_to_move().0 + 1) & 3);
        for enemy in Self::enemies(position).filter(|&enemy| !teams || enemy == next) {
            if Self::has_double_turns(position) {
                for class in ThreatClass::FOURS_AND_FIVES {
                    cells.extend(self.patterns.cells(enemy, class).iter());
                }
            } else if self.may_win(position, enemy) {
                let wins = |&cell: &Cell| {
                    self.is_sure_five(position, enemy, cell) || position.would_win_for(enemy, cell)
                };
                cells.extend(self.winning_candidates(position, enemy).filter(wins));
            }
        }
        cells
    }

    /// Adds the defenses of [`DefenseArea::Direct`] against wins on cells.
    fn push_direct_defenses(&self, position: &Position, threats: &[Cell], moves: &mut MoveList) {
        let poof_distance = poof_distance(position);
        let has_bomb = position.has_special_left(MoveKind::Bomb(threats[0]));
        // Poofed stones count as captured, on either side, and bombs clear what would be captured.
        let distance = if has_bomb { Some(bomb_distance(position)) } else { poof_distance };
        if let Some(distance) = distance
            && !self.are_line_threats(position, threats)
        {
            return self.push_defenses_within(position, threats, distance, moves);
        }
        let captures = self.patterns.captures(position.color_to_move()).iter();
        let breaks_lines = |&cell: &Cell| {
            let stone = DefendingStone::plain(position, cell);
            stone.breaks_lines(position, threats.iter().copied())
        };
        // If fours are forbidden, a capture that reaches the goal and leaves a four draws.
        let forbids_fours = matches!(position.rules().forbidden(), Some(ForbiddenRule::Fours(_)));
        let missing = Self::missing(position, position.color_to_move());
        let ends_game = |cell: &Cell| {
            let pattern = self.patterns.at(position.color_to_move(), *cell);
            forbids_fours && pattern.captured_stones() >= missing
        };
        let mut cells = CellBitboard::new();
        cells.extend(captures.filter(|cell| breaks_lines(cell) || ends_game(cell)));
        if position.rules().line().is_caro() || poof_distance.is_some() {
            // One of the threatened cells may be an end of another's line.
            let ends = spoiling_cells(position, threats[0]).chain(threats.iter().copied());
            cells.extend(ends.filter(breaks_lines));
        }
        // A stone blocks one cell.
        if threats.iter().all(|threat| *threat == threats[0]) {
            cells.extend(threats.iter().copied());
        }
        self.push_all_on(position, MoveFilter::without_bombs(position), cells, moves);
        if has_bomb {
            Self::push_line_bombs(position, threats, moves);
        }
    }

    /// Adds the defenses of [`DefenseArea::Capturable`] against wins on cells.
    fn push_capturable_defenses(
        &self,
        position: &Position,
        threats: &[Cell],
        moves: &mut MoveList,
    ) {
        let mover = position.color_to_move();
        let mut cells = CellBitboard::of(threats[0]);
        cells.add(self.patterns.captures(mover));
        cells.add(self.patterns.cells(mover, ThreatClass::Five));
        // If every five can be answered, only captures threaten to win at once.
        let strict = position.rules().breakable_fives() == Some(BreakableFives::OnlyByCapture);
        if let Some(capture) = position.rules().capture().filter(|_| strict) {
            let enemy = mover.opponent();
            cells.extend(group_ends_in_sight(position, enemy, threats[0]));
            // The five may capture the placed stone with another one that is at one end of a group whose other end holds
            // an enemy.
            let mut captured = MoveList::new();
            push_capturable_cells(position.board(), capture, enemy, threats[0], &mut captured);
            cells.extend(captured.iter().filter_map(|mv| mv.cell()));
        }
        self.push_all_on(position, MoveFilter::all(position), cells, moves);
    }

    /// Adds the bombs that leave no line to complete on any of the threatened cells.
    fn push_line_bombs(position: &Position, threats: &[Cell], moves: &mut MoveList) {
        let (board, grid) = (position.board(), position.grid());
        let enemy = position.color_to_move().opponent();
        let stones = |five| board.windows(enemy, five);
        let breaks_line = |cell: Cell, five: Cell| {
            let cleared = grid.neighbors(cell).map(|other| board.map().window_bit(five, other));
            let left = cleared.fold(stones(five).0, |left, cleared| left & !cleared);
            cell == five
                || !position.rules().line_of(enemy).wins(Windows(left | LANE_LOW_BITS << CENTER))
        };
        // A bomb must clear a stone of each line, and so one of the first.
        let mut cells = CellBitboard::of(threats[0]);
        let around = board.map().cells_in(threats[0], stones(threats[0]));
        cells.extend(around.flat_map(|stone| grid.neighbors(stone)));
        let breaks_all = |cell| threats.iter().all(|&five| breaks_line(cell, five));
        let bombs = cells.iter().filter(|&cell| board.content(cell) == CellContent::EMPTY);
        let bombs = bombs.filter(|&cell| breaks_all(cell)).map(MoveKind::Bomb).map(Move::from);
        moves.extend(bombs.filter(|&mv| position.is_legal(mv)));
    }

    /// Whether none of the wins on the threatened cells is by captures.
    pub(super) fn are_line_threats(&self, position: &Position, threats: &[Cell]) -> bool {
        let enemy = position.color_to_move().opponent();
        let missing = Self::missing(position, enemy);
        threats.iter().all(|&cell| self.captured_at(enemy, cell) < missing)
    }

    /// Adds the defenses of [`DefenseArea::Within`] against wins on cells.
    pub(super) fn push_defenses_within(
        &self,
        position: &Position,
        threats: &[Cell],
        distance: u8,
        moves: &mut MoveList,
    ) {
        let mover = position.color_to_move();
        let grid = position.grid();
        let mut cells = CellBitboard::new();
        cells.extend(threats.iter().copied());
        if distance > 0 {
            let is_near = |cell: Cell| threats.iter().any(|&t| grid.chebyshev(t, cell) <= distance);
            position.board().for_each_empty(|cell| {
                if is_near(cell) {
                    cells.insert(cell);
                }
            });
        }
        cells.add(self.patterns.captures(mover));
        if Self::has_double_turns(position) {
            for class in ThreatClass::FOURS_AND_FIVES {
                cells.add(self.patterns.cells(mover, class));
            }
        }
        self.push_all_on(position, MoveFilter::all(position), cells, moves);
    }

    /// If all listed moves lose by their own poofs, adds one that does not, if there is one: with it the threat is only
    /// carried out a ply later.
    fn push_poof_survivor(position: &Position, moves: &mut MoveList) {
        let Some(capture) = position.rules().capture().filter(|capture| capture.poof) else {
            return;
        };
        let (mover, enemy) = (position.to_move(), position.color_to_move().opponent());
        if Self::missing(position, enemy) > u32::from(capture.max_poofed()) {
            return;
        }
        let loses = |mv: &Move| {
            let winner = position.outcome_after(*mv).and_then(|outcome| outcome.winner);
            winner.is_some_and(|winner| winner != position.side_of(mover))
        };
        if !moves.is_empty() && moves.iter().all(loses) {
            let mut all = MoveList::new();
            position.legal_moves(&mut all);
            moves.extend(all.into_iter().find(|mv| !loses(mv)));
        }
    }

    /// Adds the moves that may break a five that must be answered, or win first; at least one move.
    fn push_answers_to_five(&self, position: &Position, moves: &mut MoveList) {
        let mover = position.color_to_move();
        let mut cells = CellBitboard::new();
        cells.add(self.patterns.captures(mover));
        cells.add(self.patterns.cells(mover, ThreatClass::Five));
        self.push_all_on(position, MoveFilter::all(position), cells, moves);
        if position.rules().stones().bombs > 0 {
            let mut all = MoveList::new();
            position.legal_moves(&mut all);
            moves.extend(all.into_iter().filter(|mv| matches!(mv.kind(), MoveKind::Bomb(_))));
        }
        if moves.is_empty() {
            moves.extend(Self::any_legal_stone(position));
        }
        if moves.is_empty() {
            position.legal_moves(moves);
        }
    }
}
