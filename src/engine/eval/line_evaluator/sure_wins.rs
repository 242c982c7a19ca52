//! Wins and losses in games of lines that can be seen without a search: by an open four, by a four with
//! an open three, by two open threes. That a search should look for them at every node is read in Rapfi.

use super::LineEvaluator;
use crate::eval::shapes::Urgency;
use crate::search::ThreatWin;
use pentarch_core::board::{CENTER, LANE_LOW_BITS, Windows};
use pentarch_core::game::{Cell, Color, Move, MoveList, Position as _};
use pentarch_core::placement::Position;

impl LineEvaluator {
    /// A win by an open four, or by a four and then an open four
    /// ([`ThreatGenerator::static_vcf`](crate::search::ThreatGenerator::static_vcf)).
    #[inline]
    pub(super) fn win_by_fours(&self, position: &Position) -> Option<ThreatWin> {
        if Self::may_lose_stones(position) {
            return None;
        }
        let mover = position.color_to_move();
        let open = self.patterns.set(mover, Urgency::OpenFour);
        if !open.is_empty() && Self::lines_alone_count(position, 3) {
            let wins = |&cell: &Cell| self.makes_open_four(position, mover, cell);
            if let Some(cell) = open.iter().find(wins) {
                return Some(ThreatWin { plies: 3, mv: Move::stone(cell) });
            }
        }
        let fours = self.patterns.set(mover, Urgency::FourThree);
        if fours.is_empty() || !self.is_sure(position, mover, 5) {
            return None;
        }
        // The open three stays unless the stone that answers the four is a four itself.
        let enemy = mover.opponent();
        let stays = |&cell: &Cell| {
            let mut answers = winning_cells_after(position, mover, cell);
            answers.all(|answer| !self.makes_four(enemy, answer))
        };
        fours.iter().find(stays).map(|cell| ThreatWin { plies: 5, mv: Move::stone(cell) })
    }

    /// A win by two open threes that no four interrupts: no stone stands in the way of both, as they have
    /// but one cell in common.
    #[inline]
    pub(super) fn win_by_threes(&self, position: &Position) -> Option<ThreatWin> {
        if Self::may_lose_stones(position) {
            return None;
        }
        let mover = position.color_to_move();
        let cell = self.patterns.set(mover, Urgency::DoubleThree).iter().next()?;
        let has = |urgency| !self.patterns.set(mover.opponent(), urgency).is_empty();
        let interrupts = Urgency::FOURS.into_iter().any(has);
        (!interrupts && self.is_sure(position, mover, 5))
            .then(|| ThreatWin { plies: 5, mv: Move::stone(cell) })
    }

    /// Adds what can answer an open four that the opponent could make: a stone on each of them, if there
    /// are several, or on a cell that it would win with; or a four of one's own. False if there is none
    /// ([`ThreatGenerator::open_four_defenses`](crate::search::ThreatGenerator::open_four_defenses)).
    #[inline]
    pub(super) fn push_open_four_defenses(
        &self,
        position: &Position,
        moves: &mut MoveList,
    ) -> bool {
        !Self::may_lose_stones(position) && self.push_defenses_of_lines(position, moves)
    }

    /// [`LineEvaluator::push_open_four_defenses`] where no stone can be captured.
    fn push_defenses_of_lines(&self, position: &Position, moves: &mut MoveList) -> bool {
        let (mover, enemy) = (position.color_to_move(), position.color_to_move().opponent());
        let mut fours = self.patterns.set(enemy, Urgency::OpenFour).iter();
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
        self.retain_allowed(position, moves);
        for urgency in Urgency::FOURS {
            let fours = self.patterns.set(mover, urgency).iter();
            fours.for_each(|cell| self.push_allowed(position, cell, moves));
        }
        true
    }

    /// Whether stones can be captured, so that no line is sure. That is the same for a whole game, and is asked
    /// before anything else.
    #[inline]
    fn may_lose_stones(position: &Position) -> bool {
        position.rules().capture().is_some()
    }

    /// Whether two winning cells are a win for certain where no stone can be captured: the opening keeps none
    /// from them, and the game lasts for so many plies more.
    #[inline]
    fn lines_alone_count(position: &Position, plies: u32) -> bool {
        !position.is_opening_limited() && position.ply() + plies <= position.rules().max_plies()
    }

    /// Whether besides what the tables know of a color's lines is certain.
    #[inline]
    fn is_sure(&self, position: &Position, color: Color, plies: u32) -> bool {
        self.sees_all(position, color) && Self::lines_alone_count(position, plies)
    }

    /// Whether what the tables take for an open four of the color to move, or for two fours, is allowed and
    /// leaves two cells to win on. In Renju two fours are forbidden to Black, and more than five is no five.
    #[inline]
    fn makes_open_four(&self, position: &Position, mover: Color, cell: Cell) -> bool {
        self.sees_all(position, mover)
            || self.is_allowed(position, Move::stone(cell))
                && winning_cells_after(position, mover, cell).nth(1).is_some()
    }

    /// Whether a stone of a color on an empty cell would make a four or more.
    #[inline]
    fn makes_four(&self, color: Color, cell: Cell) -> bool {
        self.patterns.tables.urgency(self.patterns.at(color, cell)) >= Urgency::Four
    }
}

/// The cells on which a color would win once it had a stone on `cell` too, if it wins on none yet.
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
