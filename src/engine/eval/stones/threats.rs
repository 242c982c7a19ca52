//! What searches for threats ask, and wins and losses that patterns show without a search: by an open four, by a four
//! with an open three, by two open threes. That a search should look for them at every node is from Rapfi.

use super::StoneEvaluator;
use super::bitboards::CellBitboard;
use super::captures::{opens_line, push_capturable_cells, push_group_ends};
use super::line_pattern::{LinePattern, ThreatClass};
use super::moves::MoveFilter;
use crate::search::{ThreatGenerator, ThreatWin};
use pentarch_core::board::{CENTER, LANE_LOW_BITS, Windows};
use pentarch_core::game::{Cell, Color, Move, MoveKind, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{CaptureRule, OpeningStage};

/// The cells on which a color can make a four if it has a single line.
const CELLS_OF_A_LONE_FOUR: usize = 2;
/// The missing stones with which captures alone may threaten to win.
const CLOSE_TO_GOAL: u32 = 4;
/// The missing stones after a capture with which it is a threat for certain, or almost.
const ONE_CAPTURE: u32 = 2;
/// The missing stones after a capture with which it may be a threat.
const NEAR_GOAL: u32 = 8;
/// The missing stones after a capture with which variants try it as a threat.
const VARIANT_NEAR_GOAL: u32 = 6;

impl<const N: usize, const LINES: bool> ThreatGenerator<Position> for StoneEvaluator<N, LINES> {
    fn threat_moves(&self, position: &Position, narrow: bool, moves: &mut MoveList) {
        if LINES {
            self.push_line_threats(position, narrow, moves);
        } else {
            self.push_variant_threats(position, narrow, moves);
        }
    }

    #[inline]
    fn static_vcf(&self, position: &Position) -> Option<ThreatWin> {
        if LINES { self.win_by_fours(position) } else { None }
    }

    #[inline]
    fn static_win(&self, position: &Position) -> Option<ThreatWin> {
        if !LINES {
            return None;
        }
        self.win_by_fours(position).or_else(|| self.win_by_threes(position))
    }

    #[inline]
    fn open_four_defenses(&self, position: &Position, moves: &mut MoveList) -> bool {
        LINES && !may_lose_stones(position) && self.push_open_four_defenses(position, moves)
    }

    fn may_be_threatened(&self, position: &Position) -> bool {
        let enemy = position.color_to_move().opponent();
        let captures = || {
            Self::missing(position, enemy) <= CLOSE_TO_GOAL
                && !self.patterns.captures(enemy).is_empty()
        };
        LINES && !position.is_opening_limited() && (self.has_strong_fours(enemy) || captures())
    }

    fn may_threaten(&self, position: &Position, mv: Move) -> bool {
        if !LINES {
            return true;
        }
        let Some(cell) = mv.cell() else { return false };
        let own = self.patterns.at(position.color_to_move(), cell);
        !self.tables.is_quiet_attack(own)
    }

    /// Not with power stones, which narrow searches do not try as threats either.
    fn continues_vcf(&self, _: &Position, mv: Move) -> bool {
        LINES || !matches!(mv.kind(), MoveKind::Power(..))
    }

    /// If the move captures, or both are close enough on a line to be part of one winning line.
    fn depends_on(&self, position: &Position, mv: Move, earlier: Move) -> bool {
        let mover = position.color_to_move();
        let length = position.rules().line_of(mover).length();
        let captures = |cell| self.captured_at(mover, cell) > 0;
        let are_aligned = |(a, b)| position.grid().is_aligned(a, b, length - 1);
        mv.cell().is_some_and(captures) || mv.cell().zip(earlier.cell()).is_none_or(are_aligned)
    }

    fn capture_threats(&self, position: &Position, moves: &mut MoveList) {
        let mover = position.color_to_move();
        if let Some(capture) = position.rules().capture()
            && LINES
            && Self::missing(position, mover) <= u32::from(capture.longest_group())
        {
            push_group_ends(position.board(), capture, mover.opponent(), moves);
        }
    }

    fn defense_dependencies(&self, position: &Position, moves: &mut MoveList) -> bool {
        // Fives that the patterns may miss cannot be ruled out.
        if !LINES || !self.tables.fives_are_exact() {
            return false;
        }
        let mover = position.color_to_move();
        let enemy = mover.opponent();
        for class in ThreatClass::FOURS_AND_FIVES {
            moves.extend(self.patterns.cells(mover, class).iter().map(Move::stone));
        }
        let cells = self.capturing_cells(mover).chain(self.winning_cells(position, enemy));
        moves.extend(cells.map(Move::stone));
        if position.rules().renju_restricts(mover) {
            let is_forbidden = |&cell: &Cell| !self.is_legal_stone(position, Move::stone(cell));
            for cell in self.winning_cells(position, enemy).filter(is_forbidden) {
                position
                    .for_each_forbidden_dependency(cell, |reason| moves.push(Move::stone(reason)));
            }
        }
        if let Some(capture) = position.rules().capture() {
            push_group_ends(position.board(), capture, enemy, moves);
        }
        true
    }

    fn capture_dependencies(&self, position: &Position, mv: Move, moves: &mut MoveList) {
        let Some(cell) = mv.cell().filter(|_| LINES) else { return };
        if let Some(capture) = position.rules().capture() {
            let mover = position.color_to_move();
            push_capturable_cells(position.board(), capture, mover, cell, moves);
        }
        // A stone of the other side may make the move forbidden.
        if self.may_be_forbidden(position, cell) {
            position.for_each_forbidden_dependency(cell, |reason| moves.push(Move::stone(reason)));
        }
    }
}

/// Threats in games that do not play lines.
impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    /// Adds fours, and captures near the goal. In a narrow search there are no power stones among them: of those that
    /// searches tried 1 % won, of plain stones 28 %.
    fn push_variant_threats(&self, position: &Position, narrow: bool, moves: &mut MoveList) {
        // Among more than two sides it is not clear who answers a threat. Of two stones a turn only the first makes a
        // four that the other completes before anybody can answer.
        let many = position.rules().seating().sides() > 2;
        let late = Self::has_double_turns(position) && Self::is_last_stone(position);
        if many || late || position.is_opening_limited() || position.stage() != OpeningStage::Play {
            return;
        }
        let mover = position.color_to_move();
        let mut cells = CellBitboard::new();
        for class in ThreatClass::FOURS {
            cells.add(self.patterns.cells(mover, class));
        }
        let missing = Self::missing(position, mover);
        let is_near_goal =
            |cell: &Cell| missing <= self.captured_at(mover, *cell) + VARIANT_NEAR_GOAL;
        cells.extend(self.patterns.captures(mover).iter().filter(is_near_goal));
        if cells.is_empty() {
            return;
        }
        let filter = if narrow {
            MoveFilter::without_power_stones(position)
        } else {
            self.with_best_bonus(position, MoveFilter::all(position))
        };
        self.push_all_on(position, filter, cells, moves);
    }
}

