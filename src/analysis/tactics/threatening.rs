//! Which moves may threaten to win with the next one.

use pentarch_core::board::{CENTER, Windows};
use pentarch_core::game::{Cell, Color, Move, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_engine::eval::LineEvaluator;

/// Adds every legal cell on which a stone of the color to move would leave that color a cell to
/// win on, and some others. The position has no such cell yet, and the evaluator belongs to it.
///
/// A new winning cell for a line needs a window of the line's length around the stone that has all
/// but two of its stones and no enemy, or a capture that takes the enemy away. A new winning cell
/// for captures needs a capture now, or a group that the stone shuts in from the other side.
pub(super) fn threatening(position: &Position, evaluator: &LineEvaluator, moves: &mut MoveList) {
    let color = position.color_to_move();
    let scan = Scan { position, evaluator, color };
    position.board().for_each_empty(|cell| {
        let own = position.board().windows(color, cell);
        let enemy = position.board().windows(color.opponent(), cell);
        if scan.may_line_up(cell, own, enemy) || scan.may_capture(cell, own, enemy) {
            moves.push(Move::stone(cell));
        }
    });
    if position.is_opening_limited() || position.rules().renju_restricts(color) {
        moves.retain(|&mv| position.is_legal(mv));
    }
}

struct Scan<'a> {
    position: &'a Position,
    evaluator: &'a LineEvaluator,
    color: Color,
}

impl Scan<'_> {
    /// Whether some window through the cell lacks just two stones, the cell's among them.
    fn may_line_up(&self, cell: Cell, own: Windows, enemy: Windows) -> bool {
        let length = u32::from(self.position.rules().line().length());
        let walls = self.position.board().map().walls(cell);
        (0..4).any(|direction| {
            let (own, stop) = (own.lane(direction), enemy.lane(direction) | walls.lane(direction));
            own.count_ones() + 2 >= length
                && (0..length).any(|back| {
                    let window = ((1 << length) - 1) << (CENTER - back);
                    stop & window == 0 && (own & window).count_ones() + 2 >= length
                })
        })
    }

    /// Whether a stone captures, or threatens a capture that wins.
    fn may_capture(&self, cell: Cell, own: Windows, enemy: Windows) -> bool {
        let Some(capture) = self.position.rules().capture() else { return false };
        if !capture.captured(own, enemy).is_empty() {
            return true;
        }
        let Some(goal) = capture.goal else { return false };
        let missing = u32::from(goal.saturating_sub(self.position.captures(self.color)));
        capture.lengths().map(u32::from).any(|stones| {
            self.shut_in(cell, enemy, stones)
                .any(|end| self.evaluator.captured_at(self.color, end) + stones >= missing)
        })
    }

    /// The empty cells at the other ends of enemy groups of that many stones next to the cell.
    fn shut_in(&self, cell: Cell, enemy: Windows, stones: u32) -> impl Iterator<Item = Cell> + '_ {
        let board = self.position.board();
        let walls = board.map().walls(cell);
        (0..8).filter_map(move |ray| {
            let (direction, up) = (ray / 2, ray % 2 == 0);
            let bit = |distance: u32| 1 << if up { CENTER + distance } else { CENTER - distance };
            let group = (1..=stones).fold(0, |group, distance| group | bit(distance));
            let (lane, wall) = (enemy.lane(direction), walls.lane(direction));
            if lane & group != group || wall & bit(stones + 1) != 0 {
                return None;
            }
            let step = board.map().step(direction) * if up { 1 } else { -1 };
            let end = Cell((cell.0 as i16 + step * (stones as i16 + 1)) as u16);
            board.content(end).color().is_none().then_some(end)
        })
    }
}
