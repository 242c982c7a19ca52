//! What searches for threats ask of games of lines and captures.

use super::LineEvaluator;
use crate::eval::capture_zone;
use crate::eval::near_stones::{continues_vcf, depends_on};
use crate::eval::shapes::Urgency;
use crate::search::{ThreatGenerator, ThreatWin};
use pentarch_core::game::{Cell, Color, Move, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::CaptureRule;

/// The points on which a color can make a four, if one line is all it has.
const LONE_FOUR: usize = 2;
/// The number of stones short of the goal at which captures alone may threaten to win.
const CLOSE_TO_GOAL: u32 = 4;
/// The number of stones short of the goal, after a capture, at which it is a threat for certain, or as
/// good as.
const SINGLE_CAPTURE: u32 = 2;
/// The number at which it may be one.
const NEAR_GOAL: u32 = 8;

impl LineEvaluator {
    /// Whether a color can make fours that lead somewhere. A lone three with its two or three
    /// points does not by itself.
    fn has_strong_fours(&self, color: Color) -> bool {
        let set = |urgency| self.patterns.set(color, urgency);
        let strong = !set(Urgency::OpenFour).is_empty() || !set(Urgency::FourThree).is_empty();
        strong || set(Urgency::Four).len() > LONE_FOUR
    }

    /// Whether the color to move may need but one capture more after the one on a cell: it takes a single
    /// group, or no more at once than some stone already captures or than this one comes to attack.
    fn nears_goal(&self, position: &Position, cell: Cell) -> bool {
        let (color, tables) = (position.color_to_move(), &self.patterns.tables);
        let missing = Self::missing(position, color);
        let left = missing.saturating_sub(self.captured_at(color, cell));
        if left <= SINGLE_CAPTURE || left > NEAR_GOAL {
            return left <= SINGLE_CAPTURE;
        }
        let others = self.capturing_cells(color).filter(|&other| other != cell);
        let most = others.map(|other| self.captured_at(color, other)).max().unwrap_or(0);
        let longest = position.rules().capture().map_or(0, CaptureRule::longest_group);
        let [lines, _] = tables.contact_lines(self.patterns.at(color, cell));
        // A line may have a group on either side.
        left <= most + 2 * lines as u32 * u32::from(longest)
    }
}

impl ThreatGenerator<Position> for LineEvaluator {
    fn threat_moves(&self, position: &Position, narrow: bool, moves: &mut MoveList) {
        if position.is_opening_limited() {
            return;
        }
        let mover = position.color_to_move();
        if self.has_strong_fours(mover) {
            for urgency in Urgency::FOURS {
                moves.extend(self.patterns.set(mover, urgency).iter().map(Move::stone));
            }
            self.retain_allowed(position, moves);
        }
        for cell in self.capturing_cells(mover) {
            let threatens =
                self.nears_goal(position, cell) || capture_zone::opens_line(position, cell);
            if threatens && !moves.contains(&Move::stone(cell)) {
                moves.push(Move::stone(cell));
            }
        }
        if narrow {
            moves.retain(|&mv| continues_vcf(position, &self.patterns, mv));
        }
    }

    #[inline]
    fn static_vcf(&self, position: &Position) -> Option<ThreatWin> {
        self.win_by_fours(position)
    }

    #[inline]
    fn static_win(&self, position: &Position) -> Option<ThreatWin> {
        self.win_by_fours(position).or_else(|| self.win_by_threes(position))
    }

    #[inline]
    fn open_four_defenses(&self, position: &Position, moves: &mut MoveList) -> bool {
        self.push_open_four_defenses(position, moves)
    }

    fn may_be_threatened(&self, position: &Position) -> bool {
        let enemy = position.color_to_move().opponent();
        let captures = || {
            Self::missing(position, enemy) <= CLOSE_TO_GOAL
                && !self.patterns.captures(enemy).is_empty()
        };
        !position.is_opening_limited() && (self.has_strong_fours(enemy) || captures())
    }

    fn may_threaten(&self, position: &Position, mv: Move) -> bool {
        let Some(cell) = mv.cell() else { return false };
        let own = self.patterns.at(position.color_to_move(), cell);
        !self.patterns.tables.is_quiet_attack(own)
    }

    fn depends_on(&self, position: &Position, mv: Move, earlier: Move) -> bool {
        depends_on(position, &self.patterns, mv, earlier)
    }

    fn capture_threats(&self, position: &Position, moves: &mut MoveList) {
        let enemy = position.color_to_move().opponent();
        if let Some(capture) = position.rules().capture()
            && Self::missing(position, enemy.opponent()) <= u32::from(capture.longest_group())
        {
            capture_zone::push_group_ends(position.board(), capture, enemy, moves);
        }
    }

    fn defense_dependencies(&self, position: &Position, moves: &mut MoveList) -> bool {
        // What the tables do not see for certain cannot be ruled out.
        if !self.patterns.tables.sees_all() {
            return false;
        }
        let mover = position.color_to_move();
        let enemy = mover.opponent();
        for urgency in Urgency::FOURS_AND_FIVES {
            moves.extend(self.patterns.set(mover, urgency).iter().map(Move::stone));
        }
        let cells = self.capturing_cells(mover).chain(self.winning_cells(position, enemy));
        moves.extend(cells.map(Move::stone));
        if position.rules().renju_restricts(mover) {
            let is_closed = |&cell: &Cell| !self.is_allowed(position, Move::stone(cell));
            for cell in self.winning_cells(position, enemy).filter(is_closed) {
                position
                    .for_each_forbidden_dependency(cell, |reason| moves.push(Move::stone(reason)));
            }
        }
        if let Some(capture) = position.rules().capture() {
            capture_zone::push_group_ends(position.board(), capture, enemy, moves);
        }
        true
    }

    fn capture_dependencies(&self, position: &Position, mv: Move, moves: &mut MoveList) {
        if let (Some(capture), Some(cell)) = (position.rules().capture(), mv.cell()) {
            capture_zone::push_capturable_cells(
                position.board(),
                capture,
                position.color_to_move(),
                cell,
                moves,
            );
        }
        // A stone of the other side may make it forbidden.
        if let Some(cell) = mv.cell().filter(|&cell| self.may_be_forbidden(position, cell)) {
            position.for_each_forbidden_dependency(cell, |reason| moves.push(Move::stone(reason)));
        }
    }
}