/// Threats in games that play lines.
impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    fn push_line_threats(&self, position: &Position, narrow: bool, moves: &mut MoveList) {
        if position.is_opening_limited() {
            return;
        }
        let mover = position.color_to_move();
        if self.has_strong_fours(mover) {
            for class in ThreatClass::FOURS {
                moves.extend(self.patterns.cells(mover, class).iter().map(Move::stone));
            }
            self.retain_legal(position, moves);
        }
        for cell in self.capturing_cells(mover) {
            let threatens = self.nears_goal(position, cell) || opens_line(position, cell);
            if threatens && !moves.contains(&Move::stone(cell)) {
                moves.push(Move::stone(cell));
            }
        }
        if narrow {
            moves.retain(|&mv| self.continues_attack(position, mv));
        }
    }

    /// Whether a threat may lead to another: whether, besides the line of the threat, it is on one with a stone with which
    /// it can grow to an open three. That a search with a small budget should follow only such fours is from Rapfi. With
    /// captures every threat may lead to another: leaving some out lost games there.
    fn continues_attack(&self, position: &Position, mv: Move) -> bool {
        let Some(cell) = mv.cell() else { return true };
        if position.rules().capture().is_some() {
            return true;
        }
        let pattern = self.patterns.at(position.color_to_move(), cell);
        pattern.lines_with(LinePattern::OpenTwo) > 1
    }

    /// Whether a color can make fours that lead somewhere. A lone three with its two or three cells does not.
    fn has_strong_fours(&self, color: Color) -> bool {
        let cells = |class| self.patterns.cells(color, class);
        let is_strong =
            !cells(ThreatClass::OpenFour).is_empty() || !cells(ThreatClass::FourThree).is_empty();
        is_strong || cells(ThreatClass::Four).len() > CELLS_OF_A_LONE_FOUR
    }

    /// Whether the color to move may need only one more capture after that on a cell: of a single group, or of no more
    /// stones than some stone already captures or than this one comes to attack.
    fn nears_goal(&self, position: &Position, cell: Cell) -> bool {
        let color = position.color_to_move();
        let missing = Self::missing(position, color);
        let left = missing.saturating_sub(self.captured_at(color, cell));
        if left <= ONE_CAPTURE || left > NEAR_GOAL {
            return left <= ONE_CAPTURE;
        }
        let others = self.capturing_cells(color).filter(|&other| other != cell);
        let most = others.map(|other| self.captured_at(color, other)).max().unwrap_or(0);
        let longest = position.rules().capture().map_or(0, CaptureRule::longest_group);
        let [lines, _] = self.tables.capture_line_counts(self.patterns.at(color, cell));
        // A line may have a group on either side.
        left <= most + 2 * lines as u32 * u32::from(longest)
    }

    /// A win by an open four, or by a four and then an open four.
    #[inline]
    fn win_by_fours(&self, position: &Position) -> Option<ThreatWin> {
        if may_lose_stones(position) {
            return None;
        }
        let mover = position.color_to_move();
        let open = self.patterns.cells(mover, ThreatClass::OpenFour);
        if !open.is_empty() && lasts_for(position, 3) {
            let wins = |&cell: &Cell| self.makes_open_four(position, mover, cell);
            if let Some(cell) = open.iter().find(wins) {
                return Some(ThreatWin { plies: 3, mv: Move::stone(cell) });
            }
        }
        let fours = self.patterns.cells(mover, ThreatClass::FourThree);
        if fours.is_empty() || !self.is_sure(position, mover, 5) {
            return None;
        }
        // The open three remains unless the stone that answers the four makes a four itself.
        let enemy = mover.opponent();
        let three_remains = |&cell: &Cell| {
            let mut answers = winning_cells_after(position, mover, cell);
            answers.all(|answer| !self.makes_four(enemy, answer))
        };
        fours.iter().find(three_remains).map(|cell| ThreatWin { plies: 5, mv: Move::stone(cell) })
    }

    /// A win by two open threes that no four interrupts. No stone blocks both, as they share only one cell.
    #[inline]
    fn win_by_threes(&self, position: &Position) -> Option<ThreatWin> {
        if may_lose_stones(position) {
            return None;
        }
        let mover = position.color_to_move();
        let cell = self.patterns.cells(mover, ThreatClass::DoubleThree).iter().next()?;
        let enemy_has = |class| !self.patterns.cells(mover.opponent(), class).is_empty();
        let is_interrupted = ThreatClass::FOURS.into_iter().any(enemy_has);
        (!is_interrupted && self.is_sure(position, mover, 5))
            .then(|| ThreatWin { plies: 5, mv: Move::stone(cell) })
    }

    /// Adds what can answer an open four that the opponent could make: a stone that prevents each of them, if there are
    /// several, or takes a cell that it would win on; or an own four. Returns whether there is such an open four.
    #[inline]
    fn push_open_four_defenses(&self, position: &Position, moves: &mut MoveList) -> bool {
        let (mover, enemy) = (position.color_to_move(), position.color_to_move().opponent());
        let mut fours = self.patterns.cells(enemy, ThreatClass::OpenFour).iter();
        let Some(first) = fours.next().filter(|_| self.is_sure(position, enemy, 4)) else {
            return false;
        };
        let answers = |cell| {
            let winning = winning_cells_after(position, enemy, cell);
            std::iter::once(cell).chain(winning).map(Move::stone)
        };
        moves.extend(answers(first));
        for cell in fours {
            moves.retain(|&mv| answers(cell).any(|answer| answer == mv));
        }
        self.retain_legal(position, moves);
        for class in ThreatClass::FOURS {
            let fours = self.patterns.cells(mover, class).iter();
            fours.for_each(|cell| self.push_legal(position, cell, moves));
        }
        true
    }

    /// Whether the patterns of a color are exact and two winning cells win within that many plies.
    #[inline]
    fn is_sure(&self, position: &Position, color: Color, plies: u32) -> bool {
        self.fives_are_exact(position, color) && lasts_for(position, plies)
    }

    /// Whether a cell of [`ThreatClass::OpenFour`] is allowed to the color to move and leaves two cells to win on. In
    /// Renju, two fours are forbidden to Black, and more than five in a row is no five.
    #[inline]
    fn makes_open_four(&self, position: &Position, mover: Color, cell: Cell) -> bool {
        self.fives_are_exact(position, mover)
            || self.is_legal_stone(position, Move::stone(cell))
                && winning_cells_after(position, mover, cell).nth(1).is_some()
    }

    /// Whether a stone of a color on an empty cell makes a four or more.
    #[inline]
    fn makes_four(&self, color: Color, cell: Cell) -> bool {
        self.tables.threat_class(self.patterns.at(color, cell)) >= ThreatClass::Four
    }
}

/// Whether stones can be captured, so that no line is sure. It is the same for a whole game and is asked first.
#[inline]
fn may_lose_stones(position: &Position) -> bool {
    position.rules().capture().is_some()
}

/// Whether the opening forbids no cells and the game lasts for that many plies more, so that two winning cells win in
/// games without captures.
#[inline]
fn lasts_for(position: &Position, plies: u32) -> bool {
    !position.is_opening_limited() && position.ply() + plies <= position.rules().max_plies()
}

/// The cells on which a color would win after a stone on `cell`, if it wins on none yet.
fn winning_cells_after(
    position: &Position,
    color: Color,
    cell: Cell,
) -> impl Iterator<Item = Cell> + '_ {
    let (board, line) = (position.board(), position.rules().line_of(color));
    let reach = u32::from(line.length()) - 1;
    let around = ((1u16 << (2 * reach + 1)) - 1) << (CENTER - reach);
    let stones = [color, color.opponent()].map(|color| board.windows(color, cell).0);
    let taken =
        Windows(stones[0] | stones[1] | board.map().walls(cell).0 | LANE_LOW_BITS << CENTER);
    let empty = (0..4).flat_map(move |direction| {
        board.map().window_cells(cell, direction, around & !taken.lane(direction))
    });
    empty.filter(move |&other| {
        let own = board.windows(color, other).0 | board.map().window_bit(other, cell);
        line.wins(Windows(own | LANE_LOW_BITS << CENTER))
    })
}
